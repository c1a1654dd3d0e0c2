"""The tables evaluator: compares the tables of a document with its reference by TEDS and other measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from math import fsum, inf
from typing import Any, Final, Literal, Self

from jatdae.core.config import check_settings
from jatdae.core.contract import Count, Issue, Outcome, Sample, Unit
from jatdae.core.evaluator import UNSIGNED, evaluator
from jatdae.tables.cell_errors import NOTATION, CellErrors, find_cell_errors
from jatdae.tables.cell_text import VERSION as CELLS_VERSION
from jatdae.tables.evidence import show_document
from jatdae.tables.extraction import VERSION as READING_VERSION
from jatdae.tables.extraction import Extraction, Table, read
from jatdae.tables.findings import say_findings
from jatdae.tables.metrics import METRICS, MISSED
from jatdae.tables.pairs import Measured, Pairing, ParsedTable, TablePair, assign, by_order, pair_up
from jatdae.tables.profiles import Profile, profile_of
from jatdae.tables.table_issues import ISSUES, MAX_CHARS, TableError
from jatdae.tables.tree_similarity import check_alone, plant, score


def gold_schema() -> dict[str, Any]:
    """JSON Schema of a file of ground truth (DOC.tables.json)."""
    from jatdae.core.configfile import schema_of
    from jatdae.tables.gold_tables import GoldTables

    return schema_of(GoldTables)


_GOOD_SHARE: Final = 1 / 3
"""Of a system's documents, how many have to have Markdown emphasis so that it is taken to write structure."""

COUNTS: Final = (
    Count("tables", coded=True), Count("row_difference", coded=True), Count("col_difference", coded=True),
    Count("table_errors", error=True, coded=True), Count("table_notation", coded=True),
)  # fmt: skip


@evaluator("tables", metrics=METRICS, issues=ISSUES, counts=COUNTS, files={"ground_truth": gold_schema})
class TableEvaluator:
    """Similarity of tables in Markdown or HTML: TEDS, TEDS-S, GriTS, adjacency and more."""

    profile: Literal[
        "standard", "standard@2", "standard@1", "pubtabnet", "omnidocbench", "omnidocbench@1.5",
        "omnidocbench@1.6", "docling", "opendataloader",
    ] = "standard"  # fmt: skip
    """How a table is read before the comparison; `pubtabnet` is the official implementation."""
    matching: Literal["order", "hungarian"] = "order"
    """How predicted and reference tables are paired: n-th with n-th (order), or by the best assignment (hungarian)."""
    structured: Literal["auto", "yes", "no"] = "auto"
    """Whether the system writes structure. If not, a document without a table is N/A, not 0."""
    explain: bool = field(default=False, metadata=UNSIGNED)
    """Keep the edit operations of each table pair as evidence."""
    max_chars: int = MAX_CHARS
    """Maximum text length, in characters."""

    findings = staticmethod(say_findings)

    def __post_init__(self) -> None:
        """Refuse impossible settings before anything is scored."""
        check_settings(self, max_chars=(1, inf))

    def score(self, sample: Sample) -> Outcome:
        """Measure one document; alone, it is the whole of its system."""
        profile = profile_of(self.profile)
        try:
            wanted = self._read(sample.reference)
            references = [ParsedTable(table) for table in wanted.tables]
            for reference in references:
                _ = reference.grid  # laid out now, so that a broken reference is told from a broken prediction
        except TableError as error:
            return _not_applicable(Issue("bad_reference", f"the reference cannot be read: {error.issue.message}"))
        if not references:
            return _not_applicable(Issue("no_reference_table", "the reference has no table"))
        found = self._found(sample.prediction)
        if not found.tables and not found.structured:
            return _not_applicable(*found.issues)
        outcome = _score_tables(
            found.tables,
            references,
            profile,
            sample.prediction if isinstance(sample.prediction, str) else "",
            assigned=self.matching == "hungarian",
            explained=self.explain,
        )
        repaired = [
            Issue("reference_repaired", told.message) for told in wanted.issues if told.code == "table_repaired"
        ]
        return replace(outcome, issues=(*found.issues, *repaired, *outcome.issues))

    def survey(self, sample: Sample) -> dict[str, float]:
        """Whether this document shows that its system writes structure; not asked where that is declared."""
        if self.structured != "auto":
            return {}
        try:
            found = self._read(sample.prediction)
        except TableError as error:  # too many tables, or nothing to go by
            return _survey(structured=True) if error.code == "too_large" else {}
        return _survey(found.structured, found.emphasised)

    def informed(self, survey: Mapping[str, float]) -> Self:
        """This evaluator for a system whose documents' surveys add up to `survey`."""
        if "structured" not in survey:
            return self
        often = survey["emphasised"] >= _GOOD_SHARE * survey["documents"]
        return replace(self, structured="yes" if often or survey["structured"] > 0 else "no")

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
        """The profile, how tables are found, and cell F1, each with its version."""
        return {
            "profile": profile_of(self.profile).signed,
            "reading": f"tables@{READING_VERSION}",
            "cells": f"f1@{CELLS_VERSION}",
        }

    def _found(self, prediction: object) -> Extraction:
        """The tables of a prediction; one that cannot be read has none, as a missing one does."""
        try:
            found = self._read(prediction)
        except TableError as error:
            return Extraction((), structured=self.structured != "no", issues=(error.issue,))
        if found.tables:
            return found
        if self.structured == "yes" or (self.structured == "auto" and found.shows_structure):
            absent = Issue("no_table", "no table was found in the prediction")
            return replace(found, structured=True, issues=(absent, *found.issues))
        absent = Issue("no_structure", "the system writes no structure, and no table was found")
        return Extraction((), structured=False, issues=(absent,))

    def _read(self, value: object) -> Extraction:
        return read(value, verbatim=profile_of(self.profile).verbatim, max_chars=self.max_chars)


