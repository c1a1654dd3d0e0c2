"""Tree edit distance in Python: the oracle of the compiled kernel, and the fallback without a compiler.

The tree edit distance can be summed along many ways; as real numbers the results are equal, as floating-point numbers
they differ in the last bits. To be equal to the last bit, the twin goes exactly where APTED goes and takes every sum in
the order in which APTED takes it:

    Strategy   for each pair of subtrees, the cheapest of six ways: along the left, the right or an inner path of either
               tree, counted as in Pawlik and Augsten, "Tree edit distance: Robust and memory-efficient", Information
               Systems 56 (2016), Section 5
    TreePair   fills in the distances of prefix forests along the left and right paths (Zhang and Shasha 1989)
    InnerPath  fills them in along an inner path: Pawlik and Augsten, "Efficient computation of the tree edit distance",
               TODS 40 (2015), Section 7

Nothing is left out, nothing recurses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from rapidfuzz.distance import Levenshtein

if TYPE_CHECKING:
    from jatdae.kernels.tree import Tokens, Tree

STEPS_PER_DISTANCE: Final = 20
STEPS_PER_INNER_PAIR: Final = 200
LEFT: Final = 0
RIGHT: Final = 1
INNER: Final = 2
"""Paths of a tree."""
MATCH, DELETE, INSERT = range(3)
"""Moves between prefix forests."""
Moves = list[bytearray]
Match = tuple[int, int]
Label = tuple[int, str | tuple[int, ...]]
"""Kind and tokens of a node."""


def distance(
    a: Tree, b: Tree, texts: Sequence[Tokens], rename: float, insert: float, delete: float, limit: int
) -> float | None:
    """Tree edit distance of two non-empty trees, in Python; None where it takes more than `limit` steps."""
    pair = _pair(a, b, texts, rename, insert, delete, limit)
    return None if pair is None else pair.distance()


def mapping(
    a: Tree, b: Tree, texts: Sequence[Tokens], rename: float, insert: float, delete: float, limit: int
) -> list[Match] | None:
    """Python twin of the native tree distance: cheapest edit mapping, None if it takes more than `limit` steps.

    It has the nodes of `a` with their partners, then what is inserted; -1 for none.
    """
    pair = _pair(a, b, texts, rename, insert, delete, limit)
    if pair is None:
        return None
    pair.distance()
    partner = dict(pair.matches())
    inserted = set(range(len(b.parents))).difference(partner.values())
    return [(v, partner.get(v, -1)) for v in range(len(a.parents))] + [(-1, w) for w in sorted(inserted)]


def _pair(
    a: Tree, b: Tree, texts: Sequence[Tokens], rename: float, insert: float, delete: float, limit: int
) -> TreePair | None:
    """The pair, or None where its distance takes more than `limit` steps."""
    labels_a, labels_b = _labels(a, texts), _labels(b, texts)
    shape_a, shape_b = TreeShape(a.parents), TreeShape(b.parents)
    inner_pairs = shape_a.leaf.count(False) * shape_b.leaf.count(False)
    least = max(inner_pairs * STEPS_PER_INNER_PAIR, len(labels_a) * len(labels_b) * STEPS_PER_DISTANCE)
    if least + _token_steps(labels_a, labels_b) > limit:
        return None
    strategy = Strategy(shape_a, shape_b)
    if strategy.subproblems * STEPS_PER_DISTANCE + _token_steps(labels_a, labels_b) > limit:
        return None
    return TreePair(strategy, _renames(labels_a, labels_b, rename), insert, delete)


def _labels(tree: Tree, texts: Sequence[Tokens]) -> list[Label]:
    places = tree.texts or [-1] * len(tree.parents)
    if not len(tree.parents) == len(tree.kinds) == len(places):
        raise ValueError("a tree needs as many kinds as parents, and as many texts or none")
    plain = all(isinstance(text, str) for text in texts)
    tokens = [text if plain and isinstance(text, str) else _numbers(text) for text in texts]
    if any(place >= len(tokens) for place in places):
        raise ValueError("a text is not in the list of texts")
    return [(kind, tokens[place] if place >= 0 else "") for kind, place in zip(tree.kinds, places, strict=True)]


def _numbers(text: Tokens) -> tuple[int, ...]:
    """Tokens as numbers, so that a text is the same whether it is given as characters or as their code points."""
    numbers = tuple(map(ord, text)) if isinstance(text, str) else tuple(text)
    if any(not 0 <= number < 2**32 for number in numbers):
        raise ValueError("a token must be a number from 0 to 2**32 - 1")
    return numbers


def _token_steps(labels_a: Sequence[Label], labels_b: Sequence[Label]) -> int:
    """Comparisons of 64 tokens with one that the Levenshtein distances of all distinct texts take."""
    texts_a, texts_b = ({text for _, text in labels} for labels in (labels_a, labels_b))
    return sum((len(text) + 63) // 64 for text in texts_a) * sum(map(len, texts_b))


def _renames(labels_a: Sequence[Label], labels_b: Sequence[Label], rename: float) -> list[list[float]]:
    known: dict[tuple[Label, Label], float] = {}
    for a in dict.fromkeys(labels_a):
        for b in dict.fromkeys(labels_b):
            longer = max(len(a[1]), len(b[1]))
            if a[0] != b[0]:
                known[a, b] = rename
            else:
                known[a, b] = Levenshtein.distance(a[1], b[1]) / longer if longer else 0.0
    return [[known[a, b] for b in labels_b] for a in labels_a]


class TreePair:
    """Two trees, the costs of their edits, and the distances of their subtrees found so far."""

    def __init__(self, strategy: Strategy, renames: list[list[float]], insert: float, delete: float) -> None:
        self.strategy, self.renames, self.insert, self.delete = strategy, renames, insert, delete
        self.a, self.b = strategy.a, strategy.b
        self.below = [
            [(w - 1) * insert if v == 1 else (v - 1) * delete if w == 1 else inf for w in self.b.size]
            for v in self.a.size
        ]
        """Distance of the forests below two nodes; where one of them is a leaf, all of the other forest goes."""

    def distance(self) -> float:
        """Fill in what the strategy says, in its order; the last step is the whole."""
        if self.a.leaf[0] or self.b.leaf[0]:
            return self._of_single_node()
        whole = inf
        for step in self.strategy.steps():
            whole = self.fill(step.v, step.w, step.side) if isinstance(step, Fill) else InnerPath(self, step).run()
        return whole

    def matches(self) -> Iterator[Match]:
        """The nodes that a cheapest mapping pairs, once `distance` has been found."""
        if self.a.leaf[0] or self.b.leaf[0]:
            yield from self._match_of_single_node()
            return
        unseen: list[Match] = [(0, 0)]
        while unseen:
            yield from self._trace(*unseen.pop(), unseen)

    def fill(self, v: int, w: int, side: int, moves: Moves | None = None) -> float:
        """The distance of two subtrees by way of those of all their prefix forests (Zhang and Shasha 1989)."""
        a, b, insert, delete = self.a.sides[side], self.b.sides[side], self.insert, self.delete
        last, last_b = a.place[v], b.place[w]
        start, start_b = a.first[last], b.first[last_b]
        columns = [(b.node[j], b.first[j] - start_b) for j in range(start_b, last_b + 1)]
        row = [0.0]
        for _ in columns:
            row.append(row[-1] + insert)
        rows = {start - 1: row}
        for i in range(start, last + 1):
            x, first = a.node[i], a.first[i]
            above, base, below, renames = row, rows[first - 1], self.below[x], self.renames[x]
            left = above[0] + delete
            row, row_moves = [left], bytearray([DELETE])
            for j, (y, before) in enumerate(columns):
                if first == start and before == 0 and not (self.a.leaf[x] or self.b.leaf[y]):
                    below[y] = above[j]
                    match = above[j] + renames[y]
                else:
                    match = base[before] + below[y] + renames[y]
                up, across = above[j + 1] + delete, left + insert
                left = min(up, match, across)
                row.append(left)
                row_moves.append(MATCH if match <= left else DELETE if up <= across else INSERT)
            rows[i] = row
            if moves is not None:
                moves.append(row_moves)
            # A row is read again only by the nodes whose first leaf comes right after it.
            if not self.a.leaf[x]:
                del rows[i - 1]
            if i == last or x not in self.a.edge[side]:
                del rows[first - 1]
        return row[-1]

    def _trace(self, v: int, w: int, unseen: list[Match]) -> Iterator[Match]:
        """Go back through the moves between two subtrees, which below the roots of the trees are matched already.

        Matched subtrees that the moves do not show from inside go to `unseen`.
        """
        side = self.strategy.side(v, w)
        a, b = self.a.sides[side], self.b.sides[side]
        moves: Moves = []
        self.fill(v, w, side, moves)
        matched = (v, w) != (0, 0)
        i, j = a.place[v] - matched, b.place[w] - matched
        start, start_b = a.first[a.place[v]], b.first[b.place[w]]
        while i >= start and j >= start_b:
            move = moves[i - start][j - start_b + 1]
            if move == DELETE:
                i -= 1
            elif move == INSERT:
                j -= 1
            else:
                x, y = a.node[i], b.node[j]
                yield x, y
                inside = not (self.a.leaf[x] or self.b.leaf[y])
                if inside and a.first[i] == start and b.first[j] == start_b:
                    i, j = i - 1, j - 1
                else:
                    unseen += [(x, y)] * inside
                    i, j = a.first[i] - 1, b.first[j] - 1

    def _of_single_node(self) -> float:
        """A single node is renamed to one of the others, or to none."""
        if self.a.leaf[0] and self.b.leaf[0]:
            return min(self.renames[0][0], self.delete + self.insert)
        one, other = (self.delete, self.insert) if self.a.leaf[0] else (self.insert, self.delete)
        whole = max(self.a.size[0], self.b.size[0]) * other
        change = min(cost - other for row in self.renames for cost in row)
        return min(change + whole, whole + one)

    def _match_of_single_node(self) -> Iterator[Match]:
        cost, v, w = min((cost, v, w) for v, row in enumerate(self.renames) for w, cost in enumerate(row))
        if cost <= self.delete + self.insert:
            yield v, w


class InnerPath:
    """Computes an inner-path step of the strategy: the path runs in tree `f`, the forests are of tree `g`.

    The forests are those under `other`.

    The forest around the path grows from its leaf to the root: first by the nodes to the left of the path, the nearest
    first, then by those to the right, then by the next node of the path. While it grows on one side, both forests lose
    roots on that side.
    """

    def __init__(self, pair: TreePair, step: Inner) -> None:
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


@dataclass(frozen=True, slots=True)
class Fill:
    """Strategy step: distances of all prefix forests of the subtrees `v` and `w`, both read from one side."""

    v: int
    w: int
    side: int


@dataclass(frozen=True, slots=True)
class Inner:
    """Strategy step: distances of forests around the path from `leaf` to `root` to all forests of `other`."""

    tree: int
    root: int
    other: int
    leaf: int


Step = Fill | Inner
Cost = tuple[int, int, int, int, int]
"""Subproblems of a pair: at best; below its left, right and best inner path; the leaf where the inner path ends."""


class Strategy:
    """Cheapest way to compute the distance of each pair of subtrees of more than one node."""

    def __init__(self, a: TreeShape, b: TreeShape) -> None:
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


class TreeShape:
    """Shape of a tree without its labels; nodes are numbered in preorder."""

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
        self.sides = (Postorder(self._postorder(), self.size), Postorder(range(len(parents) - 1, -1, -1), self.size))
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


class Postorder:
    """Postorder numbering of a tree's nodes, with children read from one side."""

    def __init__(self, nodes: Sequence[int], size: Sequence[int]) -> None:
        self.node = nodes
        """Position to node."""
        self.place = [0] * len(nodes)
        """Node to position."""
        for place, node in enumerate(nodes):
            self.place[node] = place
        self.first = [place - size[node] + 1 for place, node in enumerate(nodes)]
        """Position to the position of the first leaf below."""
