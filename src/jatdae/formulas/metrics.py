"""Metrics of the formulas evaluator, all fractions; formulas: docs/metrics/formulas.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.core.contract import Direction, Metric, Ratio


def _metric(name: str, better: Direction = "higher", *, primary: bool = False, family: bool = False) -> Metric:
    absent = ("no_reference_formula", "bad_reference")
    worst = 0.0 if better == "higher" else 1.0
    micro = Ratio(f"{name}_sum", f"{name}_n")
    return Metric(name, better, worst, "%", primary, absent, micro, (0.0, 1.0), family, causes=_causes(name))


_FORMULA: Final = 1000.0
"""A formula without a partner weighs more than symbols of others."""


def _causes(name: str) -> dict[str, float]:
    """Symbols, and formulas without a partner: extra ones count in F1 alone."""
    extra = _FORMULA if name == "formula_f1" else 0.0
    lost = {"formula_errors:missed": _FORMULA, "formula_errors:extra": extra}
    return {"formula_confusions": 1.0, "formula_errors": 1.0, **lost}


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
