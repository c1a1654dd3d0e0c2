"""ASS: elements that an answer names or quantifies."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.scores.actionability import count_items


@pytest.mark.parametrize(
    ("answer", "turn", "expected"),
    [
        ("주 5회, 30분, 중등도로 걷고 흉통 시 중단하세요.", 3, 1.0),
        ("Walk 5 days a week for 30 minutes at moderate intensity and stop if you feel chest pain.", 3, 1.0),
        ("꾸준히 운동하세요.", 3, 0.125),
        ("운동은 좋습니다.", 3, 0.0),
        ("1. 채소를 드세요\n2. 국물은 피하세요\n3. 천천히 드세요\n혈압을 매일 측정하세요.", 4, 1.0),
        ("- a\n- b\n- c\n- d\n- e\n- f\n- g", 4, 0.25),
        ("First, eat slowly. Second, eat less salt. Third, drink water. Check your weight daily.", 4, 1.0),
        ("안녕하세요", 1, None),
    ],
)
def test_actionability(patient, answer, turn, expected):
    assert score_turn(answer, slots=patient, turn=turn)["ASS"]["score"] == expected


def test_items_are_counted_in_lists_and_in_sentences():
    assert count_items("1. a\n2) b\n- c\n• d") == 4
    assert count_items("첫째, 걷기. 둘째, 쉬기. 셋째, 자기.") == 3
    assert count_items("3.5 mg and 2-3 times") == 0
