"""CUS_improved: which required slots of the patient an answer uses. Both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER

SLOTS = "required_slots_by_turn.yaml"


@pytest.mark.parametrize(
    ("answer", "turn", "slot", "confidence"),
    [
        ("혈당 조절이 중요합니다.", 3, "primary_condition", 0.5),
        ("신장 기능이 떨어져 있으니 조심하세요.", 4, "labs", 0.5),
        ("Your kidney function is reduced.", 4, "labs", 0.5),
        ("당뇨병 환자는 조심해야 합니다.", 3, "primary_condition", 0.5),
        ("혈압약을 드시고 계시므로", 2, "active_meds", 0.5),
        ("메트포르민은 식후에 드세요.", 2, "active_meds", 1.0),
        ("메트포르민은 복용하지 않으십니다.", 2, "active_meds", 0.0),
        ("HbA1c를 확인하세요.", 2, "labs", 0.5),
        ("HbA1c가 9.9%로 높으십니다.", 2, "labs", 0.0),
        ("60대 여성이시군요.", 1, "age", 0.5),
        ("고령이시므로 조심하세요.", 1, "age", 0.5),
        ("65세이십니다.", 1, "age", 0.0),
        ("어머니께서 당뇨병이 있으셨지요.", 1, "primary_condition", 0.0),
        ("예를 들어 메트포르민이 있습니다.", 2, "active_meds", 0.0),
        ("수축기 혈압이 152 mmHg입니다.", 2, "vitals", 1.0),
    ],
)
def test_use_of_a_slot(patient, answer, turn, slot, confidence):
    detail = score_turn(answer, slots=patient, turn=turn)["CUS_improved"]["used_detail"][slot]
    assert (detail["confidence"], detail["used"]) == (confidence, confidence > 0)
    assert (detail["span"] is not None) == (confidence > 0)


def test_context_use_is_over_the_slots_the_patient_has():
    result = score_turn("67세이십니다.", slots={"age": 67, "primary_condition": "Gout"}, turn=1)["CUS_improved"]
    assert (result["hits"], result["total"], result["used_weight"], result["total_weight"]) == (1, 2, 1.0, 3.0)
    assert result["score"] == pytest.approx(1 / 3)


def test_five_sixths():
    slots = {
        "primary_condition": "Gout",
        "labs": {"uric acid": 8.9},
        "vitals": {"heart_rate": 70},
        "active_meds": ["Allopurinol"],
    }
    answer = "통풍이 있으시고 요산이 8.9 mg/dL, 맥박이 70회입니다."
    result = score_turn(answer, slots=slots, turn=3)["CUS_improved"]
    assert (result["hits"], result["total"], result["score"]) == (3, 4, pytest.approx(5 / 6))


PERFECT = {
    1: ("67세 여성으로 제2형 당뇨병이 있으십니다.", "You are a 67-year-old woman with type 2 diabetes."),
    2: (
        "메트포르민과 암로디핀을 복용 중이시고 당화혈색소는 6.2%, 혈압은 152/94 mmHg이며 대장내시경을 받으셨습니다.",
        "You take metformin, your HbA1c is 6.2%, your blood pressure is 152/94 mmHg, and you had a colonoscopy.",
    ),
    3: (
        "제2형 당뇨병이 있으시고 HbA1c 6.2%, 혈압 152/94 mmHg이며 메트포르민을 복용 중이시므로 걷기를 하세요.",
        "Since you have type 2 diabetes, an HbA1c of 6.2% and a blood pressure of 152/94, and take metformin, walk.",
    ),
    4: (
        "제2형 당뇨병과 당화혈색소 6.2%, 메트포르민 복용을 고려하여 식단을 말씀드립니다.",
        "Given your type 2 diabetes, your HbA1c of 6.2% and your metformin, here is a diet.",
    ),
    5: (
        "제2형 당뇨병이 있으시고 eGFR 45, 혈압 152/94 mmHg, 메트포르민 복용 중이신 점을 바탕으로 정리했습니다.",
        "With your type 2 diabetes, your eGFR of 45, your blood pressure of 152/94 and your metformin, this is it.",
    ),
}


@pytest.mark.parametrize("turn", PERFECT)
@pytest.mark.parametrize("language", [0, 1], ids=["ko", "en"])
def test_naming_every_required_slot_is_full_context_use(patient, turn, language):
    result = score_turn(answer=PERFECT[turn][language], question="", slots=patient, turn=turn)
    used = result["CUS_improved"]
    assert used["score"] == 1.0, used["used_detail"]
    assert result["SFS"]["score"] == 1.0


@pytest.mark.parametrize("use", ["any", "all", "share"])
def test_use_any_all_share(tmp_path: Path, use):
    text = (CONFIG_FOLDER / SLOTS).read_text("utf-8")
    (tmp_path / SLOTS).write_text(
        text.replace("{slot: active_meds, weight: 2, use: any}", f"{{slot: active_meds, weight: 2, use: {use}}}"),
        "utf-8",
    )
    slots = {"active_meds": ["Metformin", "Aspirin"]}
    result = score_turn("메트포르민을 복용 중이십니다.", slots=slots, turn=2, config_dir=tmp_path)
    assert result["CUS_improved"]["score"] == {"any": 1.0, "all": 0.0, "share": 0.5}[use]
