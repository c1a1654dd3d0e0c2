"""MCS, multi-turn consistency of what a conversation says of the patient.

    MCS = 1 − contradicting pairs / comparable pairs

Two statements are comparable if they are about the same thing: age, sex, a measurement, whether the patient has a
condition or takes a drug, or whether something is advised or advised against. Repetitions within a turn count once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations
from typing import Any, Final, NamedTuple

from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.quantities import Quantity, in_base_unit
from jatdae.dialogue.reading.statuses import FACT

MOST: Final = 20
"""How many different statements of one turn about one thing are compared; no real answer makes more."""
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
        if len({statement.says for statement in statements}) > 1:
            for first, second in combinations(statements, 2):
                if first.says != second.says and _contradict(first, second):
                    contradicting += 1
                    if contradicting <= SHOWN:
                        contradictions.append({"about": about, "first": _shown(first), "second": _shown(second)})
    return {
        "metric": "MCS",
        "score": 1.0 - contradicting / comparable if comparable else None,
        "comparable_pairs": comparable,
        "contradicting_pairs": contradicting,
        "contradictions": contradictions,
    }


def _statements(passage: Passage) -> Iterable[tuple[str, str, Mention]]:
    """For each mention what it is about, and what it says about it."""
    for mention in passage.mentions:
        concept, _, _, _, value, polarity, status, _, advice = mention
        category = concept.category
        if status == FACT:
            if category == "age" and value and value.unit == "years" and polarity == "affirmed":
                yield "age", f"{value.number:g}", mention
            elif category == "sex" and polarity == "affirmed":
                yield "sex", concept.key, mention
            elif category in ("lab", "vital") and value and not value.compare:
                yield concept.id, f"{value.number:g}/{value.second or 0:g} {value.unit}", mention
            elif category in ("drug", "condition", "procedure", "drug_class"):
                yield f"has {concept.id}", polarity, mention
        if advice:
            yield f"advice on {concept.id}", advice, mention


def _contradict(first: Statement, second: Statement) -> bool:
    """Whether two different statements about one thing cannot both be true."""
    one, other = first.mention.value, second.mention.value
    if first.mention.category in ("lab", "vital") and one and other and not first.about.startswith("advice"):
        return not _is_same(one, other, first.mention)
    return True


def _is_same(one: Quantity, other: Quantity, mention: Mention) -> bool:
    """Whether two numbers are equal after conversion, rounded to the coarser of the two."""
    a, b = in_base_unit(one.number, mention.concept, one.unit), in_base_unit(other.number, mention.concept, other.unit)
    if a is None or b is None:
        return one.number == other.number
    slack = 0.5 * 10.0 ** -min(one.decimals, other.decimals) + 1e-9
    if one.unit and other.unit and one.unit != other.unit:
        slack += 0.01 * abs(a)
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
