"""The patient's record (`slots_truth`), with names resolved to concepts and measurements to numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, get_args

from jatdae.dialogue.reading.concepts import MEASURED, Concept
from jatdae.dialogue.reading.dates import Period, read_period
from jatdae.dialogue.reading.mentions import Extractor
from jatdae.dialogue.reading.words import fold

Slot = Literal[
    "age", "sex", "primary_condition", "comorbidities", "active_meds", "vitals", "labs", "major_procedures",
    "chief_symptom", "allergies", "pregnancy", "smoking", "alcohol", "family_history",
    "past_conditions", "past_meds",
]  # fmt: skip
SLOTS: Final[tuple[Slot, ...]] = get_args(Slot)
COMPLETE: Final = "complete"
"""The key under which a record names the slots that list all there is."""
_COMPLETE: Final = ("primary_condition", "comorbidities", "active_meds", "major_procedures", "allergies")
ALIASES: Final = {"key_meds": "active_meds", "key_vitals": "vitals", "key_labs": "labs"}
_SEXES: Final = {
    "female": "female", "f": "female", "woman": "female", "여": "female", "여성": "female", "여자": "female",
    "male": "male", "m": "male", "man": "male", "남": "male", "남성": "male", "남자": "male",
}  # fmt: skip
_WANTED: Final = {
    "primary_condition": ("condition", "symptom"),
    "comorbidities": ("condition", "symptom"),
    "active_meds": ("drug", "drug_class"),
    "major_procedures": ("procedure",),
    "chief_symptom": ("symptom", "condition"),
    "allergies": ("drug", "drug_class", "food"),
    "family_history": ("condition",),
    "past_conditions": ("condition", "symptom"),
    "past_meds": ("drug", "drug_class"),
}
_HAD: Final = ("primary_condition", "comorbidities")
PAST: Final = ("past_conditions", "past_meds")
_TAKEN: Final = ("active_meds", "past_meds")
NOT_OWN: Final = frozenset(("allergies", "family_history", *PAST))
"""Slots that list what the patient does not have or take now."""
_HABITS: Final = ("smoking", "alcohol")
_NO: Final = frozenset(
    (
        "no",
        "none",
        "never",
        "false",
        "0",
        "non-smoker",
        "nonsmoker",
        "아니오",
        "없음",
        "안 함",
        "비흡연",
        "금연",
        "금주",
    )
)
_OLDEST: Final = 130
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})
_NUMBER: Final = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:/\s*(\d+(?:\.\d+)?))?\s*(.*?)\s*\Z", re.S)
_STRENGTH: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(mg|mcg|g)(?![a-z/])")
_MILLIGRAMS: Final = {"mg": 1.0, "g": 1000.0, "mcg": 0.001}


class Item(NamedTuple):
    """An entry of a list in the patient's record, such as a drug or condition."""

    slot: str
    name: str
    concepts: tuple[Concept, ...]
    """Empty if the lexicon does not know the name; it is then searched for as it is written."""
    dose: float = 0.0
    """In milligrams; 0 if unknown."""
    strength: bool = False
    """Whether the dose is that of one tablet, read from the name."""
    period: Period | None = None
    """When it was, if the record says so."""


class Measurement(NamedTuple):
    """A laboratory value or vital sign in the patient's record."""

    slot: str
    name: str
    concept: Concept | None
    number: float
    unit: str
    older: tuple[tuple[float, str], ...] = ()
    """Earlier values with their units, where the record has several."""


