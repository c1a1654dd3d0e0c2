"""The structured evaluator for JSON: its settings, and how it scores a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, Final, Literal

from jatdae.core.config import check_settings
from jatdae.core.configfile import read_source
from jatdae.core.contract import Issue, Outcome, Sample
from jatdae.core.evaluator import evaluator
from jatdae.core.messages import near, speaker
from jatdae.core.yamlfile import YamlFile
from jatdae.structured.compliance import Dialect, LightFile, make_schema
from jatdae.structured.counts import count_tables
from jatdae.structured.evidence import show
from jatdae.structured.field_report import DocumentComparer, FieldReport, empty_report
from jatdae.structured.field_settings import (
    Defaults,
    FieldFile,
    FieldTree,
    rules_from_file,
    rules_from_options,
    rules_from_schema,
)
from jatdae.structured.issue_codes import ISSUES, DocumentError
from jatdae.structured.json_input import Limits, repairer
from jatdae.structured.leaves import Ways, path_of
from jatdae.structured.metrics import COUNTS, METRICS, RATES, TED_NODES, micro_averages
from jatdae.structured.trees import Costs

say = speaker(__name__)

READERS: Final = 2
"""Version of how numbers, dates and identifiers are read; a change that moves a score bumps it."""


@evaluator(
    "structured",
    metrics=METRICS,
    issues=ISSUES,
    counts=COUNTS,
    rates=RATES,
    exact_numbers=True,
    files={"fields": FieldFile, "light_schema": LightFile},
)
class StructuredEvaluator:
    """Accuracy of JSON, field by field; numbers, dates and identifiers are recognised in any notation."""

    types: dict[str, str] = field(default_factory=dict)
    """PATH=TYPE, such as total=number or **.date=date. Types: string, number, date, datetime, time,
    identifier, bool."""
    weights: dict[str, float] = field(default_factory=dict)
    """PATH=NUMBER: weight for json_accuracy (default: 1)."""
    taus: dict[str, float] = field(default_factory=dict)
    """PATH=NUMBER: maximum edit distance for fuzzy matches of text."""
    tolerances: dict[str, float] = field(default_factory=dict)
    """PATH=NUMBER: relative tolerance for fuzzy matches of numbers."""
    arrays: dict[str, str] = field(default_factory=dict)
    """PATH=order|set: how array items are paired; **=set for all."""
    skips: tuple[str, ...] = ()
    """Paths to skip, with everything below them."""
    fields: Path | None = None
    """YAML file with settings by path: type, weight, tau, tolerance, array, skip."""
    tau: float = 0.1
    """Maximum normalised edit distance for a fuzzy match of text."""
    tolerance: float = 0.0
    """Maximum relative error for a fuzzy match of numbers."""
    nulls: Literal["distinct", "same"] = "distinct"
    """Treat null, empty and missing as different (distinct) or as equal (same)."""
    similarity: Literal["canonical", "text"] = "canonical"
    """Compute similarity from canonical values (canonical), or from the text as written (text)."""
    casefold: bool = False
    """Ignore case when comparing text."""
    normalise: Literal["print", "none"] = "print"
    """Ignore differences of print (spaces, punctuation, width of characters, bullets, hyphens of numbers), or compare
    as written (none); for texts and identifiers whose type is not given."""
    grouping: Literal["auto", ".", ","] = "auto"
    """Separator of thousands in 1.234 and 1,234; auto asks the other side and the other numbers of the document."""
    infer_identifiers: bool = True
    """Treat letters mixed with digits, leading zeros and long digit runs as identifiers, which must match exactly."""
    any_of: bool = False
    """If the reference is an array, treat it as a list of right answers; the best match counts."""
    alpha: float = 0.5
    """Weight of each level relative to the level above, for nested_accuracy."""
    schema: Path | None = None
    """Schema that predictions must follow: JSON Schema, or the light dialect."""
    schema_dialect: Dialect = "auto"
    """Dialect of the schema; auto detects it."""
    repair: bool = False
    """Repair predictions that do not parse; needs the package json-repair."""
    ted_nodes: int = TED_NODES
    """Maximum tree size for ted, in nodes."""
    cost_relabel: float = 1.0
    """Cost of changing the label of a node."""
    cost_delete: float = 1.0
    """Cost of deleting a node of the predicted tree."""
    cost_insert: float = 1.0
    """Cost of inserting a node of the reference tree."""
    max_chars: int = 20_000_000
    """Maximum document length, in characters."""
    max_depth: int = 200
    """Maximum nesting depth."""
    max_leaves: int = 200_000
    """Maximum number of values in a document."""

    def __post_init__(self) -> None:
        """Refuse impossible settings before anything is scored."""
        check_settings(self, **_RANGES)
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
            code = "bad_any" if error.code == "bad_any" else "bad_reference"
            report = empty_report(Issue(code, error.issue.message))
        return Outcome(
            values=report.values,
            stats=report.sums.stats() if report.rows else {},
            counts=self._counts(report),
            evidence=show(report, sample.prediction) if report.rows else None,
            issues=report.issues,
        )

    def applicable(self, _: Sample) -> set[str]:
        """The metrics whose worst value a missing prediction gets: all, without compliance if there is no schema."""
        return {metric.name for metric in METRICS if self.schema or metric.name != "schema_compliance"}

    def reduce(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        """The micro averages that are no ratio of two sums: json_accuracy, nested_accuracy and nested_raw."""
        return micro_averages(stats, self.alpha, self._comparer.fields.weights) if stats else {}

    def remarks(self, summary: Mapping[str, Any]) -> Iterator[str]:
        """A warning for each path with settings that no value of any sample matches, with the nearest field."""
        systems = [system["counts"] for system in summary["systems"].values()]
        met = Counter[str]()
        for counts in systems:
            met.update(counts.get("settings", {}))
        names = {name for counts in systems for table, found in counts.items() for name in found if "fields." in table}
        for pattern in sorted(pattern for pattern, count in met.items() if not count):
            yield say("path_unmatched", path=pattern, near=near(pattern, names))

    def compare(self, prediction: Any, reference: Any, schema: Any = None) -> FieldReport:
        """Compare one prediction with one reference; raises DataError where the reference cannot be read.

        `schema` is a schema itself, in place of the file that is configured.
        """
        comparer = self._comparer if schema is None else self._make_comparer(YamlFile("schema", schema, {}))
        return comparer.compare(prediction, reference)

    @cached_property
    def _comparer(self) -> DocumentComparer:
        return self._make_comparer(None if self.schema is None else read_source(self.schema))

    def _make_comparer(self, schema: YamlFile | None) -> DocumentComparer:
        rules = []
        if schema is not None:
            rules += rules_from_schema(schema)
        if self.fields is not None:
            rules += rules_from_file(self.fields)
        rules += rules_from_options(
            types=self.types,
            weights=self.weights,
            taus=self.taus,
            tolerances=self.tolerances,
            arrays=self.arrays,
            skips=dict.fromkeys(self.skips, True),
        )
        return DocumentComparer(
            fields=FieldTree(rules, Defaults(self.tau, self.tolerance)),
            ways=Ways(
                self.nulls, self.similarity, self.casefold, self.infer_identifiers, self.normalise, self.grouping
            ),
            limits=Limits(self.max_chars, self.max_depth, self.max_leaves),
            costs=Costs(self.cost_relabel, self.cost_delete, self.cost_insert),
            schema=None if schema is None else make_schema(schema, self.schema_dialect),
            alpha=self.alpha,
            ted_nodes=self.ted_nodes,
            any_of=self.any_of,
            repair=self.repair,
        )

    def _counts(self, report: FieldReport) -> dict[str, Mapping[str, int]]:
        """Outcomes by field, schema errors by keyword, and leaves by setting: 0 shows one that matches nothing."""
        counts = count_tables(report)
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


_RANGES: Final = {
    "tau": (0.0, 1.0),
    "tolerance": (0.0, inf),
    "alpha": (0.001, 1.0),
    "ted_nodes": (0, inf),
    "cost_relabel": (0.0, inf),
    "cost_delete": (0.0, inf),
    "cost_insert": (0.0, inf),
    "max_chars": (1, inf),
    "max_depth": (1, 300),
    "max_leaves": (1, inf),
}
"""Settings with their smallest and largest value."""
