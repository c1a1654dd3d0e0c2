"""The evaluator `structured`: its settings, and how it scores a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal

from jatdae.core.contract import Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import evaluator
from jatdae.structured.compliance import Dialect, make_schema, read_schema
from jatdae.structured.evidence import bounded, show
from jatdae.structured.field_report import DocumentComparer, FieldReport, empty_report
from jatdae.structured.field_settings import (
    Defaults,
    FieldTree,
    rules_from_file,
    rules_from_options,
    rules_from_schema,
)
from jatdae.structured.issue_codes import DocumentError, issue
from jatdae.structured.json_input import Limits, repairer
from jatdae.structured.leaves import Ways, path_of
from jatdae.structured.metrics import METRICS, TED_NODES, micro_averages
from jatdae.structured.paths import as_pattern
from jatdae.structured.trees import Costs

READERS: Final = 1
"""Version of how numbers, dates and identifiers are read; a change that moves a score bumps it."""


@evaluator("structured", metrics=METRICS, exact_numbers=True)
class StructuredEvaluator:
    """JSON against JSON, field by field, knowing numbers, dates and identifiers however they are written."""

    types: dict[str, str] = field(default_factory=dict)
    """Types by path, such as total=number or **.date=date: string, number, date, identifier, bool."""
    weights: dict[str, float] = field(default_factory=dict)
    """Weights by path for json_accuracy; 1 where none is given."""
    taus: dict[str, float] = field(default_factory=dict)
    """Thresholds by path for fuzzy matches of text."""
    tolerances: dict[str, float] = field(default_factory=dict)
    """Relative tolerances by path for fuzzy matches of numbers."""
    arrays: dict[str, str] = field(default_factory=dict)
    """How arrays are paired, by path: order or set; **=set for all."""
    skips: tuple[str, ...] = ()
    """Paths that are left out, with all below them."""
    fields: Path | None = None
    """YAML file of settings by path: type, weight, tau, tolerance, array, skip."""
    tau: float = 0.1
    """Largest normalised edit distance of a fuzzy match of text."""
    tolerance: float = 0.0
    """Largest relative error of a fuzzy match of numbers."""
    nulls: Literal["distinct", "same"] = "distinct"
    """Whether null, empty and missing are three things or one."""
    similarity: Literal["canonical", "text"] = "canonical"
    """Whether similarity is that of the canonical values or of the written text."""
    casefold: bool = False
    """Compare text without regard to case."""
    infer_identifiers: bool = True
    """Take letters mixed with digits, leading zeros and long digit runs for identifiers, whose fuzzy match is exact."""
    any_of: bool = False
    """A reference that is an array is a list of right answers; the best counts."""
    alpha: float = 0.5
    """Weight of each depth relative to the one above, for nested_accuracy."""
    schema: Path | None = None
    """JSON Schema, or a schema in the light dialect, that predictions are to comply with."""
    schema_dialect: Dialect = "auto"
    """How the schema is written; auto tells by its shape."""
    repair: bool = False
    """Mend predictions that do not parse; needs the package json-repair."""
    ted_nodes: int = TED_NODES
    """Largest tree, in nodes, that ted is taken of."""
    cost_relabel: float = 1.0
    """Cost of giving a node of the tree another label."""
    cost_delete: float = 1.0
    """Cost of deleting a node of the predicted tree."""
    cost_insert: float = 1.0
    """Cost of inserting a node of the reference's tree."""
    max_chars: int = 20_000_000
    """Longest document that is read, in characters."""
    max_depth: int = 200
    """Deepest nesting that is read."""
    max_leaves: int = 200_000
    """Most values of a document that are read."""

    def __post_init__(self) -> None:
        """Refuse impossible settings before anything is scored."""
        for name, low, high in _RANGES:
            value = getattr(self, name)
            if not (isfinite(value) and low <= value <= high):
                upper = f" to {high:g}" if isfinite(high) else " up"
                raise UsageError(f"structured: {name} is {value:g}; a number from {low:g}{upper} is needed")
        if self.repair:
            repairer()
        _ = self._comparer

    def signature_parts(self) -> dict[str, str]:
        """Component versions in the signature."""
        parts = {"readers": f"values@{READERS}"}
        if self.repair:
            from importlib.metadata import version

            parts["repair"] = f"json-repair@{version('json-repair')}"
        return parts

    def score(self, sample: Sample) -> Outcome:
        """Compare one prediction with its reference."""
        try:
            report = self._comparer.compare(sample.prediction, sample.reference)
        except DocumentError as error:
            report = empty_report(issue("bad_reference" if error.code != "bad_any" else "bad_any", str(error)))
        return Outcome(
            values=report.values,
            stats=report.sums.stats() if report.rows else {},
            counts=self._counts(report),
            evidence=show(report) if report.rows else None,
            issues=report.issues,
        )

    def applicable(self, _: Sample) -> set[str]:
        """The metrics whose worst value a missing prediction gets: all, without compliance if there is no schema."""
        return {metric.name for metric in METRICS if self.schema or metric.name != "schema_compliance"}

    def reduce(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        """The micro averages that are no ratio of two sums: json_accuracy, nested_accuracy and nested_raw."""
        return micro_averages(stats, self.alpha, self._comparer.fields.weights) if stats else {}

    def compare(self, prediction: Any, reference: Any, schema: Any = None) -> FieldReport:
        """Compare one prediction with one reference; raises DataError where the reference cannot be read.

        `schema` is a schema itself, in place of the file that is configured.
        """
        comparer = self._comparer if schema is None else self._make_comparer(schema, "schema")
        return comparer.compare(prediction, reference)

    @cached_property
    def _comparer(self) -> DocumentComparer:
        if self.schema is None:
            return self._make_comparer(None, "")
        return self._make_comparer(read_schema(self.schema), str(self.schema))

    def _make_comparer(self, schema: Any, place: str) -> DocumentComparer:
        rules = []
        if schema is not None:
            rules += rules_from_schema(schema, place)
        if self.fields is not None:
            rules += rules_from_file(self.fields)
        rules += rules_from_options(
            type=self.types,
            weight=self.weights,
            tau=self.taus,
            tolerance=self.tolerances,
            array=self.arrays,
            skip=dict.fromkeys(self.skips, True),
        )
        return DocumentComparer(
            fields=FieldTree(rules, Defaults(self.tau, self.tolerance)),
            ways=Ways(self.nulls, self.similarity, self.casefold, self.infer_identifiers),
            limits=Limits(self.max_chars, self.max_depth, self.max_leaves),
            costs=Costs(self.cost_relabel, self.cost_delete, self.cost_insert),
            schema=None if schema is None else make_schema(schema, place, self.schema_dialect),
            alpha=self.alpha,
            ted_nodes=self.ted_nodes,
            any_of=self.any_of,
            repair=self.repair,
        )

    def _counts(self, report: FieldReport) -> dict[str, Mapping[str, int]]:
        """Outcomes by field, schema errors by keyword, and leaves by setting: 0 shows one that matches nothing."""
        counts = {f"fields.{name}": bounded(table) for name, table in report.outcomes.items()}
        if report.schema_errors:
            rules = Counter(f"{as_pattern(error.path)}: {error.keyword}" for error in report.schema_errors)
            counts["schema"] = bounded(rules)
        fields = self._comparer.fields
        if fields.rules:
            used = dict.fromkeys((rule.pattern for rule in fields.rules if not rule.skip), 0)
            leaves = {name: int(score.leaves) for name, score in report.fields.items()}
            if fields.indexed:  # a name stands for all indices, and they may differ
                leaves = Counter(map(path_of, report.rows))
            for name, count in leaves.items():
                for pattern in fields.place(name).applied:
                    used[pattern] += count
            counts["settings"] = used
        return counts


_RANGES: Final = (
    ("tau", 0.0, 1.0),
    ("tolerance", 0.0, float("inf")),
    ("alpha", 0.001, 1.0),
    ("ted_nodes", 0, float("inf")),
    ("cost_relabel", 0.0, float("inf")),
    ("cost_delete", 0.0, float("inf")),
    ("cost_insert", 0.0, float("inf")),
    ("max_chars", 1, float("inf")),
    ("max_depth", 1, 300),
    ("max_leaves", 1, float("inf")),
)
"""Settings with their smallest and largest value."""
