"""Intervals cover what they say, p-values are no smaller than chance allows, and scipy agrees."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from jatdae.core.contract import Metric, Sample
from jatdae.run import bootstrap
from jatdae.run.compare import Comparison, Difference, compare, holm, sign_flip, together
from jatdae.run.result import evaluate

Numbers = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Numbers]

TRIALS = 4000
SCORES: dict[str, tuple[Draw, float]] = {
    "normal": (lambda g, size: g.normal(0.5, 0.1, size), 0.5),
    "right or wrong": (lambda g, size: (g.random(size) < 0.9).astype(float), 0.9),
    "skewed": (lambda g, size: g.beta(2, 8, size), 0.2),
    "mostly none": (lambda g, size: np.where(g.random(size) < 0.6, 0, g.beta(1, 4, size)), 0.08),
    "unbounded": (lambda g, size: g.exponential(0.3, size), 0.3),
}


def covered(sums: Numbers, per_cluster: int, mean: float) -> float:
    """How often the interval of a column holds the true mean; the columns are independent trials."""
    draws = bootstrap.resample(sums) / (len(sums) * per_cluster)
    intervals = [bootstrap.interval(draws[:, trial]) for trial in range(draws.shape[1])]
    return sum(ends is not None and ends[0] <= mean <= ends[1] for ends in intervals) / len(intervals)


@pytest.mark.parametrize("n", [100, 300])
@pytest.mark.parametrize("name", SCORES)
def test_a_95_percent_interval_covers_93_to_97_percent(name: str, n: int) -> None:
    draw, mean = SCORES[name]
    scores = draw(np.random.default_rng(7), (n, TRIALS))
    assert 0.93 <= covered(scores, 1, mean) <= 0.97


def test_heavy_tails_are_covered_less_as_the_documentation_says() -> None:
    scores = np.random.default_rng(7).lognormal(0, 1.2, (100, TRIALS))
    assert 0.88 <= covered(scores, 1, float(np.exp(0.72))) <= 0.92


def test_what_belongs_together_has_to_be_drawn_together() -> None:
    generator = np.random.default_rng(7)
    books = generator.normal(0.5, 0.1, (100, 1, 1000))
    pages = books + generator.normal(0, 0.05, (100, 5, 1000))
    assert 0.93 <= covered(pages.sum(axis=1), 5, 0.5) <= 0.97
    assert covered(pages.reshape(500, 1000), 1, 0.5) < 0.8


def test_a_run_resamples_clusters(plugin: Callable[..., Any]) -> None:
    def width(cluster: Callable[[int], str]) -> float:
        samples = [Sample(str(at), "ab"[at // 20 % 2], "a", cluster=cluster(at)) for at in range(400)]
        low, high = evaluate(samples, plugin("marks:Marks")).summary["systems"][""]["metrics"]["exact"]["ci"]
        return float(high - low)

    assert width(lambda at: str(at // 20)) > 3 * width(lambda at: "")


def test_intervals_agree_with_scipy() -> None:
    scores = np.random.default_rng(3).beta(2, 5, 200)
    ours = bootstrap.interval(bootstrap.resample(scores[:, None])[:, 0] / 200)
    theirs = stats.bootstrap((scores,), np.mean, method="percentile", n_resamples=9999, rng=np.random.default_rng(0))
    assert ours is not None
    low, high = theirs.confidence_interval
    assert ours == pytest.approx((low, high), abs=0.1 * (high - low))


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
    theirs = stats.bootstrap((change,), np.mean, method="percentile", rng=np.random.default_rng(0)).confidence_interval
    found = compare(a, b)["exact"]
    assert found.delta == pytest.approx(change.mean())
    assert found.ci == pytest.approx(tuple(theirs), abs=0.1 * (theirs.high - theirs.low))
