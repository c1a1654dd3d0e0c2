"""The numbers this room reports, and the worst of each; formulas are in `scores` and `trees`."""

from __future__ import annotations

from typing import Final

from jatdae.core.contract import Direction, Metric, Ratio, Terms

TED_NODES: Final = 500
"""Nodes of the largest tree `ted` is taken of, unless an evaluator is told otherwise."""

WORST_TED: Final = 2.0 * TED_NODES
"""Deleting every node of such a tree and inserting every node of another: a missing prediction is never a gain."""


def _ratio(
    name: str, above: Terms, below: Terms, better: Direction = "higher", *,
    worst: float | None = None, otherwise: float | Ratio | None = None, primary: bool = False,
    absent: tuple[str, ...] = (),
) -> Metric:  # fmt: skip
    worst = (0.0 if better == "higher" else 1.0) if worst is None else worst
    return Metric(name, better, worst, primary=primary, absent=absent, micro=Ratio(above, below, otherwise=otherwise))


_PATHS: Final = {"paths_common": 1.0, "paths_missing": 1.0, "paths_extra": 1.0}
_BOTH: Final = {"predicted": 1.0, "expected": 1.0}

METRICS: Final = (
    _ratio("exact_accuracy", "exact", "leaves", primary=True),
    _ratio("fuzzy_accuracy", "fuzzy", "leaves"),
    _ratio("similarity", "similarity", "leaves"),
    Metric("json_accuracy", "higher", worst=0.0),
    _ratio("structural_accuracy", "paths_common", _PATHS, otherwise=1.0),
    Metric("nested_accuracy", "higher", worst=0.0),
    Metric("nested_raw", "higher", worst=0.0),
    _ratio("precision", "matches", "predicted", otherwise=Ratio({}, "expected", otherwise=1.0)),
    _ratio("recall", "matches", "expected", otherwise=Ratio({}, "predicted", otherwise=1.0)),
    _ratio("f1", {"matches": 2.0}, _BOTH, otherwise=1.0),
    _ratio("nted", "ted_distance", "ted_nodes", "lower"),
    _ratio("nted_max", "ted_distance", "ted_larger", "lower"),
    _ratio("nted_keyed", "keyed_distance", "keyed_nodes", "lower"),
    _ratio("ted", "ted_distance", "ted_documents", "lower", worst=WORST_TED),
    _ratio("ted_keyed", "keyed_distance", "documents", "lower", worst=WORST_TED),
    _ratio("schema_compliance", "schema_valid", "schema_documents", absent=("no_schema",)),
)
