"""What the words around a mention make of it: polarity, status, subject. Cues act within clauses, as in ConText.

Harkema, Dowling, Thornblade, Chapman: ConText: an algorithm for determining negation, experiencer, and temporal
status from clinical reports. J Biomed Inform 42 (2009). The clause rules, the Korean cues and the statuses are ours.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

from jatdae.dialogue.clauses import Clause, Placed, split_clauses
from jatdae.dialogue.cues import (
    AFFIRM,
    AFTER,
    AGAINST,
    ALLOW,
    BEFORE,
    CONDITION,
    CONSULT,
    EXAMPLE,
    FAMILY,
    GENERAL,
    KEEP,
    NEGATE,
    PATIENT,
    RECOMMEND,
    STRONG,
    TARGET,
    Cues,
)

STATUSES: Final = ("patient_fact", "recommended", "advised_against", "conditional", "example", "general", "family")
FACT, RECOMMENDED, AVOID, CONDITIONAL, IN_EXAMPLE, NOT_PATIENT, OF_FAMILY = STATUSES

_ADVISABLE: Final = frozenset(("drug", "drug_class", "food", "activity", "procedure", "pattern"))
"""What can be recommended or advised against; nobody recommends a disease."""
_TAKEN: Final = frozenset(("drug", "drug_class", "procedure"))
"""What a patient takes or has had; food and exercise are only ever advised, or spoken of."""
_MEASURED: Final = frozenset(("lab", "vital"))
_TOLD: Final = frozenset(("age", "sex"))
_ITEM: Final = re.compile(r"\s*(?:[-*•·▪◦‣]|\d{1,2}[.)]|[①-⑩])\s+")
_TOPIC: Final = re.compile(r"[가-힣][은는을를가]\s")
"""A noun with its particle: what the clause is about."""
_BLOCKED: Final = NEGATE | AGAINST | RECOMMEND | KEEP | ALLOW
"""What an assertion between the mention and the cue keeps away: "고혈압이 있으신 분으로 당뇨는 없으십니다"."""
_NOT_TO: Final = 1 << 20
"""A negation in front, as English has it: "I would not, in your place, take aspirin"."""
_EFFECT: Final = 1 << 21
"""What something else may do, as English has it behind the verb: "grapefruit can raise simvastatin"."""
_BEHIND: Final = {NEGATE: _NOT_TO, GENERAL: _EFFECT}
_FAR: Final = 1 << 60
_CHAINED: Final = 3
"""Nearer than this, an assertion and a negation are one predicate: 복용하고 있지 않으십니다."""
_JOINED: Final = 9
"""How many clauses ahead -고 can reach."""
_SETTLED: Final = _BLOCKED | AFFIRM | FAMILY | EXAMPLE | CONDITION | CONSULT | STRONG | _EFFECT
"""Roles with which a mention needs nothing from the next clause."""
_BARE: Final = 40
"""Longest line without a full stop that can be a heading over a list."""


class Reading(NamedTuple):
    """How a mention is meant."""

    polarity: str
    status: str
    subject: str
    advice: str
    """for, against or nothing: what the answer tells the patient to do about it."""


_GENERAL: Final = Reading("affirmed", NOT_PATIENT, "other", "")
_STATED: Final = Reading("affirmed", FACT, "patient", "")
_DENIED: Final = Reading("negated", FACT, "patient", "")
_KEPT: Final = Reading("affirmed", FACT, "patient", "for")
_ADVISED: Final = Reading("affirmed", RECOMMENDED, "patient", "for")
_ADVISED_AGAINST: Final = Reading("affirmed", AVOID, "patient", "against")
_IF: Final = Reading("affirmed", CONDITIONAL, "patient", "")
_EXAMPLE: Final = Reading("affirmed", IN_EXAMPLE, "patient", "")
_FAMILY: Final = Reading("affirmed", OF_FAMILY, "other", "")
_FAMILY_DENIED: Final = Reading("negated", OF_FAMILY, "other", "")


class Context:
    """The clauses of one folded text."""

    def __init__(self, text: str, cues: Cues, mentions: frozenset[int] | set[int]) -> None:
        """`mentions` are the places where concepts begin: a comma before one goes on with a list."""
        self._text = text
        self.clauses = split_clauses(text, cues, mentions)
        self.starts = [clause.start for clause in self.clauses]
        for place in mentions:
            self.clauses[bisect_right(self.starts, place) - 1].named = True
        if "\n" in text:
            self._lead(text)

    def clause_at(self, place: int) -> int:
        """The number of the clause a place is in."""
        return bisect_right(self.starts, place) - 1

    def read(self, start: int, end: int, category: str, valued: bool = False, until: int = _FAR) -> Reading:
        """How what stands at start:end is meant; a target named behind `until`, its value, is another number's."""
        number = bisect_right(self.starts, start) - 1
        clause = self.clauses[number]
        roles, negations = _roles(clause.acts, start, end, until)
        if clause.joined:
            roles |= self._inherited(number, roles)
        elif category in _ADVISABLE and not roles & (_SETTLED if category in _TAKEN else _SETTLED & ~AFFIRM):
            roles |= self._carried(number)
        if clause.lead is not None and not roles & ~PATIENT:
            for role, *_ in clause.lead.acts:
                roles |= role
                negations += role == NEGATE
        if clause.evident:
            roles |= PATIENT
        return _decide(roles, negations, category, valued, clause.asks)

    def negations(self, start: int) -> int:
        """How many negations reach what begins at a place, or stand in it."""
        clause = self.clauses[bisect_right(self.starts, start) - 1]
        return sum(
            role == NEGATE and (at >= start if scope & BEFORE else at < start) for role, scope, _, at, _ in clause.acts
        )

    def _inherited(self, number: int, roles: int) -> int:
        """What a clause joined by -고 or -며 takes from the next: a condition always, advice where it has none."""
        following = number + 1
        while following < min(len(self.clauses), number + _JOINED):
            clause = self.clauses[following]
            taken = 0
            for role, scope, near, *_ in clause.acts:
                if scope & BEFORE and not near:
                    taken |= role
            if taken & CONDITION:
                return CONDITION
            if taken & (AGAINST | RECOMMEND | KEEP) and not roles & (_BLOCKED | AFFIRM):
                return taken & (AGAINST | RECOMMEND | KEEP)
            if taken or not clause.joined:
                return 0
            following += 1
        return 0

    def _carried(self, number: int) -> int:
        """Advice of the next clause where that names nothing of its own: "바나나는 몸에 좋으니 매일 드세요"."""
        ahead = self.clauses[number + 1 : number + 3]
        following = next((clause for clause in ahead if clause.acts or clause.named), None)
        if following is None or following.named or following.sentence != self.clauses[number].sentence:
            return 0
        if following.acts and _TOPIC.search(self._text, following.start, following.acts[0][3]):
            return 0
        taken = 0
        for role, scope, near, *_ in following.acts:
            if scope & BEFORE and not near:
                taken |= role & (AGAINST | RECOMMEND | KEEP | ALLOW)
        return taken

    def _lead(self, text: str) -> None:
        """Let the items of a list inherit from the line above it: "피해야 할 음식:" and a heading alike."""
        lead: Clause | None = None
        place = 0
        for line in text.split("\n"):
            bare = line.strip().rstrip("*_ ")
            item = _ITEM.match(line)
            if item and not (bare.endswith(":") and not line.startswith((" ", "\t"))):
                if lead is not None:
                    for number in range(self.clause_at(place), self.clause_at(place + len(line)) + 1):
                        self.clauses[number].lead = lead
            elif bare:
                heads = (
                    bare.endswith(":")
                    or line.startswith(("#", "**"))
                    or (len(bare) <= _BARE and not bare.endswith((".", "!", "?", "다", "요")))
                )
                lead = None
                if heads:
                    lead = Clause(place)
                    for number in range(self.clause_at(place), self.clause_at(place + len(line)) + 1):
                        lead.acts += self.clauses[number].acts
            place += len(line) + 1


