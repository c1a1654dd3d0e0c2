"""Comparison of JSON with JSON: fields, structure, trees and schemas; values in any notation."""

from __future__ import annotations

from typing import Any

from jatdae.structured.evaluator import StructuredEvaluator
from jatdae.structured.field_report import FieldReport
from jatdae.structured.json_input import Limits, check_value
from jatdae.structured.leaves import FieldResult
from jatdae.structured.trees import Costs, distance

__all__ = ["FieldReport", "FieldResult", "StructuredEvaluator", "compare", "tree_edit_distance"]


def compare(prediction: Any, reference: Any, **config: Any) -> FieldReport:
    """Compare one predicted JSON document with its reference, each a JSON value or text that holds JSON.

    The configuration is that of `StructuredEvaluator`; `arrays="set"` is short for all arrays. A document may be a
    Pydantic instance or hold dates, tuples and numpy scalars, and `schema` may be the schema itself or a Pydantic
    model. A reference that cannot be read raises DataError; of a prediction that cannot, every leaf is missing.
    """
    return StructuredEvaluator(**config).compare(prediction, reference)


def tree_edit_distance(a: Any, b: Any) -> float:
    """Tree edit distance of two JSON values: the fewest nodes to relabel, delete and insert."""
    limits = Limits()
    trees = check_value(a, "first", limits)[0], check_value(b, "second", limits)[0]
    return distance(*trees, Costs())
