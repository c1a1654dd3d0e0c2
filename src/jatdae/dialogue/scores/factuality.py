"""SFS, slot factuality of an answer, over its claims on the patient that can be checked.

    SFS = 1 − Σ w(hallucinated) / (Σ w(mentioned) + ε)

Each claim of an answer is compared with the patient's record: supported, wrong, or not to be checked. What the patient
says of themselves in the conversation supports a claim as well; where it contradicts the record, the claim is left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, Final, NamedTuple

from jatdae.core.contract import add_up
from jatdae.dialogue.reading.allergies import ALLERGY
from jatdae.dialogue.reading.bounds import is_of_home
from jatdae.dialogue.reading.concepts import MEASURED
from jatdae.dialogue.reading.dates import Dated, agrees_with, as_beginning, date_of, find_dates, is_relative
from jatdae.dialogue.reading.gestation import find_weeks, is_exact
from jatdae.dialogue.reading.mentions import Judgement, Mention, Passage
from jatdae.dialogue.reading.plain import is_plain
from jatdae.dialogue.reading.quantities import Quantity, agrees, is_of_then
from jatdae.dialogue.reading.statuses import FACT, OF_FAMILY
from jatdae.dialogue.reading.tense import is_of_now, is_past
from jatdae.dialogue.reading.truth import Item, Measurement, Truth
from jatdae.dialogue.reading.wards import Ward, find_ward, is_of_ward
from jatdae.dialogue.rules.limits import Limits

EPSILON: Final = 1e-9
SUPPORTED: Final = "supported"
FROM_QUESTION: Final = "from_question"
"""Not on record, but the patient said so in this conversation."""
UNCHECKED: Final = "unchecked"
DISPUTED: Final = "disputed"
"""The patient says so, the record says otherwise: neither right nor wrong."""
NOT_COUNTED: Final = frozenset((UNCHECKED, DISPUTED))
RIGHT: Final = frozenset((SUPPORTED, FROM_QUESTION))
_ACCUSING: Final = frozenset(("not_in_truth", "contradicts_truth", "negates_truth"))
_SLOTS: Final = {
    "drug": ("active_meds",),
    "drug_class": ("active_meds",),
    "condition": ("primary_condition", "comorbidities"),
    "procedure": ("major_procedures",),
}


_DATED: Final = frozenset(("drug", "drug_class", "condition", "symptom"))
"""Categories whose claims may be of the past, and dated."""
_SENTENCE: Final = 300
"""How far around a claim its date is looked for, in characters."""
_start: Final = attrgetter("start")
_OWN_SLOTS: Final = {"pregnancy": ("pregnancy",), "drug_allergy": ("allergies",), "food_allergy": ("allergies",)}
"""Conditions that a record keeps in slots of their own, if it has them."""


def score_facts(verdicts: Iterable[Verdict], weights: Mapping[str, float], on_empty: str = "na") -> dict[str, Any]:
    """Score the slot factuality of one answer (SFS) from the verdicts on its claims.

    Right or wrong, a claim has the weight of its category.
    """
    mentioned = [verdict for verdict in verdicts if verdict.result not in NOT_COUNTED]
    wrong = [verdict for verdict in mentioned if verdict.result not in RIGHT]
    total = float(add_up(_weight_of(verdict, weights) for verdict in mentioned))
    lost = float(add_up(_weight_of(verdict, weights) for verdict in wrong))
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
    return max(
        mention.end, mention.value.end if mention.value else 0, verdict.judgement.end if verdict.judgement else 0
    )


class Verdict(NamedTuple):
    """Result of checking one claim of an answer against the patient's record."""

    mention: Mention
    result: str
    """`supported`, `from_question`, `unchecked`, `disputed`, or why it is wrong: `not_in_truth`, `contradicts_truth`,
    `negates_truth`."""
    truth: str = ""
    judgement: Judgement | None = None
    """What is judged, if the claim is a judgement and no value: "혈압은 정상입니다"."""


class Record(NamedTuple):
    """What claims are checked against."""

    truth: Truth
    told: tuple[Mention, ...] = ()
    """What the patient says of themselves in this and earlier questions."""
    limits: Limits | None = None
    """By what measurements judgements are judged; without, they are not."""


