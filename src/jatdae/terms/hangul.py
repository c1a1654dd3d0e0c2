"""Hangul words that look like terms: 박, 강, 조 are syllables of a hundred ordinary words.

A weak word (one syllable, or marked so) counts

- in a compound of terms that fills its whole written word: 박백, 설홍, 황니태,
- where nothing but understood text stands between it and a head or term before it: 설질은 홍하고,
- as a head that is a written word by itself: 맥은, 혀가.

So 상태, 1회 and 조절 say nothing of a tongue.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jatdae.terms.vocabulary import Token, Word

_HANGUL: Final = re.compile("[가-힣]")
_LETTER: Final = re.compile(r"[^\W_]")


def is_hangul(character: str) -> bool:
    """Whether a character is a Hangul syllable."""
    return "가" <= character <= "힣"


def has_hangul(text: str) -> bool:
    """Whether any character of a text is a Hangul syllable."""
    return _HANGUL.search(text) is not None


def without_lookalikes(text: str, tokens: list[Token]) -> list[Token]:
    """The tokens of a text in Hangul that are what they look like."""
    kept: list[Token] = []
    ends = _touching_ends(text, tokens)
    at, linked = 0, False
    for number, token in enumerate(tokens):
        word, start, _ = token
        if start < at or word.role == "ignore":  # the former was taken with the word before it
            continue
        if _LETTER.search(text, at, start):
            linked = False
        touching = kept[-1:] if start == at else []
        taken = [token]
        if word.weak and word.says:
            last = ends[number]
            if not _is_whole(text, start, tokens[last][2], bool(touching)):
                continue
            taken = tokens[number : last + 1]
            if not linked and not _counts([each for each, _, _ in (*touching, *taken)]):
                continue
        elif word.weak and not touching:
            continue
        kept += taken
        at = taken[-1][2]
        linked = linked or any(each.says for each, _, _ in taken)
    return kept


def _touching_ends(text: str, tokens: Sequence[Token]) -> list[int]:
    """For each token the last of those that follow it without a gap in one written word."""
    ends = list(range(len(tokens)))
    for number in range(len(tokens) - 2, -1, -1):
        word, start, _ = tokens[number + 1]
        if tokens[number][2] == start and is_hangul(text[start]) and word.role != "ignore":
            ends[number] = ends[number + 1]
    return ends


def _is_whole(text: str, start: int, end: int, touching: bool) -> bool:
    """Whether nothing but understood words is written together with these."""
    begun = touching or start == 0 or not text[start - 1].isalnum()
    return begun and (end == len(text) or not is_hangul(text[end]))


def _counts(words: Sequence[Word]) -> bool:
    """A head alone; or two neighbours that speak of the same region, and none that could not stand together."""
    stated = [word for word in words if word.says]
    if len(stated) == 1:
        return stated[0].mention
    shared = False
    for a, b in pairwise(stated):
        fits = not _regions(a).isdisjoint(_regions(b)) or "" in _regions(a) | _regions(b)
        if not fits and not b.head:
            return False
        shared = shared or fits
    return shared


def _regions(word: Word) -> frozenset[str]:
    if word.role == "pattern":
        return frozenset([""])
    return frozenset([word.head]) if word.head else frozenset(word.readings)
