"""The truth about a patient on a day, as slots: what `dialogue` compares answers with, and what scripts speak of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

from jatdae.core.configfile import Part, Text, read_config
from jatdae.core.errors import DataError
from jatdae.core.messages import speaker
from jatdae.dialogue.reading.concepts import MEASURED, Concept
from jatdae.dialogue.reading.mentions import Extractor
from jatdae.dialogue.reading.truth import resolve_name
from jatdae.experiments.fhir import Coded, Entry, Patient, Reading

TABLES: Final = Path(__file__).parent / "patients.yaml"
ADULT: Final = 18
SMOKING: Final = "72166-2"
"""LOINC code of the smoking status."""

say = speaker(__name__)


class PatientTables(Part):
    """What scripts take from a patient's record; names are keys of the lexicon."""

    primary: tuple[Text, ...]
    """Conditions, the one that becomes the primary condition first."""
    symptoms: dict[Text, tuple[Text, ...]]
    """Symptoms a patient with a condition may come with; `other` for the rest."""
    states: dict[Text, dict[Text, Text]]
    """What a patient is rather than has, as it is said in each language."""
    told: tuple[Text, ...]
    """Measurements that patients tell of themselves, the most telling first."""
    social: tuple[Text, ...]
    """Beginnings of words in the names of circumstances that records list among conditions."""
    not_had: tuple[Text, ...]
    """Beginnings of names of what a patient does not have, or not yet."""


@cache
def load_tables(file: Path = TABLES) -> PatientTables:
    """The tables of a file, by default of the one that comes with jatdae."""
    return read_config(file, PatientTables).content


@dataclass
class Chart:
    """What is known of a patient on a day: the slots of the truth, the concepts behind them, and what is missing."""

    patient: Patient
    day: str
    slots: dict[str, Any]
    primary: Concept | None = None
    conditions: list[Concept] = field(default_factory=list)
    drugs: list[Concept] = field(default_factory=list)
    measures: dict[str, Reading] = field(default_factory=dict)
    """The latest reading of each measurement, by the key of its concept."""
    names: dict[str, bool] = field(default_factory=dict)
    """Names of conditions, medications and measurements, and whether the lexicon knows them."""
    aside: dict[str, list[str]] = field(default_factory=dict)
    """What the record has and the truth has not, by kind: procedures, results in words, other observations …"""

    @property
    def unresolved(self) -> list[str]:
        """Names that the lexicon does not know."""
        return [name for name, known in self.names.items() if not known]

    @property
    def lacks(self) -> list[str]:
        """Slots that the record says nothing of."""
        wanted = ("sex", "primary_condition", "comorbidities", "active_meds", "vitals", "labs", "major_procedures")
        return [slot for slot in wanted if not self.slots.get(slot)]


def age_on(patient: Patient, day: str) -> int:
    """Completed years of a patient on a day."""
    born, then = date.fromisoformat(patient.born), date.fromisoformat(day)
    return then.year - born.year - ((then.month, then.day) < (born.month, born.day))


def make_chart(patient: Patient, day: str, extractor: Extractor, tables: PatientTables) -> Chart:
    """The chart of a patient on a day (ISO): only what the record knew by then.

    Conditions and medications that had ended by then, and earlier readings, stand in the truth with their dates: what
    was once true is not invented.
    """
    chart = Chart(patient, day, {"age": age_on(patient, day), "sex": patient.sex or None})
    known, aside = _conditions(chart, extractor, tables)
    now = [(entry, concepts) for entry, concepts in known if entry.holds_on(day)]
    first = min(now, key=lambda each: _rank(each[0], each[1], tables), default=None)
    chart.primary = first[1][0] if first and first[1] else None
    chart.conditions = _distinct(concept for _, concepts in now for concept in concepts)
    chart.slots["primary_condition"] = _named(first[0]) if first else None
    chart.slots["comorbidities"] = _listed(entry for entry, _ in now if not first or entry.what != first[0].what)
    chart.slots["past_conditions"] = _history(entry for entry, _ in known if not entry.holds_on(day))
    taken = [
        (entry, _concepts(entry.what, "active_meds", extractor, chart)) for entry in _until(patient.medications, day)
    ]
    chart.names |= dict.fromkeys(patient.unnamed, False)
    chart.drugs = _distinct(concept for entry, concepts in taken if entry.holds_on(day) for concept in concepts)
    chart.slots["active_meds"] = _listed(entry for entry, _ in taken if entry.holds_on(day))
    chart.slots["past_meds"] = _history(entry for entry, _ in taken if not entry.holds_on(day))
    aside |= _add_readings(chart, extractor)
    done = [*_until(patient.procedures, day), *_done_before(patient, day, extractor)]
    known_done = [entry for entry in done if resolve_name(*_code(entry.what), "major_procedures", extractor)]
    chart.slots["major_procedures"] = _listed(known_done)
    chart.slots["allergies"] = _listed(
        entry for entry in _until(patient.allergies, day) if entry.active and not _NO_ALLERGY.search(entry.what.name)
    )
    aside |= {
        "procedures": [entry.what.name for entry in done if entry not in known_done],
        "unvalued": patient.unvalued,
        "not_ordered": patient.not_ordered,
        "kinds": sorted(patient.passed_over),
    }
    chart.aside = {kind: list(dict.fromkeys(names)) for kind, names in aside.items() if names}
    return chart


