"""The numbers this room reports, and the worst of each; formulas are in `scores` and `trees`."""

from __future__ import annotations

from typing import Final

from jatdae.core.contract import Metric

TED_NODES: Final = 500
"""Nodes of the largest tree `ted` is taken of, unless an evaluator is told otherwise."""

WORST_TED: Final = 2.0 * TED_NODES
"""Deleting every node of such a tree and inserting every node of another: a missing prediction is never a gain."""

METRICS: Final = (
    Metric("exact_accuracy", "higher", worst=0.0, primary=True),
    Metric("fuzzy_accuracy", "higher", worst=0.0),
    Metric("similarity", "higher", worst=0.0),
    Metric("json_accuracy", "higher", worst=0.0),
    Metric("structural_accuracy", "higher", worst=0.0),
    Metric("nested_accuracy", "higher", worst=0.0),
    Metric("nested_raw", "higher", worst=0.0),
    Metric("precision", "higher", worst=0.0),
    Metric("recall", "higher", worst=0.0),
    Metric("f1", "higher", worst=0.0),
    Metric("nted", "lower", worst=1.0),
    Metric("nted_max", "lower", worst=1.0),
    Metric("nted_keyed", "lower", worst=1.0),
    Metric("ted", "lower", worst=WORST_TED),
    Metric("ted_keyed", "lower", worst=WORST_TED),
    Metric("schema_compliance", "higher", worst=0.0, absent=("no_schema",)),
)
