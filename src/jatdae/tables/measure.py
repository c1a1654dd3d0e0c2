"""Everything that is measured on a reference table and its partner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from rapidfuzz.distance import Levenshtein

from jatdae.core.contract import Issue
from jatdae.tables.adjacency import adjacency_f1
from jatdae.tables.grid import Grid
from jatdae.tables.grits import check_slots, check_texts, grits_con, grits_top
from jatdae.tables.issues import TableError, issue
from jatdae.tables.limits import check_chars
from jatdae.tables.loaded import Loaded
from jatdae.tables.metrics import MISSED
from jatdae.tables.profiles import OFFICIAL, Profile
from jatdae.tables.similarity import finish, ratio
from jatdae.tables.tree import TableTree, check_alone


def measure(prediction: Loaded | None, reference: Loaded, profile: Profile) -> Measured:
    """All measures of a reference table and its partner; None where it has none, or none that could be parsed."""
    measured = Measured()
    teds = _Teds(prediction, reference)
    for names, by in ((("teds", "teds_s"), profile), (("teds_pubtabnet", "teds_s_pubtabnet"), OFFICIAL)):
        measured.add(names, partial(teds.check, by), partial(teds.scores, by))
    for name, (check, compute) in _ON_GRIDS.items():
        measured.add(
            (name,), partial(check, reference.grid, reference.grid), partial(_on_grids, compute, prediction, reference)
        )
    if prediction:
        measured.issues += _flattery(prediction, reference, profile)
    return measured


@dataclass(slots=True)
class Measured:
    """The values of a reference table, N/A as None, and why."""

    values: dict[str, float | None] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)

    def add(
        self, names: tuple[str, ...], check: Callable[[], object], compute: Callable[[], Sequence[float] | None]
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
            self._tell(issue(code, f"a table of the reference cannot be compared: {error}"))
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


def content(prediction: Grid, reference: Grid) -> float:
    """What is written, wherever it stands: 1 − Levenshtein / longer length of the cells' texts in reading order."""
    _check_content(prediction, reference)
    return Levenshtein.normalized_similarity(_written(prediction), _written(reference))


def exact_match(prediction: Grid, reference: Grid) -> float:
    """1 where the same texts stand in the same places with the same spans; header cells are cells."""
    sides = [
        (side.rows, side.cols, [(cell.row, cell.col, cell.rowspan, cell.colspan, cell.text) for cell in side.cells])
        for side in (prediction, reference)
    ]
    return float(sides[0] == sides[1])


def row_diff(prediction: Grid, reference: Grid) -> float:
    """|rows − rows| / the larger."""
    return _relative(prediction.rows, reference.rows)


def col_diff(prediction: Grid, reference: Grid) -> float:
    """|columns − columns| / the larger."""
    return _relative(prediction.cols, reference.cols)


def _check_content(prediction: Grid, reference: Grid) -> None:
    check_chars(len(_written(prediction)), len(_written(reference)))


def _no_check(prediction: Grid, reference: Grid) -> None:
    """What any two grids allow."""


_ON_GRIDS: Final[Mapping[str, tuple[Callable[[Grid, Grid], None], Callable[[Grid, Grid], float]]]] = {
    "grits_top": (check_slots, grits_top),
    "grits_con": (check_texts, grits_con),
    "adjacency_f1": (_no_check, adjacency_f1),
    "content": (_check_content, content),
    "exact_match": (_no_check, exact_match),
    "row_diff": (_no_check, row_diff),
    "col_diff": (_no_check, col_diff),
}
"""What is measured on two grids, and what refuses two that are too large."""


def _on_grids(
    compute: Callable[[Grid, Grid], float], prediction: Loaded | None, reference: Loaded
) -> tuple[float, ...] | None:
    return None if prediction is None else (compute(prediction.grid, reference.grid),)


class _Teds:
    """TEDS and TEDS-S of a pair by several profiles; where two make the same trees, the work is done once."""

    def __init__(self, prediction: Loaded | None, reference: Loaded) -> None:
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


def _flattery(prediction: Loaded, reference: Loaded, profile: Profile) -> list[Issue]:
    """|T| counts tags inside cells, which cost little: a prediction full of them is divided by too much."""
    try:
        a, b = prediction.tree(profile), reference.tree(profile)
    except TableError:
        return []
    if a.inner <= max(len(a.parents), b.size):
        return []
    return [issue("inline_tags", f"the prediction's cells hold {a.inner:,} tags, which raise its TEDS")]


def _written(grid: Grid) -> str:
    return " ".join(cell.text for cell in grid.cells if cell.text)


def _relative(a: int, b: int) -> float:
    return abs(a - b) / max(a, b) if a or b else 0.0
