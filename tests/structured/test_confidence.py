"""Confidence of predictions in their values: how it is read, where it belongs, and its metrics."""

from __future__ import annotations

from itertools import product
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae import Sample, StructuredEvaluator
from jatdae.run.api import evaluate
from jatdae.run.stats.rates import rate_tables
from jatdae.structured.confidence import confidence_stats, confidence_values, read_confidences

JUDGED = st.lists(st.tuples(st.integers(0, 100).map(lambda step: step / 100), st.booleans()), min_size=1, max_size=30)


def confident(prediction: Any, reference: Any, **settings: Any) -> list[tuple[float, bool]]:
    evaluator = StructuredEvaluator(confidence="confidence", **settings)
    return sorted(evaluator.compare(prediction, reference).confident)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(JUDGED)
def test_brier_and_auroc_are_their_definitions(judged: list[tuple[float, bool]]) -> None:
    values = confidence_values(confidence_stats(judged))
    assert values["brier"] == pytest.approx(fmean((sure - right) ** 2 for sure, right in judged))
    right, wrong = ([sure for sure, is_right in judged if is_right == side] for side in (True, False))
    if not right or not wrong:
        assert values["auroc"] is None
    else:
        won = fmean((a > b) + (a == b) / 2 for a, b in product(right, wrong))
        assert values["auroc"] == pytest.approx(won)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(JUDGED)
def test_ece_is_0_where_every_bin_is_as_right_as_it_is_sure(judged: list[tuple[float, bool]]) -> None:
    found = confidence_values(confidence_stats(judged))["ece"]
    assert found is not None and 0 <= found <= 1
    sure = [(1.0, True)] * 3 + [(0.0, False)] * 2 + [(0.5, True), (0.5, False)]
    assert confidence_values(confidence_stats(sure))["ece"] == 0


def test_values_of_scikit_learn() -> None:
    judged = [(0.91, True), (0.8, True), (0.8, False), (0.33, True), (0.3, False), (0.05, False), (0.62, True)]
    values = confidence_values(confidence_stats(judged))
    # roc_auc_score and brier_score_loss of scikit-learn 1.9
    assert values["auroc"] == pytest.approx(19 / 24)
    assert values["brier"] == pytest.approx(0.1962714285714286)
    # |.91 − 1| + |1.6 − 1| + |.33 − 1| + |.3 − 0| + |.05 − 0| + |.62 − 1| over 7
    assert values["ece"] == pytest.approx((0.09 + 0.6 + 0.67 + 0.3 + 0.05 + 0.38) / 7)


def test_a_confidence_is_found_by_path_by_shape_and_above() -> None:
    prediction = {"total": 5, "rows": [{"n": 1}, {"n": 2}], "who": {"name": "Kim"}}
    given = {"total": 0.9, "rows[0].n": 0.7, "rows": [None, {"n": 0.6}], "who": 0.4}
    assert confident({**prediction, "confidence": given}, prediction) == [
        (0.4, True),
        (0.6, True),
        (0.7, True),
        (0.9, True),
    ]


def test_it_is_not_compared_and_not_held_against_the_schema() -> None:
    schema = {"additionalProperties": False, "properties": {"a": {}}}
    report = StructuredEvaluator(confidence="sure", schema=schema).compare({"a": 1, "sure": {"a": 0.5}}, {"a": 1})
    assert (report.schema_valid, report["precision"]) == (True, 1.0)


def test_an_item_of_a_set_has_the_confidence_of_its_own_place() -> None:
    prediction = {
        "rows": [{"n": "b"}, {"n": "x"}, {"n": "a"}],
        "confidence": {"rows": [{"n": 0.2}, {"n": 0.1}, {"n": 0.9}]},
    }
    reference = {"rows": [{"n": "a"}, {"n": "b"}]}
    assert confident(prediction, reference, arrays="set") == [(0.1, False), (0.2, True), (0.9, True)]


def test_what_is_missing_has_no_confidence_and_what_is_extra_is_wrong() -> None:
    assert confident({"b": 1, "confidence": {"a": 0.9, "b": 0.8}}, {"a": 1}) == [(0.8, False)]


@pytest.mark.parametrize("odd", ["high", 1.5, -0.1, True, {"x": "y"}, [[2]]])
def test_what_is_no_confidence_is_left_out_and_told(odd: Any) -> None:
    assert read_confidences({"a": odd}) == ({}, 1)
    outcome = StructuredEvaluator(confidence="c").score(Sample("1", {"a": 1, "c": {"a": odd}}, {"a": 1}))
    assert "bad_confidence" in [issue.code for issue in outcome.issues]
    assert outcome.values["brier"] is None


def test_a_prediction_without_confidence_is_told() -> None:
    outcome = StructuredEvaluator(confidence="c").score(Sample("1", {"a": 1}, {"a": 1}))
    assert "no_confidence" in [issue.code for issue in outcome.issues]


def test_a_run_has_the_metrics_over_all_values_and_a_table_by_threshold() -> None:
    rows = [
        {"id": str(at), "prediction": {"a": at % 2, "c": {"a": sure}}, "reference": {"a": 1}}
        for at, sure in enumerate((0.2, 0.9, 0.6, 0.8))
    ]
    summary = evaluate(rows, StructuredEvaluator(confidence="c")).summary
    metrics = summary["systems"][""]["metrics"]
    assert metrics["auroc"]["micro"] == 1.0
    assert metrics["brier"]["micro"] == pytest.approx((0.04 + 0.01 + 0.36 + 0.04) / 4)
    table = {
        each.key: [each.values[rate][""] for rate in ("kept_accuracy", "coverage")]
        for each in rate_tables(summary)["confidence"]
    }
    assert (table["0"], table["0.7"], table["0.99"]) == ([0.5, 1.0], [1.0, 0.5], [None, 0.0])
    assert list(table)[:3] == ["0", "0.5", "0.6"]


def test_a_run_without_confidence_says_nothing_of_it() -> None:
    summary = evaluate([{"id": "1", "prediction": {"a": 1}, "reference": {"a": 1}}], StructuredEvaluator()).summary
    assert "auroc" not in summary["metrics"] and "confidence" not in rate_tables(summary)
