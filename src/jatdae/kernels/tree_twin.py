"""The tree edit distance in Python: the oracle of the compiled loop, and the fallback where no compiler was at hand.

Every sum is taken in the order in which APTED takes it (see `tree_strategy`). Nothing is left out, nothing recurses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

from rapidfuzz.distance import Levenshtein

from jatdae.kernels.tree_inner import InnerPath
from jatdae.kernels.tree_strategy import Fill, Shape, Strategy

if TYPE_CHECKING:
    from jatdae.kernels.tree import Tokens, Tree

STEPS_PER_DISTANCE: Final = 20
STEPS_PER_INNER_PAIR: Final = 200
MATCH, DELETE, INSERT = range(3)
Moves = list[bytearray]
Match = tuple[int, int]
Label = tuple[int, str | tuple[int, ...]]
"""Kind and tokens of a node."""


def distance(
    a: Tree, b: Tree, texts: Sequence[Tokens], rename: float, insert: float, delete: float, limit: int
) -> float | None:
    """The tree edit distance, or None where it takes more than `limit` steps. Neither tree is empty."""
    pair = _pair(a, b, texts, rename, insert, delete, limit)
    return None if pair is None else pair.distance()


def mapping(
    a: Tree, b: Tree, texts: Sequence[Tokens], rename: float, insert: float, delete: float, limit: int
) -> list[Match] | None:
    """A mapping that costs as much: the nodes of `a` with their partners, then what is inserted; -1 for none."""
    pair = _pair(a, b, texts, rename, insert, delete, limit)
    if pair is None:
        return None
    pair.distance()
    partner = dict(pair.matches())
    inserted = set(range(len(b.parents))).difference(partner.values())
    return [(v, partner.get(v, -1)) for v in range(len(a.parents))] + [(-1, w) for w in sorted(inserted)]


class Pair:
    """Two trees, what their edits cost, and what is known of their distance so far."""

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


def _pair(
    a: Tree, b: Tree, texts: Sequence[Tokens], rename: float, insert: float, delete: float, limit: int
) -> Pair | None:
    """The pair, or None where its distance takes more than `limit` steps."""
    labels_a, labels_b = _labels(a, texts), _labels(b, texts)
    shape_a, shape_b = Shape(a.parents), Shape(b.parents)
    inner_pairs = shape_a.leaf.count(False) * shape_b.leaf.count(False)
    least = max(inner_pairs * STEPS_PER_INNER_PAIR, len(labels_a) * len(labels_b) * STEPS_PER_DISTANCE)
    if least + _token_steps(labels_a, labels_b) > limit:
        return None
    strategy = Strategy(shape_a, shape_b)
    if strategy.subproblems * STEPS_PER_DISTANCE + _token_steps(labels_a, labels_b) > limit:
        return None
    return Pair(strategy, _renames(labels_a, labels_b, rename), insert, delete)


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
