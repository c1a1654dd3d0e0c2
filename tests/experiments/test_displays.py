"""Names as records of Synthea have them, beyond those of any one record: nearly all are known, the rest is named."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.reading.truth import resolve_name
from jatdae.experiments.fhir import Coded, Entry, Patient
from jatdae.experiments.slots import Chart, load_tables, make_chart

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "cases" / "displays.jsonl").read_text("utf-8").splitlines()
]
DAY = "2024-01-01"


@cache
def chart_of(*kinds: str) -> Chart:
    """A patient with all names of the cases."""
    entries = {kind: [Entry(Coded(case["name"]), DAY) for case in CASES if case["kind"] == kind] for kind in kinds}
    someone = Patient(
        "p", "", "1960-01-01", conditions=entries.get("condition", []), medications=entries.get("medication", [])
    )
    return make_chart(someone, DAY, load_extractor(), load_tables())


@pytest.mark.parametrize("kind", ["condition", "medication"])
def test_nearly_all_names_are_known(kind: str) -> None:
    chart = chart_of(kind)
    assert len(chart.names) > 150
    assert 1 - len(chart.unresolved) / len(chart.names) >= 0.95, chart.unresolved


def test_no_name_is_lost_in_silence() -> None:
    chart = chart_of("condition")
    slots = chart.slots
    told = [slots["primary_condition"], *slots["comorbidities"], *slots["major_procedures"]]
    named = {*(each["name"] for each in told), *(name for names in chart.aside.values() for name in names)}
    assert named == {case["name"] for case in CASES if case["kind"] == "condition"}


def test_circumstances_and_suspicions_are_no_conditions() -> None:
    aside = chart_of("condition").aside
    assert {"Full-time employment (finding)", "Stress (finding)", "Refugee (person)"} <= set(aside["social"])
    assert {"Suspected lung cancer (situation)", "Awaiting transplantation of kidney (situation)"} <= set(
        aside["not_had"]
    )


def test_a_history_of_an_operation_is_an_operation() -> None:
    done = {each["name"] for each in chart_of("condition").slots["major_procedures"]}
    assert done == {
        "History of appendectomy", "History of aortic valve replacement (situation)",
        "History of coronary artery bypass grafting (situation)", "History of renal transplant (situation)",
        "History of cholecystectomy (situation)", "History of hysterectomy (situation)",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["Full-time employment (finding)", "Suspected lung cancer (situation)"])
def test_what_is_no_condition_is_never_the_primary_one(name: str) -> None:
    someone = Patient("p", "", "1960-01-01", conditions=[Entry(Coded(name), DAY)])
    assert make_chart(someone, DAY, load_extractor(), load_tables()).slots["primary_condition"] is None


def test_a_condition_that_the_lexicon_knows_is_primary_before_a_later_one_that_it_does_not() -> None:
    entries = [
        Entry(Coded("Gingivitis (disorder)"), "2020-01-01"),
        Entry(Coded("Moon sickness (disorder)"), "2023-01-01"),
    ]
    chart = make_chart(Patient("p", "", "1960-01-01", conditions=entries), DAY, load_extractor(), load_tables())
    assert chart.slots["primary_condition"]["name"] == "Gingivitis (disorder)"
    assert chart.unresolved == ["Moon sickness (disorder)"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Carcinoma in situ of prostate (disorder)", "prostate_cancer"),
        ("Malignant neoplasm of ovary (disorder)", "ovarian_cancer"),
        ("Malignant tumor of stomach (disorder)", "stomach_cancer"),
        ("Primary malignant neoplasm of colon", "colorectal_cancer"),
    ],
)
def test_a_tumour_named_by_its_organ_is_the_cancer_of_it(name: str, key: str) -> None:
    found = resolve_name(name, "", "", "comorbidities", load_extractor())
    assert [concept.key for concept in found] == [key]
