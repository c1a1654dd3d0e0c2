// The distance of two labelled trees, and a mapping that costs as much.
//
//   Pair      two labelled trees, what their edits cost, and the distances found so far
//   Fill      distances of all prefix forests of two subtrees
//   Inner     distances along an inner path of one tree to all forests of a subtree of the other
//   Distance  the whole: which of them to run in which order, and how much may be left out
#pragma once

#include <limits>
#include <memory>
#include <unordered_map>

#include "tree_shape.hpp"
#include "tree_texts.hpp"

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

// ---- Fill: prefix forests (Zhang and Shasha 1989), as far as a bound allows ----

enum Move : std::uint8_t { kMatch, kErase, kInsert };

// What may be left out: all that no mapping within `reach` can pass and, with `bound`, what has already cost too much.
struct Scope {
    double reach, bound;
};

class Fill {
public:
    Fill(Pair& pair, Scope scope)
        : pair_(pair),
          band_(pair.band(scope.reach)),
          bound_(Pair::generous(scope.bound)),
          surplus_(Count{pair.a.count} - pair.b.count),
          renames_(pair.b.count) {}

    // The distance of the subtrees at v and w, read from one side; on the way, that of the forests below each two nodes
    // on their first paths. kFar where the scope does not allow it. With kRecord the moves are kept for `move`.
    template <bool kRecord = false>
    double run(Node v, Node w, int side) {
        if (!start(v, w, side)) return kFar;
        if constexpr (kRecord) moves_.resize(std::size_t(i1_ - i0_ + 1) * std::size_t(stride_));
        top_row();
        for (Node i = i0_; i <= i1_; ++i) {
            if (!row<kRecord>(i)) return kFar;
            retire(i);
        }
        return rows_.back().high == j1_ ? rows_.back().cells[column(j1_)] : kFar;
    }

    Move move(Node i, Node j) const { return Move(moves_[move_at(i, j)]); }

private:
    // The forest up to position i against the forests up to low … high; row i0 - 1 is the empty forest. The cell
    // before low and the one behind high are kFar.
    struct Row {
        double* cells = nullptr;
        Node low = 0, high = 0;
    };

    bool start(Node v, Node w, int side) {
        side_ = side;
        a_ = &pair_.a.sides[side];
        b_ = &pair_.b.sides[side];
        i1_ = a_->place[v];
        j1_ = b_->place[w];
        i0_ = a_->first[i1_];
        j0_ = b_->first[j1_];
        const Count shift = i0_ - j0_;
        if (!band_.holds(shift)) return false;
        most_ = bound_ - pair_.surplus_cost(shift);
        stride_ = std::min<Count>(j1_ - j0_ + 2, band_.high - band_.low + 1);
        pair_.budget.spend(Count{i1_ - i0_ + 1} * stride_);
        rows_.assign(i1_ - i0_ + 2, {});
        free_.clear();
        for (const auto& memory : memory_) free_.push_back(memory.get());
        return true;
    }

    Node low(Node i) const { return Node(std::max<Count>(j0_ - 1, i - band_.high)); }
    Node high(Node i) const { return Node(std::min<Count>(j1_, i - band_.low)); }
    Row& at(Node i) { return rows_[i - i0_ + 1]; }
    std::size_t column(Node j) const { return j - j0_ + 2; }
    std::size_t move_at(Node i, Node j) const { return std::size_t(i - i0_) * stride_ + (j - low(i)); }

    double* take() {
        if (free_.empty()) {
            memory_.emplace_back(new double[pair_.b.count + 3]);
            return memory_.back().get();
        }
        double* row = free_.back();
        free_.pop_back();
        return row;
    }

    // A row is read again by the nodes whose first leaf comes right after it; then its memory is free.
    void retire(Node i) {
        const Node v = a_->node[i];
        if (!pair_.a.leaf(v)) free_.push_back(at(i - 1).cells);
        if (i == i1_ || !a_->edge[v]) free_.push_back(at(a_->first[i] - 1).cells);
    }

