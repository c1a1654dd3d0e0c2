"""Whoever somebody else asks for: "Your daughter is 9 and has asthma" speaks of the patient, if the record is hers."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jatdae.dialogue.reading.quantities import find_ages

_CHILD: Final = "son|daughter|child|baby|kid|toddler|little one|boy|girl|grandson|granddaughter"
_ELDER: Final = "mother|father|mom|mum|dad|husband|wife|partner|grandmother|grandfather|brother|sister|aunt|uncle"
_KOREAN: Final = (
    "아드님|따님|아들|아이|아기|자녀분|손자|손녀|어머니|어머님|아버지|아버님|할머니|할아버지|남편분|남편|아내분|아내"
    "|배우자|"
    "형님|누님|동생분|동생"
)
_PERSON: Final = re.compile(rf"\b(?:{_CHILD}|{_ELDER})\b|{_KOREAN}")
_IS_AGED: Final = re.compile(
    rf"\byour ({_CHILD}|{_ELDER})(?:,? who)? is (?:now |only )?(\d{{1,3}})(?!\d|\.\d|%|/| (?:weeks|months|days))"
)
_NEXT: Final = 6
"""How far the person may stand from the age, in characters: 83세이신 어머님, 아이는 올해 8살."""


class Ward(NamedTuple):
    """A person of the patient's family who is spoken of with an age."""

    person: str
    age: float


def find_ward(text: str) -> Ward | None:
    """The person whom a folded answer speaks of by relation and age of today; None if there is none."""
    if told := _IS_AGED.search(text):
        return Ward(told[1], float(told[2]))
    for start, end, age in find_ages(text, text):
        near = _PERSON.search(text, max(0, start - _NEXT), end + _NEXT + 8)
        between = text[end : near.start()] if near and near.start() >= end else ""
        if near and age.unit == "years" and "에 " not in between and not text.startswith("에", end):
            return Ward(near[0], age.number)
    return None


def is_of_ward(text: str, ward: Ward, start: int, end: int) -> bool:
    """Whether the sentence at start:end of a folded answer speaks of this person and of no other relative."""
    return all(found[0] == ward.person for found in _PERSON.finditer(text, start, end))
