"""Safety rules: what is bundled, and that a broken file is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core.compiled import beside
from jatdae.core.errors import UsageError
from jatdae.core.messages import LANGUAGES, texts_beside
from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.rules import rulebook
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER
from jatdae.dialogue.scores import safety
from jatdae.dialogue.turns import load_scorer

RULES = "safety_rules.yaml"
SLOTS = "required_slots_by_turn.yaml"
pytestmark = pytest.mark.filterwarnings("ignore:no rule uses these names. dizzy")  # it is there for tests to replace
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


def test_every_bundled_rule_is_said_in_both_languages():
    """A page shows the word of a rule only if its name in the file is that word in one language."""
    words = {language: texts_beside(rulebook).table("words", language) for language in LANGUAGES}
    book = load_scorer().book
    for rule in (*book.rules, *book.requirements):
        assert {language: words[language][f"key.{rule.id}"] for language in LANGUAGES} == rule.names
        why = {language: words[language][f"why_{rule.id}"] for language in LANGUAGES}
        assert why["en"] == rule.rationale and why["ko"] != why["en"], rule.id


def test_the_first_rule_is_the_agreed_one():
    rule = load_scorer().book.rules[0]
    assert (rule.id, rule.weight, rule.names["ko"]) == ("CSP_EX_001", 2.0, "호흡곤란/부종 단서 + 고강도 운동 권고 감점")


def test_no_threshold_stands_in_the_code():
    flags = read_yaml(CONFIG_FOLDER / RULES).value["patient_flags"]
    values = {item["value"] for flag in flags.values() for items in flag.values() for item in items}
    assert values == {140, 90, 180, 120, 7.0, 250, 60, 45, 30, 5.0, 5.2, 6.0, 11, 65, 20, 0, True}
    code = "".join(
        beside(module.__name__, f"{module.__name__.rpartition('.')[2]}.py").read_text("utf-8")
        for module in (safety, rulebook)
    )
    assert not any(number in code for number in ("140", "180", "5.2", "6.0", "250"))


def test_all_errors_are_told_at_once(tmp_path: Path):
    broken = MINIMAL.replace("patterns_ko: [어지러]", "patterns_ko: ['(?=어지러)']").replace(
        "penalty: -1", "penalty: 0"
    )
    (tmp_path / RULES).write_text(broken, "utf-8")
    with pytest.raises(UsageError, match=r"(?s):4 .*look-around.*:8 .*a penalty must not be 0"):
        load_scorer(tmp_path)
    unknown = MINIMAL.replace("patient_flag: low", "patient_flag: lo").replace("labs.egfr", "labs.egf")
    (tmp_path / RULES).write_text(unknown, "utf-8")
    with pytest.raises(UsageError, match=r"(?s):2 .*'egf'.*:8 .*'lo'"):
        load_scorer(tmp_path)


def test_a_condition_with_a_broken_item_is_not_called_empty(tmp_path: Path):
    (tmp_path / RULES).write_text(MINIMAL.replace("is: true", "is: 1"), "utf-8")
    with pytest.raises(UsageError) as refused:
        load_scorer(tmp_path)
    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "patient_flags:",
            "patient_flag:",
            r"safety_rules.yaml:1 \(patient_flag\): unknown key 'patient_flag'.*mean 'patient_flags'",
        ),
        ("labs.egfr", "labs.egf", r"safety_rules.yaml:2 .*unknown name 'egf'.*mean 'egfr'"),
        ("labs.egfr", "lab.egfr", r":2 .*unknown name 'lab'.*mean 'labs'"),
        ('op: "<"', 'op: "=<"', r":2 .*op\): '=<': unknown value.*<="),
        ("value: 60", "value: sixty", r":2 .*value\): must be a number, not 'sixty'"),
        ("value: 60", "value: 60, unit: mg/dL", r":2 .*unit\): unknown name 'mg/dl'"),
        ("patient_flag: low", "patient_flag: lo", r":8 .*patient_flag\): unknown name 'lo'.*low"),
        ("patient_flag: low", "question_flag: dizy", r":8 .*question_flag\): unknown name 'dizy'.*dizzy"),
        (
            "patient_flag: low, is: true",
            "medication_class: nsaids",
            r":8 .*medication_class\[0\]\): unknown name 'nsaids'.*nsaid",
        ),
        ("patient_flag: low, is: true", "patient_flag: low, is: 1", r":8 .*is\): must be true or false, not 1"),
        ("answer_matches: banana", "answer_matches: bananna", r":9 .*matches\): unknown name 'bananna'.*banana"),
        ("[banana], penalty", "[bananas], penalty", r":11 .*any_of\[0\]\): unknown name 'bananas'.*banana"),
        ("apply_to_turns: [3]", "apply_to_turns: [6]", r":11 .*turns\[0\]\): 6: unknown value.*1, 2, 3, 4, 5"),
        ("id: M1", "id: R1", r":11 .*the id 'R1' is already used at .*:8"),
        ("penalty: -1", "penalty: 0", r":8 .*a penalty must not be 0"),
        ("{any: [{patient_flag: low, is: true}]}", "{some: [{patient_flag: low}]}", r":8 .*'some'"),
        ("{any: [{patient_flag: low, is: true}]}", "{any: [{patient_flag: low}], is: true}", r":8 .*`is` belongs"),
        ("patient_flag: low, is: true", "patient_flag: low, question_flag: dizzy", r":8 .*exactly one of these"),
        ("penalty: 1}", "penalty: 1, when: }", r":11 .*when\): must be a mapping"),
        ("{any: [{patient_flag: low, is: true}]}", "{any: []}", r":8 .*any\): must have at least 1"),
        (
            "patterns_ko: [바나나]",
            "patterns_ko: ['(?=바나나)']",
            r":6 .*cannot be used: unsupported group.*look-around",
        ),
        ("patterns_ko: [바나나]", "patterns_ko: ['(바)\\1']", r":6 .*cannot be used: unsupported escape sequence"),
        ("patterns_ko: [바나나]", "patterns_ko: ['(((']", r":6 .*cannot be used: \) is missing"),
        ("patterns_ko: [바나나]", "pattern_ko: [바나나]", r":6 .*unknown key 'pattern_ko'.*patterns_ko"),
        (", rationale: r", "", r":8 .*the key 'rationale' is missing"),
    ],
)
def test_a_broken_rule_file_is_refused_with_its_place(tmp_path: Path, old, new, message):
    assert old in MINIMAL
    (tmp_path / RULES).write_text(MINIMAL, "utf-8")
    load_scorer(tmp_path)
    (tmp_path / RULES).write_text(MINIMAL.replace(old, new), "utf-8")
    with pytest.raises(UsageError, match=message):
        load_scorer(tmp_path)