def _roles(acts: list[Placed], start: int, end: int, until: int) -> tuple[int, int]:
    """The roles that reach a mention, and how many negations do."""
    roles = negations = 0
    asserted = -1  # where the first assertion behind the mention ends
    for role, scope, near, at, to in acts:
        if at >= end:
            if role == AFFIRM and asserted < 0:
                asserted = to
            if not scope & BEFORE or (near and at - end > near) or (role == TARGET and at >= until):
                continue
            if role & _BLOCKED and 0 <= asserted < at - _CHAINED:
                continue
        elif at < start:
            if not scope & AFTER or (near and start - to > near):
                continue
        elif role not in (FAMILY, GENERAL):
            continue
        roles |= role
        if scope == AFTER:
            roles |= _BEHIND.get(role, 0)
        negations += role == NEGATE
    return roles, negations


def _decide(roles: int, negations: int, category: str, valued: bool, asks: bool) -> Reading:
    """The reading that the roles leave, the strongest first."""
    negated = negations % 2 == 1
    advisable = category in _ADVISABLE
    if roles & FAMILY:
        return _FAMILY_DENIED if negated else _FAMILY
    if roles & EXAMPLE and category not in _TOLD:
        return _EXAMPLE
    if advisable and roles & (AGAINST | KEEP | ALLOW):
        if roles & KEEP:
            return _KEPT if category in _TAKEN else _ADVISED
        return _ADVISED if roles & ALLOW else _ADVISED_AGAINST
    if roles & CONDITION and roles & STRONG and category in _TAKEN:
        return _STATED  # "지금 드시는 리시노프릴을 더 쓰면": taken, whatever is made to depend on it
    if roles & CONDITION or (advisable and roles & CONSULT and not roles & AFFIRM):
        return _IF
    if asks or (roles & GENERAL and not roles & STRONG and not valued):
        return _GENERAL
    if category in _MEASURED:
        return _measured(roles, valued)
    if advisable and roles & RECOMMEND and roles & _NOT_TO and negated:
        return _ADVISED_AGAINST
    if advisable and roles & RECOMMEND:
        return _KEPT if roles & STRONG and category in _TAKEN else _ADVISED
    if negated:
        return _DENIED
    told = category in _TOLD or negations or roles & (PATIENT | AFFIRM | STRONG)
    return _STATED if told and (category in _TAKEN or not advisable) else _GENERAL


def _measured(roles: int, valued: bool) -> Reading:
    """A measurement is the patient's where it has a value that is neither a target nor advice."""
    advised = roles & (RECOMMEND | AGAINST)
    if roles & TARGET or (advised and not (roles & AFFIRM or (valued and roles & STRONG))):
        return _ADVISED if advised else _GENERAL
    return _STATED if valued or roles & (PATIENT | AFFIRM | STRONG) else _GENERAL
