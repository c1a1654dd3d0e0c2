// The distance of two trees, and a mapping that costs as much.
#pragma once

#include <unordered_map>

#include "tree_fill.hpp"
#include "tree_inner.hpp"
#include "tree_strategy.hpp"

namespace jatdae::tree {

// Exact, yet no more is filled in than has to be. First a narrow band is tried; what comes out is the cost of a real
// mapping, hence a bound for the next try. Once the bound is within the reach of the band, no mapping outside it is as
// cheap. A sum in floating point grows with each of its terms, so the least of the sums is the same as without a band.
class Distance {
public:
    using Pairs = std::vector<std::pair<Node, Node>>;

    explicit Distance(Pair& pair) : pair_(pair), a_(pair.a), b_(pair.b), strategy_(pair.a, pair.b) {}

    double run() {
        if (a_.leaf(0) || b_.leaf(0)) return of_single_node();
        double found = kFar;
        for (double reach : {pair_.surplus_cost(Count{a_.count} - b_.count) + 1.0, guess(), kFar}) {
            if (found <= kNearby * reach) reach = kFar;
            scope_ = {std::min(reach, found), found};
            found = within(scope_);
            if (found <= scope_.reach) break;
        }
        return found;
    }

    // Pairs of nodes, -1 for none: what is in the first tree in preorder, then what is inserted.
    Pairs mapping() {
        run();
        std::vector<Node> partner(a_.count, -1);
        std::vector<char> taken(b_.count, 0);
        for (const auto& [v, w] : matches()) {
            partner[v] = w;
            taken[w] = 1;
        }
        Pairs all;
        for (Node v = 0; v < a_.count; ++v) all.emplace_back(v, partner[v]);
        for (Node w = 0; w < b_.count; ++w)
            if (!taken[w]) all.emplace_back(-1, w);
        return all;
    }

private:
    // A cost that is found, and is so little above the guess, is as good as a guess: another try would not pay.
    static constexpr double kNearby = 2.0;

    // A single node is renamed to one of the others, or to none.
    double of_single_node() {
        const auto [rename, insert, erase] = pair_.costs;
        if (a_.count == 1 && b_.count == 1) return std::min(pair_.rename(0, 0), erase + insert);
        const bool one_to_many = a_.count == 1;
        const double other = one_to_many ? insert : erase, all = std::max(a_.count, b_.count) * other;
        double change = kFar;
        for (Node v = 0; v < a_.count; ++v)
            for (Node w = 0; w < b_.count; ++w) change = std::min(change, pair_.rename(v, w) - other);
        return std::min(change + all, all + (one_to_many ? erase : insert));
    }

    // Nodes whose like is not in the other tree will cost something. Only speed depends on this.
    double guess() const {
        std::unordered_map<std::uint64_t, Count> surplus;
        const auto key = [&](int tree, Node v) {
            return std::uint64_t(std::uint32_t(pair_.labels[tree].kinds[v])) << 32 |
                   std::uint32_t(pair_.labels[tree].texts[v]);
        };
        Count alike = 0;
        for (Node v = 0; v < a_.count; ++v) ++surplus[key(0, v)];
        for (Node w = 0; w < b_.count; ++w) {
            const auto found = surplus.find(key(1, w));
            if (found != surplus.end() && found->second-- > 0) ++alike;
        }
        return pair_.surplus_cost(Count{a_.count} - b_.count) + 1.0 +
               0.5 * double(std::min(a_.count, b_.count) - alike);
    }

