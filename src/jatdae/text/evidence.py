"""Evidence for text scores: aligned runs, confusions, page regions with errors, and what steps removed.

Everything is bounded in size.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import accumulate, islice
from typing import Any, Final, NamedTuple

from jatdae.core.contract import OTHER
from jatdae.kernels.edit import EditRun
from jatdae.text.bibliography import Bibliography
from jatdae.text.normaliser import STEPS
from jatdae.text.passages import Passage, Place, find_moves, longest, place_moves

MOST_RUNS: Final = 400
"""Runs shown of one document, in reading order."""
MOST_LARGEST: Final = 10
"""The longest of its edits, wherever they stand."""
LONGEST_TEXT: Final = 120
"""Characters shown of one run: its beginning and its end."""
LONGEST_CHANCE: Final = 3
"""Equal characters between edits that are equal by chance, in a stretch of at least FEWEST_EDITS edits and
SHORTEST_STRETCH characters, at most half of them equal."""
FEWEST_EDITS: Final = 3
SHORTEST_STRETCH: Final = 20
LONGEST_STRETCH: Final = 600
"""Characters shown of such a stretch."""
MOST_CONFUSIONS: Final = 50
MOST_COUNTED: Final = 500
"""Confusions of one document that enter the sums; the rest are pooled under `<other>`."""
LONGEST_CONFUSION: Final = 3
"""Lost or added runs up to this length are misreadings; longer ones are missing or surplus text."""

LONGEST_WORD: Final = 30
"""Characters by which a replaced passage is widened at most, so that it begins and ends with whole words."""
LONGEST_PLACE: Final = 40
"""Characters shown of what stands before a moved passage."""

ONE_SIDED_SHARE: Final = 0.01
ONE_SIDED_LEAST: Final = 50
ONE_SIDED_RATIO: Final = 10
"""A scope is one-sided if a side loses 1 % of its text and 50 characters by it, ten times the other side's share."""

Units = str | Sequence[str]


def show_runs(
    runs: Sequence[EditRun], prediction: Units, reference: Units, passages: Sequence[Passage] = ()
) -> dict[str, Any]:
    """Evidence of an alignment of two texts, as JSON.

    `at` is [reference start, end, prediction start, end]. Stretches with letters that are equal by chance are one run,
    but for those in passages, which are shown as such.
    """
    shown: dict[str, Any] = {"runs": []}
    left = len(runs)
    for stretch in islice(_by_stretch(runs, passages), MOST_RUNS):
        most = LONGEST_TEXT if len(stretch) == 1 else LONGEST_STRETCH
        shown["runs"].append(_shown(_as_one(stretch), prediction, reference, most))
        left -= len(stretch)
    if left:
        edits = ((max(r[2] - r[1], r[4] - r[3]), -at) for at, r in enumerate(runs) if r.kind != "equal")
        largest = sorted(-at for _, at in nlargest(MOST_LARGEST, edits))
        shown["runs_left_out"] = left
        shown["largest"] = [_shown(runs[at], prediction, reference) for at in largest]
    return shown


def _by_stretch(runs: Sequence[EditRun], passages: Sequence[Passage]) -> Iterator[Sequence[EditRun]]:
    """Runs one by one, or those together that only a few equal characters part."""
    blocks = iter(sorted(each.run[1:] for each in passages))
    block = next(blocks, None)
    parts: list[EditRun] = []
    for run in runs:
        while block and block[1] <= run.reference_start and block[3] <= run.prediction_start:
            block = next(blocks, None)
        inside = block is not None and block[0] <= run.reference_start and block[2] <= run.prediction_start
        if inside or (run.kind == "equal" and run.reference_end - run.reference_start > LONGEST_CHANCE):
            yield from _closed(parts)
            parts = []
            yield [run]
        else:
            parts.append(run)
    yield from _closed(parts)


def _closed(parts: Sequence[EditRun]) -> Iterator[Sequence[EditRun]]:
    """Runs as one from the first edit to the last, if there is much between them and little of it equal."""
    edits = [at for at, run in enumerate(parts) if run.kind != "equal"]
    if len(edits) < FEWEST_EDITS:
        yield from ([run] for run in parts)
        return
    first, last = edits[0], edits[-1] + 1
    stretch = parts[first:last]
    equal = sum(run.reference_end - run.reference_start for run in stretch if run.kind == "equal")
    _, start, end, predicted_start, predicted_end = _as_one(stretch)
    size = max(end - start, predicted_end - predicted_start)
    yield from ([run] for run in parts[:first])
    yield from [stretch] if size >= SHORTEST_STRETCH and 2 * equal <= size else ([run] for run in stretch)
    yield from ([run] for run in parts[last:])


