"""Everything that is measured on one pair of tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lxml import etree
from rapidfuzz.distance import Levenshtein

from jatdae.core.contract import Issue
from jatdae.tables.adjacency import adjacency_f1
from jatdae.tables.grid import Grid, lay
from jatdae.tables.grits import grits
from jatdae.tables.html import find_tables
from jatdae.tables.issues import TableError, issue
from jatdae.tables.limits import check_chars
from jatdae.tables.profiles import OFFICIAL, Profile
from jatdae.tables.reading import Table
from jatdae.tables.similarity import finish, ratio
from jatdae.tables.tree import TableTree, plant


class Loaded:
    """A table that has been parsed; grid and trees are made once, when they are asked for."""

    def __init__(self, table: Table) -> None:
        found = find_tables(table.html)
        if not found:
            raise TableError("parse_error", f"line {table.line}: the parser finds no table in it")
        self.table = table
        self.element = found[0]
        self._trees: dict[str, TableTree] = {}
        self._grid: tuple[Grid, list[etree._Element]] | None = None

    @property
    def grid(self) -> Grid:
        """The table as a grid."""
        return self.placed[0]

    @property
    def placed(self) -> tuple[Grid, list[etree._Element]]:
        """The grid, and the element of each of its cells."""
        if self._grid is None:
            self._grid = lay(self.element)
        return self._grid

    @property
    def has_header(self) -> bool:
        """Whether any cell is a th."""
        return next(self.element.iter("th"), None) is not None

    def tree(self, profile: Profile) -> TableTree:
        """The table as a tree of `profile`."""
        if profile.name not in self._trees:
            self._trees[profile.name] = plant([self.element], profile)
        return self._trees[profile.name]


@dataclass(slots=True)
class Measured:
    """The values of one pair, N/A as None, and why."""

    values: dict[str, float | None] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)

    def add(self, names: tuple[str, ...], compute: Callable[[], tuple[float, ...]]) -> None:
        """Take what `compute` gives under `names`, or N/A for all of them with the reason."""
        found: tuple[float | None, ...]
        try:
            found = compute()
        except TableError as error:
            found = (None,) * len(names)
            if error.issue not in self.issues:
                self.issues.append(error.issue)
        self.values.update(zip(names, found, strict=True))


def measure(prediction: Loaded, reference: Loaded, profile: Profile) -> Measured:
    """All measures of a pair of tables."""
    measured = Measured()
    teds = _Teds(prediction, reference)
    measured.add(("teds", "teds_s"), lambda: teds.scores(profile))
    measured.add(("teds_pubtabnet", "teds_s_pubtabnet"), lambda: teds.scores(OFFICIAL))
    measured.issues += _flattery(prediction, reference, profile)
    measured.add(("grits_top", "grits_con"), lambda: grits(prediction.grid, reference.grid))
    measured.add(("adjacency_f1",), lambda: (adjacency_f1(prediction.grid, reference.grid),))
    measured.add(("content",), lambda: (content(prediction.grid, reference.grid),))
    measured.add(("exact_match",), lambda: (float(same(prediction.grid, reference.grid)),))
    measured.add(("row_diff", "col_diff"), lambda: shape_differences(prediction.grid, reference.grid))
    return measured


def content(prediction: Grid, reference: Grid) -> float:
    """What is written, wherever it stands: 1 − Levenshtein / longer length of the cells' texts in reading order."""
    a, b = (" ".join(cell.text for cell in grid.cells if cell.text) for grid in (prediction, reference))
    check_chars(len(a), len(b))
    return Levenshtein.normalized_similarity(a, b)


def same(prediction: Grid, reference: Grid) -> bool:
    """Whether the same texts stand in the same places with the same spans; header cells are cells."""
    return (prediction.rows, prediction.cols) == (reference.rows, reference.cols) and [
        (cell.row, cell.col, cell.rowspan, cell.colspan, cell.text) for cell in prediction.cells
    ] == [(cell.row, cell.col, cell.rowspan, cell.colspan, cell.text) for cell in reference.cells]


def shape_differences(prediction: Grid, reference: Grid) -> tuple[float, float]:
    """|rows − rows| / the larger, and the same of columns."""
    return _relative(prediction.rows, reference.rows), _relative(prediction.cols, reference.cols)


class _Teds:
    """TEDS and TEDS-S of a pair by several profiles; where two make the same trees, the work is done once."""

    def __init__(self, prediction: Loaded, reference: Loaded) -> None:
        self.sides = prediction, reference
        self.known: list[tuple[list[TableTree], tuple[float | None, ...] | TableError]] = []

    def scores(self, profile: Profile) -> tuple[float, ...]:
        trees = [side.tree(profile) for side in self.sides]
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


def _flattery(prediction: Loaded, reference: Loaded, profile: Profile) -> list[Issue]:
    """|T| counts tags inside cells, which cost little: a prediction full of them is divided by too much."""
    try:
        a, b = prediction.tree(profile), reference.tree(profile)
    except TableError:
        return []
    if a.inner <= max(len(a.parents), b.size):
        return []
    return [issue("inline_tags", f"the prediction's cells hold {a.inner:,} tags, which raise its TEDS")]


def _relative(a: int, b: int) -> float:
    return abs(a - b) / max(a, b) if a or b else 0.0
