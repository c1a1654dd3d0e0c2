"""Gates: limits on the metrics of a run, given by `METRIC=LIMIT` flags or a suite file, checked on a summary.

    cer=5%          macro mean            cer.micro=0.05   micro average
    field:total=0.9 rate of one key, where the evaluator declares rates (`field`, `rule` …)

A gate that cannot fail is refused when it is read: an unknown metric, a limit beyond the metric's range or in the wrong
scale, the wrong direction, NaN. A metric that is N/A fails its gate.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from jatdae.core.config import named_values
from jatdae.core.contract import OTHER
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import metric_and_average
from jatdae.core.messages import near, say
from jatdae.run.stats.compare import SIGNIFICANT, Comparison, Difference
from jatdae.run.stats.rates import ARROW, rate_keys, rate_of
from jatdae.run.stats.shown import bracketed, change, number, p_equals, system_label

UNDER: Final = "<"
OVER: Final = ">"
_FLAGS: Final = {UNDER: "--fail-under", OVER: "--fail-over"}
_KEYWORDS: Final = {UNDER: "fail_under", OVER: "fail_over"}
"""The same in Python."""
_SHOWN_KEYS: Final = 10
_LIMIT: Final = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([%％]?)\s*", re.ASCII | re.IGNORECASE)
_ROUNDING: Final = 1e-12
"""A loss of exactly the margin, as 0.05000000000000003, is tolerated."""

Measures = Mapping[str, Any]
"""What can be gated: the keys `metrics` and `rates` of a summary, or `measures_of` an evaluator."""


class Gate(NamedTuple):
    """A limit on a metric or rate: a value on the wrong side of it fails."""

    name: str
    """As it was given: METRIC, METRIC.micro or RATE:KEY."""
    sign: str
    """`<` fails below the limit, `>` above."""
    limit: float


class FailedGate(NamedTuple):
    """A gate that a system failed, and the system's value."""

    gate: Gate
    system: str | None
    """None if no system was scored at all."""
    value: float | None
    """None if the metric is N/A."""
    unit: str
    """In which the value is shown."""

    def __str__(self) -> str:
        if self.system is None:
            return say("gate_unmet", metric=self.gate.name)
        limit = "" if self.value is None else f" {self.gate.sign} {number(self.gate.limit, self.unit)}"
        text = number(self.value, self.unit) + limit
        return say("gate_failed", system=system_label(self.system), metric=self.gate.name, text=text)


def read_gates(under: Sequence[str], over: Sequence[str], measures: Measures) -> tuple[Gate, ...]:
    """Read gates from the values of `--fail-under` and `--fail-over`."""
    made = []
    for sign, given in ((UNDER, under), (OVER, over)):
        for name, limit in named_values(_FLAGS[sign], given, split_last=True).items():
            if problem := gate_problem(name, sign, limit, measures):
                raise UsageError(say("bad_option", place=f"{_FLAGS[sign]} {name}={limit}", problem=problem))
            made.append(Gate(name, sign, _number(limit)))
    return tuple(made)


def gates_of(under: Mapping[str, float | str], over: Mapping[str, float | str]) -> tuple[Gate, ...]:
    """Gates from limits by metric, already found to have no problem."""
    both = ((UNDER, under), (OVER, over))
    return tuple(Gate(name, sign, _number(limit)) for sign, limits in both for name, limit in limits.items())


def gates_from(
    under: Mapping[str, float | str], over: Mapping[str, float | str], measures: Measures
) -> tuple[Gate, ...]:
    """Gates from limits by metric that were given in Python as `fail_under` and `fail_over`."""
    for sign, limits in ((UNDER, under), (OVER, over)):
        if not isinstance(limits, Mapping):
            raise UsageError(say("gate_no_mapping", keyword=_KEYWORDS[sign], value=repr(limits)))
        for name, limit in limits.items():
            if problem := gate_problem(name, sign, limit, measures, _KEYWORDS):
                raise UsageError(say("bad_option", place=f"{_KEYWORDS[sign]} {name}={limit}", problem=problem))
    return gates_of(under, over)


def gate_problem(
    name: str, sign: str, limit: float | str, measures: Measures, flags: Mapping[str, str] = _FLAGS
) -> str:
    """Why a gate cannot be kept: an unknown metric, or a limit that no value can fail. "" if it can be kept."""
    about = _about(name, measures)
    if about is None:
        return _unknown(name, measures)
    number = _number(limit)
    if not math.isfinite(number):  # every comparison with NaN is false: it would let everything through
        return say("gate_not_a_number", value=limit)
    if (about["better"] == "lower") == (sign == UNDER):
        key = "gate_direction_lower" if sign == UNDER else "gate_direction_higher"
        return say(key, name=name, flag=flags[OVER if sign == UNDER else UNDER])
    low, high = about["range"]  # an end without limit is null in a summary
    low, high = -math.inf if low is None else low, math.inf if high is None else high
    least = 1.0 if sign == OVER and high > 1 else math.nextafter(1.0, 2.0)  # cer=1 lets nearly everything through
    if number >= least and not _is_percent(limit) and (high <= 1 or about["unit"] in ("%", "pp")):
        return say("gate_scale", value=f"{number:g}", percent=f"{100 * number:g}", fraction=f"{number / 100:g}")
    if not low <= number <= high:
        return say("gate_outside", name=name, value=f"{number:g}", low=_end(low), high=_end(high))
    if number == (low if sign == UNDER else high):
        return say("gate_cannot_fail", name=name, value=f"{number:g}")
    return ""


