"""CUS_improved, context use of an answer: Σ w·use / Σ w over the required slots that the patient has.

use is 1 if a slot is named with its true value or concept, 0.5 if it is only hinted at (its class, a paraphrase), and
0 if it is absent or contradicted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from jatdae.core.contract import add_up
from jatdae.dialogue.reading.concepts import Concept
from jatdae.dialogue.reading.gestation import find_weeks, is_exact
from jatdae.dialogue.reading.habits import find_habit
from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.quantities import agrees
from jatdae.dialogue.reading.statuses import CONDITIONAL, FACT, IN_EXAMPLE, NOT_PATIENT, OF_FAMILY
from jatdae.dialogue.reading.truth import Item, Measurement, Truth
from jatdae.dialogue.reading.words import fold
from jatdae.dialogue.rules.requirements import RequiredSlot, TurnRequirements

_SORTS: Final = {
    "lab": ("measure",), "vital": ("measure",), "drug": ("drug",), "drug_class": ("drug",), "condition": ("condition",),
    "symptom": ("condition",), "procedure": ("procedure",), "age": ("person",), "sex": ("person",),
    "age_group": ("person",), "hint": ("measure", "drug", "condition", "procedure"), "food": (), "activity": (),
    "allergy": ("allergy",),
}  # fmt: skip
"""The sorts of slots that a mention of a category can use."""
_LISTED: Final = {
    "primary_condition": "condition", "comorbidities": "condition", "chief_symptom": "condition",
    "active_meds": "drug", "major_procedures": "procedure", "allergies": "drug", "family_history": "condition",
}  # fmt: skip
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_NEAR: Final = 40
"""How far behind its name the number of a declared slot may stand, in characters."""
_UNUSED: Final = (OF_FAMILY, IN_EXAMPLE)


class Use(NamedTuple):
    """How far an answer uses a slot of the patient's record (0, 0.5 or 1), and where."""

    confidence: float
    span: tuple[int, int] | None = None


_NOT: Final = Use(0.0)


def score_use(
    turn: TurnRequirements, truth: Truth, answer: Passage, misjudged: frozenset[int] = frozenset()
) -> dict[str, Any]:
    """Score the usage of the patient's record in one answer (CUS_improved), by the slots its turn requires.

    Mentions at `misjudged` are judged falsely ("혈압은 정상" at 148/92): they use nothing.
    """
    sorts: dict[str, list[Mention]] = {sort: [] for given in _SORTS.values() for sort in given}
    for mention in answer.mentions:
        if mention.start not in misjudged:
            for sort in _SORTS[mention.concept.category]:
                sorts[sort].append(mention)
    uses = [
        (
            wanted,
            _own_use(wanted, turn, truth, answer) if wanted.slot in turn.own else _use(wanted, truth, answer, sorts),
        )
        for wanted in turn.slots
    ]
    known = [(wanted, use) for wanted, use in uses if use is not None]
    total = float(add_up(wanted.weight for wanted, _ in known))
    used = float(add_up(wanted.weight * use.confidence for wanted, use in known))
    return {
        "metric": "CUS_improved",
        "score": used / total if total else None,
        "hits": sum([use.confidence > 0 for _, use in known]),
        "total": len(known),
        "used_weight": used,
        "total_weight": total,
        "used_detail": {
            wanted.slot: {
                "value": truth.slots.get(wanted.slot),
                "used": use.confidence > 0,
                "confidence": use.confidence,
                "span": list(use.span) if use.span else None,
            }
            for wanted, use in known
        },
    }


