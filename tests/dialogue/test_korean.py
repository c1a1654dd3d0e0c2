"""Errors in Korean: no English sentence reaches the user under `ko`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jatdae.core.errors import JatdaeError
from jatdae.core.messages import speaking
from jatdae.dialogue import DialogueEvaluator
from jatdae.dialogue.commands import check
from jatdae.dialogue.reading.patterns import find_pattern_problem

HANGUL = re.compile("[가-힣]")
ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Three words in a row; lists of names have commas between them."""
BROKEN = {
    "safety_rules.yaml": [
        "rule: []",
        "patient_flags: {a: {}}",
        "patient_flags: {a: {any: [{field: labs.egf, op: '<', value: 3}, {field: x, op: '<', value: 3}]}}",
        "patient_flags: {a: {all: [{field: age, op: '<', value: old}, {field: sex, op: '==', value: woman}]}}",
        "patient_flags: {a: {all: [{field: labs.egfr, op: '<', value: 3, unit: mg}, {field: age, op: x, value: 3}]}}",
        "question_flags: {a: {patterns_en: ['(?=x)', ' ', 3]}}",
        "answer_patterns: {a: {medication_classes: [nsaids], other_than_active: yes}}",
        "rules: [{id: R, name: n, penalty: 0, rationale: r, when: {any: [], all: []}}]",
        "rules: [{id: R, name: n, penalty: 1, rationale: r, when: {any: [{patient_flag: x}], is: true}}]",
        "rules: [{id: R, name: n, penalty: 1, rationale: r, when: {patient_flag: x}, violation_if_answer_matches: y}]",
        "answer_patterns: {b: {}}\nmissing_requirements:\n"
        "- {id: M, name: n, apply_to_turns: [1], required_concepts_any_of: [b], penalty: 1}\n"
        "- {id: M, name: n, apply_to_turns: [1], required_concepts_any_of: [b], penalty: 1}",
        "- 1",
    ],
    "required_slots_by_turn.yaml": [
        "turns: {'6': {}}",
        "turns: {'1': {required_slots: [{slot: ages, weight: 0, use: some}]}}",
        "turns: {'1': {required_slots: [], must_include_elements: [x]}}",
        "turns: {}\nelements: {a: {quantified: {items: {min: 1.5}}}}",
    ],
    "scoring.yaml": [
        "sfs: {weights: {drug: 1}}\naggregate: {weights: {SFS: 0, XYZ: 1}}",
        "sfs: {weights: {drug: 1}}\naggregate: {weights: {SFS: -1}}",
        "sfs: {weights: {other: 0}}\naggregate: {weights: {SFS: 1}}",
    ],
    "other.yaml": [""],
}
LEXICONS = [
    "drug: {}",
    "replace: maybe",
    "drugs: {x: {class: [nsaids]}}",
    "drugs: {x: {class: nsaid, ko: ['" + "{a|b}" * 11 + "', ' ']}}",
    "measures: {x: {kind: lab, units: {mg: 0, g: [1]}, pair: [y]}}",
    "demographics: {x: {kind: age_group}}",
    "hints: {x: {}}",
]
LINES = ["{", "[]", "{}", '{"slots": {}, "turns": [{}]}', '{"schema_version": "events_record.v1", "mode": 3}']


def told_in_korean(text: str) -> bool:
    """Whether every line is Korean, once place and quoted input are taken away."""
    lines = [re.sub(r"'[^']*'", "", line) for line in text.splitlines()]
    return all(HANGUL.search(line) and not ENGLISH.search(line) for line in lines)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in BROKEN.items() for text in texts])
def test_a_broken_configuration(tmp_path: Path, name, text):
    (tmp_path / name).write_text(text, "utf-8")
    with speaking("ko"), pytest.raises(JatdaeError) as refused:
        DialogueEvaluator(config=tmp_path)
    assert told_in_korean(str(refused.value)), refused.value


@pytest.mark.parametrize("text", LEXICONS)
def test_a_broken_lexicon(tmp_path: Path, text):
    file = tmp_path / "mine.yaml"
    file.write_text(text, "utf-8")
    with speaking("ko"), pytest.raises(JatdaeError) as refused:
        DialogueEvaluator(lexicon=file)
    assert told_in_korean(str(refused.value)), refused.value


def test_broken_scripts_and_lines(tmp_path: Path, capsys):
    file = tmp_path / "lines.jsonl"
    for line in LINES:
        file.write_text(line, "utf-8")
        with speaking("ko"):
            with pytest.raises(JatdaeError) as refused:
                DialogueEvaluator(scripts=file)
            check(file)
        assert told_in_korean(str(refused.value)) and told_in_korean(capsys.readouterr().out)


@pytest.mark.parametrize("config", [{"config": Path("nowhere")}, {"scripts": Path("nowhere")}, {"max_chars": 0}])
def test_settings(config):
    with speaking("ko"), pytest.raises(JatdaeError) as refused:
        DialogueEvaluator(**config)
    assert told_in_korean(str(refused.value))


@pytest.mark.parametrize(
    "pattern",
    [r"\q", "[z-a]", "[a", "(a", "a)", "\\", "*a", "a{1001}", "a**", "(?=a)", "(?P<n", "\ud800", "[[:foo:]]"],
)
def test_what_the_pattern_engine_refuses(pattern):
    with speaking("ko"):
        problem = find_pattern_problem(pattern)
    assert HANGUL.search(problem) and not ENGLISH.search(problem)
