"""What one comparison found: the numbers, and every leaf they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from jatdae.core.contract import Issue
from jatdae.structured.compliance import SchemaError
from jatdae.structured.leaves import FieldResult, Row
from jatdae.structured.scores import Outcomes
from jatdae.structured.sums import FieldScore, Sums


@dataclass(frozen=True)
class FieldReport:
    """A prediction held against its reference."""

    values: Mapping[str, float | None]
    """Every metric; None is "not applicable", and an issue says why."""
    rows: Sequence[Row]
    """What became of each leaf of the reference; `field_results` with names."""
    extra_rows: Sequence[Row]
    """What only the prediction has; `extra_results` with names."""
    missing_fields: Sequence[str]
    extra_fields: Sequence[str]
    """The highest paths that only one side has."""
    sums: Sums
    """What the values are made of; `fields` of it by field pattern, such as `procedures[*].cost`."""
    outcomes: Outcomes
    """How often each outcome came up, by outcome and field pattern."""
    schema_valid: bool | None = None
    """None without a schema."""
    schema_errors: Sequence[SchemaError] = ()
    partners: Mapping[str, Sequence[int | None]] | None = None
    """Per array in set mode: the index of each reference item's partner."""
    issues: tuple[Issue, ...] = ()

    @cached_property
    def field_results(self) -> Sequence[FieldResult]:
        """One for each leaf of the reference."""
        return list(map(FieldResult._make, self.rows))

    @cached_property
    def extra_results(self) -> Sequence[FieldResult]:
        """One for each leaf that only the prediction has."""
        return list(map(FieldResult._make, self.extra_rows))

    @property
    def fields(self) -> Mapping[str, FieldScore]:
        """Sums by field pattern."""
        return self.sums.fields

    def __getitem__(self, metric: str) -> float | None:
        return self.values[metric]

    @property
    def exact_accuracy(self) -> float | None:
        """Share of the reference's leaves that match."""
        return self.values["exact_accuracy"]

    @property
    def fuzzy_accuracy(self) -> float | None:
        """Share of the reference's leaves that match or are near enough."""
        return self.values["fuzzy_accuracy"]

    @property
    def similarity(self) -> float | None:
        """Mean similarity of the reference's leaves to their partners."""
        return self.values["similarity"]

    @property
    def structural_accuracy(self) -> float | None:
        """Share of all leaf paths that both sides have."""
        return self.values["structural_accuracy"]

    @property
    def f1(self) -> float | None:
        """Balance of precision and recall over leaves."""
        return self.values["f1"]
