"""Blocks and their order: what of a reference a prediction has, wherever it stands, and whether it stands in order.

    block_recall = characters of the reference that were found / all its characters
    order_error  = characters of found blocks outside the heaviest sequence that is in order / characters of all of them

A block is a passage that stands in both texts: a run of words common to both, with the misread words between two such
runs where nothing else lies between them on either side. So a block never depends on how a text is cut into
paragraphs, and splitting or joining these moves neither number. Each word belongs to one block at most. Long runs are
found first, and of equally long ones that which goes on where the last one ended.

Misread words inside a block count as found by the characters they have in common with what stands there instead, if
that is most of them. The
heaviest sequence is the increasing subsequence with the most characters: a column that was moved counts once, not
every block that it jumped over. A moved column raises `order_error` alone, misread or missing text lowers
`block_recall` alone; CER has both in one number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from rapidfuzz.distance import LCSseq

from jatdae.core.contract import Issue, Outcome, Ratio

VERSION: Final = 1
SEEDS: Final = (12, 6, 3)
"""Words that a run begins with, the longest first: fewer would be found by chance."""
MOST_PLACES: Final = 16
"""Places of one seed that are tried."""
ALIKE: Final = 0.7
"""Share of common characters from which on words are taken for misread ones: texts of one language share half."""
LONGEST_GAP: Final = 2_000
"""Characters between two runs that are still compared."""
MOST_SHOWN: Final = 20
LONGEST_SHOWN: Final = 120

_WORD: Final = re.compile(
    r"[\u2e80-\u303f\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u2e80-\u303f\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
"""Chinese and Japanese are written without spaces: each of their characters is a word."""


class Run(NamedTuple):
    """Words common to both texts: where they begin in the reference and in the prediction, and how many."""

    reference: int
    prediction: int
    words: int

    @property
    def after(self) -> tuple[int, int]:
        """What comes next, in the reference and in the prediction."""
        return self.reference + self.words, self.prediction + self.words


@dataclass(frozen=True, slots=True)
class Block:
    """A passage found in the prediction: where it begins there, and its characters in the reference."""

    reference: int
    """Where its words begin in the reference."""
    words: int
    prediction: int
    characters: int
    """Those of its words in the reference that were found."""
    missed: tuple[tuple[int, int], ...] = ()
    """Words of the reference inside it of which less than half was found."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of a reference that a prediction has, and which of them stand out of order."""

    found: Sequence[Block]
    moved: Sequence[Block]
    words: Sequence[str]
    """Of the reference."""

    @property
    def length(self) -> int:
        """Characters of the reference."""
        return sum(map(len, self.words))

    @property
    def recall(self) -> float:
        """The share of the reference that was found."""
        return _sum(self.found) / self.length

    @property
    def order_error(self) -> float:
        """The share of what was found that is out of order; where nothing was found, nothing is in order."""
        found = _sum(self.found)
        return _sum(self.moved) / found if found else 1.0

    def evidence(self) -> dict[str, Any]:
        """The longest blocks that were moved, and the longest passages that were not found.

        `short` are those with too few words to be looked for away from their neighbours; they may well be there.
        """
        gaps = sorted(_gaps(self.found, len(self.words)), key=lambda gap: gap[0] - gap[1])
        inside = {gap for block in self.found for gap in block.missed}
        short = [gap for gap in gaps if gap[1] - gap[0] < SEEDS[-1] and gap not in inside]
        missed = [gap for gap in gaps if gap not in short]
        moved = sorted(self.moved, key=lambda block: -block.characters)
        return {
            "found": _sum(self.found),
            "moved": _sum(self.moved),
            "reference": self.length,
            "out_of_order": [self._text(each.reference, each.reference + each.words) for each in moved[:MOST_SHOWN]],
            "missed": [self._text(*gap) for gap in missed[:MOST_SHOWN]],
            "short": [self._text(*gap) for gap in short[:MOST_SHOWN]],
            "short_characters": sum(len(word) for start, end in short for word in self.words[start:end]),
        }

    def _text(self, start: int, end: int) -> str:
        text = " ".join(self.words[start:end])
        return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def score(prediction: str, reference: str) -> Outcome:
    """Blocks of a document and their order, from texts that were normalised before."""
    blocks = find_blocks(prediction, reference)
    if not blocks.words:
        issue = Issue("empty_reference", "the reference is empty after normalisation")
        return Outcome({"block_recall": None, "order_error": None}, issues=(issue,))
    return Outcome(
        {"block_recall": blocks.recall, "order_error": blocks.order_error},
        stats={
            "blocks.found": float(_sum(blocks.found)),
            "blocks.moved": float(_sum(blocks.moved)),
            "blocks.reference": float(blocks.length),
        },
        evidence=blocks.evidence(),
    )


def micro_averages() -> dict[str, Ratio]:
    """Micro averages of the metrics of blocks, as ratios of summed statistics."""
    return {
        "block_recall": Ratio("blocks.found", "blocks.reference"),
        "order_error": Ratio("blocks.moved", "blocks.found", otherwise=1.0),
    }


def find_blocks(prediction: str, reference: str) -> Blocks:
    """Find the passages of a reference in a prediction."""
    expected, given = _WORD.findall(reference), _WORD.findall(prediction)
    runs = sorted(find_runs(given, expected))
    joined = _join(runs, len(given), len(expected))
    blocks = [block for group in joined if (block := _measure(group, given, expected))]
    kept = set(_in_order(blocks))
    return Blocks(blocks, [block for at, block in enumerate(blocks) if at not in kept], expected)


