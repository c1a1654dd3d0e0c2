"""Pairs predicted with reference items of JSON arrays in which order does not matter.

Identical items are paired first. The others are paired so that the summed similarity of their leaves is largest (a
linear assignment). The similarity of two items is summed over the places both have: 1 − NED of the likeliest readings,
1 where any readings agree. Each cell is read once, and all pairs of a column are compared in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jatdae.core.contract import add_up
from jatdae.kernels import texts as kernel
from jatdae.structured.comparison import compare_values
from jatdae.structured.containers import count_leaves, is_choice
from jatdae.structured.field_tree import Field
from jatdae.structured.kinds import canonical, kind_of, plain
from jatdae.structured.leaves import MISSING, Budget, Ways, similarity_of, state_of
from jatdae.structured.paths import Pattern

if TYPE_CHECKING:
    from jatdae.structured.walk import Walk

TRIAL_WORK: Final = 20
"""Work of comparing two leaves in a trial; that of a similarity within a column is 1."""
MOST_NESTED: Final = 30
"""Depth to which sets in sets are tried out. Deeper ones are paired by order in a trial: Python's stack is finite."""

Pairs = list[tuple[int, int]]
Gain: TypeAlias = NDArray[np.float64]
Cell = str | int | tuple[str, ...]
"""A text; a whole number, which stands for its digits; or readings, the likeliest first."""
Way = tuple[str | int, ...]
Cells = dict[Any, Any]
"""The leaves of an item by the way to them from the item; a way of one key is that key."""

_SHORT: Final = 10**18
_STAND_IN: Final = {"null": ("\x00",), "empty": ("\x01",), "missing": ("",)}
"""Texts for leaves without a value: null and empty are similar only to themselves, a missing leaf to nothing."""
_SCALARS: Final = frozenset({str, int, bool, type(None), Decimal})


class PairingMemory:
    """Pairings and contents of JSON arrays found so far, by id; shared by all trials of one comparison."""

    __slots__ = ("contents", "numbers", "pairings")

    def __init__(self) -> None:
        self.pairings: dict[tuple[int, int, int], Pairs] = {}
        """By field and the two arrays there: the partners found."""
        self.contents: dict[int, int] = {}
        self.numbers: dict[Hashable, int] = {}
        """By content: its number. A container is then compared by one number, however much is in it."""


def pair_items(walk: Walk, field: Field, path: str, expected: list[Any], actual: list[Any]) -> Pairs:
    """Find partners among the items of two JSON arrays: (reference index, prediction index), by reference index."""
    if not field.array_key:
        return _pair_sets(walk, field, path, expected, actual)
    pairs, ours, theirs = _pair_keys(field, expected, actual)
    if ours and theirs:
        same = _pair_like_keys(walk, field, expected, actual, ours, theirs)
        pairs += same
        ours, theirs = (sorted(set(left) - {pair[side] for pair in same}) for side, left in enumerate((ours, theirs)))
    rest = [expected[at] for at in ours], [actual[at] for at in theirs]
    chosen = _pair_sets(walk, field, path, *rest) if ours and theirs else []
    return sorted(pairs + [(ours[a], theirs[b]) for a, b in chosen])


def _pair_sets(walk: Walk, field: Field, path: str, expected: list[Any], actual: list[Any]) -> Pairs:
    types = _types_of_cells(actual + expected)
    pairs, ours, theirs = _identical(expected, actual, types, walk.memory)
    if ours and theirs:
        if len(ours) == len(theirs) == 1 and not field.threshold:
            chosen: Pairs = [(0, 0)]
        else:
            wanted, found = [expected[at] for at in ours], [actual[at] for at in theirs]
            chosen = _assign(walk, field, path, wanted, found, types <= _SCALARS)
        pairs += [(ours[a], theirs[b]) for a, b in chosen]
        pairs.sort()
    return pairs


def _pair_keys(field: Field, expected: list[Any], actual: list[Any]) -> tuple[Pairs, list[int], list[int]]:
    """Pairs of items with the same key, each used once in the order of the arrays, and the items without a partner."""
    keys = [_key_of(item, field.array_key) for item in (*actual, *expected)]
    return _pair_alike(keys[len(actual) :], keys[: len(actual)])


def _pair_like_keys(
    walk: Walk, field: Field, expected: list[Any], actual: list[Any], ours: list[int], theirs: list[int]
) -> Pairs:
    """Pairs of items whose keys are the same values written in another way: `A-17`, `a17`; each is used once."""
    waiting: dict[str, list[tuple[int, list[Any]]]] = {}
    for at in theirs:
        if values := _key_values(actual[at], field.array_key):
            waiting.setdefault(_bare(values), []).append((at, values))
    fields = [_field_at(field.item(0), place) for place in field.array_key]
    pairs: Pairs = []
    for at in ours:
        values = _key_values(expected[at], field.array_key)
        others = waiting.get(_bare(values), []) if values else []
        for other in others:
            if not walk.budget.allows_work(TRIAL_WORK):
                return pairs
            compared = zip(values, other[1], fields, strict=True)
            if all(compare_values(*three, walk.ways, walk.sides, walk.budget).exact for three in compared):
                pairs.append((at, other[0]))
                others.remove(other)
                break
    return pairs


