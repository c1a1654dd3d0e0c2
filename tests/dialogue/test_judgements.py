"""Judgements without a value: found in an answer, and judged by the record."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import load_extractor


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("신장 기능은 정상입니다.", ["normal"]),
        ("칼륨 수치는 아무 문제 없습니다.", ["normal"]),
        ("혈압이 높으시네요.", ["high", "high"]),
        ("No potassium problem here.", ["normal"]),
        ("Blood pressure: normal.", ["normal"]),
        ("Your diabetes is well controlled.", ["normal"]),
        ("혈압이 정상이 아니십니다.", ["abnormal"]),
        ("혈압이 높으면 오세요.", []),
        ("정상 혈압은 120/80 미만입니다.", []),
        ("혈당은 식후에 재세요.", []),
    ],
)
def test_judgements_are_found(answer, says):
    assert [judgement.says for judgement in load_extractor().read(answer).judgements] == says


@pytest.mark.parametrize(
    ("answer", "labs", "wrong"),
    [
        ("신장 기능은 정상입니다.", {"egfr": 42}, 1),
        ("신장 기능은 정상입니다.", {"egfr": 65}, 0),  # between normal and the threshold: not judged
        ("신장 기능은 정상입니다.", {"egfr": 96}, 0),
        ("Your potassium is normal.", {"potassium": 5.0}, 0),  # a flag is raised within the normal range
        ("신장 기능이 많이 떨어져 있습니다.", {"egfr": 96}, 1),
        ("신장 기능은 정상입니다.", {}, 0),
        ("Your potassium is normal.", {"potassium": 5.9}, 1),
        ("Your diabetes is well controlled.", {"hba1c": 9.6}, 1),
        ("Your diabetes is well controlled.", {"hba1c": {"value": 81, "unit": "mmol/mol"}}, 1),
    ],
)
def test_a_judgement_is_false_only_beyond_a_threshold(answer, labs, wrong):
    slots = {"age": 60, "primary_condition": "Type 2 diabetes mellitus", "labs": labs}
    assert score_turn(answer, slots=slots)["SFS"]["hallucinated_count"] == wrong


def test_a_false_judgement_uses_no_context():
    slots = {"labs": {"egfr": 42}, "primary_condition": "Type 2 diabetes mellitus"}
    used = [
        score_turn(text, slots=slots, turn=2)["CUS_improved"]["used_detail"]["labs"]["confidence"]
        for text in ("신장 기능은 정상입니다.", "신장 기능이 떨어져 있습니다.")
    ]
    assert used == [0.0, 0.5]


def test_a_measurement_shows_a_condition_that_the_record_does_not_list():
    slots = {"age": 42, "comorbidities": [], "vitals": {"bmi": 31.2}, "labs": {"hemoglobin": 9.2}}
    assert score_turn("BMI 31.2로 비만에 해당하십니다.", slots=slots)["SFS"]["hallucinated_count"] == 0
    assert score_turn("빈혈은 없으십니다.", slots=slots)["SFS"]["hallucinated_details"][0]["why"] == "negates_truth"
