"""The truth about a patient on a day: what held then, what had ended, and the order of primary conditions."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.reading.truth import read_truth
from jatdae.experiments.fhir import Coded, Entry, Patient, Reading, read_patients
from jatdae.experiments.slots import Chart, age_on, choose, load_tables, make_chart, measured_concept

from .conftest import coded, medication, observation, record

EXTRACTOR, TABLES = load_extractor(), load_tables()


def chart_of(patient: Patient, day: str) -> Chart:
    return make_chart(patient, day, EXTRACTOR, TABLES)


@pytest.fixture
def woman(written) -> Patient:  # type: ignore[no-untyped-def]
    return read_patients([written("b.json", *record())])[0]


def names(slot: object) -> list[str]:
    assert isinstance(slot, list)
    return [each["name"] for each in slot]


def test_slots_on_the_last_day(woman: Patient) -> None:
    chart = chart_of(woman, woman.last_day)
    slots = chart.slots
    assert (slots["age"], slots["sex"], slots["smoking"]) == (67, "female", "Former smoker")
    assert slots["primary_condition"]["name"] == "Diabetes mellitus type 2 (disorder)"
    assert names(slots["comorbidities"]) == ["Hypertension"]
    assert names(slots["past_conditions"]) == ["Pneumonia"]
    assert names(slots["active_meds"]) == [
        "24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet", "Amlodipine 5 MG Oral Tablet",
    ]  # fmt: skip
    assert names(slots["past_meds"]) == ["Enalapril 10 MG Oral Tablet"]
    assert [each["value"] for each in slots["labs"]["hba1c"]] == [7.16, 8.4]
    assert slots["vitals"]["blood_pressure"] == [
        {"systolic": 148.4, "diastolic": 91.6, "unit": "mm[Hg]", "date": "2026-02-10"}
    ]
    assert names(slots["major_procedures"]) == ["Colonoscopy"]
    assert names(slots["allergies"]) == ["Penicillin"]
    assert [concept.key for concept in chart.drugs] == ["metformin", "amlodipine"]
    assert (chart.unresolved, chart.lacks) == ([], [])


def test_an_earlier_day_knows_nothing_of_what_came_later(woman: Patient) -> None:
    slots = chart_of(woman, "2020-12-15").slots
    assert slots["age"] == 62
    assert names(slots["comorbidities"]) == ["Hypertension", "Pneumonia"]
    assert (slots["labs"], slots["vitals"], slots["major_procedures"]) == ({}, {}, [])
    assert names(slots["active_meds"]) == ["24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet"]


def test_dialogue_reads_the_slots(woman: Patient) -> None:
    truth = read_truth(chart_of(woman, woman.last_day).slots, EXTRACTOR)
    assert truth is not None
    assert (truth.unknown, truth.unread) == ((), ())
    assert {"drug:metformin", "drug:amlodipine", "condition:type_2_diabetes"} <= truth.exact
    assert {"condition:pneumonia", "drug:enalapril"} <= truth.once.keys()
    assert not {"condition:pneumonia", "drug:enalapril"} & truth.above
    assert truth.by_id["measure:hba1c"].older == ((8.4, "%"),)


def test_age_counts_completed_years() -> None:
    born = Patient("p", "", "1960-02-29")
    assert [age_on(born, day) for day in ("2025-02-28", "2025-03-01", "1960-02-29")] == [64, 65, 0]


def test_the_first_of_the_table_is_primary_and_unknown_ones_come_last() -> None:
    named = ["Zymurgic thumb", "Prediabetes", "Hypertension"]
    someone = Patient("p", "", "1960-01-01", conditions=[Entry(Coded(name), "2020-01-01") for name in named])
    chart = chart_of(someone, "2021-01-01")
    assert chart.slots["primary_condition"]["name"] == "Hypertension"
    assert chart.unresolved == ["Zymurgic thumb"]
    someone.conditions = [Entry(Coded("Zymurgic thumb"), "2019-01-01"), Entry(Coded("Blue elbow"), "2020-01-01")]
    assert chart_of(someone, "2021-01-01").slots["primary_condition"]["name"] == "Blue elbow"


def test_a_measurement_is_known_by_its_code_or_by_its_whole_name() -> None:
    loinc = "http://loinc.org"
    assert measured_concept(Coded("anything", "4548-4", loinc), EXTRACTOR) is EXTRACTOR.lexicon.by_key("hba1c")
    assert measured_concept(Coded("Potassium [Moles/volume] in Blood", "0-0", loinc), EXTRACTOR) is not None
    assert measured_concept(Coded("Hemoglobin.gastrointestinal in Stool", "57905-2", loinc), EXTRACTOR) is None


def test_who_is_left_out_and_why() -> None:
    people = [
        Patient("adult", "", "1960-01-01", encounters=["2020-01-01"]),
        Patient("child", "", "2010-01-01", encounters=["2020-01-01"]),
        Patient("dead", "", "1960-01-01", "2020-01-02", encounters=["2020-01-01"]),
        Patient("nobody", ""),
        Patient("undated", "", "1960-01-01"),
        Patient("unborn", "", "2030-01-01"),
    ]
    found = {p.id: why for p, _, why in choose(people, "", dead=False, children=False)}
    assert found == {
        "adult": "", "child": "child", "dead": "dead", "nobody": "no_birth", "undated": "no_day", "unborn": "no_day",
    }  # fmt: skip
    then = {p.id: why for p, _, why in choose(people, "2019-01-01", dead=False, children=True)}
    assert (then["dead"], then["child"], then["unborn"]) == ("", "", "unborn")


def test_the_bundled_tables_name_only_what_the_lexicon_knows() -> None:
    by_category: dict[str, set[str]] = {}
    for concept in EXTRACTOR.lexicon.concepts.values():
        by_category.setdefault(concept.category, set()).add(concept.key)
    assert {*TABLES.primary, *TABLES.symptoms} - {"other"} <= by_category["condition"]
    assert {key for keys in TABLES.symptoms.values() for key in keys} <= by_category["symptom"]
    assert {*TABLES.told} <= by_category["lab"] | by_category["vital"]


def test_a_reading_without_a_concept_keeps_its_name() -> None:
    odd = Reading(Coded("Moon phase index"), "2020-01-01", 3.0, "u", None, "laboratory")
    someone = Patient("p", "", "1960-01-01", readings=[odd])
    chart = chart_of(someone, "2021-01-01")
    assert chart.slots["labs"] == {"Moon phase index": [{"value": 3.0, "unit": "u", "date": "2020-01-01"}]}
    assert chart.unresolved == ["Moon phase index"]


def test_every_episode_of_the_past_keeps_its_dates() -> None:
    cold, pill = Coded("Viral sinusitis"), Coded("Naproxen 220 MG")
    someone = Patient(
        "p", "", "1960-01-01",
        conditions=[Entry(cold, "2020-03-01", "2020-03-20", False), Entry(cold, "2012-01-01", "2012-01-20", False)],
        medications=[
            Entry(pill, "2006-01-01", "", False), Entry(pill, "1997-01-01", "", False), Entry(pill, "2015-01-01"),
        ],
    )  # fmt: skip
    slots = chart_of(someone, "2021-01-01").slots
    assert [each["start"] for each in slots["past_conditions"]] == ["2012-01-01", "2020-03-01"]
    assert [each["start"] for each in slots["past_meds"]] == ["1997-01-01", "2006-01-01"]
    assert [each["start"] for each in slots["active_meds"]] == ["2015-01-01"]
    again = Patient("p", "", "1960-01-01", conditions=[Entry(cold, "2020-12-30"), *someone.conditions])
    slots = chart_of(again, "2021-01-01").slots
    assert (slots["primary_condition"]["start"], len(slots["past_conditions"])) == ("2020-12-30", 2)


def test_a_request_without_its_medication_is_unresolved() -> None:
    someone = Patient("p", "", "1960-01-01", unnamed=["MedicationRequest/r1 → Medication/gone"])
    assert chart_of(someone, "2021-01-01").unresolved == ["MedicationRequest/r1 → Medication/gone"]


def test_several_orders_of_a_drug_are_one_with_all_their_days_and_dosages() -> None:
    pill, other = Coded("Metformin 500 MG"), Coded("Metformin 850 MG")
    orders = [
        Entry(pill, "2018-01-01", dosage="1 tablet in the morning"), Entry(pill, "2020-01-01", dosage="2x/d"),
        Entry(pill, "2019-01-01", dosage="2x/d"), Entry(other, "2019-06-01"),
    ]  # fmt: skip
    chart = chart_of(Patient("p", "", "1960-01-01", medications=orders), "2021-01-01")
    assert chart.slots["active_meds"] == [
        {"name": "Metformin 850 MG", "start": "2019-06-01"},
        {
            "name": "Metformin 500 MG", "start": "2020-01-01", "dosage": "2x/d; 1 tablet in the morning",
            "earlier": ["2018-01-01", "2019-01-01"],
        },
    ]  # fmt: skip
    assert len(chart.drugs) == 1


def test_the_day_on_which_something_will_end_is_not_known_yet() -> None:
    cold = Entry(Coded("Viral sinusitis"), "2020-12-15", "2020-12-22", active=False)
    someone = Patient("p", "", "1960-01-01", conditions=[Entry(Coded("Gout"), "2010-01-01"), cold])
    (now,) = chart_of(someone, "2020-12-19").slots["comorbidities"]
    assert now == {"name": "Viral sinusitis", "start": "2020-12-15"}
    (past,) = chart_of(someone, "2020-12-22").slots["past_conditions"]
    assert past["end"] == "2020-12-22"


def test_what_the_truth_leaves_aside_is_named() -> None:
    someone = Patient(
        "p", "", "1960-01-01",
        procedures=[Entry(Coded("Colonoscopy"), "2014-01-01"), Entry(Coded("Colonoscopy"), "2020-01-01"),
                    Entry(Coded("Documentation of current medications"), "2020-01-01")],
        readings=[Reading(Coded("Ketones [Presence] in Urine"), "2020-01-01", "negative", category="laboratory"),
                  Reading(Coded("Stress level"), "2020-01-01", "Quite a bit", category="survey")],
        unvalued=["Microscopic observation"], passed_over={"Goal", "CarePlan"},
    )  # fmt: skip
    chart = chart_of(someone, "2021-01-01")
    assert chart.slots["major_procedures"] == [
        {"name": "Colonoscopy", "start": "2020-01-01", "earlier": ["2014-01-01"]}
    ]
    assert chart.aside == {
        "worded": ["Ketones [Presence] in Urine"], "others": ["Stress level"], "unvalued": ["Microscopic observation"],
        "procedures": ["Documentation of current medications"], "kinds": ["CarePlan", "Goal"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "code", "key"),
    [
        ("Glucose [Mass/volume] in Blood", "", "glucose"),
        ("Glucose [Mass/volume] in Urine by Test strip", "", None),
        ("Glucose [Mass/volume] in Urine by Test strip", "5792-7", "urine_glucose"),
        ("Glucose [Mass/volume] in Cerebral spinal fluid", "", None),
        ("Body Mass Index [Percentile]", "", None),
        ("Body Weight", "", "weight"),
    ],
)
def test_a_name_without_a_code_is_of_blood_and_of_the_value_itself(name: str, code: str, key: str | None) -> None:
    found = measured_concept(Coded(name, code, "http://loinc.org"), EXTRACTOR)
    assert (found.key if found else None) == key


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("2026-02-10T08:00:00+09:00", "2026-02-10T20:00:00+09:00"),
        ("2026-02-10T09:00:00+09:00", "2026-02-10T08:00:00Z"),
        ("2026-02-10", "2026-02-10T00:00:00Z"),
        ("2026-02-10T08:00:00.1Z", "2026-02-10T08:00:00.25Z"),
    ],
)
def test_of_two_values_of_a_day_the_later_is_the_latest(written: Any, first: str, later: str, turned: bool) -> None:
    both = [
        observation("Potassium", "6298-4", value, "mmol/L", when, effectiveDateTime=when)
        for value, when in ((4.1, first), (5.9, later))
    ]
    (woman,) = read_patients([written("b.json", *record(), *(both[::-1] if turned else both))])
    assert (
        make_chart(woman, "2026-02-10", load_extractor(), load_tables()).slots["labs"]["potassium"][0]["value"] == 5.9
    )


def test_values_of_one_time_do_not_depend_on_the_order_of_the_file(written: Any) -> None:
    both = [observation("Potassium", "6298-4", value, "mmol/L", "2026-02-10", id=str(value)) for value in (4.1, 5.9)]
    made = []
    for given in (both, both[::-1]):
        (woman,) = read_patients([written("b.json", *record(), *given)])
        made.append(make_chart(woman, "2026-02-10", load_extractor(), load_tables()).slots)
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "more",
    [{"intent": each} for each in ("proposal", "plan", "option")]
    + [{"status": each} for each in ("draft", "unknown", "entered-in-error", "on-hold")],
)
def test_what_was_not_ordered_or_is_on_hold_is_not_taken(written: Any, more: dict[str, str]) -> None:
    (woman,) = read_patients(
        [written("b.json", *record(), medication("Warfarin 5 MG Oral Tablet", "2025-01-01", **more))]
    )
    chart = make_chart(woman, "2026-02-10", load_extractor(), load_tables())
    assert not any("Warfarin" in each["name"] for each in chart.slots["active_meds"])
    on_hold = more == {"status": "on-hold"}
    assert any("Warfarin 5" in each["name"] for each in chart.slots["past_meds"]) == on_hold
    wrong = more == {"status": "entered-in-error"}
    assert chart.aside.get("not_ordered", []) == ([] if on_hold or wrong else ["Warfarin 5 MG Oral Tablet"])


@pytest.mark.parametrize(
    "name",
    ["No known allergy", "No known drug allergy (situation)", "No known food allergies",
     "No Known Environmental Allergy", "알려진 약물 알레르기 없음"],
)  # fmt: skip
def test_no_known_allergy_is_no_allergy(written: Any, name: str) -> None:
    none = {
        "resourceType": "AllergyIntolerance",
        "id": "n",
        "patient": {"reference": "Patient/p1"},
        "code": coded(name),
    }
    (woman,) = read_patients([written("b.json", *record(), none)])
    slots = make_chart(woman, "2026-02-10", load_extractor(), load_tables()).slots
    assert [each["name"] for each in slots["allergies"]] == ["Penicillin"]
