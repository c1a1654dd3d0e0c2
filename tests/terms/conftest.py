"""Terms written in one line, as in gold.yaml: ¬ATOM, ATOM/degree, ATOM@place,place, ATOM#choice."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.terms import Lexicon, Term, parse

Marked = Callable[..., list[str]]


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
