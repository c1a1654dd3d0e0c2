"""Chains of English predicates, and what they say of a mention."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.mentions import load_extractor

from .conftest import statuses


@pytest.mark.parametrize(
    ("start", "status"),
    [
        ("Try", "recommended"),
        ("You could try", "recommended"),
        ("Feel free to have", "recommended"),
        ("I would suggest adding", "recommended"),
        ("It makes sense to choose", "recommended"),
        ("There is no need to avoid", "recommended"),
        ("Avoid", "advised_against"),
        ("Try not to eat", "advised_against"),
        ("I'd hold off on", "advised_against"),
        ("I would not recommend", "advised_against"),
        ("Never gobble", "advised_against"),
        ("You may want to cut back on", "advised_against"),
        ("It would be wise to steer clear of", "advised_against"),
        ("We advise against", "advised_against"),
        ("Does anybody like", "hedged"),
    ],
)
def test_the_chain_of_an_english_predicate(start, status):
    mark = "?" if start.startswith("Does") else "."
    assert statuses(f"{start} bananas{mark}") == [("banana", status, "affirmed")]


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("Bananas should be avoided.", "advised_against"),
        ("Bananas are best avoided.", "advised_against"),
        ("Bananas aren't a good idea.", "advised_against"),
        ("Bananas are worth trying.", "recommended"),
        ("Bananas should be part of your breakfast.", "recommended"),
        ("Bananas would help.", "recommended"),
        ("Bananas aren't recommended for people on dialysis.", "general"),
    ],
)
def test_the_passive_and_adjectives_speak_of_the_subject(sentence, status):
    assert statuses(sentence)[0][:2] == ("banana", status)


@pytest.mark.parametrize(
    ("sentence", "reading"),
    [
        ("You battled through with warfarin.", ("patient_fact", "affirmed")),
        ("She takes warfarin.", ("patient_fact", "affirmed")),
        ("Takes warfarin.", ("patient_fact", "affirmed")),
        ("We stopped your warfarin.", ("patient_fact", "negated")),
        ("Don't stop taking warfarin.", ("patient_fact", "affirmed")),
        ("I would not recommend stopping warfarin.", ("patient_fact", "affirmed")),
        ("Your doctor may prescribe warfarin.", ("hedged", "affirmed")),
        ("Patients on warfarin need tests.", ("general", "affirmed")),
        ("Should you take warfarin, tell us.", ("conditional", "affirmed")),
        ("Ask us before taking warfarin.", ("conditional", "affirmed")),
    ],
)
def test_what_an_english_predicate_says_of_a_drug(sentence, reading):
    assert statuses(sentence) == [("warfarin", *reading)]


def test_of_two_things_one_takes_the_place_of_the_other():
    for sentence in ("Replace soda with water.", "Swap soda for water.", "Choose water over soda."):
        found = dict(m[:2] for m in statuses(sentence))
        assert found == {"sugary_drinks": "advised_against", "water": "recommended"}
    assert statuses("Warfarin was replaced by apixaban.") == [
        ("warfarin", "patient_fact", "negated"),
        ("apixaban", "patient_fact", "affirmed"),
    ]


@pytest.mark.parametrize(
    ("text", "name", "status"),
    [
        ("If it is confirmed, you would be started on rivaroxaban.", "rivaroxaban", "conditional"),
        ("When you take alendronate, take it with plain water.", "alendronate", "recommended"),
        ("Pack enough clopidogrel for the trip, since you take it.", "clopidogrel", "patient_fact"),
        ("A study of 4,000 runners found one in four had depression.", "depression", "general"),
        ("Because you use ibuprofen daily, an endoscopy seems reasonable.", "endoscopy", "recommended"),
    ],
)
def test_what_is_proposed_presupposed_or_of_a_study(text, name, status):
    read = next(mention for mention in load_extractor().read(text).mentions if mention.text == name)
    assert read.status == status
