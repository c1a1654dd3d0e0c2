"""Safety rules: what is bundled, and that a broken file is refused with its place."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.rules import rulebook
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER
from jatdae.dialogue.scores import safety
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
        ("value: 60", "value: sixty", r":2 .*must be a number"),
        ("value: 60", "value: 60, unit: mg/dL", r":2 .*no unit of egfr is called 'mg/dl'"),
        ("patient_flag: low", "patient_flag: lo", r":8 .*no patient flag is called 'lo'.*low"),
        ("patient_flag: low", "question_flag: dizy", r":8 .*no question flag is called 'dizy'.*dizzy"),
        ("patient_flag: low, is: true", "medication_class: nsaids", r":8 .*no drug class is called 'nsaids'.*nsaid"),
        ("patient_flag: low, is: true", "patient_flag: low, is: 1", r":8 .*`is` is true or false"),
        ("answer_matches: banana", "answer_matches: bananna", r":9 .*no answer pattern is called 'bananna'.*banana"),
        ("[banana], penalty", "[bananas], penalty", r":11 .*no answer pattern is called 'bananas'.*banana"),
        ("apply_to_turns: [3]", "apply_to_turns: [6]", r":11 .*no turn is called 6"),
        ("id: M1", "id: R1", r":11 .*the id 'R1' is taken"),
        ("penalty: -1", "penalty: 0", r":8 .*a penalty must not be 0"),
        ("{any: [{patient_flag: low, is: true}]}", "{some: [{patient_flag: low}]}", r":8 .*'some'"),
        ("{any: [{patient_flag: low, is: true}]}", "{any: []}", r":8 .*at least one condition"),
        ("patterns_ko: [바나나]", "patterns_ko: ['(?=바나나)']", r":6 .*is not supported.*look-around"),
        ("patterns_ko: [바나나]", "patterns_ko: ['(바)\\1']", r":6 .*is not supported"),
        ("patterns_ko: [바나나]", "patterns_ko: ['(((']", r":6 .*is not supported"),
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
