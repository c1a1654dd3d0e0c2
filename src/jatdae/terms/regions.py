"""What a word says depends on the region it stands in, and the region on the heads around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.model import Atom
from jatdae.terms.vocabulary import Token, Word

AHEAD: Final = 12
"""How many words are looked at for a head that follows."""


def reading_in(region: str, word: Word, opened: Sequence[str]) -> tuple[Atom, ...]:
    """What a word says: in this region, else in the one open region that knows it, else anywhere."""
    if atoms := word.readings.get(region):
        return atoms
    if word.bound:
        return ()
    known = [word.readings[name] for name in opened if name in word.readings]
    choices = known or list(word.readings.values())
    return choices[0] if len(choices) == 1 else ()


def region_after(tokens: Sequence[Token], number: int) -> str:
    """The region of a head that closes this run of words (紫暗的舌下络脉), not of one that leads the next."""
    for at, (word, _, _) in enumerate(tokens[number + 1 : number + 1 + AHEAD], number + 1):
        if word.role == "stop":
            break
        if word.head and "" not in word.readings:
            closes = at + 1 == len(tokens) or tokens[at + 1][0].role == "stop"
            return word.head if closes else ""
    return ""
