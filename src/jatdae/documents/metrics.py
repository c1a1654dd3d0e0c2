"""Metrics of the documents evaluator; their formulas are in docs/metrics/documents.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from jatdae.core.contract import Metric, Ratio
from jatdae.core.evaluator import spec_of
from jatdae.documents import blocks
from jatdae.documents.structure import micro_averages
from jatdae.formulas.evaluator import FormulaEvaluator
from jatdae.tables.evaluator import TableEvaluator
from jatdae.text.evaluator import TextEvaluator

_TEXT: Final = {metric.name: metric for metric in spec_of(TextEvaluator).metrics}
_TABLES: Final = {metric.name: metric for metric in spec_of(TableEvaluator).metrics}
_FORMULAS: Final = {metric.name: metric for metric in spec_of(FormulaEvaluator).metrics}
_NO_STRUCTURE: Final = ("no_structure", "no_reference_structure", "no_reference_heading", "bad_reference")

_FAMILY: Final = ("body_cer", "cer", "structure_f1", "teds", "teds_s", "formula_score")
"""Compared and tested by default: the columns of the paper's table, without the difference of two of them; formulas."""


def _taken(from_room: Mapping[str, Metric], *names: str) -> tuple[Metric, ...]:
    return tuple(replace(from_room[name], primary=name == "body_cer", family=name in _FAMILY) for name in names)


OF_TEXT: Final = _taken(
    _TEXT,
    *("body_cer", "cer", "order_free_error", "delta_bibliography", "bibliography_cer", "wer", "body_wer"),
)
"""Taken from the text room."""

OF_STRUCTURE: Final = tuple(
    Metric(
        name, "higher", 0.0, "%", absent=_NO_STRUCTURE, micro=micro, range=(0.0, 1.0), family=name in _FAMILY, causes={}
    )
    for name, micro in micro_averages().items()
)

OF_BLOCKS: Final = (
    Metric("block_recall", "higher", 0.0, "%", micro=blocks.micro_averages()["block_recall"], range=(0.0, 1.0)),
    Metric("order_error", "lower", 1.0, "%", micro=blocks.micro_averages()["order_error"], range=(0.0, 1.0)),
)

OF_A_TABLE: Final = _taken(_TABLES, "teds", "teds_s", "teds_pubtabnet", "teds_s_pubtabnet", "cell_f1", "grits_con")
"""Taken from the tables room, for each reference table and for the document."""
OF_TABLES: Final = (*OF_A_TABLE, *_taken(_TABLES, "teds_f1"))

OF_FORMULAS: Final = tuple(
    replace(metric, absent=("no_structure", *metric.absent))
    for metric in _taken(_FORMULAS, "formula_score", "formula_match", "formula_f1")
)
"""Taken from the formulas room."""

OF_EFFORT: Final = tuple(
    Metric(name, "lower", 0.0, micro=Ratio(f"{name}.sum", f"{name}.documents"), optional=True, effort=True)
    for name in ("seconds", "cost")
)
"""Taken from what is told of the predictions."""

METRICS: Final = (*OF_TEXT, *OF_BLOCKS, *OF_STRUCTURE, *OF_TABLES, *OF_FORMULAS, *OF_EFFORT)
