"""First looks at texts and similarities of texts without a compiler; the similarities are rapidfuzz's."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

FIGURE, LETTER, COLON, BRACKET, COMMA, DASH, STROKE, SPACE, SIGN, FOREIGN = (1 << bit for bit in range(10))
_MARKS: Final = {
    ":": COLON,
    **dict.fromkeys("()[]", BRACKET),
    ",": COMMA,
    "-": DASH,
    "/": STROKE,
    **dict.fromkeys("0123456789", FIGURE),
}


@lru_cache(maxsize=1 << 12)
def look(text: str) -> int:
    """Python twin of the native first look: the sorts of characters in a text, added up."""
    sorts = 0
    for character in set(text):
        sorts |= _MARKS.get(character) or _sort_of(character)
    return sorts


def _sort_of(character: str) -> int:
    sort = 0 if character.isascii() or "가" <= character <= "힣" else FOREIGN
    if character.isspace():
        return sort | SPACE
    if character.isalnum() and not character.isdecimal():
        return sort | LETTER
    return sort or SIGN


def add(
    total: NDArray[np.float64], rows: list[int], ours: list[str], theirs: list[str], alike: list[tuple[int, int]]
) -> bool:
    """Python twin of the native similarities: add them to some rows of a matrix, of any size."""
    similar = cdist(ours, theirs, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    for pair in alike:
        similar[pair] = 1.0
    total[slice(None) if rows == [*range(len(total))] else rows] += similar
    return True
