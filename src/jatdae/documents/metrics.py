"""Metrics of the documents evaluator; their formulas are in docs/metrics/documents.md."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from jatdae.core.contract import Metric
from jatdae.core.evaluator import spec_of
from jatdae.documents.structure import micro_averages
from jatdae.tables.evaluator import TableEvaluator
from jatdae.text.evaluator import TextEvaluator

_TEXT: Final = {metric.name: metric for metric in spec_of(TextEvaluator).metrics}
_TABLES: Final = {metric.name: metric for metric in spec_of(TableEvaluator).metrics}
_NO_STRUCTURE: Final = ("no_structure", "no_reference_structure", "bad_reference")

OF_TEXT: Final = tuple(_TEXT[name] for name in ("body_cer", "cer", "delta_bibliography", "wer", "body_wer"))
"""Taken from the text room."""

OF_STRUCTURE: Final = tuple(
    Metric(name, "higher", worst=0.0, unit="%", absent=_NO_STRUCTURE, micro=micro)
    for name, micro in micro_averages().items()
)

OF_A_TABLE: Final = tuple(
    replace(_TABLES[name], primary=False) for name in ("teds", "teds_s", "teds_pubtabnet", "teds_s_pubtabnet")
)
"""Taken from the tables room, for each gold table and for the document."""
OF_TABLES: Final = (*OF_A_TABLE, _TABLES["teds_f1"])

METRICS: Final = (*OF_TEXT, *OF_STRUCTURE, *OF_TABLES)
