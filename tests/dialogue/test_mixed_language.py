"""English sentences with Korean names, and Korean ones with English words."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import load_extractor

RECORD = {"labs": {"egfr": 24}, "comorbidities": ["heart failure"], "active_meds": ["warfarin"]}


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("You're taking 와파린 daily.", "patient_fact"),
        ("You are on 와파린.", "patient_fact"),
        ("You have 당뇨.", "patient_fact"),
        ("You should avoid 이부프로펜.", "advised_against"),
        ("이부프로펜 is not recommended.", "advised_against"),
        ("Stop taking 와파린.", "advised_against"),
        ("If you have 천식, tell us.", "conditional"),
        ("환자분은 currently taking warfarin 입니다.", "patient_fact"),
        ("이부프로펜은 avoid 하세요.", "advised_against"),
        ("와파린은 stop 하세요.", "advised_against"),
        ("와파린은 stop 하지 마세요.", "patient_fact"),
        ("와파린은 hold 하시는 것이 좋습니다.", "advised_against"),
        ("당뇨가 있으세요.", "patient_fact"),
    ],
)
def test_a_sentence_is_read_in_the_language_of_its_words(answer, status):
    assert [mention.status for mention in load_extractor().read(answer).mentions] == [status]


@pytest.mark.parametrize(
    ("answer", "invented"),
    [
        ("You're taking 리튬 daily.", ["리튬"]),
        ("You have 천식.", ["천식"]),
        ("환자분은 currently taking lithium 입니다.", ["lithium"]),
        ("You don't take 와파린.", ["와파린"]),
        ("You're taking 와파린 daily.", []),
        ("You could ask about 리튬.", []),
    ],
)
def test_inventions_are_found_in_both_languages_at_once(answer, invented):
    assert [found["text"] for found in score_turn(answer, slots=RECORD)["SFS"]["hallucinated_details"]] == invented


@pytest.mark.parametrize(
    ("answer", "violates"),
    [
        ("이부프로펜은 avoid 하세요.", False),
        ("이부프로펜은 skip 하시면 됩니다.", False),
        ("와파린은 stop 하지 마세요.", False),
        ("와파린은 stop 하세요.", True),
        ("이부프로펜은 take 하셔도 됩니다.", True),
        ("You can take 이부프로펜 for the pain.", True),
    ],
)
def test_rules_read_english_words_in_korean(answer, violates):
    assert bool(score_turn(answer, slots=RECORD)["CSP"]["violated_rules"]) == violates
