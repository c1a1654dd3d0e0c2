"""One prediction against one reference, from what was given to what was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jatdae.core.contract import Issue
from jatdae.structured.arrays import MOST_NESTED
from jatdae.structured.comparison import Comparison
from jatdae.structured.compliance import Schema, SchemaError
from jatdae.structured.containers import ANY, prune
from jatdae.structured.field_settings import FieldTree
from jatdae.structured.issue_codes import DocumentError, issue
from jatdae.structured.json_input import Limits, read_document
from jatdae.structured.leaves import MISSING, Ways
from jatdae.structured.metrics import METRICS
from jatdae.structured.paths import ROOT
from jatdae.structured.report import FieldReport
from jatdae.structured.scores import sum_up, values_of
from jatdae.structured.sums import Sums
from jatdae.structured.trees import Costs, TreeScores, measure_trees

NO_SCHEMA: Final = issue("no_schema", "no schema is given; schema_compliance does not apply")
MOST_NAMED: Final = 5
"""Arrays that issues name."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Everything a comparison needs to know beside the two documents."""

    fields: FieldTree
    ways: Ways
    limits: Limits
    costs: Costs
    schema: Schema | None
    alpha: float
    ted_nodes: int
    any_of: bool
    repair: bool

    def judge(self, prediction: Any, reference: Any) -> FieldReport:
        """Compare; a DocumentError where the reference cannot be used. A prediction that cannot be has no leaf."""
        self.fields.trim()
        expected = read_document(reference, "reference", self.limits)
        issues = list(expected.issues)
        try:
            actual = read_document(prediction, "prediction", self.limits, repair=self.repair)
            predicted = actual.value
            issues += actual.issues
        except DocumentError as error:
            predicted = MISSING
            issues.append(error.issue)
        valid, errors = self._validate(predicted)
        wanted = {ANY: expected.value} if self.any_of and isinstance(expected.value, list) else expected.value
        if self.fields.skips:
            wanted = prune(wanted, self.fields.root)
            predicted = predicted if predicted is MISSING else prune(predicted, self.fields.root)
            if wanted is MISSING:
                return nothing(*issues, issue("no_fields", "every field of the reference is skipped"))
        return self._report(predicted, wanted, issues, valid, errors)

    def values(self, sums: Sums) -> dict[str, float | None]:
        """Every metric from the sums of one document, or of many."""
        return values_of(sums, self.alpha, self.fields.weights)

    def _report(
        self, predicted: Any, wanted: Any, issues: list[Issue], valid: bool | None, errors: list[SchemaError]
    ) -> FieldReport:
        comparison = Comparison(self.ways)
        comparison.walk(self.fields.root, "", wanted, predicted)
        trees = measure_trees(predicted, wanted, comparison.edits, comparison.instead, self.costs, self.ted_nodes)
        sums, outcomes = sum_up(comparison, trees, valid)
        values = self.values(sums)
        return FieldReport(
            values=values,
            rows=comparison.rows,
            extra_rows=comparison.extra_rows,
            missing_fields=comparison.missing_fields,
            extra_fields=comparison.extra_fields,
            sums=sums,
            outcomes=outcomes,
            schema_valid=valid,
            schema_errors=errors,
            partners=comparison.partners,
            issues=(*issues, *self._issues(comparison, trees, values)),
        )

    def _validate(self, predicted: Any) -> tuple[bool | None, list[SchemaError]]:
        if self.schema is None:
            return None, []
        if predicted is MISSING:
            return False, []
        errors = self.schema.errors(predicted)
        return not errors, errors

    def _issues(self, comparison: Comparison, trees: TreeScores, values: Mapping[str, float | None]) -> Iterator[Issue]:
        if comparison.budget.refused:
            yield issue("long_text", f"{comparison.budget.refused} pairs of texts are too long to align; similarity 0")
        for path in comparison.unassigned[:MOST_NAMED]:
            yield issue("array_too_large", f"{path or ROOT} has too many items to assign; they are paired by order")
        if comparison.budget.too_nested:
            yield issue(
                "array_too_large", f"sets in sets are tried out {MOST_NESTED} deep; further in, items keep order"
            )
        if trees.ted is None:
            yield issue(
                "ted_off", f"a tree of {max(trees.predicted, trees.expected):,} nodes; ted_nodes is {self.ted_nodes:,}"
            )
        if values["json_accuracy"] is None:
            yield issue("no_weight", "every field has weight 0; json_accuracy does not apply")
        if self.schema is None:
            yield NO_SCHEMA


def nothing(*issues: Issue) -> FieldReport:
    """The report of a sample to which no number applies."""
    return FieldReport(dict.fromkeys(metric.name for metric in METRICS), (), (), (), (), Sums(), {}, issues=issues)
