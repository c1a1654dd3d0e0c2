"""Issues of tables with their severities, and the limits beyond which one is raised.

Every summary counts the codes, so they are part of the interface. Beyond a limit there is an issue, never a wrong
number or a long wait.
"""

from __future__ import annotations

from typing import Final

from jatdae.core.contract import IssueKind
from jatdae.core.errors import IssueError
from jatdae.core.messages import speaker

ISSUES: Final = (
    IssueKind("no_table", "warning"),  # the prediction has structure but no table: 0
    IssueKind("no_structure", "info"),  # the system writes no structure at all: N/A
    IssueKind("no_reference_table", "info"),  # nothing to compare with: N/A
    IssueKind("parse_error", "error"),  # the prediction, or a table of it, cannot be read: 0
    IssueKind("bad_reference", "error"),  # the reference, or a table of it, cannot be read: N/A
    IssueKind("reference_too_large", "warning"),  # a table of the reference is beyond a stated limit by itself: N/A
    IssueKind("too_large", "error"),  # the prediction is beyond a stated limit: 0
    IssueKind("bad_span", "warning"),  # the prediction has a colspan or rowspan that is no integer: 0
    IssueKind("empty_table", "warning"),  # nothing to divide by: N/A
    IssueKind("no_simple_table", "info"),  # every table of the reference spans: teds_simple is N/A
    IssueKind("no_complex_table", "info"),  # no table of the reference spans: teds_complex is N/A
    IssueKind("no_numbers", "info"),  # no cell of the reference is a number: cell_numbers is N/A
    IssueKind("table_count_mismatch", "warning"),
    IssueKind("table_missed", "warning"),  # a reference table without a partner: 0
    IssueKind("table_extra", "warning"),  # a predicted table without a partner: counted, charged by teds_f1
    IssueKind("table_repaired", "warning"),  # a ragged, unclosed or misdelimited table, read as its writer meant it
    IssueKind("reference_repaired", "warning"),  # the same in the reference
    IssueKind("fence_unwrapped", "info"),  # the whole prediction stood in one code fence
    IssueKind("inline_tags", "warning"),  # tags inside the prediction's cells more than double |T|, and so flatter TEDS
    IssueKind("header_text", "info"),  # th occurs: its text counts here, and not in profile pubtabnet
)

OF_THE_SPLIT: Final = frozenset({"no_simple_table", "no_complex_table", "no_numbers"})
"""Codes that matter only where teds_simple, teds_complex and cell_numbers are reported."""


class TableError(IssueError):
    """Error for a table that cannot be measured; its code is that of the issue it becomes."""

    say = staticmethod(speaker(__name__))


MAX_CHARS: Final = 5_000_000
"""Characters of one text, unless an evaluator is told otherwise."""
MAX_TABLES: Final = 10_000
"""Tables of one text."""
MAX_DEPTH: Final = 1000
"""Levels of open elements. libxml2 cuts a deeper document off in silence or at its own limit."""
MAX_ATTRIBUTES: Final = 1000
"""Attributes of one tag, repeated ones included."""
MAX_COLSPAN: Final = 1000
"""Columns one cell takes in a grid, as in the HTML standard; a larger span is read as this."""
MAX_SLOTS: Final = 1_000_000
"""Rows times columns of one grid."""
MAX_PIPE_CELLS: Final = 200_000
"""Cells of one pipe table, its short rows filled up."""
MAX_LATEX_CELLS: Final = 200_000
"""Cells of one LaTeX table, its short rows filled up."""
MAX_TABLE_PAIRS: Final = 10_000
"""Pairs of tables an assignment scores before it chooses among them."""
MAX_NODE_PAIRS: Final = 2_000_000_000
"""Nodes of all predicted tables times nodes of all reference tables, for an assignment."""
MAX_SLOT_PAIRS: Final = 100_000_000
"""Slots of one grid times slots of the other, for GriTS and cell F1."""
MAX_CHAR_PAIRS: Final = 100_000_000_000
"""Characters of one table times characters of the other, for GriTS-Con, content and the soft cell F1."""


def check_slot_pairs(a: int, b: int) -> None:
    """Refuse two table grids of `a` and `b` slots that would take too long to align."""
    if a * b > MAX_SLOT_PAIRS:
        raise TableError("too_large", "too_many_slot_pairs", most=MAX_SLOT_PAIRS)


def check_chars(a: int, b: int) -> None:
    """Refuse two table texts of lengths `a` and `b` that would take too long to align."""
    if a * b > MAX_CHAR_PAIRS:
        raise TableError("too_large", "texts_too_long", a=a, b=b)