def _use(wanted: RequiredSlot, truth: Truth, answer: Passage, sorts: dict[str, list[Mention]]) -> Use | None:
    """The use of one slot; None if the patient does not have it."""
    slot = wanted.slot
    if slot == "age":
        return None if truth.age is None else _best(sorts["person"], lambda m: _age_use(m, truth))
    if slot == "sex":
        return _best(sorts["person"], lambda m: _sex_use(m, truth)) if truth.sex else None
    if slot in ("labs", "vitals"):
        measures = [known for known in truth.measures if known.slot == slot]
        return _together(wanted.use, [_measure_use(known, answer, sorts["measure"]) for known in measures])
    mentions = sorts[_LISTED[slot]]
    if slot == "family_history":
        mentions = [mention._replace(status=FACT) for mention in mentions if mention.status == OF_FAMILY]
    if slot == "allergies":  # a drug that one is allergic to is spoken of, not taken
        mentions = sorts["allergy"] + [
            mention._replace(status=FACT) if mention.status == NOT_PATIENT else mention for mention in mentions
        ]
    uses = [_item_use(item, answer, mentions) for item in truth.of(slot)]
    if slot == "allergies":  # "약물 알레르기가 있으시니": spoken of, whichever it is
        spoken = [mention for mention in sorts["condition"] if mention.concept.key == "drug_allergy"]
        hinted = _best(spoken, lambda mention: 0.5 if mention.polarity == "affirmed" else 0.0)
        uses = [max(use, hinted) for use in uses]
    return _together(wanted.use, uses)


def _own_use(wanted: RequiredSlot, turn: TurnRequirements, truth: Truth, answer: Passage) -> Use | None:
    """The use of a slot that the configuration declares; None if the patient does not have it."""
    value = truth.slots.get(wanted.slot)
    if value is None or value in ("", [], {}):
        return None
    own, name = turn.own[wanted.slot], f"slot:{wanted.slot}"
    named = turn.patterns.first(name, answer.encoded)
    if own.compare == "patterns":
        if named and _is_contradicted(wanted.slot, truth, answer):
            return _NOT
        return Use(1.0, named) if named else _NOT
    entries = value if isinstance(value, list) else [value]
    if own.compare == "number":
        uses = [_number_use(entry, own.tolerance, named, answer.folded) for entry in entries]
    else:
        uses = [_words_use(str(entry), answer.folded) for entry in entries]
    hinted = Use(0.5, named) if named else _NOT
    return _together(wanted.use, [max(use, hinted) for use in uses])


def _is_contradicted(slot: str, truth: Truth, answer: Passage) -> bool:
    """Whether an answer says of a habit or pregnancy what is not so, and nothing that is."""
    if slot in truth.habits:
        return find_habit(answer.folded, slot) == {not truth.habits[slot]}
    if slot == "pregnancy" and truth.pregnant is not None:
        stated = [each for each in answer.mentions if each.concept.key == slot and each.status == FACT]
        return bool(stated) and all(_is_wrong_week(each, truth, answer) for each in stated)
    return False


def _is_wrong_week(mention: Mention, truth: Truth, answer: Passage) -> bool:
    """Whether an answer denies a pregnancy that there is, or gives it another week; or claims one."""
    if (mention.polarity == "affirmed") != truth.pregnant:
        return True
    weeks = find_weeks(answer.folded, mention.start, mention.end)
    exact = truth.weeks is not None and is_exact(truth.said("pregnancy"))
    return bool(weeks) and exact and int(truth.weeks or 0) not in weeks


def _words_use(words: str, text: str) -> Use:
    at = text.find(fold(words).strip())
    return Use(1.0, (at, at + len(words.strip()))) if at >= 0 else _NOT


def _number_use(value: Any, tolerance: float, named: tuple[int, int] | None, text: str) -> Use:
    """1 if the number is said, behind the name of the slot if patterns name it."""
    if not isinstance(value, int | float):
        return _words_use(str(value), text)
    first, last = (named[1], named[1] + _NEAR) if named else (0, len(text))
    for found in _NUMBER.finditer(text, first, last):
        if abs(float(found[0]) - value) <= tolerance:
            return Use(1.0, found.span())
    return _NOT


def _together(how: str, uses: list[Use]) -> Use | None:
    if not uses:
        return None
    best = max(uses)
    if how == "any":
        return best
    values = [use.confidence for use in uses]
    return Use(min(values) if how == "all" else sum(values) / len(values), best.span)


