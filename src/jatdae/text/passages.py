"""Where characters are lost: whole passages, such as a paragraph or a column, or one here and one there.

A passage is text that one side has and the other has not, or has other text for, of at least LEAST characters. An
alignment finds letters of it in whatever stands nearby, so pieces of it that only a few equal characters part are one
passage. A passage that is lost in one place and added in another has moved: the order of reading is wrong, not the
reading. All other errors are scattered.

    lost + replaced + added + moved + scattered = S + D + I, in characters

So moved text counts where it is missing and again where it is extra.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from statistics import median_low
from typing import Final, Literal, NamedTuple

from jatdae.kernels.edit import EditRun
from jatdae.kernels.edit import Kind as EditKind

LEAST: Final = 40
"""Characters of a passage: half a line of print, and more than is ever misread at once."""
MOST_SHOWN: Final = 20
"""Passages shown of one document, the longest."""
_BRIDGE: Final = 4
"""Equal characters that may part two pieces of one passage: found by chance."""
_DENSE: Final = 0.6
"""Share of a passage, from its beginning to its end, that is lost, replaced or added."""
_PIECE: Final = 20
"""Characters of the pieces by which a passage is known again elsewhere."""
_MOVED: Final = 0.5
"""Share of its pieces that are found elsewhere if a passage has moved."""

_STEP: Final = 5
"""Characters between the pieces by which its place there is found."""
_SURE: Final = 6
"""Equal characters behind a few that are misread, or a word broken at the end of a line, in a text that moved."""
_SKIPS: Final = sorted(((a, b) for a in range(4) for b in range(4)), key=lambda each: (sum(each), each))[1:]
"""How many characters may be misread at once, on both sides."""
_LONGEST_WORD: Final = 30

Kind = Literal["lost", "replaced", "added", "moved"]
Side = Literal["reference", "prediction"]
Units = str | Sequence[str]


class Place(NamedTuple):
    """Where a text that moved stands in the reference and in the prediction, as a whole."""

    side: Side
    """The reference where the text is missing here, the prediction where it is extra here."""
    reference_start: int
    reference_end: int
    prediction_start: int
    prediction_end: int


class Passage(NamedTuple):
    """Text of one side that the other has not in its place."""

    kind: Kind
    run: EditRun
    """From its first character to its last, as one run of the alignment."""
    characters: int
    """How many of them are missing, replaced or extra."""
    place: Place | None = None
    """Of a text that moved, where it is known."""


def find_passages(runs: Sequence[EditRun], prediction: Units, reference: Units) -> list[Passage]:
    """Find passages of an aligned text that are lost, replaced, added or moved, in the order of the alignment."""
    found: list[Passage] = []
    for kind, edits in _EDITS.items():
        found += _stretches(runs, kind, edits, found)
    found.sort(key=lambda each: each.run[1:])
    if {each.kind for each in found} in ({"lost"}, {"added"}, set()):
        return found  # what has moved is missing in one place and extra in another
    missing = [_text(reference, *each.run[1:3]) for each in found]
    extra = [_text(prediction, *each.run[3:]) for each in found]
    there = _shared(missing, _out_of_place(runs, prediction, "prediction"))
    here = _shared(extra, _out_of_place(runs, reference, "reference"))
    return [
        each._replace(kind="moved")
        if (each.kind != "added" and _is_known(missing[at], there))
        or (each.kind != "lost" and _is_known(extra[at], here))
        else each
        for at, each in enumerate(found)
    ]


def count_passages(passages: Iterable[Passage], distance: int) -> dict[str, int]:
    """Characters of each kind of passage, and of all other errors."""
    counts: dict[str, int] = {}
    for each in passages:
        counts[each.kind] = counts.get(each.kind, 0) + each.characters
    rest = distance - sum(counts.values())
    return {kind: count for kind, count in {**counts, "scattered": rest}.items() if count}


def longest(passages: Sequence[Passage]) -> list[Passage]:
    """The longest passages, in their order."""
    kept = sorted(range(len(passages)), key=lambda at: (-passages[at].characters, at))[:MOST_SHOWN]
    return [passages[at] for at in sorted(kept)]


def place_moves(passages: Sequence[Passage], prediction: Units, reference: Units) -> list[Passage]:
    """Passages with the places of those that moved."""
    moved = [each.run for each in passages if each.kind == "moved"]
    missing = _positions((run[1:3] for run in moved), reference, prediction)
    extra = _positions((run[3:] for run in moved), prediction, reference)
    found: list[Place] = []

    def place(run: EditRun) -> Place | None:
        here = _votes(run[1:3], missing, reference)
        there = _votes(run[3:], extra, prediction)
        if not here and not there:
            return None
        side: Side = "reference" if len(here) >= len(there) else "prediction"
        votes = here if side == "reference" else [(at, elsewhere) for elsewhere, at in there]
        known = next((each for each in found if _holds(each, votes[0]) and _holds(each, votes[-1])), None)
        if known is None:
            known = Place(side, *_whole(reference, prediction, votes[0], votes[-1]))
            found.append(known)
        return known._replace(side=side)

    placed = [each._replace(place=place(each.run)) if each.kind == "moved" else each for each in passages]
    return _side_by_side(placed)


def _holds(place: Place, vote: tuple[int, int]) -> bool:
    at, there = vote
    return place[1] <= at < place[2] and place[3] <= there < place[4]


def _side_by_side(passages: Sequence[Passage]) -> list[Passage]:
    """Passages in which texts that follow each other, before and after they moved, are one text."""
    joined: list[Place] = []
    for place in sorted((each.place for each in passages if each.place), key=lambda each: each[1:]):
        last = joined[-1] if joined else None
        if last and _follows(place, last):
            end, predicted_end = max(last[2], place[2]), max(last[4], place[4])
            joined[-1] = last._replace(reference_end=end, prediction_end=predicted_end)
        else:
            joined.append(place)

    def whole(place: Place) -> Place:
        found = next(each for each in joined if each[1] <= place[1] and place[2] <= each[2] and each[3] <= place[3])
        return found._replace(side=place.side)

    return [each._replace(place=whole(each.place)) if each.place else each for each in passages]


def _follows(place: Place, last: Place) -> bool:
    gap, predicted_gap = place[1] - last[2], place[3] - last[4]
    return place[3] >= last[3] and max(gap, predicted_gap) <= LEAST and abs(gap - predicted_gap) <= LEAST


def find_moves(passages: Sequence[Passage]) -> Iterator[tuple[int, int]]:
    """Numbers of two moved passages that are one text: the one that tells of it, and another end or piece of it.

    What tells of a text is the longest passage where it is missing, or else where it is extra.
    """
    placed = [(at, each.place) for at, each in enumerate(passages) if each.place]
    placed.sort(key=lambda found: (found[1].side != "reference", -passages[found[0]].characters, found[0]))
    told: list[tuple[int, Place]] = []
    for at, place in placed:
        first = next((here for here, other in told if _are_one(place, other)), None)
        if first is None:
            told.append((at, place))
        else:
            yield first, at


def _are_one(a: Place, b: Place) -> bool:
    """Whether two texts that moved share most of the shorter one, on both sides."""
    spans = zip((a[1:3], a[3:]), (b[1:3], b[3:]), strict=True)
    return all(
        min(end, other_end) - max(start, other_start) >= _MOVED * min(end - start, other_end - other_start)
        for (start, end), (other_start, other_end) in spans
    )


def _positions(spans: Iterable[tuple[int, ...]], units: Units, elsewhere: Units) -> dict[str, int]:
    """Where pieces of a text stand in the other, if in one place only."""
    wanted = {_text(units, at, at + _PIECE) for start, end in spans for at in range(start, end - _PIECE + 1, _STEP)}
    found: dict[str, int] = {}
    for at in range(len(elsewhere) - _PIECE + 1) if wanted else ():
        piece = _text(elsewhere, at, at + _PIECE)
        if piece in wanted:
            found[piece] = -1 if piece in found else at
    return {piece: at for piece, at in found.items() if at >= 0}


def _votes(span: tuple[int, ...], known: Mapping[str, int], units: Units) -> list[tuple[int, int]]:
    """Pieces of a text, and where they stand in the other, that agree on how far it moved. Words broken at the end of a
    line let the pieces of a long text drift."""
    start, end = span
    ends = range(start, end - _PIECE + 1, _STEP)
    hits = [(at, known[piece]) for at in ends if (piece := _text(units, at, at + _PIECE)) in known]
    if not hits:
        return []
    shift = median_low([there - at for at, there in hits])
    return [hit for hit in hits if abs(hit[1] - hit[0] - shift) <= LEAST + (end - start) // 20]


def _whole(a: Units, b: Units, first: tuple[int, int], last: tuple[int, int]) -> tuple[int, int, int, int]:
    """All of a text that both sides have, from what is before its first piece to what is behind its last one, at whole
    words."""
    start, predicted_start = _reach(a, b, first, -1)
    end, predicted_end = _reach(a, b, last, 1)
    most = min(_LONGEST_WORD, (end - start) // 2)
    if _inside_word(a, start) and _inside_word(b, predicted_start):
        by = next((by for by in range(1, most) if not _inside_word(a, start + by)), 0)
        start, predicted_start = start + by, predicted_start + by
    if _inside_word(a, end) and _inside_word(b, predicted_end):
        by = next((by for by in range(1, most) if not _inside_word(a, end - by)), 0)
        end, predicted_end = end - by, predicted_end - by
    return start, end, predicted_start, predicted_end


def _inside_word(units: Units, at: int) -> bool:
    return 0 < at < len(units) and not units[at - 1].isspace() and not units[at].isspace()


def _reach(a: Units, b: Units, place: tuple[int, int], step: Literal[-1, 1]) -> tuple[int, int]:
    """How far two texts agree from a place on, forward or back, but for a few characters and broken words."""

    def agree(i: int, j: int, length: int) -> bool:
        first, second = (i, j) if step > 0 else (i - length, j - length)
        fit = min(first, second) >= 0 and first + length <= len(a) and second + length <= len(b)
        return fit and a[first : first + length] == b[second : second + length]

    i, j = place
    while True:
        for length in (64, 1):
            while agree(i, j, length):
                i, j = i + step * length, j + step * length
        skip = next((each for each in _SKIPS if agree(i + step * each[0], j + step * each[1], _SURE)), None)
        if skip is None:
            return i, j
        i, j = i + step * skip[0], j + step * skip[1]


def _text(units: Units, start: int, end: int) -> str:
    return "".join(units[start:end])


def _stretches(runs: Sequence[EditRun], kind: Kind, edits: Collection[str], known: Sequence[Passage]) -> list[Passage]:
    """Runs with these edits, and what only a few characters part from them, if long and dense enough and not known."""
    found: list[Passage] = []
    parts: list[EditRun] = []
    gap = 0
    taken = iter(sorted(each.run[1:] for each in known))
    block = next(taken, None)
    for run in runs:
        while block and block[1] <= run.reference_start and block[3] <= run.prediction_start:
            block = next(taken, None)
        inside = block is not None and block[0] <= run.reference_start and block[2] <= run.prediction_start
        if run.kind not in edits and not inside:
            gap += _size(run)
            continue
        if gap > _BRIDGE or inside:
            found += _closed(parts, kind)
            parts = []
        if not inside:
            parts.append(run)
        gap = 0
    return [*found, *_closed(parts, kind)]


def _closed(parts: Sequence[EditRun], kind: Kind) -> list[Passage]:
    characters = sum(map(_size, parts))
    if characters < LEAST:
        return []
    first, last = parts[0], parts[-1]
    places = first.reference_start, last.reference_end, first.prediction_start, last.prediction_end
    whole = EditRun(_DRAWN[kind], *places)
    return [Passage(kind, whole, characters)] if characters >= _DENSE * _size(whole) else []


def _size(run: EditRun) -> int:
    return max(run.reference_end - run.reference_start, run.prediction_end - run.prediction_start)


def _out_of_place(runs: Sequence[EditRun], units: Units, side: Literal["prediction", "reference"]) -> list[str]:
    """The texts of one side between those that are the same on both, in order, for at least a piece."""
    texts: list[str] = []
    at = 0
    for run in runs:
        if run.kind == "equal" and _size(run) >= _PIECE:
            start, end = run[3:] if side == "prediction" else run[1:3]
            texts.append("".join(units[at:start]))
            at = end
    return [*texts, "".join(units[at:])]


def _shared(texts: Sequence[str], elsewhere: Sequence[str]) -> set[str]:
    """Pieces of texts that stand anywhere in others."""
    wanted = {piece for text in texts for piece in _pieces(text)}
    return {
        piece
        for text in elsewhere
        for at in range(len(text) - _PIECE + 1)
        if (piece := text[at : at + _PIECE]) in wanted
    }


def _is_known(text: str, there: set[str]) -> bool:
    pieces = _pieces(text)
    return bool(pieces) and len(pieces & there) >= _MOVED * len(pieces)


def _pieces(text: str) -> set[str]:
    return {text[at : at + _PIECE] for at in range(0, len(text) - _PIECE + 1, _PIECE)}


_EDITS: Final[dict[Kind, Collection[str]]] = {
    "lost": {"delete"},
    "added": {"insert"},
    "replaced": {"replace", "delete", "insert"},
}
"""The edits that a passage of each kind is made of, in the order in which they are looked for."""
_DRAWN: Final[dict[Kind, EditKind]] = {"lost": "delete", "added": "insert", "replaced": "replace"}
"""The run that a passage of each kind is as a whole."""
