"""Terms and gaps as JSON: what a person needs to see why two descriptions scored as they did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from jatdae.terms.term import Draft, Unread

MOST: Final = 200
"""Terms and gaps shown of one side, in reading order."""


def show_terms(terms: Sequence[Draft]) -> list[dict[str, Any]]:
    """Terms with what they have; what they do not have is left out."""
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


def show_unread(gaps: Iterable[Unread]) -> list[dict[str, Any]]:
    """What was not understood, with its place."""
    return [gap._asdict() for gap in islice(gaps, MOST)]
