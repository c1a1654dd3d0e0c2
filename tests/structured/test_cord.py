"""Sixty real receipts: separators read for what they are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from jatdae.structured import FieldReport, StructuredEvaluator


@pytest.fixture(scope="module")
def reports(data: Callable[[str], str]) -> list[FieldReport]:
    evaluator = StructuredEvaluator(arrays={"menu": "set"})
    rows: list[dict[str, Any]] = [json.loads(line) for line in data("cord_pairs.jsonl").splitlines()]
    return [evaluator.compare(row["prediction"], row["reference"]) for row in rows]


def test_outcomes_of_the_receipts(reports: list[FieldReport]) -> None:
    outcomes = Counter(result.outcome for report in reports for result in report.field_results)
    assert len(reports) == 60
    assert outcomes == {"match": 639, "missing": 66, "mismatch": 58}
    assert sum(len(report.extra_results) for report in reports) == 101


def test_most_totals_written_differently_are_the_same_number(reports: list[FieldReport]) -> None:
    differently = [
        result
        for report in reports
        for result in report.field_results
        if result.pattern.startswith(("total.", "sub_total."))
        and isinstance(result.gold_value, str)
        and isinstance(result.pred_value, str)
        and result.gold_value != result.pred_value
    ]
    rescued = [result for result in differently if result.exact_match]
    assert (len(differently), len(rescued)) == (31, 25)
    assert all(result.field_type == "number" for result in rescued)
