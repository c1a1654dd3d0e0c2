"""What a clause takes from those behind it: advice, a condition, what is said of its topic."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.clause import Clause
from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AGAINST,
    ALLOW,
    BEFORE,
    CONDITION,
    FAMILY,
    GENERAL,
    HEDGE,
    KEEP,
    NEGATE,
    PERSONAL,
    RECOMMEND,
)

ADVICE: Final = RECOMMEND | AGAINST | KEEP
BLOCKED: Final = NEGATE | ADVICE | ALLOW
"""Roles that do not reach a mention across an assertion: "고혈압이 있으신 분으로 당뇨는 없으십니다"."""
_TOPIC: Final = re.compile(r"(?:[가-힣](?<!에)[은는]|[가-힣][을를가])\s")
"""A noun with its particle: the topic of the clause."""
_PAST: Final = re.compile("[었았였했왔났렸졌갔됐췄]고$")
"""The end of a clause in the past that another follows."""
_GOING: Final = re.compile("(?:고 계시|중이시|있으시|이시|상태시)[고며]$")
_HONOURED: Final = re.compile("[시신으셨]+면|시거나|신다면|실 때|신 경우")
_POINTING: Final = re.compile(
    "(?:인데|이고|이라|이니|입니다만|(?:이|가) 들어 ?있(?:는데|고|으니)),? "
    "(?:이건|이것[은도]|그건|그것[은도]|(?:이|그|이런|그런) (?:약|성분|제품|것)[은도])"
)
_JOINED: Final = 9
"""How many clauses ahead -고 can reach."""
_COMMENT: Final = 24
"""How many clauses of a comment are asked whether they doubt what it is on."""
_AHEAD: Final = 3
"""How many clauses ahead advice may stand."""


def carried_on(text: str, clauses: tuple[Clause, ...], number: int, theme: bool) -> int:
    """Advice of a later clause that names nothing of its own: "바나나는 몸에 좋으니 매일 드세요"."""
    for clause in clauses[number + 1 : number + 1 + _AHEAD]:
        advice = _backward(clause) & (ADVICE | ALLOW)
        named = clause.named and not (theme and clause.placed)
        passing = not clause.themed if theme else not clause.named
        if advice and not named:
            return 0 if _TOPIC.search(text, clause.start, clause.acts[0][3]) else advice
        if advice or not passing or (not theme and any(act[0] != CONDITION for act in clause.acts)):
            break
    return 0


def stated_next(clauses: tuple[Clause, ...], number: int) -> int:
    """What a topic takes from the next clause, which names nothing: "로사르탄은 콩팥을 보호하려고 드시는 약이에요"."""
    after = clauses[number + 1] if number + 1 < len(clauses) else None
    if after is None or after.named:
        return 0
    taken = _backward(after)
    if taken & NEGATE and not taken & (GENERAL | CONDITION | HEDGE | FAMILY | AFFIRM):
        return NEGATE | taken & PERSONAL  # "메트포르민은 속이 안 좋아서 끊었고요"
    stated = taken & AFFIRM and taken & PERSONAL and not taken & (GENERAL | CONDITION | HEDGE | FAMILY | NEGATE)
    return AFFIRM | PERSONAL if stated else 0


def is_doubted(clauses: tuple[Clause, ...], number: int) -> bool:
    """Whether a clause or one behind it doubts what stands before: "폐렴: 흉부 사진이 의심스럽습니다"."""
    behind = clauses[number : number + _COMMENT]
    return any(role & HEDGE and scope & BEFORE for clause in behind for role, scope, *_ in clause.acts)


def pointed_at(text: str, end: int, clauses: tuple[Clause, ...], number: int) -> int:
    """Advice on what ends at `end`, to which the next clause points: "디펜히드라민인데, 이건 드시지 마세요"."""
    if number + 1 >= len(clauses) or text[end : end + 1] not in "인이입가" or not _POINTING.match(text, end):
        return 0
    return next(
        (advice for each in clauses[number + 1 : number + 1 + _AHEAD] if (advice := _backward(each) & ADVICE)), 0
    )


def _backward(clause: Clause) -> int:
    """The roles of a clause that act on all before it."""
    roles = 0
    for role, scope, near, *_ in clause.acts:
        if scope & BEFORE and not near:
            roles |= role
    return roles


def inherited(text: str, clauses: tuple[Clause, ...], number: int, roles: int) -> int:
    """What a clause joined by -고 or -며 takes from the next: a condition always, advice if it has none itself."""
    for clause in clauses[number + 1 : number + _JOINED]:
        taken = _backward(clause)
        if roles & PERSONAL and roles & AFFIRM and not taken & CONDITION:
            taken &= ~GENERAL  # "뇌졸중을 앓으신 적이 있어 … 더 어울릴 수 있습니다"
        if roles & (PERSONAL | GENERAL) and text.startswith(",", clause.start):  # "심장병은 없으시고, 빈혈이 심하면 …"
            return 0
        if (
            roles & AFFIRM
            and text.startswith(",", clause.start)
            and _PAST.search(text, max(0, clause.start - 2), clause.start)
        ):
            return 0  # "트로포닌이 0.01로 정상이었고, 숨을 쉴 때만 쑤신다는 점도 …": told, and not supposed
        if taken & CONDITION and _is_told_apart(text, clause, roles):
            return 0  # "파록세틴을 드시고 계시고 소염제와 겹치면": told, and only the second supposed
        if taken & (CONDITION | GENERAL) and not roles & (ADVICE | ALLOW):  # "위궤양이 있거나 와파린을 드시는 분은"
            return taken & (CONDITION | GENERAL)
        if taken & HEDGE and not roles & AFFIRM:
            return HEDGE
        if taken & AFFIRM and not roles & (BLOCKED | AFFIRM):  # "라식스와 콩코르, 그리고 디곡신을 복용하고 계십니다"
            return taken & (AFFIRM | PERSONAL)
        if taken & ADVICE and not roles & (BLOCKED | AFFIRM):
            return taken & ADVICE
        if taken or not clause.joined:
            return 0
    return 0


def _is_told_apart(text: str, clause: Clause, roles: int) -> bool:
    """Whether what is told before a condition of something else is no part of it."""
    if not (roles & PERSONAL and roles & AFFIRM and _GOING.search(text, 0, clause.start)):
        return False
    return _HONOURED.search(text, clause.start, max(act[4] for act in clause.acts)) is None
