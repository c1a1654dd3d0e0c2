"""Gates: one reader for flags and suites, and what fails."""

from __future__ import annotations

import math
from typing import Any

import pytest

from jatdae.core.errors import UsageError
from jatdae.run.gates import FailedGate, Gates, failed_gates, gate_problem, read_gates

KNOWN = ("teds", "cer")


def summary(**systems: dict[str, float | None]) -> dict[str, Any]:
    """A summary with the mean of each metric; every micro average is 0.5."""
    return {
        "metrics": {name: {"unit": ""} for name in KNOWN},
        "systems": {
            system: {"metrics": {name: {"macro": value, "micro": 0.5} for name, value in values.items()}}
            for system, values in systems.items()
        },
    }


def test_flags_are_read_as_limits_by_metric() -> None:
    read = read_gates(("teds=0.9", "teds.micro=.8"), ("cer=5e-2",), KNOWN)
    assert read == Gates({"teds": 0.9, "teds.micro": 0.8}, {"cer": 0.05})
    assert read_gates((), (), KNOWN) == Gates()


BAD = {
    "unknown": ("tads=1", "--fail-over: unknown metric 'tads'. Did you mean 'teds'? Metrics: teds, cer."),
    "unknown average": ("teds.mico=1", "--fail-over: unknown metric 'teds.mico'. Did you mean 'teds.micro'?"),
    "no limit": ("teds", "--fail-over teds: write it as NAME=VALUE."),
    "empty limit": ("teds=", "--fail-over teds=: write it as NAME=VALUE."),
    "no metric": ("=1", "--fail-over =1: write it as NAME=VALUE."),
    "text": ("teds=high", "--fail-over: 'high' is not a number."),
    "nan": ("teds=nan", "--fail-over: 'nan' is not a number."),
    "infinite": ("teds=-inf", "--fail-over: '-inf' is not a number."),
    "too large": ("teds=1e999", "--fail-over: '1e999' is not a number."),
}


@pytest.mark.parametrize(("given", "told"), BAD.values(), ids=BAD)
def test_a_gate_that_cannot_be_read_is_refused_with_its_place(given: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_gates((), (given,), KNOWN)
    assert str(caught.value).startswith(told)


def test_a_metric_is_gated_once() -> None:
    with pytest.raises(UsageError, match="--fail-under: 'teds' is given twice"):
        read_gates(("teds=1", "teds=2"), (), KNOWN)


@pytest.mark.parametrize("limit", [float("nan"), float("inf"), float("-inf")])
def test_limits_of_a_file_are_refused_the_same_way(limit: float) -> None:
    assert gate_problem("teds", limit, KNOWN) == f"{limit} is not a number"
    assert gate_problem("tads", 1.0, KNOWN).startswith("unknown metric 'tads'. Did you mean 'teds'")


@pytest.mark.parametrize(
    ("range_", "limit", "told"),
    [
        ((0.0, 1.0), 0.0, ""),
        ((0.0, 1.0), 1.0, ""),
        ((0.0, 1.0), 90.0, "90 is outside the range of teds, 0 to 1. Values are fractions: 5 % is 0.05"),
        ((0.0, math.inf), -0.1, "-0.1 is outside the range of teds, 0 to ∞."),
        ((-math.inf, 0.0), 0.1, "0.1 is outside the range of teds, -∞ to 0."),
    ],
)
def test_a_limit_that_no_value_can_have_is_refused(range_: tuple[float, float], limit: float, told: str) -> None:
    ranges = {"teds": range_}
    assert gate_problem("teds", limit, KNOWN, ranges).startswith(told)
    assert bool(gate_problem("teds.micro", limit, KNOWN, ranges)) == bool(told)
    assert gate_problem("cer", limit, KNOWN, ranges) == ""


def test_a_value_fails_beyond_its_limit_and_not_at_it() -> None:
    gates = Gates({"teds": 0.5, "cer.micro": 0.6}, {"cer": 0.1})
    assert failed_gates(summary(a={"teds": 0.5, "cer": 0.1}, b={"teds": 0.4, "cer": 0.2}), gates) == [
        FailedGate("a", "cer.micro", "cer", 0.5, "<", 0.6),
        FailedGate("b", "teds", "teds", 0.4, "<", 0.5),
        FailedGate("b", "cer.micro", "cer", 0.5, "<", 0.6),
        FailedGate("b", "cer", "cer", 0.2, ">", 0.1),
    ]


def test_a_metric_without_a_value_fails_and_so_does_a_run_without_systems() -> None:
    gates = Gates({"teds": 0.0}, {"cer": 9.0})
    assert failed_gates(summary(a={"teds": None, "cer": None}), gates) == [
        FailedGate("a", "teds", "teds", None, "<", 0.0),
        FailedGate("a", "cer", "cer", None, ">", 9.0),
    ]
    assert [(each.system, each.gate) for each in failed_gates(summary(), gates)] == [(None, "teds"), (None, "cer")]
    assert failed_gates(summary(), Gates()) == []