    double within(Scope scope) {
        struct Visit {
            Node v, w;
            bool ready;
        };
        Fill fill(pair_, scope);
        const Band band = pair_.band(scope.reach);
        std::vector<Visit> stack{{0, 0, false}};
        double distance = kFar;
        while (!stack.empty()) {
            const auto [v, w, ready] = stack.back();
            stack.pop_back();
            const Way way = strategy_.way(v, w);
            if (ready) {
                distance = take(way, v, w, fill, band);
                continue;
            }
            stack.push_back({v, w, true});
            const Shape& shape = way.tree == 0 ? a_ : b_;
            const Node root = way.tree == 0 ? v : w;
            for (Node on = way.leaf; on != root; on = shape.parent[on]) {
                shape.each_child(shape.parent[on], [&](Node child) {
                    if (child == on || shape.leaf(child)) return;
                    const Visit beside{way.tree == 0 ? child : v, way.tree == 0 ? w : child, false};
                    if (near(beside.v, beside.w, band)) stack.push_back(beside);
                });
            }
        }
        return distance;
    }

    // Can any node under v be paired with any node under w?
    bool near(Node v, Node w, Band band) const {
        const Side &a = a_.sides[kLeft], &b = b_.sides[kLeft];
        const Node i = a.place[v], j = b.place[w];
        return a.first[i] - j <= band.high && i - b.first[j] >= band.low;
    }

    double take(Way way, Node v, Node w, Fill& fill, Band band) {
        const Node root = way.tree == 0 ? v : w, other = way.tree == 0 ? w : v;
        if (way.kind == kInner) return Inner(pair_, way.tree, other, band).run(root, way.leaf);
        const Shape& across = way.tree == 0 ? b_ : a_;
        const Side& order = across.sides[way.kind];
        const Node last = order.place[other];
        double distance = kFar;
        for (Node at = order.first[last]; at <= last; ++at) {
            const Node keyroot = order.node[at];
            if (across.leaf(keyroot) || (order.edge[keyroot] && keyroot != other)) continue;
            distance = way.tree == 0 ? fill.run(root, keyroot, way.kind) : fill.run(keyroot, root, way.kind);
        }
        return distance;
    }

    Pairs matches() {
        if (a_.leaf(0) || b_.leaf(0)) return match_of_single_node();
        Pairs found, open{{0, 0}};
        Fill fill(pair_, scope_);
        while (!open.empty()) {
            const auto [v, w] = open.back();
            open.pop_back();
            trace(v, w, fill, found, open);
        }
        return found;
    }

    // Goes back through the moves between the subtrees at v and w. Below the roots of the trees, v and w themselves are
    // already matched. Matched subtrees that the moves do not show from inside are left open.
    void trace(Node v, Node w, Fill& fill, Pairs& found, Pairs& open) {
        const Kind kind = strategy_.way(v, w).kind;
        const int side = kind == kInner ? kLeft : kind;
        fill.run<true>(v, w, side);
        const Side &a = a_.sides[side], &b = b_.sides[side];
        const bool whole = v == 0 && w == 0;
        Node i = a.place[v] - (whole ? 0 : 1), j = b.place[w] - (whole ? 0 : 1);
        const Node i0 = a.first[a.place[v]], j0 = b.first[b.place[w]];
        while (i >= i0 && j >= j0) {
            const Move move = fill.move(i, j);
            if (move == kErase) --i;
            else if (move == kInsert) --j;
            else {
                const Node x = a.node[i], y = b.node[j];
                found.emplace_back(x, y);
                const bool inside = !a_.leaf(x) && !b_.leaf(y), shown = a.first[i] == i0 && b.first[j] == j0;
                if (inside && !shown) open.emplace_back(x, y);
                i = inside && shown ? i - 1 : a.first[i] - 1;
                j = inside && shown ? j - 1 : b.first[j] - 1;
            }
        }
    }

    Pairs match_of_single_node() {
        std::pair<Node, Node> best{-1, -1};
        double least = pair_.costs.erase + pair_.costs.insert;
        for (Node v = 0; v < a_.count; ++v) {
            for (Node w = 0; w < b_.count; ++w) {
                const double cost = pair_.rename(v, w);
                if (cost < least || (cost == least && best.first < 0)) {
                    least = cost;
                    best = {v, w};
                }
            }
        }
        if (best.first < 0) return {};
        return {best};
    }

    Pair& pair_;
    const Shape &a_, &b_;
    const Strategy strategy_;
    Scope scope_{};
};

}  // namespace jatdae::tree
