"""Two versions of a lexicon: what changed between them, and which scores of pairs or of a run would move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import Any, NamedTuple

from jatdae.core.errors import DataError
from jatdae.terms.comparer import comparer_of
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.lexicon_file import LexiconFile
from jatdae.terms.scored_pairs import ScoredPair


class Change(NamedTuple):
    """An entry of a lexicon that was added, removed or given another value."""

    key: str
    """Where it stands, such as `atoms.COLOR.红.ko`."""
    before: str
    """What only the first lexicon says; "" if that is nothing."""
    after: str


class Move(NamedTuple):
    """A sample whose score differs between two lexicons."""

    id: str
    before: float
    after: float

    @property
    def by(self) -> float:
        """How far it moves."""
        return self.after - self.before


class Moves(NamedTuple):
    """Scores of the samples that both lexicons can score."""

    n: int
    before: float
    """Mean score with the first lexicon."""
    after: float
    moved: tuple[Move, ...]
    """The samples that differ, the largest difference first."""
    left_out: int = 0
    """Pairs that cannot be compared, or of which a run keeps only the beginning."""


def changes_between(before: LexiconFile, after: LexiconFile) -> list[Change]:
    """What changed between two lexicon files, in the order of their keys; the order within a list is no change."""
    ours, theirs = dict(_entries(before)), dict(_entries(after))
    found = []
    for key in dict.fromkeys((*ours, *theirs)):
        a, b = ours.get(key), theirs.get(key)
        if isinstance(a, list) or isinstance(b, list):
            first, second = a or [], b or []
            gone, new = [each for each in first if each not in second], [each for each in second if each not in first]
            if gone or new or (a is None) != (b is None):
                found.append(Change(key, ", ".join(gone), ", ".join(new)))
        elif a != b:
            found.append(Change(key, "" if a is None else str(a), "" if b is None else str(b)))
    return found


def moves_between(pairs: Iterable[ScoredPair], before: Lexicon, after: Lexicon) -> dict[str, Moves]:
    """Score pairs with two lexicons, by system; a pair that one of them cannot score is left out and counted."""
    scores = [comparer_of(lexicon).similarity for lexicon in (before, after)]
    scored: dict[str, list[Move]] = {}
    left_out: Counter[str] = Counter()
    for pair in pairs:
        mine = scored.setdefault(pair.system, [])
        try:
            moves = [score(pair.prediction, pair.reference) for score in scores if pair.whole]
        except DataError:
            moves = []
        if moves:
            mine.append(Move(pair.id, *moves))
        else:
            left_out[pair.system] += 1
    return {system: _sum_up(moves, left_out[system]) for system, moves in scored.items()}


def _sum_up(scored: Sequence[Move], left_out: int) -> Moves:
    n = len(scored)
    moved = sorted([move for move in scored if move.by], key=lambda move: (-abs(move.by), move.id))
    means = [fsum(column) / n if n else 0.0 for column in ([m.before for m in scored], [m.after for m in scored])]
    return Moves(n, means[0], means[1], tuple(moved), left_out)


def _entries(content: LexiconFile) -> Iterator[tuple[str, Any]]:
    """Every value of a lexicon with its key: lists of strings, and single values."""
    yield from _flat(content.model_dump(by_alias=True, exclude={"name", "extends"}, exclude_defaults=True), "")


def _flat(value: Any, key: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inside in value.items():
            yield from _flat(inside, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        yield key, [each if isinstance(each, str) else str(each) for each in value]
    else:
        yield key, value
