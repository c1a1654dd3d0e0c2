"""What the words ahead tell of a word: the region of the head it describes, whether a comma goes on with a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.scanner import Token

HEAD_REACH: Final = 12
"""How many words ahead a closing head is looked for."""


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
    """Whether a comma joins two Hangul atoms of one axis that are denied together: 어반, 어점은 보이지 않음."""
    after = tokens[comma + 1 : comma + 4]
    if [word.role for word, _, _ in after] != ["atom", "endings", "not_back"] or tokens[comma - 1][2] != tokens[comma][
        1
    ]:
        return False
    ours, theirs = ({atom.prefix for atom in word.stated} for word in (tokens[comma - 1][0], after[0][0]))
    return not ours.isdisjoint(theirs)
