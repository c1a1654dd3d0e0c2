"""MCS: which statements of a conversation contradict each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.scores.consistency import SHOWN, score_consistency


@pytest.mark.parametrize(
    ("answers", "score"),
    [
        (("67세이십니다.", "65세이십니다."), 0.0),
        (("67세이십니다.", "67세이시므로"), 1.0),
        (("메트포르민을 복용 중이십니다.", "메트포르민은 복용하지 않으십니다."), 0.0),
        (("Eat bananas.", "Avoid bananas."), 0.0),
        (("바나나를 드세요.", "바나나는 피하세요.", "바나나는 피하세요."), pytest.approx(1 / 3)),
        (("HbA1c는 6.2%입니다.", "HbA1c는 6.24%입니다."), 1.0),
        (("HbA1c는 6.2%입니다.", "Your HbA1c is 44 mmol/mol."), 1.0),
        (("HbA1c는 6.2%입니다.", "HbA1c는 7.9%입니다."), 0.0),
        (("안녕하세요.", "반갑습니다."), None),
        (("당뇨병이 있으십니다.", "당뇨병 환자는 없습니다."), None),
        (("You are a 67-year-old woman.", "As a man, rest."), 0.0),
        (("67세이십니다. 65세이십니다.",), 0.0),
    ],
)
def test_consistency_over_turns(patient, answers, score):
    *earlier, last = answers
    assert score_turn(last, slots=patient, turn=1, history=earlier)["MCS"]["score"] == score


@pytest.mark.parametrize(
    ("answers", "score"),
    [
        (("Your A1c was 9.0 in March.", "Your A1c is now 7.2."), None),
        (("In March, your A1c was 9.0.", "Your A1c is 7.2."), None),
        (("Your A1c was 9.0 at your last visit.", "Your A1c is 7.2 today."), None),
        (("3월에는 당화혈색소가 9.0%였습니다.", "이번 당화혈색소는 7.2%입니다."), None),
        (("지난번 혈압은 160/95였습니다.", "혈압이 128/78입니다."), None),
        (("Your A1c was 9.0 in March.", "Your A1c was 8.1 in March."), 0.0),
        (("Your A1c is 9.0.", "Your A1c is 7.2."), 0.0),
        (("Your A1c is 9.0, and you may need more insulin.", "Your A1c is 7.2."), 0.0),
        (("이번 3월 검사에서 당화혈색소가 9.0%입니다.", "당화혈색소는 7.2%입니다."), 0.0),
    ],
)
def test_then_and_now_do_not_contradict(patient, answers, score):
    *earlier, last = answers
    assert score_turn(last, slots=patient, turn=1, history=earlier)["MCS"]["score"] == score


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["67세", "65세", "HbA1c는 6.2%", "HbA1c는 6.24%", "HbA1c는 44 mmol/mol", "HbA1c는 7%"]),
        max_size=9,
    )
)
def test_counting_groups_is_counting_pairs(said):
    turns = [(str(at), load_extractor().read(f"{text}입니다.")) for at, text in enumerate(said)]
    result = score_consistency(turns)
    assert len(result["contradictions"]) == result["contradicting_pairs"] <= result["comparable_pairs"]


def test_a_change_told_in_one_answer_is_no_contradiction(patient):
    assert score_turn("혈압이 160/98에서 148/92로 내려왔습니다.", slots=patient)["MCS"]["score"] is None


def test_thousands_of_contradicting_turns_are_counted_without_comparing_each_pair():
    readings = [
        load_extractor().read(text) for text in ("67세이십니다. 바나나를 드세요.", "65세이십니다. 바나나는 피하세요.")
    ]
    result = score_consistency([(str(turn), readings[turn % 2]) for turn in range(20_000)])
    assert result["contradicting_pairs"] == 2 * 10_000**2 and len(result["contradictions"]) == SHOWN
