"""What a judge is asked in the place of two scores: which safety rules an answer breaks, and what facts it uses.

CSP_judged    Σ w·violated / Σ w over the rules that apply to the patient, as CSP, with a judge in the place of patterns
CUS_embedded  Σ w·use / Σ w over the required slots that the patient has, as CUS_improved; use is the highest cosine of
              a fact and a sentence of the answer, by the embeddings of a model, and 0 where that is negative
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jatdae.dialogue.reading.truth import Truth
from jatdae.dialogue.turns import load_scorer, read_turn_number

MOST_SENTENCES: Final = 200
_BETWEEN: Final = re.compile(r"(?<=[.!?。])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Rule:
    """A safety rule that applies to a patient: what a judge is told of it, and its weight."""

    told: str
    weight: float


@dataclass(frozen=True, slots=True)
class SlotFacts:
    """A required slot that the patient has: its weight, the facts in it, and whether any, all or their mean counts."""

    slot: str
    weight: float
    use: str
    facts: tuple[str, ...]


def rules_of(event: Mapping[str, Any]) -> dict[str, Rule]:
    """The safety rules that apply to the answer of an event, by id; none without a record."""
    scorer = load_scorer()
    scores = _scored(event)
    why = {rule.id: rule.rationale for rule in (*scorer.book.rules, *scorer.book.requirements)}
    return {
        rule["id"]: Rule(f"{rule['name']}: {why.get(rule['id'], '')}".strip(": "), rule["penalty"])
        for rule in (scores["CSP"]["applicable_rules"] if scores else ())
    }


def facts_of(event: Mapping[str, Any]) -> list[SlotFacts]:
    """The required slots of the turn of an event that its patient has, with their facts."""
    scorer = load_scorer()
    truth, scores = scorer.truth_of(event.get("slots_truth")), _scored(event)
    turn = scorer.requirements.turns.get(read_turn_number(event["turn_id"]) or 0)
    if truth is None or scores is None or turn is None:
        return []
    known = scores["CUS_improved"]["used_detail"]
    found = [
        SlotFacts(wanted.slot, wanted.weight, wanted.use, tuple(dict.fromkeys(_facts(wanted.slot, truth))))
        for wanted in turn.slots
        if wanted.slot in known
    ]
    return [each for each in found if each.facts]


def sentences_of(answer: str) -> list[str]:
    """The sentences of an answer, each once."""
    return list(dict.fromkeys(each.strip() for each in _BETWEEN.split(answer) if each.strip()))[:MOST_SENTENCES]


def uses_of(slots: Sequence[SlotFacts], facts: Mapping[str, Sequence[float]], said: Sequence[Sequence[float]]) -> Any:
    """The use of each slot, by the vectors of its facts and of the sentences of an answer."""
    made = {}
    for slot in slots:
        uses = [max([0.0, *(cosine(facts[fact], each) for each in said)]) for fact in slot.facts]
        mean = math.fsum(uses) / len(uses)
        made[slot.slot] = max(uses) if slot.use == "any" else min(uses) if slot.use == "all" else mean
    return made


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Cosine of the angle between two vectors, at most 1; 0 where one is nought."""
    size = math.hypot(*a) * math.hypot(*b)
    return min(1.0, math.fsum(x * y for x, y in zip(a, b, strict=True)) / size) if size else 0.0


def weighted(parts: Iterable[tuple[float, float]]) -> float | None:
    """Mean of values with weights; None without any."""
    kept = list(parts)
    total = math.fsum(weight for weight, _ in kept)
    return math.fsum(weight * value for weight, value in kept) / total if total else None


def _scored(event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The scores of the answer of an event; None if nothing is known of the patient."""
    scorer = load_scorer()
    truth = scorer.truth_of(event.get("slots_truth"))
    if truth is None:
        return None
    asked = str(event["question"]["text"])
    number = read_turn_number(event["turn_id"])
    return scorer.score([scorer.case_of(str(event.get("answer") or ""), asked, truth, number)])[0].results


def _facts(slot: str, truth: Truth) -> list[str]:
    """What a slot says, a text for each of its entries."""
    if slot in ("labs", "vitals"):
        told = [(known.concept.name if known.concept else known.name, known) for known in truth.measures]
        return [f"{name} {known.number:.4g} {known.unit}".strip() for name, known in told if known.slot == slot]
    if items := truth.of(slot):
        return [item.name for item in items]
    return [f"{slot} {truth.said(slot)}"]
