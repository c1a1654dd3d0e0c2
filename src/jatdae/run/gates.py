"""Gates: limits on the metrics of a run, given by `METRIC=LIMIT` flags or a suite file, checked on a summary."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from jatdae.core.config import named_values
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import metric_and_average
from jatdae.core.messages import near, say

_NO_LIMITS: Final[Mapping[str, float]] = {}


class Gates(NamedTuple):
    """Limits on the metrics of a run: a value below `under` or above `over` fails.

    `cer` is the mean, `cer.micro` the micro average.
    """

    under: Mapping[str, float] = _NO_LIMITS
    over: Mapping[str, float] = _NO_LIMITS


NO_GATES: Final = Gates()


class FailedGate(NamedTuple):
    """A gate that a system failed: the metric, its value and the limit."""

    system: str | None
    """None if no system was scored at all."""
    gate: str
    """The metric as the gate names it: `cer.micro`."""
    metric: str
    value: float | None
    """None if the metric is N/A."""
    sign: str
    """How the value stands to the limit: `<` or `>`."""
    limit: float


def read_gates(under: Sequence[str], over: Sequence[str], known: Collection[str]) -> Gates:
    """Read gates from the values of `--fail-under` and `--fail-over`; `known` are the metrics there are."""

    def limits(flag: str, given: Sequence[str]) -> dict[str, float]:
        return limits_of(named_values(flag, given), known, lambda _: flag)

    return Gates(limits("--fail-under", under), limits("--fail-over", over))


def limits_of(
    given: Mapping[str, float | str], known: Collection[str], place: Callable[[str], str]
) -> dict[str, float]:
    """Read limits by metric for gates; an unknown metric or a limit that is not a finite number is refused.

    `place` says where the limit of a metric was given: a flag, or a line of a file.
    """
    made = {}
    for metric, value in given.items():
        if not metric_and_average(metric, known):
            meant = near(metric, [*known, *(f"{name}.micro" for name in known)])
            told = say("unknown_metric_at", place=place(metric), name=metric, near=meant, known=", ".join(known))
            raise UsageError(told)
        made[metric] = _limit(value, place(metric))
    return made


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


def _limit(value: float | str, place: str) -> float:
    try:
        limit = float(value)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):  # every comparison with NaN is false: it would let everything through
        raise UsageError(say("not_a_number", flag=place, value=value))
    return limit
