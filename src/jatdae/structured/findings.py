"""What a walk through two documents finds, before any number is made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jatdae.structured.leaves import Budget, Row, exact_of, fuzzy_of, similarity_of
from jatdae.structured.trees import Edits


@dataclass(slots=True)
class Findings:
    """Results of leaves, and tallies of what has none."""

    rows: list[Row] = field(default_factory=list)
    """One for each leaf of the reference."""
    extra_rows: list[Row] = field(default_factory=list)
    """One for each leaf that only the prediction has."""
    missing_fields: list[str] = field(default_factory=list)
    extra_fields: list[str] = field(default_factory=list)
    """The highest paths that only one side has."""
    common: int = 0
    missing: int = 0
    extra: int = 0
    """Leaf paths of both sides, of the reference only, of the prediction only."""
    surplus: int = 0
    """Predicted leaves beyond one for each mismatch, where a container met something else."""
    edits: Edits = field(default_factory=Edits)
    """The same walk as edits of one tree into the other."""
    instead: dict[int, Any] = field(default_factory=dict)
    """By id: the alternative taken of a choice, the items of a set in the order of their partners."""
    partners: dict[str, list[int | None]] = field(default_factory=dict)
    """Per set: the index of each reference item's partner."""
    unassigned: list[str] = field(default_factory=list)
    """Sets too large to be assigned."""
    budget: Budget = field(default_factory=Budget)

    def rank(self) -> tuple[float, float, float, int]:
        """What makes one alternative better than another."""
        n = max(1, len(self.rows))
        exact, fuzzy, similarity = (sum(map(column, self.rows)) / n for column in (exact_of, fuzzy_of, similarity_of))
        return exact, fuzzy, similarity, -self.extra

    def take(self, other: Findings) -> None:
        """Add what was found in another part of the documents."""
        self.rows += other.rows
        self.extra_rows += other.extra_rows
        self.missing_fields += other.missing_fields
        self.extra_fields += other.extra_fields
        self.common += other.common
        self.missing += other.missing
        self.extra += other.extra
        self.surplus += other.surplus
        self.edits.add(other.edits)
        self.instead |= other.instead
        self.partners |= other.partners
        self.unassigned += other.unassigned
