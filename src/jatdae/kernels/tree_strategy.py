"""Which way APTED would take through two trees.

The tree edit distance can be summed along many ways; as real numbers the results are equal, as floating-point numbers
they differ in the last bits. To be equal to the last bit, the twin goes exactly where APTED goes: for each pair of
subtrees the cheapest of six ways (along the left, the right or an inner path of either tree), counted as in Pawlik and
Augsten, "Tree edit distance: Robust and memory-efficient", Information Systems 56 (2016), Section 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

LEFT: Final = 0
RIGHT: Final = 1
INNER: Final = 2


@dataclass(frozen=True, slots=True)
class Fill:
    """Distances of all prefix forests of the subtrees `v` and `w`, both read from one side."""

    v: int
    w: int
    side: int


@dataclass(frozen=True, slots=True)
class Inner:
    """Distances of the forests around the path from `leaf` to `root` in one tree to all forests of `other`."""

    tree: int
    root: int
    other: int
    leaf: int


Step = Fill | Inner
Cost = tuple[int, int, int, int, int]
"""Subproblems of a pair: at best; below its left, right and best inner path; the leaf where the inner path ends."""


class Side:
    """A tree in postorder, children read from one side."""

    def __init__(self, nodes: Sequence[int], size: Sequence[int]) -> None:
        self.node = nodes
        """Position to node."""
        self.place = [0] * len(nodes)
        """Node to position."""
        for place, node in enumerate(nodes):
            self.place[node] = place
        self.first = [place - size[node] + 1 for place, node in enumerate(nodes)]
        """Position to the position of the first leaf below."""


class Shape:
    """A tree without its labels; nodes are numbered in preorder."""

    def __init__(self, parents: Sequence[int]) -> None:
        if any(not 0 <= parent < node for node, parent in enumerate(parents) if node) or parents[0] != -1:
            raise ValueError("parents must come before their children")
        self.parent = parents
        self.size = [1] * len(parents)
        for node in range(len(parents) - 1, 0, -1):
            self.size[parents[node]] += self.size[node]
        self.children: list[list[int]] = [[] for _ in parents]
        for node in range(1, len(parents)):
            up = parents[node]
            if node + self.size[node] > up + self.size[up]:
                raise ValueError("nodes must be in preorder")
            self.children[up].append(node)
        self.leaf = [not below for below in self.children]
        self.edge = ({below[0] for below in self.children if below}, {below[-1] for below in self.children if below})
        """Per side: the nodes that are the first child from there."""
        self.sides = (Side(self._postorder(), self.size), Side(range(len(parents) - 1, -1, -1), self.size))
        self.keyroots = (self._keyroots(0), self._keyroots(-1))
        """Per side and node: size of all subtrees below that do not start at the first leaf of a larger one."""
        self.forests = self._forests()
        """Per node: number of forests that are left when first or last roots are taken away."""

    def _postorder(self) -> list[int]:
        order, stack = [], [0]  # read backwards, postorder is preorder with the children taken from the right
        while stack:
            node = stack.pop()
            order.append(node)
            stack += self.children[node]
        return order[::-1]

    def _keyroots(self, path: int) -> list[int]:
        sums = list(self.size)
        for node in range(len(sums) - 1, -1, -1):
            if below := self.children[node]:
                sums[node] += sum(sums[child] for child in below) - self.size[below[path]]
        return sums

    def _forests(self) -> list[int]:
        sums = list(self.size)
        for node in range(len(sums) - 1, 0, -1):
            sums[self.parent[node]] += sums[node]
        return [size * (size + 3) // 2 - below for size, below in zip(self.size, sums, strict=True)]


class Strategy:
    """The cheapest way for each pair of subtrees of more than one node."""

    def __init__(self, a: Shape, b: Shape) -> None:
        self.a, self.b = a, b
        self._choice: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.subproblems = self._choose()
        """How many distances of forests have to be filled in on the whole."""

    def steps(self) -> Iterator[Step]:
        """What to fill in, in an order in which every step finds what it needs."""
        stack = [(0, 0, False)]
        while stack:
            v, w, ready = stack.pop()
            if self.a.leaf[v] or self.b.leaf[w]:
                continue
            tree, kind, node = self._choice[v, w]
            if ready:
                yield from self._step(v, w, tree, kind, node)
                continue
            stack.append((v, w, True))
            shape, root = (self.b, w) if tree else (self.a, v)
            while node != root:
                up = shape.parent[node]
                beside = [child for child in shape.children[up] if child != node]
                stack += [(v, child, False) if tree else (child, w, False) for child in beside]
                node = up

    def side(self, v: int, w: int) -> int:
        """From which side the pair is best filled in as a whole."""
        _, kind, _ = self._choice[v, w]
        return LEFT if kind == INNER else kind

    def _step(self, v: int, w: int, tree: int, kind: int, leaf: int) -> Iterator[Step]:
        root, other, across = (w, v, self.a) if tree else (v, w, self.b)
        if kind == INNER:
            yield Inner(tree, root, other, leaf)
            return
        order = across.sides[kind]
        last = order.place[other]
        for node in order.node[order.first[last] : last + 1]:
            if not across.leaf[node] and (node == other or node not in across.edge[kind]):
                yield Fill(node, root, kind) if tree else Fill(root, node, kind)

    def _choose(self) -> int:
        """Count the subproblems of each way for each pair, bottom up."""
        a, b = self.a, self.b
        # APTED walks both trees from one side; that decides which of two equally good inner paths it keeps.
        lefts = sum(a.leaf[node] for node in a.edge[LEFT])
        rights = sum(a.leaf[node] for node in a.edge[RIGHT] - a.edge[LEFT])
        turn = 1 if lefts < rights else -1
        rows: dict[int, dict[int, Cost]] = {}
        least = max(a.size[0], b.size[0])
        for v in (node for node in a.sides[LEFT].node if not a.leaf[node]):
            below = [(child, rows.pop(child, None)) for child in a.children[v]]
            row: dict[int, Cost] = {}
            column: dict[int, Cost] = {}
            for w in (node for node in b.sides[LEFT].node if not b.leaf[node]):
                in_a = [row_below[w] if row_below else (b.size[w], 0, 0, 0, child) for child, row_below in below]
                in_b = [column.get(child) or (a.size[v], 0, 0, 0, child) for child in b.children[w]]
                along, across = _beside_paths(in_a, turn), _beside_paths(in_b, turn)
                ways = [
                    size * count + cost
                    for size, counts, costs in (
                        (a.size[v], (*(k[w] for k in b.keyroots), b.forests[w]), along),
                        (b.size[w], (*(k[v] for k in a.keyroots), a.forests[v]), across),
                    )
                    for count, cost in zip(counts, costs, strict=False)
                ]
                least = min(ways)
                row[w], column[w] = (least, *along), (least, *across)
                tree, kind = divmod(ways.index(least), 3)
                self._choice[v, w] = self._path(v, w, tree, kind, (along, across)[tree][3])
            rows[v] = row
        return least

    def _path(self, v: int, w: int, tree: int, kind: int, leaf: int) -> tuple[int, int, int]:
        """Tree, kind and last node of a path. An inner one may turn out to run along an edge of the tree."""
        shape, root = (self.b, w) if tree else (self.a, v)
        edges = [order.node[order.first[order.place[root]]] for order in shape.sides]
        if kind == INNER and leaf in edges:
            kind = RIGHT if leaf == edges[RIGHT] else LEFT
        return tree, kind, leaf if kind == INNER else edges[kind]


def _beside_paths(children: Sequence[Cost], turn: int) -> tuple[int, int, int, int]:
    """Subproblems of the subtrees beside the left, the right and the best inner path, and where the last one ends."""
    total = sum(cost[0] for cost in children)
    first, last = children[0], children[-1]
    saved, leaf = 0, children[::turn][0][4]
    for least, _, _, inner, end in children[::turn]:
        if inner - least < saved:
            saved, leaf = inner - least, end
    return total - first[0] + first[1], total - last[0] + last[2], total + saved, leaf
