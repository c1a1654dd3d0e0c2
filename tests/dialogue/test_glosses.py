"""Names of the record in Korean, for a transcript that is read in Korean."""

from __future__ import annotations

from typing import Any

from jatdae import Sample
from jatdae.dialogue.evaluator import DialogueEvaluator


def glosses(**slots: Any) -> dict[str, str]:
    event = {"patient_id": "p", "turn": 1, "question": {"text": "?"}, "answer": "Rest.", "slots_truth": slots}
    evidence = DialogueEvaluator().score(Sample("p", [event], None)).evidence
    return evidence.get("glosses", {})


def test_conditions_drugs_and_measures_are_said_in_korean() -> None:
    assert glosses(
        primary_condition="Type 2 diabetes mellitus",
        active_meds=["24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet"],
        labs={"HbA1c": {"value": 7.8, "unit": "%"}},
    ) == {
        "Type 2 diabetes mellitus": "제2형 당뇨병",
        "24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet": "메트포르민",
        "HbA1c": "당화혈색소",
    }


def test_what_is_korean_unknown_or_of_two_measures_has_none() -> None:
    assert glosses(primary_condition="고혈압", comorbidities=["Xyzzy syndrome"]) == {}
    assert glosses(vitals={"blood_pressure": {"value": "152/94", "unit": "mmHg"}}) == {}
