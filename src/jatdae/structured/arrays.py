"""Which predicted item goes with which item of the reference, where order does not matter.

Identical items are paired first. The others are paired so that the summed similarity of their leaves is largest (a
linear assignment). Each cell is read once, and similarities are taken column by column.
"""

from __future__ import annotations

from collections.abc import Hashable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from jatdae.structured.containers import count_leaves, is_choice
from jatdae.structured.fields import Field
from jatdae.structured.leaves import Budget, Ways
from jatdae.structured.outcomes import state_of
from jatdae.structured.values import canonical, kind_of

if TYPE_CHECKING:
    from jatdae.structured.comparison import Comparison

TRIAL_WORK: Final = 20
"""What comparing two leaves one by one costs, in similarities of a column."""

SMALL: Final = 9
"""Pairs of cells up to which calling for each is faster than handing over all."""

Pairs = list[tuple[int, int]]
Gain = NDArray[np.float64]
Way = tuple[str | int, ...]
Cells = dict[Any, Any]
"""The leaves of an item by their way from it; a way of one key is that key."""
Texts = tuple[str, ...]
"""The readings of a cell."""

_SCALARS: Final = frozenset({str, int, bool, type(None), Decimal})
_SHORT: Final = 10**18
_STAND_IN: Final = {"null": ("\x00",), "empty": ("\x01",)}
_similarity: Final = Levenshtein.normalized_similarity


def pair_items(comparison: Comparison, field: Field, path: str, expected: list[Any], actual: list[Any]) -> Pairs:
    """(reference index, prediction index) of partners, by reference index."""
    pairs, ours, theirs = _identical(expected, actual)
    if ours and theirs:
        if len(ours) == len(theirs) == 1:
            chosen: Pairs = [(0, 0)]
        else:
            chosen = _assign(comparison, field, path, [expected[at] for at in ours], [actual[at] for at in theirs])
        pairs += [(ours[a], theirs[b]) for a, b in chosen]
        pairs.sort()
    return pairs


def _identical(expected: list[Any], actual: list[Any]) -> tuple[Pairs, list[int], list[int]]:
    """Pairs of items with the same content, each used once, and the indices of the items without."""
    waiting: dict[Hashable, list[int]] = {}
    for at, content in reversed(list(enumerate(_contents(actual)))):
        waiting.setdefault(content, []).append(at)
    pairs: Pairs = []
    rest: list[int] = []
    for at, content in enumerate(_contents(expected)):
        found = waiting.get(content)
        if found:
            pairs.append((at, found.pop()))
        else:
            rest.append(at)
    return pairs, rest, sorted(at for left in waiting.values() for at in left)


def _contents(items: list[Any]) -> list[Hashable]:
    """What makes items identical, for each. True equals 1 in Python, and must not here."""
    try:
        contents: list[Hashable] = [frozenset(item.items()) for item in items]
    except (AttributeError, TypeError):
        return [_content(item) for item in items]
    return [
        _content(item) if bool in map(type, item.values()) else content
        for item, content in zip(items, contents, strict=True)
    ]


def _content(item: Any) -> Hashable:
    if isinstance(item, dict):
        return frozenset((key, _content(value)) for key, value in item.items())
    if isinstance(item, list):
        return tuple(map(_content, item))
    return (item,) if isinstance(item, bool) else item


