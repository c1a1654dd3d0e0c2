"""Gates on metrics: `--fail-under teds=0.9`, `--fail-over cer=0.05`."""

from __future__ import annotations

import math
from typing import Any

from jatdae.cli.flags import named_values
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import metric_and_average, spec_of
from jatdae.core.messages import near, say
from jatdae.report.sheets import number, system_label
from jatdae.run.stats.result import lookup

Gates = dict[str, float]


def parse_gates(evaluator: Any, under: tuple[str, ...], over: tuple[str, ...]) -> tuple[Gates, Gates]:
    """Thresholds by metric; an unknown metric is refused before the run begins."""
    known = [metric.name for metric in spec_of(evaluator).metrics]

    def parse(flag: str, given: tuple[str, ...]) -> Gates:
        gates = {}
        for metric, text in named_values(flag, given).items():
            if not metric_and_average(metric, known):
                raise UsageError(say("unknown_metric", name=metric, near=near(metric, known), known=", ".join(known)))
            gates[metric] = _limit(flag, text)
        return gates

    return parse("--fail-under", under), parse("--fail-over", over)


def check_gates(summary: dict[str, Any], under: Gates, over: Gates) -> list[str]:
    """What failed, in words. A gated metric that is N/A fails, and so does a gate that nothing came to."""
    failed = [] if summary["systems"] else [say("gate_unmet", metric=metric) for metric in (*under, *over)]
    for system in summary["systems"]:
        for gates, sign, word in ((under, -1, "<"), (over, 1, ">")):
            for metric, limit in gates.items():
                value = lookup(summary, metric, system)
                if value is None or sign * (value - limit) > 0:
                    name, _ = metric_and_average(metric, summary["metrics"]) or (metric, "")
                    unit = summary["metrics"][name]["unit"]
                    text = number(value, unit) + ("" if value is None else f" {word} {number(limit, unit)}")
                    failed.append(say("gate_failed", system=system_label(system), metric=metric, text=text))
    return failed


def _limit(flag: str, text: str) -> float:
    """A gate that is not a number would let everything through."""
    try:
        limit = float(text)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise UsageError(say("not_a_number", flag=flag, value=text))
    return limit
