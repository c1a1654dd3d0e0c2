"""The numbers this room reports; formulas are in docs/metrics/documents.md."""

from __future__ import annotations

from typing import Final

from jatdae.core.contract import Direction, Metric
from jatdae.documents.outline import KINDS


def _metric(name: str, better: Direction, *, primary: bool = False, absent: tuple[str, ...] = ()) -> Metric:
    worst = 0.0 if better == "higher" else 1.0
    return Metric(name, better, worst, unit="%", primary=primary, absent=absent)


def _of_structure(name: str) -> Metric:
    return _metric(name, "higher", absent=("no_structure", "no_reference_structure", "bad_reference"))


def _of_tables(name: str) -> Metric:
    return _metric(name, "higher", absent=("no_structure", "no_reference_table", "bad_reference"))


OF_TEXT: Final = (
    _metric("body_cer", "lower", primary=True),
    _metric("cer", "lower"),
    Metric("delta_refs", "lower", worst=0.0, unit="pp"),
    _metric("wer", "lower"),
    _metric("body_wer", "lower"),
)
"""Taken from the text room."""

OF_STRUCTURE: Final = (
    *(_of_structure(f"structure_{name}") for name in ("f1", "precision", "recall")),
    *(_of_structure(f"{kind}_f1") for kind in KINDS),
)

OF_A_TABLE: Final = tuple(map(_of_tables, ("teds", "teds_s", "teds_pubtabnet", "teds_s_pubtabnet")))
"""Taken from the tables room, for each gold table and for the document."""
OF_TABLES: Final = (*OF_A_TABLE, _of_tables("teds_f1"))

METRICS: Final = (*OF_TEXT, *OF_STRUCTURE, *OF_TABLES)
