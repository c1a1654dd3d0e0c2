"""Patients read from FHIR R4: bundles (JSON) and bulk exports (NDJSON), with what a conversation is about.

Only what is needed is read, in plain Python: Patient, Encounter, Condition, MedicationRequest (with its Medication),
Observation and its components, Procedure, AllergyIntolerance. Everything else is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.yamlfile import refuse_endless

SUFFIXES: Final = (".json", ".ndjson", ".jsonl")
WRONG: Final = frozenset(("entered-in-error", "refuted", "cancelled", "not-done"))
"""Statuses of entries that do not hold."""
NOT_ORDERED: Final = frozenset(("proposal", "plan", "option", "draft", "unknown"))
"""Intents and statuses of requests that nobody has ordered, as far as the record knows."""
GONE: Final = frozenset(("inactive", "remission", "resolved"))
MEASURED: Final = ("vital-signs", "laboratory")
"""Categories of observations that are vitals and labs."""

say = speaker(__name__)


@dataclass(frozen=True, slots=True)
class Coded:
    """Something named by a text and a code."""

    name: str
    code: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A condition, medication, procedure or allergy of a patient, with the days on which it began and ended."""

    what: Coded
    start: str
    """ISO date; "" if the record does not say."""
    end: str = ""
    active: bool = True
    """Whether its status says that it still holds."""
    dosage: str = ""
    """How much of a medication is taken and how often, as the record says it."""
    ref: str = field(default="", compare=False)
    """Resource it was read from, such as `Condition/7`."""

    def holds_on(self, day: str) -> bool:
        """Whether it still held on a day; a status without a day of its end is of today."""
        return self.end > day if self.end else self.active


@dataclass(frozen=True, slots=True)
class Reading:
    """A value measured on a day; a blood pressure has two."""

    what: Coded
    day: str
    value: float | str
    unit: str = ""
    second: float | None = None
    category: str = ""
    """`vital-signs`, `laboratory`, `survey` …"""
    ref: str = field(default="", compare=False)
    """Resource it was read from, such as `Observation/7`."""
    at: str = field(default="", compare=False)
    """Time of the day as UTC (ISO); "" if the record has the day alone."""

    @property
    def order(self) -> tuple[str, ...]:
        """What sorts readings by time; of equal times the order of the record decides nothing."""
        return self.day, self.at, self.ref, str(self.value)


@dataclass
class Patient:
    """A patient of a FHIR record with all that was read of them, in the order of the record."""

    id: str
    source: str
    """File the patient stands in."""
    born: str = ""
    died: str = ""
    """Day of death, `?` if only the fact is known, "" if alive."""
    sex: str = ""
    encounters: list[str] = field(default_factory=list)
    conditions: list[Entry] = field(default_factory=list)
    medications: list[Entry] = field(default_factory=list)
    procedures: list[Entry] = field(default_factory=list)
    allergies: list[Entry] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    """Entries that do not say what they are: those of medications by what they point to."""
    unvalued: list[str] = field(default_factory=list)
    """Observations without a value that can be read."""
    not_ordered: list[str] = field(default_factory=list)
    """Medications that are proposed, planned or drafted, and those of unknown status."""
    passed_over: set[str] = field(default_factory=set)
    """Kinds of resources that are not read."""

    @property
    def last_day(self) -> str:
        """Day of the last encounter; without encounters that of the last entry."""
        entries = (*self.conditions, *self.medications, *self.procedures)
        return max(self.encounters or [*(e.start for e in entries), *(r.day for r in self.readings)], default="")


def read_patients(paths: Iterable[Path]) -> list[Patient]:
    """All patients of FHIR files and folders, by id. Resources of one patient may stand in several files."""
    resources = list(read_resources(paths))
    patients: dict[str, Patient] = {}
    medicines: dict[str, Coded] = {}
    for place, each in resources:
        if each["resourceType"] == "Patient":
            found = _patient(each, place)
            if found.id in patients:
                raise DataError(say("second_patient", place=place, id=found.id, first=patients[found.id].source))
            patients[found.id] = found
        elif each["resourceType"] == "Medication":
            medicines[str(each.get("id"))] = _coded(each.get("code"))
    for place, each in resources:
        kind = each["resourceType"]
        whose = patients.get(_reference(each.get("subject") or each.get("patient")))
        if whose is None:
            continue
        if kind not in _KINDS:
            whose.passed_over.add(kind)
            continue
        try:
            _KINDS[kind](whose, each, medicines)
        except (TypeError, AttributeError, ValueError):
            raise DataError(say("bad_resource", place=place, kind=kind, id=each.get("id", "?"))) from None
    for patient in patients.values():
        patient.readings = _with_pressures(patient.readings)
    if not patients:
        raise DataError(say("no_patients", files=", ".join(map(str, paths))))
    return sorted(patients.values(), key=lambda each: each.id)


