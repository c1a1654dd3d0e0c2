"""Scripts: words chosen by patient, turn and seed; no empty blanks; turns 3 and 4 name nothing of the patient."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import UsageError
from jatdae.core.messages import LANGUAGES
from jatdae.dialogue.events import check_line
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.experiments.fhir import Coded, Entry, Patient, Reading, read_patients
from jatdae.experiments.scripts import SILENT, TURNS, fill, load_phrases, make_script, named_context
from jatdae.experiments.slots import load_tables, make_chart

from .conftest import record

EXTRACTOR, TABLES, PHRASES = load_extractor(), load_tables(), load_phrases()
GOLDEN = Path(__file__).parent / "script.json"


def script_of(patient: Patient, day: str, language: str = "en", seed: int = 0) -> dict[str, Any]:
    chart = make_chart(patient, day, EXTRACTOR, TABLES)
    return make_script(chart, PHRASES, TABLES, EXTRACTOR, language=language, seed=seed)


def test_the_script_of_a_patient_of_our_own_is_as_it_was_written_down(written: Any) -> None:
    (woman,) = read_patients([written("b.json", *record())])
    made = {language: script_of(woman, woman.last_day, language) for language in LANGUAGES}
    assert made == json.loads(GOLDEN.read_text("utf-8"))
    for script in made.values():
        assert check_line(json.dumps(script).encode()) == []


def test_another_seed_or_patient_asks_in_other_words() -> None:
    def questions(id: str, seed: int) -> list[str]:
        someone = Patient(id, "", "1960-01-01", "", "male", conditions=[Entry(Coded("Gout"), "2020-01-01")])
        return [turn["question"]["text"] for turn in script_of(someone, "2021-01-01", seed=seed)["turns"]]

    assert questions("a", 0) == questions("a", 0)
    assert len({tuple(questions(id, seed)) for id in "abc" for seed in range(3)}) == 9


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_at_least_twelve_paraphrases_for_a_full_record(language: str) -> None:
    for turn, phrases in getattr(PHRASES, language).items():
        most = max(phrase.count("{") for phrase in phrases)
        assert sum(phrase.count("{") == most for phrase in phrases) >= 12, (language, turn)
        assert len(set(phrases)) == len(phrases)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("known", list(itertools.product([True, False], repeat=4)))
def test_whatever_a_record_lacks_no_question_has_an_empty_blank(language: str, known: tuple[bool, ...]) -> None:
    sex, condition, drug, lab = known
    someone = Patient(
        "p", "", "1960-01-01", "", "female" if sex else "",
        conditions=[Entry(Coded("Hypertension"), "2020-01-01")] if condition else [],
        medications=[Entry(Coded("Amlodipine 5 MG"), "2020-01-01")] if drug else [],
        readings=[Reading(Coded("Potassium", "6298-4"), "2020-01-01", 4.2, "mmol/L")] if lab else [],
    )  # fmt: skip
    for seed in range(12):
        first, second, *_ = [
            turn["question"]["text"] for turn in script_of(someone, "2021-01-01", language, seed)["turns"]
        ]
        assert not set("{}") & set(first + second)
        assert "  " not in first + second
        assert ("4.2 mmol/L" in second) == lab
        assert (("amlodipine" if language == "en" else "암로디핀") in second) == drug
        assert (("hypertension" if language == "en" else "고혈압") in first) == condition


def test_no_paraphrase_of_a_silent_turn_names_anything_of_any_patient() -> None:
    everything = {
        "age": 60, "sex": "male", "primary_condition": "Hypertension", "active_meds": ["metformin"],
        "comorbidities": [c.name for c in EXTRACTOR.lexicon.concepts.values() if c.category == "condition"],
        "labs": {"potassium": 4, "hba1c": 7, "ldl": 90}, "vitals": {"blood_pressure": "120/80", "weight": 80},
    }  # fmt: skip
    for language, turn in itertools.product(LANGUAGES, SILENT):
        for phrase in getattr(PHRASES, language)[turn]:
            assert named_context(phrase, everything, EXTRACTOR) == [], phrase
    assert named_context("I'm 60 and have hypertension; may I run?", everything, EXTRACTOR) != []
    assert named_context("고혈압인데 무슨 운동을 할까요?", everything, EXTRACTOR) == ["고혈압"]


def test_korean_particles_fit_the_word_before_them() -> None:
    filled = [
        fill(["{drugs}을(를) 먹습니다"], {"drugs": drug}, "", "ko") for drug in ("와파린", "메트포르민, 아모디아")
    ]
    assert filled == ["와파린을 먹습니다", "메트포르민, 아모디아를 먹습니다"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda given: given["en"].pop("3"), r"turn 3 are missing"),
        (lambda given: given["en"]["3"].append("At {age}, what now?"), r"take out \{age\}"),
        (lambda given: given["ko"]["2"].append("{drug}"), "drugs"),
        (lambda given: given["ko"].update({"6": ["?"]}), "6"),
        (lambda given: given["en"].update({"2": ["I take {drugs}."]}), "without blanks"),
        (lambda given: given.update(de={}), "de"),
    ],
)
def test_paraphrases_of_ones_own_are_checked(tmp_path: Path, change: Any, said: str) -> None:
    given = {language: {turn: list(getattr(PHRASES, language)[turn]) for turn in TURNS} for language in LANGUAGES}
    change(given)
    (tmp_path / "phrases.json").write_text(json.dumps(given))
    with pytest.raises(UsageError, match=said):
        load_phrases(tmp_path / "phrases.json")


def first_questions(patient: Patient, language: str) -> list[str]:
    return [script_of(patient, "2021-01-01", language, seed)["turns"][0]["question"]["text"] for seed in range(40)]


def test_a_patient_is_pregnant_and_does_not_have_pregnancy() -> None:
    someone = Patient("p", "", "1990-01-01", "", "female", conditions=[Entry(Coded("Normal pregnancy"), "2020-10-01")])
    for question in first_questions(someone, "en"):
        assert "pregnant" in question
        assert "pregnancy" not in question
        assert "woman" in question
    assert all("임신 중" in question and "임신 중이 있" not in question for question in first_questions(someone, "ko"))


@pytest.mark.parametrize("sex", ["male", "female"])
def test_a_sex_is_said_with_its_article_and_an_age_with_its_own(sex: str) -> None:
    for name, born in (("Gout", "1941-01-01"), ("Zymurgic thumb", "1941-01-01"), ("", "1941-01-01")):
        had = [Entry(Coded(name), "2020-01-01")] if name else []
        for question in first_questions(Patient("p", "", born, "", sex, conditions=had), "en"):
            assert re.search(r"\b(a|an 80-year-old) (wo)?man\b|^80-year-old|Please advise: (wo)?man,", question), (
                question
            )
            assert "a 80" not in question
            assert "and man" not in question


def test_whole_numbers_are_said_whole() -> None:
    readings = [
        Reading(Coded("eGFR", "33914-3", "http://loinc.org"), "2020-01-01", 61.0, "mL/min"),
        Reading(Coded("Potassium", "6298-4", "http://loinc.org"), "2020-01-01", 4.25, "mmol/L"),
    ]
    someone = Patient("p", "", "1960-01-01", readings=readings)
    second = script_of(someone, "2021-01-01")["turns"][1]["question"]["text"]
    assert "eGFR 61 mL/min" in second
    assert "potassium 4.2 mmol/L" in second
