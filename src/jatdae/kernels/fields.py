"""The loops of a comparison field by field: how large a document is, how alike columns are, what leaves add up to.

    survey({"a": [1, "x"]}, 200, 1000)                       # 4 values, 2 characters, nothing that needs a closer look
    total = np.zeros((1, 2))
    add_similarities(total, [0], ["abc"], ["abd", "abc"])    # total is [[2/3, 1]]
    tally([(True, True, 1.0, 0, "match", "total")])          # one leaf of `total`, which matches

None of them knows what a value is: that is said in `jatdae.structured`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jatdae.kernels import fields_twin, native

_loop = native("fields") or fields_twin

MANY: Final = 150
"""Pairs of cells from which rapidfuzz, which compares many at once, is the quicker of the two loops. So it is for long
texts, which the native loop leaves alone (None)."""
_MOST: Final = 1 << 62

Cell = str | int | tuple[str, ...]
"""A text; a whole number of up to 64 bits, which stands for its digits; or readings, the likeliest first."""
Row = tuple[Any, ...]
"""What became of a leaf. It ends in: exact, fuzzy (bools), similarity, depth, outcome, pattern."""


class Survey(NamedTuple):
    """What is in a JSON value."""

    values: int
    """Leaves and containers, the value itself included."""
    characters: int
    """Of texts and keys."""
    deeper: bool
    """Whether it is nested deeper than was asked for; then, or with too many values, it was not seen to its end."""
    named: bool
    """Whether all keys are text."""
    halves: bool
    """Whether a text holds half a character: a lone surrogate."""
    special: list[Any]
    """Objects and arrays of types derived from dict and list."""
    others: list[Any]
    """Leaves that are not of type str, int, bool or None."""


class Tally(NamedTuple):
    """What leaves add up to."""

    fields: dict[str, tuple[float, float, float, float]]
    """By pattern: leaves, exact, fuzzy, similarity."""
    depths: dict[int, tuple[float, float]]
    """By depth: leaves, exact."""
    outcomes: dict[str, dict[str, int]]
    """By outcome and pattern: leaves."""


def survey(value: Any, most_depth: int, most_values: int) -> Survey:
    """Look through a JSON value, level by level, up to the first that is too deep or has too many values."""
    return Survey._make(_loop.survey(value, min(int(most_depth), _MOST), min(int(most_values), _MOST)))


def add_similarities(
    total: NDArray[np.float64], rows: list[int], ours: list[Cell], theirs: list[Cell], most: int = 1 << 62
) -> int:
    """Add to some rows of a matrix how alike each of our cells is to each of theirs.

    That is 1 where two have a reading in common, else 1 − Levenshtein(a, b) / max(|a|, |b|) of the likeliest ones.
    Returns the characters of ours times those of theirs; nothing is added where they are more than `most`. No row is
    named twice.
    """
    found: int | None = None
    if len(ours) * len(theirs) < MANY:
        found = _loop.add_similarities(total, rows, ours, theirs, most)
    return fields_twin.add_similarities(total, rows, ours, theirs, most) if found is None else found


def tally(rows: list[Row]) -> Tally:
    """Add up rows of leaves. The similarity of a pattern is its leaves less what each lacks of 1, one after another."""
    return Tally._make(_loop.tally(rows))
