"""FHIR as it is exported: bundles, bulk exports, references; what is wrong with a file is told with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.errors import DataError
from jatdae.experiments.fhir import Coded, _day, read_patients

from .conftest import condition, encounter, medication, observation, patient, record

Written = Callable[..., Path]


def test_a_bundle_and_a_bulk_export_give_the_same_patient(written: Written) -> None:
    (one,) = read_patients([written("bundle.json", *record())])
    whole = record()
    written("bulk/Patient.ndjson", *[each for each in whole if each["resourceType"] == "Patient"])
    written("bulk/Rest.ndjson", *[each for each in whole if each["resourceType"] != "Patient"])
    (other,) = read_patients([written("bulk/readme.txt").parent])
    one.source = other.source = ""
    assert one == other


def test_what_is_read_of_a_patient(written: Written) -> None:
    (one,) = read_patients([written("b.json", *record())])
    assert (one.id, one.born, one.sex, one.died) == ("p1", "1958-05-20", "female", "")
    assert one.last_day == "2026-02-10"
    assert [(e.what.name, e.start, e.end, e.active) for e in one.conditions] == [
        ("Hypertension", "2015-01-05", "", True),
        ("Diabetes mellitus type 2 (disorder)", "2018-06-01", "", True),
        ("Pneumonia", "2020-12-01", "2021-01-10", False),
    ]
    assert [(e.what.name, e.active) for e in one.medications] == [
        ("24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet", True),
        ("Amlodipine 5 MG Oral Tablet", True),
        ("Enalapril 10 MG Oral Tablet", False),
    ]
    blood_pressure = next(r for r in one.readings if r.second is not None)
    assert (blood_pressure.value, blood_pressure.second, blood_pressure.unit) == (148.4, 91.6, "mm[Hg]")


def test_a_medication_that_the_request_contains_is_found(written: Written) -> None:
    inside = [{"resourceType": "Medication", "id": "in", "code": {"text": "Losartan 50 MG"}}]
    asked = medication("x", "2020-01-01", medicationReference={"reference": "#in"}, contained=inside)
    (one,) = read_patients([written("b.json", patient(), asked)])
    assert one.medications[0].what == Coded("Losartan 50 MG")


def test_patients_of_one_bundle_keep_their_own_entries(written: Written) -> None:
    rows = [patient("b"), patient("a"), condition("Gout", "2020-01-01", of="a"), encounter("2021-01-01", of="b")]
    first, second = read_patients([written("b.json", *rows)])
    assert (first.id, len(first.conditions), first.encounters) == ("a", 1, [])
    assert (second.id, len(second.conditions), second.encounters) == ("b", 0, ["2021-01-01"])


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.json", "{", r"x\.json: not JSON \(line 1"),
        ("x.json", "[1]", r"x\.json: no FHIR resource"),
        ("x.json", '{"resourceType": "Bundle", "entry": [7, {"resource": null}]}', "no Patient resource"),
        ("x.ndjson", '{"resourceType": "Patient", "id": "1"}\n{"a": 1}', r"x\.ndjson:2: no FHIR resource"),
        ("x.ndjson", '{"resourceType": "Patient", "id": "1"}\n{"resourceType": "Patient", "id": "1"}', "stands in"),
        (
            "x.ndjson",
            '{"resourceType": "Patient", "id": "1"}\n'
            '{"resourceType": "Condition", "id": "c", "subject": {"reference": "Patient/1"}, "onsetPeriod": "today"}',
            r"x\.ndjson:2: the Condition 'c' is not as FHIR R4 has it",
        ),
    ],
)
def test_a_file_that_is_no_fhir_is_told_with_its_place(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=said):
        read_patients([tmp_path / name])


def test_a_folder_without_fhir_and_a_missing_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no FHIR files here \(\.json, \.ndjson, \.jsonl\)"):
        read_patients([tmp_path])
    with pytest.raises(DataError, match=r"none\.json"):
        read_patients([tmp_path / "none.json"])


@pytest.mark.parametrize(
    ("given", "day"),
    [
        ("2020-03-04T10:00:00Z", "2020-03-04"),
        ("2020-03", "2020-03-01"),
        ("2020", "2020-01-01"),
        (None, ""),
        ("soon", ""),
    ],
)
def test_days(given: Any, day: str) -> None:
    assert _day(given) == day


PLAIN = st.sampled_from([None, True, "", "x", 0, 1.5, [], {}])
ODD = PLAIN | st.lists(PLAIN, max_size=2) | st.dictionaries(st.sampled_from(["text", "coding", "value", "code"]), PLAIN)
KEYS = st.sampled_from(["status", "code", "valueQuantity", "component", "category"])


@settings(derandomize=True, deadline=None)
@given(st.dictionaries(KEYS, ODD))
def test_an_odd_resource_is_read_or_refused_but_never_a_traceback(tmp_path_factory: Any, odd: dict[str, Any]) -> None:
    file = tmp_path_factory.mktemp("odd") / "x.ndjson"
    lines = [patient(), {**observation("x", "", None, "", "2020-01-01"), **odd}]
    file.write_text("\n".join(map(json.dumps, lines)))
    try:
        (one,) = read_patients([file])
    except DataError as error:
        assert "Observation" in str(error)
    else:
        assert one.id == "p1"


def test_what_is_not_to_be_taken_is_no_medication(written: Written) -> None:
    rows = [medication("Aspirin 81 MG", "2020-01-01", doNotPerform=True), medication("Losartan 50 MG", "2020-01-01")]
    (one,) = read_patients([written("b.json", patient(), *rows)])
    assert [each.what.name for each in one.medications] == ["Losartan 50 MG"]


def test_a_request_whose_medication_is_not_there_is_named(written: Written) -> None:
    lost = medication("r1", "2020-01-01", medicationReference={"reference": "Medication/gone"})
    (one,) = read_patients([written("b.json", patient(), lost, medication("", "2020-01-01"))])
    assert one.medications == []
    assert one.unnamed == ["MedicationRequest/r1 → Medication/gone", "MedicationRequest/?"]


def test_a_blood_pressure_noted_in_two_observations_is_one(written: Written) -> None:
    def value(code: str, number: float, day: str) -> dict[str, Any]:
        return observation(code, code, number, "mm[Hg]", day, category="vital-signs")

    rows = [
        value("8462-4", 80, "2020-01-01"), value("8480-6", 130, "2020-01-01"), value("8480-6", 140, "2020-01-01"),
        value("8462-4", 90, "2020-01-01"), value("8480-6", 150, "2021-01-01"),
    ]  # fmt: skip
    (one,) = read_patients([written("b.json", patient(), *rows)])
    found = [(each.what.code, each.day, each.value, each.second) for each in one.readings]
    assert found == [
        ("85354-9", "2020-01-01", 130, 80), ("85354-9", "2020-01-01", 140, 90), ("8480-6", "2021-01-01", 150, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ({"valueQuantity": {"value": 5, "unit": "mg"}}, (5, "mg")),
        ({"valueQuantity": {"value": 5, "code": "mg"}}, (5, "mg")),
        ({"valueQuantity": {"value": 15, "unit": "IU/mL", "comparator": "<"}}, ("<15", "IU/mL")),
        ({"valueQuantity": {"value": True}}, None),
        ({"valueInteger": 3}, (3, "")),
        ({"valueString": "cloudy"}, ("cloudy", "")),
        ({"valueBoolean": False}, ("false", "")),
        ({"valueCodeableConcept": {"text": "Negative"}}, ("Negative", "")),
        ({"valueCodeableConcept": {"coding": [{"code": "10828004", "display": "Positive"}]}}, ("Positive", "")),
        ({"valueDateTime": "2020-01-01"}, ("2020-01-01", "")),
        ({"valueRange": {"low": {"value": 1, "unit": "%"}, "high": {"value": 5, "unit": "%"}}}, ("1 % – 5 %", "")),
        ({"valueRange": {"high": {"value": 5}}}, ("5", "")),
        ({"valueRatio": {"numerator": {"value": 1}, "denominator": {"value": 64}}}, ("1:64", "")),
        ({"dataAbsentReason": {"text": "unknown"}}, None),
    ],
)  # fmt: skip
def test_values_of_every_type(written: Written, value: dict[str, Any], read: Any) -> None:
    (one,) = read_patients([written("b.json", patient(), observation("X", "1-1", None, "", "2020-01-01", **value))])
    assert [(each.value, each.unit) for each in one.readings] == ([read] if read else [])
    assert one.unvalued == ([] if read else ["X"])


def test_components_in_words_and_beside_a_blood_pressure_are_read(written: Written) -> None:
    parts = [
        {
            "code": {"text": "Systolic", "coding": [{"code": "8480-6"}]},
            "valueQuantity": {"value": 120, "unit": "mm[Hg]"},
        },
        {"code": {"text": "Diastolic", "coding": [{"code": "8462-4"}]}, "valueQuantity": {"value": 80}},
        {"code": {"text": "Mean"}, "valueQuantity": {"value": 93, "unit": "mm[Hg]"}},
        {"code": {"text": "Position"}, "valueCodeableConcept": {"text": "Sitting"}},
    ]
    panel = observation("Blood pressure", "85354-9", None, "", "2020-01-01", category="exam", component=parts)
    panel["category"].append({"coding": [{"code": "vital-signs"}]})
    (one,) = read_patients([written("b.json", patient(), panel)])
    assert [(each.what.name, each.value, each.second, each.category) for each in one.readings] == [
        ("Blood pressure", 120, 80, "vital-signs"),
        ("Mean", 93, None, "vital-signs"),
        ("Position", "Sitting", None, "vital-signs"),
    ]


@pytest.mark.parametrize(
    ("instructions", "dosage"),
    [
        ([{"text": "Take 1 tablet twice a day"}], "Take 1 tablet twice a day"),
        (
            [{"timing": {"repeat": {"frequency": 1, "period": 1.0, "periodUnit": "d"}},
              "doseAndRate": [{"doseQuantity": {"value": 1.0}}]}],
            "1, 1x/d",
        ),
        (
            [{"asNeededBoolean": True, "timing": {"repeat": {"frequency": 2, "period": 12, "periodUnit": "h"}},
              "doseAndRate": [{"doseQuantity": {"value": 500, "unit": "mg"}}]}],
            "500 mg, 2x/12h, as needed",
        ),
        ([{"sequence": 1, "asNeededBoolean": True}], "as needed"),
        ([{"text": "one"}, {"text": "two"}, {"text": "one"}], "one; two"),
        ([], ""), (None, ""), ("daily", ""), ([7, {"timing": "x", "doseAndRate": [3]}], ""),
    ],
)  # fmt: skip
def test_dosages(written: Written, instructions: Any, dosage: str) -> None:
    asked = medication("Metformin", "2020-01-01", dosageInstruction=instructions)
    (one,) = read_patients([written("b.json", patient(), asked)])
    assert one.medications[0].dosage == dosage


def test_what_is_not_read_is_noted(written: Written) -> None:
    plan = {"resourceType": "CarePlan", "id": "c", "subject": {"reference": "Patient/p1"}}
    shot = {"resourceType": "Immunization", "id": "i", "patient": {"reference": "Patient/p1"}}
    nameless = {**condition("x", "2020-01-01"), "code": {}}
    (one,) = read_patients([written("b.json", patient(), plan, shot, nameless)])
    assert one.passed_over == {"CarePlan", "Immunization"}
    assert (one.conditions, one.unnamed) == ([], ["Condition/x"])