def _conditions(
    chart: Chart, extractor: Extractor, tables: PatientTables
) -> tuple[list[tuple[Entry, tuple[Concept, ...]]], dict[str, list[str]]]:
    """Conditions with their concepts, and what stands among them without being one.

    That is what is suspected, and circumstances such as a job, which Synthea lists as findings.
    """
    found = []
    aside: dict[str, list[str]] = {"not_had": [], "social": []}
    not_had = re.compile(rf"(?i)(?:{'|'.join(map(re.escape, tables.not_had))})")
    social = re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, tables.social))})")
    for entry in _until(chart.patient.conditions, chart.day):
        concepts = resolve_name(*_code(entry.what), "comorbidities", extractor)
        if not_had.match(entry.what.name):
            aside["not_had"].append(entry.what.name)
        elif not concepts and social.search(entry.what.name) and not entry.what.name.endswith("(disorder)"):
            aside["social"].append(entry.what.name)
        elif concepts or not _is_done(entry, extractor):
            chart.names[entry.what.name] = bool(concepts)
            found.append((entry, concepts))
    return found, aside


def _done_before(patient: Patient, day: str, extractor: Extractor) -> list[Entry]:
    """Procedures that a record tells of as conditions: "History of appendectomy (situation)"."""
    return [entry for entry in _until(patient.conditions, day) if _is_done(entry, extractor)]


def _is_done(entry: Entry, extractor: Extractor) -> bool:
    """Whether an entry of a condition tells of a procedure, and of no condition."""
    if not _HISTORY.match(entry.what.name) or resolve_name(*_code(entry.what), "comorbidities", extractor):
        return False
    return bool(resolve_name(*_code(entry.what), "major_procedures", extractor))


_NO_ALLERGY: Final = re.compile(r"(?i)^no (?:known|history of)\b.*\ballerg|^not allergic|알레르기\s*(?:이력\s*)?없")
"""Names of entries that say there is no allergy."""
_HISTORY: Final = re.compile(r"(?i)(?:personal )?history of|status post|h/o")


def _until(entries: Iterable[Entry], day: str) -> list[Entry]:
    """Entries as they were known on a day: the day on which one will end is not."""
    known = (entry for entry in entries if entry.start <= day)
    return [replace(entry, end="", active=True) if entry.end > day else entry for entry in known]


def _code(what: Coded) -> tuple[str, str, str]:
    return what.name, what.code, what.system


def _concepts(what: Coded, slot: str, extractor: Extractor, chart: Chart) -> tuple[Concept, ...]:
    """The concepts of a name; whether there are any is noted."""
    found = resolve_name(*_code(what), slot, extractor)
    chart.names[what.name] = bool(found)
    return found


def _rank(entry: Entry, concepts: tuple[Concept, ...], tables: PatientTables) -> tuple[int, bool, int, str]:
    """Place of a condition in the table of primary conditions; behind it the latest that the lexicon knows first."""
    places = [
        place
        for place, key in enumerate(tables.primary)
        if any(f"condition:{key}" in concept.above for concept in concepts)
    ]
    since = date.fromisoformat(entry.start).toordinal() if entry.start else 0
    return min(places, default=len(tables.primary)), not concepts, -since, entry.what.name


def _named(entry: Entry) -> dict[str, Any]:
    given = {"name": entry.what.name, "code": entry.what.code, "system": entry.what.system}
    dated = {"start": entry.start, "end": entry.end, "dosage": entry.dosage}
    return {key: value for key, value in (given | dated).items() if value}


