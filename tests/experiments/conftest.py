"""A patient of our own in FHIR, as a bundle, as a bulk export, and in parts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SNOMED, RXNORM, LOINC = "http://snomed.info/sct", "http://www.nlm.nih.gov/research/umls/rxnorm", "http://loinc.org"
Resource = dict[str, Any]
LONG_NAME = "24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet"


def coded(text: str, code: str = "", system: str = "") -> Resource:
    return {"text": text, "coding": [{"code": code, "system": system, "display": text}] if code else []}


def patient(id: str = "p1", **more: Any) -> Resource:
    return {"resourceType": "Patient", "id": id, "birthDate": "1958-05-20", "gender": "female", **more}


def condition(text: str, start: str, end: str = "", *, of: str = "p1", status: str = "", **more: Any) -> Resource:
    state = status or ("resolved" if end else "active")
    ended = {"abatementDateTime": f"{end}T09:00:00+09:00"} if end else {}
    return {
        "resourceType": "Condition", "id": text, "subject": {"reference": f"Patient/{of}"}, "code": coded(text),
        "clinicalStatus": {"coding": [{"code": state}]}, "onsetDateTime": f"{start}T09:00:00+09:00", **ended, **more,
    }  # fmt: skip


def medication(text: str, start: str, status: str = "active", *, of: str = "p1", **more: Any) -> Resource:
    named = {} if "medicationReference" in more else {"medicationCodeableConcept": coded(text)}
    return {
        "resourceType": "MedicationRequest", "id": text, "status": status, "subject": {"reference": f"urn:uuid:{of}"},
        "authoredOn": start, **named, **more,
    }  # fmt: skip


def observation(
    text: str,
    code: str,
    value: float | None,
    unit: str,
    day: str,
    *,
    of: str = "p1",
    category: str = "laboratory",
    **more: Any,
) -> Resource:
    given = {} if value is None else {"valueQuantity": {"value": value, "unit": unit}}
    return {
        "resourceType": "Observation", "id": f"{text} {day}", "status": "final",
        "subject": {"reference": f"Patient/{of}"}, "category": [{"coding": [{"code": category}]}],
        "code": coded(text, code, LOINC), "effectiveDateTime": day,
        **given, **more,
    }  # fmt: skip


def pressure(high: float, low: float, day: str, *, of: str = "p1") -> Resource:
    parts = [("Diastolic", "8462-4", low), ("Systolic", "8480-6", high)]
    component = [
        {"code": coded(text, code, LOINC), "valueQuantity": {"value": value, "unit": "mm[Hg]"}}
        for text, code, value in parts
    ]
    return observation("Blood Pressure", "55284-4", None, "", day, of=of, category="vital-signs", component=component)


def encounter(day: str, *, of: str = "p1") -> Resource:
    return {"resourceType": "Encounter", "id": day, "subject": {"reference": f"Patient/{of}"}, "period": {"start": day}}


def record() -> list[Resource]:
    """A woman of 67 with diabetes and high blood pressure, a pneumonia that is over, and a change of medicine."""
    smoking = {"valueCodeableConcept": coded("Former smoker")}
    return [
        patient(),
        encounter("2024-03-02"),
        encounter("2026-02-10T08:30:00+09:00"),
        condition("Hypertension", "2015-01-05"),
        condition("Diabetes mellitus type 2 (disorder)", "2018-06-01"),
        condition("Pneumonia", "2020-12-01", "2021-01-10"),
        condition("Gout", "2020-01-01", verificationStatus={"coding": [{"code": "entered-in-error"}]}),
        {"resourceType": "Medication", "id": "m1", "code": coded(LONG_NAME)},
        medication("metformin", "2018-06-01", medicationReference={"reference": "Medication/m1"}),
        medication("Amlodipine 5 MG Oral Tablet", "2024-03-02"),
        medication("Enalapril 10 MG Oral Tablet", "2015-01-05", "stopped"),
        medication("Warfarin", "2019-01-01", "entered-in-error"),
        observation("Hemoglobin A1c/Hemoglobin.total in Blood", "4548-4", 8.4, "%", "2024-03-02"),
        observation("Hemoglobin A1c/Hemoglobin.total in Blood", "4548-4", 7.16, "%", "2026-02-10"),
        observation("Glomerular filtration rate", "33914-3", 52.4, "mL/min/{1.73_m2}", "2026-02-10"),
        pressure(148.4, 91.6, "2026-02-10"),
        observation("Tobacco smoking status NHIS", "72166-2", None, "", "2026-02-10", category="survey", **smoking),
        {"resourceType": "Procedure", "id": "x", "status": "completed", "subject": {"reference": "Patient/p1"},
         "code": coded("Colonoscopy"), "performedPeriod": {"start": "2022-05-05"}},
        {"resourceType": "AllergyIntolerance", "id": "a", "patient": {"reference": "Patient/p1"},
         "code": coded("Penicillin")},
        {"resourceType": "Claim", "id": "c"},
    ]  # fmt: skip


def bundle(resources: list[Resource]) -> str:
    return json.dumps(
        {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": each} for each in resources]}
    )


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """`written(name, *resources)`: a bundle, or NDJSON where the name says so."""

    def of(name: str, *resources: Resource) -> Path:
        lines = "\n".join(json.dumps(each) for each in resources)
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(bundle(list(resources)) if name.endswith(".json") else lines, "utf-8")
        return file

    return of
