// Distances along an inner path of one tree to all forests of a subtree of the other (Pawlik and Augsten, "Efficient
// computation of the tree edit distance", TODS 40 (2015), Section 7).
#pragma once

#include "tree_pair.hpp"

namespace jatdae::tree {

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

}  // namespace jatdae::tree
