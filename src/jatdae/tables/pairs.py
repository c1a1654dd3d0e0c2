"""Pairs of a reference table and its predicted partner, and everything measured on the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from lxml import etree

from jatdae.core.contract import Issue
from jatdae.tables.cell_similarity import CellMatch, FoldedGrid, align_cells, check_similarity, fold_grid
from jatdae.tables.elements import find_tables
from jatdae.tables.extraction import Table
from jatdae.tables.grid import Grid, lay
from jatdae.tables.grid_similarity import (
    Alignment,
    adjacency_f1,
    align_texts,
    check_content,
    check_slots,
    check_texts,
    col_diff,
    content,
    exact_match,
    grits_top,
    row_diff,
)
from jatdae.tables.metrics import MISSED
from jatdae.tables.profiles import OFFICIAL, Profile
from jatdae.tables.table_issues import MAX_NODE_PAIRS, MAX_TABLE_PAIRS, TableError, check_slot_pairs
from jatdae.tables.tree_similarity import TableTree, check_alone, find_rewritten, finish, plant, ratio, score

Pairing = list[int | None]
"""For each reference table the number of its predicted table, None for a missed one."""


class ParsedTable:
    """A parsed table; its grid and trees are made once, when they are first needed."""

    def __init__(self, table: Table) -> None:
        found = find_tables(table.html)
        if not found:
            raise TableError("parse_error", "no_table_parsed", line=table.line)
        self.table = table
        self.element = found[0]
        self._trees: dict[str, TableTree] = {}
        self._folded: FoldedGrid | None = None
        self._rewritten: dict[str, etree._Element] = {}
        self._grid: tuple[Grid, list[etree._Element]] | TableError | None = None

    @property
    def grid(self) -> Grid:
        """The table as a grid."""
        return self.placed[0]

    @property
    def placed(self) -> tuple[Grid, list[etree._Element]]:
        """The grid, and the element of each of its cells."""
        if self._grid is None:
            try:
                self._grid = lay(self.element)
            except TableError as error:
                self._grid = error
        if isinstance(self._grid, TableError):
            raise self._grid
        return self._grid

    @property
    def folded(self) -> FoldedGrid:
        """The grid with the texts of its cells folded."""
        if self._folded is None:
            self._folded = fold_grid(*self.placed)
        return self._folded

    @property
    def has_header(self) -> bool:
        """Whether any cell is a th."""
        return next(self.element.iter("th"), None) is not None

    def tree(self, profile: Profile) -> TableTree:
        """The table as a tree of `profile`."""
        if profile.signed not in self._trees:
            self._trees[profile.signed] = plant([self.element_of(profile)], profile)
        return self._trees[profile.signed]

    def element_of(self, profile: Profile) -> etree._Element:
        """The table element that `profile` compares: another one where it rewrites the source."""
        if profile.rewrite is None:
            return self.element
        if profile.signed not in self._rewritten:
            self._rewritten[profile.signed] = find_rewritten(self.table.html, profile)
        return self._rewritten[profile.signed]


@dataclass(slots=True)
class TablePair:
    """A reference table with its predicted partner, and the values measured on the two."""

    reference: ParsedTable
    prediction: ParsedTable | None
    """None where the table was missed, or its partner could not be parsed."""
    number: int | None
    """Which predicted table, counted from 0; None where the table was missed."""
    values: Mapping[str, float | None]
    issues: Sequence[Issue]
    alignment: Alignment | None
    """How the two are laid on each other; None where they are not: missed, not parsed, or too large."""

    @property
    def complexity(self) -> str:
        """`complex` where any cell of the reference spans."""
        return "complex" if self.reference.grid.complex else "simple"


def pair_up(
    predictions: Sequence[ParsedTable | None], references: Sequence[ParsedTable], profile: Profile, pairing: Pairing
) -> list[TablePair]:
    """Measure every reference table with its partner by a given pairing.

    A prediction that could not be parsed is None.
    """
    pairs = []
    for reference, number in zip(references, pairing, strict=True):
        prediction = None if number is None else predictions[number]
        measured = measure(prediction, reference, profile)
        pairs.append(TablePair(reference, prediction, number, measured.values, measured.issues, measured.alignment))
    return pairs


def assign(predictions: Sequence[ParsedTable | None], references: Sequence[ParsedTable], profile: Profile) -> Pairing:
    """Pair reference tables with predicted tables so that total TEDS is largest.

    Raises TableError where it would take too long.
    """
    nodes = _count_nodes(predictions, profile), _count_nodes(references, profile)
    if nodes[0] * nodes[1] > MAX_NODE_PAIRS:
        raise TableError("too_large", "too_large_to_assign", a=nodes[0], b=nodes[1])

    def value(prediction: int, reference: int) -> float:
        side = predictions[prediction]
        try:
            return 0.0 if side is None else score(side.tree(profile), references[reference].tree(profile), profile)
        except TableError:
            return 0.0

    return by_assignment(len(references), len(predictions), value)


def _count_nodes(sides: Sequence[ParsedTable | None], profile: Profile) -> int:
    count = 0
    for side in sides:
        with suppress(TableError):  # what cannot be planted cannot be compared either
            count += 0 if side is None else len(side.tree(profile).parents)
    return count


def by_order(references: int, predictions: int) -> Pairing:
    """Pair the n-th reference table with the n-th predicted table."""
    return [number if number < predictions else None for number in range(references)]


def by_assignment(references: int, predictions: int, score: Callable[[int, int], float]) -> Pairing:
    """Pair reference tables with predicted tables one to one so that the total score is largest.

    `score` takes (prediction, reference).
    """
    if references * predictions > MAX_TABLE_PAIRS:
        numbers = {"most": MAX_TABLE_PAIRS, "predicted": predictions, "reference": references}
        raise TableError("too_large", "too_many_table_pairs", **numbers)
    from scipy.optimize import linear_sum_assignment  # 0.3 s to import, needed here only

    scores = [[score(prediction, reference) for prediction in range(predictions)] for reference in range(references)]
    pairing: Pairing = [None] * references
    if predictions:
        for reference, prediction in zip(*linear_sum_assignment(scores, maximize=True), strict=True):
            pairing[int(reference)] = int(prediction)
    return pairing


def measure(prediction: ParsedTable | None, reference: ParsedTable, profile: Profile) -> Measured:
    """Compute all measures of a pair: a reference table and its predicted partner.

    The partner is None where it was missed or could not be parsed.
    """
    measured = Measured()
    teds = _Teds(prediction, reference)
    for names, by in ((("teds", "teds_s"), profile), (("teds_pubtabnet", "teds_s_pubtabnet"), OFFICIAL)):
        measured.add(names, partial(teds.check, by), partial(teds.scores, by))
    for name, (check, compute) in _ON_GRIDS.items():
        measured.add(
            (name,),
            partial(check, reference.grid, reference.grid),
            partial(_on_grids, compute, prediction, reference, measured),
        )
    cells = _Cells(prediction, reference)
    measured.add(("cell_f1",), cells.check, cells.f1)
    measured.add(("cell_f1_soft",), cells.check_similarity, cells.soft)
    measured.add(("cell_numbers",), cells.check, cells.numbers)
    if prediction:
        measured.issues += _flattery(prediction, reference, profile)
    return measured


@dataclass(slots=True)
class Measured:
    """Values measured on a reference table, None for N/A, and the issues that say why."""

    values: dict[str, float | None] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    alignment: Alignment | None = None

    def add(
        self, names: tuple[str, ...], check: Callable[[], object], compute: Callable[[], Sequence[float | None] | None]
    ) -> None:
        """Take what `compute` gives under `names`; it gives None where there is no partner.

        Whether a value is N/A is for the reference alone to say: `check` refuses it. A prediction that is refused gets
        the worst, so that no system gains by what it writes. Both are told.
        """
        found: Sequence[float | None] | None = None
        try:
            check()
        except TableError as error:
            found = [None] * len(names)
            code = "reference_too_large" if error.code == "too_large" else "bad_reference"
            self._tell(Issue(code, f"a table of the reference cannot be compared: {error.issue.message}"))
        else:
            try:
                found = compute()
            except TableError as error:
                self._tell(error.issue)
                if error.code == "empty_table":  # the prediction is right, and there is nothing to divide by
                    found = [None] * len(names)
        self.values.update(zip(names, found or [MISSED[name] for name in names], strict=True))

    def _tell(self, found: Issue) -> None:
        if found not in self.issues:
            self.issues.append(found)


def _no_check(prediction: Grid, reference: Grid) -> None:
    """Accept any two grids."""


_ON_GRIDS: Final[Mapping[str, tuple[Callable[[Grid, Grid], None], Callable[[Grid, Grid], float | Alignment]]]] = {
    "grits_top": (check_slots, grits_top),
    "grits_con": (check_texts, align_texts),
    "adjacency_f1": (_no_check, adjacency_f1),
    "content": (check_content, content),
    "exact_match": (_no_check, exact_match),
    "row_diff": (_no_check, row_diff),
    "col_diff": (_no_check, col_diff),
}
"""Measures on two grids, each with the check that refuses grids too large for it; GriTS-Con gives its alignment."""


def _on_grids(
    compute: Callable[[Grid, Grid], float | Alignment],
    prediction: ParsedTable | None,
    reference: ParsedTable,
    measured: Measured,
) -> tuple[float, ...] | None:
    if prediction is None:
        return None
    found = compute(prediction.grid, reference.grid)
    if isinstance(found, Alignment):
        measured.alignment, found = found, found.similarity
    return (found,)


class _Teds:
    """TEDS and TEDS-S of a pair by several profiles; where two make the same trees, the work is done once."""

    def __init__(self, prediction: ParsedTable | None, reference: ParsedTable) -> None:
        self.prediction, self.reference = prediction, reference
        self.sound: list[TableTree] = []
        self.known: list[tuple[list[TableTree], tuple[float | None, ...] | TableError]] = []

    def check(self, profile: Profile) -> None:
        """Refuse a reference that no prediction can be compared with."""
        tree = self.reference.tree(profile)
        if tree not in self.sound:
            check_alone(tree)
            self.sound.append(tree)

    def scores(self, profile: Profile) -> tuple[float, ...] | None:
        if self.prediction is None:
            return None
        trees = [self.prediction.tree(profile), self.reference.tree(profile)]
        found = next((ratios for known, ratios in self.known if known == trees), None)
        if found is None:
            found = self._ratios(trees)
            self.known.append((trees, found))
        if isinstance(found, TableError):
            raise found
        return tuple(finish(ratio, profile) for ratio in found)

    @staticmethod
    def _ratios(trees: list[TableTree]) -> tuple[float | None, ...] | TableError:
        try:
            return tuple(ratio(*trees, structure_only=structure_only) for structure_only in (False, True))
        except TableError as error:
            return error


class _Cells:
    """Cell F1 of a pair and its kin; the two tables are aligned once."""

    def __init__(self, prediction: ParsedTable | None, reference: ParsedTable) -> None:
        self.prediction, self.reference = prediction, reference
        self._match: CellMatch | None = None

    def check(self) -> None:
        """Refuse a reference that could not be aligned with itself."""
        size = self.reference.folded.slots.size
        check_slot_pairs(size, size)

    def check_similarity(self) -> None:
        """Refuse a reference whose texts are too long to compare with themselves."""
        check_similarity(self.reference.folded, self.reference.folded)

    def f1(self) -> tuple[float] | None:
        return (self._aligned(self.prediction).f1,) if self.prediction else None

    def soft(self) -> tuple[float] | None:
        if self.prediction is None:
            return None
        check_similarity(self.prediction.folded, self.reference.folded)
        return (self._aligned(self.prediction).soft,)

    def numbers(self) -> tuple[float | None] | None:
        if not self.reference.folded.has_numbers:
            return (None,)
        return (self._aligned(self.prediction).numbers,) if self.prediction else None

    def _aligned(self, prediction: ParsedTable) -> CellMatch:
        if self._match is None:
            self._match = align_cells(prediction.folded, self.reference.folded)
        return self._match


def _flattery(prediction: ParsedTable, reference: ParsedTable, profile: Profile) -> list[Issue]:
    """An issue where tags inside cells raise TEDS: they count in |T| and cost little, so the divisor grows."""
    try:
        a, b = prediction.tree(profile), reference.tree(profile)
    except TableError:
        return []
    if a.inner <= max(len(a.parents), b.size):
        return []
    return [Issue("inline_tags", f"the prediction's cells hold {a.inner:,} tags, which raise its TEDS")]
