"""Distances along an inner path of one tree to all forests of a subtree of the other.

Pawlik and Augsten, "Efficient computation of the tree edit distance", TODS 40 (2015), Section 7. The forest around
the path grows from its leaf to the root: first by the nodes to the left of the path, the nearest first, then by those
to the right, then by the next node of the path. While it grows on one side, both forests lose roots on that side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jatdae.kernels.tree_strategy import LEFT, RIGHT, Inner

if TYPE_CHECKING:
    from jatdae.kernels.tree_twin import Pair


class InnerPath:
    """A step of the strategy: the path runs in `f`, the forests are those of `g` under `other`."""

    def __init__(self, pair: Pair, step: Inner) -> None:
        self.pair, self.swapped = pair, step.tree == 1
        self.f, self.g = (pair.b, pair.a) if self.swapped else (pair.a, pair.b)
        self.delete, self.insert = (pair.insert, pair.delete) if self.swapped else (pair.delete, pair.insert)
        self.root, self.leaf, self.other = step.root, step.leaf, step.other
        self.grown = 0
        """Nodes of the forest around the path."""
        self.forests: dict[tuple[int, int], float] = {}
        """First and last root of a forest under `other` to its distance from the forest around the path."""

    def run(self) -> float:
        """The distance of the two subtrees; on the way, that of the forests below each two of their nodes."""
        self._grow([self.leaf], RIGHT, self.leaf)
        order = self.f.sides[LEFT]
        node = self.leaf
        while node != self.root:
            path = self.f.parent[node]
            left = list(range(node - 1, path, -1))
            right = list(order.node[order.place[node] + 1 : order.place[path]])
            (left if left and not right else right).append(path)
            for added, side in ((left, LEFT), (right, RIGHT)):
                if added:
                    self._grow(added, side, path)
            node = path
        return self.forests[self.other, self.other]

    def _grow(self, added: list[int], side: int, path: int) -> None:
        """Add nodes on one side of the forest around the path, against all forests with a fixed far end in turn."""
        under_far: list[float] = []
        for far in self._nodes(1 - side)[::-1]:
            reached = self._reach(far, side)
            if self.grown:
                rows = [[self.forests[_ends(near, far, side)] for near in reached]]
            else:
                rows = [[(self.g.size[far] + k) * self.insert for k in range(len(reached))]]
            for node in added:
                rows.append(self._add(node, rows, reached, path, under_far))
            self.forests.update(zip((_ends(near, far, side) for near in reached), rows[-1], strict=True))
            if far != self.other and far in self.g.edge[1 - side]:
                # The last child: the forest with all its siblings is what lies under their parent.
                up = self.g.parent[far]
                under_far = [row[self.g.size[up] - 1 - self.g.size[far]] for row in rows]
                if added[-1] == path and not self.f.leaf[path]:
                    self._set_below(path, up, under_far[-2])
        self.grown += len(added)

    def _add(
        self, node: int, rows: list[list[float]], reached: list[int], path: int, under_far: list[float]
    ) -> list[float]:
        """Distances of the forest with `node`, its newest root, to the forests that begin with the nodes reached."""
        far, count, size = reached[0], len(rows), self.f.size[node]
        grown = self.grown + count
        row: list[float] = []
        for k, other in enumerate(reached):
            if k == 0:
                shorter = grown * self.delete if self.g.leaf[far] else under_far[count]
                rest = (grown - size) * self.delete
            else:
                shorter = row[-1]
                without = k - self.g.size[other]
                rest = (self.g.size[far] + without) * self.insert if node == path else rows[count - size][without]
            match = self._below(node, other) + rest + self._rename(node, other)
            row.append(min(rows[-1][k] + self.delete, shorter + self.insert, match))
        return row

    def _nodes(self, side: int) -> list[int]:
        """The nodes under `other` in preorder, children read from one side."""
        order = self.g.sides[LEFT]
        last, size = order.place[self.other], self.g.size[self.other]
        if side == LEFT:
            return list(range(self.other, self.other + size))
        return list(order.node[last - size + 1 : last + 1][::-1])

    def _reach(self, far: int, side: int) -> list[int]:
        """The nodes with which a forest that ends in `far` can begin: itself and those beside it, the nearest first."""
        before = self._nodes(side)
        before = before[: before.index(far)]
        above = set()
        up = far
        while up != self.other:
            up = self.g.parent[up]
            above.add(up)
        return [far, *(node for node in before[::-1] if node not in above)]

    def _rename(self, v: int, w: int) -> float:
        return self.pair.renames[w][v] if self.swapped else self.pair.renames[v][w]

    def _below(self, v: int, w: int) -> float:
        return self.pair.below[w][v] if self.swapped else self.pair.below[v][w]

    def _set_below(self, v: int, w: int, distance: float) -> None:
        if self.swapped:
            self.pair.below[w][v] = distance
        else:
            self.pair.below[v][w] = distance


def _ends(near: int, far: int, side: int) -> tuple[int, int]:
    return (near, far) if side == LEFT else (far, near)
