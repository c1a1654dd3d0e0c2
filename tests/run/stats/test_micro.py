"""Micro averages: declared as a ratio of sums or a mix of such, else asked of `reduce`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae import Metric, Outcome, Sample, evaluate, evaluator
from jatdae.core.contract import Mix, Ratio
from jatdae.core.errors import EngineError
from jatdae.core.evaluator import spec_of
from jatdae.core.registry import find

SHARE = Ratio("right", "of")
OTHER = Ratio("other", "right")
GAP = Mix({"share": 1.0, "other_share": -1.0})


def reduced(s: Mapping[str, float]) -> dict[str, float | None]:
    share, other = s["right"] / s["of"], s["other"] / s["right"]
    return {"share": share, "other_share": other, "gap": share - other}


def metrics(*, declared: bool) -> list[Metric]:
    return [
        Metric("share", "higher", worst=0.0, primary=True, micro=SHARE if declared else None),
        Metric("other_share", "higher", worst=0.0, micro=OTHER if declared else None),
        Metric("gap", "lower", worst=1.0, micro=GAP if declared else None),
    ]


def outcome_of(sample: Sample) -> Outcome:
    right, of, other = sample.prediction
    values = {"share": right / of, "other_share": other / 9, "gap": 0.0}
    return Outcome(values, stats={"right": right, "of": of, "other": other})


@evaluator("declared", metrics=metrics(declared=True))
class Declared:
    """Two ratios, and their difference."""

    def score(self, sample: Sample) -> Outcome:
        return outcome_of(sample)

    def reduce(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        raise AssertionError("nothing is left for reduce")


@evaluator("asked", metrics=metrics(declared=False))
class Asked:
    """The same, known to `reduce` alone."""

    def score(self, sample: Sample) -> Outcome:
        return outcome_of(sample)

    def reduce(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        return reduced(stats)


def entries(cls: type) -> dict[str, Any]:
    samples = [Sample(str(at), (at % 7, 7 + at % 5, at % 3), "") for at in range(200)]
    made: dict[str, Any] = evaluate(samples, cls).summary["systems"][""]["metrics"]
    return made


def test_declared_and_asked_averages_are_the_same_and_have_alike_intervals() -> None:
    declared, asked = entries(Declared), entries(Asked)
    for name in ("share", "other_share", "gap"):
        low, high = declared[name]["micro_ci"]
        assert declared[name]["micro"] == asked[name]["micro"]
        assert low < declared[name]["micro"] < high
        assert (low, high) == pytest.approx(asked[name]["micro_ci"], abs=0.15 * (high - low))
    assert declared["gap"] == asked["gap"], "a mix is resampled by percentiles, like what reduce gives"


def test_a_ratio_over_nothing() -> None:
    assert Ratio("a", "b").of({"a": 1.0}) is None
    assert Ratio("a", "b").of({}) is None
    assert Ratio("a", "b", otherwise=0.0).of({}) == 0.0
    assert Ratio("a", "b", otherwise=0.0).of({"a": 1.0}) is None
    normalised = Ratio("errors", {"errors": 1.0, "hits": 1.0}, otherwise=0.0, needs="length")
    assert normalised.of({"errors": 2.0, "hits": 2.0, "length": 3.0}) == 0.5
    assert normalised.of({"errors": 2.0}) is None, "no reference to be wrong about"
    precision = Ratio("hits", "predicted", otherwise=Ratio({}, "expected", otherwise=1.0))
    assert precision.of({"expected": 3.0}) == 0.0, "nothing predicted, though something was asked for"
    assert precision.of({}) == 1.0, "nothing on either side"


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 10**6).map(float)))
def test_the_weights_of_a_ratio_say_what_it_is(stats: dict[str, float]) -> None:
    ratio = Ratio({"a": 1.0, "b": 2.0}, {"b": 1.0, "c": 1.0}, complement=True)
    above, below = ratio.weights("abcd")
    lower = sum(w * stats.get(name, 0.0) for name, w in zip("abcd", below, strict=True))
    upper = sum(w * stats.get(name, 0.0) for name, w in zip("abcd", above, strict=True))
    value = ratio.of(stats)
    assert (value is None) == (lower == 0)
    assert value is None or value == pytest.approx(upper / lower)


def test_a_mean_leaves_out_what_does_not_apply_and_a_sum_does_not() -> None:
    weights = {"a": 1.0, "b": 3.0}
    assert Mix(weights, mean=True).of({"a": 0.5, "b": 1.0}) == 0.875
    assert Mix(weights, mean=True).of({"a": 0.5, "b": None}) == 0.5
    assert Mix(weights, mean=True).of({}) is None
    assert Mix(weights, mean=True, complements=("b",)).of({"a": 0.5, "b": 1.0}) == 0.125
    assert Mix(weights).of({"a": 0.5, "b": 1.0}) == 3.5
    assert Mix(weights).of({"a": 0.5}) is None


def test_a_mix_of_what_is_no_ratio_is_refused() -> None:
    with pytest.raises(EngineError, match=r"mixed.*other"):
        evaluator("mixed", metrics=[Metric("mixed", "higher", worst=0.0, micro=Mix({"other": 1.0}))])


def test_an_average_that_no_sample_has_a_value_for_does_not_apply() -> None:
    @evaluator("hollow", metrics=[Metric("share", "higher", worst=0.0, micro=SHARE)])
    class Hollow:
        def score(self, sample: Sample) -> Outcome:
            return Outcome({"share": None}, stats={"right": 1.0, "of": 2.0})

    summary = evaluate([Sample("1", "", ""), Sample("2", "", "")], Hollow()).summary
    assert summary["systems"][""]["metrics"]["share"]["micro"] is None


BUNDLED = Path(__file__).parents[3] / "src" / "jatdae"


@pytest.mark.parametrize(
    ("room", "reduced"),
    [
        ("text", set()),
        ("tables", set()),
        ("structured", {"json_accuracy", "nested_accuracy", "nested_raw", "ece", "auroc"}),
    ],
)
def test_the_averages_of_our_own_evaluators_are_declared(room: str, reduced: set[str]) -> None:
    assert {metric.name for metric in spec_of(find(room)).metrics if metric.micro is None} == reduced
    rows = [json.loads(line) for line in (BUNDLED / room / "samples" / "pairs.jsonl").read_text("utf-8").splitlines()]
    result = evaluate([Sample(str(at), row["prediction"], row["reference"]) for at, row in enumerate(rows)], room)
    entries = result.summary["systems"][""]["metrics"]
    assert all((entry["micro"] is None) == (entry["macro"] is None) for entry in entries.values())


def test_a_mix_leaves_out_what_no_sample_has_a_value_for() -> None:
    parts = [
        Metric("gone", "higher", worst=0.0, micro=Ratio("other", "of")),
        Metric("share", "higher", worst=0.0, micro=SHARE),
        Metric("mixed", "higher", worst=0.0, micro=Mix({"gone": 0.5, "share": 0.5}, mean=True)),
    ]

    @evaluator("lacking", metrics=parts)
    class Lacking:
        def score(self, sample: Sample) -> Outcome:
            right, of, other = sample.prediction
            stats = {"right": right, "of": of, "other": other}
            return Outcome({"gone": None, "share": right / of, "mixed": right / of}, stats=stats)

    samples = [Sample(str(at), (at % 7, 7 + at % 5, at % 3), "") for at in range(200)]
    entry = evaluate(samples, Lacking()).summary["systems"][""]["metrics"]
    assert entry["gone"]["micro"] is None
    assert entry["mixed"]["micro"] == entry["share"]["micro"]
    low, high = entry["mixed"]["micro_ci"]
    assert low < entry["mixed"]["micro"] < high


@pytest.mark.parametrize(
    "micro",
    [
        "hits/n", ("hits", "n"), Ratio(["hits"], "n"), Ratio(None, "n"), Ratio("hits", {"n": float("nan")}),
        Ratio("hits", "n", otherwise="1"), Mix({}), Mix(["share"]), Mix({"share": 0.0}), Mix({"share": "1"}),
        Mix({"share": 1.0}, complements="share"), Mix({"share": 1.0}, complements=("other",)),
    ],
)  # fmt: skip
def test_a_micro_average_that_cannot_be_computed_is_refused_when_declared(micro: Any) -> None:
    metrics = [Metric("share", "higher", worst=0.0, micro=SHARE), Metric("odd", "higher", worst=0.0, micro=micro)]
    with pytest.raises(EngineError, match=r"'odd': `micro` must be Ratio"):
        evaluator("odd", metrics=metrics)


def test_a_reduce_that_gives_junk_for_a_draw_is_named() -> None:
    @evaluator("sometimes", metrics=[Metric("share", "higher", worst=0.0)])
    class Sometimes:
        def score(self, sample: Sample) -> Outcome:
            return Outcome({"share": 0.5}, stats={"right": float(sample.id), "of": 2.0})

        def reduce(self, stats: Mapping[str, float]) -> dict[str, Any]:
            return {"share": 0.5 if stats["right"] == 45.0 else "junk"}

    with pytest.raises(EngineError, match=r"sometimes failed in reduce\(\)"):
        evaluate([Sample(str(at), "", "") for at in range(10)], Sometimes())
