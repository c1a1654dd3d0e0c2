"""What an answer tells the patient about a drug: to take it, more of it, to go on, to stop, or not to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.rules.advice import AdviceReader, read_frame
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE, UNFIT

SAID = [
    ("혈압약을 임의로 중단하지 마세요", [KEEP]),
    ("혈압약을 끊으세요", [STOP]),
    ("암로디핀은 이제 안 드셔도 됩니다.", [STOP]),
    ("암로디핀을 끊어도 될지는 주치의와 상의하세요.", [NONE]),
    ("이부프로펜 대신 타이레놀을 드세요.", [AGAINST, TAKE]),
    ("이부프로펜을 드시면 신장에 부담이 됩니다.", [NONE]),
    ("이부프로펜을 드시면 됩니다.", [TAKE]),
    ("메트포르민을 늘려 드세요.", [MORE]),
    ("와파린을 드시니 이부프로펜은 피하세요.", [NONE, AGAINST]),
    ("이부프로펜을 드시나요?", [NONE]),
    ("Don't stop your amlodipine.", [KEEP]),
    ("Stop taking Plavix.", [STOP]),
    ("You no longer need the aspirin.", [STOP]),
    ("Ibuprofen 600 mg three times a day.", [TAKE]),
    ("Tylenol rather than ibuprofen.", [NONE, AGAINST]),
    ("Ibuprofen can raise your blood pressure, so we will not use it.", [AGAINST]),
    ("Ibuprofen raises blood pressure.", [NONE]),
    ("Go up on your metformin a little.", [MORE]),
    ("You don't need to avoid ibuprofen.", [TAKE]),
    ("Ask your doctor about ibuprofen.", [NONE]),
    ("Should you take ibuprofen?", [NONE]),
]


@pytest.mark.parametrize(("text", "stances"), SAID, ids=[text for text, _ in SAID])
def test_what_is_said_of_a_drug(text, stances):
    passage = load_extractor().read(text)
    reader = AdviceReader(passage)
    drugs = [mention for mention in passage.mentions if mention.category in ("drug", "drug_class")]
    assert [reader.stance(mention.start, mention.end, drug=True) or NONE for mention in drugs] == stances


LINKED = [
    ("Cold hands are from the atenolol. You can drop it from tomorrow.", [STOP]),
    ("Naproxen? Sure, have one with breakfast.", [TAKE]),
    ("Naproxen? Not with your kidneys.", [AGAINST]),
    ("나프록센요? 네, 아침 식사 뒤에 한 알 드세요.", [TAKE]),
    ("이부프로펜요? 찜질을 하세요.", [NONE]),
    ("A cold? Aspirin and hot lemon.", [TAKE]),
    ("Mon/Wed: aspirin", [TAKE]),
    ("Give her Benadryl 50 mg at bedtime.", [TAKE]),
    ("St. John's wort clashes with sertraline. Give it a miss.", [STOP, NONE]),
    ("할머니께 독실아민 반 알만 드려 보세요.", [TAKE]),
    ("Of course! Aspirin after dinner, why worry.", [TAKE]),
]


@pytest.mark.parametrize(("text", "stances"), LINKED)
def test_advice_reaches_over_sentences_and_to_those_who_care_for_the_patient(text, stances):
    passage = load_extractor().read(text)
    reader = AdviceReader(passage)
    drugs = [m for m in passage.mentions if m.concept.category in ("drug", "drug_class")]
    assert [reader.stance(m.start, m.end, drug=True) for m in drugs] == stances


ACTS = [
    ("X.", "", TAKE),
    ("do not X.", "", AGAINST),
    ("you can X.", "", TAKE),
    ("if you X, eat soon.", "", NONE),
    ("X can bring hypoglycaemia.", "", NONE),
    ("X지 마세요", "", AGAINST),
    ("X셔도 됩니다", "", TAKE),
    ("X면 위험합니다", "", AGAINST),
]


@pytest.mark.parametrize(("frame", "_", "stance"), ACTS)
def test_a_pattern_with_a_verb_of_its_own(frame, _, stance):
    assert read_frame(frame, True) == stance


@given(st.text(alphabet="XY가나지마세요 drugtaken,.not?", max_size=60).filter(lambda text: text.count("X") == 1))
def test_any_frame_is_read(frame):
    assert read_frame(frame, False) in ("", TAKE, MORE, KEEP, STOP, AGAINST, UNFIT, NONE)


@pytest.mark.parametrize(
    ("text", "thing", "stance"),
    [
        ("무알코올 맥주로 기분만 내세요.", "맥주", "none"),
        ("Non-alcoholic beer is fine.", "beer", "none"),
        ("사용하지 말 것:\n- 이부프로펜", "이부프로펜", "against"),
        ("What about ibuprofen? Please don't.", "ibuprofen", "none"),
    ],
)
def test_another_form_a_heading_and_a_question_are_no_advice_to_take(text, thing, stance):
    passage = load_extractor().read(text)
    start = text.lower().index(thing)
    assert AdviceReader(passage).stance(start, start + len(thing), drug=True) == stance


@pytest.mark.parametrize(
    ("frame", "stance"),
    [
        ("X를 드시면 불안이 가라앉고 잠이 잘 옵니다.", TAKE),
        ("X를 드시면 편히 주무실 수 있습니다.", TAKE),
        ("X를 오늘부터 중단하시면 붓기가 빠집니다.", STOP),
        ("X를 끊으면 효과가 사라집니다.", NONE),
        ("X를 드시면 소변이 줄어듭니다.", NONE),
        ("X를 드시면 편해지겠지만 피가 날 수 있습니다.", NONE),
        ("X를 드시면 통증은 줄어듭니다. 하지만 신장이 나빠집니다.", NONE),
        ("X works well for most people, and it is fine for you.", TAKE),
        ("X works well for most people, and it is fine for your sister.", NONE),
        ("X is fine, as long as you don't make it a habit.", TAKE),
        ("starting X would slow your heart rate nicely.", TAKE),
        ("starting X will slow your breathing.", NONE),
        ("start X once the attack has settled.", TAKE),
        ("start X once your cardiologist agrees.", NONE),
        ("you can take the X left over from last year.", TAKE),
        ("continue X. if you plan a pregnancy, tell us so we can stop it.", KEEP),
    ],
)
def test_outcomes_times_and_what_is_done_later(frame, stance):
    assert read_frame(frame, False) == stance


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("하지 말아야 할 것\n- 아스피린을 임의로 중단하는 것", KEEP),
        ("**하시면 안 되는 행동**\n- 붓는다고 이부프로펜을 드시는 것", AGAINST),
        ("이번 주에 할 일\n- 아스피린을 중단하는 것", STOP),
        ("하지 말아야 할 것\n- 아스피린은 오늘부터 끊으세요.", STOP),
    ],
)
def test_a_korean_heading_forbids_the_acts_that_it_lists(text, said):
    passage = load_extractor().read(text)
    reader = AdviceReader(passage)
    drug = next(mention for mention in passage.mentions if mention.category in ("drug", "drug_class"))
    assert reader.stance(drug.start, drug.end, drug=True) == said
