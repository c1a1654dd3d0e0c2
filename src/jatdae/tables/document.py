"""The tables of one document against those of its reference, summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import fsum

from jatdae.core.contract import Issue, Outcome, Unit
from jatdae.tables.evidence import show_document
from jatdae.tables.issues import TableError, issue
from jatdae.tables.loaded import Loaded
from jatdae.tables.matching import Pairing, by_order
from jatdae.tables.measure import Measured
from jatdae.tables.metrics import METRICS, MISSED
from jatdae.tables.pairs import Pair, assign, pair_up
from jatdae.tables.profiles import Profile
from jatdae.tables.reading import Table
from jatdae.tables.similarity import score
from jatdae.tables.tree import check_alone, plant


def score_document(
    predictions: Sequence[Table],
    references: Sequence[Loaded],
    profile: Profile,
    *,
    assigned: bool,
    explained: bool,
) -> Outcome:
    """Measure the tables of a document that has at least one in its reference."""
    issues: list[Issue] = []
    loaded = [_load(table, issues) for table in predictions]
    pairing = _assignment(loaded, references, profile, issues) if assigned else None
    pairs = pair_up(loaded, references, profile, pairing or by_order(len(references), len(predictions)))
    sums = _sums(pairs, len(predictions))
    if profile.joined:
        sums.update(_joined(loaded, references, profile, issues))
    for pair in pairs:
        issues += [found for found in pair.issues if found not in issues]
    issues += [*_count_issues(pairs, len(predictions)), *_split_issues(pairs), *_header_issue(pairs, profile)]
    return Outcome(
        values={metric.name: _quotient(*sums[metric.name]) for metric in METRICS},
        stats=_stats(sums),
        counts=_counts(pairs, len(predictions)),
        units=tuple(_units(pairs)),
        evidence=show_document(pairs, loaded, profile, explained=explained),
        issues=tuple(issues),
    )


def not_applicable(*issues: Issue) -> Outcome:
    """Nothing measured, and why."""
    return Outcome(values=dict.fromkeys(metric.name for metric in METRICS), issues=issues)


def _sums(pairs: Sequence[Pair], predicted: int) -> dict[str, tuple[float, float]]:
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
    loaded: Sequence[Loaded | None], references: Sequence[Loaded], profile: Profile, issues: list[Issue]
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
    loaded: Sequence[Loaded | None], references: Sequence[Loaded], profile: Profile, issues: list[Issue]
) -> Pairing | None:
    """The best pairing, or None where it would take too long to find; no order is better than the best."""
    try:
        return assign(loaded, references, profile)
    except TableError as error:
        issues.append(issue(error.code, f"{error}; paired by order"))
        return None


def _load(table: Table, issues: list[Issue]) -> Loaded | None:
    try:
        return Loaded(table)
    except TableError as error:
        issues.append(error.issue)
        return None


def _count_issues(pairs: Sequence[Pair], predicted: int) -> Iterator[Issue]:
    missed = sum(pair.number is None for pair in pairs)
    extra = predicted - len(pairs) + missed
    if predicted and predicted != len(pairs):
        yield issue("table_count_mismatch", f"tables predicted: {predicted}, in the reference: {len(pairs)}")
    if predicted and missed:
        yield issue("table_missed", f"reference tables without a partner, which score 0: {missed} of {len(pairs)}")
    if extra:
        yield issue("table_extra", f"predicted tables without a partner, charged by teds_f1 only: {extra}")


def _split_issues(pairs: Sequence[Pair]) -> Iterator[Issue]:
    kinds = {pair.complexity for pair in pairs}
    if "simple" not in kinds:
        yield issue("no_simple_table", "every table of the reference has a span: teds_simple is N/A")
    if "complex" not in kinds:
        yield issue("no_complex_table", "no table of the reference has a span: teds_complex is N/A")


def _header_issue(pairs: Sequence[Pair], profile: Profile) -> Iterator[Issue]:
    sides = (side for pair in pairs for side in (pair.reference, pair.prediction) if side is not None)
    if "th" in profile.rename and any(side.has_header for side in sides):
        yield issue("header_text", "the text and spans of header cells count; teds_pubtabnet ignores them")


def _counts(pairs: Sequence[Pair], predicted: int) -> dict[str, dict[str, int]]:
    """How many tables there are, and how many rows and columns each predicted one has too many (+) or too few (-)."""
    missed = sum(pair.number is None for pair in pairs)
    rows: Counter[str] = Counter()
    cols: Counter[str] = Counter()
    for pair in pairs:
        with suppress(TableError):  # a prediction that cannot be laid out has no rows to count
            if pair.prediction is not None:
                rows[f"{pair.prediction.grid.rows - pair.reference.grid.rows:+d}"] += 1
                cols[f"{pair.prediction.grid.cols - pair.reference.grid.cols:+d}"] += 1
    return {
        "tables": {
            "reference": len(pairs),
            "predicted": predicted,
            "missed": missed,
            "extra": predicted - len(pairs) + missed,
        },
        "row_difference": dict(sorted(rows.items())),
        "col_difference": dict(sorted(cols.items())),
    }


def _units(pairs: Sequence[Pair]) -> Iterator[Unit]:
    taken: set[str] = set()
    for number, pair in enumerate(pairs, 1):
        name = pair.reference.table.id or f"table_{number}"
        if name in taken:
            name = f"{name}#{number}"
        taken.add(name)
        grid = pair.reference.grid
        size = {"rows": float(grid.rows), "cols": float(grid.cols), "cells": float(len(grid.cells))}
        yield Unit(name, "table", {"complexity": pair.complexity}, pair.values, size)
