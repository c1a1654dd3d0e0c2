"""Evidence for the score of a JSON document: plain JSON of bounded size that shows what went wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from jatdae.structured.field_report import FieldReport
from jatdae.structured.field_settings import OTHER
from jatdae.structured.kinds import written
from jatdae.structured.leaves import Row, exact_of

MOST_RESULTS: Final = 1000
"""Leaves shown of one document; where there are more, the wrong ones first."""
MOST_PATHS: Final = 200
MOST_ERRORS: Final = 100
MOST_PARTNERS: Final = 1000
LONGEST_TEXT: Final = 300
MOST_COUNTED: Final = 1000
"""FieldTree of one document in a table of counts."""


def show(report: FieldReport) -> dict[str, Any]:
    """Evidence of a field-by-field comparison of JSON documents, as JSON."""
    kept = _kept(report.rows)
    extras = report.extra_rows[:MOST_RESULTS]
    shown: dict[str, Any] = {
        "field_results": _shown(kept),
        "extra_results": _shown(extras),
        "missing_fields": list(report.missing_fields[:MOST_PATHS]),
        "extra_fields": list(report.extra_fields[:MOST_PATHS]),
        "schema_valid": report.schema_valid,
        "schema_errors": [error._asdict() for error in report.schema_errors[:MOST_ERRORS]],
    }
    if report.partners:
        shown["partners"] = {
            path: list(found[:MOST_PARTNERS]) for path, found in list(report.partners.items())[:MOST_PATHS]
        }
    left_out = len(report.rows) - len(kept) + len(report.extra_rows) - len(extras)
    if left_out:
        shown["left_out"] = left_out
    return shown


def bounded(table: Mapping[str, int]) -> Mapping[str, int]:
    """Bound counts in the evidence for JSON: keep the most frequent keys, pool the rest; ties go by name."""
    if len(table) <= MOST_COUNTED:
        return table
    ordered = sorted(table.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(count for _, count in ordered[MOST_COUNTED:])
    return dict(ordered[:MOST_COUNTED]) | {OTHER: rest}


def _kept(rows: Sequence[Row]) -> Sequence[Row]:
    """All rows, or as many as are shown: wrong ones before right ones, in the order of the document."""
    if len(rows) <= MOST_RESULTS:
        return rows
    order = sorted(range(len(rows)), key=lambda at: (exact_of(rows[at]), at))[:MOST_RESULTS]
    return [rows[at] for at in sorted(order)]


def _shown(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [
        {
            "field_name": name,
            "field_type": kind,
            "gold_value": gold if type(gold) is str and len(gold) <= LONGEST_TEXT else _plain(gold),
            "pred_value": predicted if type(predicted) is str and len(predicted) <= LONGEST_TEXT else _plain(predicted),
            "exact_match": exact,
            "fuzzy_match": fuzzy,
            "similarity": similarity,
            "depth": depth,
            "outcome": outcome,
            "status": "OK" if exact else "FUZZY" if fuzzy else "FAIL",
        }
        for name, kind, gold, predicted, exact, fuzzy, similarity, depth, outcome, _ in rows
    ]


def _plain(value: Any) -> Any:
    """A value as JSON of bounded size; numbers that JSON readers would round are shown as text."""
    if type(value) is int and -_EXACT < value < _EXACT:
        return value
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (dict, list)):
        return _brief(value)
    if isinstance(value, (float, Decimal)) and math.isfinite(value) and written(float(value)) == written(value):
        return float(value)
    text = written(value)
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


_EXACT: Final = 1 << 53


def _brief(container: Any) -> str:
    """A container that stands where a leaf was expected, as the beginning of its JSON."""
    if isinstance(container, dict):
        inside = ", ".join(f"{json.dumps(k, ensure_ascii=False)[:60]}: …" for k in list(container)[:8])
        return "{" + inside + (", …" if len(container) > 8 else "") + "}"
    return f"[{len(container)} items]" if container else "[]"
