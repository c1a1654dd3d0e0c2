"""What only one side has, and how every leaf gets its row."""

from __future__ import annotations

from typing import Any

from jatdae.structured.field_settings import Field
from jatdae.structured.findings import Findings
from jatdae.structured.kinds import kind_of
from jatdae.structured.leaves import (
    MISSING,
    RIGHT,
    WRONG,
    Budget,
    LeafOutcome,
    Verdict,
    Ways,
    outcome_of_absence,
    state_of,
)
from jatdae.structured.paths import ROOT


class OneSided(Findings):
    """The part of a walk that has nothing to compare."""

    __slots__ = ("ways",)

    def __init__(self, ways: Ways, budget: Budget | None = None) -> None:
        super().__init__(budget=budget or Budget())
        self.ways = ways

    def _only_predicted(self, field: Field, path: str, actual: Any) -> None:
        """Everything below a place the reference does not have."""
        self.edits.delete(field.label, actual)
        before = len(self.extra_rows)
        self._extras(field, path, actual)
        if len(self.extra_rows) > before:
            self.extra_fields.append(path)
            self.extra += len(self.extra_rows) - before

    def _extras(self, field: Field, path: str, actual: Any) -> None:
        if isinstance(actual, dict) and actual:
            for key, got in actual.items():
                below = field.key(key)
                self._extras(below, path + below.step, got)
        elif isinstance(actual, list) and actual:
            for at, got in enumerate(actual):
                self._extras(field.item(at), f"{path}[{at}]", got)
        elif outcome_of_absence(MISSING, actual, self.ways.nulls) == "extra":
            kind = field.kind or kind_of(actual, identifiers=self.ways.identifiers)
            self.extra_rows.append((path, kind, None, actual, False, False, 0.0, field.depth, "extra", field.name))

    def _instead(self, field: Field, path: str, expected: Any, actual: Any, outcome: LeafOutcome) -> None:
        """Give every leaf below a place the same outcome."""
        if isinstance(expected, dict) and expected:
            for key, want in expected.items():
                below = field.key(key)
                self._instead(below, path + below.step, want, actual, outcome)
        elif isinstance(expected, list) and expected:
            for at, want in enumerate(expected):
                self._instead(field.item(at), f"{path}[{at}]", want, actual, outcome)
        else:
            absent = self.ways.nulls == "same" and outcome != "mismatch" and state_of(expected) != "value"
            self.missing += not absent
            kind = field.kind or kind_of(expected, identifiers=self.ways.identifiers)
            shown = MISSING if outcome == "missing" else actual
            found: LeafOutcome = "both_absent" if absent else outcome
            self._add(field, path, kind, expected, shown, RIGHT if absent else WRONG, found)

    def _add(
        self, field: Field, path: str, kind: str, expected: Any, actual: Any, verdict: Verdict, outcome: LeafOutcome
    ) -> None:
        shown = None if actual is MISSING else actual
        self.rows.append((path or ROOT, kind, expected, shown, *verdict, max(field.depth, 0), outcome, field.name))
