"""Evidence of comparing two descriptions, as JSON: both texts with their terms, and what became of each.

    {"reference": {"text": "苔黄，少津", "terms": [{"atom": "COATCOLOR_黄", "text": "黄", "start": 1, "end": 2, …}, …]},
     "prediction": {…},
     "findings": [["confused", 0, 0, 0.85], ["missed", null, 1, 0.0], …]}

A finding has the name of a count table, the numbers of the predicted and of the expected term, and their similarity. A
term without a finding was not counted: nobody denied or stated it on the other side, or it repeats another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from jatdae.terms.metrics import TermFinding
from jatdae.terms.term import Draft, Parsed, Unread

MOST: Final = 200
"""How many terms and gaps of one side are shown, in reading order."""
LONGEST: Final = 2_000
"""How many characters of a text are shown."""

Shown = list[dict[str, Any]]


def show_pair(prediction: dict[str, Any], reference: dict[str, Any], findings: Iterable[TermFinding]) -> dict[str, Any]:
    """Evidence of two compared descriptions."""
    ours, theirs = prediction["terms"], reference["terms"]
    if _is_plain(ours) and _is_plain(theirs):
        shown = [finding[:4] for finding in findings]
    else:
        shown = _shown_findings(ours, theirs, findings)
    return {"prediction": prediction, "reference": reference, "findings": shown}


def _is_plain(terms: Shown) -> bool:
    """Whether all terms are shown and none is an alternative: then a finding names the terms to show."""
    if len(terms) >= MOST:
        return False
    for term in terms:  # noqa: SIM110 - this runs twice a pair, and a generator takes three times as long
        if "choice" in term:
            return False
    return True


def _shown_findings(
    ours: Shown, theirs: Shown, findings: Iterable[TermFinding]
) -> list[tuple[str, int | None, int | None, float]]:
    shown = []
    for outcome, said_at, meant_at, similarity, said, meant in findings:
        p, r = _term_of(ours, said_at, said), _term_of(theirs, meant_at, meant)
        if (p is None or p < MOST) and (r is None or r < MOST):
            shown.append((outcome, p, r, similarity))
    return shown


def show_description(parsed: Parsed) -> dict[str, Any]:
    """Evidence of one description: its text, its terms, and what was not understood."""
    shown: dict[str, Any] = {"text": _cut(parsed.text), "terms": show_terms(parsed.drafts)}
    if parsed.unread:
        shown["not_understood"] = show_unread(parsed.unread)
    return shown


def show_text(text: str) -> dict[str, Any]:
    """Evidence of a clinical description that was not parsed: its text alone."""
    return {"text": _cut(text).encode("utf-8", "replace").decode(), "terms": []}


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def show_terms(terms: Sequence[Draft]) -> Shown:
    """Evidence of the terms of a description, as JSON without empty keys."""
    shown = []
    for term in terms[:MOST]:
        each: dict[str, Any] = {"atom": term.atom.name, "text": term.text, "start": term.start, "end": term.end}
        if term.atom.glosses:
            each["gloss"] = term.atom.glosses
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


def _term_of(terms: Shown, first: int | None, atom: str) -> int | None:
    """Number of the term to show: that of the atom that met, where the first one is only an alternative to it."""
    if first is None or first >= len(terms) or not atom or terms[first]["atom"] == atom:
        return first
    choice = terms[first].get("choice")
    if not choice:  # it implies the atom
        return first
    met = (at for at, term in enumerate(terms) if term.get("choice") == choice and term["atom"] == atom)
    return next(met, first)
