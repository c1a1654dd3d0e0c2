"""Effect sizes: d_z and its interval, and the clusters that a difference needs, against known values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from jatdae import Metric, Sample
from jatdae.run.api import evaluate
from jatdae.run.stats.effect import dz_interval, effect_of, effects, needed_for, power_of

METRIC = Metric("m", "higher", worst=0.0, primary=True)


@pytest.mark.parametrize(("dz", "n"), [(0.2, 199), (0.5, 34), (0.8, 15), (0.1, 787), (-0.5, 34)])
def test_clusters_needed_are_those_of_tables_of_power(dz: float, n: int) -> None:
    """Paired t-test, two-sided, α = .05, power .80: the published sample sizes for small, medium and large effects."""
    assert needed_for(dz) == n


@pytest.mark.parametrize("dz", [0.0, 1e-9])
def test_what_a_million_could_not_show_has_no_number(dz: float) -> None:
    assert needed_for(dz) is None


@given(st.floats(0.05, 8))
@settings(max_examples=20, deadline=None)
def test_one_cluster_fewer_would_not_do(dz: float) -> None:
    n = needed_for(dz)
    assert n is not None
    assert power_of(dz, n) >= 0.8
    assert n == 2 or power_of(dz, n - 1) < 0.8


@given(st.floats(-6, 6), st.integers(2, 200))
@settings(max_examples=25, deadline=None)
def test_the_interval_inverts_the_noncentral_t(dz: float, n: int) -> None:
    low, high = dz_interval(dz, n)
    t = dz * math.sqrt(n)
    assert low < dz < high or n == 2
    assert stats.nct.sf(t, n - 1, low * math.sqrt(n)) == pytest.approx(0.025, abs=1e-5)
    assert stats.nct.cdf(t, n - 1, high * math.sqrt(n)) == pytest.approx(0.025, abs=1e-5)
    assert dz_interval(-dz, n) == pytest.approx((-high, -low), abs=1e-6)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    drawn = np.random.Generator(np.random.PCG64(3)).normal(0.6, 1.0, (300, 12))
    ends = [dz_interval(float(row.mean() / row.std(ddof=1)), 12) for row in drawn]
    assert 0.92 <= np.mean([low <= 0.6 <= high for low, high in ends]) <= 0.98


def test_an_effect_by_hand() -> None:
    found = effect_of(METRIC, np.array([0.1, 0.2, 0.3, 0.4]), 0.05)
    assert found.delta == pytest.approx(0.25)
    assert found.dz == pytest.approx(0.25 / np.std([0.1, 0.2, 0.3, 0.4], ddof=1))
    assert found.needed == 55
    assert found.more == 51
    assert found.needed_ci is not None
    assert found.needed_ci[0] < 55 < found.needed_ci[1]


@pytest.mark.parametrize("changes", [[], [0.3], [0.2, 0.2, 0.2]])
def test_where_nothing_varies_there_is_no_size(changes: list[float]) -> None:
    found = effect_of(METRIC, np.array(changes), 0.05)
    assert (found.dz, found.dz_ci, found.needed, found.more) == (None, None, None, None)
    assert found.clusters == len(changes)


def test_repeats_of_a_cluster_are_averaged_first() -> None:
    rows = [
        Sample(f"{cluster}{repeat}", "abcd"[: 1 + at + repeat], "abcd", system=system, cluster=cluster)
        for system, at in (("a", 0), ("b", 1))
        for cluster in "pq"
        for repeat in (0, 1)
    ]
    result = evaluate(rows, "text")
    (cer,) = effects(result, "a", "b", difference=0.05, metrics=["cer"])
    assert cer.clusters == 2
    assert cer.delta == pytest.approx(-0.25)