def check_claims(passage: Passage, record: Record) -> list[Verdict]:
    """Check the factuality of each distinct claim of an answer about the patient; a repeated one counts once."""
    verdicts = []
    seen: set[tuple[object, ...]] = set()
    ward = _ward_of(passage, record.truth)
    for mention in passage.mentions:
        concept, _, _, _, value, polarity, status, _, _, sure = mention
        if status == FACT or (
            ward is not None and status == OF_FAMILY and is_of_ward(passage.folded, ward, *_around(mention, passage))
        ):
            listed = concept.id in record.truth.once or concept.id in record.truth.begun
            said = _date_of(mention, passage) if listed else None
            stated = value and (value.number, value.second, value.unit, value.compare, value.then)
            weeks = find_weeks(passage.folded, mention.start, mention.end) if concept.key == "pregnancy" else ()
            key = (concept.id, polarity, weeks or stated, said and said[2:])
            if key not in seen:
                told = _of_history(mention, said, passage, record.truth) if listed else None
                verdict = _with_question(
                    told or _with_week(_verdict(mention, record), weeks, record.truth), record.told
                )
                if verdict.result == "contradicts_truth" and value and _is_of_home(mention, passage):
                    verdict = verdict._replace(result=UNCHECKED)
                if verdict.result in _ACCUSING and not (sure and (weeks or _is_plain(mention, passage))):
                    continue
                seen.add(key)
                if verdict.result == "not_in_truth" and is_of_then(passage.folded, mention.start, mention.end):
                    verdict = verdict._replace(result=_once(mention))
                verdicts.append(verdict)
    if record.limits:
        for judgement in passage.judgements:
            if (judgement.end,) not in seen and (judgement.mention.concept.id, judgement.says) not in seen:
                seen |= {
                    (judgement.end,),
                    (judgement.mention.concept.id, judgement.says),
                }  # 혈압 and 혈압이 높 say it once
                verdicts.append(Verdict(judgement.mention, *record.limits.judge(judgement, record.truth), judgement))
    return verdicts


def _is_plain(mention: Mention, passage: Passage) -> bool:
    """Whether the answer says plainly what it claims of a drug, condition or procedure."""
    if mention.category not in _SLOTS or (mention.start, mention.end) in passage.judged:
        return True
    return is_plain(passage, mention, _around(mention, passage))


def _ward_of(passage: Passage, truth: Truth) -> Ward | None:
    """The relative of whom an answer speaks, if the record is theirs, which the age tells: "your daughter is 9"."""
    if truth.age is None or all(mention.status != OF_FAMILY for mention in passage.mentions):
        return None
    ward = find_ward(passage.folded)
    return ward if ward is not None and ward.age == int(truth.age) else None


def find_misjudged(verdicts: Iterable[Verdict]) -> frozenset[int]:
    """Places of the mentions that an answer judges falsely, against factuality."""
    return frozenset(v.mention.start for v in verdicts if v.judgement and v.result == "contradicts_truth")


def _around(mention: Mention, passage: Passage) -> tuple[int, int]:
    """Where the sentence of a mention stands, of a very long one the part around it."""
    first, last = passage.context.sentence_at(mention.start)
    return max(first, mention.start - _SENTENCE), min(last, mention.end + _SENTENCE)


def _date_of(mention: Mention, passage: Passage) -> Dated | None:
    """The date that the sentence of a mention states for it."""
    first, last = _around(mention, passage)
    dates = find_dates(passage.folded, first, last)
    if not dates:
        return None
    mentions = passage.mentions
    inside = mentions[bisect_left(mentions, first, key=_start) : bisect_left(mentions, last, key=_start)]
    if any(each.value is not None and each.category in MEASURED for each in inside):
        return None  # the date may be that of a value
    named = [each.start for each in inside if each.category in _DATED]
    found = date_of(passage.folded, dates, mention.start, mention.end, named)
    return found and as_beginning(passage.folded, found, mention.start, mention.end)


def _of_history(mention: Mention, said: Dated | None, passage: Passage, truth: Truth) -> Verdict | None:
    """Verdict on what the patient once had or took by the record; None where the record of today decides.

    Without a date any episode makes it true; a date must agree with one of them, as precisely as it is said."""
    once = truth.once.get(mention.concept.id, ())
    own = truth.begun.get(mention.concept.id, ()) if said else ()
    place = mention.start, mention.end, _around(mention, passage)
    past = is_past(passage.folded, *place)
    since = said is not None and said.sense == "since"  # says that it is still so, unless told in the past
    if not past and (own or since or not said or is_of_now(passage.folded, *place)):
        once = ()
    began = said is not None and said.sense == "start"
    if not (past or since or began):
        own = ()
    items = [*once, *own]
    agreed = [agrees_with(said, item.period) if said and item.period else True for item in items]
    if not items or (own and agreed.count(False) < len(agreed)):
        return None
    names = ", ".join([f"{item.name} ({item.period})" if item.period else item.name for item in items])
    if not said and all(item.period for item in items) and is_relative(passage.folded, *_around(mention, passage)):
        return Verdict(mention, UNCHECKED, names)
    if True not in agreed and None in agreed:
        return Verdict(mention, UNCHECKED, names)
    if mention.polarity == "negated":
        return Verdict(mention, "negates_truth" if True in agreed else SUPPORTED, names)
    return Verdict(mention, SUPPORTED if True in agreed else "contradicts_truth", names)


