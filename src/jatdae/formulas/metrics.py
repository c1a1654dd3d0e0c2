"""Metrics of the formulas evaluator, all fractions; formulas: docs/metrics/formulas.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.core.contract import Direction, Metric, Ratio


def _metric(name: str, better: Direction = "higher", *, primary: bool = False, family: bool = False) -> Metric:
    absent = ("no_reference_formula", "bad_reference")
    worst = 0.0 if better == "higher" else 1.0
    micro = Ratio(f"{name}_sum", f"{name}_n")
    return Metric(name, better, worst, "%", primary, absent, micro, (0.0, 1.0), family)


OF_A_PAIR: Final = (
    _metric("formula_score", primary=True, family=True),
    _metric("formula_match", family=True),
    _metric("formula_similarity"),
    _metric("formula_edit_rate", "lower"),
)
"""Measured on each reference formula and its partner."""

METRICS: Final = (*OF_A_PAIR[:2], _metric("formula_f1", family=True), *OF_A_PAIR[2:])

MISSED: Final[Mapping[str, float]] = {metric.name: metric.worst for metric in OF_A_PAIR}
"""What a reference formula without a partner scores."""
