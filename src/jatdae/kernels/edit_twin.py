"""Edit-distance kernel without a compiler: rapidfuzz's alignment, called as jiwer calls it.

A `score_hint` would make it faster, but it moves the places where rapidfuzz cuts long texts, and with them the
division of the distance into substitutions, deletions and insertions.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from rapidfuzz.distance import Levenshtein

Text = str | Sequence[Hashable]
UNLIMITED: Final = sys.maxsize
Row = tuple[str, int, int, int, int]


def counts(prediction: Text, reference: Text, steps: int = UNLIMITED) -> tuple[int, int, int, int] | None:
    """Python twin of the native edit distance: count hits, substitutions, deletions and insertions.

    None where that takes more than `steps`, as counted in edit.py.
    """
    sizes = {"equal": 0, "replace": 0, "delete": 0, "insert": 0}
    found = runs(prediction, reference, steps)
    if found is None:
        return None
    for kind, start, end, prediction_start, prediction_end in found:
        sizes[kind] += max(end - start, prediction_end - prediction_start)
    return sizes["equal"], sizes["replace"], sizes["delete"], sizes["insert"]


def runs(prediction: Text, reference: Text, steps: int = UNLIMITED) -> list[Row] | None:
    """Python twin of the native edit alignment: kind, then start and end in the reference and the prediction.

    None where that takes more than `steps`, as counted in edit.py.
    """
    if not isinstance(prediction, str) or not isinstance(reference, str):
        # rapidfuzz takes items of equal hash for equal; numbers given in order of appearance are their own hash.
        numbers: dict[Hashable, int] = {}
        prediction, reference = _numbered(prediction, numbers), _numbered(reference, numbers)
    if len(prediction) * len(reference) > steps and _is_beyond(prediction, reference, steps):
        return None
    return [
        (code.tag, code.src_start, code.src_end, code.dest_start, code.dest_end)
        for code in Levenshtein.opcodes(reference, prediction)
    ]


def _is_beyond(a: Text, b: Text, steps: int) -> bool:
    """Whether the distance, times the shorter length beside what both begin and end with, is more than `steps`."""
    same = _count_same(a, b)
    same += _count_same(a[same:][::-1], b[same:][::-1])
    shorter, longer = sorted((len(a) - same, len(b) - same))
    if shorter * longer <= steps:  # the distance is never more than the longer length
        return False
    most = steps // shorter
    guess = longer // 64  # rapidfuzz tries wider bands until one is wide enough
    return Levenshtein.distance(a, b, score_cutoff=most, score_hint=guess) > most


def _count_same(a: Text, b: Text) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((at for at, (x, y) in pairs if x != y), min(len(a), len(b)))


def _numbered(items: Iterable[Hashable], numbers: dict[Hashable, int]) -> list[int]:
    return [numbers.setdefault(item, len(numbers)) for item in tuple(items)]
