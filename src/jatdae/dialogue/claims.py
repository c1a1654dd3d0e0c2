"""Each mention held against the truth: supported, contradicted, or nothing that could be checked."""

from __future__ import annotations

from typing import Final, NamedTuple

from jatdae.dialogue.reading.context import FACT
from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.quantities import Quantity, agrees
from jatdae.dialogue.reading.truth import Item, Measurement, Truth

SUPPORTED: Final = "supported"
UNCHECKED: Final = "unchecked"
_SLOTS: Final = {
    "drug": ("active_meds",),
    "drug_class": ("active_meds",),
    "condition": ("primary_condition", "comorbidities"),
    "procedure": ("major_procedures",),
}


class Verdict(NamedTuple):
    """What became of a claim."""

    mention: Mention
    result: str
    """supported, unchecked, or why it is wrong: not_in_truth, contradicts_truth, negates_truth."""
    truth: str = ""


def check_claims(passage: Passage, truth: Truth) -> list[Verdict]:
    """A verdict on every distinct claim about the patient; one that is repeated counts once."""
    verdicts = []
    seen = set()
    for mention in passage.mentions:
        concept, _, _, _, value, polarity, status, _, _ = mention
        if status == FACT:
            key = (concept.id, polarity, value and (value.number, value.second, value.unit, value.compare))
            if key not in seen:
                seen.add(key)
                verdicts.append(_verdict(mention, truth))
    return verdicts


def _verdict(mention: Mention, truth: Truth) -> Verdict:
    category = mention.category
    if category == "age":
        return _age(mention, truth)
    if category == "sex":
        if not truth.sex:
            return Verdict(mention, UNCHECKED)
        right = (mention.concept.key == truth.sex) == (mention.polarity == "affirmed")
        return Verdict(mention, SUPPORTED if right else "contradicts_truth", truth.sex)
    if category in ("lab", "vital"):
        return _measurement(mention, truth)
    if category in _SLOTS:
        return _listed(mention, truth)
    if category == "symptom" and mention.concept.id in truth.above:
        return Verdict(mention, SUPPORTED if mention.polarity == "affirmed" else "negates_truth", mention.concept.name)
    return Verdict(mention, UNCHECKED)


def _age(mention: Mention, truth: Truth) -> Verdict:
    value = mention.value
    if truth.age is None or value is None:
        return Verdict(mention, UNCHECKED)
    years = int(truth.age)
    right = years // 10 * 10 == value.number if value.unit == "decade" else years == value.number
    right = right == (mention.polarity == "affirmed")
    return Verdict(mention, SUPPORTED if right else "contradicts_truth", str(years))


def _listed(mention: Mention, truth: Truth) -> Verdict:
    """Drugs, conditions and procedures: the truth lists all there are, where it has the slot at all."""
    slots = _SLOTS[mention.category]
    concept = mention.concept
    if not truth.known(*slots):
        return Verdict(mention, UNCHECKED)
    has = concept.id in truth.above
    names = ", ".join([item.name for slot in slots for item in truth.of(slot)])
    if mention.polarity == "negated":
        return Verdict(mention, "negates_truth" if has else SUPPORTED, names)
    if has:
        return _dosed(mention, truth, names)
    if concept.above & truth.exact:  # "제2형 당뇨병" where the truth only says diabetes
        return Verdict(mention, UNCHECKED, names)
    return Verdict(mention, "not_in_truth", names)


def _dosed(mention: Mention, truth: Truth, names: str) -> Verdict:
    """A dose is wrong where it is neither the one told nor, for a tablet's strength, a likely number of tablets."""
    value = mention.value
    item = next((i for i in truth.of("active_meds") if mention.concept in i.concepts and i.dose), None)
    if mention.category != "drug" or value is None or value.unit != "mg" or item is None:
        return Verdict(mention, SUPPORTED, names)
    tablets = value.number / item.dose
    right = tablets in (0.5, 1.0, 1.5, 2.0, 3.0, 4.0) if item.strength else abs(tablets - 1.0) < 1e-6
    return Verdict(mention, SUPPORTED if right else "contradicts_truth", f"{item.name} {item.dose:g} mg")


def _measurement(mention: Mention, truth: Truth) -> Verdict:
    value = mention.value
    if value is None:
        return Verdict(mention, UNCHECKED)
    pair = mention.concept.pair
    if pair:
        return _pressure(mention, value, truth)
    known = truth.measure(mention.concept)
    near = known or _related(mention, truth)
    if near is None or near.concept is None:
        return Verdict(mention, UNCHECKED)
    told = f"{near.number:g} {near.unit}".strip()
    if agrees(value, near.number, near.concept, near.unit) == (mention.polarity == "affirmed"):
        return Verdict(mention, SUPPORTED, told)
    if known is None and near.concept.id in mention.concept.above:  # fasting glucose, where the truth has a random one
        return Verdict(mention, UNCHECKED, told)
    return Verdict(mention, "contradicts_truth", told)


def _related(mention: Mention, truth: Truth) -> Measurement | None:
    for known in truth.measures:
        if known.concept and (known.concept.id in mention.concept.above or mention.concept.id in known.concept.above):
            return known
    return None


def _pressure(mention: Mention, value: Quantity, truth: Truth) -> Verdict:
    parts = {k.concept.key: k for k in truth.measures if k.concept and k.concept.key in mention.concept.pair}
    told = "/".join(f"{parts[key].number:g}" for key in mention.concept.pair if key in parts)
    if not parts or (
        value.second is None and len(parts) == 2 and value.compare == "" and not _is_systolic(value, parts)
    ):
        return Verdict(mention, UNCHECKED if not parts else "contradicts_truth", told)
    right = True
    for key, number in zip(mention.concept.pair, (value.number, value.second), strict=True):
        known = parts.get(key)
        if known is not None and known.concept is not None and number is not None:
            right &= agrees(value._replace(number=number), known.number, known.concept, known.unit)
    return Verdict(mention, SUPPORTED if right else "contradicts_truth", told)


def _is_systolic(value: Quantity, parts: dict[str, Measurement]) -> bool:
    """A lone number for the pressure is taken for either of the two."""
    return any(known.concept and agrees(value, known.number, known.concept, known.unit) for known in parts.values())


def items_named(truth: Truth, folded: str) -> list[tuple[Item, int, int]]:
    """Entries whose names the lexicon does not know, found as they are written."""
    found = []
    for item in truth.items:
        if not item.concepts:
            name = item.name.lower()
            at = folded.find(name)
            if at >= 0:
                found.append((item, at, at + len(name)))
    return found
