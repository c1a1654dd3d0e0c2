"""What can be wrong with a table, by code. Every summary counts these codes, so they are part of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.core.contract import Issue, Severity
from jatdae.core.errors import DataError

SEVERITIES: Final[Mapping[str, Severity]] = {
    "no_table": "warning",  # the prediction has structure but no table: 0
    "no_structure": "info",  # the system writes no structure at all: N/A
    "no_reference_table": "info",  # nothing to compare with: N/A
    "parse_error": "error",  # the prediction cannot be read: N/A
    "bad_reference": "error",  # the reference cannot be read: N/A
    "too_large": "error",  # beyond a stated limit: N/A
    "bad_span": "warning",  # a colspan or rowspan that is no integer: N/A
    "empty_table": "warning",  # nothing to divide by: N/A
    "table_count_mismatch": "warning",
    "table_missed": "warning",  # a reference table without a partner: 0
    "table_extra": "warning",  # a predicted table without a partner: counted, charged by teds_f1
    "table_repaired": "warning",  # a ragged, unclosed or misdelimited table, read as its writer meant it
    "reference_repaired": "warning",  # the same in the reference
    "fence_unwrapped": "info",  # the whole prediction stood in one code fence
    "inline_tags": "warning",  # tags inside the prediction's cells more than double |T|, and so flatter TEDS
    "header_text": "info",  # th occurs: its text counts here, and not in profile pubtabnet
}


class TableError(DataError):
    """A table that cannot be measured; `code` names the issue it becomes."""

    def __init__(self, code: str, cause: str) -> None:
        super().__init__(cause)
        self.code = code

    @property
    def issue(self) -> Issue:
        """The same as something a score carries along."""
        return issue(self.code, str(self))


def issue(code: str, message: str) -> Issue:
    """An issue with the severity of its code."""
    return Issue(code, message, SEVERITIES[code])
