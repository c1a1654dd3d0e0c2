"""Edit-distance kernel without a compiler: rapidfuzz's alignment, called as jiwer calls it.

A `score_hint` would make it faster, but it moves the places where rapidfuzz cuts long texts, and with them the
division of the distance into substitutions, deletions and insertions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from rapidfuzz.distance import Levenshtein, Opcodes

Row = tuple[str, int, int, int, int]


def counts(prediction: str | Sequence[Hashable], reference: str | Sequence[Hashable]) -> tuple[int, int, int, int]:
    """Python twin of the native edit distance: count hits, substitutions, deletions and insertions."""
    sizes = {"equal": 0, "replace": 0, "delete": 0, "insert": 0}
    for kind, start, end, prediction_start, prediction_end in runs(prediction, reference):
        sizes[kind] += max(end - start, prediction_end - prediction_start)
    return sizes["equal"], sizes["replace"], sizes["delete"], sizes["insert"]


def runs(prediction: str | Sequence[Hashable], reference: str | Sequence[Hashable]) -> list[Row]:
    """Python twin of the native edit alignment: kind, then start and end in the reference and the prediction."""
    return [
        (code.tag, code.src_start, code.src_end, code.dest_start, code.dest_end)
        for code in _opcodes(prediction, reference)
    ]


def _opcodes(prediction: str | Sequence[Hashable], reference: str | Sequence[Hashable]) -> Opcodes:
    if isinstance(prediction, str) and isinstance(reference, str):
        return Levenshtein.opcodes(reference, prediction)
    # rapidfuzz takes items of equal hash for equal; numbers given in order of appearance are their own hash.
    numbers: dict[Hashable, int] = {}
    return Levenshtein.opcodes(_numbered(reference, numbers), _numbered(prediction, numbers))


def _numbered(items: Iterable[Hashable], numbers: dict[Hashable, int]) -> list[int]:
    return [numbers.setdefault(item, len(numbers)) for item in tuple(items)]