def _is_of_home(mention: Mention, passage: Passage) -> bool:
    """Whether the value of a mention is one the patient has measured at home, which the record does not have."""
    value = mention.value
    return mention.category in MEASURED and value is not None and is_of_home(passage.folded, mention.start, value.end)


def _once(mention: Mention) -> str:
    """Verdict on what is said of then and not on record: the list of active drugs does not tell of earlier ones."""
    return UNCHECKED if mention.category in ("drug", "drug_class") else "not_in_truth"


def _with_question(verdict: Verdict, told: tuple[Mention, ...]) -> Verdict:
    """The verdict with what the patient said: that supports what the record lacks, and decides nothing against it."""
    if verdict.result == SUPPORTED or not any(_says(each, verdict.mention) for each in told):
        return verdict
    if verdict.result in ("not_in_truth", UNCHECKED):
        return verdict._replace(result=FROM_QUESTION)
    return verdict._replace(result=DISPUTED)


def _says(told: Mention, claim: Mention) -> bool:
    """Whether something the patient said supports a claim: the same or a narrower concept, with the same value."""
    if told.polarity != claim.polarity:
        return False
    one, other = told.concept, claim.concept
    broader = other.id == one.id or other.id in one.above or bool(other.to & one.above)
    if not broader and not (one.category in ("lab", "vital", "age") and one.id in other.above):
        return False
    if claim.value is None or claim.category == "drug":
        return True
    said = told.value
    return said is not None and (said.number, said.second) == (claim.value.number, claim.value.second)


def _verdict(mention: Mention, record: Record) -> Verdict:
    truth = record.truth
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
        return _listed(mention, record)
    if category == ALLERGY:
        return _allergy(mention, truth)
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


def _listed(mention: Mention, record: Record) -> Verdict:
    """Drugs, conditions and procedures: what the record lacks is wrong where it lists all there are."""
    truth, concept = record.truth, mention.concept
    slots = _OWN_SLOTS.get(concept.key) or _SLOTS[mention.category]
    if concept.key in _OWN_SLOTS and truth.slots.get(slots[0]) is not None:
        return _own_slot(mention, truth, slots[0])
    if not truth.known(*slots) and truth.complete.isdisjoint(slots):
        return Verdict(mention, UNCHECKED)
    implied = record.limits.implied(concept, truth) if record.limits else None
    has = concept.id in truth.above or implied is True
    names = ", ".join([item.name for slot in slots for item in truth.of(slot)])
    if mention.polarity == "negated":
        return Verdict(mention, "negates_truth" if has else SUPPORTED, names)
    if has:
        return _dosed(mention, truth, names)
    if concept.above & truth.exact:  # "제2형 당뇨병" where the truth only says diabetes
        return Verdict(mention, UNCHECKED, names)
    return Verdict(mention, UNCHECKED if truth.complete.isdisjoint(slots) else "not_in_truth", names)


def _own_slot(mention: Mention, truth: Truth, slot: str) -> Verdict:
    """Pregnancy and allergies, which have slots of their own: a list, a flag, or {pregnant: true}."""
    given = truth.slots[slot]
    has = bool(given.get(slot.replace("pregnancy", "pregnant"), given) if isinstance(given, Mapping) else given)
    if has == (mention.polarity == "affirmed"):
        return Verdict(mention, SUPPORTED, slot)
    if slot in truth.complete or has or slot == "pregnancy":
        return Verdict(mention, "negates_truth" if has else "not_in_truth", slot)
    return Verdict(mention, UNCHECKED, slot)


def _with_week(verdict: Verdict, weeks: tuple[int, ...], truth: Truth) -> Verdict:
    """The verdict on a pregnancy with the week that is said of it."""
    known = truth.weeks
    if not weeks or known is None or verdict.result != SUPPORTED or not is_exact(truth.said("pregnancy")):
        return verdict
    right = int(known) in weeks or (verdict.mention.polarity == "negated")
    return verdict if right else verdict._replace(result="contradicts_truth", truth=f"pregnancy {known:g} weeks")


