"""Scripts of conversations: five turns for each patient, asked in words that are chosen by patient, turn and seed.

1  demographics, condition and symptom      3  exercise, naming nothing of the patient
2  medication and measurements              4  diet, naming nothing of the patient
                                            5  a plan out of everything
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jatdae.core.configfile import ConfigFile, Part, Text, read_config
from jatdae.core.messages import LANGUAGES, speaker, with_particles
from jatdae.dialogue.reading.concepts import Concept
from jatdae.dialogue.reading.mentions import Extractor
from jatdae.dialogue.reading.truth import Truth, read_truth
from jatdae.experiments.fhir import Reading
from jatdae.experiments.slots import Chart, PatientTables

PHRASES: Final = Path(__file__).parent / "phrases.yaml"
TURNS: Final = ("1", "2", "3", "4", "5")
SILENT: Final = ("3", "4")
"""Turns that name nothing of the patient."""
FORMAT: Final = "scripts_record.v1"
_BLANK: Final = re.compile(r"\{(\w+)\}")
_BLANKS: Final = (
    "age",
    "sex",
    "condition",
    "state",
    "symptom",
    "drugs",
    "values",
    "no_condition",
    "no_drugs",
    "no_values",
)
_MOST_VALUES: Final = 2
_HANGUL: Final = re.compile("[가-힣]")
_SEXES: Final = {"en": {"female": "woman", "male": "man"}, "ko": {"female": "여성", "male": "남성"}}
_UNITS: Final = re.compile(r"[{}]")
_ARTICLE: Final = re.compile(r"\b([Aa]) (?=(?:8\d?|11|18)-year)")
"""An article before a number that begins with a vowel: an 80-year-old."""
_WHOLE: Final = 100
"""Values from here on are told without decimals."""

say = speaker(__name__)


class PhraseFile(Part):
    """Paraphrases of what patients ask, by language and turn."""

    en: dict[Text, tuple[Text, ...]]
    """English paraphrases, by turn."""
    ko: dict[Text, tuple[Text, ...]]
    """Korean paraphrases, by turn."""


def load_phrases(file: Path | None = None) -> PhraseFile:
    """Paraphrases of a file, checked; by default of the one that comes with jatdae."""
    return _bundled() if file is None else _checked(read_config(file, PhraseFile, _with_text_keys))


@cache
def _bundled() -> PhraseFile:
    return _checked(read_config(PHRASES, PhraseFile, _with_text_keys))


def _with_text_keys(given: Any) -> Any:
    """Numbers of turns as text, which YAML reads as numbers."""
    if not isinstance(given, Mapping):
        return given
    return {
        language: {str(turn): each for turn, each in turns.items()} if isinstance(turns, Mapping) else turns
        for language, turns in given.items()
    }


def _checked(read: ConfigFile[PhraseFile]) -> PhraseFile:
    for language in LANGUAGES:
        turns = getattr(read.content, language)
        for turn in TURNS:
            if turn not in turns:
                read.complain((language,), say("no_turn", turn=turn))
        for turn, phrases in turns.items():
            read.one_of((language, turn), turn, TURNS)
            for number, phrase in enumerate(phrases):
                for blank in _BLANK.findall(phrase):
                    if read.one_of((language, turn, number), blank, _BLANKS) and turn in SILENT:
                        read.complain((language, turn, number), say("blank_in_silent_turn", turn=turn, blank=blank))
            if turn in TURNS and not any(set(_BLANK.findall(phrase)) <= {"age"} for phrase in phrases) and turn != "1":
                read.complain((language, turn), say("no_plain_phrase", turn=turn))
    read.finish()
    return read.content


def make_script(
    chart: Chart, phrases: PhraseFile, tables: PatientTables, extractor: Extractor, *, language: str, seed: int
) -> dict[str, Any]:
    """The script of a conversation with a patient: the truth as slots, and five questions (scripts_record.v1)."""
    patient = chart.patient
    symptom = _symptom(chart, tables, extractor, seed)
    slots = {**chart.slots}
    if symptom:
        slots["chief_symptom"] = {"name": symptom.name, "synthetic": True}
    blanks = _blanks(chart, symptom, tables, extractor, language)
    turns = [
        {
            "turn_id": int(turn),
            "question": {
                "question_id": f"{patient.id}:{turn}",
                "text": fill(getattr(phrases, language)[turn], blanks, f"{patient.id}:{turn}:{seed}", language),
            },
            **({"must_omit": list(MUST_OMIT)} if turn in SILENT else {}),
        }
        for turn in TURNS
    ]
    return {
        "schema_version": FORMAT,
        "patient_id": patient.id,
        "lang": language,
        "seed": seed,
        "index_date": chart.day,
        "slots": {name: value for name, value in slots.items() if value is not None},
        "turns": turns,
        "lacks": chart.lacks,
        "unresolved": chart.unresolved,
        "not_used": chart.aside,
    }


MUST_OMIT: Final = ("age", "sex", "conditions", "medications", "measurements")


def named_context(question: str, slots: Mapping[str, Any], extractor: Extractor) -> list[str]:
    """What a question names of a patient that turns on exercise and diet must leave out."""
    truth = read_truth(slots, extractor)
    if truth is None:
        return []
    mentions = extractor.read(question).mentions
    return [each.text for each in mentions if each.concept.category in ("age", "sex") or _is_known(each.concept, truth)]


def _is_known(concept: Concept, truth: Truth) -> bool:
    """Whether a concept is one of the patient's, or a kind of it."""
    return concept.id in truth.above or concept.id in truth.by_id


