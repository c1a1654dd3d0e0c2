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
from jatdae.run import clusters, groups
from jatdae.run.outcomes import PartBuilder
from jatdae.run.summary import summarise
from jatdae.run.tally import Tally


@evaluator("sums", metrics=[Metric("a", "higher", worst=0.0, primary=True), Metric("b", "lower", worst=1.0)])
class Sums:
    """Nothing is scored here; outcomes are made by hand."""

    def score(self, sample: Sample) -> Outcome:
        raise NotImplementedError

    def reduce(self, stats: Any) -> dict[str, float | None]:
        return {"a": stats.get("hits", 0.0) / stats["n"] if stats.get("n") else None}


METRICS = [Metric("a", "higher", worst=0.0, primary=True), Metric("b", "lower", worst=1.0)]
Scored = tuple[Sample, Outcome]


def summary(*parts: list[Scored], slices: tuple[str, ...] = ()) -> dict[str, Any]:
    added = Tally(METRICS, slices)
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


def test_units_are_sliced_by_their_labels() -> None:
    def talk(n: int, turns: int) -> Scored:
        units = tuple(
            Unit(str(turn), "turn", {"turn": str(turn)}, {"a": turn / 10}, {"hits": 1.0, "n": float(turn)})
            for turn in range(1, turns + 1)
        )
        return scored(n, 1.0, units=(*units, Unit("t", "table", {"only": "one"}, {"a": 1.0})))

    one, two = talk(1, 11), talk(2, 3)
    below = summary([one, two])["systems"][""]["units"]
    assert below["table"]["slices"] == {}
    by_turn = below["turn"]["slices"]["turn"]
    assert list(by_turn) == [str(turn) for turn in range(1, 12)]
    assert {turn: each["n"] for turn, each in by_turn.items() if each["n"] > 1} == {"1": 2, "2": 2, "3": 2}
    assert by_turn["3"]["metrics"]["a"]["macro"] == 0.3
    assert by_turn["3"]["metrics"]["a"]["micro"] == 1 / 3
    assert summary([one], [two])["systems"][""]["units"] == below


def test_a_label_of_very_many_values_is_no_slice() -> None:
    rows = [scored(n, 1.0, units=(Unit("u", "turn", {"name": f"n{n}"}, {"a": 1.0}),)) for n in range(61)]
    assert len(summary(rows[:60])["systems"][""]["units"]["turn"]["slices"]["name"]) == 60
    assert summary(rows)["systems"][""]["units"]["turn"]["slices"] == {}


def test_counts_pool_beyond_their_limit_and_no_count_is_lost() -> None:
    rows = [scored(n, 1.0, counts={"words": {f"w{n}-{k}": 1 + (k == 0) for k in range(600)}}) for n in range(20)]
    words = summary(rows)["systems"][""]["counts"]["words"]
    assert sum(words.values()) == 20 * 601
    assert len(words) == 1001
    assert words["<other>"] == 20 * 601 - sum(count for key, count in words.items() if key != "<other>")
    total: Counter[str] = Counter()
    for key, n in [*((f"k{n}", 1) for n in range(10_050)), ("k3", 1), ("new", 7)]:
        groups.add_count(total, key, n)
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
    # 1.96 standard errors either side, which an interval of 1,000 draws comes near
    assert (high - low) / 2 == pytest.approx(1.96 * 0.1 / math.sqrt(400), rel=0.15)
    assert a["micro_ci"] == pytest.approx(a["ci"], abs=0.1 * (high - low)), "by percentiles, for reduce gives it"


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


def test_many_clusters_are_taken_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [scored(n, float(n % 2), stats={"hits": n % 2, "n": 1.0}) for n in range(300)]
    apart = summary(rows)["systems"][""]["metrics"]["a"]
    monkeypatch.setattr(clusters, "MAX_CLUSTERS", 256)
    whole = summary(rows)["systems"][""]["metrics"]["a"]
    assert (whole["macro"], whole["micro"], whole["n"]) == (apart["macro"], apart["micro"], apart["n"])
    assert whole["ci"] == pytest.approx(apart["ci"], abs=0.03)
    assert whole["ci"] != apart["ci"]
    assert summary(rows[:100], rows[100:])["systems"][""]["metrics"]["a"] == whole


def test_a_cluster_keeps_its_number_when_no_more_names_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "MAX_CLUSTERS", 4)
    numbered = clusters.Clusters()
    assert numbered.numbers(["a", "b", "", "a"]).tolist() == [0, 1, 2, 0]
    assert numbered.numbers(["", "", "c", "d", "b"]).tolist() == [3, 0, 1, 2, 1]
    late = numbered.numbers(["e", "a", "e", "f"]).tolist()
    assert late[0] == late[2]
    assert late[1] == 0
    assert set(late) <= set(range(4))
    assert numbered.numbers(["f", "e"]).tolist() == [late[3], late[0]]


def test_a_slice_that_is_asked_for_twice_counts_once() -> None:
    scored = [(Sample(str(n), "", "", {"lang": "ko"}), Outcome({"a": 1.0, "b": 0.0})) for n in range(3)]
    assert summary(scored, slices=("lang", "lang")) == summary(scored, slices=("lang",))
