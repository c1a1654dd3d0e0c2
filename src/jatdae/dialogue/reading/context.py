"""How a mention is meant: its polarity, status and advice, decided by the cues that reach it in its clause.

Cues act as in ConText: Harkema, Dowling, Thornblade, Chapman: ConText: an algorithm for determining negation,
experiencer, and temporal status from clinical reports. J Biomed Inform 42 (2009). The grammar of both languages and
the statuses are ours.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Final, NamedTuple

from jatdae.dialogue.reading.clauses import (
    THEME,
    Clause,
    Line,
    Placed,
    Sentence,
    find_list_lines,
    find_sentences,
    read_sentence,
)
from jatdae.dialogue.reading.concepts import MEASURED
from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    AGAINST,
    ALLOW,
    BEFORE,
    CONDITION,
    CONSULT,
    EFFECT,
    EXAMPLE,
    FAMILY,
    GENERAL,
    KEEP,
    NEGATE,
    NOT_TO,
    PATIENT,
    RECOMMEND,
    STRONG,
    TARGET,
)
from jatdae.dialogue.reading.patterns import Span

STATUSES: Final = ("patient_fact", "recommended", "advised_against", "conditional", "example", "general", "family")
FACT, RECOMMENDED, AVOID, CONDITIONAL, IN_EXAMPLE, NOT_PATIENT, OF_FAMILY = STATUSES
ADVISABLE: Final = frozenset(("drug", "drug_class", "food", "activity", "procedure", "pattern"))
"""Categories that can be recommended or advised against; a disease cannot."""
TAKEN: Final = frozenset(("drug", "drug_class", "procedure"))
"""Categories that a patient takes or has had; food and exercise are only advised or talked about."""
_TOLD: Final = frozenset(("age", "sex"))
_TOPIC: Final = re.compile(r"[가-힣][은는을를가]\s")
"""A noun with its particle: the topic of the clause."""
_BESIDE: Final = re.compile("에서| (?:이?외에|말고|때문에)|[을를]? 제외|으?로 인해")
"""Endings that make a mention an aside, which no negation of the clause reaches."""
_OWNS: Final = re.compile("의 (?!복용|섭취|사용|투여|투약|음용)")
_ADVICE: Final = RECOMMEND | AGAINST | KEEP
_BLOCKED: Final = NEGATE | _ADVICE | ALLOW
"""Roles that do not reach a mention across an assertion: "고혈압이 있으신 분으로 당뇨는 없으십니다"."""
_BEHIND: Final = {NEGATE: NOT_TO, GENERAL: EFFECT}
_SETTLED: Final = _BLOCKED | AFFIRM | FAMILY | EXAMPLE | CONDITION | CONSULT | STRONG | EFFECT
"""Roles after which the next clause adds nothing to a mention."""
_FAR: Final = 1 << 60
_CHAINED: Final = 3
"""Within this distance, an assertion and a negation are one predicate: 복용하고 있지 않으십니다."""
_JOINED: Final = 9
"""How many clauses ahead -고 can reach."""
_AHEAD: Final = 3
"""How many clauses ahead advice may stand."""


class Assertion(NamedTuple):
    """How a mention of a concept is meant: polarity, status, whom it is about, and what is advised."""

    polarity: str
    status: str
    subject: str
    advice: str
    """`for`, `against` or empty: what the answer advises about it."""


_GENERAL: Final = Assertion("affirmed", NOT_PATIENT, "other", "")
_STATED: Final = Assertion("affirmed", FACT, "patient", "")
_DENIED: Final = Assertion("negated", FACT, "patient", "")
_KEPT: Final = Assertion("affirmed", FACT, "patient", "for")
_ADVISED: Final = Assertion("affirmed", RECOMMENDED, "patient", "for")
_ADVISED_AGAINST: Final = Assertion("affirmed", AVOID, "patient", "against")
_IF: Final = Assertion("affirmed", CONDITIONAL, "patient", "")
_EXAMPLE: Final = Assertion("affirmed", IN_EXAMPLE, "patient", "")
_FAMILY: Final = Assertion("affirmed", OF_FAMILY, "other", "")
_FAMILY_DENIED: Final = Assertion("negated", OF_FAMILY, "other", "")


class Context:
    """Sentences of a text, which tell how each mention in it is meant; each is parsed when first needed."""

    def __init__(self, text: str, mentions: Iterable[Span]) -> None:
        """`mentions` are the spans of the concepts in the text."""
        self._text = text
        self._mentions = sorted(mentions)
        self._places = [start for start, _ in self._mentions]
        self._starts = find_sentences(text)
        self._parsed: dict[int, Sentence] = {}
        self._lines = find_list_lines(text) if "\n" in text else []
        self._led: dict[Line, tuple[int, int]] = {}
        self._evident: set[tuple[int, int]] = set()

    def mark_evident(self, place: int) -> None:
        """Note that the clause at a place is about the patient: it has an age or a value, and so all it names is."""
        sentence = bisect_right(self._starts, place) - 1
        self._evident.add((sentence, self._clause(sentence, place)))

    def read(self, start: int, end: int, category: str, valued: bool = False, until: int = _FAR) -> Assertion:
        """How the text at start:end is meant. A target after `until`, where its value ends, is of another number."""
        text = self._text
        sentence = bisect_right(self._starts, start) - 1
        begin = self._starts[sentence]
        said, clauses, starts, asked = self._parsed.get(sentence) or self._sentence(sentence)
        number = bisect_right(starts, start - begin) - 1
        clause = clauses[number]
        roles, negations = _roles(clause.acts, start - begin, end - begin, until - begin)
        if negations and _BESIDE.match(text, end):  # "심전도에서 이상은 없었습니다": found nothing, but was done
            roles, negations = roles & ~NEGATE | AFFIRM, 0
        if clause.joined:
            roles |= _inherited(clauses, number, roles)
        elif category in ADVISABLE:
            theme = THEME.match(text, end) is not None
            loose = (0 if category in TAKEN else AFFIRM) | (EFFECT if theme else 0)
            carried = 0 if roles & _SETTLED & ~loose else _carried(said, clauses, number, theme)
            roles = roles & ~GENERAL | carried if carried and theme else roles | carried
        if roles & _ADVICE and _OWNS.match(text, end):  # "심바스타틴의 혈중 농도를 높이므로 피하세요": not of itself
            roles &= ~_ADVICE
        if self._lines and not roles & ~PATIENT:
            above, turns = self._above(start)
            roles, negations = roles | above, negations + turns
        if (sentence, number) in self._evident:
            roles |= PATIENT
        return _decide_assertion(roles, negations, category, valued, asked)

    def negations(self, start: int) -> int:
        """How many negations reach a mention that begins at `start`, or stand in it."""
        sentence = bisect_right(self._starts, start) - 1
        place = start - self._starts[sentence]
        return sum(
            role == NEGATE and (at >= place if scope & BEFORE else at < place)
            for role, scope, _, at, _ in self._sentence(sentence).clauses[self._clause(sentence, start)].acts
        )

    def _clause(self, sentence: int, place: int) -> int:
        return bisect_right(self._sentence(sentence).starts, place - self._starts[sentence]) - 1

    def _sentence(self, number: int) -> Sentence:
        read = self._parsed.get(number)
        if read is None:
            begin = self._starts[number]
            end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._text)
            first = bisect_left(self._places, begin)
            inside = self._mentions[first : bisect_left(self._places, end, first)]
            named = tuple([(start - begin, stop - begin) for start, stop in inside])
            read = self._parsed[number] = read_sentence(self._text[begin:end], named)
        return read

    def _above(self, place: int) -> tuple[int, int]:
        """The roles and negations of the line above a list, for an item of the list."""
        line = self._lines[bisect_right(self._lines, place, key=_first) - 1][1]
        if line is None:
            return 0, 0
        if line not in self._led:
            roles = turns = 0
            for number in range(bisect_right(self._starts, line[0]) - 1, bisect_right(self._starts, line[1])):
                for clause in self._sentence(number).clauses:
                    for role, *_ in clause.acts:
                        roles |= role
                        turns += role == NEGATE
            self._led[line] = roles, turns
        return self._led[line]


def _first(line: tuple[int, Line | None]) -> int:
    return line[0]


def _carried(text: str, clauses: tuple[Clause, ...], number: int, theme: bool) -> int:
    """Advice of a later clause that names nothing of its own: "바나나는 몸에 좋으니 매일 드세요"."""
    for clause in clauses[number + 1 : number + 1 + _AHEAD]:
        advice = _backward(clause) & (_ADVICE | ALLOW)
        passing = not clause.themed if theme else not clause.named
        if advice and not clause.named:
            return 0 if _TOPIC.search(text, clause.start, clause.acts[0][3]) else advice
        if advice or not passing or (not theme and any(act[0] != CONDITION for act in clause.acts)):
            break
    return 0


def _backward(clause: Clause) -> int:
    """The roles of a clause that act on all before it."""
    roles = 0
    for role, scope, near, *_ in clause.acts:
        if scope & BEFORE and not near:
            roles |= role
    return roles


def _inherited(clauses: tuple[Clause, ...], number: int, roles: int) -> int:
    """What a clause joined by -고 or -며 takes from the next: a condition always, advice if it has none itself."""
    for clause in clauses[number + 1 : number + _JOINED]:
        taken = _backward(clause)
        if taken & CONDITION:
            return CONDITION
        if taken & _ADVICE and not roles & (_BLOCKED | AFFIRM):
            return taken & _ADVICE
        if taken or not clause.joined:
            return 0
    return 0


def _roles(acts: list[Placed], start: int, end: int, until: int) -> tuple[int, int]:
    """The roles that reach a mention, and how many negations reach it."""
    roles = negations = 0
    asserted = -1  # where the first assertion behind the mention ends
    for role, scope, near, at, to in acts:
        if at >= start and to > end:
            if role == AFFIRM and asserted < 0:
                asserted = to
            if not scope & BEFORE or (near and at - end > near) or (role == TARGET and at >= until):
                continue
            if role & _BLOCKED and 0 <= asserted < at - _CHAINED:
                continue
        elif at < start:
            if not scope & AFTER or (near and start - to > near):
                continue
        elif role not in (FAMILY, GENERAL) and not (role & _BLOCKED and at == start):
            continue
        roles |= role
        if scope == AFTER:
            roles |= _BEHIND.get(role, 0)
        negations += role == NEGATE
    return roles, negations


def _decide_assertion(roles: int, negations: int, category: str, valued: bool, asks: bool) -> Assertion:
    """Decide how a mention is meant from the roles of the cues that reach it, stronger roles first."""
    negated = negations % 2 == 1
    advisable = category in ADVISABLE
    if roles & FAMILY and not (advisable and roles & (AGAINST | RECOMMEND)):
        return _FAMILY_DENIED if negated else _FAMILY
    if roles & EXAMPLE and category not in _TOLD:
        return _EXAMPLE
    if advisable and roles & (AGAINST | KEEP | ALLOW):
        if roles & KEEP:
            return _KEPT if category in TAKEN else _ADVISED
        return _ADVISED if roles & ALLOW else _ADVISED_AGAINST
    if roles & CONDITION and roles & STRONG and category in TAKEN:
        return _STATED  # "지금 드시는 리시노프릴을 더 쓰면": taken, whatever is made to depend on it
    if roles & CONDITION or (advisable and roles & CONSULT and not roles & AFFIRM):
        return _IF
    if asks or (roles & GENERAL and not valued and not (roles & STRONG and category not in MEASURED)):
        return _GENERAL
    if category in MEASURED:
        return _measured(roles, valued)
    if advisable and roles & RECOMMEND and roles & NOT_TO and negated:
        return _ADVISED_AGAINST
    if advisable and roles & RECOMMEND:
        return _KEPT if roles & STRONG and category in TAKEN else _ADVISED
    if negated:
        return _DENIED
    told = category in _TOLD or negations or roles & (PATIENT | AFFIRM | STRONG)
    return _STATED if told and (category in TAKEN or not advisable) else _GENERAL


def _measured(roles: int, valued: bool) -> Assertion:
    """The same for a measurement: a patient fact if it has a value that is neither a target nor advice."""
    advised = roles & (RECOMMEND | AGAINST | KEEP)
    if roles & TARGET or (advised and not (roles & AFFIRM or (valued and roles & STRONG))):
        return _ADVISED if advised else _GENERAL
    return _STATED if valued or roles & (PATIENT | AFFIRM | STRONG) else _GENERAL
