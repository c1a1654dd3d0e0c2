"""Gates: one reader for flags and suites, what cannot fail is refused, and what fails."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae.core.contract import Metric
from jatdae.core.errors import UsageError
from jatdae.run.gates import (
    OVER,
    UNDER,
    Gate,
    failed_gates,
    gate_problem,
    gates_of,
    rate_of,
    read_gates,
    read_margin,
    regressions,
)
from jatdae.run.stats.compare import Comparison, Difference

MEASURES: dict[str, Any] = {
    "metrics": {
        "teds": {"better": "higher", "range": [0.0, 1.0], "unit": ""},
        "cer": {"better": "lower", "range": [0.0, None], "unit": "%"},
        "ted": {"better": "lower", "range": [0.0, None], "unit": ""},
    },
    "rates": {"field": {"above": ["right"], "below": ["right", "wrong"], "better": "higher"}},
}


def summary(**systems: dict[str, float | None]) -> dict[str, Any]:
    """A summary with the mean of each metric; every micro average is 0.5, and the field `total` is right thrice."""
    counts = {"right": {"total": 3}, "wrong": {"total": 1, "tax=7%": 2}}
    return {
        **MEASURES,
        "systems": {
            system: {
                "metrics": {name: {"macro": value, "micro": 0.5} for name, value in values.items()},
                "counts": counts,
            }
            for system, values in systems.items()
        },
    }


def test_flags_are_read_as_limits_by_metric() -> None:
    read = read_gates(("teds=0.9", "teds.micro=.8", "field:tax=7%=75 %"), ("cer=5%", "ted=12"), MEASURES)
    assert read == (
        Gate("teds", UNDER, 0.9),
        Gate("teds.micro", UNDER, 0.8),
        Gate("field:tax=7%", UNDER, 0.75),
        Gate("cer", OVER, 0.05),
        Gate("ted", OVER, 12.0),
    )
    assert read_gates((), (), MEASURES) == ()
    assert gates_of({"teds": "90%"}, {"cer": 0.05}) == (Gate("teds", UNDER, 0.9), Gate("cer", OVER, 0.05))


BAD = {
    "unknown": ("tads=.1", "--fail-over tads=.1: unknown metric 'tads'. Did you mean 'teds'? Metrics: teds, cer, ted,"),
    "unknown average": (
        "teds.mico=1",
        "--fail-over teds.mico=1: unknown metric 'teds.mico'. Did you mean 'teds.micro'?",
    ),
    "unknown rate": (
        "feild:total=.1",
        "--fail-over feild:total=.1: unknown metric 'feild:total'. Did you mean 'field:",
    ),
    "rate without a key": ("field:=.1", "--fail-over field:=.1: unknown metric 'field:'."),
    "no limit": ("cer", "--fail-over cer: write it as NAME=VALUE."),
    "empty limit": ("cer=", "--fail-over cer=: '' is not a number."),
    "no metric": ("=1", "--fail-over =1: write it as NAME=VALUE."),
    "text": ("cer=high", "--fail-over cer=high: 'high' is not a number."),
    "nan": ("cer=nan", "--fail-over cer=nan: 'nan' is not a number."),
    "nan in percent": ("cer=nan%", "--fail-over cer=nan%: 'nan%' is not a number."),
    "infinite": ("cer=-inf", "--fail-over cer=-inf: '-inf' is not a number."),
    "too large": ("cer=1e999", "--fail-over cer=1e999: '1e999' is not a number."),
    "wrong scale": ("cer=5", "--fail-over cer=5: 5 would be 500 %. Write 5% or 0.05."),
    "wrong direction": ("teds=.9", "--fail-over teds=.9: teds is better when higher, so a gate above would fail good"),
    "below the range": ("cer=-1%", "--fail-over cer=-1%: -0.01 is outside the range of cer, 0 to ∞."),
    "above the range": ("field:total=.5", "--fail-over field:total=.5: field:total is better when higher"),
}


@pytest.mark.parametrize(("given", "told"), BAD.values(), ids=BAD)
def test_a_gate_that_cannot_be_kept_is_refused_with_its_place(given: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_gates((), (given,), MEASURES)
    assert str(caught.value).startswith(told)


def test_a_metric_is_gated_once() -> None:
    with pytest.raises(UsageError, match="--fail-under: 'teds' is given twice"):
        read_gates(("teds=.1", "teds=.2"), (), MEASURES)


def test_a_large_share_is_meant_only_if_it_is_written_in_percent() -> None:
    assert gate_problem("cer", OVER, "500%", MEASURES) == ""
    assert gate_problem("cer", OVER, 5.0, MEASURES) == "5 would be 500 %. Write 5% or 0.05"
    assert gate_problem("ted", OVER, 5.0, MEASURES) == ""
    assert gate_problem("teds", UNDER, "101%", MEASURES) == "1.01 is outside the range of teds, 0 to 1"


@pytest.mark.parametrize(("name", "sign", "limit"), [("teds", UNDER, 0.0), ("field:total", UNDER, "0%")])
def test_a_gate_that_no_value_can_fail_is_refused(name: str, sign: str, limit: Any) -> None:
    assert gate_problem(name, sign, limit, MEASURES) == f"no value of {name} is beyond 0: the gate could never fail"


def test_a_value_fails_beyond_its_limit_and_not_at_it() -> None:
    gates = read_gates(("teds=.5",), ("cer=.1", "cer.micro=.4"), MEASURES)
    found = failed_gates(summary(a={"teds": 0.5, "cer": 0.1}, b={"teds": 0.4, "cer": 0.2}), gates)
    assert [(each.gate.name, each.system, each.value, each.unit) for each in found] == [
        ("teds", "b", 0.4, ""),
        ("cer", "b", 0.2, "%"),
        ("cer.micro", "a", 0.5, "%"),
        ("cer.micro", "b", 0.5, "%"),
    ]


def test_a_metric_without_a_value_fails_and_so_does_a_run_without_systems() -> None:
    gates = read_gates(("teds=.1",), ("cer=900%",), MEASURES)
    found = failed_gates(summary(a={"teds": None, "cer": None}), gates)
    assert [(each.gate.name, each.system, each.value) for each in found] == [("teds", "a", None), ("cer", "a", None)]
    assert [each.system for each in failed_gates(summary(), gates)] == [None, None]
    assert failed_gates(summary(), ()) == []


def test_the_rate_of_a_key_is_gated_and_an_unknown_key_is_an_error() -> None:
    run = summary(a={"teds": 1.0})
    assert rate_of(MEASURES["rates"]["field"], "total", run["systems"]["a"]["counts"]) == 0.75
    found = failed_gates(run, read_gates(("field:total=80%", "field:tax=7%=1%"), (), MEASURES))
    assert [(each.gate.name, each.value) for each in found] == [("field:total", 0.75), ("field:tax=7%", 0.0)]
    assert failed_gates(run, read_gates(("field:total=75%",), (), MEASURES)) == []
    with pytest.raises(
        UsageError, match=r"field:totl: no such key in this run\. Did you mean 'total'\? Keys: tax=7%, to"
    ):
        failed_gates(run, read_gates(("field:totl=75%",), (), MEASURES))


@pytest.mark.parametrize(("text", "margin"), [("0", 0.0), ("0.01", 0.01), ("1%", 0.01), ("1", 1.0)])
def test_a_margin_is_a_fraction_or_percent(text: str, margin: float) -> None:
    assert read_margin(text) == margin


@pytest.mark.parametrize("text", ["", "nan", "-1%", "5", "x"])
def test_another_margin_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="write a fraction from 0 to 1"):
        read_margin(text)


def test_a_key_that_may_be_pooled_with_others_has_no_rate() -> None:
    counts = {"right": {"total": 15, "<other>": 90}, "wrong": {"<other>": 30}}
    rate = {"above": ["right"], "below": ["right", "wrong"], "better": "higher"}
    assert rate_of(rate, "total", counts) is None
    assert rate_of(rate, "total", {**counts, "wrong": {"total": 15, "<other>": 3}}) == 0.5


def regression(**given: Any) -> list[str]:
    usual = {"n": 40, "delta": -0.06, "p": 0.001, "p_holm": 0.002, "clusters": 40}
    row = Difference(Metric("teds", "higher", worst=0.0, primary=True), **{**usual, **given})
    return regressions(Comparison("A", "B", "", (row,)), 0.05)


def test_a_loss_beyond_the_margin_fails_if_it_is_shown() -> None:
    assert regression() == ["Gate failed: B is worse than A: teds -0.0600, p = .002 (Holm) (margin 0.05)"]
    assert regression(p_holm=0.2) == []
    assert regression(delta=0.06) == []


def test_a_loss_of_exactly_the_margin_is_tolerated() -> None:
    assert regression(delta=-0.05000000000000003) == []


def test_below_20_clusters_the_margin_alone_decides() -> None:
    assert regression(p=None, p_holm=None, clusters=3) == ["Gate failed: B is worse than A: teds -0.0600 (margin 0.05)"]
    assert regression(p=None, p_holm=None, clusters=3, delta=-0.04) == []


def test_lost_values_fail() -> None:
    lost = ["Gate failed: B is worse than A: teds has no value in 38 of 40 samples that had one"]
    assert regression(n=2, only_a=38, delta=0.0) == lost
    assert regression(n=30, only_a=10, delta=0.0) == []
    nothing = ["Gate failed: A and B have no values in common that could be compared"]
    assert regression(n=0, delta=None, p=None, p_holm=None, clusters=0) == nothing


@pytest.mark.parametrize("limit", ["٥%", "1_0%", "4,5%", "five", "", "%", "nan", "inf%"])
def test_what_is_no_number_is_refused(limit: str) -> None:
    with pytest.raises(UsageError):
        read_gates((), (f"cer={limit}",), MEASURES)


def test_a_percent_sign_of_full_width_is_read() -> None:
    assert read_gates((), ("cer=5％",), MEASURES)[0].limit == 0.05


def test_a_limit_of_one_on_a_rate_without_end_is_asked_about() -> None:
    with pytest.raises(UsageError, match=r"1 would be 100 %\. Write 1% or 0\.01"):
        read_gates((), ("cer=1",), MEASURES)
    assert read_gates((), ("cer=100%",), MEASURES)[0].limit == 1.0
