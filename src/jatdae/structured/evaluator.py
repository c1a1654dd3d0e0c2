"""The structured evaluator for JSON: its settings, and how it scores a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator

from jatdae.core.config import check_settings
from jatdae.core.configfile import read_source
from jatdae.core.contract import Issue, Metric, Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import evaluator
from jatdae.core.messages import near, speaker
from jatdae.core.yamlfile import YamlFile
from jatdae.structured import confidence
from jatdae.structured.benchmark_schemas import unwrapped
from jatdae.structured.comparators import is_comparator, name_of, signed_name
from jatdae.structured.compliance import Dialect, LightFile, make_schema
from jatdae.structured.confidence import ALL_ALIKE, confidence_counts, confidence_stats, confidence_values
from jatdae.structured.counts import bounded, count_errors, count_tables
from jatdae.structured.evidence import show, show_errors
from jatdae.structured.field_report import DocumentComparer, FieldReport, empty_report
from jatdae.structured.field_settings import (
    FieldFile,
    FieldRule,
    rules_from_file,
    rules_from_options,
    rules_from_schema,
)
from jatdae.structured.field_tree import Defaults, FieldTree
from jatdae.structured.findings import say_findings
from jatdae.structured.issue_codes import ISSUES, DocumentError
from jatdae.structured.json_input import Limits, as_schema, repairer
from jatdae.structured.leaves import Ways, path_of
from jatdae.structured.metrics import COUNTS, METRICS, RATES, TED_NODES, micro_averages
from jatdae.structured.paths import Wild, parse_pattern
from jatdae.structured.trees import Costs

say = speaker(__name__)


def name_of_type(given: Any) -> Any:
    """The type of a JSON field as text; a function is named."""
    return name_of(given) if callable(given) else given


def arrays_of(given: Any) -> Any:
    """How JSON arrays are paired, by path; a word alone is for all."""
    return {"**": given} if isinstance(given, str) else given


NamedType = Annotated[str, BeforeValidator(name_of_type)]
READERS: Final = 6
"""Version of how numbers, dates and identifiers are read; a change that moves a score bumps it."""


@evaluator(
    "structured",
    metrics=(*METRICS, *confidence.METRICS),
    issues=ISSUES,
    counts=(*COUNTS, *confidence.COUNTS),
    rates=(*RATES, *confidence.RATES),
    exact_numbers=True,
    files={"fields": FieldFile, "light_schema": LightFile},
)
class StructuredEvaluator:
    """Accuracy of JSON, field by field; numbers, dates and identifiers are recognised in any notation."""

    types: dict[str, NamedType] = field(default_factory=dict)
    """PATH=TYPE, such as total=number or **.date=date. Types: string, number, date, datetime, time,
    identifier, bool, or your own comparator as module:function."""
    weights: dict[str, float] = field(default_factory=dict)
    """PATH=NUMBER: weight for json_accuracy (default: 1)."""
    taus: dict[str, float] = field(default_factory=dict)
    """PATH=NUMBER: maximum edit distance for fuzzy matches of text."""
    tolerances: dict[str, float] = field(default_factory=dict)
    """PATH=NUMBER: relative tolerance for fuzzy matches of numbers."""
    arrays: Annotated[dict[str, Any], BeforeValidator(arrays_of)] = field(default_factory=dict)
    """PATH=order|set|key:FIELD,FIELD: how array items are paired; **=set for all."""
    thresholds: dict[str, float] = field(default_factory=dict)
    """PATH=NUMBER: least mean similarity of array items that are paired; below it one is missing, one extra."""
    skips: tuple[str, ...] = ()
    """Paths to skip, with everything below them."""
    fields: Path | dict[str, Any] | None = None
    """YAML file with settings by path: type, weight, tau, tolerance, array, threshold, normalise, grouping, skip."""
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
    gold: bool = True
    """Whether there are references; without any, predictions are only checked against the schema."""
    any_of: bool = False
    """If the reference is an array, treat it as a list of right answers; the best match counts."""
    alpha: float = 0.5
    """Weight of each level relative to the level above, for nested_accuracy."""
    schema: Annotated[Path | dict[str, Any] | None, BeforeValidator(as_schema)] = None
    """Schema that predictions must follow: JSON Schema, or the light dialect."""
    schema_dialect: Dialect = "auto"
    """Dialect of the schema; auto detects it."""
    confidence: str | None = None
    """Key of the prediction with its confidence from 0 to 1 in each value, by path or in a document of its shape."""
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

    findings = staticmethod(say_findings)

    def __post_init__(self) -> None:
        """Refuse impossible settings before anything is scored."""
        check_settings(self, **_RANGES)
        # A function or a model, which no file can hold, is kept as what stands for it in the signature and in workers.
        object.__setattr__(self, "types", {path: name_of_type(given) for path, given in self.types.items()})
        object.__setattr__(self, "schema", as_schema(self.schema))
        object.__setattr__(self, "arrays", arrays_of(self.arrays))
        if not self.gold and self.schema is None:
            raise UsageError(say("schema_needed"))
        if self.repair:
            repairer()
        _ = self._comparer

    def signature_parts(self) -> dict[str, str]:
        """Component versions in the signature."""
        parts = {"readers": f"values@{READERS}"}
        if comparators := sorted(self.named_code()):
            parts["comparators"] = "+".join(map(signed_name, comparators))
        if self.repair:
            from importlib.metadata import version

            parts["repair"] = f"json-repair@{version('json-repair')}"
        return parts

    def named_code(self) -> list[str]:
        """Functions that the settings name, which a suite may load only if it is allowed to."""
        return [given for given in self.types.values() if is_comparator(given)]

    def own_metrics(self) -> Sequence[Metric]:
        """All metrics, those of confidence only if it is given; without references only the schema's."""
        if self.gold:
            return (*METRICS, *confidence.METRICS) if self.confidence else METRICS
        return [replace(metric, primary=True) for metric in METRICS if metric.name == "schema_compliance"]

    def unreferenced(self) -> StructuredEvaluator:
        """The evaluator for predictions without references, which checks them against the schema."""
        return replace(self, gold=False)

    def score(self, sample: Sample) -> Outcome:
        """Compare one prediction with its reference."""
        if not self.gold:
            return self._check(sample.prediction)
        try:
            report = self._comparer.compare(sample.prediction, sample.reference)
        except DocumentError as error:
            code = "bad_any" if error.code == "bad_any" else "bad_reference"
            report = empty_report(Issue(code, error.issue.message))
        sure = confidence_stats(report.confident)
        values = confidence_values(sure) if self.confidence else {}
        stats = report.sums.stats() if report.rows else {}
        if sure and values["auroc"] is None:
            report = replace(report, issues=(*report.issues, ALL_ALIKE))
        return Outcome(
            values={**report.values, **values} if values else report.values,
            stats=stats | sure if sure and report.rows else stats,
            counts=self._counts(report),
            evidence=show(report, sample.prediction) if report.rows else None,
            issues=report.issues,
        )

    def _check(self, prediction: Any) -> Outcome:
        """Check a prediction against the schema alone."""
        valid, errors, issues = self._comparer.check(prediction)
        return Outcome(
            values={"schema_compliance": float(valid)},
            stats={"schema_documents": 1.0, "schema_valid": float(valid)},
            counts={"schema": bounded(count_errors(errors))} if errors else {},
            evidence={"field_results": [], "schema_valid": valid, "schema_errors": show_errors(errors)},
            issues=issues,
        )

    def applicable(self, _: Sample) -> set[str]:
        """The metrics whose worst value a missing prediction gets: all, without compliance if there is no schema."""
        if not self.gold:
            return {"schema_compliance"}
        return {metric.name for metric in METRICS if self.schema or metric.name != "schema_compliance"}

    def reduce(self, stats: Mapping[str, float]) -> dict[str, float | None]:
        """The micro averages that are no ratio of two sums, such as json_accuracy, nested_accuracy and auroc."""
        if not stats or not self.gold:
            return {}
        sure = confidence_values(stats) if self.confidence else {}
        return micro_averages(stats, self.alpha, self._comparer.fields.weights) | sure

    def declares(self, key: str) -> bool:
        """Whether the schema or the settings name every key of a field, so that no name in it is of the data alone."""
        try:
            parts = parse_pattern(key)
        except UsageError:  # no path of a field
            return False
        return bool(parts) and all(isinstance(part, int | Wild) or part in self._declared for part in parts)

    @cached_property
    def _declared(self) -> set[str]:
        """Keys of the schema, at any depth, and those in the paths of settings."""
        settings = (parse_pattern(rule.pattern) for rule in self._comparer.fields.rules)
        words = {part for pattern in settings for part in pattern if isinstance(part, str)}
        stack = [] if self.schema is None else [_source_of(self.schema).value]
        while stack:
            value = stack.pop()
            if isinstance(value, Mapping):
                words.update(value)
            stack.extend(value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ())
        return words

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
        comparer = self._comparer if schema is None else self._make_comparer(_source_of(as_schema(schema)))
        return comparer.compare(prediction, reference)

    @cached_property
    def _comparer(self) -> DocumentComparer:
        return self._make_comparer(None if self.schema is None else _source_of(self.schema))

    def _make_comparer(self, schema: YamlFile | None) -> DocumentComparer:
        rules = []
        if schema is not None:
            rules += rules_from_schema(schema)
        if self.fields is not None:
            rules += rules_from_file(self.fields)
        rules += [FieldRule(path, comparator=given) for path, given in self.types.items() if is_comparator(given)]
        rules += rules_from_options(
            types={path: given for path, given in self.types.items() if not is_comparator(given)},
            weights=self.weights,
            taus=self.taus,
            tolerances=self.tolerances,
            arrays=self.arrays,
            thresholds=self.thresholds,
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
            confidence=self.confidence,
        )

    def _counts(self, report: FieldReport) -> dict[str, Mapping[str, int]]:
        """Outcomes by field, schema errors by keyword, and leaves by setting: 0 shows one that matches nothing."""
        counts = count_tables(report) | confidence_counts(report.confident)
        fields = self._comparer.fields
        if fields.rules:
            leaves = {name: score.leaves for name, score in report.fields.items()}
            if fields.indexed:  # a name stands for all indices, and they may differ
                leaves = Counter(map(path_of, report.rows))
            counts["settings"] = fields.count_matched(leaves, report.skipped)
        return counts


def _source_of(schema: Path | dict[str, Any]) -> YamlFile:
    return unwrapped(YamlFile("schema", schema, {}) if isinstance(schema, dict) else read_source(schema))


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
