"""What goes wrong, from a summary: ranked in each table, by system, with the samples behind it."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae import Sample
from jatdae.report.sheets import sheets
from jatdae.run.api import evaluate
from jatdae.run.stats.mistakes import mistakes_of, sample_mistake


def counted(plugin: Any, **predictions: list[str]) -> dict[str, Any]:
    """The summary of systems that wrote these texts; every sample is as good as any other."""
    samples = [
        Sample(str(at), text, "1", system=name) for name, texts in predictions.items() for at, text in enumerate(texts)
    ]
    return evaluate(samples, plugin("letters:Letters")).summary


def test_the_most_frequent_comes_first_and_equals_by_name(plugin: Any) -> None:
    (found,) = mistakes_of(counted(plugin, A=["cc", "b", "aX"], B=["c", "b", ""])).values()
    assert [(each.key, each.total) for each in found] == [("c", 3), ("b", 2), ("a", 1)]
    assert [dict(each.counts) for each in found] == [{"A": 2, "B": 1}, {"A": 1, "B": 1}, {"A": 1, "B": 0}]


def test_a_mistake_knows_the_samples_behind_it_by_system(plugin: Any) -> None:
    (found,) = mistakes_of(counted(plugin, A=["c", "cc", ""], B=["", "", "cccc"])).values()
    assert found[0].samples == {"A": 2, "B": 1}
    assert found[0].worst == {"A": ["1", "0"], "B": ["2"]}
    assert found[0].worst_samples == ["2"]  # of B, which makes it most often


def test_of_systems_that_make_it_equally_often_the_first_is_shown(plugin: Any) -> None:
    (found,) = mistakes_of(counted(plugin, A=["", "c"], B=["c", ""])).values()
    assert found[0].worst_samples == ["1"]


def test_a_key_has_the_name_that_the_evaluator_gives_it(plugin: Any) -> None:
    made = counted(plugin, A=["ab"])
    (found,) = mistakes_of(made).values()
    assert {each.key: each.name for each in found} == {"a": "the first", "b": ""}
    assert made["counts"] == {"wrong": {"error": True, "names": {"a": "the first"}}, "seen": {"error": False}}


def test_neutral_tables_are_no_mistakes_and_empty_ones_are_left_out(plugin: Any) -> None:
    assert mistakes_of(counted(plugin, A=["XY"])) == {}


def test_a_summary_of_before_has_counts_without_samples(plugin: Any) -> None:
    made = counted(plugin, A=["ab"])
    del made["systems"]["A"]["examples"]
    (found,) = mistakes_of(made).values()
    assert [(each.key, each.total, each.samples, each.worst_samples) for each in found] == [
        ("a", 1, {"A": 0}, []),
        ("b", 1, {"A": 0}, []),
    ]
    del made["counts"]
    assert mistakes_of(made) == {}


def test_what_was_pooled_is_no_mistake_of_its_own(plugin: Any) -> None:
    made = counted(plugin, A=["ab"])
    made["systems"]["A"]["counts"]["wrong"] = {"a": 1, "<other>": 7}
    (found,) = mistakes_of(made).values()
    assert [each.key for each in found] == ["a"]


def test_a_count_that_was_pooled_is_not_known_to_be_zero(plugin: Any) -> None:
    made = counted(plugin, A=["ab"], B=["a"])
    made["systems"]["B"]["counts"]["wrong"] = {"c": 3, "<other>": 7}
    (found,) = mistakes_of(made).values()
    assert {each.key: dict(each.counts) for each in found} == {
        "c": {"A": 0, "B": 3},
        "a": {"A": 1, "B": None},
        "b": {"A": 1, "B": None},
    }
    rows = next(sheet for sheet in sheets(made) if sheet.title == "What goes wrong").rows
    assert [[cell.text for cell in row[1:4]] for row in rows][1] == ["a the first", "1", "–"]


def told(summary: dict[str, Any], counts: dict[str, dict[str, int]], causes: dict[str, float] | None = None) -> Any:
    """What is named as the cause of the metric of a sample with these counts."""
    (metric,) = summary["metrics"]
    about = {**summary["metrics"][metric], **({} if causes is None else {"causes": causes})}
    return sample_mistake({**summary, "metrics": {metric: about}}, metric, counts)


def test_of_one_sample_the_most_frequent_mistake_is_told(plugin: Any) -> None:
    summary = counted(plugin, A=["abb", "a"])
    found = told(summary, {"wrong": {"a": 1, "b": 2, "<other>": 9}, "seen": {"Q": 5}})
    assert (found.table, found.key, found.name, found.total) == ("wrong", "b", "", 2)
    assert told(summary, {"wrong": {"a": 1}}).name == "the first"
    assert told(summary, {"wrong": {"<other>": 2}, "seen": {"Q": 5}}) is None
    assert told(summary, {}) is None


@pytest.mark.parametrize(
    ("causes", "key"),
    [
        ({"wrong": 1.0}, "b"),
        ({"wrong": 1.0, "wrong:a": 3.0}, "a"),
        ({"wrong": 1.0, "wrong:b": 0.0}, "a"),
        ({"wrong:a": 0.01}, "a"),
        ({"elsewhere": 1.0}, None),
        ({}, None),
    ],
)
def test_the_cause_of_a_sample_is_what_the_metric_counts(plugin: Any, causes: dict[str, float], key: str) -> None:
    found = told(counted(plugin, A=["abb"]), {"wrong": {"a": 1, "b": 2}}, causes)
    assert (found and found.key) == key
