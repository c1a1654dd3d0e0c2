"""Micro averages that are one sum over another are recognised, and no others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae import Metric, Outcome, Sample, evaluate, evaluator
from jatdae.core.config import build
from jatdae.core.registry import find
from jatdae.run import numbers
from jatdae.run.ratios import Found, Ratio, find_ratios

COUNTS = {"hits": 90.0, "subs": 6.0, "dels": 3.0, "ins": 2.0, "same": 40.0, "of": 50.0}


def reduce(s: Mapping[str, float]) -> dict[str, float | None]:
    cer = (s["subs"] + s["dels"] + s["ins"]) / (s["hits"] + s["subs"] + s["dels"])
    return {
        "cer": cer,
        "whole": int(s["subs"]) / int(s["of"]),
        "accuracy": 1 - s["subs"] / (s["hits"] + s["subs"]),
        "f1": 2 * s["hits"] / (2 * s["hits"] + s["dels"] + s["ins"]),
        "share": s["same"] / s["of"],
        "gap": cer - s["same"] / s["of"],
        "root": (s["same"] / s["of"]) ** 0.5,
        "smoothed": (s["same"] + 1) / (s["of"] + 1),
        "capped": min(0.9, s["same"] / s["of"]),
        "level": 7.0,
        "none": None,
    }


def test_ratios_are_told_from_what_is_none() -> None:
    found = find_ratios(reduce, COUNTS)
    assert set(found.ratios) == {"cer", "whole", "accuracy", "f1", "share"}
    assert found.mixtures == {"gap": {"cer": 1.0, "share": -1.0}}


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=6, max_size=6))
def test_a_ratio_found_once_holds_for_all_sums(drawn: list[int]) -> None:
    there = dict(zip(COUNTS, map(float, drawn), strict=True))
    values = reduce(there)
    for name, ratio in find_ratios(reduce, COUNTS).ratios.items():
        assert ratio.of(there) == pytest.approx(values[name], rel=1e-9, abs=1e-9)


def test_a_ratio_of_nothing_has_no_value() -> None:
    assert Ratio({"a": 1.0}, {"b": 1.0}).of({"a": 1.0}) != 0
    assert find_ratios(lambda s: {"x": 1.0 / s["none"]}, {"none": 0.0}) == Found({}, {})


def test_what_fails_at_sums_that_cannot_occur_is_no_ratio() -> None:
    def strict(s: Mapping[str, float]) -> dict[str, float | None]:
        if s["hits"] > s["of"]:
            raise ValueError("more hits than there are")
        return {"share": s["hits"] / s["of"]}

    assert find_ratios(strict, {"hits": 9.0, "of": 10.0}) == Found({}, {})


@evaluator("gaps", metrics=[Metric("share", "higher", worst=0.0, primary=True), Metric("gap", "lower", worst=1.0)])
class Gaps:
    """A ratio, and a difference of two."""

    def score(self, sample: Sample) -> Outcome:
        right, of, other = sample.prediction
        return Outcome({"share": right / of, "gap": None}, stats={"right": right, "of": of, "other": other})

    def reduce(self, s: Mapping[str, float]) -> dict[str, float | None]:
        Calls.made += 1
        return {"share": s["right"] / s["of"], "gap": s["right"] / s["of"] - s["other"] / s["right"]}


class Calls:
    made = 0


def entries(monkeypatch: pytest.MonkeyPatch, *, found: bool) -> dict[str, Any]:
    if not found:
        monkeypatch.setattr(numbers, "find_ratios", lambda *_: Found({}, {}))
    samples = [Sample(str(at), (at % 7, 7 + at % 5, at % 3), "") for at in range(200)]
    metrics: dict[str, Any] = evaluate(samples, Gaps).summary["systems"][""]["metrics"]
    return metrics


def test_micro_averages_have_intervals_whether_they_are_ratios_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    ratio, asked = entries(monkeypatch, found=True), entries(monkeypatch, found=False)
    for name in ("share", "gap"):
        low, high = ratio[name]["micro_ci"]
        assert low < ratio[name]["micro"] < high
        assert (low, high) == pytest.approx(asked[name]["micro_ci"], abs=0.15 * (high - low))
    assert ratio["gap"] == asked["gap"]


def test_a_slice_of_ratios_asks_reduce_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def calls(slices: tuple[str, ...]) -> int:
        Calls.made = 0
        rows = [Sample(str(at), (at % 7, 7, 0), "", meta={"lang": str(at % 10)}) for at in range(200)]
        monkeypatch.setattr(Gaps, "reduce", lambda _, s: _share(s))
        evaluate(rows, Gaps, slices=slices)
        return Calls.made

    assert calls(("lang",)) - calls(()) == 10


def _share(s: Mapping[str, float]) -> dict[str, float | None]:
    Calls.made += 1
    return {"share": s["right"] / s["of"]}


BUNDLED = Path(__file__).parents[2] / "src" / "jatdae"


@pytest.mark.parametrize(
    ("room", "metrics", "mixed"),
    [
        ("text", {"cer", "wer", "body_cer"}, {"delta_refs"}),
        ("structured", {"exact_accuracy", "f1", "nted"}, set()),
        ("terms", {"precision", "recall", "f1"}, set()),
    ],
)
def test_the_averages_of_our_own_evaluators_are_ratios(room: str, metrics: set[str], mixed: set[str]) -> None:
    rows = [json.loads(line) for line in (BUNDLED / room / "samples" / "pairs.jsonl").read_text("utf-8").splitlines()]
    result = evaluate([Sample(str(at), row["prediction"], row["reference"]) for at, row in enumerate(rows)], room)
    found = find_ratios(build(find(room), {}).reduce, result.summary["systems"][""]["stats"])
    assert set(mixed) <= set(found.mixtures)
    assert metrics <= set(found.ratios)
