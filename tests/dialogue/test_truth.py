"""The patient as the scores see him or her: names resolved, units kept, aliases read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.reading.truth import Truth, read_truth


def read(slots: object) -> Truth:
    truth = read_truth(slots, load_extractor())
    assert truth is not None
    return truth


@pytest.mark.parametrize(
    ("name", "id_"),
    [("iron", "class:iron_supplement"), ("칼슘", "drug:calcium_carbonate"), ("철분", "class:iron_supplement")],
)
def test_a_mineral_among_the_medications_is_taken_as_a_supplement(name, id_):
    truth = read_truth({"active_meds": [name]}, load_extractor())
    assert isinstance(truth, Truth) and id_ in truth.above


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet", {"drug:metformin"}),
        ("Amoxicillin 250 MG / Clavulanate 125 MG Oral Tablet", {"drug:amoxicillin", "drug:clavulanate"}),
        ("Simvistatin 10 MG", {"drug:simvastatin"}),
        ("Diazepam [Valium]", {"drug:diazepam"}),
        (
            {"name": "a tablet", "code": "6809", "system": "http://www.nlm.nih.gov/research/umls/rxnorm"},
            {"drug:metformin"},
        ),
        ({"code": "11289"}, {"drug:warfarin"}),
        ("메트포르민 500mg", {"drug:metformin"}),
        ("인슐린", {"class:insulin"}),
        ("Novelmycin", set()),
    ],
)
def test_a_medication_is_its_ingredients(name, ids):
    assert read({"active_meds": [name]}).ids["active_meds"] == ids


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Diabetes", "diabetes"),
        ({"name": "Diabetes", "code": "44054006"}, "type_2_diabetes"),
        ("Osteoarthritis of knee", "knee_osteoarthritis"),
        ("Body mass index 30+ - obesity (finding)", "obesity"),
        ({"name": "x", "code": "I10", "system": "ICD-10"}, "hypertension"),
        ("만성콩팥병 3기", "chronic_kidney_disease_stage_3"),
    ],
)
def test_a_condition_by_name_or_code(name, key):
    assert read({"primary_condition": name}).ids["primary_condition"] == {f"condition:{key}"}


def test_measurements_in_every_shape():
    truth = read(
        {
            "vitals": {"bp": "150/95", "heart_rate": 70, "SpO2": "97 %"},
            "labs": {
                "HbA1c": {"value": 6.24, "unit": "%", "date": "2024-01-01"},
                "eGFR": [{"value": 60, "date": "2020-01-01"}, {"value": 45, "date": "2024-01-01"}],
                "x": {"value": 4.1, "unit": "mmol/L", "code": "2823-3"},
                "broken": "high",
                "flag": True,
                "odd": float("nan"),
            },
        }
    )
    found = {known.concept.key if known.concept else known.name: known.number for known in truth.measures}
    assert found == {
        "systolic_blood_pressure": 150, "diastolic_blood_pressure": 95, "heart_rate": 70, "oxygen_saturation": 97,
        "hba1c": 6.24, "egfr": 45, "potassium": 4.1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("slots", "unread"),
    [
        ({"age": "old"}, ("age",)),
        ({"age": -5}, ("age",)),
        ({"age": 400, "sex": "?"}, ("age", "sex")),
        ({"labs": [1], "vitals": {"pulse": "fast"}}, ("labs", "vitals")),
        ({"active_meds": [{}], "age": 60}, ("active_meds",)),
        ({"age": "67세", "sex": "F", "labs": {}, "active_meds": [], "chief_symptom": ""}, ()),
    ],
)
def test_slots_that_cannot_be_read_are_named(slots, unread):
    assert tuple(sorted(read(slots).unread)) == unread


def test_an_age_nobody_has_contradicts_nobody():
    assert read({"age": -5}).age is None


def test_aliases_are_read_and_unknown_slots_kept():
    truth = read(
        {"key_meds": ["Metformin"], "key_labs": {"HbA1c": 7}, "key_vitals": {"bp": "120/80"}, "hobby": "chess"}
    )
    assert truth.ids["active_meds"] == {"drug:metformin"} and len(truth.measures) == 3
    assert truth.unknown == ("hobby",) and truth.slots["hobby"] == "chess"


@pytest.mark.parametrize("sex", ["F", "female", "여성", "Female", "여"])
def test_sex_is_read_in_either_language(sex):
    assert read({"sex": sex}).sex == "female"


def test_every_name_that_synthetic_patients_carry_is_known():
    folder = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "fhir"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here: set JATDAE_DATA to the folder of reference data")
    extractor = load_extractor()
    unknown = set()
    for file in sorted(folder.glob("*.json")):
        for entry in json.loads(file.read_text("utf-8"))["entry"]:
            resource = entry["resource"]
            kind = resource["resourceType"]
            code = resource.get("medicationCodeableConcept") or resource.get("code") or {}
            for coding in code.get("coding", ())[:1]:
                categories = {"Condition": ("condition",), "MedicationRequest": ("drug",)}.get(kind)
                if kind == "Observation" and "valueQuantity" in resource:
                    categories = ("lab", "vital")
                name = coding["display"]
                if categories == ("lab", "vital"):
                    known = any(
                        measure.concept
                        for measure in read({"labs": {name: "1/1" if "Pressure" in name else 1}}).measures
                    )
                else:
                    known = bool({c.category for c, *_ in extractor.concepts(name)} & set(categories or ()))
                if categories and not known:
                    unknown.add(name)
    rare = {
        "Polyp size greatest dimension by CAP cancer protocols",
        "Hemoglobin.gastrointestinal [Presence] in Stool by Immunologic method",
    }
    assert unknown <= rare
