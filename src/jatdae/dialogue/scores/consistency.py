"""MCS, multi-turn consistency of what a conversation says of the patient.

    MCS = 1 − contradicting pairs / comparable pairs

Two statements are comparable if they are about the same thing: age, sex, a measurement, whether the patient has a
condition or takes a drug, or whether something is advised or advised against. Repetitions within a turn count once.
Values are comparable if they are of the same time: "9.0 in March" and "now 7.2" are then and now.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import Any, Final, NamedTuple

from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.quantities import Quantity, in_base_unit
from jatdae.dialogue.reading.statuses import FACT

_start: Final = attrgetter("start")
MOST: Final = 20
"""How many different statements of one turn about one thing are compared; no real answer makes more."""
_CLOSE: Final = 0.5
"""How far apart equal numbers may be, in units of the last digit of the coarser one."""
_CONVERTED: Final = 0.01
"""The same after conversion, as a share: published factors differ."""
_TIME: Final = re.compile(
    r"\b(?:(?:in|on|since|from|back in|last|of|early|late|mid) )?(?:(?:january|february|march(?! on)|april|june|july"
    r"|august"
    r"|september|october|november|december|spring|summer|autumn|winter)\b(?: \d{1,2}\b)?|may \d{1,2}\b|(?:in|since"
    r"|last) may\b"
    r"|(?:in|since) (?:19|20)\d\d)"
    r"|\b(?:last|previous|prior) (?:year|month|week|time|visit|appointment|check|test|fall|draw|result|reading)\b"
    r"|\b(?:\w+ )?(?:days?|weeks?|months?|years?) (?:ago|earlier|before)\b|\b(?:yesterday|initially|previously"
    r"|originally)\b"
    r"|\bat (?:first|baseline|diagnosis|discharge|admission|the (?:start|beginning|outset))\b|\bused to\b"
    r"|\bbefore (?:the|your|you|treatment|starting|surgery)\b|\bback then\b"
    r"|(?:19|20)\d\d ?년|(?<!\d)\d{1,2}월|지난 ?(?:번|달|주|해|봄|여름|가을|겨울|방문|검사|진료|외래|\d{1,2}월)|작년"
    r"|재작년|지난해"
    r"|처음|초기|예전|이전|과거|그때|당시|(?:\d+|한|두|세|석|몇|반) ?(?:일|주일?|달|개월|년) 전|(?:치료|수술|시작|복용"
    r"|드시기|입원) 전"
)
"""Words for another time than today. Only asked for where values of one thing differ."""
_NOW: Final = re.compile(
    r"\b(?:now|today|current(?:ly)?|latest|most recent|this (?:time|week|month|year|visit))\b|지금|현재|이번|오늘|최근"
    r"|올해"
)
_BEHIND: Final = re.compile(r"[.,;!?\n](?!\d)| (?:and|but|then|to) |[고며]\b|지만|는데|다가")
_FAR: Final = 60
"""How far around a value its time is looked for, in characters."""
SHOWN: Final = 1_000
"""How many contradictions are shown; all are counted."""


class Statement(NamedTuple):
    """A statement about one thing in one turn of a conversation."""

    turn: str
    about: str
    says: str
    mention: Mention
    passage: Passage


def score_consistency(turns: Iterable[tuple[str, Passage]]) -> dict[str, Any]:
    """Score the consistency of a conversation over its turns (MCS)."""
    grouped: dict[str, list[Statement]] = {}
    for turn, passage in turns:
        said: dict[str, dict[str, Mention]] = {}
        for about, says, mention in _statements(passage):
            if about not in said:
                said[about] = {says: mention}
            elif says not in said[about]:
                said[about][says] = mention
        for about, ways in said.items():
            statements = [Statement(turn, about, says, mention, passage) for says, mention in ways.items()]
            grouped.setdefault(about, []).extend(statements[:MOST])
    comparable = contradicting = 0
    contradictions: list[dict[str, Any]] = []
    for about, given in grouped.items():
        for statements in _of_one_time(given):
            comparable += math.comb(len(statements), 2)
            count = _count_contradictions(statements)
            contradicting += count
            for first, second in islice(_contradictions(statements), min(count, SHOWN - len(contradictions))):
                contradictions.append({"about": about, "first": _shown(first), "second": _shown(second)})
    return {
        "metric": "MCS",
        "score": 1.0 - contradicting / comparable if comparable else None,
        "comparable_pairs": comparable,
        "contradicting_pairs": contradicting,
        "contradictions": contradictions,
    }


def _of_one_time(statements: list[Statement]) -> list[list[Statement]]:
    """The statements about one thing apart by the time they are of; only different values can be of different times."""
    if not _has_values(statements[0]) or not _count_contradictions(statements):
        return [statements]
    times: dict[str, list[Statement]] = {}
    for statement in statements:
        times.setdefault(_time_of(statement), []).append(statement)
    return list(times.values())


def _time_of(statement: Statement) -> str:
    """The words that put a value into another time than today; empty if there are none."""
    text, mention = statement.passage.folded, statement.mention
    end = max(mention.end, mention.value.end if mention.value else 0)
    first, last = statement.passage.context.sentence_at(mention.start)
    mentions = statement.passage.mentions
    at = bisect_left(mentions, mention.start, key=_start)
    before = max((each.value.end for each in mentions[max(0, at - 2) : at] if each.value), default=0)
    stop = _BEHIND.search(text, end, min(last, end + _FAR))
    around = text[max(first, before, mention.start - _FAR) : stop.start() if stop else min(last, end + _FAR)]
    found = _TIME.search(around)
    return found[0].strip() if found and not _NOW.search(around) else ""


def _count_contradictions(statements: list[Statement]) -> int:
    """How many pairs of statements about one thing contradict each other, without looking at each of them."""
    groups: dict[str, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(statement.says, []).append(statement)
    different = math.comb(len(statements), 2) - sum(math.comb(len(group), 2) for group in groups.values())
    if not different or not _has_values(statements[0]):
        return different
    sizes = sorted(((_base_of(group[0]), len(group), group[0]) for group in groups.values()), key=lambda each: each[0])
    equal = 0
    for at, (number, size, first) in enumerate(sizes):
        for other, others, second in islice(sizes, at + 1, None):
            if other - number > _CLOSE + _CONVERTED * abs(other):  # no two numbers so far apart are equal
                break
            equal += size * others * (not _contradict(first, second))
    return different - equal


def _contradictions(statements: list[Statement]) -> Iterator[tuple[Statement, Statement]]:
    """The pairs that contradict each other, in order; pairs of what most say are passed by."""
    common, _ = Counter(statement.says for statement in statements).most_common(1)[0]
    rare = [at for at, statement in enumerate(statements) if statement.says != common]
    for at, first in enumerate(statements):
        later = islice(rare, bisect_right(rare, at), None) if first.says == common else range(at + 1, len(statements))
        for number in later:
            second = statements[number]
            if first.says != second.says and _contradict(first, second):
                yield first, second


def _has_values(statement: Statement) -> bool:
    return statement.mention.category in ("lab", "vital") and not statement.about.startswith("advice")


def _base_of(statement: Statement) -> float:
    """The value of a statement in its base unit, to sort by."""
    value = statement.mention.value
    if value is None:
        return 0.0
    number = in_base_unit(value.number, statement.mention.concept, value.unit)
    return value.number if number is None else number


def _statements(passage: Passage) -> Iterable[tuple[str, str, Mention]]:
    """For each mention what it is about, and what it says about it."""
    for mention in passage.mentions:
        concept, _, _, _, value, polarity, status, _, advice, sure = mention
        category = concept.category
        if status == FACT and sure:
            if category == "age" and value and value.unit == "years" and polarity == "affirmed":
                yield "age", f"{value.number:g}", mention
            elif category == "sex" and polarity == "affirmed":
                yield "sex", concept.key, mention
            elif category in ("lab", "vital") and value and not value.compare and not value.then:
                yield concept.id, f"{value.number:g}/{value.second or 0:g} {value.unit}", mention
            elif category in ("drug", "condition", "procedure", "drug_class", "allergy"):
                yield f"has {concept.id}", polarity, mention
        if advice:
            yield f"advice on {concept.id}", advice, mention


def _contradict(first: Statement, second: Statement) -> bool:
    """Whether two different statements about one thing cannot both be true."""
    one, other = first.mention.value, second.mention.value
    if one and other and _has_values(first):
        return not _is_same(one, other, first.mention)
    return True


def _is_same(one: Quantity, other: Quantity, mention: Mention) -> bool:
    """Whether two numbers are equal after conversion, rounded to the coarser of the two."""
    a, b = in_base_unit(one.number, mention.concept, one.unit), in_base_unit(other.number, mention.concept, other.unit)
    if a is None or b is None:
        return one.number == other.number
    slack = _CLOSE * 10.0 ** -min(one.decimals, other.decimals) + 1e-9
    if one.unit and other.unit and one.unit != other.unit:
        slack += _CONVERTED * abs(a)
    paired = one.second is None or other.second is None or one.second == other.second
    return abs(a - b) <= slack and paired


def _shown(statement: Statement) -> dict[str, Any]:
    mention = statement.mention
    return {
        "turn": statement.turn,
        "says": statement.says,
        "text": mention.text,
        "span": [mention.start, max(mention.end, mention.value.end if mention.value else 0)],
    }