def _assign(comparison: Comparison, field: Field, path: str, expected: list[Any], actual: list[Any]) -> Pairs:
    """The pairs with the largest summed similarity; by order where there are too many to choose among."""
    gain = _gain(comparison, field, expected, actual)
    if gain is None:
        comparison.unassigned.append(path)
        return [(at, at) for at in range(min(len(expected), len(actual)))]
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(gain, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _gain(comparison: Comparison, field: Field, expected: list[Any], actual: list[Any]) -> Gain | None:
    """What each pair of items would add to the summed similarity; None where finding out takes too long."""
    ours = [_cells(field.item(at), item) for at, item in enumerate(expected)]
    if None in ours:
        return _gain_by_trial(comparison, field, expected, actual)
    theirs = [_cells(field.item(0), item, predicted=True) for item in actual]
    ways = dict.fromkeys(way for cells in ours if cells for way in cells)
    if not comparison.budget.allows_work(len(ours) * len(theirs) * (len(ways) + 1)):
        return None
    gain = np.zeros((len(ours), len(theirs)))
    for way in ways:
        if not _add_column(gain, way, field, ours, theirs, comparison):
            return None
    return gain


def _cells(field: Field, item: Any, *, predicted: bool = False) -> Cells | None:
    """The leaves of an item by their way; None where one expected is in a set or a choice and has no fixed place."""
    if isinstance(item, dict) and _SCALARS.issuperset(map(type, item.values())):
        return item  # flat, as most are: a key is a way
    found: Cells = {}
    stack: list[tuple[Way, Field, Any]] = [((), field, item)]
    while stack:
        way, place, value = stack.pop()
        if isinstance(value, dict) and value:
            if is_choice(value) and not predicted:
                return None
            stack += [((*way, key), place.key(key), below) for key, below in value.items()]
        elif isinstance(value, list) and value:
            if place.array == "set" and len(value) > 1 and not predicted:
                return None
            stack += [((*way, at), place.item(at), below) for at, below in enumerate(value)]
        else:
            found[way[0] if len(way) == 1 and isinstance(way[0], str) else way] = value
    return found


def _gain_by_trial(comparison: Comparison, field: Field, expected: list[Any], actual: list[Any]) -> Gain | None:
    """What each pair of items adds to the similarity, by comparing it as a whole with the sets and choices inside."""
    work = TRIAL_WORK * len(actual) * sum(map(count_leaves, expected))
    if not comparison.budget.allows_work(work):
        return None
    gain = np.empty((len(expected), len(actual)))
    for row, want in enumerate(expected):
        for column, got in enumerate(actual):
            trial = comparison.trial()
            trial.walk(field.item(row), "", want, got)
            gain[row, column] = sum(result.similarity for result in trial.results)
    return gain


def _add_column(
    gain: Gain, way: Way | str, field: Field, ours: list[Any], theirs: list[Any], comparison: Comparison
) -> bool:
    """Add the similarities of the leaves at one place in all items; False where they are too long to align."""
    ways = comparison.ways
    columns = [at for at, cells in enumerate(theirs) if way in cells]
    if not columns:
        return True
    rows: dict[str, list[int]] = {}
    place = _place(field, 0, way)
    for at, cells in enumerate(ours):
        if way in cells:
            kind = _place(field, at, way).kind if place.by_index else place.kind
            rows.setdefault(kind or kind_of(cells[way], identifiers=ways.identifiers), []).append(at)
    for kind, members in rows.items():
        wanted = _texts([ours[at][way] for at in members], kind, ways)
        found = _texts([theirs[at][way] for at in columns], kind, ways)
        similar = _similarities(wanted, found, comparison.budget)
        if similar is None:
            return False
        if similar.shape == gain.shape:
            gain += similar
        else:
            gain[np.ix_(members, columns)] += similar
    return True


def _place(field: Field, at: int, way: Way | str) -> Field:
    place = field.item(at)
    for step in (way,) if isinstance(way, str) else way:
        place = place.key(step) if isinstance(step, str) else place.item(step)
    return place


def _texts(cells: list[Any], kind: str, ways: Ways) -> list[Texts]:
    """The readings of each cell; one that says nothing is like nothing but itself."""
    if kind == "number":  # whole numbers, the commonest, are as they are written
        return [
            (str(cell),) if type(cell) is int and -_SHORT < cell < _SHORT else _read(cell, kind, ways) for cell in cells
        ]
    return [_read(cell, kind, ways) for cell in cells]


def _read(cell: Any, kind: str, ways: Ways) -> Texts:
    state = state_of(cell)
    return canonical(cell, kind, ways.casefold) if state == "value" else _STAND_IN[state]


def _similarities(wanted: list[Texts], found: list[Texts], budget: Budget) -> Gain | None:
    """1 − NED of the likeliest readings; 1 where any readings agree."""
    ours, theirs = [texts[0] for texts in wanted], [texts[0] for texts in found]
    if not budget.allows(sum(map(len, ours)) * sum(map(len, theirs))):
        return None
    if len(ours) * len(theirs) <= SMALL:
        similar = np.array([[1.0 if a == b else _similarity(a, b) for b in theirs] for a in ours])
    else:
        from rapidfuzz.process import cdist

        similar = cdist(ours, theirs, scorer=_similarity, dtype=np.float64)
    if max(map(len, wanted)) > 1 or max(map(len, found)) > 1:
        where: dict[str, list[int]] = {}
        for column, texts in enumerate(found):
            for text in texts:
                where.setdefault(text, []).append(column)
        for row, texts in enumerate(wanted):
            for text in texts:
                if text in where:
                    similar[row, where[text]] = 1.0
    return similar
