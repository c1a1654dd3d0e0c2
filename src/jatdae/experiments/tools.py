"""Tools of the agent: looking things up in the patient's FHIR record, and in a list of interactions.

They see the record and `interactions.yaml`, nothing else: neither the truth of the script nor the rules that score.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jatdae.core.configfile import Part, Text, read_config
from jatdae.dialogue.reading.concepts import MEASURED
from jatdae.dialogue.reading.mentions import Extractor, load_extractor
from jatdae.experiments.fhir import Coded, Entry, Patient, Reading
from jatdae.experiments.slots import measured_concept
from jatdae.experiments.targets import whole_characters

MOST_FOUND: Final = 30
"""Entries that one search gives at most, and past ones of a kind in the text of a record."""
KINDS: Final = ("condition", "medication", "procedure", "allergy", "observation")


class Interaction(Part):
    """An interaction of two drugs or classes, by keys of the lexicon."""

    pair: tuple[Text, Text]
    """The two drugs or classes."""
    effect: Text
    """What happens, in a few words."""


@cache
def load_interactions(file: Path = Path(__file__).parent / "interactions.yaml") -> tuple[Interaction, ...]:
    """Interactions that the agent can look up."""
    return tuple(read_config(file, list[Interaction]).content)


class RecordTools:
    """Tools over the record of one patient as it was known on a day."""

    def __init__(self, patient: Patient, day: str) -> None:
        self._entries = {
            "condition": _until(patient.conditions, day),
            "medication": _until(patient.medications, day),
            "procedure": _until(patient.procedures, day),
            "allergy": _until(patient.allergies, day),
        }
        readings = [each for each in patient.readings if each.day <= day]
        self._readings = sorted(readings, key=lambda each: each.order, reverse=True)
        self._day = day
        self._about = {"birth_date": patient.born, "sex": patient.sex, "today": day}

    def call(self, name: str, arguments: str) -> str:
        """What a tool answers to a model, as JSON; a call that does not fit is answered with what is wrong."""
        known: dict[str, Callable[..., Any]] = {
            "patient": self.patient,
            "search": self.search,
            "read_resource": self.read_resource,
            "latest_observation": self.latest_observation,
            "medications": self.medications,
            "interactions": self.interactions,
        }
        try:
            given = json.loads(arguments or "{}")
            found = known[name](**given) if isinstance(given, dict) else {"error": "arguments must be an object"}
        except KeyError:
            found = {"error": f"no tool {name!r}; there are: {', '.join(known)}"}
        except (TypeError, ValueError) as error:
            found = {"error": f"{name}: {error}"}
        return whole_characters(json.dumps(found, ensure_ascii=False))

    def patient(self) -> dict[str, str]:
        """Date of birth, sex, and today's date."""
        return self._about

    def search(self, kind: str, text: str = "") -> Any:
        """Entries of a kind whose name has a text in it or means the same: active ones first, then the latest."""
        if kind == "observation":
            meant = self._meant(str(text))
            found = [_reading(each) for each in self._readings if each.what in meant or _in(text, each.what)]
        elif kind in self._entries:
            found = [self._entry(each) for each in self._sorted(kind) if _in(text, each.what)]
        else:
            raise ValueError(f"kind is one of {', '.join(KINDS)}")
        more = len(found) - MOST_FOUND
        left = [{"left_out": more, "hint": "more entries match; search with a text"}] if more > 0 else []
        return found[:MOST_FOUND] + left

    def read_resource(self, id: str) -> Any:
        """All that was known on the day of a resource, with its code; several values where it has components."""
        entries = [each for entries in self._entries.values() for each in entries if each.ref == id]
        readings = [each for each in self._readings if each.ref == id]
        found = [self._entry(each) | _code(each.what) for each in entries]
        found += [_reading(each) | _code(each.what) for each in readings]
        if not found or not id:
            raise ValueError("no such resource; ids are those that search gives")
        return found

    def latest_observation(self, name: str) -> Any:
        """The latest value of a measurement: of the one that is meant, else of one with the text in its name."""
        meant = self._meant(str(name)) or {each.what for each in self._readings if _in(name, each.what)}
        return next((_reading(each) for each in self._readings if each.what in meant), None)

    def medications(self) -> Any:
        """Medications that are active."""
        return [self._entry(each) for each in self._entries["medication"] if each.holds_on(self._day)]

    def interactions(self, drugs: list[str]) -> Any:
        """Known interactions among some drugs."""
        extractor = load_extractor()
        above = {str(drug): _above(str(drug), extractor) for drug in drugs}
        return [
            {"drugs": [one, other], "effect": each.effect}
            for each in load_interactions()
            for one in above
            for other in above
            if one != other and each.pair[0] in above[one] and each.pair[1] in above[other]
        ]

    def as_text(self) -> str:
        """The record as text, for a prompt: every active entry, the latest past ones, the latest of each measurement.

        A past entry stands once for each name. What is left out is said.
        """
        lines = [f"{key}: {value}" for key, value in self._about.items() if value]
        for kind in self._entries:
            lines += self._lines(kind)
        latest = {each.what.name: each for each in reversed(self._readings)}
        for each in map(_reading, latest.values()):
            lines.append(f"observation: {each['name']} {each['value']} {each['unit']} ({each['date']})")
        return "\n".join(lines)

    def _lines(self, kind: str) -> list[str]:
        """Entries of a kind as lines; a procedure is past, whatever its status."""
        lines: list[str] = []
        past: dict[str, list[Entry]] = {}
        for each in self._sorted(kind):
            if kind != "procedure" and each.holds_on(self._day):
                lines.append(_line(kind, self._entry(each)))
            else:
                past.setdefault(each.what.name, []).append(each)
        for same in list(past.values())[:MOST_FOUND]:
            times = f", and {len(same) - 1} earlier" if len(same) > 1 else ""
            lines.append(_line(kind, self._entry(same[0])) + times)
        more = len(past) - MOST_FOUND
        return [*lines, f"{kind}: {more} older past names are left out"] if more > 0 else lines

    def _sorted(self, kind: str) -> list[Entry]:
        """Entries of a kind: those that hold first, then the latest."""
        return sorted(self._entries[kind], key=lambda each: (each.holds_on(self._day), each.start), reverse=True)

    def _meant(self, text: str) -> set[Coded]:
        """Measurements of the record that a name of the lexicon means, whatever the record calls them."""
        extractor = load_extractor()
        asked = {concept.key for concept, *_ in extractor.concepts(text) if concept.category in MEASURED}
        if not asked:
            return set()
        named = {what: measured_concept(what, extractor) for what in {each.what for each in self._readings}}
        return {what for what, concept in named.items() if concept and concept.key in asked}

    def _entry(self, each: Entry) -> dict[str, Any]:
        """An entry as it was known on the day."""
        end = each.end if each.end <= self._day else ""
        found: dict[str, Any] = {"id": each.ref, "name": each.what.name, "start": each.start, "end": end}
        found |= {"dosage": each.dosage, "active": each.holds_on(self._day)}
        return {key: value for key, value in found.items() if value != ""}