def read_resources(paths: Iterable[Path]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All resources of files and folders, with their places."""
    for file in _files(paths):
        yield from _resources(file)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES)
            if not inside:
                raise DataError(say("empty_folder", folder=path, known=", ".join(SUFFIXES)))
            yield from inside
        else:
            yield path


def _resources(file: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The resources of a bundle, of a file with one, or of NDJSON, with their places."""
    try:
        refuse_endless(file)
        data = file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise DataError(say_common("cannot_read", place=file, problem=os_problem(error))) from None
    if file.suffix.lower() in (".ndjson", ".jsonl"):
        for number, line in enumerate(data.splitlines(), 1):
            if line.strip():
                yield f"{file}:{number}", _object(line, f"{file}:{number}")
        return
    whole = _object(data, str(file))
    if whole["resourceType"] != "Bundle":
        yield str(file), whole
        return
    for number, entry in enumerate(whole.get("entry") or ()):
        resource = entry.get("resource") if isinstance(entry, dict) else None
        if isinstance(resource, dict) and isinstance(resource.get("resourceType"), str):
            yield f"{file} (entry[{number}])", resource


def _object(data: bytes, place: str) -> Mapping[str, Any]:
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise DataError(say("not_json", place=place, line=error.lineno, column=error.colno)) from None
    if not isinstance(found, dict) or not isinstance(found.get("resourceType"), str):
        raise DataError(say("not_fhir", place=place))
    return found


def _patient(each: Mapping[str, Any], place: str) -> Patient:
    died = _day(each.get("deceasedDateTime")) or ("?" if each.get("deceasedBoolean") else "")
    sex = each.get("gender") if each.get("gender") in ("male", "female") else ""
    return Patient(str(each.get("id") or ""), place, _day(each.get("birthDate")), died, str(sex))


def _add_encounter(patient: Patient, each: Mapping[str, Any], _: Mapping[str, Coded]) -> None:
    if day := _day((each.get("period") or {}).get("start")):
        patient.encounters.append(day)


def _add_condition(patient: Patient, each: Mapping[str, Any], _: Mapping[str, Coded]) -> None:
    if _status(each.get("verificationStatus")) in WRONG:
        return
    start = _day(each.get("onsetDateTime") or (each.get("onsetPeriod") or {}).get("start") or each.get("recordedDate"))
    end = _day(each.get("abatementDateTime") or (each.get("abatementPeriod") or {}).get("end"))
    holds = _status(each.get("clinicalStatus")) not in GONE
    _add_entry(patient, patient.conditions, each, Entry(_coded(each.get("code")), start, end, holds, ref=_ref(each)))


def _add_medication(patient: Patient, each: Mapping[str, Any], medicines: Mapping[str, Coded]) -> None:
    status = str(each.get("status") or "")
    if status in WRONG or each.get("doNotPerform") is True:
        return
    what = _coded(each.get("medicationCodeableConcept"))
    if not what.name:
        named = _reference(each.get("medicationReference"))
        contained = {str(one.get("id")): _coded(one.get("code")) for one in each.get("contained") or ()}
        what = contained.get(named.removeprefix("#")) or medicines.get(named) or what
    if not what.name:
        pointed = _pointed(each.get("medicationReference"))
        patient.unnamed.append(f"MedicationRequest/{each.get('id') or '?'}" + (f" → {pointed}" if pointed else ""))
        return
    if NOT_ORDERED & {status, str(each.get("intent") or "")}:
        patient.not_ordered.append(what.name)
        return
    end = _day(((each.get("dispenseRequest") or {}).get("validityPeriod") or {}).get("end"))
    holds = status in ("active", "")  # what is on hold is not taken
    patient.medications.append(Entry(what, _day(each.get("authoredOn")), end, holds, dosage_of(each), _ref(each)))


def _add_procedure(patient: Patient, each: Mapping[str, Any], _: Mapping[str, Coded]) -> None:
    if str(each.get("status")) not in WRONG:
        day = _day(each.get("performedDateTime") or (each.get("performedPeriod") or {}).get("start"))
        _add_entry(patient, patient.procedures, each, Entry(_coded(each.get("code")), day, ref=_ref(each)))


def _add_allergy(patient: Patient, each: Mapping[str, Any], _: Mapping[str, Coded]) -> None:
    if _status(each.get("verificationStatus")) not in WRONG:
        day = _day(each.get("onsetDateTime") or each.get("recordedDate"))
        holds = _status(each.get("clinicalStatus")) not in GONE
        _add_entry(patient, patient.allergies, each, Entry(_coded(each.get("code")), day, "", holds, ref=_ref(each)))


def _add_entry(patient: Patient, entries: list[Entry], each: Mapping[str, Any], entry: Entry) -> None:
    """Add an entry; one that does not say what it is of is noted instead."""
    if entry.what.name:
        entries.append(entry)
    else:
        patient.unnamed.append(f"{each['resourceType']}/{each.get('id') or '?'}")


def _add_observation(patient: Patient, each: Mapping[str, Any], _: Mapping[str, Coded]) -> None:
    if str(each.get("status")) in WRONG:
        return
    when = each.get("effectiveDateTime") or (each.get("effectivePeriod") or {}).get("start") or each.get("issued")
    day, at = _day(when), _instant(when)
    given = each.get("category") or [{}]
    categories = [_coded(one).code for one in (given if isinstance(given, list) else [given])]
    category = next((code for code in categories if code in MEASURED), categories[0])
    valued = [(_coded(part.get("code")), _value(part)) for part in (each, *(each.get("component") or ()))]
    found = [(what, *value) for what, value in valued if value is not None]
    if not found:
        patient.unvalued.append(_coded(each.get("code")).name or f"Observation/{each.get('id') or '?'}")
    pressures = {what.code: (value, unit) for what, value, unit in found if what.code in _PRESSURES}
    (high, unit), (low, _unit) = (pressures.get(code, ("", "")) for code in _PRESSURES)
    if not isinstance(high, str) and not isinstance(low, str):
        found = [part for part in found if part[0].code not in _PRESSURES]
        patient.readings.append(
            Reading(_BLOOD_PRESSURE, day, high, unit, low, category or "vital-signs", _ref(each), at)
        )
    for what, value, unit in found:
        patient.readings.append(Reading(what, day, value, unit, None, category, _ref(each), at))


def _with_pressures(readings: list[Reading]) -> list[Reading]:
    """Readings with a blood pressure in place of a systolic and a diastolic value that were noted apart on one day.

    Several of a day are paired by their times, without times in the order of the record; one without a partner stays
    as it is.
    """
    made: list[Reading | None] = [*readings]
    waiting: dict[tuple[str, str], list[int]] = {}
    for at, each in sorted(enumerate(readings), key=lambda one: one[1].at):
        if each.what.code not in _PRESSURES or isinstance(each.value, str):
            continue
        other = next(code for code in _PRESSURES if code != each.what.code)
        if partners := waiting.get((each.day, other)):
            first = partners.pop(0)
            high, low = sorted((readings[first], each), key=lambda one: _PRESSURES.index(one.what.code))
            made[first] = Reading(
                _BLOOD_PRESSURE,
                each.day,
                high.value,
                high.unit,
                float(low.value),
                high.category or "vital-signs",
                high.ref,
                max(high.at, low.at),
            )
            made[at] = None
        else:
            waiting.setdefault((each.day, each.what.code), []).append(at)
    return [each for each in made if each is not None]


_PRESSURES: Final = ("8480-6", "8462-4")
"""LOINC codes of systolic and diastolic blood pressure."""
_BLOOD_PRESSURE: Final = Coded("Blood pressure", "85354-9", "http://loinc.org")

_KINDS: Final[dict[str, Callable[[Patient, Mapping[str, Any], Mapping[str, Coded]], None]]] = {
    "Encounter": _add_encounter,
    "Condition": _add_condition,
    "MedicationRequest": _add_medication,
    "Procedure": _add_procedure,
    "AllergyIntolerance": _add_allergy,
    "Observation": _add_observation,
}
KINDS_READ: Final = frozenset(("Patient", "Medication", *_KINDS))
"""Kinds of resources that scripts are made from."""


def _coded(concept: Any) -> Coded:
    """Text and first code of a CodeableConcept."""
    given = concept if isinstance(concept, Mapping) else {}
    first: Mapping[str, Any] = next((each for each in given.get("coding") or () if isinstance(each, Mapping)), {})
    name = given.get("text") or first.get("display") or first.get("code") or ""
    return Coded(str(name).strip(), str(first.get("code") or ""), str(first.get("system") or ""))


def _status(concept: Any) -> str:
    return _coded(concept).code if isinstance(concept, Mapping) else str(concept or "")


def _reference(given: Any) -> str:
    """The id that a reference points to: `Patient/7`, `urn:uuid:7` and an address end with it."""
    return _pointed(given).partition("/_history/")[0].rpartition("/")[2].removeprefix("urn:uuid:")


def _ref(each: Mapping[str, Any]) -> str:
    """What a reference to a resource says."""
    return f"{each['resourceType']}/{each['id']}" if each.get("id") else ""


def _pointed(given: Any) -> str:
    return str(given.get("reference") or "") if isinstance(given, Mapping) else ""


def _value(given: Mapping[str, Any]) -> tuple[float | str, str] | None:
    """Value and unit of an observation or a component; what is no plain number is a text. None if there is none."""
    quantity = given.get("valueQuantity")
    if isinstance(quantity, Mapping) and _is_number(quantity.get("value")):
        unit = str(quantity.get("unit") or quantity.get("code") or "")
        sign = str(quantity.get("comparator") or "")
        return (f"{sign}{quantity['value']}" if sign else quantity["value"]), unit
    if _is_number(given.get("valueInteger")):
        return given["valueInteger"], ""
    said = given.get("valueString") or given.get("valueDateTime") or given.get("valueTime")
    if isinstance(given.get("valueBoolean"), bool):
        said = str(given["valueBoolean"]).lower()
    for kind, (first, sign, second) in _PAIRS.items():
        if isinstance(pair := given.get(kind), Mapping):
            said = sign.join(_amount(pair.get(end)) for end in (first, second)).strip(" –")
    text = _coded(given.get("valueCodeableConcept")).name or str(said or "")
    return (text, "") if text else None


_PAIRS: Final = {"valueRange": ("low", " – ", "high"), "valueRatio": ("numerator", ":", "denominator")}
"""Values of two quantities, and what stands between them."""


def dosage_of(each: Mapping[str, Any]) -> str:
    """How much of a medication is taken and how often: the text of each instruction, else what its fields say."""
    given = each.get("dosageInstruction") or ()
    told = [_instruction(one) for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    return "; ".join(dict.fromkeys(filter(None, told)))


def _instruction(given: Mapping[str, Any]) -> str:
    if said := given.get("text") or given.get("patientInstruction"):
        return str(said).strip()
    rates = [one for one in given.get("doseAndRate") or () if isinstance(one, Mapping)]
    doses = [_amount(one.get("doseQuantity")) for one in rates]
    timing = given.get("timing")
    repeat = timing.get("repeat") if isinstance(timing, Mapping) else None
    often = ""
    if isinstance(repeat, Mapping) and repeat.get("period"):
        span = f"{repeat['period']:g}" if _is_number(repeat["period"]) else str(repeat["period"])
        often = f"{repeat.get('frequency', 1)}x/{'' if span == '1' else span}{repeat.get('periodUnit') or ''}"
    needed = "as needed" if given.get("asNeededBoolean") is True or given.get("asNeededCodeableConcept") else ""
    return ", ".join(filter(None, (*doses, often, needed)))


def _amount(quantity: Any) -> str:
    """A quantity as it is written: `500 mg`."""
    if not isinstance(quantity, Mapping) or not _is_number(quantity.get("value")):
        return ""
    return f"{quantity['value']:g} {quantity.get('unit') or quantity.get('code') or ''}".rstrip()


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _day(given: Any) -> str:
    """The day of a date or time; a year or month alone is its first day."""
    text = str(given or "")[:10]
    try:
        return date.fromisoformat(f"{text}-01-01"[:10] if len(text) == len("2020") else f"{text}-01"[:10]).isoformat()
    except ValueError:
        return ""


def _instant(given: Any) -> str:
    """A time as UTC, which sorts as it passes; "" for a day alone. A time without a zone is taken as UTC."""
    text = str(given or "")
    try:
        when = datetime.fromisoformat(text) if "T" in text else None
        return (
            when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC).isoformat(timespec="microseconds") if when else ""
        )
    except (ValueError, OverflowError):
        return ""
