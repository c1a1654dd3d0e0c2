"""Which predicted item goes with which item of the reference, where order does not matter.

Identical items are paired first. The others are paired so that the summed similarity of their leaves is largest (a
linear assignment).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from decimal import Decimal
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from jatdae.structured.columns import Cells, Gain, Way, similarities
from jatdae.structured.containers import count_leaves, is_choice
from jatdae.structured.field_settings import Field
from jatdae.structured.leaves import similarity_of

if TYPE_CHECKING:
    from jatdae.structured.comparison import Comparison

TRIAL_WORK: Final = 20
"""What comparing two leaves one by one costs, in similarities of a column."""
MOST_NESTED: Final = 30
"""Sets in sets that are tried out; what lies deeper is paired by order in a trial, for Python's stack has an end."""

Pairs = list[tuple[int, int]]


class Memory:
    """What is known of the containers of two documents, shared by all trials; they go by their ids."""

    __slots__ = ("contents", "numbers", "pairings")

    def __init__(self) -> None:
        self.pairings: dict[tuple[int, int, int], Pairs] = {}
        """By a place and the two arrays there: the partners found."""
        self.contents: dict[int, int] = {}
        self.numbers: dict[Hashable, int] = {}
        """Contents are numbered, so that one with many others inside is no longer than one with a few."""


_SCALARS: Final = frozenset({str, int, bool, type(None), Decimal})


def pair_items(comparison: Comparison, field: Field, path: str, expected: list[Any], actual: list[Any]) -> Pairs:
    """(reference index, prediction index) of partners, by reference index."""
    types = _types_of_cells(actual + expected)
    pairs, ours, theirs = _identical(expected, actual, types, comparison.memory)
    if ours and theirs:
        if len(ours) == len(theirs) == 1:
            chosen: Pairs = [(0, 0)]
        else:
            rest = [expected[at] for at in ours], [actual[at] for at in theirs]
            chosen = _assign(comparison, field, path, *rest, types <= _SCALARS)
        pairs += [(ours[a], theirs[b]) for a, b in chosen]
        pairs.sort()
    return pairs


def _types_of_cells(items: list[Any]) -> set[type]:
    """The types of what is in objects; `object` where an item is none."""
    if not all(issubclass(kind, dict) for kind in set(map(type, items))):
        return {object}
    return set(map(type, chain.from_iterable([item.values() for item in items])))


def _identical(
    expected: list[Any], actual: list[Any], types: set[type], memory: Memory
) -> tuple[Pairs, list[int], list[int]]:
    """Pairs of items with the same content, each used once, and the indices of the items without."""
    contents = _contents(actual + expected, types, memory)
    waiting: dict[Hashable, list[int]] = {}
    for at in range(len(actual) - 1, -1, -1):
        waiting.setdefault(contents[at], []).append(at)
    pairs: Pairs = []
    rest: list[int] = []
    for at, content in enumerate(contents[len(actual) :]):
        found = waiting.get(content)
        if found:
            pairs.append((at, found.pop()))
        else:
            rest.append(at)
    return pairs, rest, sorted(chain.from_iterable(waiting.values()))


def _contents(items: list[Any], types: set[type], memory: Memory) -> list[Hashable]:
    """What makes items identical, for each. True equals 1 in Python, and must not here."""
    if bool in types or not types <= _SCALARS:
        return [_content(item, memory) for item in items]
    keys = items[-1].keys()
    if len(keys) < 2:
        return [frozenset(item.items()) for item in items]
    pick = itemgetter(*keys)  # rows of a table have the same keys, and so their values tell them apart
    return [pick(item) if item.keys() == keys else frozenset(item.items()) for item in items]


def _content(item: Any, memory: Memory) -> Hashable:
    if not isinstance(item, (dict, list)):
        return (item,) if isinstance(item, bool) else item
    number = memory.contents.get(id(item))
    if number is None:
        inside: Hashable
        if isinstance(item, dict):
            inside = frozenset([(key, _content(value, memory)) for key, value in item.items()])
        else:
            inside = tuple([_content(value, memory) for value in item])
        number = memory.contents[id(item)] = memory.numbers.setdefault(inside, len(memory.numbers))
    return "container", number


def _assign(
    comparison: Comparison, field: Field, path: str, expected: list[Any], actual: list[Any], flat: bool
) -> Pairs:
    """The pairs with the largest summed similarity; by order where there are too many to choose among."""
    gain = _gain(comparison, field, expected, actual, flat)
    if gain is None:
        comparison.unassigned.append(path)
        return [(at, at) for at in range(min(len(expected), len(actual)))]
    rows, columns = _solver()(gain, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


@cache
def _solver() -> Callable[..., tuple[NDArray[np.intp], NDArray[np.intp]]]:
    from scipy.optimize import linear_sum_assignment  # takes a third of a second to import

    return linear_sum_assignment


def _gain(comparison: Comparison, field: Field, expected: list[Any], actual: list[Any], flat: bool) -> Gain | None:
    """What each pair of items would add to the summed similarity; None where finding out takes too long."""
    if flat:  # objects without containers, as most are: a key is a way
        return similarities(field, expected, actual, comparison.ways, comparison.budget)
    ours: list[Cells] = []
    for at, item in enumerate(expected):
        cells = _cells(field.item(at), item)
        if cells is None:
            return _gain_by_trial(comparison, field, expected, actual)
        ours.append(cells)
    theirs = [_cells(field.item(0), item, predicted=True) or {} for item in actual]
    return similarities(field, ours, theirs, comparison.ways, comparison.budget)


def _cells(field: Field, item: Any, *, predicted: bool = False) -> Cells | None:
    """The leaves of an item by their way; None where one expected is in a set or a choice and has no fixed place."""
    if isinstance(item, dict) and _types_of_cells([item]) <= _SCALARS:
        return item
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
    if comparison.inside >= MOST_NESTED:
        comparison.budget.too_nested = True
        return None
    work = TRIAL_WORK * len(actual) * sum(map(count_leaves, expected))
    if not comparison.budget.allows_work(work):
        return None
    gain = np.empty((len(expected), len(actual)))
    for row, want in enumerate(expected):
        for column, got in enumerate(actual):
            trial = comparison.trial(comparison.inside + 1)
            trial.walk(field.item(row), "", want, got)
            gain[row, column] = sum(map(similarity_of, trial.rows))
    return gain