def _above(text: str, extractor: Extractor) -> set[str]:
    """Keys of the drugs and classes in a text, and of all broader ones."""
    concepts = [each for each, *_ in extractor.concepts(text) if each.category in ("drug", "drug_class")]
    return {above.partition(":")[2] for concept in concepts for above in concept.above}


def _in(text: object, what: Coded) -> bool:
    return str(text).lower() in what.name.lower()


def _line(kind: str, each: Mapping[str, Any]) -> str:
    return f"{kind}: {each['name']} ({each.get('start', '?')}{_told(each)})"


def _until(entries: Iterable[Entry], day: str) -> list[Entry]:
    return [entry for entry in entries if entry.start <= day]


def _reading(each: Reading) -> dict[str, Any]:
    value = each.value if each.second is None else f"{each.value}/{each.second}"
    told = {"name": each.what.name, "value": value, "unit": each.unit, "date": each.day}
    return {"id": each.ref, **told} if each.ref else told


def _code(what: Coded) -> dict[str, str]:
    return {key: value for key, value in (("code", what.code), ("system", what.system)) if value}


def _told(each: Mapping[str, Any]) -> str:
    """What else the text of a record tells of an entry: its end, and how it is taken."""
    state = f" – {each['end']}" if each.get("end") else "" if each["active"] else ", not active"
    return state + (f"; {each['dosage']}" if each.get("dosage") else "")


def _tool(named: str, about: str, /, **arguments: dict[str, Any]) -> dict[str, Any]:
    needed = [key for key, value in arguments.items() if "default" not in value]
    schema = {"type": "object", "properties": arguments, "required": needed}
    return {"type": "function", "function": {"name": named, "description": about, "parameters": schema}}


TOOLS: Final = (
    _tool("patient", "Date of birth and sex of the patient, and today's date."),
    _tool(
        "search",
        "Entries of the patient's record: active ones first, then the latest.",
        kind={"type": "string", "enum": list(KINDS)},
        text={"type": "string", "description": "part of the name, or another name of a measurement", "default": ""},
    ),
    _tool("read_resource", "One resource of the record, with its code.", id={"type": "string"}),
    _tool("latest_observation", "Latest value of a measurement.", name={"type": "string"}),
    _tool("medications", "Medications that are active."),
    _tool(
        "interactions",
        "Known interactions among drugs.",
        drugs={"type": "array", "items": {"type": "string"}},
    ),
)
"""Descriptions of the tools as the chat protocol has them."""