    void top_row() {
        Row& row = at(i0_ - 1) = {take(), j0_ - 1, high(i0_ - 1)};
        row.cells[column(row.low)] = 0.0;
        for (Node j = j0_; j <= row.high; ++j) row.cells[column(j)] = row.cells[column(j - 1)] + pair_.costs.insert;
        fence(row, i0_ - 1);
    }

    template <bool kRecord>
    bool row(Node i) {
        const Node v = a_->node[i];
        const Row above = at(i - 1);
        Row& row = at(i) = {take(), std::max(low(i), above.low), std::min(high(i), above.high + 1)};
        if (row.low > row.high) return false;
        double left = kFar;
        Node from = row.low;
        if (from < j0_) {
            left = row.cells[column(from)] = above.cells[column(from)] + pair_.costs.erase;
            if constexpr (kRecord) moves_[move_at(i, from)] = kErase;
            ++from;
        }
        pair_.rename(v, side_, from, row.high, renames_.data());
        if (pair_.a.leaf(v)) leaf_cells<kRecord>(i, from, left);
        else cells<kRecord>(i, from, left);
        fence(row, i);
        return true;
    }

    template <bool kRecord>
    void leaf_cells(Node i, Node from, double left) {
        const Row& above = at(i - 1);
        double* cells = at(i).cells;
        const Node to = at(i).high;
        const auto [rename, insert, erase] = pair_.costs;
        for (Node j = from; j <= to; ++j) {
            const Node below = j - b_->first[j];
            const Node before = std::max(j - below - 1, above.low - 1);
            const double up = above.cells[column(j)] + erase;
            const double match = above.cells[column(before)] + below * insert + renames_[j];
            const double across = left + insert;
            cells[column(j)] = left = std::min(std::min(up, match), across);
            if constexpr (kRecord) moves_[move_at(i, j)] = match <= left ? kMatch : up <= across ? kErase : kInsert;
        }
    }

    template <bool kRecord>
    void cells(Node i, Node from, double left) {
        const Node v = a_->node[i], first = a_->first[i];
        const Row &above = at(i - 1), &base = at(first - 1);
        double* cells = at(i).cells;
        const Node to = at(i).high;
        const auto [rename, insert, erase] = pair_.costs;
        for (Node j = from; j <= to; ++j) {
            const Node w = b_->node[j], before = b_->first[j] - 1;
            const double up = above.cells[column(j)] + erase;
            double match = kFar;
            if (first == i0_ && before == j0_ - 1 && !pair_.b.leaf(w)) {
                const double forests = pair_.below(v, w) = above.cells[column(j - 1)];
                match = forests + renames_[j];
            } else if (base.low <= before && before <= base.high) {
                const double forests = pair_.b.leaf(w) ? (i - first) * erase : pair_.below(v, w);
                match = base.cells[column(before)] + forests + renames_[j];
            }
            const double across = left + insert;
            cells[column(j)] = left = std::min(std::min(up, match), across);
            if constexpr (kRecord) moves_[move_at(i, j)] = match <= left ? kMatch : up <= across ? kErase : kInsert;
        }
    }

    // Leaves out, at both ends of a row, what cannot become part of a mapping within the bound.
    void fence(Row& row, Node i) {
        const auto lost = [&](Node j) { return row.cells[column(j)] + pair_.surplus_cost(surplus_ - (i - j)) > most_; };
        while (row.low <= row.high && lost(row.low)) ++row.low;
        while (row.low <= row.high && lost(row.high)) --row.high;
        row.cells[column(row.low) - 1] = kFar;
        row.cells[column(row.high) + 1] = kFar;
    }

