"""From outcomes to a summary: the same for any cut, means without N/A, slices, units, counts, intervals."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae import Issue, Metric, Outcome, Sample, Unit, evaluator
from jatdae.core.errors import UsageError
from jatdae.run import bootstrap, groups, tally
from jatdae.run.outcomes import PartBuilder
from jatdae.run.summary import summarise
from jatdae.run.tally import Tally, needs_hashing


@evaluator("sums", metrics=[Metric("a", "higher", worst=0.0, primary=True), Metric("b", "lower", worst=1.0)])
class Sums:
    """Nothing is scored here; outcomes are made by hand."""

    def score(self, sample: Sample) -> Outcome:
        raise NotImplementedError

    def reduce(self, stats: Any) -> dict[str, float | None]:
        return {"a": stats.get("hits", 0.0) / stats["n"] if stats.get("n") else None}


METRICS = [Metric("a", "higher", worst=0.0, primary=True), Metric("b", "lower", worst=1.0)]
Scored = tuple[Sample, Outcome]


def summary(*parts: list[Scored], slices: tuple[str, ...] = (), hashed: bool = False) -> dict[str, Any]:
    added = Tally(METRICS, slices, hashed=hashed)
    for part in parts:
        builder = PartBuilder(METRICS)
        for sample, outcome in part:
            builder.add(sample, outcome)
        added.add(builder.table())
    made = summarise(added, Sums(), signature="", about_input={})
    json.dumps(made, allow_nan=False)
    return made


def scored(
    n: int, a: float | None, b: float | None = None, *, system: str = "", cluster: str = "", lang: str = "", **rest: Any
) -> Scored:
    sample = Sample(str(n), "p", "r", {"lang": lang} if lang else {}, system, cluster)
    return sample, Outcome({"a": a, "b": b}, issues=(Issue("why"),), **rest)


NUMBERS = st.one_of(st.none(), st.floats(-1e6, 1e6), st.sampled_from([0.1, 1e-9, 1e6 + 0.1, -0.3]))
STATS = st.dictionaries(st.sampled_from(["hits", "n", "rare"]), st.floats(0, 1e6), max_size=3)
COUNTS = st.dictionaries(
    st.sampled_from(["t", "u"]), st.dictionaries(st.text(max_size=2), st.integers(0, 9), max_size=4)
)
UNITS = st.lists(
    st.builds(
        Unit, st.just("u"), st.sampled_from(["turn", "table"]),
        values=st.dictionaries(st.sampled_from("ab"), NUMBERS, max_size=2), stats=STATS,
    ), max_size=3,
)  # fmt: skip
ROW = st.tuples(NUMBERS, NUMBERS, st.sampled_from(["S", "T"]), st.sampled_from(["", "x", "y"]), STATS, COUNTS, UNITS)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=25), st.lists(st.integers(0, 25), max_size=4))
def test_a_summary_is_the_same_for_any_cut_into_parts(rows: list[Any], cuts: list[int]) -> None:
    outcomes = [
        scored(n, a, b, system=system, cluster=f"c{n % 4}", lang=lang, stats=stats, counts=counts, units=tuple(units))
        for n, (a, b, system, lang, stats, counts, units) in enumerate(rows)
    ]
    bounds = [0, *sorted(cuts), len(outcomes)]
    parts = [outcomes[start:end] for start, end in pairwise(bounds)]
    whole, cut = summary(outcomes, slices=("lang",)), summary(*parts, slices=("lang",))
    assert json.dumps(whole) == json.dumps(cut)  # the order of keys is part of the bytes


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=30))
def test_means_are_of_known_values_only(pairs: list[tuple[Any, Any]]) -> None:
    metrics = summary([scored(n, a, b) for n, (a, b) in enumerate(pairs)])["systems"][""]["metrics"]
    for name, column in (("a", [a for a, _ in pairs]), ("b", [b for _, b in pairs])):
        known = [Fraction(value) for value in column if value is not None]
        wanted = float(sum(known, Fraction())) / len(known) if known else None
        assert (metrics[name]["macro"], metrics[name]["n"]) == (wanted, len(known))
        assert metrics[name]["na"] == len(column) - len(known)


def test_micro_is_reduced_from_sums_and_macro_is_not() -> None:
    rows = [scored(n, hits / n_of, stats={"hits": hits, "n": n_of}) for n, (hits, n_of) in enumerate([(1, 1), (0, 9)])]
    system = summary(rows)["systems"][""]
    assert (system["metrics"]["a"]["macro"], system["metrics"]["a"]["micro"]) == (0.5, 0.1)
    assert system["metrics"]["b"]["micro"] is None
    assert system["stats"] == {"hits": 1.0, "n": 10.0}
    assert system["issues"] == {"why": {"warning": 2}}


def test_systems_and_slices_are_apart() -> None:
    rows = [
        scored(n, float(n), system=system, lang=lang)
        for n, (system, lang) in enumerate([("S", "ko"), ("T", "ko"), ("S", "en"), ("T", ""), ("S", "ko")])
    ]
    systems = summary(rows[:2], rows[2:], slices=("lang", "absent"))["systems"]
    means = {
        (system, key, value): part["metrics"]["a"]["macro"]
        for system, whole in systems.items()
        for key, values in whole["slices"].items()
        for value, part in values.items()
    }
    assert means == {
        ("S", "lang", "en"): 2.0, ("S", "lang", "ko"): 2.0, ("S", "absent", ""): 2.0,
        ("T", "lang", ""): 3.0, ("T", "lang", "ko"): 1.0, ("T", "absent", ""): 2.0,
    }  # fmt: skip


def test_a_statistic_of_one_system_leaves_no_trace_in_another() -> None:
    rows = [scored(1, 1.0, system="S", stats={"n": 1.0}), scored(2, 1.0, system="T")]
    assert summary(rows)["systems"]["T"]["stats"] == {}


def test_units_have_means_of_their_own() -> None:
    units = (
        Unit("1", "turn", values={"a": 1.0, "b": None}, stats={"hits": 1.0, "n": 4.0}),
        Unit("2", "turn", values={"a": 0.0}, stats={"hits": 0.0, "n": 4.0}),
        Unit("3", "table", values={"a": 0.5}),
    )
    below = summary([scored(1, 1.0, units=units), scored(2, 1.0, units=units[:1])])["systems"][""]["units"]
    assert {kind: (each["n"], each["metrics"]["a"]["macro"]) for kind, each in below.items()} == {
        "table": (1, 0.5), "turn": (3, 2 / 3),
    }  # fmt: skip
    assert below["turn"]["metrics"]["a"]["micro"] == 2 / 12
    assert (below["turn"]["metrics"]["b"]["n"], below["turn"]["metrics"]["b"]["na"]) == (0, 3)


def test_counts_pool_beyond_their_limit_and_no_count_is_lost() -> None:
    rows = [scored(n, 1.0, counts={"words": {f"w{n}-{k}": 1 + (k == 0) for k in range(600)}}) for n in range(20)]
    words = summary(rows)["systems"][""]["counts"]["words"]
    assert sum(words.values()) == 20 * 601
    assert len(words) == 1001
    assert words["<other>"] == 20 * 601 - sum(count for key, count in words.items() if key != "<other>")
    total: Counter[str] = Counter()
    groups.add_counts(total, {f"k{n}": 1 for n in range(10_050)})
    groups.add_counts(total, {"k3": 1, "new": 7})
    assert (len(total), total["<other>"], total["k3"], total.total()) == (10_001, 57, 2, 10_058)


def test_a_slice_of_samples_in_memory_is_bounded_too() -> None:
    with pytest.raises(UsageError, match="--slice lang: more than 1000 values"):
        summary([scored(n, 1.0, lang=f"l{n}") for n in range(1001)], slices=("lang",))


def test_intervals_are_alike_each_time_and_hold_the_mean() -> None:
    values = np.random.Generator(np.random.PCG64(7)).normal(0.7, 0.1, 400).tolist()
    rows = [scored(n, value, stats={"hits": value, "n": 1.0}) for n, value in enumerate(values)]
    first, again = summary(rows), summary(rows)
    assert first == again
    a = first["systems"][""]["metrics"]["a"]
    low, high = a["ci"]
    assert low < a["macro"] < high
    # 1.96 standard errors either side, which a percentile interval of 1,000 draws comes near
    assert (high - low) / 2 == pytest.approx(1.96 * 0.1 / math.sqrt(400), rel=0.15)
    assert a["micro_ci"] == a["ci"]


def test_resampling_draws_clusters_whole() -> None:
    """Ten copies of each of 30 values say no more than the 30 values do."""
    values = np.random.Generator(np.random.PCG64(3)).normal(0, 1, 30).tolist()
    apart = summary([scored(n, value) for n, value in enumerate(values)])
    copies = [(n, c) for n in range(30) for c in range(10)]
    bound = summary([scored(100 * n + c, values[n], cluster=f"p{n}") for n, c in copies])
    loose = summary([scored(100 * n + c, values[n]) for n, c in copies])

    def width(made: dict[str, Any]) -> float:
        low, high = made["systems"][""]["metrics"]["a"]["ci"]
        return float(high - low)

    assert width(bound) == pytest.approx(width(apart))
    assert width(loose) < 0.5 * width(bound)


@pytest.mark.parametrize("rows", [[scored(1, 0.5)], [scored(n, 0.5, cluster="one") for n in range(5)]])
def test_one_cluster_has_no_interval(rows: list[Scored]) -> None:
    a = summary(rows)["systems"][""]["metrics"]["a"]
    assert (a["macro"], a["ci"]) == (0.5, None)


def test_an_interval_needs_draws_that_have_a_value() -> None:
    assert bootstrap.interval(np.array([np.nan, np.nan, 1.0])) is None
    assert bootstrap.interval(np.array([np.nan, 2.0, 2.0])) == (2.0, 2.0)
    assert bootstrap.interval(np.empty(0)) is None


def test_draws_take_as_many_rows_as_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = bootstrap.resample(np.column_stack([np.ones(50), np.arange(50)]))
    assert (draws[:, 0] == 50).all()
    assert draws[:, 1].mean() / 50 == pytest.approx(24.5, abs=0.5)
    assert len(set(draws[:, 1].tolist())) > 300
    assert bootstrap.resample(np.ones((70_000, 1)), resamples=3).tolist() == [[70_000.0]] * 3


def test_many_clusters_are_hashed_into_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [scored(n, float(n % 2), stats={"hits": n % 2, "n": 1.0}) for n in range(300)]
    apart = summary(rows)["systems"][""]["metrics"]["a"]
    monkeypatch.setattr(tally, "MAX_CLUSTERS", 256)
    builder = PartBuilder(METRICS)
    for sample, outcome in rows:
        builder.add(sample, outcome)
    table = builder.table()
    assert needs_hashing([table])
    assert not needs_hashing([table.slice(0, 200)])
    hashed = summary(rows[:100], rows[100:], hashed=True)["systems"][""]["metrics"]["a"]
    assert (hashed["macro"], hashed["micro"], hashed["n"]) == (apart["macro"], apart["micro"], apart["n"])
    assert hashed["ci"] == pytest.approx(apart["ci"], abs=0.03)
