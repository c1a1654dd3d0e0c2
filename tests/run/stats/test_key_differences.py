"""Differences key by key: rates of both systems, intervals, and what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae import Metric, Outcome, Sample, compare, evaluator
from jatdae.core.contract import Count, Rate
from jatdae.run.api import evaluate
from jatdae.run.stats.key_differences import KeyDifference, changed_keys, key_differences


@evaluator(
    "keyed",
    metrics=[Metric("share", "higher", worst=0.0, primary=True)],
    counts=[Count("right", coded=True), Count("wrong", coded=True), Count("mixed", coded=True)],
    rates=[Rate("key", ("right",), ("right", "wrong", "mixed→"), shown=True), Rate("other", ("right",), ("wrong",))],
)
class Keyed:
    """Counts what stands in the prediction: {key: [right, wrong]}."""

    def score(self, sample: Sample) -> Outcome:
        right = {key: pair[0] for key, pair in sample.prediction.items() if pair[0]}
        wrong = {key: pair[1] for key, pair in sample.prediction.items() if pair[1]}
        return Outcome({"share": 1.0}, counts={"right": right, "wrong": wrong})


def result(**samples: Any) -> Any:
    return evaluate([Sample(id, found, "") for id, found in samples.items()], Keyed())


A = result(s1={"a": [1, 1], "b": [1, 0]}, s2={"a": [0, 2]}, s3={"a": [2, 0], "c": [0, 1]})
B = result(s1={"a": [2, 0], "b": [1, 0]}, s2={"a": [0, 2]}, s3={"a": [1, 1], "d": [1, 0]})


def test_each_key_that_both_have_is_compared_what_changed_most_first() -> None:
    (found,) = compare(A, B).rates
    assert (found.key, list(found.slices)) == ("key", ["a", "b"])
    a = found.slices["a"]
    assert (a.n, a.a, a.b, a.delta) == (3, 0.5, 0.5, 0.0)
    assert (a.wins, a.ties, a.losses, a.p) == (1, 1, 1, None)


def test_the_interval_holds_the_difference() -> None:
    better = result(s1={"a": [2, 0]}, s2={"a": [1, 1]}, s3={"a": [2, 0]})
    a = compare(A, better).rates[0].slices["a"]
    assert a.delta == pytest.approx(5 / 6 - 3 / 6)
    assert a.ci is not None and a.ci[0] <= a.delta <= a.ci[1]


def differences(other: Any) -> list[KeyDifference]:
    rate = A.summary["rates"]["key"]
    return key_differences("key", rate, changed_keys(rate, A, "", other, ""), A, "", other, "")


def test_only_samples_of_both_systems_are_paired() -> None:
    (found,) = differences(result(s1={"a": [2, 0]}, s9={"a": [0, 2]}))
    assert (found.key, len(found.changes), found.a, found.b, found.ci) == ("a", 1, 0.5, 1.0, None)


def test_no_sample_in_common_gives_no_difference_of_keys() -> None:
    assert differences(result(s9={"a": [0, 2]})) == []
