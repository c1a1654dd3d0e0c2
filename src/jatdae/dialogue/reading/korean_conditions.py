"""What comes of a Korean condition in the clause behind it, and what brings it about in the clause before."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.clause import Sentence
from jatdae.dialogue.reading.cues import (
    AFFIRM,
    BEFORE,
    CONDITION,
    FAMILY,
    GENERAL,
    HEDGE,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    STRONG,
)
from jatdae.dialogue.reading.neighbours import ADVICE

SUPPOSED: Final = frozenset(("condition", "drug", "drug_class", "procedure"))
"""Categories of what a condition may come to."""
OWN: Final = PERSONAL | STRONG | PATIENT | FAMILY
"""Roles that tell whose something is."""
_UNABLE: Final = re.compile("서 [^.,!?]{0,16}?(?:(?:못|안) [가-힣]{1,6}(?: 정도)?면|[가-힣]지 (?:못하|않으)시?면)")
"""How a condition goes on that begins with what brings it about."""
_WARNED: Final = re.compile(r"수(?:도| 도)? 있(?:으니|으므로|어|기 때문)")
"""What makes a possible consequence one of which the patient is warned: "…이 생길 수 있으니 조심하세요"."""
_TOLD_OF: Final = re.compile("말씀|증상만|증상[을으]|결과|소견|양상|종합|수치[로만]")
"""What a condition may speak of that is known: "말씀만 들으면 …이 의심됩니다"."""
_FEW: Final = 24
"""How far behind a consequence its warning may end, in characters."""
_ASKED: Final = re.compile(r"(?:드|쓰|맞으|바르|하|받으)시고,? *\Z")


def as_supposed(said: Sentence, number: int, end: int, category: str, roles: int) -> int:
    """The roles of a mention with the condition that the clause before it makes: "손이 떨리면 저혈당이니 …"."""
    if category != "condition" and roles & AFFIRM and not roles & (STRONG | ADVICE) and said.hangul:
        last = said.starts[number + 1] if number + 1 < len(said.starts) else len(said.text)
        if _is_asked_for(said.text, said.starts[number], last) and _is_supposed(said, number):
            return roles & ~(AFFIRM | PERSONAL) | RECOMMEND
    told = AFFIRM | HEDGE if category == "condition" else AFFIRM
    if roles & told and not roles & (OWN | GENERAL | ADVICE):
        comes = _is_supposed(said, number)
    else:
        comes = category == "condition" and not roles & (OWN | AFFIRM) and _is_warned_of(said, number, end)
    return roles | CONDITION if comes else roles


def leads_to_condition(said: Sentence, number: int) -> bool:
    """Whether a Korean clause in -서 tells why something of the condition behind it could not be done."""
    if number + 1 >= len(said.starts):
        return False
    last = said.starts[number + 2] if number + 2 < len(said.starts) else len(said.text)
    return _UNABLE.match(said.text, said.starts[number + 1] - 1, last) is not None


def _is_supposed(said: Sentence, number: int) -> bool:
    """Whether a clause tells what a Korean condition before it comes to: "손이 떨리면 저혈당이니 …"."""
    if not number or _TOLD_OF.search(said.text, said.starts[number - 1], said.starts[number]):
        return False
    return any(role == CONDITION and scope & BEFORE for role, scope, *_ in said.clauses[number - 1].acts)


def _is_warned_of(said: Sentence, number: int, end: int) -> bool:
    """Whether what is named is a possible consequence of the condition before: "… 두통이 생길 수 있으니"."""
    found = _WARNED.search(said.text, end, end + _FEW)
    return found is not None and _is_supposed(said, number)


def _is_asked_for(text: str, start: int, end: int) -> bool:
    """Whether a clause after a condition asks for what it names: "머리가 아플 때는 타이레놀을 쓰시고"."""
    return _ASKED.search(text, start, end) is not None