def find_runs(prediction: Sequence[str], reference: Sequence[str]) -> list[Run]:
    """Find runs of words common to both texts, in any order, each word in one run at most; long runs first."""
    taken = bytearray(len(prediction))
    free = [(0, len(reference))]
    runs: list[Run] = []
    for seed in SEEDS:
        places = _places(prediction, taken, seed)
        left: list[tuple[int, int]] = []
        for start, end in free:
            begin, at, expected = start, start, -1
            while at + seed <= end:
                candidates = places.get(tuple(reference[at : at + seed]), ())
                run = _longest(prediction, reference, taken, at, end, candidates, expected)
                if run is None or run.words < seed:
                    at += 1
                    continue
                back = _backwards(prediction, reference, taken, begin, run)
                run = Run(run.reference - back, run.prediction - back, run.words + back)
                taken[run.prediction : run.prediction + run.words] = b"\1" * run.words
                runs.append(run)
                left.append((begin, run.reference))
                begin, expected = run.after
                at = begin
            left.append((begin, end))
        free = left
    return runs


def _places(words: Sequence[str], taken: bytearray, seed: int) -> dict[tuple[str, ...], list[int]]:
    """Where each seed begins among the words that are still free."""
    places: dict[tuple[str, ...], list[int]] = {}
    until = 0  # no seed may begin before this: a taken word lies in it
    for at in range(len(words) - seed + 1):
        last = at + seed - 1
        if at == 0:
            until = max((place + 1 for place in range(seed) if taken[place]), default=0)
        elif taken[last]:
            until = last + 1
        if at >= until:
            known = places.setdefault(tuple(words[at : at + seed]), [])
            if len(known) < MOST_PLACES:
                known.append(at)
    return places


def _longest(
    prediction: Sequence[str],
    reference: Sequence[str],
    taken: bytearray,
    at: int,
    end: int,
    candidates: Sequence[int],
    expected: int,
) -> Run | None:
    """The longest run from a place of the reference; of equals, that which follows the run before, then the first."""
    best: tuple[int, bool, int] | None = None
    for place in candidates:
        most = min(end - at, len(prediction) - place)
        words = 0
        while words < most and reference[at + words] == prediction[place + words] and not taken[place + words]:
            words += 1
        rank = (words, place >= expected >= 0, -place)
        if best is None or rank > best:
            best = rank
    return Run(at, -best[2], best[0]) if best else None


def _backwards(prediction: Sequence[str], reference: Sequence[str], taken: bytearray, begin: int, run: Run) -> int:
    """How many more words a run has before its seed."""
    most = min(run.reference - begin, run.prediction)
    words = 0
    while words < most:
        place = run.prediction - words - 1
        if taken[place] or reference[run.reference - words - 1] != prediction[place]:
            break
        words += 1
    return words


def _join(runs: Sequence[Run], predicted: int, expected: int) -> Iterator[list[Run]]:
    """Groups of runs that are neighbours in both texts; empty runs stand for the beginning and the end of both."""
    whole = [Run(0, 0, 0), *runs, Run(expected, predicted, 0)]
    by_place = sorted(range(len(whole)), key=lambda number: (whole[number].prediction, number))
    rank = {number: at for at, number in enumerate(by_place)}
    group = [whole[0]]
    for before, after in pairwise(range(len(whole))):
        if rank[after] != rank[before] + 1:
            yield group
            group = []
        group.append(whole[after])
    yield group


def _measure(runs: Sequence[Run], prediction: Sequence[str], reference: Sequence[str]) -> Block | None:
    """The block that neighbouring runs and the misread words between them make; None without any character."""
    characters, missed = 0, []
    for before, run in pairwise([Run(runs[0].reference, runs[0].prediction, 0), *runs]):
        start, place = before.after
        misread = reference[start : run.reference]
        common = _common(misread, prediction[place : run.prediction])
        if 2 * common < sum(map(len, misread)):
            missed.append((start, run.reference))
        characters += common + sum(map(len, reference[run.reference : run.after[0]]))
    first, last = runs[0], runs[-1]
    if not characters:
        return None
    return Block(first.reference, last.after[0] - first.reference, first.prediction, characters, tuple(missed))


def _common(expected: Sequence[str], given: Sequence[str]) -> int:
    """Characters that misread words have in common with what stands in their place."""
    if not expected or not given:
        return 0
    texts = "".join(expected), "".join(given)
    if max(map(len, texts)) > LONGEST_GAP:
        return 0
    common = int(LCSseq.similarity(*texts))
    return common if 2 * common >= ALIKE * sum(map(len, texts)) else 0


def _in_order(blocks: Sequence[Block]) -> Iterator[int]:
    """Numbers of the blocks of the heaviest increasing subsequence: in order in both texts, with most characters."""
    # Per weight reached, the least place it can end at: both lists grow.
    weights, ends, numbers = [0], [-1], [-1]
    before: list[int] = []
    for number, block in enumerate(blocks):
        at = bisect_right(ends, block.prediction) - 1
        before.append(numbers[at])
        weight = weights[at] + block.characters
        at += 1
        upto = at
        while upto < len(ends) and weights[upto] <= weight:
            upto += 1
        weights[at:upto], ends[at:upto], numbers[at:upto] = [weight], [block.prediction], [number]
    number = numbers[-1]
    while number >= 0:
        yield number
        number = before[number]


def _gaps(found: Sequence[Block], words: int) -> Iterator[tuple[int, int]]:
    """Words of the reference that were not found: those between blocks, and those inside one."""
    end = 0
    for block in found:
        if block.reference > end:
            yield end, block.reference
        yield from block.missed
        end = block.reference + block.words
    if end < words:
        yield end, words


def _sum(blocks: Sequence[Block]) -> int:
    return sum(block.characters for block in blocks)
