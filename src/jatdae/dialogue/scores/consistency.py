"""MCS, multi-turn consistency of what a conversation says of the patient.

    MCS = 1 − contradicting pairs / comparable pairs

Two statements are comparable if they are about the same thing: age, sex, a measurement, whether the patient has a
condition or takes a drug, or whether something is advised or advised against. Repetitions within a turn count once.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.quantities import Quantity, in_base_unit
from jatdae.dialogue.reading.statuses import FACT

MOST: Final = 20
"""How many different statements of one turn about one thing are compared; no real answer makes more."""
_CLOSE: Final = 0.5
"""How far apart equal numbers may be, in units of the last digit of the coarser one."""
_CONVERTED: Final = 0.01
"""The same after conversion, as a share: published factors differ."""
SHOWN: Final = 1_000
"""How many contradictions are shown; all are counted."""


class Statement(NamedTuple):
    """A statement about one thing in one turn of a conversation."""

    turn: str
    about: str
    says: str
    mention: Mention


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
            statements = [Statement(turn, about, says, mention) for says, mention in ways.items()]
            grouped.setdefault(about, []).extend(statements[:MOST])
    comparable = contradicting = 0
    contradictions: list[dict[str, Any]] = []
    for about, statements in grouped.items():
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
