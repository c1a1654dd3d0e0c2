"""Numbers in a text: ages, and values of then and now."""

from __future__ import annotations

import pytest

from jatdae.dialogue import extract
from jatdae.dialogue.reading.quantities import find_ages


@pytest.mark.parametrize(
    ("text", "ages"),
    [
        ("67세, 1234세", [67]),
        ("12.67세", []),
        ("a67세 _67세", []),
        ("나이는 67", [67]),
        ("67", []),
        ("7살 071세", [7, 71]),
    ],
)
def test_an_age_is_a_number_that_is_no_part_of_another(text, ages):
    assert [value.number for _, _, value in find_ages(text, text)] == ages


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("혈압이 160/98에서 148/92로 내려왔습니다", "blood_pressure", [(160, True), (148, False)]),
        ("hba1c 9.4%에서 이번에 8.2%로", "hba1c", [(9.4, True), (8.2, False)]),
        ("egfr 추이: 65 → 52 → 29", "egfr", [(65, True), (52, True), (29, False)]),
        ("your weight is down to 84 kg from 91 kg", "weight", [(91, True), (84, False)]),
        ("ldl was 162 and is now 95", "ldl", [(162, True), (95, False)]),
        ("칼륨은 3.5에서 5.0 사이로", "potassium", [(3.5, False)]),
        ("작년 크레아티닌은 1.4였습니다", "creatinine", [(1.4, True)]),
        ("크레아티닌은 3년 전부터 1.4입니다", "creatinine", [(1.4, False)]),
    ],
)
def test_then_and_now(text, key, values):
    read = [m for m in extract(text) if m.concept.key == key]
    assert [(m.value.number, m.value.then) for m in read if m.value] == values
