"""Records of all sorts, as exporters make them: whatever stands in one is in the script, or is named as not in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main

from .conftest import Resource, coded, condition, encounter, medication, observation, patient, pressure

WORDS = {"valueCodeableConcept": coded("Negative")}
PREGNANT = [
    patient("anna", birthDate="1994-03"),
    encounter("2025-05-01", of="anna"),
    condition("Normal pregnancy (finding)", "2025-01-10", of="anna"),
    condition("Miscarriage in first trimester", "2020-01-10", "2020-02-01", of="anna"),
    condition("Received higher education (finding)", "2012-01-01", of="anna"),
    condition("Part-time employment (finding)", "2025-04-30", of="anna"),
    condition("Suspected COVID-19 (situation)", "2025-04-30", of="anna"),
    condition("History of appendectomy", "2008-04-30", of="anna"),
    medication("x", "2025-01-10", of="anna", medicationReference={"reference": "#m"},
               contained=[{"resourceType": "Medication", "id": "m", "code": coded("Folic acid 0.4 MG Oral Tablet")}]),
    medication("y", "2024-01-10", of="anna", medicationReference={"reference": "urn:uuid:med-1"}),
    {"resourceType": "Medication", "id": "med-1", "code": coded("levothyroxine sodium 0.05 MG Oral Tablet")},
    medication("z", "2024-01-10", of="anna", medicationReference={"reference": "Medication/nowhere"}),
    medication("Errin 28 Day Pack", "2019-01-10", "stopped", of="anna"),
    medication("Frobnicol 5 MG Oral Tablet", "2025-01-10", of="anna", dosageInstruction=[{"text": "one at night"}]),
    {"resourceType": "AllergyIntolerance", "id": "a", "patient": {"reference": "Patient/anna"},
     "code": coded("Allergy to penicillin"), "recordedDate": "2001"},
    {"resourceType": "Immunization", "id": "i", "patient": {"reference": "Patient/anna"}},
    {"resourceType": "CarePlan", "id": "cp", "subject": {"reference": "Patient/anna"}},
    pressure(118, 70, "2025-05-01", of="anna"),
    observation("Hemoglobin [Mass/volume] in Blood", "718-7", 11.1, "g/dL", "2025-05-01", of="anna"),
    observation("Ketones [Presence] in Urine", "2514-8", None, "", "2025-05-01", of="anna", **WORDS),
    observation("Hepatitis B virus surface Ag", "5195-3", None, "", "2025-05-01", of="anna", valueString="absent"),
    observation("HCG", "x-1", None, "", "2025-05-01", of="anna",
                valueQuantity={"value": 5, "unit": "IU/L", "comparator": "<"}),
    observation("Housing status", "71802-3", None, "", "2025-05-01", of="anna", category="survey", **WORDS),
    observation("Ultrasound", "x-2", None, "", "2025-05-01", of="anna"),
]  # fmt: skip
OTHERS = [
    patient("child", birthDate="2018-01-01"), encounter("2025-05-01", of="child"),
    patient("dead", deceasedDateTime="2025-02-02"), encounter("2025-01-01", of="dead"),
    patient("dead2", deceasedBoolean=True), encounter("2025-01-01", of="dead2"),
    {**patient("ageless"), "birthDate": None}, encounter("2025-01-01", of="ageless"),
    patient("blank", gender="unknown"),
]  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("varieties")
    entries = [{"resource": each} for each in (*PREGNANT, *OTHERS)]
    (folder / "b.json").write_text(json.dumps({"resourceType": "Bundle", "entry": entries}), "utf-8")
    return folder / "b.json"


def test_whatever_a_record_has_is_in_the_script_or_named(made: Path, tmp_path: Path, capsys: Any) -> None:
    assert main(["scripts", "from-fhir", str(made), "--out", str(tmp_path / "s.jsonl"), "--lang", "en"]) == 0
    said = capsys.readouterr().out
    for left_out in ("below 18 years: 1 (child)", "deceased: 2 (dead, dead2)", "no date of birth: 1 (ageless)"):
        assert left_out in said
    assert "no encounter and no dated entry: 1 (blank)" in said
    (script,) = map(json.loads, (tmp_path / "s.jsonl").read_text("utf-8").splitlines())
    written = json.dumps(script, ensure_ascii=False)
    assert [name for name in map(_name, PREGNANT) if name and name not in written] == []
    slots = script["slots"]
    assert slots["primary_condition"]["name"] == "Normal pregnancy (finding)"
    assert "comorbidities" not in script["slots"] or slots["comorbidities"] == []
    assert {each["name"] for each in slots["active_meds"]} == {
        "Folic acid 0.4 MG Oral Tablet", "levothyroxine sodium 0.05 MG Oral Tablet", "Frobnicol 5 MG Oral Tablet",
    }  # fmt: skip
    assert next(each for each in slots["active_meds"] if "Frob" in each["name"])["dosage"] == "one at night"
    assert script["unresolved"] == ["Frobnicol 5 MG Oral Tablet", "MedicationRequest/z → Medication/nowhere"]
    assert script["not_used"] == {
        "not_had": ["Suspected COVID-19 (situation)"],
        "social": ["Received higher education (finding)", "Part-time employment (finding)"],
        "worded": ["Ketones [Presence] in Urine", "Hepatitis B virus surface Ag", "HCG"],
        "others": ["Housing status"],
        "unvalued": ["Ultrasound"],
        "kinds": ["CarePlan", "Immunization"],
    }
    for name in ("Part-time employment", "Suspected COVID-19", "Housing status", "Ultrasound", "CarePlan", "Frobnicol"):
        assert name in said
    assert "pregnant" in script["turns"][0]["question"]["text"]


def test_children_and_the_dead_are_taken_in_on_request(made: Path, tmp_path: Path) -> None:
    words = ["scripts", "from-fhir", str(made), "--out", str(tmp_path / "s.jsonl"), "--with-dead", "--with-children"]
    assert main(words) == 0
    scripts = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text("utf-8").splitlines()]
    assert [script["patient_id"] for script in scripts] == ["anna", "child", "dead", "dead2"]


def _name(each: Resource) -> str:
    if each["resourceType"] in ("CarePlan", "Immunization"):
        return str(each["resourceType"])
    named = each.get("medicationCodeableConcept") or each.get("code") or {}
    return "blood_pressure" if named.get("text") == "Blood Pressure" else _known(str(named.get("text", "")))


def _known(name: str) -> str:
    return "hemoglobin" if name.startswith("Hemoglobin") else name