def failed_gates(summary: Mapping[str, Any], gates: Iterable[Gate]) -> list[FailedGate]:
    """Gates that a run summary fails.

    A value that is N/A fails its gate, and so does every gate if no system was scored. A key that no system has is an
    error: it would be a slip of the pen rather than a failure.
    """
    failed = []
    for gate in gates:
        unit = (_about(gate.name, summary) or {"unit": ""})["unit"]
        values = {system: _value(gate.name, summary, system) for system in summary["systems"]}
        if values and ":" in gate.name and set(values.values()) == {None}:
            _refuse_unknown_key(gate.name, summary)
        for system, value in values.items() or [(None, None)]:
            if value is None or (value < gate.limit if gate.sign == UNDER else value > gate.limit):
                failed.append(FailedGate(gate, system, value, unit))
    return failed


def read_margin(text: str) -> float:
    """Read the loss that a gate on regressions tolerates: 0.01 or 1%."""
    margin = _number(text)
    if not 0 <= margin <= 1:
        raise UsageError(say("bad_margin", value=text))
    return margin


def regressions(comparison: Comparison, margin: float) -> list[str]:
    """Describe what fails a gate on regressions: B is worse by more than the margin, and p < 0.05 after Holm.

    Where there are too few clusters for a p-value, the margin alone decides. A metric of which B has lost more than
    half of the values fails, too.
    """
    names = {"a": system_label(comparison.a), "b": system_label(comparison.b)}
    if not any(row.n for row in comparison.differences):
        return [say("gate_no_pairs", **names)]
    return [
        say("gate_regression", **names, metric=row.metric.name, why=why)
        for row in comparison.differences
        if (why := _regression(row, margin))
    ]


def _regression(row: Difference, margin: float) -> str:
    if row.only_a > row.n:
        return say("gate_values_lost", n=row.only_a, all=row.only_a + row.n)
    if -row.gain <= margin + _ROUNDING:
        return ""
    if not row.too_few and (row.p_holm is None or row.p_holm >= SIGNIFICANT):
        return ""
    size = change(row.delta, row.metric.unit) + bracketed(row.ci, row.metric.unit)
    tested = "" if row.p_holm is None else f", {p_equals(row.p_holm)} (Holm)"
    return say("gate_by_more", text=size + tested, margin=f"{margin:g}")


def gated_metrics(gates: Iterable[Gate], measures: Measures) -> list[str]:
    """Metrics that have a gate; a gate on a rate is on no metric."""
    found = (metric_and_average(gate.name, measures["metrics"]) for gate in gates)
    return [each[0] for each in found if each]


def _value(name: str, summary: Mapping[str, Any], system: str) -> float | None:
    described = summary["systems"][system]
    found = metric_and_average(name, summary["metrics"])
    if found is None:
        rate, _, key = name.partition(":")
        return rate_of(summary["rates"][rate], key, described["counts"])
    value: float | None = described["metrics"][found[0]][found[1]]
    return value


def _about(name: str, measures: Measures) -> Mapping[str, Any] | None:
    """Direction, range and unit of what a gate names; None if it is unknown."""
    if found := metric_and_average(name, measures["metrics"]):
        metric: Mapping[str, Any] = measures["metrics"][found[0]]
        return metric
    rate, colon, key = name.partition(":")
    known = measures.get("rates", {}).get(rate)
    gated = colon and key and known and known["below"]
    return {"better": known["better"], "range": (0.0, 1.0), "unit": "%"} if gated else None


def _unknown(name: str, measures: Measures) -> str:
    metrics, rates = (
        list(measures["metrics"]),
        [f"{rate}:…" for rate, of in measures.get("rates", {}).items() if of["below"]],
    )
    _, _, key = name.partition(":")
    guesses = [f"{each.removesuffix('…')}{key}" for each in rates] if key else []
    meant = near(name, [*metrics, *(f"{metric}.micro" for metric in metrics), *guesses])
    return say("unknown_metric_here", name=name, near=meant, known=", ".join([*metrics, *rates]))


def _refuse_unknown_key(name: str, summary: Mapping[str, Any]) -> None:
    rate, _, key = name.partition(":")
    about = summary["rates"][rate]
    tables = [table.strip(ARROW) for table in (*about["above"], *about["below"])]
    counted = [system["counts"].get(table, {}) for system in summary["systems"].values() for table in tables]
    declared = {key for table in tables for key in summary.get("counts", {}).get(table, {}).get("names", ())}
    known = rate_keys(about, summary)
    if key in known or key in declared or any(OTHER in counts for counts in counted):
        return  # it did not apply, or may be pooled with others: N/A
    listed = ", ".join(known[:_SHOWN_KEYS]) + (" …" if len(known) > _SHOWN_KEYS else "")
    raise UsageError(say("gate_unknown_key", name=name, near=near(key, known), known=listed or "–"))


def _number(limit: float | str) -> float:
    """A limit as a fraction: 5 % is 0.05. NaN if it is no number."""
    if isinstance(limit, str):
        found = _LIMIT.fullmatch(limit)
        return math.nan if found is None else float(found[1]) / 100 if found[2] else float(found[1])
    return float(limit) if isinstance(limit, int | float) and not isinstance(limit, bool) else math.nan


def _is_percent(limit: float | str) -> bool:
    return str(limit).rstrip().endswith(("%", "％"))


def _end(value: float) -> str:
    return f"{value:g}" if math.isfinite(value) else f"{value:+g}".replace("inf", "∞").lstrip("+")
