"""Gates: limits on the metrics of a run, given by `METRIC=LIMIT` flags or a suite file, checked on a summary."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from jatdae.core.config import named_values
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import metric_and_average
from jatdae.core.messages import near, say

_NO_LIMITS: Final[Mapping[str, float]] = {}


class Gates(NamedTuple):
    """Limits on the metrics of a run: a value below `under` or above `over` fails.

    `METRIC` is the mean, `METRIC.micro` the micro average.
    """

    under: Mapping[str, float] = _NO_LIMITS
    over: Mapping[str, float] = _NO_LIMITS


NO_GATES: Final = Gates()


class FailedGate(NamedTuple):
    """A gate that a system failed: the metric, its value and the limit."""

    system: str | None
    """None if no system was scored at all."""
    gate: str
    """The metric as the gate names it, with `.micro` if that is meant."""
    metric: str
    value: float | None
    """None if the metric is N/A."""
    sign: str
    """How the value stands to the limit: `<` or `>`."""
    limit: float


Ranges = Mapping[str, tuple[float, float]]
"""Least and greatest value by metric."""
NO_RANGES: Final[Ranges] = {}


def read_gates(under: Sequence[str], over: Sequence[str], known: Collection[str], ranges: Ranges = NO_RANGES) -> Gates:
    """Read gates from the values of `--fail-under` and `--fail-over`; `known` are the metrics there are."""

    def limits(flag: str, given: Sequence[str]) -> dict[str, float]:
        texts = named_values(flag, given)
        for metric, text in texts.items():
            if problem := gate_problem(metric, text, known, ranges):
                raise UsageError(say("bad_option", place=flag, problem=problem))
        return {metric: float(text) for metric, text in texts.items()}

    return Gates(limits("--fail-under", under), limits("--fail-over", over))


def gate_problem(gate: str, limit: float | str, known: Collection[str], ranges: Ranges = NO_RANGES) -> str:
    """Why a gate cannot be kept: an unknown metric, or a limit that its values cannot have. "" if it can be kept."""
    if not (found := metric_and_average(gate, known)):
        meant = near(gate, [*known, *(f"{name}.micro" for name in known)])
        return say("unknown_metric_here", name=gate, near=meant, known=", ".join(known))
    number = _number(limit)
    if not math.isfinite(number):  # every comparison with NaN is false: it would let everything through
        return say("gate_not_a_number", value=limit)
    low, high = ranges.get(found[0], (-math.inf, math.inf))
    if not low <= number <= high:
        ends = {"low": _end(low), "high": _end(high)}
        return say("gate_outside", name=found[0], value=f"{number:g}", **ends)
    return ""


def failed_gates(summary: Mapping[str, Any], gates: Gates) -> list[FailedGate]:
    """Gates that a run summary fails.

    A metric that is N/A fails its gate, and so does every gate if no system was scored.
    """
    failed = []
    for system in summary["systems"] or [None]:
        for limits, sign in ((gates.under, "<"), (gates.over, ">")):
            for gate, limit in limits.items():
                metric, average = metric_and_average(gate, summary["metrics"]) or (gate, "macro")
                value = None if system is None else summary["systems"][system]["metrics"][metric][average]
                if value is None or (value < limit if sign == "<" else value > limit):
                    failed.append(FailedGate(system, gate, metric, value, sign, limit))
    return failed


def _number(limit: float | str) -> float:
    try:
        return float(limit)
    except ValueError:
        return math.nan


def _end(value: float) -> str:
    return f"{value:g}" if math.isfinite(value) else f"{value:+g}".replace("inf", "∞").lstrip("+")