def _bare(values: list[Any]) -> str:
    """Letters and figures of a key, which equal ones share but for the notation of numbers and dates."""
    return "".join(filter(str.isalnum, " ".join(map(plain, values)).casefold()))


def _field_at(field: Field, place: Pattern) -> Field:
    for step in place:
        field = field.key(step) if isinstance(step, str) else field.item(step)
    return field


def _key_of(item: Any, places: Sequence[Pattern]) -> Hashable:
    """The key of an item: the canonical texts of some of its values; one of its own if it lacks any of them."""
    values = _key_values(item, places)
    return tuple(canonical(value, kind_of(value))[0] for value in values) if values else object()


def _key_values(item: Any, places: Sequence[Pattern]) -> list[Any]:
    """The values of an item that are its key; none where it lacks one of them."""
    found = []
    for place in places:
        value = item
        for step in place:
            if isinstance(step, str) and isinstance(value, dict):
                value = value.get(step, MISSING)
            else:
                fits = isinstance(step, int) and isinstance(value, list) and step < len(value)
                value = value[step] if fits else MISSING
        if state_of(value) != "value" or isinstance(value, (dict, list)):
            return []
        found.append(value)
    return found


def _types_of_cells(items: list[Any]) -> set[type]:
    """The types of the values in objects; `object` if an item is not an object."""
    types: set[type] = set()
    for item in items:
        if not isinstance(item, dict):
            return {object}
        types.update(map(type, item.values()))
    return types


def _identical(
    expected: list[Any], actual: list[Any], types: set[type], memory: PairingMemory
) -> tuple[Pairs, list[int], list[int]]:
    """Pairs of items with the same content, each used once, and the indices of the items without."""
    contents = _contents(actual + expected, types, memory)
    return _pair_alike(contents[len(actual) :], contents[: len(actual)])


def _pair_alike(expected: Sequence[Hashable], actual: Sequence[Hashable]) -> tuple[Pairs, list[int], list[int]]:
    """Pairs of equal contents, each used once, and the indices of those without a partner."""
    waiting: dict[Hashable, list[int]] = {}
    for at in range(len(actual) - 1, -1, -1):
        waiting.setdefault(actual[at], []).append(at)
    pairs: Pairs = []
    rest: list[int] = []
    for at, content in enumerate(expected):
        found = waiting.get(content)
        if found:
            pairs.append((at, found.pop()))
        else:
            rest.append(at)
    return pairs, rest, sorted(chain.from_iterable(waiting.values()))


def _contents(items: list[Any], types: set[type], memory: PairingMemory) -> list[Hashable]:
    """For each item, a key that identical items share. True equals 1 in Python, and must not here."""
    if bool in types or not types <= _SCALARS:
        return [_content(item, memory) for item in items]
    keys = list(items[-1])  # rows of a table have the same keys, and so their values tell them apart
    if len(keys) > 1:
        values, size = itemgetter(*keys), len(keys)
        with suppress(KeyError):  # an item as large as the others, with other keys
            return [values(item) if len(item) == size else frozenset(item.items()) for item in items]
    return [frozenset(item.items()) for item in items]


def _content(item: Any, memory: PairingMemory) -> Hashable:
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


def _assign(walk: Walk, field: Field, path: str, expected: list[Any], actual: list[Any], flat: bool) -> Pairs:
    """The pairs with the largest summed similarity; by order where there are too many to choose among."""
    gain = _gain(walk, field, expected, actual, flat)
    if gain is None:
        walk.unassigned.append(path)
        return [(at, at) for at in range(min(len(expected), len(actual)))]
    rows, columns = _solver()(gain, maximize=True)
    chosen: Pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    if not field.threshold:
        return chosen
    return [(a, b) for a, b in chosen if gain[a, b] >= field.threshold * count_leaves(expected[a])]


@cache
def _solver() -> Callable[..., tuple[NDArray[np.intp], NDArray[np.intp]]]:
    from scipy.optimize import linear_sum_assignment  # takes a third of a second to import

    return linear_sum_assignment


def _gain(walk: Walk, field: Field, expected: list[Any], actual: list[Any], flat: bool) -> Gain | None:
    """The similarity of each pair of items; None where finding it takes too long."""
    if flat:  # objects without containers, as most are: a key is a way
        return _similarities(field, expected, actual, walk.ways, walk.budget)
    ours: list[Cells] = []
    for at, item in enumerate(expected):
        cells = _cells(field.item(at), item)
        if cells is None:
            return _gain_by_trial(walk, field, expected, actual)
        ours.append(cells)
    theirs = [_cells(field.item(0), item, predicted=True) or {} for item in actual]
    return _similarities(field, ours, theirs, walk.ways, walk.budget)


