"""Count tables of one compared JSON document: what became of the values of each field, and of each depth.

fields.OUTCOME    values by outcome and field, such as fields.mismatch: {"total": 1}
fields.near       mismatches that are fuzzy matches
fields.similar    summed similarity of the values that do not match, in millionths
fields.confused   FIELD→REFERENCE→PREDICTION of the mismatches
depths.right      values of each depth that are right; depths.all, all of them
schema            errors by field and keyword
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any, Final

from jatdae.core.contract import OTHER
from jatdae.structured.compliance import SchemaError
from jatdae.structured.field_report import FieldReport
from jatdae.structured.kinds import written
from jatdae.structured.leaves import MATCHES, REFERENCE_SIDE
from jatdae.structured.paths import as_pattern

MOST_COUNTED: Final = 1000
"""Keys of one document in a table of counts."""
MOST_CONFUSED: Final = 50
"""Confusions of one document that are counted: a document that is all wrong shows nothing of what is commonly wrong."""
SHOWN_VALUE: Final = 40
"""Characters of a value in a confusion."""
_MILLION: Final = 1_000_000
_ARROW: Final = "→"
_UNEQUAL: Final = REFERENCE_SIDE - MATCHES


def count_tables(report: FieldReport) -> dict[str, Mapping[str, int]]:
    """Count what became of the values of a JSON document."""
    tables: dict[str, Mapping[str, int]] = {f"fields.{name}": table for name, table in report.outcomes.items()}
    tables |= _count_wrong_values(report)
    depths = report.sums.depths
    tables["depths.right"] = {str(depth): int(exact) for depth, (_, exact) in depths.items()}
    tables["depths.all"] = {str(depth): int(leaves) for depth, (leaves, _) in depths.items()}
    if report.schema_errors:
        tables["schema"] = count_errors(report.schema_errors)
    return {name: bounded(table) for name, table in tables.items() if table}


def count_errors(errors: Sequence[SchemaError]) -> Mapping[str, int]:
    """Count schema errors of a JSON document by field and keyword."""
    return Counter(f"{as_pattern(error.path)}: {error.keyword}" for error in errors)


def bounded(table: Mapping[str, int]) -> Mapping[str, int]:
    """Bound a table of counts of a JSON document: keep the most frequent keys, pool the rest; ties go by name."""
    if len(table) <= MOST_COUNTED:
        return table
    ordered = sorted(table.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(count for _, count in ordered[MOST_COUNTED:])
    return dict(ordered[:MOST_COUNTED]) | {OTHER: rest}


def _count_wrong_values(report: FieldReport) -> dict[str, Mapping[str, int]]:
    """How near the values that do not match are, and what stands in their place."""
    near: dict[str, int] = {}
    confused: dict[str, int] = {}
    similar: dict[str, list[float]] = {}
    left = MOST_CONFUSED
    rows: Sequence[tuple[Any, ...]] = report.rows
    for row in rows:
        if row[4]:  # exact, as nine in ten are
            continue
        name, outcome, similarity = row[9], row[8], row[6]
        if similarity and outcome in _UNEQUAL:
            similar.setdefault(name, []).append(similarity)
        if outcome == "mismatch":
            if row[5]:
                near[name] = near.get(name, 0) + 1
            if left and (key := _confusion(name, row[2], row[3])):
                confused[key] = confused.get(key, 0) + 1
                left -= 1
    return {
        "fields.near": near,
        "fields.similar": {name: round(_MILLION * fsum(found)) for name, found in similar.items()},
        "fields.confused": confused,
    }


def _confusion(name: str, gold: Any, predicted: Any) -> str:
    """What stands for what in a field; "" for containers, and for names that would be read as a part of it."""
    if isinstance(gold, (dict, list)) or isinstance(predicted, (dict, list)) or _ARROW in name:
        return ""
    return f"{name}{_ARROW}{_shown(gold)}{_ARROW}{_shown(predicted)}"


def _shown(value: Any) -> str:
    text = written(value)
    if len(text) > SHOWN_VALUE or not text.isascii() or not text.isprintable():
        text = " ".join(text[: 2 * SHOWN_VALUE].encode("utf-8", "replace").decode().split())
    return text if len(text) <= SHOWN_VALUE else text[: SHOWN_VALUE - 1] + "…"
