"""Where on a page errors are: headings, captions, tables, page numbers, references; everything else is body.

Regions are lines of the text as it came. The alignment knows positions in the normalised text, so each region is
normalised for itself and laid along the normalised whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from jatdae.kernels.edit import EditRun as Run
from jatdae.text.references import Block

BODY: Final = "body"
REFERENCES: Final = "references"

_SPACE = r"[^\S\n]*+"
_NUMBER = rf"(?:-[ ]?|Page[ ]|S-)?\d{{1,4}}(?:[ ]?-|(?:[ ]of[ ]|/)\d{{1,4}})?{_SPACE}$"
_SECTION_NUMBER = r"\d{1,2}(?:\.\d{1,2}){0,3}+\.?[ ]"
_KINDS: Final = {
    # A number alone on its line is a page's only at its edge; elsewhere it may be a cell of a table.
    "page_numbers": (
        rf"\f{_SPACE}{_NUMBER}",
        rf"\[Page\s++\d++\]{_SPACE}(?:\n{_SPACE}{_NUMBER}|$)",
        rf"{_SPACE}{_NUMBER}(?=[^\S\f]*+(?:\f|\[Page\s|\Z))",
    ),
    "captions": (
        rf"{_SPACE}(?:!\[|<figcaption|:[ ])[^\n]*+",
        rf"{_SPACE}(?:\*\*)?(?:Figure|Fig\.|FIG\.|FIGURE|Table|TABLE|Tab\.|그림|표|図|表)[ ]?(?:S-?)?\d[^\n]*+"
        rf"(?:\n(?!{_SPACE}\n)[^\n]*+){{0,7}}+",
    ),
    "tables": (
        rf"(?:{_SPACE}(?:\||\+[-=:])[^\n]*+(?:\n|\Z))++",
        rf"{_SPACE}<table\b(?:[^<]|<(?!/?table\b))*+(?:</table>)?",
    ),
    "headings": (
        rf"{_SPACE}\#{{1,6}}[^\S\n][^\n]*+",
        rf"{_SPACE}\*\*[^*\n]{{1,100}}\*\*{_SPACE}$",
        rf"{_SPACE}(?:{_SECTION_NUMBER})?[A-Z]{{3,}}(?:[ ][A-Z&:,-]{{2,}}){{0,11}}+{_SPACE}$",
        rf"{_SPACE}{_SECTION_NUMBER}[A-Z가-힣][^\n.]{{2,80}}+$",
    ),
}
"""How lines of each kind look; of two kinds that fit, the first."""
_GROUPS = "|".join("(?P<{}>{})".format(kind, "|".join(looks)) for kind, looks in _KINDS.items())
_LINE: Final = re.compile(f"^(?:{_GROUPS})", re.MULTILINE)


class Region(NamedTuple):
    """A stretch of one kind."""

    start: int
    end: int
    kind: str


class Where(NamedTuple):
    """Errors of each sort in one region."""

    substitutions: int
    deletions: int
    insertions: int


def find_regions(text: str, references: Block | None) -> list[Region]:
    """The regions of `text` that are not body, in order."""
    found = [Region(line.start(), line.end(), str(line.lastgroup)) for line in _LINE.finditer(text)]
    if references is None:
        return found
    block = Region(references.start, references.end, REFERENCES)
    before = [Region(r.start, min(r.end, block.start), r.kind) for r in found if r.start < block.start]
    after = [Region(max(r.start, block.end), r.end, r.kind) for r in found if r.end > block.end]
    return [*before, block, *after]


def project(text: str, regions: Sequence[Region], normalised: str, normalise: Callable[[str], str]) -> list[Region]:
    """`regions` of `text` as positions in `normalised`.

    A piece that reads differently alone than in its place (a formula across its edge, say) is looked for nearby, or
    taken to stand where the pieces before it end.
    """
    found: list[Region] = []
    floor = at = cursor = 0
    for region in regions:
        _, at = _place(normalised, normalise(text[cursor : region.start]), at, floor)
        start, at = _place(normalised, normalise(text[region.start : region.end]), at, floor)
        if at > start:
            found.append(Region(start, at, region.kind))
            floor = at
        cursor = region.end
    return found


def tally(runs: Iterable[Run], reference: Sequence[Region], prediction: Sequence[Region]) -> dict[str, Where]:
    """Errors by region: what was misread or lost by its place in the reference, what was added by the prediction's."""
    found: dict[str, list[int]] = {}
    in_reference, in_prediction = _Walk(reference), _Walk(prediction)
    for run in runs:
        if run.kind == "equal":
            continue
        sort = ("replace", "delete", "insert").index(run.kind)
        if run.kind == "insert":
            shares = in_prediction.shares(run.prediction_start, run.prediction_end)
        else:
            shares = in_reference.shares(run.reference_start, run.reference_end)
        for kind, count in shares:
            found.setdefault(kind, [0, 0, 0])[sort] += count
    return {kind: Where(*found[kind]) for kind in sorted(found)}


class _Walk:
    """Regions met by spans that only move forward."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self._regions = regions
        self._at = 0

    def shares(self, start: int, end: int) -> list[tuple[str, int]]:
        """How many characters of a span lie in which region."""
        found: list[tuple[str, int]] = []
        while start < end:
            while self._at < len(self._regions) and self._regions[self._at].end <= start:
                self._at += 1
            region = self._regions[self._at] if self._at < len(self._regions) else None
            if region is None or region.start > start:
                stop = end if region is None else min(end, region.start)
                found.append((BODY, stop - start))
            else:
                stop = min(end, region.end)
                found.append((region.kind, stop - start))
            start = stop
        return found


_REACH: Final = 400
"""How far from its expected place a piece is looked for, in characters."""
_ANCHOR: Final = 24
"""How much of its beginning has to be found there."""
_TELLING: Final = 8
"""Pieces shorter than this occur anywhere and are not looked for."""


def _place(normalised: str, piece: str, at: int, floor: int) -> tuple[int, int]:
    """Where `piece`, which should stand at `at`, starts (not before `floor`), and where the next one should."""
    if len(piece) >= _TELLING and not normalised.startswith(piece, at):
        near = normalised.find(piece[:_ANCHOR], max(floor, at - _REACH), at + _REACH)
        at = at if near < 0 else near
    end = min(len(normalised), at + len(piece))
    return at, end + (end > at and normalised.startswith(" ", end))


def in_units(regions: Sequence[Region], units: Sequence[str]) -> list[Region]:
    """Regions counted in `units` instead of code points."""
    starts = [0, *accumulate(map(len, units))]
    return [Region(bisect_left(starts, r.start), bisect_left(starts, r.end), r.kind) for r in regions]