def _survey(structured: bool, emphasised: bool = False) -> dict[str, float]:
    return {"structured": float(structured), "emphasised": float(emphasised), "documents": 1.0}


def _score_tables(
    predictions: Sequence[Table],
    references: Sequence[ParsedTable],
    profile: Profile,
    text: str,
    *,
    assigned: bool,
    explained: bool,
) -> Outcome:
    """Measure the tables of a document that has at least one in its reference."""
    issues: list[Issue] = []
    loaded = [_parse(table, issues) for table in predictions]
    pairing = _assignment(loaded, references, profile, issues) if assigned else None
    pairs = pair_up(loaded, references, profile, pairing or by_order(len(references), len(predictions)))
    sums = _sums(pairs, len(predictions))
    if profile.joined:
        sums.update(_joined(loaded, references, profile, issues))
    for pair in pairs:
        issues += [found for found in pair.issues if found not in issues]
    issues += [
        *_count_issues(pairs, len(predictions)),
        *_split_issues(pairs),
        *_number_issue(pairs),
        *_header_issue(pairs, profile),
    ]
    errors = [_cell_errors(pair, profile) for pair in pairs]
    return Outcome(
        values={metric.name: _quotient(*sums[metric.name]) for metric in METRICS},
        stats=_stats(sums),
        counts=_counts(pairs, errors, len(predictions)),
        units=tuple(_units(pairs)),
        evidence=show_document(pairs, errors, loaded, profile, text, explained=explained, assigned=assigned),
        issues=tuple(issues),
    )


def _not_applicable(*issues: Issue) -> Outcome:
    """An outcome without values, and the issues that say why."""
    return Outcome(values=dict.fromkeys(metric.name for metric in METRICS), issues=issues)


def _sums(pairs: Sequence[TablePair], predicted: int) -> dict[str, tuple[float, float]]:
    """For each metric a sum over tables and what it is divided by; N/A tables are in neither.

    teds_f1 = 2 · Σ TEDS / (predicted + reference tables) charges for tables nobody asked for; neither an N/A table
    nor its partner is one of these.
    """
    sums = {name: _sum(pair.values[name] for pair in pairs) for name in MISSED}
    total, number = sums["teds"]
    partners = sum(pair.values["teds"] is None and pair.number is not None for pair in pairs)
    sums["teds_f1"] = 2.0 * total, predicted - partners + number if number else 0.0
    for kind in ("simple", "complex"):
        sums[f"teds_{kind}"] = _sum(pair.values["teds"] for pair in pairs if pair.complexity == kind)
    return sums


def _sum(values: Iterable[float | None]) -> tuple[float, float]:
    found = [value for value in values if value is not None]
    return fsum(found), float(len(found))


def _quotient(total: float, number: float) -> float | None:
    return total / number if number else None


