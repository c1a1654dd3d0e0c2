"""What can be wrong with a table, by code. Every summary counts these codes, so they are part of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.core.contract import Issue, Severity
from jatdae.core.errors import IssueError

SEVERITIES: Final[Mapping[str, Severity]] = {
    "no_table": "warning",  # the prediction has structure but no table: 0
    "no_structure": "info",  # the system writes no structure at all: N/A
    "no_reference_table": "info",  # nothing to compare with: N/A
    "parse_error": "error",  # the prediction, or a table of it, cannot be read: 0
    "bad_reference": "error",  # the reference, or a table of it, cannot be read: N/A
    "reference_too_large": "warning",  # a table of the reference is beyond a stated limit by itself: N/A
    "too_large": "error",  # the prediction is beyond a stated limit: 0
    "bad_span": "warning",  # the prediction has a colspan or rowspan that is no integer: 0
    "empty_table": "warning",  # nothing to divide by: N/A
    "no_simple_table": "info",  # every table of the reference spans: teds_simple is N/A
    "no_complex_table": "info",  # no table of the reference spans: teds_complex is N/A
    "table_count_mismatch": "warning",
    "table_missed": "warning",  # a reference table without a partner: 0
    "table_extra": "warning",  # a predicted table without a partner: counted, charged by teds_f1
    "table_repaired": "warning",  # a ragged, unclosed or misdelimited table, read as its writer meant it
    "reference_repaired": "warning",  # the same in the reference
    "fence_unwrapped": "info",  # the whole prediction stood in one code fence
    "inline_tags": "warning",  # tags inside the prediction's cells more than double |T|, and so flatter TEDS
    "header_text": "info",  # th occurs: its text counts here, and not in profile pubtabnet
}

OF_THE_SPLIT: Final = frozenset({"no_simple_table", "no_complex_table"})
"""Of no interest to who does not report teds_simple and teds_complex."""


class TableError(IssueError):
    """A table that cannot be measured."""

    severities = SEVERITIES


def issue(code: str, message: str) -> Issue:
    """An issue with the severity of its code."""
    return Issue(code, message, SEVERITIES[code])