def _cells(field: Field, item: Any, *, predicted: bool = False) -> Cells | None:
    """The leaves of an item by their way; None where one of the reference has no fixed place (in a set or choice)."""
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


def _gain_by_trial(walk: Walk, field: Field, expected: list[Any], actual: list[Any]) -> Gain | None:
    """The similarity of each pair of items, found by comparing them as a whole with the sets and choices inside."""
    if walk.inside >= MOST_NESTED:
        walk.budget.too_nested = True
        return None
    work = TRIAL_WORK * len(actual) * sum(map(count_leaves, expected))
    if not walk.budget.allows_work(work):
        return None
    gain = np.empty((len(expected), len(actual)))
    for row, want in enumerate(expected):
        for column, got in enumerate(actual):
            trial = walk.trial(walk.inside + 1)
            trial.walk(field.item(row), "", want, got)
            gain[row, column] = add_up(map(similarity_of, trial.rows))
    return gain


def _similarities(field: Field, ours: list[Cells], theirs: list[Cells], ways: Ways, budget: Budget) -> Gain | None:
    """The similarity of items of the reference (rows) and the prediction (columns); None where it takes too long."""
    places = dict.fromkeys(chain.from_iterable(ours))
    if not budget.allows_work(len(ours) * len(theirs) * (len(places) + 1)):
        return None
    gain = np.zeros((len(ours), len(theirs)))
    for way in places:
        found = [cells.get(way, MISSING) for cells in theirs]
        for kind, rows in _rows_by_kind(field, way, ours, ways).items():
            wanted = [ours[at][way] for at in rows]
            read = _read_cells(wanted, kind, ways)
            if not budget.allows(add_similarities(gain, rows, read, _read_cells(found, kind, ways), budget.largest)):
                return None
    return gain


def _rows_by_kind(field: Field, way: Way | str, ours: list[Cells], ways: Ways) -> dict[str, list[int]]:
    """The items that have a leaf at this place, by the kind it is compared as."""
    place = _place(field, 0, way)
    rows = [at for at, cells in enumerate(ours) if way in cells]
    if place.kind and not place.by_index:
        return {place.kind: rows}
    found: dict[str, list[int]] = {}
    if not place.by_index and not [at for at in rows if type(ours[at][way]) is not int]:
        return {"number": rows}  # a column of figures, as most are
    for at in rows:
        said = _place(field, at, way).kind if place.by_index else None
        found.setdefault(said or kind_of(ours[at][way], identifiers=ways.identifiers), []).append(at)
    return found


def _place(field: Field, at: int, way: Way | str) -> Field:
    place = field.item(at)
    for step in (way,) if isinstance(way, str) else way:
        place = place.key(step) if isinstance(step, str) else place.item(step)
    return place


def _read_cells(cells: list[Any], kind: str, ways: Ways) -> list[Cell]:
    """The readings of each cell; a single reading is given bare, because most cells have one."""
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


def add_similarities(total: Gain, rows: list[int], ours: list[Cell], theirs: list[Cell], most: int = 1 << 62) -> int:
    """Add similarities of JSON cells, by which items find partners, to some rows of a matrix.

    That is 1 where two have a reading in common, else 1 − Levenshtein(a, b) / max(|a|, |b|) of the likeliest ones.
    Returns the characters of ours times those of theirs; nothing is added where they are more than `most`. No row is
    named twice.
    """
    wanted, found = _likeliest(ours), _likeliest(theirs)
    characters = sum(map(len, wanted)) * sum(map(len, found))
    if characters > most:
        return characters
    alike = _agreeing(ours, theirs) if _have_further(ours) or _have_further(theirs) else []
    kernel.add_similarities(total, rows, wanted, found, alike)
    return characters


def _likeliest(cells: list[Cell]) -> list[str]:
    """The likeliest reading of each cell."""
    texts = []
    for cell in cells:
        if type(cell) is str:
            texts.append(cell)
        elif type(cell) is tuple:
            texts.append(cell[0])
        else:
            texts.append(str(cell))
    return texts


def _have_further(cells: list[Cell]) -> bool:
    """Whether one of the cells has more than one reading."""
    for cell in cells:  # noqa: SIM110 (a generator takes longer than most columns)
        if type(cell) is tuple and len(cell) > 1:
            return True
    return False


def _agreeing(ours: list[Cell], theirs: list[Cell]) -> list[tuple[int, int]]:
    """The cells of ours that share a reading, not the likeliest of both, with one of theirs."""
    where: dict[str, list[int]] = {}
    for at, cell in enumerate(theirs):
        for reading in cell if type(cell) is tuple else (str(cell),):
            where.setdefault(reading, []).append(at)
    return [
        (at, other)
        for at, cell in enumerate(ours)
        for reading in (cell if type(cell) is tuple else (str(cell),))
        for other in where.get(reading, ())
    ]
