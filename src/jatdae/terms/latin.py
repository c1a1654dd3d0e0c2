"""Words in Latin letters, which spaces set apart: red is no part of tired, and Red is red."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Match = tuple[int, int, int]
"""The number of a word, its start and its end."""

_AFTER_LATIN: Final = "\u0250"  # Latin letters of Unicode's first four blocks, from Basic Latin to Latin Extended-B


def is_latin(character: str) -> bool:
    """Whether a character is a Latin letter, with or without marks."""
    return character < _AFTER_LATIN and character.isalpha()


SMALL_LETTERS: Final = {
    ord(capital): capital.lower()
    for capital in filter(is_latin, map(chr, range(ord(_AFTER_LATIN))))
    if capital.lower() != capital and len(capital.lower()) == 1  # positions must not shift
}
"""Capitals and what they are read as, as `str.translate` takes them."""


def whole_words(text: str, matches: Sequence[Match]) -> list[Match]:
    """The matches that neither begin nor end within a Latin word."""
    return [match for match in matches if not (_is_inside(text, match[1]) or _is_inside(text, match[2]))]


def _is_inside(text: str, at: int) -> bool:
    return 0 < at < len(text) and is_latin(text[at - 1]) and is_latin(text[at])
