"""Questions of patients, who speak of themselves: put in the second person, the grammar of answers reads them."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

_SECOND: Final = {
    "i": "you", "i'm": "you're", "im": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "me": "you",
    "my": "your", "mine": "yours", "myself": "yourself", "am": "are",
    "you": "assistant", "your": "their", "you're": "assistant is", "you've": "assistant has",
    "you'd": "assistant would",
    "you'll": "assistant will",
}  # fmt: skip
_WORD: Final = re.compile(
    r"\b(?:" + "|".join(sorted(map(re.escape, _SECOND), key=len, reverse=True)) + r")\b(?!')", re.I
)
_SENTENCE: Final = re.compile(r"[.!?\n]+\s*")
_QUOTED: Final = re.compile(r"[다라]고 (?:하셨|말씀|그러셨|알려)")
_DOCTOR: Final = re.compile("의사|선생|병원|교수|원장|간호|약사|검진|의원")
_DIAGNOSED: Final = re.compile(r"진단|판정|겪었|앓|걸렸|수술받|재발|\bdiagnosed\b")


def as_second_person(question: str) -> str:
    """A patient's question as it would be said to them: "I take" becomes "you take", "you said" is the assistant's."""
    plain = question.replace("’", "'")
    return _WORD.sub(lambda found: _SECOND.get(found[0].lower(), found[0]), plain)


def quotes_the_model(question: str, place: int) -> bool:
    """Whether the sentence at a place tells what the model said before: "아까 심부전이 있다고 하셨잖아요"."""
    starts = _starts(question)
    number = bisect_right(starts, place) - 1
    end = starts[number + 1] if number + 1 < len(starts) else len(question)
    said = _QUOTED.search(question, place, end)
    return said is not None and _DOCTOR.search(question, starts[number], end) is None


def diagnosed_before(question: str, places: list[int]) -> frozenset[int]:
    """Places in the sentence before one that says "진단받은 지 2주 됐어요" and names nothing: it is meant there."""
    starts = _starts(question)
    numbers = {place: bisect_right(starts, place) - 1 for place in places}
    meant = set()
    for number in range(1, len(starts)):
        end = starts[number + 1] if number + 1 < len(starts) else len(question)
        silent = number not in numbers.values() and "?" not in question[starts[number] : end]
        if silent and _DIAGNOSED.search(question, starts[number], end):
            meant |= {place for place, at in numbers.items() if at == number - 1}
    return frozenset(meant)


def _starts(question: str) -> list[int]:
    return [0, *(found.end() for found in _SENTENCE.finditer(question) if found.end() < len(question))]
