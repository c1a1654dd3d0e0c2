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
from jatdae.text.evidence import show_passages
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


@settings(derandomize=True, deadline=None, max_examples=60)
@given(WORDS, WORDS)
def test_every_text_that_moved_is_told_by_a_passage_that_is_told_itself(a, b):
    prediction, reference = "".join(a), "".join(b)
    found = find_passages(edit_runs(prediction, reference), prediction, reference)
    shown = show_passages(found, (prediction, reference), ([], []))
    assert [each["at"] for each in shown] == [list(each.run[1:]) for each in longest(found)]
    for each in shown:
        assert "from" not in each or "from" not in shown[each["from"]]
        assert not ("after" in each and "from" in each)


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


NOTES = (
    "25 William Beckford, An Arabian Tale, from an unpub- lished manuscript: with notes and explana- tory remarks. "
    "26 For the association between coffee and wine, see Ralph Hattox, Coffee and coffee- houses: the ori- gins of a "
    "social beverage in the medieval Middle East. 27 A collection of voy- ages and trav- els, vol- ume one."
)


def test_a_moved_text_with_broken_words_is_told_once_with_both_places():
    last = f"{' '.join((*PARAGRAPHS, *COLUMNS))} {SENTENCE}"
    reference = f"{OTHERS} FIGURE 4.2 A caption. {last} To {NOTES} 30 Again."
    prediction = f"{OTHERS} {NOTES.replace('- ', '')} Figure 4.2 A caption. {last} To 30 Again."
    evidence = scored(prediction, reference).evidence
    (told,) = [each for each in evidence["passages"] if each["kind"] == "moved" and "from" not in each]
    assert told["reference"].startswith("25 William Beckford")
    assert told["reference"].endswith("vol- ume one.")
    assert told["after"][0].endswith("the arms of the study. To")
    assert told["after"][1].endswith("took one tablet daily.")
    assert "took one tablet daily.”" in next(iter(say_findings(evidence)))


COLUMNS = (
    'When asked how often social media was inciting violence, 46% had "sometimes" seen it, and 27% had seen this '
    "content rarely or never. Women have seen such content more often than men, and Indonesia was the country where",
    'respondents had seen this content "very often" (58%). Users of Facebook and Instagram acknowledged that they had '
    'seen this content "always" (26%). Thirty-nine per cent had "sometimes" seen content against the community.',
)


def test_columns_in_the_wrong_order_are_one_or_two_texts_that_moved_each_with_its_place():
    first, second = COLUMNS
    wrong = f"{OTHERS} {second} {first} It ends here.".replace('"', "'")
    told = [
        each
        for each in scored(wrong, f"{OTHERS} {first} {second} It ends here.").evidence["passages"]
        if each["kind"] == "moved" and "from" not in each
    ]
    assert 1 <= len(told) <= 2
    for each in told:
        text = each.get("reference") or each["prediction"]
        assert text.startswith(("When asked how", "respondents had"))
        assert each["after"][0] != each["after"][1]


def test_places_hold_for_graphemes_and_texts_without_spaces():
    moved = "".join(chr(0xAC00 + 37 * at % 11000) for at in range(90))
    rest = "".join(chr(0xAC00 + 53 * at % 10000) for at in range(200, 420))
    for config in ({}, {"unit": "grapheme"}):
        outcome = scored(f"{moved}{rest}끝", f"{rest}{moved}끝", **config)
        (told,) = [each for each in outcome.evidence["passages"] if "from" not in each]
        assert told["after"] == [rest[-40:], ""]


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