def _allergy(mention: Mention, truth: Truth) -> Verdict:
    """An allergy to a drug or class: the same, a broader or a narrower one on record supports it."""
    if truth.slots.get("allergies") is None and "allergies" not in truth.complete:
        return Verdict(mention, UNCHECKED)
    items = truth.of("allergies")
    names = ", ".join([item.name for item in items])
    said = mention.concept
    has = any(own.id in said.above or said.to & own.above for item in items for own in item.concepts)
    if mention.polarity == "negated":
        return Verdict(mention, "negates_truth" if has else SUPPORTED, names)
    unread = any(not item.concepts for item in items)  # may be the same under a name that is not known
    lacks = "allergies" in truth.complete and not unread
    return Verdict(mention, SUPPORTED if has else "not_in_truth" if lacks else UNCHECKED, names)


def _dosed(mention: Mention, truth: Truth, names: str) -> Verdict:
    """A dose is wrong if it is not a known one nor, given the strength of a tablet, a usual number of tablets."""
    value = mention.value
    items = [item for item in truth.of("active_meds") if mention.concept in item.concepts and item.dose]
    if mention.category != "drug" or value is None or value.unit != "mg" or not items:
        return Verdict(mention, SUPPORTED, names)
    right = next((item for item in items if _is_dose(value.number, item)), None)
    known = right or items[0]
    return Verdict(mention, SUPPORTED if right else "contradicts_truth", f"{known.name} {known.dose:g} mg")


def _is_dose(number: float, item: Item) -> bool:
    tablets = number / item.dose
    return tablets in (0.5, 1.0, 1.5, 2.0, 3.0, 4.0) if item.strength else abs(tablets - 1.0) < 1e-6


def _measurement(mention: Mention, truth: Truth) -> Verdict:
    """A value: against the latest of the record or, said of then, against the earlier ones."""
    value = mention.value
    if value is None:
        return Verdict(mention, UNCHECKED)
    known = _known_of(mention, truth)
    if not known:
        lacking = "labs" if mention.category == "lab" else "vitals"
        return Verdict(mention, "not_in_truth" if lacking in truth.complete and not value.compare else UNCHECKED)
    told = "/".join(f"{each.number:g}" for each in known) if mention.concept.pair else truth.written(known[0])
    if _agrees(mention, value, known):
        return Verdict(mention, SUPPORTED if mention.polarity == "affirmed" else "contradicts_truth", told)
    if value.then:
        past = any(_agrees(mention, value, each) for each in _earlier(known))
        return Verdict(mention, SUPPORTED if past else UNCHECKED, told)
    if mention.polarity == "negated":
        return Verdict(mention, SUPPORTED, told)
    near = known[0].concept
    if near is not None and near.id != mention.concept.id and near.id in mention.concept.above:
        return Verdict(mention, UNCHECKED, told)  # fasting glucose, where the truth has a random one
    return Verdict(mention, "contradicts_truth", told)


def _known_of(mention: Mention, truth: Truth) -> list[Measurement]:
    """The measurements of the record that a claim is about: one, or the two of a pair."""
    if mention.concept.pair:
        parts = {known.concept.key: known for known in truth.measures if known.concept}
        return [parts[key] for key in mention.concept.pair if key in parts]
    known = truth.measure(mention.concept) or _related(mention, truth)
    return [known] if known and known.concept else []


def _earlier(known: list[Measurement]) -> list[list[Measurement]]:
    """The earlier values of measurements, as if each had been the latest."""
    most = max(len(each.older) for each in known)
    return [
        [each._replace(number=each.older[at][0], unit=each.older[at][1]) for each in known if at < len(each.older)]
        for at in range(most)
    ]


def _agrees(mention: Mention, value: Quantity, known: list[Measurement]) -> bool:
    """Whether a value agrees with measurements; a single number for a pair, with either of the two."""
    pairs = [(each, each.concept) for each in known if each.concept]
    if not mention.concept.pair:
        return any(agrees(value, each.number, concept, each.unit) for each, concept in pairs)
    if value.second is None:
        return any(agrees(value, each.number, concept, each.unit) for each, concept in pairs)
    numbers = dict(zip(mention.concept.pair, (value.number, value.second), strict=True))
    return all(
        agrees(value._replace(number=numbers[concept.key]), each.number, concept, each.unit) for each, concept in pairs
    )


def _related(mention: Mention, truth: Truth) -> Measurement | None:
    for known in truth.measures:
        if known.concept and (known.concept.id in mention.concept.above or mention.concept.id in known.concept.above):
            return known
    return None