    Pair& pair_;
    const Band band_;
    const double bound_;
    const Count surplus_;
    int side_ = kLeft;
    const Side *a_ = nullptr, *b_ = nullptr;
    Node i0_ = 0, i1_ = 0, j0_ = 0, j1_ = 0;
    double most_ = 0.0;
    Count stride_ = 0;
    std::vector<Row> rows_;
    std::vector<double*> free_;
    std::vector<std::unique_ptr<double[]>> memory_;
    std::vector<double> renames_;
    std::vector<std::uint8_t> moves_;
};

// ---- Inner: forests around a path (Pawlik and Augsten, "Efficient computation of the tree edit distance", TODS 40
// (2015), Section 7) ----

class Inner {
public:
    Inner(Pair& pair, int tree, Node other, Band band)
        : pair_(pair),
          swapped_(tree == 1),
          f_(swapped_ ? pair.b : pair.a),
          g_(swapped_ ? pair.a : pair.b),
          erase_(swapped_ ? pair.costs.insert : pair.costs.erase),
          insert_(swapped_ ? pair.costs.erase : pair.costs.insert),
          other_(other),
          width_(g_.size[other]),
          band_(swapped_ ? Band{-band.high, -band.low} : band) {
        const Side& order = g_.sides[kLeft];
        for (int side : {kLeft, kRight}) numbers_[side].resize(width_);
        for (Node k = 0; k < width_; ++k) {
            for (int side : {kLeft, kRight}) {
                nodes_[side].push_back(side == kLeft ? other + k : order.node[order.place[other] - k]);
                numbers_[side][nodes_[side].back() - other] = k;
            }
        }
    }

    // The distance of the subtrees at `root` and `other`; on the way, that of the forests below each node of the path
    // and each node under `other`. The forest around the path grows from its leaf to the root: first by the nodes to
    // the left of the path, the nearest first, then by those to the right, then by the next node of the path.
    double run(Node root, Node leaf) {
        Budget::hold(std::size_t(width_) * width_);
        forests_.assign(std::size_t(width_) * width_, 0.0);
        grow({leaf}, kRight, leaf);
        for (Node v = leaf; v != root; v = f_.parent[v]) {
            const Node p = f_.parent[v];
            const Side& order = f_.sides[kLeft];
            std::vector<Node> left, right(order.node.begin() + order.place[v] + 1, order.node.begin() + order.place[p]);
            for (Node x = v - 1; x > p; --x) left.push_back(x);
            std::vector<Node>& last = !left.empty() && right.empty() ? left : right;
            last.push_back(p);
            if (!left.empty()) grow(left, kLeft, p);
            if (!right.empty()) grow(right, kRight, p);
        }
        return forests_[0];
    }

private:
    // Adds nodes to the forest of f, one after the other on one side. Both forests lose roots on that side; the far end
    // of the forest of g is fixed in turn.
    void grow(const std::vector<Node>& added, int side, Node path) {
        Budget::hold((added.size() + 1) * width_);
        look_up(added);
        rows_.resize((added.size() + 1) * std::size_t(width_));
        std::vector<double> under_far;  // per added node: distance to the forest under the fixed node
        for (Node number = width_ - 1; number >= 0; --number) {
            const Node far = nodes_[1 - side][number];
            reach(far, number, side);
            for (std::size_t k = 0; k < reached_.size(); ++k)
                rows_[k] = grown_ > 0 ? forest(side, reached_[k], far) : double(g_.size[far] + Count(k)) * insert_;
            for (std::size_t m = 1; m <= added.size(); ++m) add(added[m - 1], m, path, under_far);
            for (std::size_t k = 0; k < reached_.size(); ++k)
                forest(side, reached_[k], far) = rows_[added.size() * width_ + k];
            if (far != other_ && g_.sides[1 - side].edge[far]) keep(added, g_.parent[far], far, path, under_far);
        }
        grown_ += Count(added.size());
    }

    // The forest that begins with one node and ends with another: its distance to the grown forest of f.
    double& forest(int side, Node near, Node far) {
        const Node first = side == kLeft ? near : far, last = side == kLeft ? far : near;
        return forests_[std::size_t(number(kLeft, first)) * width_ + number(kRight, last)];
    }

