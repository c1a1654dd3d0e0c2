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
_UNWRITTEN: Final = ("missing_prediction", "no_structure")
"""Why a system has no value where the reference has something to ask: it wrote nothing, or no structure."""

_FAMILY: Final = (
    *("body_cer", "cer", "order_free_error", "structure_f1", "teds", "teds_s", "cell_f1", "grits_con"),
    "formula_score",
)
"""Shown, compared and tested by default: the columns of the paper's table, without the difference of two of them, what
is read without regard to order, the two numbers of tables that agree best with people, and formulas."""


def _taken(from_room: Mapping[str, Metric], *names: str) -> tuple[Metric, ...]:
    return tuple(replace(from_room[name], primary=name == "body_cer", family=name in _FAMILY) for name in names)


def _why_absent(*of_the_reference: str) -> tuple[str, ...]:
    """Why a system may have no value: what the reference lacks is told first, for it holds for every system."""
    return (*of_the_reference, *_UNWRITTEN, "bad_reference")


_OF_STRUCTURE_ABSENT: Final = {
    "heading_levels": ("no_reference_heading",),
    "heading_f1": ("no_reference_heading",),
    "list_item_f1": ("no_list_item",),
    "table_row_f1": ("no_reference_table",),
    "code_block_f1": ("no_code_block",),
}
"""Why the reference has nothing to ask, by metric; of all kinds together it is `no_reference_structure`."""


OF_TEXT: Final = _taken(
    _TEXT,
    *("body_cer", "cer", "order_free_error", "delta_bibliography", "bibliography_cer", "wer", "body_wer"),
)
"""Taken from the text room."""

OF_STRUCTURE: Final = tuple(
    Metric(
        name,
        "higher",
        0.0,
        "%",
        absent=_why_absent(*_OF_STRUCTURE_ABSENT.get(name, ("no_reference_structure",))),
        micro=micro,
        range=(0.0, 1.0),
        family=name in _FAMILY,
        causes={},
    )
    for name, micro in micro_averages().items()
)

OF_BLOCKS: Final = (
    Metric("block_recall", "higher", 0.0, "%", micro=blocks.micro_averages()["block_recall"], range=(0.0, 1.0)),
    Metric("order_error", "lower", 1.0, "%", micro=blocks.micro_averages()["order_error"], range=(0.0, 1.0)),
)

OF_TABLES: Final = tuple(
    replace(metric, absent=_why_absent("no_reference_table"))
    for metric in _taken(
        _TABLES, "teds", "teds_s", "teds_pubtabnet", "teds_s_pubtabnet", "cell_f1", "grits_con", "teds_f1"
    )
)
"""Taken from the tables room."""
OF_A_TABLE: Final = OF_TABLES[:-1]
"""Those that each reference table has."""

OF_FORMULAS: Final = tuple(
    replace(metric, absent=_why_absent("no_reference_formula"))
    for metric in _taken(_FORMULAS, "formula_score", "formula_match", "formula_f1")
)
"""Taken from the formulas room."""

OF_EFFORT: Final = tuple(
    Metric(
        name,
        "lower",
        0.0,
        micro=Ratio(*sums),
        optional=True,
        effort=True,
        told=told,
        counted=tuple(key for key in told if key == "pages"),
    )
    for name, sums, told in (
        ("seconds_per_page", ("seconds_per_page.sum", "seconds_per_page.pages"), ("seconds", "pages")),
        ("seconds", ("seconds.sum", "seconds.documents"), ("seconds",)),
        ("cost", ("cost.sum", "cost.documents"), ("cost",)),
    )
)
"""Taken from what is told of the predictions. Seconds are by document, and by page where pages are told."""

METRICS: Final = (*OF_TEXT, *OF_BLOCKS, *OF_STRUCTURE, *OF_TABLES, *OF_FORMULAS, *OF_EFFORT)
