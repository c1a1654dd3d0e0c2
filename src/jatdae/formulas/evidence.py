"""Evidence for formula scores: both formulas of each pair as trees, and the symbols that differ; of bounded size.

    {"formula_pairs": [{"number": 1, "values": {…}, "reference": SIDE, "prediction": SIDE,
                        "errors": {"symbols_lost": 2, …}, "named": {"symbols": {"∗→∘": 1, …}, …}}, …],
     "formula_extra": [SIDE, …], "formulas_left_out": 3}

A SIDE is {"latex": …, "row": the tree of `reader.py`, "marked": numbers of the symbols that differ}. A missed formula
has no prediction. Equal formulas come last and only with the reference: the two would look the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from jatdae.formulas.errors import count_errors, name_errors
from jatdae.formulas.extraction import Found
from jatdae.formulas.similarity import Likeness
from jatdae.formulas.tokens import Canonical

MAX_PAIRS: Final = 40
MAX_EXTRA: Final = 10
MAX_NAMED: Final = 5
MAX_TEXT: Final = 2_000
"""Characters of LaTeX shown of one formula."""
MAX_DRAWN: Final = 500
"""Symbols of a formula that is drawn; of a longer one only the LaTeX is shown."""


class _Read(Protocol):
    @property
    def found(self) -> Found: ...
    @property
    def form(self) -> Canonical: ...


class _Pair(Protocol):
    @property
    def reference(self) -> _Read: ...
    @property
    def prediction(self) -> _Read | None: ...
    @property
    def likeness(self) -> Likeness | None: ...
    @property
    def values(self) -> Mapping[str, float]: ...


def show_pairs(pairs: Sequence[_Pair], extra: Sequence[_Read]) -> dict[str, Any]:
    """Evidence of the formulas of a sample: first those that differ, then equal ones while there is room."""
    numbered = list(enumerate(pairs, 1))
    if len(numbered) > 1:
        numbered.sort(key=lambda each: each[1].values["formula_match"] == 1.0)
    shown: dict[str, Any] = {"formula_pairs": [_show_pair(number, pair) for number, pair in numbered[:MAX_PAIRS]]}
    if extra:
        shown["formula_extra"] = [_show_side(each.found, each.form) for each in extra[:MAX_EXTRA]]
    if left_out := max(0, len(pairs) - MAX_PAIRS) + max(0, len(extra) - MAX_EXTRA):
        shown["formulas_left_out"] = left_out
    return shown


def _show_pair(number: int, pair: _Pair) -> dict[str, Any]:
    shown: dict[str, Any] = {"number": number, "values": pair.values}
    likeness = pair.likeness
    if pair.prediction is None or likeness is None:
        shown["reference"] = _show_side(pair.reference.found, pair.reference.form)
        return shown
    edits = likeness.edits
    marked = (range(start, end) for _, start, end, _, _ in edits)
    shown["reference"] = _show_side(pair.reference.found, likeness.reference, marked)
    if likeness.match:
        shown["prediction"] = {"latex": _short(pair.prediction.found.latex)}
    else:
        marked = (range(start, end) for _, _, _, start, end in edits)
        shown["prediction"] = _show_side(pair.prediction.found, likeness.prediction, marked)
        shown["errors"] = dict((+count_errors(likeness)).most_common())
        shown["named"] = {kind: dict(named.most_common(MAX_NAMED)) for kind, named in name_errors(likeness).items()}
    return shown


def _show_side(found: Found, form: Canonical, marked: Iterable[range] = ()) -> dict[str, Any]:
    shown: dict[str, Any] = {"latex": _short(found.latex)}
    if len(form.tokens) <= MAX_DRAWN:
        shown["row"] = form.formula.row
        if differing := [at for stretch in marked for at in stretch]:
            shown["marked"] = differing
    return shown


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