def fill(phrases: Iterable[str], blanks: Mapping[str, str], key: str, language: str) -> str:
    """One paraphrase with its blanks filled, chosen by a hash of `key` among those that say the most."""
    fitting = [phrase for phrase in phrases if all(blank in blanks for blank in _BLANK.findall(phrase))]
    most = max(len(_BLANK.findall(phrase)) for phrase in fitting)
    fullest = [phrase for phrase in fitting if len(_BLANK.findall(phrase)) == most]
    text = _BLANK.sub(lambda blank: blanks[blank[1]], fullest[pick(key, len(fullest))])
    return with_particles(text) if language == "ko" else _ARTICLE.sub(r"\1n ", text)


def pick(key: str, choices: int) -> int:
    """A number below `choices` that depends on the key alone."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % choices


def _symptom(chart: Chart, tables: PatientTables, extractor: Extractor, seed: int) -> Concept | None:
    above = chart.primary.above if chart.primary else frozenset()
    fitting = [keys for key, keys in tables.symptoms.items() if f"condition:{key}" in above]
    keys = fitting[0] if fitting else tables.symptoms.get("other", ())
    if not keys:
        return None
    return extractor.lexicon.by_key(keys[pick(f"{chart.patient.id}:symptom:{seed}", len(keys))], ("symptom",))


def _blanks(
    chart: Chart, symptom: Concept | None, tables: PatientTables, extractor: Extractor, language: str
) -> dict[str, str]:
    """What the blanks of paraphrases are filled with; what the record lacks is not there."""
    drugs = [spoken(each, extractor, language) for each in chart.drugs]
    values = _values(chart, tables, extractor, language)
    state = tables.states.get(chart.primary.key, {}).get(language, "") if chart.primary else ""
    found = {
        "age": str(chart.slots["age"]),
        "sex": _SEXES[language].get(chart.patient.sex, ""),
        "condition": spoken(chart.primary, extractor, language) if chart.primary and not state else "",
        "state": state,
        "symptom": spoken(symptom, extractor, language) if symptom else "",
        "drugs": _joined(drugs, language),
        "values": ", ".join(values),
    }
    given = {name: text for name, text in found.items() if text}
    nothing = {
        "no_condition": chart.slots.get("primary_condition"),
        "no_drugs": chart.slots["active_meds"],
        "no_values": values,
    }
    return given | {name: "" for name, known in nothing.items() if not known}


def _values(chart: Chart, tables: PatientTables, extractor: Extractor, language: str) -> list[str]:
    """Two telling values and the blood pressure, as a patient would write them."""
    keys = [key for key in tables.told if key in chart.measures][:_MOST_VALUES]
    keys += ["blood_pressure"] if "blood_pressure" in chart.measures else []
    concepts = {key: extractor.lexicon.by_key(key) for key in keys}
    return [
        f"{spoken(concept, extractor, language)} {_number(chart.measures[key])}"
        for key, concept in concepts.items()
        if concept
    ]


def _number(reading: Reading) -> str:
    unit = _UNITS.sub("", reading.unit).replace("mm[Hg]", "mmHg").replace("1.73_m2", "1.73 m2")
    numbers = "/".join(_rounded(float(each)) for each in (reading.value, reading.second) if each is not None)
    if reading.second is not None:
        numbers = "/".join(f"{float(each):.0f}" for each in (reading.value, reading.second) if each is not None)
    return f"{numbers}{'' if unit == '%' else ' '}{unit}".rstrip()


def _rounded(number: float) -> str:
    return f"{number:.0f}" if number >= _WHOLE else f"{number:.1f}".removesuffix(".0")


def spoken(concept: Concept, extractor: Extractor, language: str) -> str:
    """The name of a concept as a patient would say it: in Korean the first one in Hangul, if there is any."""
    if language == "ko":
        for surface in extractor.lexicon.surfaces:
            if surface.concept is concept and not surface.also and _HANGUL.search(surface.text):
                return surface.text
    return _ENGLISH.get(concept.key, concept.name)


_ENGLISH: Final = {
    "hba1c": "HbA1c", "egfr": "eGFR", "ldl": "LDL cholesterol", "bmi": "BMI", "hemoglobin": "hemoglobin",
    "copd": "COPD", "dyspnoea": "shortness of breath", "oedema": "swelling",
}  # fmt: skip
"""Names that people write otherwise than the lexicon's keys."""


def _joined(names: list[str], language: str) -> str:
    if language == "ko" or len(names) < 2:
        return ", ".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
