"""Which metrics of a result are asked for, and a summary with only those."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from jatdae import Sample
from jatdae.core.errors import UsageError
from jatdae.run.api import evaluate
from jatdae.run.stats.result import choose_metrics, narrowed, primary_metric

SAMPLES = [
    {
        "id": str(at),
        "prediction": "가 나" * at,
        "reference": "가 나 다 " * 2,
        "meta": {"lang": "ko" if at % 2 else "en"},
    }
    for at in range(4)
]


@pytest.fixture
def summary(plugin: Any) -> dict[str, Any]:
    return evaluate(SAMPLES, plugin("marks:Marks"), slices=["lang"]).summary


def test_the_family_is_asked_for_by_default() -> None:
    result = evaluate([Sample("1", "a", "a")], "text")
    assert choose_metrics(result.summary, None) == ["body_cer", "cer", "wer"]
    assert choose_metrics(result.summary, ["all"]) == list(result.summary["metrics"])


def test_an_evaluator_without_a_family_shows_all(summary: dict[str, Any]) -> None:
    assert choose_metrics(summary, None) == ["exact", "gap"]
    del summary["metrics"]["exact"]["family"]  # a run of before
    assert choose_metrics(summary, None) == ["exact", "gap"]


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        (["gap"], ["gap"]),
        (["gap", "exact"], ["gap", "exact"]),
        (["gap", "gap"], ["gap"]),
        (["gap", "all"], ["exact", "gap"]),
    ],
)
def test_metrics_come_in_the_order_asked_for(summary: dict[str, Any], asked: list[str], chosen: list[str]) -> None:
    assert choose_metrics(summary, asked) == chosen


def test_an_unknown_metric_is_refused_with_a_near_name(summary: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"'exat'.*'exact'"):
        choose_metrics(summary, ["gap", "exat"])


def test_asking_for_nothing_is_refused(summary: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="exact, gap"):
        choose_metrics(summary, [])


def test_a_narrowed_summary_has_only_the_chosen_metrics_everywhere(summary: dict[str, Any]) -> None:
    before = copy.deepcopy(summary)
    made = narrowed(summary, ["gap"])
    assert summary == before
    assert '"exact"' not in json.dumps({**made, "left_out": []})
    assert made["left_out"] == ["exact"]
    assert made["systems"][""]["metrics"] == {"gap": before["systems"][""]["metrics"]["gap"]}
    assert made["systems"][""]["slices"]["lang"]["ko"]["metrics"].keys() == {"gap"}
    assert made["systems"][""]["units"]["word"]["metrics"].keys() == {"long"}  # of units alone: nobody left it out


def test_without_the_primary_metric_the_first_one_is_primary(summary: dict[str, Any]) -> None:
    assert primary_metric(summary) == "exact"
    assert primary_metric(narrowed(summary, ["gap"])) == "gap"
    assert primary_metric(narrowed(summary, ["exact", "gap"])) == "exact"
    assert not summary["metrics"]["gap"]["primary"]


def test_all_metrics_leave_a_summary_as_it_is(summary: dict[str, Any]) -> None:
    assert narrowed(summary, ["exact", "gap"]) is summary
