"""What an answer tells the patient about a drug: to take it, more of it, to go on, to stop, or not to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.rules.stance import AdviceReader, find_consent, read_frame
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


CONSENTS = [
    ("Yes, that's okay, go ahead.", True),
    ("Sure, those two go fine together.", True),
    ("Yes.", True),
    ("No, please keep those two apart.", False),
    ("I'd rather you didn't.", False),
    ("Acetaminophen is fine.", False),
    ("네, 그 정도는 괜찮으니 그냥 드세요.", True),
    ("네. 매일 드셔도 됩니다.", True),
    ("아니요, 같이 드시지 않는 게 좋겠습니다.", False),
    ("그 약은 신장에 부담이 되니 다른 걸로 처방해 드릴게요.", False),
    ("", False),
]


@pytest.mark.parametrize(("answer", "agrees"), CONSENTS)
def test_an_answer_may_agree_without_naming_anything(answer, agrees):
    assert (find_consent(load_extractor().read(answer)) is not None) == agrees


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