def _as_one(stretch: Sequence[EditRun]) -> EditRun:
    first, last = stretch[0], stretch[-1]
    if len(stretch) == 1:
        return first
    return EditRun("replace", first.reference_start, last.reference_end, first.prediction_start, last.prediction_end)


def show_passages(
    passages: Sequence[Passage], units: tuple[Units, Units], regions: tuple[Sequence[PageRegion], Sequence[PageRegion]]
) -> list[dict[str, Any]]:
    """Evidence of the longest passages that are lost, moved or added, with the part of the page each stands in.

    `units` and `regions` are of prediction and reference. A text that moved has what stands before it in the reference
    and in the prediction (`after`); a passage that is the other end of it has the number of the first (`from`).
    """
    kept = place_moves(longest(passages), *units)
    found: list[dict[str, Any]] = [
        {
            **_shown(_with_whole_words(each, *units), *units),
            "kind": each.kind,
            "at": list(each.run[1:]),
            "characters": each.characters,
            "where": region_of(each.run, *regions),
        }
        for each in kept
    ]
    for shown, each in zip(found, kept, strict=True):
        if each.place:
            _show_move(shown, each.place, *units)
    for here, there in find_moves(kept):
        found[there]["from"] = here
        del found[there]["after"]
        if _side(kept[here]) == _side(kept[there]):
            found[here]["characters"] += kept[there].characters
    return found


def _side(passage: Passage) -> str | None:
    return passage.place and passage.place.side


def _show_move(shown: dict[str, Any], place: Place, prediction: Units, reference: Units) -> None:
    """Show all of a text that moved, as the side of the passage has it, and what stands before it on both."""
    _, start, end, predicted_start, predicted_end = place
    missing = place.side == "reference"
    shown.pop("prediction" if missing else "reference", None)
    text = _clipped(reference, start, end) if missing else _clipped(prediction, predicted_start, predicted_end)
    shown[place.side] = text.strip()
    shown["after"] = [_end_of(reference, start), _end_of(prediction, predicted_start)]


def _with_whole_words(passage: Passage, prediction: Units, reference: Units) -> EditRun:
    """The run of a passage that is replaced, or that one side lacks, from the beginning of a word."""
    kind, start, end, predicted_start, predicted_end = passage.run
    if start == end:
        by = _step_to_word(prediction, predicted_start, predicted_end)
        return EditRun(kind, start, end, predicted_start + by, predicted_end + by)
    if predicted_start == predicted_end:
        by = _step_to_word(reference, start, end)
        return EditRun(kind, start + by, end + by, predicted_start, predicted_end)
    return _widened(passage.run, prediction, reference) if passage.kind == "replaced" else passage.run


def _step_to_word(units: Units, start: int, end: int) -> int:
    """How far a lost or added text can be moved to begin with a word: an alignment may as well say that “y. Once, on a
    da” was lost of “a day. Once, on a day.” as “Once, on a day. ”."""
    for by in range(min(LONGEST_WORD, len(units) - end) + 1):
        if start + by == 0 or units[start + by - 1].isspace():
            return by
        if end + by == len(units) or units[start + by] != units[end + by]:
            break
    return 0


def _widened(run: EditRun, prediction: Units, reference: Units) -> EditRun:
    """A run with the letters on both sides of it that belong to its first and last word and are the same."""
    kind, start, end, predicted_start, predicted_end = run
    most = LONGEST_WORD + 1
    before = (units[max(0, at - most) : at][::-1] for units, at in ((reference, start), (prediction, predicted_start)))
    behind = (units[at : at + most] for units, at in ((reference, end), (prediction, predicted_end)))
    back, ahead = _letters(*before), _letters(*behind)
    return EditRun(kind, start - back, end + ahead, predicted_start - back, predicted_end + ahead)


def _letters(a: Units, b: Units) -> int:
    """How many letters begin both texts up to a space; 0 if there are too many, as in a script without spaces."""
    count = 0
    for one, other in zip(a, b, strict=False):
        if one != other or one.isspace():
            break
        count += 1
    return count if count <= LONGEST_WORD else 0


