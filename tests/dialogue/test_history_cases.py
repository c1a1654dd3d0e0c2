"""Claims about what a patient had or took once, against a record whose entries have dates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jatdae.dialogue import score_turn

RECORD = {
    "primary_condition": {"name": "Hypertension", "start": "1996-10-14"},
    "comorbidities": [],
    "active_meds": ["Lisinopril 10 MG"],
    "past_conditions": [
        {"name": "Viral sinusitis (disorder)", "start": "2020-10-05", "end": "2020-10-26"},
        {"name": "Acute bronchitis (disorder)", "start": "2019-06-03", "end": "2019-06-17"},
    ],
    "past_meds": [{"name": "Amoxicillin 250 MG", "start": "2020-10-05"}],
}
CASES = [
    json.loads(line) for line in (Path(__file__).parent / "cases" / "history.jsonl").read_text("utf-8").splitlines()
]


def facts(answer: str, record: dict = RECORD) -> float | None:
    return score_turn(answer, slots_truth=record)["SFS"]["score"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["answer"])
def test_history_is_right_or_wrong_as_the_record_has_it(case):
    score = facts(case["answer"])
    assert score is not None
    assert (score > 0.99) == case["right"]
