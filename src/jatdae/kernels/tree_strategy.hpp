// Which way APTED would take through two trees: see tree_strategy.py, which this equals choice by choice.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>

#include "tree_shape.hpp"

namespace jatdae::tree {

struct Way {
    int tree;  // the path runs in the first (0) or the second (1) tree
    Kind kind;
    Node leaf;  // where it ends
};

class Strategy {
public:
    Strategy(const Shape& a, const Shape& b) : a_(a), b_(b), ways_(a.inner.size() * b.inner.size()) {
        const bool forwards = walks_forwards();
        const std::vector<Family> families_a = families(a, forwards), families_b = families(b, forwards);
        std::vector<std::unique_ptr<Cost[]>> rows(a.inner.size());
        for (std::size_t v = 0; v < a.inner.size(); ++v) {
            rows[v] = choose(families_a[v], families_b, rows);
            for (Node child : families_a[v].distinct)
                if (!a.leaf(child)) rows[a.rank[child]].reset();
        }
    }

    Way way(Node v, Node w) const {
        const std::uint32_t code = ways_[std::size_t(a_.rank[v]) * b_.inner.size() + b_.rank[w]];
        return {int(code % 6 / 3), Kind(code % 3), Node(code / 6)};
    }

private:
    // Subproblems of a pair: at best; beside its left, right and best inner path; the leaf where the inner path ends.
    struct Cost {
        Count least, left, right, inner;
        Node leaf;
    };

    // The children of a node. All its leaves cost the same, so only the first of them can be the way of a path.
    struct Family {
        Node node, first, last;
        Count leaves = 0;
        std::vector<Node> distinct;
    };

    // APTED walks both trees from one side; that decides which of two equally good inner paths it keeps.
    bool walks_forwards() const {
        Count left = 0, right = 0;
        for (Node v = 1; v < a_.count; ++v) {
            if (!a_.leaf(v)) continue;
            if (a_.sides[kLeft].edge[v]) ++left;
            else if (a_.sides[kRight].edge[v]) ++right;
        }
        return left < right;
    }

    static std::vector<Family> families(const Shape& shape, bool forwards) {
        std::vector<Family> made;
        made.reserve(shape.inner.size());
        for (Node v : shape.inner) {
            Family family{v, v + 1, shape.last_child(v), 0, {}};
            Node keep = -1;  // the leaf met first on the walk
            shape.each_child(v, [&](Node child) {
                if (!shape.leaf(child)) return;
                ++family.leaves;
                if (keep < 0 || !forwards) keep = child;
            });
            shape.each_child(v, [&](Node child) {
                if (!shape.leaf(child) || child == keep) family.distinct.push_back(child);
            });
            if (!forwards) std::reverse(family.distinct.begin(), family.distinct.end());
            made.push_back(std::move(family));
        }
        return made;
    }

    std::unique_ptr<Cost[]> choose(const Family& up, const std::vector<Family>& families_b,
                                   const std::vector<std::unique_ptr<Cost[]>>& rows) {
        const std::size_t width = families_b.size();
        const Node v = up.node;
        std::unique_ptr<Cost[]> row(new Cost[width]), column(new Cost[width]);
        for (std::size_t at = 0; at < width; ++at) {
            const Node w = families_b[at].node;
            const Count size_v = a_.size[v], size_w = b_.size[w];
            Cost along = beside(up, a_, size_w, [&](Node child) { return rows[a_.rank[child]][at]; });
            Cost across = beside(families_b[at], b_, size_v, [&](Node child) { return column[b_.rank[child]]; });
            const Count ways[] = {
                size_v * b_.keyroots[kLeft][w] + along.left,    size_v * b_.keyroots[kRight][w] + along.right,
                size_v * b_.forests[w] + along.inner,           size_w * a_.keyroots[kLeft][v] + across.left,
                size_w * a_.keyroots[kRight][v] + across.right, size_w * a_.forests[v] + across.inner,
            };
            const auto best = std::min_element(std::begin(ways), std::end(ways));
            along.least = across.least = *best;
            row[at] = along;
            column[at] = across;
            const int number = static_cast<int>(best - ways);
            ways_[std::size_t(a_.rank[v]) * width + at] =
                number < 3 ? path(0, a_, v, Kind(number), along.leaf) : path(1, b_, w, Kind(number - 3), across.leaf);
        }
        return row;
    }

    template <class CostOf>
    static Cost beside(const Family& family, const Shape& shape, Count leaf_cost, CostOf cost_of) {
        const auto cost = [&](Node child) {
            return shape.leaf(child) ? Cost{leaf_cost, 0, 0, 0, child} : cost_of(child);
        };
        Count total = (family.leaves > 0 ? family.leaves - 1 : 0) * leaf_cost, saved = 0;
        Node leaf = cost(family.distinct[0]).leaf;
        for (Node child : family.distinct) {
            const Cost below = cost(child);
            total += below.least;
            if (below.inner - below.least < saved) {
                saved = below.inner - below.least;
                leaf = below.leaf;
            }
        }
        const Cost first = cost(family.first), last = cost(family.last);
        return {0, total - first.least + first.left, total - last.least + last.right, total + saved, leaf};
    }

    // An inner path may turn out to run along an edge of the tree.
    static std::uint32_t path(int tree, const Shape& shape, Node root, Kind kind, Node leaf) {
        const Node left = shape.end_of_path(root, kLeft), right = shape.end_of_path(root, kRight);
        if (kind == kInner && leaf == right) kind = kRight;
        if (kind == kInner && leaf == left) kind = kLeft;
        const Node end = kind == kLeft ? left : kind == kRight ? right : leaf;
        return std::uint32_t(end) * 6 + std::uint32_t(tree) * 3 + kind;
    }

    const Shape& a_;
    const Shape& b_;
    std::vector<std::uint32_t> ways_;  // Way, packed
};

}  // namespace jatdae::tree
