"""P-values are no smaller than chance allows, corrected after Holm, and scipy agrees."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from jatdae.core.contract import Metric, Sample
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import Comparison, Difference, compare, holm, sign_flip, together


@pytest.mark.parametrize("kind", ["independent", "clustered", "ties"])
def test_under_the_null_p_is_below_alpha_at_most_alpha_of_the_time(kind: str) -> None:
    generator = np.random.default_rng(11)
    found = []
    for _ in range(1000):
        differences = generator.standard_t(3, 24)
        clusters = np.arange(24)
        if kind == "clustered":
            differences, clusters = np.repeat(generator.standard_t(3, 12), 2), np.repeat(np.arange(12), 2)
        if kind == "ties":
            differences = generator.integers(-1, 2, 24).astype(float)
        found.append(sign_flip(differences, clusters, permutations=999))
    for alpha in (0.01, 0.05, 0.1, 0.2):
        noise = 3 * np.sqrt(alpha * (1 - alpha) / len(found))
        assert np.mean(np.array(found) <= alpha) <= alpha + noise


def test_the_permutation_test_agrees_with_scipy() -> None:
    generator = np.random.default_rng(5)
    for shift in (0.0, 0.3, 0.6, 1.2):
        a, b = generator.normal(0, 1, 12), generator.normal(shift, 1, 12)
        exact = stats.permutation_test(
            (a, b), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=np.inf
        )
        assert sign_flip(b - a, np.arange(12)) == pytest.approx(exact.pvalue, abs=0.015)


def test_a_p_value_is_never_zero() -> None:
    assert sign_flip(np.full(50, 1.0), np.arange(50)) == 1 / 10_001


@settings(derandomize=True, max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_closed_testing_with_bonferroni(values: list[float]) -> None:
    everyone = range(len(values))
    subsets = [set(s) for size in range(1, len(values) + 1) for s in combinations(everyone, size)]
    wanted = [max(min(1.0, len(s) * min(values[i] for i in s)) for s in subsets if at in s) for at in everyone]
    assert holm(values) == pytest.approx(wanted)


def test_several_systems_are_corrected_over_systems_and_metrics() -> None:
    def row(name: str, p: float | None) -> Difference:
        return Difference(Metric(name, "higher", 0.0), 9, 0, 0.0, 0.0, 0.0, None, p, None, 0, 9, 0, ())

    found = together([
        Comparison("a", "b", "", (row("x", 0.01), row("y", None))),
        Comparison("a", "c", "", (row("x", 0.04), row("y", 0.02))),
    ])  # fmt: skip
    assert [[d.p_holm for d in each.differences] for each in found] == [[0.03, None], [0.04, 0.04]]
    assert [each.b for each in found] == ["b", "c"]


def test_a_paired_interval_is_that_of_the_differences(plugin: Callable[..., Any]) -> None:
    texts = [("a" if at % 3 else "b", "a" if at % 4 else "b") for at in range(200)]
    a, b = (
        evaluate([Sample(str(at), pair[side], "a") for at, pair in enumerate(texts)], plugin("marks:Marks"))
        for side in (0, 1)
    )
    change = np.array([(y == "a") - float(x == "a") for x, y in texts])
    theirs = stats.bootstrap((change,), np.mean, method="BCa", rng=np.random.default_rng(0)).confidence_interval
    found = compare(a, b)["exact"]
    assert found.delta == pytest.approx(change.mean())
    assert found.ci == pytest.approx(tuple(theirs), abs=0.1 * (theirs.high - theirs.low))


def test_metrics_that_differ_in_nothing_are_one_test() -> None:
    def row(name: str, b: float, p: float) -> Difference:
        return Difference(Metric(name, "higher", 0.0), 30, 0, 0.0, b, b, (0.0, b), p, None, 9, 12, 9, (), clusters=30)

    twins = (row("x", 0.2, 0.01), row("again", 0.2, 0.01), row("y", 0.1, 0.03))
    (found,) = together([Comparison("a", "b", "", twins)])
    assert [d.p_holm for d in found.differences] == [0.02, 0.02, 0.03]
    (one, other) = together([Comparison("a", "b", "", twins[:1]), Comparison("a", "c", "", twins[:1])])
    assert [one["x"].p_holm, other["x"].p_holm] == [
        0.02,
        0.02,
    ]  # other systems are another test, whatever their numbers