def _listed(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Entries of a slot, each name once, as it stood last: several orders of a drug are one drug that is taken.

    Days and dosages of the others stand in the entry.
    """
    by_name: dict[Coded, list[Entry]] = {}
    for entry in sorted(entries, key=lambda each: (each.start, each.what.name)):
        by_name[entry.what] = [*by_name.pop(entry.what, ()), entry]
    return [_together(each) for each in by_name.values()]


def _together(entries: Sequence[Entry]) -> dict[str, Any]:
    """Entries of one name as one: the last, with the days of the earlier ones and the dosages of all."""
    dosages = dict.fromkeys(entry.dosage for entry in reversed(entries) if entry.dosage)
    made = _named(replace(entries[-1], dosage="; ".join(dosages)))
    earlier = list(dict.fromkeys(entry.start for entry in entries if entry.start and entry.start != entries[-1].start))
    return made | ({"earlier": earlier} if earlier else {})


def _history(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Entries of a slot of the past: every episode with its dates, the earliest first."""
    return [_named(entry) for entry in sorted(set(entries), key=lambda each: (each.start, each.what.name, each.end))]


def _distinct(concepts: Iterable[Concept]) -> list[Concept]:
    return list(dict.fromkeys(concepts))


def _add_readings(chart: Chart, extractor: Extractor) -> dict[str, list[str]]:
    """Vitals and labs, each with all its values, the latest first, and the smoking status; what is left is returned.

    That is results in words, which no score compares, and observations that are neither vitals nor labs.
    """
    aside: dict[str, list[str]] = {"worded": [], "others": []}
    slots: dict[str, dict[str, list[dict[str, Any]]]] = {"vitals": {}, "labs": {}}
    readings = [each for each in chart.patient.readings if each.day and each.day <= chart.day]
    for reading in sorted(readings, key=lambda each: each.order, reverse=True):
        if reading.what.code == SMOKING:
            chart.slots.setdefault("smoking", str(reading.value))
            continue
        concept = measured_concept(reading.what, extractor)
        slot = _slot_of(reading, concept)
        if not slot:
            aside["others"].append(reading.what.name)
        elif isinstance(reading.value, str):
            aside["worded"].append(reading.what.name)
        else:
            chart.names[reading.what.name] = concept is not None
            name = concept.key if concept else reading.what.name
            slots[slot].setdefault(name, []).append(_value(reading))
            if concept:
                chart.measures.setdefault(concept.key, reading)
    chart.slots.update(slots)
    return aside


def measured_concept(what: Coded, extractor: Extractor) -> Concept | None:
    """The measurement behind a LOINC code, else behind a name that names nothing else.

    Without a code a name is taken for that of a value in blood, and for the value itself: glucose in urine is not the
    glucose of a patient, and a percentile of a weight no weight.
    """
    found = extractor.lexicon.by_code(what.system or "loinc", what.code) if what.code else None
    if found and found.category in MEASURED:
        return found
    if _OTHERWISE.search(what.name):
        return None
    name = what.name.partition(" [")[0].strip()
    for concept, start, end in extractor.concepts(name):
        if concept.category in MEASURED and (start, end) == (0, len(name)):
            return concept
    return None


_OTHERWISE: Final = re.compile(
    r"(?i)\bpercentile\b|\b(?:in|of) (?:urine|stool|feces|sputum|saliva|sweat|semen|cerebral|csf|body fluid|pleural)"
)
"""Names of values of another material than blood, or of a place among others."""


def _slot_of(reading: Reading, concept: Concept | None) -> str:
    if concept:
        return "vitals" if concept.category == "vital" else "labs"
    return {"vital-signs": "vitals", "laboratory": "labs"}.get(reading.category, "")


def _value(reading: Reading) -> dict[str, Any]:
    if reading.second is None:
        return {"value": reading.value, "unit": reading.unit, "date": reading.day}
    return {"systolic": reading.value, "diastolic": reading.second, "unit": reading.unit, "date": reading.day}


def choose(patients: Iterable[Patient], day: str, *, dead: bool, children: bool) -> Iterator[tuple[Patient, str, str]]:
    """Each patient with the day of their script, and why there is none: no_birth, no_day, unborn, dead or child."""
    for patient in patients:
        then = day or patient.last_day
        why = ""
        if not patient.born:
            why = "no_birth"
        elif not then:
            why = "no_day"
        elif then < patient.born:
            why = "unborn"
        elif patient.died and (not day or patient.died == "?" or patient.died <= day) and not dead:
            why = "dead"
        elif age_on(patient, then) < ADULT and not children:
            why = "child"
        yield patient, then, why


def iso_day(given: str) -> str:
    """A day as `--on` takes it, checked."""
    try:
        return date.fromisoformat(given).isoformat()
    except ValueError:
        raise DataError(say("bad_day", value=given)) from None
