"""The door of this room: tables of a document, measured by TEDS and its kin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal, Self

from jatdae.core.contract import Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import UNSIGNED, evaluator
from jatdae.tables.document import not_applicable, score_document
from jatdae.tables.issues import TableError, issue
from jatdae.tables.limits import MAX_CHARS
from jatdae.tables.loaded import Loaded
from jatdae.tables.metrics import METRICS
from jatdae.tables.profiles import profile_of
from jatdae.tables.reading import Reading, read


@evaluator("tables", metrics=METRICS)
class TableEvaluator:
    """Similarity of tables in Markdown or HTML: TEDS, TEDS-S, GriTS, adjacency and more."""

    profile: Literal["standard", "pubtabnet", "omnidocbench", "docling", "opendataloader"] = "standard"
    """How a table is read before the comparison; `pubtabnet` is the official implementation."""
    matching: Literal["order", "hungarian"] = "order"
    """How predicted and reference tables are paired: n-th with n-th (order), or by the best assignment (hungarian)."""
    structured: Literal["auto", "yes", "no"] = "auto"
    """Whether the system writes structure. If not, a document without a table is N/A, not 0."""
    explain: bool = field(default=False, metadata=UNSIGNED)
    """Keep the edit operations of each table pair as evidence."""
    max_chars: int = MAX_CHARS
    """Maximum text length, in characters."""

    def __post_init__(self) -> None:
        profile_of(self.profile)
        _one_of("matching", self.matching, ("order", "hungarian"))
        _one_of("structured", self.structured, ("auto", "yes", "no"))
        if self.max_chars < 1:
            raise UsageError(f"max_chars is {self.max_chars}; it must be at least 1")

    def score(self, sample: Sample) -> Outcome:
        """Measure one document; alone, it is the whole of its system."""
        profile = profile_of(self.profile)
        try:
            wanted = self._read(sample.reference)
            references = [Loaded(table) for table in wanted.tables]
            for reference in references:
                _ = reference.grid  # laid out now, so that a broken reference is told from a broken prediction
        except TableError as error:
            return not_applicable(issue("bad_reference", f"the reference cannot be read: {error}"))
        if not references:
            return not_applicable(issue("no_reference_table", "the reference has no table"))
        found = self._found(sample.prediction)
        if not found.tables and not found.structured:
            return not_applicable(*found.issues)
        outcome = score_document(
            found.tables, references, profile, assigned=self.matching == "hungarian", explained=self.explain
        )
        repaired = [
            issue("reference_repaired", told.message) for told in wanted.issues if told.code == "table_repaired"
        ]
        return replace(outcome, issues=(*found.issues, *repaired, *outcome.issues))

    def survey(self, sample: Sample) -> dict[str, float]:
        """Whether this document shows that its system writes structure; not asked where that is declared."""
        if self.structured != "auto":
            return {}
        try:
            return {"structured": float(self._read(sample.prediction).structured)}
        except TableError as error:
            return {"structured": 1.0} if error.code == "too_large" else {}  # too many tables, or nothing to go by

    def informed(self, survey: Mapping[str, float]) -> Self:
        """This evaluator for a system whose documents' surveys add up to `survey`."""
        if "structured" not in survey:
            return self
        return replace(self, structured="yes" if survey["structured"] > 0 else "no")

    def applicable(self, sample: Sample) -> frozenset[str]:
        """The metrics a missing prediction is given the worst of: none of a table that the reference does not have,
        nor any where the system writes no structure."""
        if self.structured == "no":
            return frozenset()
        charging = replace(self, structured="yes")
        several = isinstance(sample.reference, Mapping) and list(sample.reference) == ["$any"]
        outcomes = [
            charging.score(replace(sample, prediction="", reference=reference))
            for reference in (sample.reference["$any"] if several else [sample.reference])
        ]
        return frozenset(name for outcome in outcomes for name, value in outcome.values.items() if value is not None)

    def signature_parts(self) -> dict[str, str]:
        """The profile with its version."""
        return {"profile": f"{self.profile}@{profile_of(self.profile).version}"}

    def _found(self, prediction: object) -> Reading:
        """What a prediction holds; one that cannot be read holds nothing, as a missing one does."""
        try:
            found = self._read(prediction)
        except TableError as error:
            return Reading((), structured=self.structured != "no", issues=(error.issue,))
        if found.tables:
            return found
        if self.structured == "yes" or (self.structured == "auto" and found.structured):
            absent = issue("no_table", "no table was found in the prediction")
            return replace(found, structured=True, issues=(absent, *found.issues))
        absent = issue("no_structure", "the system writes no structure, and no table was found")
        return Reading((), structured=False, issues=(absent,))

    def _read(self, value: object) -> Reading:
        return read(value, verbatim=profile_of(self.profile).verbatim, max_chars=self.max_chars)


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UsageError(f"{name} is {value!r}; one of {', '.join(known)}")
