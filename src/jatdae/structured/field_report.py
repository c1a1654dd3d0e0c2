"""Comparison of one predicted JSON document with its reference, and the report it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from jatdae.core.contract import Issue
from jatdae.structured.comparison import Sides
from jatdae.structured.compliance import UNLISTED, Schema, SchemaError
from jatdae.structured.confidence import Confidences, Confident, judge_confidences, read_confidences
from jatdae.structured.containers import ANY, prune
from jatdae.structured.field_tree import FieldTree
from jatdae.structured.issue_codes import DocumentError
from jatdae.structured.json_input import Limits, read_document
from jatdae.structured.layouts import Layout
from jatdae.structured.leaf_sums import FieldScore
from jatdae.structured.leaves import MISSING, FieldResult, Row, Ways
from jatdae.structured.metrics import METRICS, Outcomes, Sums, sum_up, values_of
from jatdae.structured.partners import MOST_NESTED
from jatdae.structured.paths import ROOT, Pattern
from jatdae.structured.trees import Costs, TreeScores, measure_trees
from jatdae.structured.walk import Walk

NO_SCHEMA: Final = Issue("no_schema", "no schema is given; schema_compliance does not apply")
MOST_NAMED: Final = 5
"""Most arrays that issues name."""


@dataclass(frozen=True, slots=True)
class DocumentComparer:
    """Compares JSON documents; holds everything a comparison needs beside the two documents."""

    fields: FieldTree
    ways: Ways
    limits: Limits
    costs: Costs
    schema: Schema | None
    alpha: float
    ted_nodes: int
    any_of: bool
    repair: bool
    confidence: str | None = None
    """Key of the prediction that holds its confidence in its values."""

    def check(self, prediction: Any) -> tuple[bool, list[SchemaError], tuple[Issue, ...]]:
        """Check a document against the schema alone: whether it follows it, the errors, and issues of reading it."""
        try:
            read = read_document(prediction, "prediction", self.limits, repair=self.repair)
        except DocumentError as error:
            return False, [], (error.issue,)
        valid, errors = self._validate(read.value)
        unlisted = [Issue("schema_unlisted", errors[0].message)] if errors and errors[0].keyword == UNLISTED else []
        return bool(valid), errors, (*read.issues, *unlisted)

    def compare(self, prediction: Any, reference: Any) -> FieldReport:
        """Compare two documents. A prediction that cannot be read has no leaf; a reference raises DocumentError."""
        self.fields.trim()
        expected = read_document(reference, "reference", self.limits)
        issues = list(expected.issues)
        try:
            actual = read_document(prediction, "prediction", self.limits, repair=self.repair)
            predicted, texts = actual.value, actual.texts
            issues += actual.issues
        except DocumentError as error:
            predicted, texts = MISSING, ()
            issues.append(error.issue)
        confidences: dict[Pattern, float] = {}
        if self.confidence and predicted is not MISSING:
            predicted, confidences = self._take_confidence(predicted, issues)
        valid, errors = self._validate(predicted)
        if errors and errors[0].keyword == UNLISTED:
            issues.append(Issue("schema_unlisted", f"the prediction breaks the schema; {errors[0].message}"))
        wanted = {ANY: expected.value} if self.any_of and isinstance(expected.value, list) else expected.value
        skipped = Counter[str]()
        if self.fields.skips:
            wanted = prune(wanted, self.fields.root, skipped)
            predicted = predicted if predicted is MISSING else prune(predicted, self.fields.root, skipped)
            if wanted is MISSING:
                nothing = empty_report(*issues, Issue("no_fields", "every field of the reference is skipped"))
                return replace(nothing, skipped=skipped)
        sides = Sides(Layout(expected.texts), Layout(texts))
        report = self._report(predicted, wanted, sides, issues, valid, errors)
        if skipped or confidences:
            judged = self._judged(report, confidences) if confidences else ()
            report = replace(report, confident=judged, skipped=skipped)
        return report

    def _judged(self, report: FieldReport, confidences: Confidences) -> list[Confident]:
        return judge_confidences(
            report.rows, report.extra_rows, confidences, report.partners or {}, report.extra_fields
        )

    def _take_confidence(self, predicted: Any, issues: list[Issue]) -> tuple[Any, dict[Pattern, float]]:
        """The prediction without the confidences that it holds, and these by place."""
        if not isinstance(predicted, dict) or self.confidence not in predicted:
            issues.append(Issue("no_confidence", f"the prediction has no key {self.confidence!r}"))
            return predicted, {}
        found, wrong = read_confidences(predicted[self.confidence])
        if not found and not wrong:
            issues.append(Issue("no_confidence", f"{self.confidence!r} holds no confidence"))
        if wrong:
            issues.append(Issue("bad_confidence", f"{wrong} confidences are no numbers from 0 to 1; left out"))
        return {key: value for key, value in predicted.items() if key != self.confidence}, found

    def _report(
        self,
        predicted: Any,
        wanted: Any,
        sides: Sides,
        issues: list[Issue],
        valid: bool | None,
        errors: list[SchemaError],
    ) -> FieldReport:
        walk = Walk(self.ways, sides)
        walk.walk(self.fields.root, "", wanted, predicted)
        trees = measure_trees(predicted, wanted, walk.edits, walk.instead, self.costs, self.ted_nodes)
        sums, outcomes = sum_up(walk, trees, valid)
        values = values_of(sums, self.alpha, self.fields.weights)
        return FieldReport(
            values=values,
            rows=walk.rows,
            extra_rows=walk.extra_rows,
            missing_fields=walk.missing_fields,
            extra_fields=walk.extra_fields,
            sums=sums,
            outcomes=outcomes,
            schema_valid=valid,
            schema_errors=errors,
            partners=walk.partners,
            issues=(*issues, *self._issues(walk, trees, values)),
        )

    def _validate(self, predicted: Any) -> tuple[bool | None, list[SchemaError]]:
        if self.schema is None:
            return None, []
        if predicted is MISSING:
            return False, []
        errors = self.schema.errors(predicted)
        return not errors, errors

    def _issues(self, walk: Walk, trees: TreeScores, values: Mapping[str, float | None]) -> Iterator[Issue]:
        if walk.budget.refused:
            yield Issue("long_text", f"{walk.budget.refused} pairs of texts are too long to align; similarity 0")
        for path in walk.unassigned[:MOST_NAMED]:
            yield Issue("array_too_large", f"{path or ROOT} has too many items to assign; they are paired by order")
        if walk.budget.too_nested:
            yield Issue(
                "array_too_large", f"sets in sets are tried out {MOST_NESTED} deep; further in, items keep order"
            )
        yield from _issues_of_notes(walk.notes)
        if trees.ted is None:
            yield Issue(
                "ted_off", f"a tree of {max(trees.predicted, trees.expected):,} nodes; ted_nodes is {self.ted_nodes:,}"
            )
        if values["json_accuracy"] is None:
            yield Issue("no_weight", "every field has weight 0; json_accuracy does not apply")
        if self.schema is None:
            yield NO_SCHEMA


def _issues_of_notes(notes: list[tuple[str, str]]) -> Iterator[Issue]:
    """One issue for each kind of note, with the number of values and the first of them."""
    for code in dict.fromkeys(code for code, _ in notes):
        paths = [path for found, path in notes if found == code]
        named = ", ".join(paths[:MOST_NAMED]) + (" …" if len(paths) > MOST_NAMED else "")
        yield Issue(code, f"{len(paths)} values: {named}")


def empty_report(*issues: Issue) -> FieldReport:
    """Comparison report for a JSON sample to which no metric applies."""
    return FieldReport(dict.fromkeys(metric.name for metric in METRICS), (), (), (), (), Sums(), {}, issues=issues)


@dataclass(frozen=True)
class FieldReport:
    """Result of comparing a predicted JSON document with its reference, field by field."""

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
    """Number of leaves by outcome and field pattern."""
    schema_valid: bool | None = None
    """None without a schema."""
    schema_errors: Sequence[SchemaError] = ()
    partners: Mapping[str, Sequence[int | None]] | None = None
    """Per array in set mode: the index of each reference item's partner."""
    issues: tuple[Issue, ...] = ()
    confident: Sequence[Confident] = ()
    """The confidences of the prediction's values, each with whether the value is right."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Leaves of both sides that were left out, by the pattern that skips them."""

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