def _best(mentions: list[Mention], confidence_of: Callable[[Mention], float]) -> Use:
    best = _NOT
    for mention in mentions:
        confidence = confidence_of(mention)
        if confidence > best.confidence:
            end = max(mention.end, mention.value.end if mention.value else 0)
            best = Use(confidence, (mention.start, end))
            if confidence == 1.0:
                break
    return best


def _age_use(mention: Mention, truth: Truth) -> float:
    years = int(truth.age or 0)
    if mention.category == "age_group":
        low, high = mention.concept.ages
        return 0.5 if low <= years <= high else 0.0
    if mention.category != "age" or mention.value is None or mention.status != FACT or mention.polarity != "affirmed":
        return 0.0
    if mention.value.unit == "decade":
        return 0.5 if years // 10 * 10 == mention.value.number else 0.0
    return 1.0 if mention.value.number == years else 0.0


def _sex_use(mention: Mention, truth: Truth) -> float:
    stated = mention.category == "sex" and mention.status == FACT and mention.polarity == "affirmed"
    return 1.0 if stated and mention.concept.key == truth.sex else 0.0


def _item_use(item: Item, answer: Passage, mentions: list[Mention]) -> Use:
    if not item.concepts:  # unknown to the lexicon: searched for as it is written
        name = item.name.lower()
        at = answer.folded.find(name)
        return Use(1.0, (at, at + len(name))) if at >= 0 else _NOT
    return max(_named(concept, mentions) for concept in item.concepts)


def _named(concept: Concept, mentions: list[Mention]) -> Use:
    identity, above = concept.id, concept.above
    near = [m for m in mentions if (said := m.concept).id in above or identity in said.above or said.category == "hint"]
    return _best(near, lambda mention: _concept_use(mention, concept)) if near else _NOT


def _concept_use(mention: Mention, concept: Concept) -> float:
    """1 if the concept or a narrower one is named; 0.5 if a broader one, a hint or a general term is."""
    if mention.polarity == "negated" or mention.status in _UNUSED:
        return 0.0
    said = mention.concept
    if said.category == "hint":
        return 0.5 if said.to & concept.above or (concept.category == "drug" and "drug:*" in said.to) else 0.0
    if said.broad or (said.category == "drug_class" and concept.category == "drug"):
        return 0.5
    if mention.status == FACT:
        return 1.0
    if said.category in ("drug", "procedure"):  # advice on a drug the patient takes has taken it into account
        return 0.5 if mention.status == CONDITIONAL else 1.0
    return 0.5


def _measure_use(known: Measurement, answer: Passage, mentions: list[Mention]) -> Use:
    if known.concept is None:
        at = answer.folded.find(known.name.lower())
        named = at >= 0 and f"{known.number:g}" in answer.folded[at : at + len(known.name) + 40]
        return Use(1.0 if named else 0.5, (at, at + len(known.name))) if at >= 0 else _NOT
    concept = known.concept
    near = [m for m in mentions if _measures(m.concept, concept)]
    return _best(near, lambda mention: _value_use(mention, concept, known)) if near else _NOT


def _measures(said: Concept, concept: Concept) -> bool:
    """Whether a mention can be of a measurement: itself, a pair with it, a broader or narrower one, or a hint."""
    if said.category == "hint":
        return concept.id in said.to
    return concept.key in said.pair or concept.id in said.above or said.id in concept.above


def _value_use(mention: Mention, concept: Concept, known: Measurement) -> float:
    said, value = mention.concept, mention.value
    if said.category == "hint":
        return 0.5
    if value is None:
        return 0.5 if mention.status != OF_FAMILY else 0.0
    if mention.status != FACT:
        return 0.5  # a target, or a condition: the measurement is in view, its value is not given
    if value.second is not None and concept.key in said.pair[1:]:
        value = value._replace(number=value.second)
    return 1.0 if agrees(value, known.number, concept, known.unit) and mention.polarity == "affirmed" else 0.0
