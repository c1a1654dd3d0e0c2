"""Comparing units: paired by sample and unit, resampled and flipped by what the samples belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from jatdae import Sample
from jatdae.core.errors import UsageError
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import PairedValues, compare, sign_flip
from jatdae.run.stats.result import Result

Steps = Mapping[str, Sequence[float | None]]

LLM: Steps = {"p1": [0.2, 0.4], "p2": [0.5, 0.5, 0.5], "p3": [0.1]}
AGENT: Steps = {"p1": [0.6, 0.4], "p2": [0.3, 0.9, None], "p3": [0.2]}
"""The agent is better by 0.4 and 0.0, by −0.2 and 0.4, and by 0.1."""


def result(plugin: Any, steps: Steps, clusters: Mapping[str, str] | None = None, **config: Any) -> Result:
    given = [Sample(id, steps[id], "", cluster=(clusters or {}).get(id, "")) for id in steps]
    return evaluate(given, plugin("steps:Steps", **config))


def test_units_are_paired_and_samples_resampled(plugin: Any) -> None:
    height = compare(result(plugin, LLM), result(plugin, AGENT))["height"]
    assert (height.by, height.n, height.unpaired, height.clusters) == ("step", 5, 1, 3)
    assert (height.a, height.b, height.delta) == (pytest.approx(0.34), pytest.approx(0.48), pytest.approx(0.14))
    assert (height.wins, height.ties, height.losses) == (3, 1, 1)
    assert height.regressions == (PairedValues("p2", "1", 0.5, 0.3),)
    assert height.regressions[0].label == "p2 · 1"


def test_the_interval_draws_whole_samples_with_all_their_units(plugin: Any) -> None:
    """Of 27 equally likely draws each sample is drawn thrice in one (3.7 %): the ends are 0.1 / 1 and 0.4 / 2."""
    height = compare(result(plugin, LLM), result(plugin, AGENT))["height"]
    assert height.ci == (pytest.approx(0.1), pytest.approx(0.2))


def test_the_signs_of_whole_samples_are_flipped() -> None:
    """The samples' sums are 0.4, 0.2 and 0.1: 2 of the 8 flips are as far from 0 as 0.7. Flipped one by one, the
    units' 0.4, −0.2, 0.4 and 0.1 would be so in 8 of 16."""
    change, samples = np.array([0.4, 0.0, -0.2, 0.4, 0.1]), np.array([0, 0, 1, 1, 2])
    assert sign_flip(change, samples) == pytest.approx(0.25, abs=0.02)
    assert sign_flip(change, np.array([0, 0, 0, 0, 1])) == pytest.approx(0.5, abs=0.02)


def test_a_cluster_holds_the_units_of_all_its_samples(plugin: Any) -> None:
    homes = {"p1": "home", "p2": "home"}
    height = compare(result(plugin, LLM, homes), result(plugin, AGENT, homes))["height"]
    assert (height.n, height.clusters, height.p) == (5, 2, None)


def test_units_of_one_sample_are_too_few_to_test(plugin: Any) -> None:
    height = compare(result(plugin, {"p1": [0.2, 0.4]}), result(plugin, {"p1": [0.6, 0.5]}))["height"]
    assert (height.n, height.clusters, height.ci, height.p) == (2, 1, None, None)


def test_a_metric_without_units_stays_paired_by_sample(plugin: Any) -> None:
    length = compare(result(plugin, LLM), result(plugin, {**AGENT, "p3": [0.2, 0.3]}))["length"]
    assert (length.by, length.n, length.clusters, length.delta) == ("sample", 3, 3, pytest.approx(1 / 3))


@pytest.mark.parametrize(
    ("by", "n", "delta"),
    [("sample", 3, (0.2 + 0.1 + 0.1) / 3), ("landing", 3, (0.2 + 0.4 + 0.1) / 3), ("step", 5, 0.14)],
)
def test_what_is_paired_can_be_chosen(plugin: Any, by: str, n: int, delta: float) -> None:
    height = compare(result(plugin, LLM), result(plugin, AGENT), by=by)["height"]
    assert (height.by, height.n, height.delta) == (by, n, pytest.approx(delta))


def test_an_unknown_kind_is_refused_with_a_near_one(plugin: Any) -> None:
    with pytest.raises(UsageError, match=r"Unknown unit 'stepp'.*'step'.*: sample, landing, step"):
        compare(result(plugin, LLM), result(plugin, AGENT), by="stepp")


def test_units_that_one_side_lacks_are_counted(plugin: Any) -> None:
    few = compare(result(plugin, LLM), result(plugin, {"p1": [0.6], "p2": [0.3, 0.9, 0.1], "p3": []}))["height"]
    assert (few.n, few.unpaired) == (4, 2)


def test_units_of_one_name_are_paired_in_their_order(plugin: Any) -> None:
    a, b = result(plugin, {"p": [0.1, 0.9]}, numbered=False), result(plugin, {"p": [0.1, 0.4]}, numbered=False)
    assert compare(a, b)["height"].regressions == (PairedValues("p", "s#2", 0.9, 0.4),)
