"""MCS: which statements of a conversation contradict each other."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn


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