    // The nodes with which a forest ending in `far` can begin: `far` itself, and those beside it, the nearest first.
    void reach(Node far, Node far_number, int side) {
        reached_.assign(1, far);
        for (Node k = number(side, far) - 1; k >= 0; --k) {
            const Node w = nodes_[side][k];
            if (number(1 - side, w) > far_number) reached_.push_back(w);
        }
    }

    // What each added node costs against each node under `other`.
    void look_up(const std::vector<Node>& added) {
        renames_.resize(added.size() * width_);
        belows_.resize(added.size() * width_);
        for (std::size_t m = 0; m < added.size(); ++m) {
            for (Node k = 0; k < width_; ++k) {
                renames_[m * width_ + k] = rename(added[m], other_ + k);
                belows_[m * width_ + k] = below(added[m], other_ + k);
            }
        }
    }

    void add(Node v, std::size_t m, Node path, const std::vector<double>& under_far) {
        const Node far = reached_[0];
        const Count size = grown_ + Count(m), size_far = g_.size[far], all = Count(reached_.size());
        const double* before = &rows_[(m - 1) * width_];
        const double* beside = v == path ? nullptr : &rows_[(m - f_.size[v]) * width_];
        const double *renames = &renames_[(m - 1) * width_], *belows = &belows_[(m - 1) * width_];
        double* row = &rows_[m * width_];
        std::fill_n(row, all, kFar);
        const Count from = std::max<Count>(0, size - size_far - band_.high),
                    to = std::min(all - 1, size - size_far - band_.low);
        pair_.budget.spend(all + std::max<Count>(0, to - from));
        for (Count k = from; k <= to; ++k) {
            const Node w = reached_[k];
            const Count without = k - g_.size[w];  // the forest of g when it has lost the tree at w
            double shorter, rest;
            if (k == 0) {
                shorter = g_.leaf(far) ? double(size) * erase_ : under_far[m];
                rest = double(size - f_.size[v]) * erase_;
            } else {
                shorter = row[k - 1];
                rest = beside ? beside[without] : double(size_far + without) * insert_;
            }
            const double match = belows[w - other_] + rest + renames[w - other_];
            row[k] = std::min(std::min(before[k] + erase_, match), shorter + insert_);
        }
    }

    // `far` is the last child of `up`: the forest with all its siblings is what lies under `up`.
    void keep(const std::vector<Node>& added, Node up, Node far, Node path, std::vector<double>& under_far) {
        const std::size_t all = std::size_t(g_.size[up] - 1 - g_.size[far]);
        under_far.resize(added.size() + 1);
        for (std::size_t m = 0; m <= added.size(); ++m) under_far[m] = rows_[m * width_ + all];
        if (added.back() != path || f_.leaf(path)) return;
        inner_below(path, up) = belows_[(added.size() - 1) * width_ + (up - other_)] = under_far[added.size() - 1];
    }

    Node number(int side, Node w) const { return numbers_[side][w - other_]; }
    double rename(Node v, Node w) { return swapped_ ? pair_.rename(w, v) : pair_.rename(v, w); }
    double& inner_below(Node v, Node w) { return swapped_ ? pair_.below(w, v) : pair_.below(v, w); }
    double below(Node v, Node w) {
        if (!f_.leaf(v) && !g_.leaf(w)) return inner_below(v, w);
        return swapped_ ? pair_.below_leaf(w, v) : pair_.below_leaf(v, w);
    }

    Pair& pair_;
    const bool swapped_;
    const Shape &f_, &g_;  // the path runs in f
    const double erase_, insert_;
    const Node other_, width_;
    const Band band_;
    std::vector<Node> nodes_[2], numbers_[2];  // under `other`: in preorder from either side, and their places there
    Count grown_ = 0;
    std::vector<double> forests_, rows_, renames_, belows_;
    std::vector<Node> reached_;
};

// ---- Distance ----

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
