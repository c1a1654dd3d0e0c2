"""A small lexicon, a measure of work, and terms in one line: ¬ATOM, ATOM/degree, ATOM@place,place, ATOM#choice."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.compiled import are_compiled
from jatdae.core.errors import UsageError
from jatdae.terms import Lexicon, Term, find_lexicon, parse

Marked = Callable[..., list[str]]

SMALL = """\
name: small
start: body
weights: {tongue: 2.0, location: 1.0}
regions:
  body: {heads: [舌], open: true}
  coat: {heads: [苔], open: true}
axes:
  COLOR: {category: tongue, region: body}
  PLACE: {category: location, place: true}
atoms:
  COLOR:
    红: {gloss: red, zh: [红]}
    绛: {gloss: crimson, zh: [绛]}
  PLACE:
    尖: {gloss: tip, zh: [尖]}
patterns:
  红绛: [COLOR_红, COLOR_绛]
synonyms:
  红|绛: 0.75
words:
  degree: [微]
  stop: [，]
characters: [紅红]
typos:
  - {wrong: 洪, right: 红}
"""


@pytest.fixture
def marked() -> Marked:
    """What a description says, as a list of marks."""

    def of(text: str, lexicon: str | Path | Lexicon = "tongue") -> list[str]:
        return [_mark(term) for term in parse(text, lexicon)]

    return of


def _mark(term: Term) -> str:
    degree = f"/{term.degree}" if term.degree and not term.negated else ""
    places = "@" + ",".join(place.partition("_")[2] for place in term.places) if term.places else ""
    choice = f"#{term.choice}" if term.choice else ""
    return f"{term}{degree}{places}{choice}"


@pytest.fixture
def count_steps() -> Callable[[Callable[[], object]], int]:
    """How many lines of Python a call executes: a measure of work that no clock disturbs."""
    if are_compiled():
        pytest.skip("compiled modules have no lines to count; `make coverage` runs this test on their sources")

    def of(call: Callable[[], object]) -> int:
        steps = 0

        def trace(_frame: Any, event: str, _arg: Any) -> Any:
            nonlocal steps
            steps += event == "line"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            call()
        finally:
            sys.settrace(before)
        return steps

    return of


@pytest.fixture
def small() -> str:
    """A lexicon in order, small enough to spoil line by line."""
    return SMALL


@pytest.fixture
def refused(write: Callable[[str, Any], str]) -> Callable[[str, str], str]:
    """`refused(name, text)`: why a lexicon file that says so is refused."""

    def of(name: str, text: str) -> str:
        with pytest.raises(UsageError) as caught:
            find_lexicon(write(name, text))
        return str(caught.value)

    return of
