"""Evidence of comparing two descriptions, as JSON: their terms, the matches, and what was not understood."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from jatdae.terms.term import Draft, Unread

MOST: Final = 200
"""How many terms and gaps of one side are shown, in reading order."""

Shown = list[dict[str, Any]]


def show_pair(
    prediction: Shown, reference: Shown, matches: Sequence[tuple[int, int, float]], *, unread: tuple[Shown, Shown]
) -> dict[str, Any]:
    """Evidence of two compared descriptions: their terms, the matches, and text not understood, if any.

    A match is (prediction term, reference term, similarity).
    """
    shown: dict[str, Any] = {"prediction": prediction, "reference": reference, "matches": matches}
    if any(unread):
        shown["not_understood"] = {"prediction": unread[0], "reference": unread[1]}
    return shown


def show_terms(terms: Sequence[Draft]) -> Shown:
    """Evidence of the terms of a description, as JSON without empty keys."""
    shown = []
    for term in terms[:MOST]:
        each: dict[str, Any] = {"atom": term.atom.name, "text": term.text, "start": term.start, "end": term.end}
        if term.degree:
            each["degree"] = term.degree
        if term.negated:
            each["negated"] = True
        if term.places:
            each["places"] = term.places
        if term.choice:
            each["choice"] = term.choice
        shown.append(each)
    return shown


def show_unread(gaps: Iterable[Unread]) -> Shown:
    """Evidence of the parts of a clinical description that were not understood, as JSON: text and position."""
    return [gap._asdict() for gap in islice(gaps, MOST)]
