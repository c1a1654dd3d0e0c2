"""How alike each item of the reference is to each of the prediction, where order does not matter.

The similarity of two items is summed over the places both have: 1 − NED of the likeliest readings, 1 where any readings
agree. Each cell is read once, and all pairs of a column are compared in one call.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from jatdae.structured.fields import Field
from jatdae.structured.leaves import Budget, Ways
from jatdae.structured.outcomes import MISSING, state_of
from jatdae.structured.values import canonical, kind_of, plain

Gain = NDArray[np.float64]
Way = tuple[str | int, ...]
Cells = dict[Any, Any]
"""The leaves of an item by their way from it; a way of one key is that key."""

_SHORT: Final = 10**18
_STAND_IN: Final = {"null": ("\x00",), "empty": ("\x01",), "missing": ("",)}
"""What says nothing is like nothing but itself; what is not there is like nothing at all."""


class Column(NamedTuple):
    """The cells of one place, read."""

    texts: list[str]
    """The likeliest reading of each."""
    others: dict[int, tuple[str, ...]]
    """Further readings of those that have any."""


def similarities(field: Field, ours: list[Cells], theirs: list[Cells], ways: Ways, budget: Budget) -> Gain | None:
    """Items of the reference by items of the prediction; None where comparing them takes too long."""
    places = dict.fromkeys(way for cells in ours for way in cells)
    if not budget.allows_work(len(ours) * len(theirs) * (len(places) + 1)):
        return None
    gain = np.zeros((len(ours), len(theirs)))
    for way in places:
        found = [cells.get(way, MISSING) for cells in theirs]
        for kind, rows in _rows_by_kind(field, way, ours, ways).items():
            wanted = [ours[at][way] for at in rows]
            similar = _compare(_read(wanted + found, kind, ways), len(wanted), budget)
            if similar is None:
                return None
            if len(rows) == len(ours):
                gain += similar
            else:
                gain[rows] += similar
    return gain


def _rows_by_kind(field: Field, way: Way | str, ours: list[Cells], ways: Ways) -> dict[str, list[int]]:
    """The items that have a leaf at this place, by what it is compared as."""
    place = _place(field, 0, way)
    rows = [at for at, cells in enumerate(ours) if way in cells]
    if place.kind and not place.by_index:
        return {place.kind: rows}
    found: dict[str, list[int]] = {}
    for at in rows:
        said = _place(field, at, way).kind if place.by_index else None
        found.setdefault(said or kind_of(ours[at][way], identifiers=ways.identifiers), []).append(at)
    return found


def _place(field: Field, at: int, way: Way | str) -> Field:
    place = field.item(at)
    for step in (way,) if isinstance(way, str) else way:
        place = place.key(step) if isinstance(step, str) else place.item(step)
    return place


def _read(cells: list[Any], kind: str, ways: Ways) -> Column:
    types = set(map(type, cells))
    if types == _TEXT and kind in _AS_WRITTEN:
        texts = [plain(cell, ways.casefold) for cell in cells]
        if all(texts):
            return Column(texts, {})
    if types == _WHOLE and kind == "number" and -_SHORT < min(cells) <= max(cells) < _SHORT:
        return Column(list(map(str, cells)), {})
    readings = [_readings(cell, kind, ways) for cell in cells]
    others = {at: found[1:] for at, found in enumerate(readings) if len(found) > 1}
    return Column([found[0] for found in readings], others)


_WHOLE: Final = {int}
_TEXT: Final = {str}
_AS_WRITTEN: Final = ("string", "identifier")


def _readings(cell: Any, kind: str, ways: Ways) -> tuple[str, ...]:
    if type(cell) is int and kind == "number" and -_SHORT < cell < _SHORT:
        return (str(cell),)  # as it is written
    state = state_of(cell)
    return canonical(cell, kind, ways.casefold) if state == "value" else _STAND_IN[state]


def _compare(column: Column, n: int, budget: Budget) -> Gain | None:
    """Each of the first n cells with each of the others; None where they are too long to be aligned."""
    ours, theirs = column.texts[:n], column.texts[n:]
    if not budget.allows(len("".join(ours)) * len("".join(theirs))):
        return None
    similar: Gain = cdist(ours, theirs, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    if column.others:
        for row, columns in _agreeing(column, n):
            similar[row, columns] = 1.0
    return similar


def _agreeing(column: Column, n: int) -> Iterator[tuple[int, list[int]]]:
    """Cells that share a reading which is not the likeliest of both."""
    further = set(chain.from_iterable(column.others.values()))
    shared = [(at, text) for at, text in enumerate(column.texts) if text in further]
    shared += [(at, text) for at, more in column.others.items() for text in more]
    where: dict[str, list[int]] = {}
    for at, text in shared:
        if at >= n:
            where.setdefault(text, []).append(at - n)
    for at, text in shared:
        if at < n and text in where:
            yield at, where[text]
