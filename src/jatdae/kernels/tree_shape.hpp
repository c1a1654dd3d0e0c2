// The shape of a tree, which is the tree without its labels, and the way APTED takes through two of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace jatdae::tree {

using Node = std::int32_t;
using Count = std::int64_t;

enum Kind : int { kLeft, kRight, kInner };

// A tree in postorder, children read from the left or from the right.
struct Side {
    std::vector<Node> node;   // position to node
    std::vector<Node> place;  // node to position
    std::vector<Node> first;  // position to the position of the first leaf below
    std::vector<char> edge;   // is this node the first child, seen from this side?
};

// Nodes are numbered in preorder; everything derived from the parents is worked out once.
struct Shape {
    explicit Shape(std::vector<Node> parents) : parent(std::move(parents)), count(static_cast<Node>(parent.size())) {
        measure();
        for (int side : {kLeft, kRight}) place(side);
        sum_up();
    }

    bool leaf(Node v) const { return size[v] == 1; }
    Node last_child(Node v) const { return sides[kLeft].node[sides[kLeft].place[v] - 1]; }
    Node end_of_path(Node v, int side) const { return sides[side].node[sides[side].first[sides[side].place[v]]]; }

    template <class Visit>
    void each_child(Node v, Visit visit) const {
        for (Node child = v + 1; child < v + size[v]; child += size[child]) visit(child);
    }

    std::vector<Node> parent;
    Node count;
    std::vector<Node> size, depth;
    std::vector<Node> rank;   // of a node among those that have children; -1 for a leaf
    std::vector<Node> inner;  // the nodes that have children, in postorder; `rank` is their place here
    Side sides[2];
    std::vector<Count> keyroots[2];  // size of all subtrees below that do not start at the first leaf of a larger one
    std::vector<Count> forests;      // number of forests that are left when first or last roots are taken away

private:
    void measure() {
        size.assign(count, 1);
        depth.assign(count, 0);
        for (Node v = 0; v < count; ++v) {
            const Node up = parent[v];
            if (v == 0 ? up != -1 : up < 0 || up >= v)
                throw std::invalid_argument("parents must come before their children");
            if (v > 0) depth[v] = depth[up] + 1;
        }
        for (Node v = count - 1; v > 0; --v) size[parent[v]] += size[v];
        for (Node v = 1; v < count; ++v)
            if (v + size[v] > parent[v] + size[parent[v]]) throw std::invalid_argument("nodes must be in preorder");
    }

    void place(int side) {
        Side& order = sides[side];
        order.node.resize(count);
        order.place.resize(count);
        order.first.resize(count);
        order.edge.assign(count, 0);
        for (Node v = 0; v < count; ++v) {
            // Before v come, from the left, all nodes with a smaller number that are not above it, and all below it.
            const Node at = side == kLeft ? v - depth[v] + size[v] - 1 : count - 1 - v;
            order.place[v] = at;
            order.node[at] = v;
            order.first[at] = at - size[v] + 1;
            if (v > 0) order.edge[v] = side == kLeft ? v == parent[v] + 1 : v + size[v] == parent[v] + size[parent[v]];
        }
        if (side == kRight) return;
        rank.assign(count, -1);
        for (Node v : order.node) {
            if (leaf(v)) continue;
            rank[v] = static_cast<Node>(inner.size());
            inner.push_back(v);
        }
    }

    void sum_up() {
        std::vector<Count> below(size.begin(), size.end());
        for (auto& sums : keyroots) sums.assign(size.begin(), size.end());
        for (Node v = count - 1; v > 0; --v) {
            const Node up = parent[v];
            below[up] += below[v];
            for (int side : {kLeft, kRight})
                keyroots[side][up] += keyroots[side][v] - (sides[side].edge[v] ? size[v] : 0);
        }
        forests.resize(count);
        for (Node v = 0; v < count; ++v) forests[v] = Count{size[v]} * (size[v] + 3) / 2 - below[v];
    }
};

// ---- Strategy: equal, choice by choice, to the one of tree_twin.py, which tells why ----

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
