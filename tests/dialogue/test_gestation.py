"""The week of a pregnancy: said with it, and checked against the record."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("You are 12 weeks pregnant.", 1),
        ("You are 29 weeks pregnant.", 0),
        ("You are 29 weeks and 3 days pregnant.", 0),
        ("You're pregnant at 12 weeks.", 1),
        ("You are pregnant, 12 weeks.", 1),
        ("You are pregnant, and now in your 12th week.", 1),
        ("You are pregnant, in your 30th week.", 0),
        ("As you are in week 12 of your pregnancy, rest.", 1),
        ("You are pregnant. At 12 weeks pregnant you should rest.", 1),
        ("임신 12주이십니다.", 1),
        ("임신 29주이시므로", 0),
        ("임신 30주차이시니", 0),
        ("임신 12주차이시니", 1),
        ("You are pregnant.", 0),
        ("You are pregnant; from 20 weeks on, avoid ibuprofen.", 0),
        ("임신 중이시므로 임신 20주 이후에는 이부프로펜을 피하세요.", 0),
        ("If you are 12 weeks pregnant, call us.", 0),
    ],
)
@pytest.mark.parametrize("pregnancy", ["pregnant, 29 weeks", "임신 29주", 29, {"pregnant": True, "weeks": 29}])
def test_the_week_is_part_of_the_claim(pregnancy, answer, wrong):
    assert score_turn(answer, slots={"pregnancy": pregnancy})["SFS"]["hallucinated_count"] == wrong


def test_a_month_or_trimester_on_record_contradicts_no_week():
    slots = {"pregnancy": "pregnant, third trimester"}
    assert score_turn("You are 32 weeks pregnant.", slots=slots)["SFS"]["hallucinated_count"] == 0
