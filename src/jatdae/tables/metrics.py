"""Metrics of the tables evaluator with their worst values, all fractions; formulas: docs/metrics/tables.md.

TEDS (everything), TEDS-S (structure alone), TEDS-F1 (extra tables too) and cell F1 (what people agree with) are the
family that is compared by default: each can show what the others do not, and the rest mostly moves with one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.core.contract import Direction, Metric, Ratio


def _metric(
    name: str, better: Direction = "higher", *, least: float = 0.0, family: bool = False, primary: bool = False
) -> Metric:
    absent = ("no_structure", "no_reference_table", "bad_reference")
    worst = 0.0 if better == "higher" else 1.0
    micro = Ratio(f"{name}_sum", f"{name}_n")
    return Metric(name, better, worst, "%", primary, absent, micro, (least, 1.0), family, causes=_causes(name))


_TABLE: Final = 1000.0
"""A table without a partner weighs more than what is wrong in the cells of others."""
_HARDLY: Final = 0.001


def _causes(name: str) -> dict[str, float]:
    """What a metric counts: texts only where it compares them, extra tables only in TEDS-F1, header marks hardly."""
    lost = {"missed": _TABLE, "not_compared": _TABLE, "extra": _TABLE if name == "teds_f1" else 0.0}
    texts = 0.0 if name in _STRUCTURE else 1.0
    cells = {"cells_missed": 1.0, "cells_extra": 1.0, "spans": 1.0, "text": texts}
    counted = {**lost, **cells, "headers": _HARDLY}
    return {f"table_errors:{key}": weight for key, weight in counted.items()}


_STRUCTURE: Final = ("teds_s", "teds_s_pubtabnet", "grits_top", "row_diff", "col_diff")
"""Metrics that read no text."""


def _teds(name: str, *, family: bool = False, primary: bool = False) -> Metric:
    """Declare a metric made of TEDS: below 0 where a profile does not clamp it, as TED is at most |a| + |b|."""
    return _metric(name, least=-1.0, family=family, primary=primary)


OF_A_PAIR: Final = (
    _teds("teds", family=True, primary=True),
    _teds("teds_s", family=True),
    _teds("teds_pubtabnet"),
    _teds("teds_s_pubtabnet"),
    _metric("cell_f1", family=True),
    _metric("cell_f1_soft"),
    _metric("cell_numbers"),
    _metric("grits_top"),
    _metric("grits_con"),
    _metric("adjacency_f1"),
    _metric("content"),
    _metric("exact_match"),
    _metric("row_diff", "lower"),
    _metric("col_diff", "lower"),
)
"""Measured on each reference table and its partner."""

OF_A_DOCUMENT: Final = (_teds("teds_f1", family=True), _teds("teds_simple"), _teds("teds_complex"))
"""Made from the TEDS of all tables of a document."""

METRICS: Final = (*OF_A_PAIR[:4], *OF_A_DOCUMENT, *OF_A_PAIR[4:])

MISSED: Final[Mapping[str, float]] = {metric.name: metric.worst for metric in OF_A_PAIR}
"""What a reference table without a partner scores."""
