"""Passages that are lost, moved or added as a whole are told from scattered errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Outcome, Sample
from jatdae.kernels.edit import edit_runs
from jatdae.text import TextEvaluator
from jatdae.text.findings import say_findings
from jatdae.text.passages import LEAST, MOST_SHOWN, count_passages, find_passages, longest

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "cases" / "passages.jsonl").read_text("utf-8").splitlines()
]


def scored(prediction: str, reference: str, **settings: str) -> Outcome:
    return TextEvaluator(**settings).score(Sample("x", prediction, reference))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_all_errors_are_counted_once(case):
    outcome = scored(case["prediction"], case["reference"])
    errors = sum(outcome.stats[f"cer.{name}"] for name in ("substitutions", "deletions", "insertions"))
    assert sum(outcome.counts["passages"].values()) == errors


def test_a_lost_paragraph_is_found_whatever_is_misread_around_it():
    first, lost, last = PARAGRAPHS
    reference = f"{first}\n\n{lost}\n\n{last}"
    prediction = f"{first}\n\n{last}".replace("e", "c", 9)
    outcome = scored(prediction, reference)
    (passage,) = outcome.evidence["passages"]
    assert abs(passage["characters"] - len(lost)) <= 3
    assert outcome.counts["passages"]["scattered"] >= 9
    assert outcome.counts["passages.lost"] == {"body": passage["characters"]}


PARAGRAPHS = (
    "The tongue was pale with a thin white coating, and the pulse was thready on both sides of the wrist.",
    "After two weeks of treatment the patient slept seven hours and no longer woke at night with a dry mouth.",
    "We therefore advise to continue the decoction for another month and to measure the blood pressure daily.",
)


def test_units_and_spaces_of_the_settings_hold_for_passages():
    reference, prediction = " ".join(PARAGRAPHS), " ".join(PARAGRAPHS[::2])
    for config in ({"unit": "grapheme"}, {"spaces": "ignore"}):
        (passage,) = scored(prediction, reference, **config).evidence["passages"]
        assert passage["kind"] == "lost"
        assert passage["characters"] >= 80


def test_a_perfect_text_and_a_short_one_have_none():
    for prediction, reference, scattered in (("a", "b", 1), (PARAGRAPHS[0], PARAGRAPHS[0], 0), ("", "short", 5)):
        outcome = scored(prediction, reference)
        assert "passages" not in outcome.evidence
        assert outcome.counts.get("passages", {}) == ({"scattered": scattered} if scattered else {})


def test_only_the_longest_are_shown_in_their_order():
    reference = "".join(f"{'abcdefghij'[at % 10] * (LEAST + at)}=========={at:03d}" for at in range(MOST_SHOWN + 5))
    prediction = "".join(f"=========={at:03d}" for at in range(MOST_SHOWN + 5))
    found = find_passages(edit_runs(prediction, reference), prediction, reference)
    assert len(found) == MOST_SHOWN + 5
    shown = longest(found)
    assert len(shown) == MOST_SHOWN
    assert shown == sorted(shown, key=lambda each: each.run.reference_start)
    assert min(each.characters for each in shown) > min(each.characters for each in found)


WORDS = st.lists(
    st.sampled_from(["tongue", "pulse", "혀", "맥박", " ", "x" * 50, "the coating is thick and white today "])
)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(WORDS, WORDS)
def test_passages_never_count_more_than_there_are_errors(a, b):
    prediction, reference = "".join(a), "".join(b)
    runs = edit_runs(prediction, reference)
    distance = sum(max(r[2] - r[1], r[4] - r[3]) for r in runs if r.kind != "equal")
    counts = count_passages(find_passages(runs, prediction, reference), distance)
    assert sum(counts.values()) == distance
    assert min(counts.values(), default=0) >= 0


SENTENCE = "Adverse events were rare and did not differ between the arms of the study."
OTHERS = (
    "The trial enrolled 212 patients with heart failure in 2019. Its primary outcome was admission to hospital. "
    "Everybody took one tablet daily."
)


def test_a_text_that_moved_is_one_finding_with_both_places_and_counts_twice():
    outcome = scored(f"{SENTENCE} {OTHERS} We stop there: safety.", f"{OTHERS} {SENTENCE} We stop there: safety.")
    first, second = sorted(outcome.evidence["passages"], key=lambda each: "from" in each)
    assert {first["kind"], second["kind"]} == {"moved"}
    assert outcome.evidence["passages"][second["from"]] is first
    assert first["after"][0].endswith("took one tablet daily.")
    assert first["after"][1] == ""
    assert first["reference"].strip() == second["prediction"].strip() == SENTENCE
    assert outcome.counts["passages"]["moved"] == first["characters"] + second["characters"]
    assert len([line for line in say_findings(outcome.evidence) if SENTENCE[:30] in line]) == 1


def test_a_replaced_passage_is_said_on_both_sides_at_whole_words():
    before = "quinquagesimal lamplighters wandered along dusky boulevards"
    after = "three foxes jumped over high fences into my small yardboulevards"
    outcome = scored(f"{OTHERS} Then {after} again.", f"{OTHERS} Then {before} again.")
    (passage,) = outcome.evidence["passages"]
    assert passage["kind"] == "replaced"
    assert passage["reference"] in before
    assert passage["prediction"] in after
    assert set(passage["reference"].split()) <= set(before.split())
    assert set(passage["prediction"].split()) <= set(after.split())
    assert any("” → “" in line for line in say_findings(outcome.evidence))
