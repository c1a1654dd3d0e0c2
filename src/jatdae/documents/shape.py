"""Structure F1 of one document: both sides read, compared, and put into an outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from jatdae.core.contract import Issue, Outcome
from jatdae.documents import structure
from jatdae.documents.metrics import OF_STRUCTURE
from jatdae.documents.outline import Outline, outline, rows_of
from jatdae.tables.extraction import read, read_text
from jatdae.tables.table_issues import TableError


@dataclass(frozen=True, slots=True)
class Shape:
    """How structure is measured: on the body, as Body CER is, for a gold text may lack the bibliography a page has."""

    body: Callable[[str], str]
    """Leaves the bibliography out."""
    clean: Callable[[str], str]
    """Makes the texts of elements comparable."""
    max_chars: int
    structured: bool | Literal["auto"]
    """Whether the system writes structure; `auto` asks the document itself."""

    def score(self, prediction: Any, text: Any, tables: Any) -> Outcome:
        """A prediction against the gold text, and the gold tables where they are given apart."""
        try:
            expected, _ = self._read(text)
            if tables is not None:
                expected["table_row"] = rows_of(read(tables).tables)
        except TableError as error:
            return _not_applicable("bad_reference", f"the reference cannot be read: {error}")
        if self.structured is False:
            return _without_structure()
        try:
            predicted, structured = self._read(prediction)
        except TableError as error:
            return self._nothing_of(expected, error.issue)
        return self._compare(predicted, expected) if structured or self.structured is True else _without_structure()

    def _compare(self, predicted: Outline, expected: Outline, *issues: Issue) -> Outcome:
        try:
            found = structure.compare(predicted, expected, self.clean)
        except structure.TooLarge as error:
            if error.side == "reference":
                return _not_applicable("too_large", str(error))
            return self._nothing_of(expected, Issue("too_large", str(error), "error"))
        values = structure.values_of(found.counts)
        if values["structure_f1"] is None:
            issues = (*issues, Issue("no_reference_structure", "neither side has any structure", "info"))
        return Outcome(values, structure.stats_of(found), evidence=found.evidence(), issues=issues)

    def _nothing_of(self, expected: Outline, issue: Issue) -> Outcome:
        """What cannot be read has nothing of what the reference has: nobody gains by it."""
        return self._compare({kind: [] for kind in expected}, expected, issue)

    def _read(self, text: Any) -> tuple[Outline, bool]:
        if not isinstance(text, str):
            raise TableError("parse_error", f"not text but {type(text).__name__}")
        body = self.body(text) if len(text) <= self.max_chars else text
        reading = read_text(body, max_chars=self.max_chars)
        return outline(body, reading.tables), reading.structured


def _without_structure() -> Outcome:
    return _not_applicable("no_structure", "the system writes no structure", "info")


def _not_applicable(code: str, message: str, severity: Literal["info", "error"] = "error") -> Outcome:
    return Outcome({metric.name: None for metric in OF_STRUCTURE}, issues=(Issue(code, message, severity),))
