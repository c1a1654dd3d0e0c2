"""SFS, slot factuality of an answer, over its claims on the patient that can be checked.

    SFS = 1 − Σ w(hallucinated) / (Σ w(mentioned) + ε)

Each claim of an answer is compared with the patient's record: supported, wrong, or not to be checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from jatdae.core.contract import add_up
from jatdae.dialogue.reading.context import FACT
from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.quantities import Quantity, agrees
from jatdae.dialogue.reading.truth import Measurement, Truth

EPSILON: Final = 1e-9
SUPPORTED: Final = "supported"
UNCHECKED: Final = "unchecked"
_SLOTS: Final = {
    "drug": ("active_meds",),
    "drug_class": ("active_meds",),
    "condition": ("primary_condition", "comorbidities"),
    "procedure": ("major_procedures",),
}


def score_facts(verdicts: Iterable[Verdict], weights: Mapping[str, float], on_empty: str = "na") -> dict[str, Any]:
    """Score the slot factuality of one answer (SFS) from the verdicts on its claims.

    Right or wrong, a claim has the weight of its category.
    """
    mentioned = [verdict for verdict in verdicts if verdict.result != UNCHECKED]
    wrong = [verdict for verdict in mentioned if verdict.result != SUPPORTED]
    total = add_up(_weight_of(verdict, weights) for verdict in mentioned)
    lost = add_up(_weight_of(verdict, weights) for verdict in wrong)
    score = None if not mentioned and on_empty == "na" else 1.0 - lost / (total + EPSILON)
    return {
        "metric": "SFS",
        "score": score,
        "mentioned_count": len(mentioned),
        "hallucinated_count": len(wrong),
        "mentioned_weight": total,
        "hallucinated_weight": lost,
        "hallucinated_details": [
            {
                "concept": verdict.mention.concept.id,
                "text": verdict.mention.text,
                "span": [verdict.mention.start, span_end(verdict)],
                "why": verdict.result,
                "truth": verdict.truth,
            }
            for verdict in wrong
        ],
    }


def _weight_of(verdict: Verdict, weights: Mapping[str, float]) -> float:
    """Weight of a claim about the patient, which depends on its category alone."""
    return weights.get(verdict.mention.concept.category, weights["other"])


def span_end(verdict: Verdict) -> int:
    """Position in the answer where a claim checked for factuality ends: after its value, if it has one."""
    mention = verdict.mention
    return max(mention.end, mention.value.end) if mention.value else mention.end


class Verdict(NamedTuple):
    """Result of checking one claim of an answer against the patient's record."""

    mention: Mention
    result: str
    """`supported`, `unchecked`, or why it is wrong: `not_in_truth`, `contradicts_truth`, `negates_truth`."""
    truth: str = ""


def check_claims(passage: Passage, truth: Truth) -> list[Verdict]:
    """Check the factuality of each distinct claim of an answer about the patient; a repeated one counts once."""
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
    """Drugs, conditions and procedures: if the truth has the slot, it lists all there are."""
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
    """A dose is wrong if it is not the known one nor, given the strength of a tablet, a usual number of tablets."""
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
    told = truth.written(near)
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
        value.second is None and len(parts) == 2 and value.compare == "" and not _is_either_pressure(value, parts)
    ):
        return Verdict(mention, UNCHECKED if not parts else "contradicts_truth", told)
    right = True
    for key, number in zip(mention.concept.pair, (value.number, value.second), strict=True):
        known = parts.get(key)
        if known is not None and known.concept is not None and number is not None:
            right &= agrees(value._replace(number=number), known.number, known.concept, known.unit)
    return Verdict(mention, SUPPORTED if right else "contradicts_truth", told)


def _is_either_pressure(value: Quantity, parts: dict[str, Measurement]) -> bool:
    """Whether a single number for the blood pressure agrees with either of the two."""
    return any(known.concept and agrees(value, known.number, known.concept, known.unit) for known in parts.values())
