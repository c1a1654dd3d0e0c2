// A tree without its labels. Nodes are numbered in preorder; all that is known of a shape is worked out once.
#pragma once

#include <cstdint>
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

}  // namespace jatdae::tree
