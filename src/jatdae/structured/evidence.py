"""Evidence for the score of a JSON document: plain JSON of bounded size that shows what went wrong."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from jatdae.structured.compliance import SchemaError
from jatdae.structured.dates import moments_of
from jatdae.structured.field_report import FieldReport
from jatdae.structured.kinds import bool_of, written
from jatdae.structured.leaves import MATCHES, Row, exact_of
from jatdae.structured.numerals import number_of, units_agree
from jatdae.structured.paths import ROOT

MOST_RESULTS: Final = 1000
"""Leaves shown of one document; where there are more, the wrong ones first."""
MOST_PATHS: Final = 200
MOST_ERRORS: Final = 100
MOST_PARTNERS: Final = 1000
LONGEST_TEXT: Final = 300
CONTEXT: Final = 100
"""Characters shown before the first difference of two texts that are longer than LONGEST_TEXT."""
LONGEST_SQUEEZED: Final = 10_000
"""Characters of the longest text that is looked at for a difference in format alone."""
WRITTEN_END: Final = 100
"""Characters shown of the end of a prediction that is no JSON; often it breaks off there."""


def show(report: FieldReport, prediction: Any = None) -> dict[str, Any]:
    """Evidence of a field-by-field comparison of JSON documents, as JSON.

    A prediction that could not be read is shown as it was written.
    """
    kept = _kept(report.rows)
    extras = report.extra_rows[:MOST_RESULTS]
    shown: dict[str, Any] = {
        "field_results": _shown(kept),
        "extra_results": _shown(extras),
        "missing_fields": list(report.missing_fields[:MOST_PATHS]),
        "extra_fields": list(report.extra_fields[:MOST_PATHS]),
        "schema_valid": report.schema_valid,
        "schema_errors": show_errors(report.schema_errors),
    }
    if report.partners:
        shown["partners"] = {
            path: list(found[:MOST_PARTNERS]) for path, found in list(report.partners.items())[:MOST_PATHS]
        }
    if isinstance(prediction, str) and list(report.missing_fields) == [ROOT]:
        shown["written"] = _ends(prediction)
    left_out = len(report.rows) - len(kept) + len(report.extra_rows) - len(extras)
    if left_out:
        shown["left_out"] = left_out
    return shown


def show_errors(errors: Sequence[SchemaError]) -> list[dict[str, Any]]:
    """Schema errors as evidence, as many as are shown."""
    return [error._asdict() for error in errors[:MOST_ERRORS]]


def _kept(rows: Sequence[Row]) -> Sequence[Row]:
    """All rows, or as many as are shown: wrong ones before right ones, in the order of the document."""
    if len(rows) <= MOST_RESULTS:
        return rows
    order = sorted(range(len(rows)), key=lambda at: (exact_of(rows[at]), at))[:MOST_RESULTS]
    return [rows[at] for at in sorted(order)]


def _shown(rows: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    shown = []
    for row in rows:  # by index: nine in ten match, and need but half of the cells
        gold, predicted, exact = row[2], row[3], row[4]
        given_as = type(gold)
        same = exact and given_as is type(predicted) and (given_as is str or given_as is int) and gold == predicted
        if same and (len(gold) <= LONGEST_TEXT if given_as is str else -_EXACT < gold < _EXACT):
            wanted = given = gold
        elif type(gold) is type(predicted) is str and max(len(gold), len(predicted)) > LONGEST_TEXT:
            start = max(0, _count_common(gold, predicted) - CONTEXT) if gold != predicted else 0
            wanted, given = _window(gold, start), _window(predicted, start)
        else:
            wanted, given = _plain(gold), _plain(predicted)
        each = _A_MATCH.copy()
        each["field_name"], each["field_type"], each["depth"] = row[0], row[1], row[7]
        each["gold_value"], each["pred_value"] = wanted, given
        outcome = row[8]
        if not same or outcome != "match":
            fuzzy = row[5]
            each["exact_match"], each["fuzzy_match"], each["similarity"] = exact, fuzzy, row[6]
            each["outcome"], each["status"] = outcome, "OK" if exact else "FUZZY" if fuzzy else "FAIL"
            if not same and (why := _why(row[1], gold, predicted, fuzzy, outcome)):
                each["why"] = why
        shown.append(each)
    return shown


_A_MATCH: Final[dict[str, Any]] = {
    "field_name": "",
    "field_type": "",
    "gold_value": None,
    "pred_value": None,
    "exact_match": True,
    "fuzzy_match": True,
    "similarity": 1.0,
    "depth": 0,
    "outcome": "match",
    "status": "OK",
}
"""What is shown of a value that matches, but for its place and itself; a copy is made faster than a new one."""


def _why(kind: str, gold: Any, predicted: Any, fuzzy: bool, outcome: str) -> str:
    """How a value differs, where more can be said than that it does; evidence for people, not part of any score."""
    if outcome in MATCHES:
        return "notation" if gold != predicted else ""
    if outcome != "mismatch":
        return ""
    if isinstance(gold, (dict, list)) or isinstance(predicted, (dict, list)):
        return "shape"
    if kind == "number":
        wanted, found = number_of(gold), number_of(predicted)
        if not found.readings:
            return "not_number"
        if not units_agree(wanted.unit, found.unit) and not set(wanted.readings).isdisjoint(found.readings):
            return "unit"
        if fuzzy and bool(wanted.unit) != bool(found.unit):
            return "unit_missing"
    if (kind == "date" and not moments_of(gold, predicted)[1].days) or (kind == "bool" and not bool_of(predicted)):
        return f"not_{kind}"
    if kind != "number" and _differs_in_format(written(gold), written(predicted)):
        return "format"
    return "near" if fuzzy else ""


def _differs_in_format(ours: str, theirs: str) -> bool:
    """Whether two texts differ only in case, white space and character width."""
    return max(len(ours), len(theirs)) <= LONGEST_SQUEEZED and _squeezed(ours) == _squeezed(theirs)


def _squeezed(text: str) -> str:
    """A text without case, white space and character width."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _count_common(a: str, b: str) -> int:
    """Characters that two texts begin with in common, by bisection, since slices compare fast."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _window(text: str, start: int) -> str:
    """A text from `start` on, as far as it is shown; an ellipsis stands for what is left out."""
    shown = f"…{text[start:]}" if start else text
    return shown if len(shown) <= LONGEST_TEXT else shown[: LONGEST_TEXT - 1] + "…"


def _ends(text: str) -> str:
    """Beginning and end of a text."""
    if len(text) > LONGEST_TEXT:
        text = f"{text[: LONGEST_TEXT - WRITTEN_END - 3]} … {text[-WRITTEN_END:]}"
    return text.encode("utf-8", "replace").decode()


def _plain(value: Any) -> Any:
    """A value as JSON of bounded size; numbers that JSON readers would round are shown as text."""
    if type(value) is str and len(value) <= LONGEST_TEXT:
        return value
    if type(value) is int and -_EXACT < value < _EXACT:
        return value
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (dict, list)):
        return _brief(value)
    if isinstance(value, (float, Decimal)) and math.isfinite(value) and written(float(value)) == written(value):
        return float(value)
    return _window(written(value), 0)


_EXACT: Final = 1 << 53


def _brief(container: Any) -> str:
    """A container that stands where a leaf was expected, as the beginning of its JSON."""
    if isinstance(container, dict):
        inside = ", ".join(f"{json.dumps(k, ensure_ascii=False)[:60]}: …" for k in list(container)[:8])
        return "{" + inside + (", …" if len(container) > 8 else "") + "}"
    inside = ", ".join(
        "…" if isinstance(item, (dict, list)) else _window(written(item), 0)[:30] for item in container[:8]
    )
    return "[" + inside + (", …" if len(container) > 8 else "") + "]"
