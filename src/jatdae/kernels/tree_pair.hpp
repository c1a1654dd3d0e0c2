// Two labelled trees, what their edits cost, and what is known of their distance so far.
#pragma once

#include <limits>

#include "tree_ratios.hpp"
#include "tree_shape.hpp"

namespace jatdae::tree {

constexpr double kFar = std::numeric_limits<double>::infinity();

struct Labels {
    std::vector<std::int32_t> kinds;
    std::vector<Text> texts;
};

struct Costs {
    double rename, insert, erase;
};

// A mapping that pairs i nodes of one part of the first tree with j of a part of the second, and the rest with the
// rest, costs at least what the surplus in each of the two costs. So what a mapping of limited cost passes has i - j in
// a band.
struct Band {
    Count low, high;
    bool holds(Count shift) const { return low <= shift && shift <= high; }
};

class Pair {
public:
    Pair(const Shape& shape_a, Labels labels_a, const Shape& shape_b, Labels labels_b, const Texts& texts,
         Costs edit_costs, Budget& steps)
        : a(shape_a),
          b(shape_b),
          labels{std::move(labels_a), std::move(labels_b)},
          costs(edit_costs),
          budget(steps),
          ratio_(texts, labels[0].texts, labels[1].texts, steps),
          below_(inner_pairs(), kFar) {
        for (int side : {kLeft, kRight})
            for (Node w : b.sides[side].node)
                placed_[side].push_back({labels[1].kinds[w], ratio_.column(labels[1].texts[w])});
    }

    double rename(Node v, Node w) {
        if (labels[0].kinds[v] != labels[1].kinds[w]) return costs.rename;
        return ratio_(ratio_.row(labels[0].texts[v]), ratio_.column(labels[1].texts[w]));
    }

    // The same for v and the nodes at positions first … last of the second tree, read from one side.
    void rename(Node v, int side, Node first, Node last, double* made) {
        const std::int32_t kind = labels[0].kinds[v];
        const Ratios::Row ratio = ratio_.of(ratio_.row(labels[0].texts[v]));
        const Placed* others = placed_[side].data();
        for (Node j = first; j <= last; ++j) made[j] = others[j].kind == kind ? ratio(others[j].column) : costs.rename;
    }

    // Distance of the forests below v and w, neither of them a leaf; kFar where it was never needed.
    double& below(Node v, Node w) { return below_[std::size_t(a.rank[v]) * b.inner.size() + b.rank[w]]; }

    // The same where one of the two is a leaf: all of the other forest is inserted or deleted.
    double below_leaf(Node v, Node w) const {
        return a.leaf(v) ? (b.size[w] - 1) * costs.insert : (a.size[v] - 1) * costs.erase;
    }

    // What it costs at least that a part of the first tree has so many nodes more than what it is paired with.
    double surplus_cost(Count nodes) const {
        return nodes > 0 ? double(nodes) * costs.erase : double(-nodes) * costs.insert;
    }

    Band band(double cost) const {
        const Count surplus = Count{a.count} - b.count, widest = Count{a.count} + b.count;
        const double spare = generous(cost) - surplus_cost(surplus), detour = costs.insert + costs.erase;
        const Count slack = spare < double(widest) * detour ? Count(std::max(0.0, spare) / detour) : widest;
        return {std::min<Count>(0, surplus) - slack, std::max<Count>(0, surplus) + slack};
    }

    // Rounding may not shut out what a limit allows.
    static double generous(double cost) { return cost * (1 + 1e-9) + 1e-9; }

    const Shape& a;
    const Shape& b;
    const Labels labels[2];
    const Costs costs;
    Budget& budget;

private:
    std::size_t inner_pairs() const {
        const std::size_t pairs = a.inner.size() * b.inner.size();
        Budget::hold(pairs);
        return pairs;
    }

    struct Placed {
        std::int32_t kind;
        Ratios::Line column;
    };

    Ratios ratio_;
    std::vector<Placed> placed_[2];  // nodes of the second tree, by position from either side
    std::vector<double> below_;
};

}  // namespace jatdae::tree
