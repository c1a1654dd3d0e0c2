"""Tools of the agent: what they find in the record, what they cannot reach, and how they answer odd calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.experiments.fhir import read_patients
from jatdae.experiments.tools import KINDS, TOOLS, RecordTools, load_interactions

from .conftest import record


@pytest.fixture
def tools(written: Any) -> RecordTools:
    (woman,) = read_patients([written("b.json", *record())])
    return RecordTools(woman, "2026-02-10")


def told(tools: RecordTools, tool: str, /, **arguments: Any) -> Any:
    return json.loads(tools.call(tool, json.dumps(arguments)))


def test_what_the_tools_find(tools: RecordTools) -> None:
    assert told(tools, "patient") == {"birth_date": "1958-05-20", "sex": "female", "today": "2026-02-10"}
    assert [each["name"] for each in told(tools, "search", kind="condition", text="hyper")] == ["Hypertension"]
    assert told(tools, "latest_observation", name="a1c")["value"] == 7.16
    assert told(tools, "latest_observation", name="moon") is None
    assert len(told(tools, "medications")) == 2
    assert told(tools, "search", kind="observation", text="blood pressure")[0]["value"] == "148.4/91.6"


def test_interactions_are_found_by_ingredient_and_class(tools: RecordTools) -> None:
    found = told(tools, "interactions", drugs=["Coumadin", "Naproxen sodium 220 MG", "metformin"])
    assert found == [{"drugs": ["Coumadin", "Naproxen sodium 220 MG"], "effect": "Higher risk of bleeding."}]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("truth", "{}", "no tool 'truth'"),
        ("__init__", "{}", "no tool"),
        ("search", "{}", "search: "),
        ("search", '{"kind": "rules"}', "kind is one of condition"),
        ("search", "not json", "search: "),
        ("search", "[]", "must be an object"),
        ("patient", '{"self": 1}', "patient: "),
        ("interactions", '{"drugs": 7}', "interactions: "),
    ],
)
def test_an_odd_call_is_answered_with_what_is_wrong(tools: RecordTools, name: str, arguments: str, said: str) -> None:
    assert said in json.loads(tools.call(name, arguments))["error"]


def test_nothing_of_the_truth_or_of_the_rules_can_be_reached(tools: RecordTools) -> None:
    every = [told(tools, "search", kind=kind) for kind in KINDS] + [told(tools, "patient"), told(tools, "medications")]
    reached = json.dumps(every) + json.dumps(TOOLS)
    for secret in ("slots", "truth", "synthetic", "must_omit", "CSP_", "safety_rules", "penalty", "violat"):
        assert secret not in reached


def test_nothing_after_the_day_is_known(written: Any) -> None:
    (woman,) = read_patients([written("b.json", *record())])
    early = RecordTools(woman, "2020-12-15")
    assert told(early, "search", kind="observation") == []
    (pneumonia,) = told(early, "search", kind="condition", text="pneumonia")
    assert pneumonia == {"name": "Pneumonia", "start": "2020-12-01", "active": True}, "its end is not known yet"
    assert "Amlodipine" not in early.as_text()
    assert "observation: Blood pressure 148.4/91.6 mm[Hg] (2026-02-10)" in RecordTools(woman, "2026-02-10").as_text()


def test_interactions_name_what_the_lexicon_knows() -> None:
    lexicon = load_extractor().lexicon
    for each in load_interactions():
        assert all(lexicon.by_key(key, ("drug", "drug_class")) for key in each.pair), each
