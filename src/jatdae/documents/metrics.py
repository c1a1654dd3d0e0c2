"""The numbers this room reports; formulas are in docs/metrics/documents.md."""

from __future__ import annotations

from typing import Final

from jatdae.core.contract import Direction, Metric
from jatdae.documents.outline import KINDS


def _metric(name: str, better: Direction, unit: str = "%", *, primary: bool = False) -> Metric:
    return Metric(name, better, worst=0.0 if better == "higher" else 1.0, unit=unit, primary=primary)


OF_TEXT: Final = (
    _metric("body_cer", "lower", primary=True),
    _metric("cer", "lower"),
    Metric("delta_refs", "lower", worst=0.0, unit="pp"),
    _metric("wer", "lower"),
    _metric("body_wer", "lower"),
)
"""Taken from the text room."""

OF_STRUCTURE: Final = (
    *(_metric(f"structure_{name}", "higher") for name in ("f1", "precision", "recall")),
    *(_metric(f"{kind}_f1", "higher") for kind in KINDS),
)

OF_A_TABLE: Final = tuple(_metric(name, "higher") for name in ("teds", "teds_s", "teds_pubtabnet", "teds_s_pubtabnet"))
"""Taken from the tables room, for each gold table and for the document."""
OF_TABLES: Final = (*OF_A_TABLE, _metric("teds_f1", "higher"))

METRICS: Final = (*OF_TEXT, *OF_STRUCTURE, *OF_TABLES)
