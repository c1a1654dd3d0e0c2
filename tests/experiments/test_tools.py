"""Tools of the agent: what they find in the record, what they cannot reach, and how they answer odd calls."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import MethodType, ModuleType
from typing import Any

import pytest

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER
from jatdae.experiments.arms import ARMS, load_prompts
from jatdae.experiments.chat import Plan, hold_conversations
from jatdae.experiments.eventlog import KeyedLog
from jatdae.experiments.fhir import read_patients
from jatdae.experiments.targets import Asked, Reply
from jatdae.experiments.tools import KINDS, MOST_FOUND, TOOLS, RecordTools, load_interactions

from .conftest import coded, medication, observation, record


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


def test_a_resource_is_read_by_the_id_that_a_search_gives(tools: RecordTools) -> None:
    (found,) = told(tools, "search", kind="observation", text="a1c")[:1]
    (read,) = told(tools, "read_resource", id=found["id"])
    assert read == {**found, "code": "4548-4", "system": "http://loinc.org"}
    (ended,) = told(tools, "read_resource", id="Condition/Pneumonia")
    assert (ended["end"], ended["active"]) == ("2021-01-10", False)


@pytest.mark.parametrize("id", ["", "Condition/none", "Patient/p1", "slots_truth", "../safety_rules.yaml", 7, None])
def test_what_is_no_entry_of_the_record_cannot_be_read(tools: RecordTools, id: Any) -> None:
    assert "no such resource" in told(tools, "read_resource", id=id)["error"]


def test_a_resource_of_a_later_day_cannot_be_read(written: Any) -> None:
    (woman,) = read_patients([written("b.json", *record())])
    then = RecordTools(woman, "2020-12-15")
    (sick,) = told(then, "read_resource", id="Condition/Pneumonia")
    assert "end" not in sick
    later = told(then, "read_resource", id="MedicationRequest/Amlodipine 5 MG Oral Tablet")
    assert "no such resource" in later["error"]


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
    assert pneumonia == {"id": "Condition/Pneumonia", "name": "Pneumonia", "start": "2020-12-01", "active": True}, (
        "its end is not known yet"
    )
    assert "Amlodipine" not in early.as_text()
    assert "observation: Blood pressure 148.4/91.6 mm[Hg] (2026-02-10)" in RecordTools(woman, "2026-02-10").as_text()


def test_interactions_name_what_the_lexicon_knows() -> None:
    lexicon = load_extractor().lexicon
    for each in load_interactions():
        assert all(lexicon.by_key(key, ("drug", "drug_class")) for key in each.pair), each


class Spy:
    """A target that tries to get at truth and rules through what it is given: every tool with every bait."""

    BAITS = (
        "", "slots", "slots_truth", "chief_symptom", "synthetic", "must_omit", "safety_rules", "CSP_", "__class__",
        "../../dialogue/rules/config/safety_rules.yaml", "/etc/passwd", "file:///", "*", ".", "%", "[", "\x00",
    )  # fmt: skip

    def __init__(self) -> None:
        self.told: list[str] = []
        self.asked: list[Asked] = []

    def answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        for tool in TOOLS:
            function = tool["function"]
            names = list(function["parameters"]["properties"])
            for bait in self.BAITS:
                kinds = (*KINDS, bait) if "kind" in names else ("",)
                for kind in kinds:
                    given: dict[str, Any] = dict.fromkeys(names, bait) | ({"kind": kind} if kind else {})
                    if "drugs" in names:
                        given["drugs"] = [bait, "warfarin"]
                    assert asked.call
                    self.told.append(asked.call(function["name"], json.dumps(given)))
        for name in ("truth", "slots", "rules", "__getattribute__", "_entries", "call", "as_text", "open"):
            assert asked.call
            self.told.append(asked.call(name, "{}"))
        return Reply("An answer.")

    def close(self) -> None: ...


def reachable(start: Any) -> list[Any]:
    """Everything that hangs on an object by attributes, items and closures, modules and classes aside."""
    seen: dict[int, Any] = {}
    waiting = [start]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, (type, ModuleType)):
            continue
        seen[id(each)] = each
        waiting += getattr(each, "__dict__", {}).values()
        waiting += [getattr(each, slot) for slot in getattr(type(each), "__slots__", ()) if hasattr(each, slot)]
        if isinstance(each, dict):
            waiting += [*each, *each.values()]
        elif isinstance(each, (list, tuple, set, frozenset)):
            waiting += each
        waiting += [cell.cell_contents for cell in getattr(each, "__closure__", None) or ()]
        waiting += [each.__self__] if isinstance(each, MethodType) else []
    return list(seen.values())


def test_an_agent_that_tries_reaches_neither_truth_nor_rules(written: Any, tmp_path: Path) -> None:
    """Its tools, and the objects behind them, hold the record and nothing that scores."""
    own = "a symptom that only the script knows"
    (woman,) = read_patients([written("b.json", *record())])
    slots = {"age": 67, "chief_symptom": {"name": own, "synthetic": True}}
    turns = [{"turn_id": 1, "question": {"text": "Hello?"}, "must_omit": ["age"]}]
    script = {"patient_id": "p1", "lang": "en", "index_date": "2026-02-10", "slots": slots, "turns": turns}
    prompts, prompt_hash = load_prompts()
    plan = Plan([script], [ARMS["agent"]], "spy", {"en": prompts.en}, prompt_hash, "r", records={"p1": woman})
    spy, log = Spy(), KeyedLog(tmp_path / "x", settings={})
    try:
        assert hold_conversations(plan, spy, log, concurrency=1, progress=lambda _: None).failures == []
    finally:
        log.close()
    rules = (CONFIG_FOLDER / "safety_rules.yaml").read_text("utf-8")
    ids = set(re.findall(r"\bCSP_\w+", rules))
    assert len(ids) > 20
    everything = "\n".join(spy.told)
    assert own not in everything
    assert not any(each in everything for each in ids)
    found = reachable(spy.asked[0])
    assert any(each is woman.conditions[0] for each in found), "the walk does reach the record"
    assert not any(each is slots or each == own for each in found)
    assert not any(isinstance(each, str) and "CSP_" in each for each in found)


def many(written: Any) -> RecordTools:
    """One drug since 1996 that is still taken, behind many orders that are over, and a bypass behind many visits."""
    over = [medication(f"Amoxicillin {at} MG Oral Tablet", f"2020-01-{at % 28 + 1:02}", "stopped") for at in range(40)]
    old = [medication("Insulin glargine", "1996-04-01")]
    visit = {"resourceType": "Procedure", "status": "completed", "subject": {"reference": "Patient/p1"}}
    seen = [{**visit, "code": coded("Dental cleaning"), "performedDateTime": f"20{at:02}-01-01"} for at in range(1, 26)]
    bypass = {**visit, "code": coded("Coronary artery bypass"), "performedDateTime": "1998-05-05"}
    (patient,) = read_patients([written("many.json", *record(), *over, *old, *seen, *seen, bypass)])
    return RecordTools(patient, "2026-02-10")


def test_the_text_of_a_record_has_all_that_is_active_and_says_what_it_leaves_out(written: Any) -> None:
    text = many(written).as_text()
    assert "medication: Insulin glargine (1996-04-01)" in text
    assert "procedure: Coronary artery bypass (1998-05-05)" in text
    assert "Dental cleaning (2025-01-01), and 49 earlier" in text
    assert text.count("Amoxicillin") == MOST_FOUND
    assert "medication: 11 older past names are left out" in text


def test_a_search_that_is_cut_says_so_and_has_what_is_active(written: Any) -> None:
    found = told(many(written), "search", kind="medication")
    assert len(found) == MOST_FOUND + 1
    assert "Insulin glargine" in [each.get("name") for each in found]
    assert found[-1] == {"left_out": 14, "hint": "more entries match; search with a text"}


@pytest.mark.parametrize(
    ("asked", "value"),
    [("HbA1c", 7.16), ("당화혈색소", 7.16), ("LDL", 101), ("BMI", 27.5), ("WBC", 6.1), ("eGFR", 52.4), ("glucose", 99)],
)
def test_a_measurement_is_found_by_any_name_of_the_lexicon(written: Any, asked: str, value: float) -> None:
    more = [
        observation("Low Density Lipoprotein Cholesterol", "18262-6", 101, "mg/dL", "2026-02-10"),
        observation("Body mass index (BMI) [Ratio]", "39156-5", 27.5, "kg/m2", "2026-02-10", category="vital-signs"),
        observation("Leukocytes [#/volume] in Blood by Automated count", "6690-2", 6.1, "10*3/uL", "2026-02-10"),
        observation("Glucose [Mass/volume] in Blood", "2339-0", 99, "mg/dL", "2026-02-09"),
        observation("Glucose [Mass/volume] in Urine by Test strip", "5792-7", 1, "mg/dL", "2026-02-10"),
    ]
    (woman,) = read_patients([written("b.json", *record(), *more)])
    tools = RecordTools(woman, "2026-02-10")
    assert told(tools, "latest_observation", name=asked)["value"] == value
    assert value in [each["value"] for each in told(tools, "search", kind="observation", text=asked)]


def test_halves_of_characters_in_a_call_are_answered_whole(tools: RecordTools) -> None:
    tools.call("\ud83d", '{"x\\ud83d": 1}').encode()
    tools.call("patient", '{"x\\ud83d": 1}').encode()
