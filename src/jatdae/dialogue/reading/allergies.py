"""Allergies: a drug named as what a patient is allergic to ("penicillin allergy", 페니실린 알레르기) is not taken."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import Final

from jatdae.dialogue.reading.concepts import Concept
from jatdae.dialogue.reading.words import any_in

ALLERGY: Final = "allergy"
"""Category of the concepts that this module makes."""
_ALLERGENS: Final = frozenset(("drug", "drug_class"))
_WORDS: Final = ("allerg", "알레르기", "알러지", "과민", "hypersensitiv", "intoleran")
_SIGNS: Final = (*_WORDS, "reaction", "reacted", "anaphyla", "you out in", "gave you ")
"""One of these is in every text that names an allergen."""
_BEHIND: Final = re.compile(
    r"s?(?: (?:계열|계))?(?: ?(?:약물|약|항생제|성분|제제))?(?:에 대한|에 대해|에[는도만]?|[은는]| -|:)?[ -]?"
    r"(?:심한 |중증 |약물 |known |severe |drug )?(?:" + "|".join(_WORDS) + ")"
    r"|s? (?:has |had |once )?(?:brought|broke) you out in\b|s? gave you (?:hives|a rash|welts|an? (?:bad )?reaction)\b"
)
"""What makes the name before it an allergen."""
_BEFORE: Final = re.compile(
    r"(?:\ballerg(?:ic|y|ies) to|\breactions? to|\breacted (?:badly )?to"
    r"|\banaphyla(?:xis|ctic reaction) (?:to|from|with|after)"
    r"|\b(?:hypersensitive|hypersensitivity|intolerant|intolerance) (?:to|of)"
    r"|\ballerg(?:y|ies):|(?:알레르기|알러지|과민 ?반응)(?: 약물| 이력| 병력)?:)"
    r" ?(?:\*\*)? ?(?:both |the |all )?$"
)
"""What makes the name behind it an allergen."""
_JOINT: Final = re.compile(r"(?:[와과랑]|하고|,|·|/| 및|,? and|,? or)\s?(?:그리고 |the |and )?")
_LEAD: Final = 40


def find_allergens(text: str, found: list[tuple[Concept, int, int]]) -> frozenset[int]:
    """Numbers of the named concepts that a folded text calls allergens; of a list, all are if one is."""
    numbers = [at for at, (concept, _, _) in enumerate(found) if concept.category in _ALLERGENS]
    if not numbers or not any_in(_SIGNS, text):
        return frozenset()
    behind = {at for at in numbers if _BEHIND.match(text, found[at][2])}
    before = {at for at in numbers if _BEFORE.search(text, max(0, found[at][1] - _LEAD), found[at][1])}
    for other, one in itertools.pairwise(reversed(numbers)):
        if other in behind and _joined(text, found, one, other):
            behind.add(one)
    for one, other in itertools.pairwise(numbers):
        if one in before and _joined(text, found, one, other):
            before.add(other)
    return frozenset(behind | before)


def _joined(text: str, found: list[tuple[Concept, int, int]], one: int, other: int) -> bool:
    """Whether two names are items of one list; the ingredients of a product stand in one place."""
    end, start = found[one][2], found[other][1]
    return start < end or _JOINT.fullmatch(text, end, start) is not None


@lru_cache(maxsize=4096)
def allergy_to(concept: Concept) -> Concept:
    """The allergy to a drug or class: its name, with what it is a kind of in `above` and itself in `to`."""
    return Concept(
        f"{ALLERGY}:{concept.key}",
        ALLERGY,
        concept.name,
        above=concept.above,
        to=frozenset((concept.id,)),
        korean=concept.korean,
    )
