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
    assert outcomes == {"match": 660, "wrapped": 3, "missing": 69, "mismatch": 31}
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
    assert (len(differently), len(rescued)) == (30, 27)
    assert all(result.field_type == "number" for result in rescued)


def test_what_is_left_differs_in_more_than_format(reports: list[FieldReport]) -> None:
    def squeezed(value: Any) -> str:
        return "".join(filter(str.isalnum, str(value))).casefold()

    left = [result for report in reports for result in report.field_results if result.outcome == "mismatch"]
    format_only = [result for result in left if squeezed(result.gold_value) == squeezed(result.pred_value)]
    assert len(format_only) / len(left) <= 0.05
