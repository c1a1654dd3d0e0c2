"""Whom a clause is about, and how sure it is of that, where another one of its sentence tells."""

from __future__ import annotations

import itertools
import re
from typing import Final

from jatdae.dialogue.reading.clause import Clause
from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    AGAINST,
    BEFORE,
    CONDITION,
    FAMILY,
    HEDGE,
    NEGATE,
    RECOMMEND,
    STRONG,
)

_DEPENDING: Final = re.compile(r"\W*(?:due to|owing to|because of|which|or |and |as a result of)")
_DESCRIBING: Final = re.compile("[신은는던] ?$")
"""The end of a clause that describes the noun behind it."""
_CAUSED: Final = re.compile("로 인(?:한|해|하여) *$")
"""불안장애나 빈혈로 인한 두근거림일 가능성: what is the cause is as uncertain as what it causes."""
_RELATIVE: Final = re.compile(
    r"which (?:you|she|he)(?:'re|'ve)?(?! (?:tried|took|used|had|were|was|stopped|once|previously|formerly)\b)\b"
)
_TAKEN_TOO: Final = re.compile(
    r"(?:since|because|as|given that) you(?:'re| are)? (?:already |still |currently )?(?:take|taking|use|using|on|have)"
    r" (?:both|them|it|these|those|this|all)\b"
)
"""What tells of the things named before it that the patient has them: "pack enough A and B, since you take both"."""
_LOOSE: Final = NEGATE | CONDITION | HEDGE | RECOMMEND | AGAINST
"""Roles with which a relative clause states nothing."""
_CLOSE: Final = 3
_GIVER: Final = re.compile(
    "분?(?:들)?(?:이|가|께서|의|도)? ?(?:(?:마음|정성|성의|걱정|권유|조언|선물|배려|뜻)[은이도을]"
    "|(?:(?:[가-힣]+ )?(?:사다?|보내|챙겨|구해|건네|나눠)? ?(?:주신|주셨|준 |줬)|권하신|권하셨|권한 |권했|추천하신"
    "|추천하셨|추천한"
    "|보내신|사 오신|사오신))"
)
"""What behind somebody makes it one who gave what is spoken of, or means well."""
_PATIENT_NAMED: Final = re.compile(
    r"환자분|본인|당신|귀하|고객님|회원님|[가-힣]님(?:은|의|께|도)|저는|제가|저도|\b(?:someone|anyone|people"
    r"|patients)\b|\byou(?:r|'re|'ve"
    r"|rself)?\b|\bi\b|\bmy\b"
)
"""Words that bring a sentence back from somebody else to the patient."""


def _leave_givers(text: str, clauses: list[Clause]) -> None:
    """Who only gives or means something is not who has it: "친구분이 주신 수면유도제", "따님 마음은 고맙지만"."""
    for clause in clauses:
        clause.acts = [act for act in clause.acts if act[0] != FAMILY or not _GIVER.match(text, act[4])]


def follow_subject(text: str, clauses: list[Clause]) -> None:
    """Who a clause is about holds on until somebody else is named: "어머님이 드시는 도네페질은 …"."""
    _leave_givers(text, clauses)
    of_family = hedged = False
    for number, clause in enumerate(clauses):
        roles = {act[0] for act in clause.acts}
        if FAMILY in roles:
            of_family = not all(text.startswith("가족력", act[3]) for act in clause.acts if act[0] == FAMILY)
            if number and _DESCRIBING.search(text, clauses[number - 1].start, clause.start):
                first = min(act[3] for act in clause.acts if act[0] == FAMILY)
                if first <= clause.start + 1:  # "암을 앓으신 어머님이 …"
                    clauses[number - 1].acts.append((FAMILY, BEFORE, 0, clause.start, clause.start))
        elif of_family:
            end = clauses[number + 1].start if number + 1 < len(clauses) else len(text)
            of_family = _PATIENT_NAMED.search(text, clause.start, end) is None
            if of_family:
                clause.acts.append((FAMILY, AFTER, 0, clause.start - 1, clause.start - 1))
        if hedged and _DEPENDING.match(text, clause.start):  # "could be retinopathy due to high blood pressure"
            clause.acts.append((HEDGE, AFTER, 0, clause.start - 1, clause.start - 1))
            roles.add(HEDGE)
        hedged = HEDGE in roles
        if hedged and number and _CAUSED.search(text, clauses[number - 1].start, clause.start):
            clauses[number - 1].acts.append((HEDGE, BEFORE, 0, clause.start, clause.start))


def look_back(text: str, clauses: list[Clause]) -> None:
    """ "Allopurinol, which you take for gout, …": what a relative clause states holds for what stands before it."""
    before = clauses[0]
    for clause, after in itertools.pairwise([*clauses[1:], Clause(len(text))]):
        roles = 0
        comma = text.find(",", clause.start, after.start)
        for act in clause.acts:
            roles |= act[0] if comma < 0 or act[3] < comma else 0  # "which you take, would not be enough"
        if roles & AFFIRM and not roles & _LOOSE and _RELATIVE.match(text, clause.start):
            before.acts.append((STRONG, BEFORE, _CLOSE, clause.start, clause.start + len("which")))
        if _TAKEN_TOO.match(text, clause.start) and before.named:
            before.acts.append((STRONG, BEFORE, 0, clause.start, clause.start + 1))
        if not text[clause.start : after.start].isspace():
            before = clause
