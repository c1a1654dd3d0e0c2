// Distances of all prefix forests of two subtrees (Zhang and Shasha 1989), as far as a bound allows.
#pragma once

#include "tree_pair.hpp"

namespace jatdae::tree {

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

}  // namespace jatdae::tree
