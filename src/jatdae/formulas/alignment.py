"""Which symbols of two formulas belong together, for what is said of them; scores do not depend on it.

A shortest edit script counts a symbol in another place as another symbol. Where a whole part stands elsewhere, as
below a line that became the bar of a fraction, any shift is as short as the right one. So each stretch that differs is
aligned anew by these costs: the same symbol with another place, font or mark is nearly right, and a symbol is rather
taken for one of its own sort in its own place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from jatdae.formulas.tokens import Token

MAX_CELLS: Final = 4_096
"""Symbols of a stretch in the reference times those in the prediction; a longer stretch stays as it is."""
_MISSING: Final = 10
"""A symbol lost or added."""
_SAME_SYMBOL: Final = 5
_OTHER_SYMBOL: Final = 10
_OTHER_PLACE: Final = 4
"""On top of another symbol: it stands in another place."""

Edit = tuple[str, int, int, int, int]
"""replace, delete or insert; the tokens of the reference and of the prediction it concerns."""


def pair_symbols(edits: Sequence[Edit], prediction: Sequence[Token], reference: Sequence[Token]) -> list[Edit]:
    """Edits between the same two formulas, in which equal symbols pair first."""
    found: list[Edit] = []
    for stretch in _stretches(edits):
        start, predicted_start = stretch[0][1], stretch[0][3]
        here, there = reference[start : stretch[-1][2]], prediction[predicted_start : stretch[-1][4]]
        if 1 < len(here) * len(there) <= MAX_CELLS:
            found += _joined(_aligned(here, there), start, predicted_start)
        else:
            found += stretch
    return found


def _stretches(edits: Sequence[Edit]) -> list[list[Edit]]:
    """Edits that follow each other without anything equal between them."""
    found: list[list[Edit]] = []
    for edit in edits:
        if found and found[-1][-1][2] == edit[1] and found[-1][-1][4] == edit[3]:
            found[-1].append(edit)
        else:
            found.append([edit])
    return found


def _aligned(reference: Sequence[Token], prediction: Sequence[Token]) -> list[tuple[str, int, int]]:
    """The cheapest steps from one to the other: kind, and the places they start from."""
    width = len(prediction) + 1
    rows = [[_MISSING * at for at in range(width)]]
    for at, a in enumerate(reference, 1):
        above = rows[-1]
        row = [_MISSING * at]
        for column, b in enumerate(prediction):
            missing = min(row[column], above[column + 1]) + _MISSING
            row.append(min(missing, above[column] + _cost(a, b)))
        rows.append(row)
    steps: list[tuple[str, int, int]] = []
    i, j = len(reference), len(prediction)
    while i or j:
        if i and j and rows[i][j] == rows[i - 1][j - 1] + _cost(reference[i - 1], prediction[j - 1]):
            i, j = i - 1, j - 1
            steps.append(("equal" if reference[i] == prediction[j] else "replace", i, j))
        elif i and rows[i][j] == rows[i - 1][j] + _MISSING:
            i -= 1
            steps.append(("delete", i, j))
        else:
            j -= 1
            steps.append(("insert", i, j))
    return steps[::-1]


def _joined(steps: Sequence[tuple[str, int, int]], start: int, predicted_start: int) -> Iterator[Edit]:
    """Steps of one kind in a row as one edit."""
    for kind, group in groupby(steps, key=itemgetter(0)):
        if kind == "equal":
            continue
        places = list(group)
        (_, i, j), (_, last_i, last_j) = places[0], places[-1]
        end, predicted_end = last_i + (kind != "insert"), last_j + (kind != "delete")
        yield kind, start + i, start + end, predicted_start + j, predicted_start + predicted_end


def _cost(a: Token, b: Token) -> int:
    if a.symbol == b.symbol:
        return 0 if a == b else _SAME_SYMBOL
    return _OTHER_SYMBOL + _OTHER_PLACE * (a.place != b.place) + abs(_sort(a) - _sort(b))


def _sort(token: Token) -> int:
    """Letters are nearer to digits than to signs."""
    symbol = token.symbol
    return 0 if symbol.isalpha() else 1 if symbol.isdigit() else 3