def _stats(sums: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    stats = {}
    for name, (total, number) in sums.items():
        if number:
            stats[f"{name}_sum"], stats[f"{name}_n"] = total, float(number)
    return stats


def _joined(
    loaded: Sequence[ParsedTable | None], references: Sequence[ParsedTable], profile: Profile, issues: list[Issue]
) -> dict[str, tuple[float, float]]:
    """TEDS and TEDS-S of all tables of the document under one root; one that cannot be parsed spoils the page."""
    wanted = [side.element for side in references]
    found = [side.element for side in loaded if side is not None]

    def compute() -> tuple[float, float] | None:
        if not found or None in loaded:
            return None
        a, b = plant(found, profile), plant(wanted, profile)
        return score(a, b, profile), score(a, b, profile, structure_only=True)

    measured = Measured()
    measured.add(("teds", "teds_s"), lambda: check_alone(plant(wanted, profile)), compute)
    issues += measured.issues
    return {name: _sum([value]) for name, value in measured.values.items()}


def _assignment(
    loaded: Sequence[ParsedTable | None], references: Sequence[ParsedTable], profile: Profile, issues: list[Issue]
) -> Pairing | None:
    """The best pairing, or None where it would take too long to find; no order is better than the best."""
    try:
        return assign(loaded, references, profile)
    except TableError as error:
        issues.append(Issue(error.code, f"{error.issue.message}; paired by order"))
        return None


def _parse(table: Table, issues: list[Issue]) -> ParsedTable | None:
    try:
        return ParsedTable(table)
    except TableError as error:
        issues.append(error.issue)
        return None


def _count_issues(pairs: Sequence[TablePair], predicted: int) -> Iterator[Issue]:
    missed = sum(pair.number is None for pair in pairs)
    extra = predicted - len(pairs) + missed
    if predicted and predicted != len(pairs):
        yield Issue("table_count_mismatch", f"tables predicted: {predicted}, in the reference: {len(pairs)}")
    if predicted and missed:
        yield Issue("table_missed", f"reference tables without a partner, which score 0: {missed} of {len(pairs)}")
    if extra:
        yield Issue("table_extra", f"predicted tables without a partner, charged by teds_f1 only: {extra}")


def _split_issues(pairs: Sequence[TablePair]) -> Iterator[Issue]:
    kinds = {pair.complexity for pair in pairs}
    if "simple" not in kinds:
        yield Issue("no_simple_table", "every table of the reference has a span: teds_simple is N/A")
    if "complex" not in kinds:
        yield Issue("no_complex_table", "no table of the reference has a span: teds_complex is N/A")


def _number_issue(pairs: Sequence[TablePair]) -> Iterator[Issue]:
    if not any(pair.reference.folded.has_numbers for pair in pairs):
        yield Issue("no_numbers", "no cell of the reference is a number: cell_numbers is N/A")


def _header_issue(pairs: Sequence[TablePair], profile: Profile) -> Iterator[Issue]:
    sides = (side for pair in pairs for side in (pair.reference, pair.prediction) if side is not None)
    if "th" in profile.rename and any(side.has_header for side in sides):
        yield Issue("header_text", "the text and spans of header cells count; teds_pubtabnet ignores them")


def _counts(
    pairs: Sequence[TablePair], errors: Sequence[CellErrors | None], predicted: int
) -> dict[str, dict[str, int]]:
    """How many tables there are, how many rows and columns each predicted one has too many (+) or too few (-), the
    errors in tables and cells, and cells that are written differently and say the same, which is no error."""
    missed = sum(pair.number is None for pair in pairs)
    rows: Counter[str] = Counter()
    cols: Counter[str] = Counter()
    for pair in pairs:
        with suppress(TableError):  # a prediction that cannot be laid out has no rows to count
            if pair.prediction is not None:
                rows[f"{pair.prediction.grid.rows - pair.reference.grid.rows:+d}"] += 1
                cols[f"{pair.prediction.grid.cols - pair.reference.grid.cols:+d}"] += 1
    extra = predicted - len(pairs) + missed
    wrong = _errors(pairs, errors, missed, extra)
    alike = wrong.pop(NOTATION, 0)
    return {
        "tables": {"reference": len(pairs), "predicted": predicted, "missed": missed, "extra": extra},
        "row_difference": dict(sorted(rows.items())),
        "col_difference": dict(sorted(cols.items())),
        "table_errors": wrong,
        "table_notation": {"cells": alike} if alike else {},
    }


def _errors(pairs: Sequence[TablePair], errors: Sequence[CellErrors | None], missed: int, extra: int) -> dict[str, int]:
    """Tables without a partner, paired tables whose cells could not be compared, and the errors in the cells."""
    counted = Counter(missed=missed, extra=extra)
    for pair, found in zip(pairs, errors, strict=True):
        if found is not None:
            counted.update(found.counts())
        elif pair.number is not None:
            counted["not_compared"] += 1
    return dict(+counted)


def _cell_errors(pair: TablePair, profile: Profile) -> CellErrors | None:
    """Errors in the cells of a pair; None where there is no partner, or the two could not be laid on each other."""
    if pair.prediction is None or pair.alignment is None:
        return None
    return find_cell_errors(pair.prediction.grid, pair.reference.grid, pair.alignment, nfkc=profile.nfkc)


def _units(pairs: Sequence[TablePair]) -> Iterator[Unit]:
    taken: set[str] = set()
    for number, pair in enumerate(pairs, 1):
        name = pair.reference.table.id or f"table_{number}"
        if name in taken:
            name = f"{name}#{number}"
        taken.add(name)
        grid = pair.reference.grid
        size = {"rows": float(grid.rows), "cols": float(grid.cols), "cells": float(len(grid.cells))}
        yield Unit(name, "table", {"complexity": pair.complexity}, pair.values, size)