def _end_of(units: Units, end: int) -> str:
    """The last words before a place."""
    text = "".join(units[max(0, end - LONGEST_PLACE) : end]).strip()
    return text.partition(" ")[2] or text if end > LONGEST_PLACE else text


def region_of(run: EditRun, prediction: Sequence[PageRegion], reference: Sequence[PageRegion]) -> str:
    """The part of the page, for the evidence, that most of a lost or added text stands in."""
    counted = count_by_region([run], reference, prediction)
    return max(counted, key=lambda kind: (sum(counted[kind]), kind), default=BODY)


def count_confusions(runs: Iterable[EditRun], prediction: Units, reference: Units) -> dict[str, int]:
    """Evidence of character confusions, counted: `a→b` for b instead of a, `a→` lost, `→b` added."""
    found: dict[str, int] = {}
    for kind, start, end, predicted_start, predicted_end in runs:
        if kind == "replace":
            for was, now in zip(reference[start:end], prediction[predicted_start:predicted_end], strict=True):
                key = f"{was}→{now}"
                found[key] = found.get(key, 0) + 1
        elif kind == "delete" and end - start <= LONGEST_CONFUSION:
            key = f"{''.join(reference[start:end])}→"
            found[key] = found.get(key, 0) + 1
        elif kind == "insert" and predicted_end - predicted_start <= LONGEST_CONFUSION:
            key = f"→{''.join(prediction[predicted_start:predicted_end])}"
            found[key] = found.get(key, 0) + 1
    return found


def bounded(found: Mapping[str, int]) -> dict[str, int]:
    """Bound the evidence of character confusions: keep the most frequent, pool the rest; ties go by name."""
    if len(found) <= MOST_COUNTED:
        return dict(found)
    kept = dict(commonest(found, MOST_COUNTED))
    kept[OTHER] = sum(found.values()) - sum(kept.values())
    return kept


def commonest(found: Mapping[str, int], most: int) -> list[tuple[str, int]]:
    """Pick the `most` most frequent keys, such as characters, for the evidence: by count, then by name."""
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:most]


def show_bibliographies(blocks: Sequence[Bibliography]) -> dict[str, Any]:
    """Evidence on the bibliographies of a text: whether one was found, by what, how long they are, and how many."""
    if not blocks:
        return {"found": False}
    found = {"found": True, "by": blocks[0].how, "characters": sum(block.characters for block in blocks)}
    return {**found, "lists": len(blocks)} if len(blocks) > 1 else found


def show_scope(prediction: Mapping[str, int], reference: Mapping[str, int]) -> dict[str, list[int]]:
    """Evidence of the characters that each normaliser step removed from both texts: [prediction, reference]."""
    if not prediction and not reference:
        return {}
    steps = [name for name in STEPS if name in prediction or name in reference]
    return {name: [prediction.get(name, 0), reference.get(name, 0)] for name in steps}


def find_one_sided(prediction: Mapping[str, int], reference: Mapping[str, int], lengths: tuple[int, int]) -> list[str]:
    """Find evidence of an unfair comparison: scopes removed from one text only, with the side."""
    sums: dict[str, list[int]] = {}
    for side, removed in enumerate((prediction, reference)):
        for name, count in removed.items():
            if STEPS[name].removes == "content":
                sums.setdefault(STEPS[name].scope, [0, 0])[side] += count
    found = []
    for scope, (predicted, expected) in sorted(sums.items()):
        if _loses_alone(predicted, lengths[0], expected, lengths[1]):
            found.append(f"{scope}: {predicted} characters removed from the prediction, {expected} from the reference")
        if _loses_alone(expected, lengths[1], predicted, lengths[0]):
            found.append(f"{scope}: {expected} characters removed from the reference, {predicted} from the prediction")
    return found


