"""What the documentation states is what the code does."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from jatdae.dialogue import DialogueEvaluator
from jatdae.dialogue.reading.statuses import STATUSES
from jatdae.dialogue.rules.requirements import load_requirements
from jatdae.dialogue.scores import consistency
from jatdae.dialogue.turns import load_scorer

from .conftest import read_gold

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "metrics" / "dialogue.md"


@pytest.fixture(scope="module")
def page() -> str:
    if not PAGE.is_file():
        pytest.skip(f"{PAGE} is not here: the documentation is not part of an installed package")
    return " ".join(PAGE.read_text("utf-8").split())


def test_the_size_of_the_lexicon(page):
    count = Counter(concept.category for concept in load_scorer().extractor.lexicon.concepts.values())
    tests = count["lab"] + count["vital"]
    stated = (
        f"{count['drug']} drug ingredients, {count['condition']} conditions, {count['symptom']} symptoms, {tests} tests"
    )
    assert stated in page


def test_the_number_of_rules_and_sentences(page):
    book = load_scorer().book
    assert f"{len(book.rules)} rules and {len(book.requirements)} requirements" in page
    assert f"{len(list(read_gold('gold.txt')))} sentences of our own" in page
    assert f"holds {len(list(read_gold('heldout.txt')))} more" in page
    unseen, fresh = (len(list(read_gold(name))) for name in ("unseen.txt", "fresh.txt"))
    assert f"`unseen.txt` {unseen} and `fresh.txt` {fresh}" in page


def test_every_issue_status_and_limit_is_described(page):
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "jatdae" / "dialogue").rglob("*.py"))
    codes = set(re.findall(r'Issue\("(\w+)"', sources)) | {
        "missing_answer",
        "not_text",
        "too_large",
        "nothing_mentioned",
    }
    codes |= {"no_rule_applies", "no_required_slot", "no_element_required", "unknown_turn"}
    for name in (*codes, *STATUSES, "not_in_truth", "contradicts_truth", "negates_truth"):
        assert f"`{name}`" in page, name
    assert f"{DialogueEvaluator.max_chars:,}" in page and f"more than {consistency.MOST} different" in page


def test_the_table_of_turns(page):
    for number, turn in load_requirements().turns.items():
        if number != 5:  # written as "as 3"
            listed = ", ".join(f"{wanted.slot} {wanted.weight:g}" for wanted in turn.slots)
            elements = ", ".join(element.name for element in turn.elements) or "–"
            assert f"| {number} | {listed} | {elements} |" in page


def test_it_says_that_the_rules_are_no_guidance(page):
    assert "They are no clinical guidance." in page and "## What the scores cannot tell" in PAGE.read_text("utf-8")
