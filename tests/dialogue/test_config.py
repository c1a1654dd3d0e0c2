"""Rules, requirements and weights: what is bundled, and that whatever is off in a file is refused with its place."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.rules import rulebook
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER
from jatdae.dialogue.rules.requirements import load_requirements
from jatdae.dialogue.scores import safety
from jatdae.dialogue.scores.overall import load_weights
from jatdae.dialogue.turns import load_scorer

RULES = "safety_rules.yaml"
SLOTS = "required_slots_by_turn.yaml"
MINIMAL = """patient_flags:
  low: {all: [{field: labs.egfr, op: "<", value: 60}]}
question_flags:
  dizzy: {patterns_ko: [어지러], patterns_en: [dizzy]}
answer_patterns:
  banana: {patterns_ko: [바나나], patterns_en: [banana]}
rules:
- {id: R1, name: n, penalty: -1, rationale: r, when: {any: [{patient_flag: low, is: true}]},
   violation_if_answer_matches: banana}
missing_requirements:
- {id: M1, name: n, apply_to_turns: [3], required_concepts_any_of: [banana], penalty: 1}
"""


def test_at_least_twenty_rules_each_with_rationale_and_citation():
    book = load_scorer().book
    assert len(book.rules) >= 20
    for rule in (*book.rules, *book.requirements):
        assert len(rule.rationale) > 5 and len(rule.citation) > 15, rule.id
        assert rule.weight > 0


def test_the_first_rule_is_the_agreed_one():
    rule = load_scorer().book.rules[0]
    assert (rule.id, rule.weight, rule.name) == ("CSP_EX_001", 2.0, "호흡곤란/부종 단서 + 고강도 운동 권고 감점")


def test_bundled_requirements_are_the_agreed_ones():
    turns = load_requirements().turns
    assert {n: [(w.slot, w.weight) for w in turn.slots] for n, turn in turns.items()} == {
        1: [("age", 1), ("sex", 1), ("primary_condition", 2)],
        2: [("active_meds", 2), ("labs", 2), ("vitals", 1), ("major_procedures", 0.5)],
        3: [("primary_condition", 2), ("labs", 2), ("vitals", 1), ("active_meds", 1)],
        4: [("primary_condition", 2), ("labs", 2), ("active_meds", 1)],
        5: [("primary_condition", 2), ("labs", 2), ("vitals", 1), ("active_meds", 1)],
    }
    assert {n: [e.name for e in turn.elements] for n, turn in turns.items() if turn.elements} == {
        3: ["frequency", "intensity", "duration", "stop_criteria"],
        4: ["rules_3_to_5", "monitoring_metric"],
        5: ["priorities_top3", "weekly_plan", "monitoring_metric", "retest_timing"],
    }
    assert [turns[n].least for n in range(1, 6)] == [0.5, 0.6, 0.65, 0.65, 0.7]


def test_no_threshold_stands_in_the_code():
    flags = read_yaml(CONFIG_FOLDER / RULES).value["patient_flags"]
    values = {item["value"] for flag in flags.values() for items in flag.values() for item in items}
    assert values == {140, 90, 180, 120, 7.0, 250, 60, 30, 5.2, 6.0, 11, 65}
    code = "".join(inspect.getsource(module) for module in (safety, rulebook))
    assert not any(number in code for number in ("140", "180", "5.2", "6.0", "250"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "patient_flags:",
            "patient_flag:",
            r"safety_rules.yaml:1 \(patient_flag\): no key is called 'patient_flag'.*patient_flags",
        ),
        ("labs.egfr", "labs.egf", r"safety_rules.yaml:2 .*no measurement of labs is called 'egf'.*egfr"),
        ("labs.egfr", "lab.egfr", r":2 .*no slot is called 'lab'.*labs"),
        ('op: "<"', 'op: "=<"', r":2 .*no operator is called '=<'"),
        ("value: 60", "value: sixty", r":2 .*has to be a number"),
        ("value: 60", "value: 60, unit: mg/dL", r":2 .*no unit of egfr is called 'mg/dl'"),
        ("patient_flag: low", "patient_flag: lo", r":8 .*no patient flag is called 'lo'.*low"),
        ("patient_flag: low", "question_flag: dizy", r":8 .*no question flag is called 'dizy'.*dizzy"),
        ("patient_flag: low, is: true", "medication_class: nsaids", r":8 .*no drug class is called 'nsaids'.*nsaid"),
        ("patient_flag: low, is: true", "patient_flag: low, is: 1", r":8 .*`is` is true or false"),
        ("answer_matches: banana", "answer_matches: bananna", r":9 .*no answer pattern is called 'bananna'.*banana"),
        ("[banana], penalty", "[bananas], penalty", r":11 .*no answer pattern is called 'bananas'.*banana"),
        ("apply_to_turns: [3]", "apply_to_turns: [6]", r":11 .*no turn is called 6"),
        ("id: M1", "id: R1", r":11 .*the id 'R1' is taken"),
        ("penalty: -1", "penalty: 0", r":8 .*a penalty of 0"),
        ("{any: [{patient_flag: low, is: true}]}", "{some: [{patient_flag: low}]}", r":8 .*'some'"),
        ("{any: [{patient_flag: low, is: true}]}", "{any: []}", r":8 .*at least one condition"),
        ("patterns_ko: [바나나]", "patterns_ko: ['(?=바나나)']", r":6 .*cannot be taken.*look-around"),
        ("patterns_ko: [바나나]", "patterns_ko: ['(바)\\1']", r":6 .*cannot be taken"),
        ("patterns_ko: [바나나]", "patterns_ko: ['(((']", r":6 .*cannot be taken"),
        ("patterns_ko: [바나나]", "pattern_ko: [바나나]", r":6 .*no key is called 'pattern_ko'.*patterns_ko"),
        (", rationale: r", "", r":8 .*rationale is missing"),
    ],
)
def test_a_broken_rule_file_is_refused_with_its_place(tmp_path: Path, old, new, message):
    assert old in MINIMAL
    (tmp_path / RULES).write_text(MINIMAL, "utf-8")
    load_scorer(tmp_path)
    (tmp_path / RULES).write_text(MINIMAL.replace(old, new), "utf-8")
    with pytest.raises(UsageError, match=message):
        load_scorer(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("slot: age", "slot: ages", r"required_slots_by_turn.yaml:\d+ .*no slot is called 'ages'.*age"),
        ("use: any", "use: some", r"no use is called 'some'"),
        ('"1":', '"6":', r"no key is called '6'"),
        ("[frequency,", "[frequancy,", r"no element is called 'frequancy'.*frequency"),
        ("weight: 0.5", "weight: 0", r"a weight is above 0"),
        ("{min: 3, max: 5}", "{min: 3}", r"max is missing"),
    ],
)
def test_a_broken_requirements_file_is_refused_with_its_place(tmp_path: Path, old, new, message):
    text = (CONFIG_FOLDER / SLOTS).read_text("utf-8")
    assert old in text
    (tmp_path / SLOTS).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(UsageError, match=message):
        load_requirements(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sfs: {weights: {drug: 1}}\naggregate: {weights: {SFS: 1}}", "other is missing"),
        ("sfs: {weights: {other: 1}}\naggregate: {weights: {SFC: 1}}", r":2 .*no key is called 'SFC'.*SFS"),
        ("sfs: {weights: {other: -1}}\naggregate: {weights: {SFS: 1}}", "at least 0"),
        ("sfs: {weights: {other: 1}}\naggregate: {weights: {SFS: 0}}", "at least one weight"),
        ("sfs: {weights: {other: 1}}", "aggregate is missing"),
        ("SFS: {weights: {other: 1}}", r":1 .*no key is called 'SFS'.*mean 'sfs'"),
        ("sfs: {weights: {other: 1}}\nagregate: {weights: {SFS: 1}}", r":2 .*'agregate'.*mean 'aggregate'"),
        ("sfs: {weights: {drug: 1}}\naggregate: {weigths: {SFS: 1}}", r":2 .*'weigths'.*mean 'weights'"),
    ],
)
def test_broken_weights_are_refused(tmp_path: Path, text, message):
    (tmp_path / "scoring.yaml").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        load_weights(tmp_path)


def test_a_file_of_another_name_is_not_passed_over(tmp_path: Path):
    (tmp_path / "safety_rule.yaml").write_text(MINIMAL, "utf-8")
    with pytest.raises(UsageError, match=r"safety_rule.yaml: .*Did you mean 'safety_rules.yaml'"):
        load_scorer(tmp_path)


def test_no_such_folder(tmp_path: Path):
    with pytest.raises(UsageError, match="no such folder"):
        load_weights(tmp_path / "nowhere")


@pytest.mark.parametrize("use", ["any", "all", "share"])
def test_use_any_all_share(tmp_path: Path, use):
    from jatdae.dialogue import score_turn

    text = (CONFIG_FOLDER / SLOTS).read_text("utf-8")
    (tmp_path / SLOTS).write_text(
        text.replace("{slot: active_meds, weight: 2, use: any}", f"{{slot: active_meds, weight: 2, use: {use}}}"),
        "utf-8",
    )
    slots = {"active_meds": ["Metformin", "Aspirin"]}
    result = score_turn("메트포르민을 복용 중이십니다.", slots=slots, turn=2, config_dir=tmp_path)
    assert result["CUS_improved"]["score"] == {"any": 1.0, "all": 0.0, "share": 0.5}[use]
