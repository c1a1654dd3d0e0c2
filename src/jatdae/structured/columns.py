"""How alike each item of the reference is to each of the prediction, where order does not matter.

The similarity of two items is summed over the places both have: 1 − NED of the likeliest readings, 1 where any readings
agree. Each cell is read once, and all pairs of a column are compared in one call.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jatdae.kernels.fields import Cell, add_similarities
from jatdae.structured.field_settings import Field
from jatdae.structured.kinds import canonical, kind_of, plain
from jatdae.structured.leaves import MISSING, Budget, Ways, state_of

Gain = NDArray[np.float64]
Way = tuple[str | int, ...]
Cells = dict[Any, Any]
"""The leaves of an item by their way from it; a way of one key is that key."""

_SHORT: Final = 10**18
_STAND_IN: Final = {"null": ("\x00",), "empty": ("\x01",), "missing": ("",)}
"""What says nothing is like nothing but itself; what is not there is like nothing at all."""


def similarities(field: Field, ours: list[Cells], theirs: list[Cells], ways: Ways, budget: Budget) -> Gain | None:
    """Items of the reference by items of the prediction; None where comparing them takes too long."""
    places = dict.fromkeys(chain.from_iterable(ours))
    if not budget.allows_work(len(ours) * len(theirs) * (len(places) + 1)):
        return None
    gain = np.zeros((len(ours), len(theirs)))
    for way in places:
        found = [cells.get(way, MISSING) for cells in theirs]
        for kind, rows in _rows_by_kind(field, way, ours, ways).items():
            wanted = [ours[at][way] for at in rows]
            cells = _read(wanted, kind, ways), _read(found, kind, ways)
            if not budget.allows(add_similarities(gain, rows, *cells, most=budget.largest)):
                return None
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


def _read(cells: list[Any], kind: str, ways: Ways) -> list[Cell]:
    """What each cell may stand for, by the shortest way."""
    if kind == "number":
        return [
            cell if type(cell) is int and -_SHORT < cell < _SHORT else _readings(cell, kind, ways) for cell in cells
        ]
    if kind in ("string", "identifier"):
        return [(type(cell) is str and plain(cell, ways.casefold)) or _readings(cell, kind, ways) for cell in cells]
    return [_readings(cell, kind, ways) for cell in cells]


def _readings(cell: Any, kind: str, ways: Ways) -> tuple[str, ...]:
    state = state_of(cell)
    return canonical(cell, kind, ways.casefold) if state == "value" else _STAND_IN[state]
