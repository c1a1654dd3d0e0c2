"""Somebody may ask for another: the relative of whom an answer speaks is the patient, if the record is theirs."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.wards import Ward, find_ward, is_of_ward


@pytest.mark.parametrize(
    ("text", "ward"),
    [
        ("your daughter is 9 and has asthma.", Ward("daughter", 9)),
        ("아홉 살 따님은 천식이 있습니다.", Ward("따님", 9)),
        ("83세이신 어머님은 치매가 있으십니다.", Ward("어머님", 83)),
        ("your father had a stroke at 52.", None),
        ("어머님은 60세에 당뇨 진단을 받으셨습니다.", None),
        ("you are 44 and have asthma.", None),
        ("your baby is 9 months old.", None),
    ],
)
def test_a_ward_is_a_relative_with_an_age_of_today(text, ward):
    assert find_ward(text) == ward


def test_a_sentence_on_another_relative_is_not_of_the_ward():
    text = "your daughter is 9. her father has asthma."
    assert is_of_ward(text, Ward("daughter", 9), 0, 19) and not is_of_ward(text, Ward("daughter", 9), 20, len(text))


@pytest.mark.parametrize(("age", "flags"), [(9, 1), (45, 0)])
def test_the_age_on_record_tells_whose_it_is(age, flags):
    record = {"age": age, "primary_condition": "Asthma", "comorbidities": [], "active_meds": ["Montelukast"]}
    answer = "아홉 살 따님은 천식이 있고 싱귤레어와 프레드니솔론을 먹고 있습니다."
    details = score_turn(answer, "", record)["SFS"]["hallucinated_details"]
    assert [each["concept"] for each in details] == ["drug:prednisolone"] * flags