def printable(text: str) -> str:
    """Make a text fit for evidence: replace lone surrogates, which JSON cannot hold; positions stay the same."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _loses_alone(removed: int, length: int, removed_there: int, length_there: int) -> bool:
    much = removed >= ONE_SIDED_LEAST and removed >= ONE_SIDED_SHARE * length
    return much and removed * length_there >= ONE_SIDED_RATIO * removed_there * length


def _shown(run: EditRun, prediction: Units, reference: Units, most: int = LONGEST_TEXT) -> dict[str, Any]:
    kind, start, end, predicted_start, predicted_end = run
    shown: dict[str, Any] = {"kind": kind, "at": [start, end, predicted_start, predicted_end]}
    if end > start:
        shown["reference"] = _clipped(reference, start, end, most)
    if predicted_end > predicted_start and kind != "equal":
        shown["prediction"] = _clipped(prediction, predicted_start, predicted_end, most)
    return shown


def _clipped(units: Units, start: int, end: int, most: int = LONGEST_TEXT) -> str:
    if end - start <= most:
        part = units[start:end]
        return part if isinstance(part, str) else "".join(part)
    half = most // 2
    return f"{''.join(units[start : start + half])} … {''.join(units[end - half : end])}"


# Page regions: headings, captions, tables, page numbers, bibliography; everything else is body. They are lines of the
# text as it came. The alignment knows positions in the normalised text, so each region is normalised for itself and
# laid along the normalised whole.

BODY: Final = "body"
BIBLIOGRAPHY: Final = "bibliography"

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
_REGION_LINE: Final = re.compile(f"^(?:{_GROUPS})", re.MULTILINE)


class PageRegion(NamedTuple):
    """A region of a text of one kind, such as the bibliography, as positions."""

    start: int
    end: int
    kind: str


class RegionErrors(NamedTuple):
    """Substitutions, deletions and insertions in one kind of page region."""

    substitutions: int
    deletions: int
    insertions: int


def find_regions(text: str, bibliographies: Sequence[Bibliography]) -> list[PageRegion]:
    """Find regions of a text, for the evidence, that are not body (headings, bibliography …), in order."""
    found = [PageRegion(line.start(), line.end(), str(line.lastgroup)) for line in _REGION_LINE.finditer(text)]
    for bibliography in bibliographies:
        block = PageRegion(bibliography.start, bibliography.end, BIBLIOGRAPHY)
        before = [PageRegion(r.start, min(r.end, block.start), r.kind) for r in found if r.start < block.start]
        after = [PageRegion(max(r.start, block.end), r.end, r.kind) for r in found if r.end > block.end]
        found = [*before, block, *after]
    return found


def project_regions(
    text: str, regions: Sequence[PageRegion], normalised: str, normalise: Callable[[str], str]
) -> list[PageRegion]:
    """Convert regions of a text, shown in the evidence, to positions in its normalised form.

    A piece that reads differently alone than in its place (a formula across its edge, say) is looked for nearby, or
    taken to stand where the pieces before it end.
    """
    found: list[PageRegion] = []
    floor = at = cursor = 0
    for region in regions:
        _, at = _place(normalised, normalise(text[cursor : region.start]), at, floor)
        start, at = _place(normalised, normalise(text[region.start : region.end]), at, floor)
        if at > start:
            found.append(PageRegion(start, at, region.kind))
            floor = at
        cursor = region.end
    return found


def count_by_region(
    runs: Iterable[EditRun], reference: Sequence[PageRegion], prediction: Sequence[PageRegion]
) -> dict[str, RegionErrors]:
    """Count the errors of an aligned text by page region, for the evidence.

    Misread and lost text counts by its place in the reference, added text by the prediction's.
    """
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
    return {kind: RegionErrors(*found[kind]) for kind in sorted(found)}


class _Walk:
    """Regions met by spans that only move forward."""

    def __init__(self, regions: Sequence[PageRegion]) -> None:
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
    """RegionErrors `piece`, which should stand at `at`, starts (not before `floor`), and where the next one should."""
    if len(piece) >= _TELLING and not normalised.startswith(piece, at):
        near = normalised.find(piece[:_ANCHOR], max(floor, at - _REACH), at + _REACH)
        at = at if near < 0 else near
    end = min(len(normalised), at + len(piece))
    return at, end + (end > at and normalised.startswith(" ", end))


def in_units(regions: Sequence[PageRegion], units: Sequence[str]) -> list[PageRegion]:
    """Convert regions of a text, for the evidence, from code points to `units`, such as grapheme clusters."""
    starts = [0, *accumulate(map(len, units))]
    return [PageRegion(bisect_left(starts, r.start), bisect_left(starts, r.end), r.kind) for r in regions]
