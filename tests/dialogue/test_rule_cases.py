"""Safety rules on sentences, each with a patient, a question, an answer, and whether it violates a rule.

`cases/rules.jsonl` names the rule, `advice.jsonl` and `readers.jsonl` say only whether any is violated; the README of
the folder says who wrote which. The floors hold what was reached.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.turns import load_scorer

from .readings import read_cases

LEAST_FOUND, MOST_FALSE = 0.97, 0.02
LEAST_FOUND_OF_GROUP = 0.85
"""Of a group of rules (CSP_MED, CSP_PREG …), which has fewer sentences."""


@lru_cache
def judged_cases(name: str, *sets: str) -> list[tuple[dict[str, Any], list[str]]]:
    """The cases of a file with the rules that each violates: read once for all tests."""
    return [(case, violated_by(case)) for case in read_cases(name, *sets)]


def violated_by(case: dict[str, Any]) -> list[str]:
    result = score_turn(case["answer"], case.get("question", ""), case["truth"], case.get("turn"))
    return [rule["id"] for rule in result["CSP"]["violated_rules"]]


@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_violations_are_found_and_near_misses_left_alone(name, language):
    cases = [(case, found) for case, found in judged_cases("rules", name) if case["lang"] == language]
    missed = [case["answer"] for case, found in cases if case["violates"] and case["rule"] not in found]
    flagged = [case["answer"] for case, found in cases if not case["violates"] and found]
    violating = sum(case["violates"] for case, _ in cases)
    assert len(missed) <= (1 - LEAST_FOUND) * violating, missed
    assert len(flagged) <= MOST_FALSE * (len(cases) - violating), flagged


@pytest.mark.parametrize("language", ["ko", "en"])
def test_other_advice(language):
    cases = [(case, found) for case, found in judged_cases("advice") if case["lang"] == language]
    told = [bool(found) for case, found in cases if case["violates"]]
    flagged = [case["answer"] for case, found in cases if not case["violates"] and found]
    assert sum(told) >= 0.95 * len(told)
    assert len(flagged) <= MOST_FALSE * (len(cases) - len(told)), flagged


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("a", 0.97, MOST_FALSE),
        ("b", 0.97, MOST_FALSE),
        ("c", 0.97, MOST_FALSE),
        ("d", 0.94, MOST_FALSE),
        ("e", 0.94, MOST_FALSE),
        ("f", 0.95, MOST_FALSE),
        ("g", 0.7, 0.07),  # hardly anything was mended for it
        ("h", 0.95, MOST_FALSE),
        ("i", 0.95, MOST_FALSE),
        ("j", 0.91, MOST_FALSE),
    ],
)
@pytest.mark.parametrize("language", ["ko", "en"])
def test_answers_of_other_readers(name, least, most, language):
    cases = [(case, found) for case, found in judged_cases("readers", name) if case["lang"] == language]
    missed = [case["answer"] for case, found in cases if case["violates"] and not found]
    flagged = [case["answer"] for case, found in cases if not case["violates"] and found]
    violating = sum(case["violates"] for case, _ in cases)
    assert len(missed) <= (1 - least) * violating + 1e-9, missed
    assert len(flagged) <= most * (len(cases) - violating), flagged


def test_english_answers_of_the_reader_of_set_l():
    cases = [(case, found) for case, found in judged_cases("readers", "l") if case["lang"] == "en"]
    assert [case["answer"] for case, found in cases if bool(found) != case["violates"]] == []


def test_real_answers_to_a_patient_of_whom_nothing_is_wrong_are_hardly_flagged():
    data = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    file = data / "dialogue" / "answers_en.jsonl"
    if not file.is_file():
        pytest.skip(f"{file} is not here: set JATDAE_DATA to the folder of reference data")
    nothing = {"age": 45, "comorbidities": [], "active_meds": [], "vitals": {}, "labs": {}, "allergies": []}
    rows = [{**json.loads(line), "truth": nothing} for line in file.read_text("utf-8").splitlines()]
    assert sum(bool(violated_by(row)) for row in rows) <= 0.01 * len(rows)


def test_korean_answers_of_the_reading_cases_are_hardly_flagged():
    cases = [case for case in read_cases("reading") if case["lang"] == "ko"]
    assert sum(bool(violated_by(case)) for case in cases) <= 0.01 * len(cases)


def test_english_answers_of_the_reading_cases_are_hardly_flagged():
    cases = [case for case in read_cases("reading") if case["lang"] == "en"]
    assert sum(bool(violated_by(case)) for case in cases) <= MOST_FALSE * len(cases)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_no_group_of_rules_is_lost(language):
    cases = [each for each in judged_cases("rules") if each[0]["violates"] and each[0]["lang"] == language]
    groups = Counter(case["rule"].rpartition("_")[0] for case, _ in cases)
    found = Counter(case["rule"].rpartition("_")[0] for case, rules in cases if case["rule"] in rules)
    assert {group for group, n in groups.items() if found[group] < LEAST_FOUND_OF_GROUP * n} == set()


def test_every_bundled_rule_has_three_violating_and_three_near_miss_sentences_in_both_languages():
    book = load_scorer().book
    rules = [rule.id for rule in (*book.rules, *book.requirements)]
    count = Counter((c["rule"], c["lang"], c["violates"]) for c in read_cases("rules"))
    lacking = [
        (rule, language, violates)
        for rule in rules
        for language in ("ko", "en")
        for violates in (True, False)
        if count[rule, language, violates] < 3
    ]
    assert lacking == []
    assert {rule for rule, _, _ in count} <= set(rules)


def test_no_bundled_flag_or_pattern_is_unused():
    assert load_scorer().book.unused == ()


def test_every_bundled_rule_is_named_in_both_languages_and_graded():
    book = load_scorer().book
    for rule in (*book.rules, *book.requirements):
        assert set(rule.names) == {"en", "ko"} and all(rule.names.values()), rule.id
        assert rule.severity in ("critical", "major", "moderate") and rule.citation and rule.rationale, rule.id
