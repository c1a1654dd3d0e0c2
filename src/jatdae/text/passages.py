"""Where characters are lost: whole passages, such as a paragraph or a column, or one here and one there.

A passage is text that one side has and the other has not, or has other text for, of at least LEAST characters. An
alignment finds letters of it in whatever stands nearby, so pieces of it that only a few equal characters part are one
passage. A passage that is lost in one place and added in another has moved: the order of reading is wrong, not the
reading. All other errors are scattered.

    lost + replaced + added + moved + scattered = S + D + I, in characters

So moved text counts where it is missing and again where it is extra.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
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

Kind = Literal["lost", "replaced", "added", "moved"]
Units = str | Sequence[str]


class Passage(NamedTuple):
    """Text of one side that the other has not in its place."""

    kind: Kind
    run: EditRun
    """From its first character to its last, as one run of the alignment."""
    characters: int
    """How many of them are missing, replaced or extra."""


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


def find_moves(passages: Sequence[Passage], prediction: Units, reference: Units) -> Iterator[tuple[int, int]]:
    """Numbers of two moved passages that are one text: where it is missing, and where it is extra."""
    moved = [at for at, each in enumerate(passages) if each.kind == "moved"]
    missing = {at: _pieces(_text(reference, *passages[at].run[1:3])) for at in moved}
    for there in moved:
        run = passages[there].run
        if run.reference_end > run.reference_start:
            continue  # another text is missing there, which is told by its own
        extra = _text(prediction, *run[3:])
        met = {at: sum(piece in extra for piece in pieces) for at, pieces in missing.items() if pieces}
        here = max(met, key=lambda at: met[at], default=there)
        if here != there and met[here] >= _MOVED * len(missing[here]):
            del missing[here]
            yield here, there


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