@dataclass(frozen=True)
class Truth:
    """The patient's record: age, sex, listed items and measurements, as the scores need them."""

    slots: Mapping[str, Any]
    age: float | None = None
    sex: str = ""
    items: tuple[Item, ...] = ()
    measures: tuple[Measurement, ...] = ()
    unknown: tuple[str, ...] = ()
    """Slots that no score uses."""
    unread: tuple[str, ...] = ()
    """Slots whose value could not be read."""
    above: frozenset[str] = frozenset()
    """Ids of all concepts of the patient and of all broader ones."""
    exact: frozenset[str] = frozenset()
    listed: Mapping[str, tuple[Item, ...]] = field(default_factory=dict)
    """Entries by slot."""
    by_id: Mapping[str, Measurement] = field(default_factory=dict)
    """Measurements by id of their concept."""
    pregnant: bool | None = None
    weeks: float | None = None
    """Completed weeks of the pregnancy."""
    habits: Mapping[str, bool] = field(default_factory=dict)
    """Whether the patient smokes or drinks, where the record says so."""
    allergens: frozenset[str] = frozenset()
    """Ids of the drugs and classes that the patient is allergic to."""
    complete: frozenset[str] = frozenset()
    """Slots that list all there is: what they lack, the patient does not have."""
    once: Mapping[str, tuple[Item, ...]] = field(default_factory=dict)
    """What the patient had or took once, by the ids of its concepts and of all broader ones."""
    begun: Mapping[str, tuple[Item, ...]] = field(default_factory=dict)
    """Conditions of today of which the record says since when, by the same ids."""
    applying: dict[frozenset[str], Any] = field(default_factory=dict, compare=False, repr=False)
    """Cache of the rules that apply, by flags: they stay the same from turn to turn."""

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids of the concepts of each slot."""
        return {slot: frozenset(c.id for item in items for c in item.concepts) for slot, items in self.listed.items()}

    def known(self, *slots: str) -> bool:
        """Whether the truth has any of these slots. An empty list counts: it says that there is nothing."""
        return any(self.slots.get(slot) is not None for slot in slots)

    def of(self, slot: str) -> tuple[Item, ...]:
        """The entries of a slot."""
        return self.listed.get(slot, ())

    def said(self, slot: str) -> str:
        """What the record says of a pregnancy or habit: `26 weeks`, `current smoker`."""
        given = self.slots.get(slot)
        if isinstance(given, Mapping):
            given = " ".join(f"{key} {value}" for key, value in given.items())
        return "" if given is None else str(given)

    def written(self, known: Measurement) -> str:
        """A measurement as the record has it: `blood_pressure 152/94 mmHg`."""
        given = _by_date(self.slots[known.slot].get(known.name))[0]
        if isinstance(given, Mapping):
            parts = [given[key] for key in ("value", "systolic", "diastolic") if given.get(key) is not None]
            given = f"{'/'.join(map(str, parts))} {given.get('unit') or ''}".strip()
        return f"{known.name} {given}"

    def measure(self, concept: Concept) -> Measurement | None:
        """The measurement of a concept."""
        return self.by_id.get(concept.id)


def read_truth(slots: Any, extractor: Extractor) -> Truth | None:
    """Read the truth about a patient, the record, from its slots; None if there is no record."""
    if not isinstance(slots, Mapping) or not any(value is not None for value in slots.values()):
        return None
    named = {slot: value for slot, value in slots.items() if slot not in ALIASES}
    for alias, slot in ALIASES.items():
        if slots.get(alias) is not None:
            named[slot] = _merged(named.get(slot), slots[alias])
    listed = {slot: tuple(_items(slot, named.get(slot), extractor)) for slot in _WANTED}
    items = tuple([item for entries in listed.values() for item in entries])
    measures = (*_measures("vitals", named.get("vitals"), extractor), *_measures("labs", named.get("labs"), extractor))
    concepts = [concept for item in items if item.slot not in NOT_OWN for concept in item.concepts]
    pregnant, weeks = _pregnancy(named.get("pregnancy"))
    noted = [item for item in items if item.slot not in NOT_OWN and any(c.id == _PREGNANCY for c in item.concepts)]
    if pregnant is None and noted:
        pregnant, weeks = True, next((found for item in noted if (found := _weeks(fold(item.name)))), None)
    habits = {slot: value for slot in _HABITS if (value := _yes(named.get(slot))) is not None}
    age = _age(named.get("age"))
    sex = _SEXES.get(fold(str(named.get("sex") or "")).strip(), "")
    told = {item.slot for item in items} | {known.slot for known in measures}
    told |= {slot for slot, value in (("age", age), ("sex", sex or None), ("pregnancy", pregnant)) if value is not None}
    told |= {*habits}
    return Truth(
        named,
        age,
        sex,
        items,
        measures,
        tuple([slot for slot in named if slot not in SLOTS and slot != COMPLETE]),
        tuple([slot for slot in SLOTS if slot not in told and named.get(slot) not in _EMPTY]),
        frozenset().union(*[concept.above for concept in concepts]),
        frozenset([concept.id for concept in concepts]),
        listed,
        {known.concept.id: known for known in measures if known.concept},
        pregnant,
        weeks,
        habits,
        frozenset([concept.id for item in listed["allergies"] for concept in item.concepts]),
        _complete(named),
        _by_concept([item for slot in PAST for item in listed[slot]]),
        _by_concept([item for slot in _HAD for item in listed[slot] if item.period]),
    )


def _complete(named: Mapping[str, Any]) -> frozenset[str]:
    """Slots that list all there is.

    Drugs, conditions, procedures and allergies always, if the record has the slot; measurements only if it says so."""
    told = named.get(COMPLETE)
    given = {ALIASES.get(str(slot), str(slot)) for slot in told} if isinstance(told, (list, tuple)) else set()
    return frozenset(given) | {slot for slot in _COMPLETE if named.get(slot) is not None}


def _by_concept(items: list[Item]) -> dict[str, tuple[Item, ...]]:
    found: dict[str, tuple[Item, ...]] = {}
    for item in items:
        for above in {above for concept in item.concepts for above in concept.above}:
            found[above] = (*found.get(above, ()), item)
    return found


def _pregnancy(given: Any) -> tuple[bool | None, float | None]:
    """Whether the patient is pregnant, and in which week: true, 26, "pregnant, 26 weeks" or {weeks: 26}."""
    if isinstance(given, Mapping):
        weeks = _number(given.get("weeks"))
        known = given.get("pregnant")
        return (bool(known) if known is not None else weeks is not None or None), weeks
    if isinstance(given, bool) or given is None:
        return given, None
    weeks = _number(given)
    if weeks:
        return True, weeks
    text = fold(str(given))
    known = _yes(given) and not _DELIVERED.search(text)
    return known, _weeks(text) if known else None


_PREGNANCY: Final = "condition:pregnancy"
_DELIVERED: Final = re.compile(
    r"post-?partum|post-?natal|delivered|gave birth|(?:출산|분만) ?(?:후|함|했)|산후|비임신|임신 (?:아|안)"
)
_WEEKS: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:\+\s*\d\s*)?-?(?:weeks?|wks?|wk|w|주)(?![a-z])|\bweeks? (\d+)")
_MONTHS: Final = re.compile(r"(\d+)\s*(?:months?|개월)")
_WEEKS_OF_A_MONTH: Final = 4
"""As pregnancies are counted: ten months of four weeks."""
_LAST_THIRD: Final = (re.compile(r"third trimester|3rd trimester|임신 ?(?:말기|후기)|제?3 ?삼분기"), 28.0)


def _weeks(text: str) -> float | None:
    """The week of a pregnancy in words of a record: "pregnant, 29 weeks", 임신 29주, third trimester (28 at least)."""
    if found := _WEEKS.search(text):
        return float(found[1] or found[2])
    if found := _MONTHS.search(text):
        return float(found[1]) * _WEEKS_OF_A_MONTH
    return _LAST_THIRD[1] if _LAST_THIRD[0].search(text) else None


def _yes(given: Any) -> bool | None:
    """Whether a habit or state is said to be there: true, "current smoker", {status: never}; None if unknown."""
    if isinstance(given, Mapping):
        given = given.get("status", given.get("value"))
    if given is None or isinstance(given, bool):
        return given
    text = fold(str(given)).strip()
    if not text or text in ("unknown", "모름"):
        return None
    return not (text in _NO or text.startswith(("never", "no ", "not ", "former", "ex-", "quit", "과거")))


def _age(value: Any) -> float | None:
    """An age that a person can have; an impossible one would contradict every answer."""
    years = _number(value)
    return years if years is not None and 0 <= years <= _OLDEST else None


def _merged(first: Any, second: Any) -> Any:
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return {**second, **first}
    if isinstance(first, list) and isinstance(second, list):
        return [*first, *(item for item in second if item not in first)]
    return second if first is None else first


def _items(slot: str, value: Any, extractor: Extractor) -> Iterator[Item]:
    for entry in value if isinstance(value, list) else [value]:
        named = entry if isinstance(entry, Mapping) else {"name": entry}
        name = str(named.get("name") or named.get("display") or named.get("code") or "").strip()
        if not name:
            continue
        concepts = resolve_name(name, str(named.get("code") or ""), str(named.get("system") or ""), slot, extractor)
        told = _milligrams(str(named["dose"])) if named.get("dose") else 0.0
        strength = 0.0 if told else _milligrams(name) if slot == "active_meds" else 0.0
        yield Item(slot, name, concepts, told or strength, bool(strength and _FORM.search(name)), read_period(named))


def resolve_name(name: str, code: str, system: str, slot: str, extractor: Extractor) -> tuple[Concept, ...]:
    """Concepts of an entry of a patient's record: that of its code, else the narrowest in its name.

    `system` may be a URL, as in FHIR, or "" if it is not known.
    """
    wanted = _WANTED[slot]
    for each in [system] if system else ["rxnorm", "snomed", "icd10"]:
        found = extractor.lexicon.by_code(each, code) if code else None
        if found and found.category in wanted:
            return (found,)
    found_all = dict.fromkeys(c for c, *_ in extractor.concepts(name) if c.category in wanted)
    if not found_all and slot in _TAKEN:
        as_taken = f"{name} supplement" if name.isascii() else f"{name}제"  # iron, 칼슘
        found_all = dict.fromkeys(c for c, start, _ in extractor.concepts(as_taken) if not start)
    covered = {above for concept in found_all for above in concept.above if above != concept.id}
    return tuple(concept for concept in found_all if concept.id not in covered)


def _measures(slot: str, value: Any, extractor: Extractor) -> Iterator[Measurement]:
    if not isinstance(value, Mapping):
        return
    for name, given in value.items():
        concept = extractor.lexicon.by_key(fold(str(name)).strip().replace(" ", "_"), MEASURED)
        if concept is None:
            named = extractor.concepts(str(name).replace("_", " "))
            concept = next((c for c, *_ in named if c.category in MEASURED), None)
        latest, *older = _by_date(given)
        if isinstance(latest, Mapping) and latest.get("code"):
            concept = extractor.lexicon.by_code("loinc", str(latest["code"])) or concept
        if concept is not None and concept.pair:
            before = [known for each in older for known in _pair(slot, str(name), concept, each, extractor)]
            for known in _pair(slot, str(name), concept, latest, extractor):
                values = tuple((old.number, old.unit) for old in before if old.concept is known.concept)
                yield known._replace(older=values)
            continue
        number, unit = _quantity(latest)
        if number is not None:
            read = [_quantity(each) for each in older]
            values = tuple((value, fold(told)) for value, told in read if value is not None)
            yield Measurement(slot, str(name), concept, number, fold(unit), values)


def _pair(slot: str, name: str, concept: Concept, given: Any, extractor: Extractor) -> Iterator[Measurement]:
    """Blood pressure as "150/95", {value: "150/95"} or {systolic: 150, diastolic: 95}."""
    values: list[float | None] = [None, None]
    unit = ""
    if isinstance(given, Mapping) and given.get("value") is None:
        values = [_number(given.get(key)) for key in ("systolic", "diastolic")]
        unit = str(given.get("unit") or "")
    else:
        text = given.get("value") if isinstance(given, Mapping) else given
        unit = str(given.get("unit") or "") if isinstance(given, Mapping) else ""
        match = _NUMBER.match(str(text))
        if match:
            values = [float(match[1]), float(match[2]) if match[2] else None]
            unit = unit or match[3]
    for key, number in zip(concept.pair, values, strict=True):
        part = extractor.lexicon.concepts.get(f"measure:{key}")
        if number is not None and part is not None:
            yield Measurement(slot, name, part, number, fold(unit))


def _by_date(given: Any) -> list[Any]:
    """Several dated values, the latest first; without dates the last is the latest."""
    if not isinstance(given, list):
        return [given]
    dated = [each for each in given if isinstance(each, Mapping)]
    if dated:
        return sorted(dated, key=lambda each: str(each.get("date") or ""), reverse=True)
    return given[::-1] or [None]


def _quantity(given: Any) -> tuple[float | None, str]:
    if isinstance(given, Mapping):
        number, unit = _quantity(given.get("value"))
        return number, str(given.get("unit") or unit or "")
    if isinstance(given, str):
        match = _NUMBER.match(given)
        return (float(match[1]), match[3]) if match and not match[2] else (None, "")
    return _number(given), ""


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        match = _NUMBER.match(str(value))
        return float(match[1]) if match and not match[2] else None
    return number if math.isfinite(number) else None


_FORM: Final = re.compile(
    r"tab|cap|pill|patch|solution|suspension|injector|injection|inhal|pen\b|pack|spray|syrup|cream|drops|granules"
    r"|powder"
    r"|[가-힣\d]정(?![가-힣])|정 |캡슐|패치|시럽|주사|흡입|연고",
    re.IGNORECASE,
)
"""The form of a medicine, which makes the amount in its name that of one piece, of which several may be taken."""


def _milligrams(text: str) -> float:
    match = _STRENGTH.search(fold(text))
    return float(match[1]) * _MILLIGRAMS[match[2]] if match else 0.0
