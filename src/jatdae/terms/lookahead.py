"""What the words ahead tell of a word: the region of the head it describes, whether a comma goes on with a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.scanner import Token, has_letters, is_hangul

HEAD_REACH: Final = 12
"""How many words ahead a closing head is looked for."""
COMMAS: Final = (",", "，")
_LISTED: Final = ("atom", "pattern", "headed", "endings", "join", "degree", "glue")
"""Roles of the words in a list of what was so."""


def region_after(tokens: Sequence[Token], number: int) -> str:
    """Region of a head word that closes a run of words (紫暗的舌下络脉), for the parser of clinical terms.

    "" if a head leads the next run.
    """
    for at, (word, _, _) in enumerate(tokens[number + 1 : number + 1 + HEAD_REACH], number + 1):
        if word.role == "stop":
            break
        if word.head and "" not in word.readings:
            closes = at + 1 == len(tokens) or tokens[at + 1][0].role == "stop"
            return word.head if closes else ""
    return ""


def region_described(tokens: Sequence[Token], number: int, led: bool = False) -> str:
    """Region of the head that a word in Latin letters stands before, with only atoms between: thin red tongue.

    Where a head leads the clause, a comma ends its description: coat thin, red tongue.
    """
    before = tokens[number][0]
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.head and not word.readings:
            return "" if before.role == "join" or before.text == "," else word.head
        if word.role not in ("atom", "pattern", "join", "degree") and (led or word.text != ","):
            return ""
        before = word
    return ""


def is_denied_list(tokens: Sequence[Token], comma: int) -> bool:
    """Whether a comma joins Hangul atoms of one axis that are denied together: 어반, 어점, 열문은 보이지 않음."""
    word, _, end = tokens[comma - 1]
    if end != tokens[comma][1]:
        return False
    axes = {atom.prefix for atom in word.stated}
    listed = False
    for ahead, _, _ in tokens[comma + 1 : comma + 1 + HEAD_REACH]:
        if ahead.role == "not_back":
            return listed and is_hangul(ahead.text[0])
        if ahead.role == "atom":
            listed = True
            if axes.isdisjoint(atom.prefix for atom in ahead.stated):
                return False
        elif ahead.role not in ("endings", "either", "join", "glue", "degree") and ahead.text != ",":
            return False
    return False


def is_denied(tokens: Sequence[Token], number: int) -> bool:
    """Whether only Hangul atoms and endings stand between a word and a negation after them: 희거나 두껍지 않다."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role == "not_back":
            return is_hangul(word.text[0])
        if word.role not in ("atom", "pattern", "endings", "either", "join", "degree", "break", "glue"):
            return False
    return False


def is_former_list(tokens: Sequence[Token], comma: int, begun: bool) -> bool:
    """Whether a comma stands in a list of what was so before a change, or of what is so after it.

    from thick, yellow and greasy to thin; in Korean the words for "from" and "to" stand after their lists:
    백색, 후니에서 황색, 박으로 변함. `begun`: "from" stands before the comma.
    """
    for word, _, _ in tokens[comma + 1 : comma + 1 + HEAD_REACH]:
        if word.role == "to":
            return begun
        if word.role == "from" and is_hangul(word.text[0]):
            begun = True
        elif word.role not in _LISTED and word.text not in COMMAS:
            return False
    return False


def is_maxim(tokens: Sequence[Token], number: int) -> bool:
    """Whether the first clause after a word interprets: 一般来说，黄苔主热."""
    begun = False
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role in ("aside", "general"):
            return True
        if word.role == "stop" and (begun or word.text not in COMMAS):
            return False
        begun = begun or word.is_content
    return False


def names_next(tokens: Sequence[Token], number: int, *, place: bool) -> bool:
    """Whether the next word that is more than glue is a location, or an atom that is none."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role not in ("glue", "degree", "break"):
            return word.is_content and bool(word.readings or word.only) and ("" in word.readings) == place
    return False


def shares_axis(tokens: Sequence[Token], number: int, prefix: str) -> bool:
    """Whether the next atom after a word is of this axis: 치흔이나 열문."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.is_content:
            return any(atom.prefix == prefix for atom in word.only or word.stated)
    return False


def describes_other(text: str, tokens: Sequence[Token], comma: int) -> bool:
    """Whether the atoms after a comma describe an unknown noun: avoid spicy, dry, and greasy foods."""
    at = tokens[comma][2]
    for word, start, end in tokens[comma + 1 : comma + 1 + HEAD_REACH]:
        if has_letters(text[at:start]):
            return True
        if not word.latin and word.text != ",":
            return False
        if word.role not in ("atom", "pattern", "join", "or", "degree", "stop"):
            return False
        at = end
    return has_letters(text[at : at + 2])
