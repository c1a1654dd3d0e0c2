"""Splits a sentence into clauses, each with the cues that act in it.

A clause ends at a connective ending (-지만, -므로, -고), at a conjunction, and
at a comma or an "and" after which something new begins. A comma between the items of a list cuts nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import Final

from jatdae.dialogue.reading import english_predicates, korean_predicates
from jatdae.dialogue.reading.asking import asks, mark_telling
from jatdae.dialogue.reading.clause import Clause, Sentence
from jatdae.dialogue.reading.cues import (
    AFFIRM,
    AFTER,
    AGAINST,
    CONDITION,
    FAMILY,
    HEDGE,
    KEEP,
    NEGATE,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    STRONG,
    load_cues,
)
from jatdae.dialogue.reading.patterns import Span
from jatdae.dialogue.reading.reach import JOINT, LISTED, reach
from jatdae.dialogue.reading.subjects import follow_subject, look_back
from jatdae.dialogue.reading.supposed import depend, mark_unreal
from jatdae.dialogue.reading.words import SENTENCES, BoundedCache

_MOST_ACTS: Final = 200
"""A clause with more cues than real texts have is cut, so that the work stays linear."""
_MAIN: Final = 4
"""Length from which the text before a condition is a main clause: "Stop if …"."""
_VERB: Final = re.compile(
    r"[^,;:.]{2,40}?\s(?:(?:is|are|was|were|can|may|might|should|will|would|could|does|do|must)(?:n't)?|seems?"
    r"|sounds|looks"
    r"|makes)\s"
)
"""A main clause that begins with a noun: "Since you are pregnant, acetaminophen is …"."""
_ARTICLE: Final = re.compile(r"\s*(?:(?:and|or|but)\s+)?(?:(?:a|an|the|your|both)\s+)?")
HAS_VERB: Final = re.compile(
    r"\s+(?:(?:rarely|seldom|never|hardly|often|usually|sometimes|still|also|itself|alone|already|currently"
    r"|simply|only)\s)*"
    r"(?:is|are|was|were|has|had|can|may|might|should|will|would|could|must|does|did|do|don't|doesn't|seems?"
    r"|sounds|looks"
    r"|needs?|works?|helps?|tends?|causes?|keeps?|makes?|changes|affects?|explains?|raises?|lowers?|increases|fits?)\b"
    r"|s?\s+(?:belongs?|comes?|goes|stays?|remains?|leads|adds|points|depends|interacts|interferes|counts"
    r"|looks|sits|works|builds|rises|drops|climbs|takes|protects|blocks|slows|acts)\s"
    r"|s?\s+(?!(?:for|in|on|with|to|at|from|by|of|and|or|plus|as|than|before|after|during|into|over|under|per"
    r"|without|via|when"
    r"|while|if|because|since|though|but|that|which|all|too|once|twice|times|daily|weekly|every"
    r"|half)\b)[a-z]{3,}\s(?:the|a|an|your|their|its|this|it|you|them)\b"
)
_DASHES: Final = frozenset((" – ", " — ", " - "))
_SHARED: Final = frozenset((" and ", " or ", ":"))
"""Marks across which a condition reaches."""
_ANEW: Final = re.compile(
    r"\s*(?:(?:with|since|because|as|for|although|though|even|given|after|despite|without|when|once|unless|the|my)\s"
    r"|(?:[\w'/-]+\s){1,6}?(?:is|are|was|were|has|had|can|may|might|should|will|would|could|must|does|did|doesn't|isn't"
    r"|aren't|won't|can't|seems?|needs?|works?|helps?|tends?|causes?|keeps?|makes?|changes|affects?|explains?|raises?"
    r"|lowers?|increases|fits?)\b"
    r"|(?:[\w'/-]+\s){1,4}?(?!is\b|as\b|this\b|plus\b)[a-z]{3,}s\s(?:the|a|an|your|you|it|up|down|out|on|with|in|to"
    r"|uric|more|less)\b)"
)
"""What begins a sentence of its own behind a dash: "– they can …", "— with gout …", "— aspirin nudges it up"."""
_TOLD: Final = AFFIRM | NEGATE | RECOMMEND | AGAINST | KEEP
_TOPIC: Final = re.compile(r"[가-힣][은는]\s")
_SECOND: Final = re.compile(r"\s*[가-힣]{1,10}[은는]\s")
_HANGUL: Final = re.compile("[가-힣]+")
_ENGLISH: Final = re.compile(
    r"\b(?:you|you're|you've|your|is|are|was|were|be|the|an?|take|taking|avoid|stop|start|keep|continue|use|have|has|to"
    r"|for|with|not|do|does|don't|should|can|no|on)\b"
)
_OF_PATIENT: Final = PERSONAL | STRONG | PATIENT
_FOLLOWED: Final = FAMILY | HEDGE
"""Roles that a clause hands on to the next."""
_NOTED: Final = re.compile(
    r"(?:[^a-z가-힣]|(?:on|and|with|for|since|s|mm|hg|mg|mcg|bid|tid|qd|prn|daily|once|twice|weekly|chronic|acute|mild"
    r"|moderate|severe|stable|no|controlled|uncontrolled|well|poorly|type|stage|m|f|yo|y|o|male|female|both"
    r"|left|right)\b)*+"
)
"""What stands between the names in a note."""
_SOURCE: Final = re.compile(
    r"\W*(?:(?:so|and|well|yes|ok|okay)\W+)?"
    r"(?:looking (?:at|through)|going through|according to|based on|from|per|in|on) "
    r"(?:your|the) (?:file|chart|records?|notes|medical history|medication list|latest results|results)\W*\Z"
)
"""A clause that names the record: what comes next is read from it."""
_place: Final = itemgetter(1)
_LINKS: Final = frozenset(("and", "or", "a", "an", "the", "also"))
THEME: Final = re.compile(
    r"(?:(?: ?(?:흡입기|흡입제|주사제?|약물?|정제|캡슐|연고|패치|제제|복합제|서방정|시럽|크림|스프레이|치료제?"
    r"|복용|용량))?"
    r"|[가-힣]{0,4})[은는]\s"
)
"""The particle that marks the topic of a sentence."""
_THEMED: Final = 24
"""How far behind a name that particle is looked for, in characters."""
_CLOSING: Final = "\"')* "
_LONG: Final = 400
"""Longest sentence that is cached: answers share many short ones, long ones would fill the cache."""


def read_sentence(text: str, mentions: tuple[Span, ...], told: tuple[int, ...] = ()) -> Sentence:
    """Split a sentence of an answer into clauses with their cues.

    `mentions` are the spans of concepts in it, `told` the places where the stems of phrases end (발목이 부으면).
    """
    given = text, mentions, told
    return _cached[given] if len(text) <= _LONG else _parsed(given)


def _parsed(given: tuple[str, tuple[Span, ...], tuple[int, ...]]) -> Sentence:
    text, mentions, told = given
    hangul = is_korean(text, mentions)
    clauses = _split(text, dict(mentions), hangul, told)
    starts = [clause.start for clause in clauses]
    for start, end in mentions:
        clause = clauses[bisect_right(starts, start) - 1]
        clause.named = True
        clause.placed &= text.startswith(("에는", "에도", "에 "), end)
        clause.themed |= is_theme(text, end)
    asking = asks(text.rstrip(_CLOSING))
    if asking:
        mark_telling(text, clauses, hangul)
    elif text.endswith("?"):
        clauses[-1].acts = [act for act in clauses[-1].acts if act[0] != HEDGE or text[act[3]] != "?"]
    roles = 0
    for clause in clauses:
        roles |= reach(text, mentions, clause)
    if roles & _FOLLOWED:
        follow_subject(text, clauses)
    if roles & PERSONAL and len(clauses) > 1:
        look_back(text, clauses)
    if roles & PATIENT and len(clauses) > 1 and _SOURCE.match(text[: clauses[1].start]):
        for clause in clauses[1:]:  # "Looking at your file, I can see …"
            clause.acts.append((PATIENT, AFTER, 0, clause.start - 1, clause.start - 1))
    if roles & CONDITION and len(clauses) > 1:
        depend(text, clauses)
    mark_unreal(text, clauses)
    personal = bool(roles & _OF_PATIENT)
    return Sentence(text, tuple(clauses), starts, asking, personal, _is_noted(text, mentions), hangul)


def is_theme(text: str, end: int) -> bool:
    """Whether a name that ends here is the topic of its sentence."""
    behind = text[end : end + _THEMED]
    return ("은" in behind or "는" in behind) and THEME.match(text, end) is not None


def _is_noted(text: str, mentions: tuple[Span, ...]) -> bool:
    """Whether a sentence says nothing but what it names, as notes do: "Hypertension, on lisinopril."."""
    place = 0
    for start, end in mentions:
        if start >= place and not _NOTED.fullmatch(text, place, start):
            return False
        place = max(place, end)
    return _NOTED.fullmatch(text, place) is not None


_cached: Final = BoundedCache(_parsed, SENTENCES)


def is_korean(text: str, mentions: tuple[Span, ...]) -> bool:
    """Whether a sentence is Korean. With Hangul in nothing but its names it is not: "You take 와파린 daily"."""
    if text.isascii():
        return False
    hangul = False
    for found in _HANGUL.finditer(text):
        start, end = found.span()
        at = bisect_right(mentions, (start, len(text))) - 1
        if at < 0 or mentions[at][1] < end:
            return True
        hangul = True
    return hangul and _ENGLISH.search(text) is None


def _split(text: str, mentions: dict[int, int], hangul: bool, told: tuple[int, ...]) -> list[Clause]:
    cues = load_cues()
    clause = Clause(0)
    clauses = [clause]
    subordinate = trailing = False
    last = len(text) - 1
    marks = cues.find(text)
    marks += (
        korean_predicates.find_predicates(text, mentions, told)
        if hangul
        else english_predicates.find_predicates(text, mentions)
    )
    marks.sort(key=_place)
    for (acts, cut, _, _, hangs, mark), start, stop in marks:
        if cut == "maybe":
            clause.joined = hangul and mark == "," and _has_new_topic(text, clause.start, start, stop)
            goes_on = not clause.joined and _is_continued(text, stop, mark, subordinate, cues.starters, mentions)
            if goes_on and any(act[0] & _TOLD for act in clause.acts):
                goes_on = not _has_new_subject(text, stop, mentions)
            if trailing and not clause.joined:
                goes_on = mark not in _DASHES
            if goes_on:
                continue
            shared = [act for act in clause.acts if act[0] == CONDITION and act[1] & AFTER] if mark in _SHARED else []
            clause = Clause(stop)
            clause.acts += shared  # "if the pain spreads or you break into a sweat, …": one condition
            clauses.append(clause)
            if not shared:
                subordinate = trailing = False
            continue
        if cut == "before" and start > clause.start:
            clause = Clause(start)
            clauses.append(clause)
        if hangs:
            subordinate = True
            # "Stop if you feel dizzy, have chest pain, or …": behind its main clause a condition runs to the end
            trailing = start - clause.start > _MAIN and any(role == CONDITION for role, *_ in acts)
        relative = mark.startswith("that ") and start - 1 in mentions.values()  # "asthma that isn't controlled"
        for role, scope, near in acts:
            if not (relative and role == PERSONAL):
                clause.acts.append((role, scope, near, start, stop))
        if len(clause.acts) > _MOST_ACTS:
            clause = Clause(stop)
            clauses.append(clause)
        if cut in ("after", "joining") and stop < last:  # after the last clause there is only the mark
            clause.joined = cut == "joining"
            clause = Clause(stop)
            clauses.append(clause)
            subordinate = trailing = False
    return clauses


def _has_new_topic(text: str, start: int, comma: int, end: int) -> bool:
    """ "음주는 주 1회, 흡연은 하지 않음": a second topic behind the comma has a predicate of its own."""
    return bool(_SECOND.match(text, end) and _TOPIC.search(text, start, comma))


def _has_new_subject(text: str, end: int, mentions: dict[int, int]) -> bool:
    """ "You never had a stroke, and epilepsy was ruled out": what comes next has a verb of its own."""
    lead = _ARTICLE.match(text, end)
    until = mentions.get(lead.end()) if lead else None
    for _ in range(LISTED):
        if until is None:
            break
        if HAS_VERB.match(text, until):
            return True
        joint = JOINT.match(text, until)  # "and both carvedilol and furosemide lower it"
        until = mentions.get(joint.end()) if joint else None
    return False


def _is_continued(
    text: str, end: int, mark: str, subordinate: bool, starters: frozenset[str], mentions: dict[int, int]
) -> bool:
    """Whether the text after a comma or an "and" belongs to the same clause, as the items of a list do."""
    if mark == ":":
        return True
    if mark in _DASHES and _ANEW.match(text, end):
        return False
    window = text[end : end + 24]
    rest = window.lstrip()
    at = end + len(window) - len(rest)
    word = rest.partition(" ")[0].rstrip(",.;:")
    while word in _LINKS:
        rest = rest[len(word) :].lstrip(" ,")
        at = end + text[end : end + 40].find(rest) if rest else at
        word = rest.partition(" ")[0].rstrip(",.;:")
    if word in starters:
        return rest.startswith(("for example", "for instance"))
    return not (mark == "," and subordinate and (at not in mentions or _VERB.match(text, at)))
