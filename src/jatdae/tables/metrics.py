"""Metrics of the tables evaluator with their worst values, all fractions; formulas: docs/metrics/tables.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.core.contract import Direction, Metric, Ratio


def _metric(name: str, better: Direction = "higher", *, primary: bool = False) -> Metric:
    absent = ("no_structure", "no_reference_table", "bad_reference")
    worst = 0.0 if better == "higher" else 1.0
    return Metric(name, better, worst, "%", primary, absent, micro=Ratio(f"{name}_sum", f"{name}_n"))


OF_A_PAIR: Final = (
    _metric("teds", primary=True),
    _metric("teds_s"),
    _metric("teds_pubtabnet"),
    _metric("teds_s_pubtabnet"),
    _metric("grits_top"),
    _metric("grits_con"),
    _metric("adjacency_f1"),
    _metric("content"),
    _metric("exact_match"),
    _metric("row_diff", "lower"),
    _metric("col_diff", "lower"),
)
"""Measured on each reference table and its partner."""

OF_A_DOCUMENT: Final = (_metric("teds_f1"), _metric("teds_simple"), _metric("teds_complex"))
"""Made from the TEDS of all tables of a document."""

METRICS: Final = (*OF_A_PAIR[:4], *OF_A_DOCUMENT, *OF_A_PAIR[4:])

MISSED: Final[Mapping[str, float]] = {metric.name: metric.worst for metric in OF_A_PAIR}
"""What a reference table without a partner scores."""
