"""Kinds of errors in a formula, and which symbols are taken for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from jatdae.formulas.similarity import Likeness
from jatdae.formulas.tokens import Token

MOST_CONFUSIONS: Final = 200
"""Different confusions that one formula may add to a count table."""


def count_errors(likeness: Likeness) -> Counter[str]:
    """Symbols by what is wrong with them: lost, added, another symbol, place, font or mark; and slashes."""
    found = Counter(slashes=likeness.slashes)
    for kind, start, end, predicted_start, predicted_end in likeness.edits:
        if kind == "delete":
            found["symbols_lost"] += end - start
        elif kind == "insert":
            found["symbols_added"] += predicted_end - predicted_start
    found.update(_error_of(a, b) for a, b in _replaced(likeness))
    if not likeness.edits and not likeness.slashes:
        found["places"] += 1
    return found


def count_confusions(likeness: Likeness) -> Counter[str]:
    """Symbols taken for others, as `ν→v`."""
    found: Counter[str] = Counter()
    for a, b in _replaced(likeness):
        if a.symbol != b.symbol and len(found) < MOST_CONFUSIONS:
            found[f"{a.symbol}→{b.symbol}"] += 1
    return found


def name_errors(likeness: Likeness) -> dict[str, Counter[str]]:
    """The symbols behind each kind of error: those taken for others, those lost and those added."""
    found = {"symbols": count_confusions(likeness), "symbols_lost": Counter[str](), "symbols_added": Counter[str]()}
    for kind, start, end, predicted_start, predicted_end in likeness.edits:
        if kind == "delete":
            found["symbols_lost"].update(token.symbol for token in likeness.reference.tokens[start:end])
        elif kind == "insert":
            found["symbols_added"].update(
                token.symbol for token in likeness.prediction.tokens[predicted_start:predicted_end]
            )
    return {kind: named for kind, named in found.items() if named}


def _replaced(likeness: Likeness) -> Iterator[tuple[Token, Token]]:
    prediction, reference = likeness.prediction.tokens, likeness.reference.tokens
    for kind, start, end, predicted_start, predicted_end in likeness.edits:
        if kind == "replace":
            yield from zip(reference[start:end], prediction[predicted_start:predicted_end], strict=True)


def _error_of(a: Token, b: Token) -> str:
    if a.symbol != b.symbol:
        return "symbols"
    if a.place != b.place:
        return "places"
    return "fonts" if a.marks == b.marks else "marks"
