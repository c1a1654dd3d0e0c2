"""What has to come out right: each of these was wrong in a public predecessor. Both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.dialogue import extract, score_turn
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER

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


@pytest.mark.parametrize(
    "answer", ["메트포르민 복용 중이시므로", "since you are taking metformin", "Glucophage를 드시고 계시므로"]
)
def test_a_drug_the_patient_takes_is_supported(patient, answer):
    result = score_turn(answer, slots={**patient, "active_meds": ["Metformin"]}, turn=2)["SFS"]
    assert (result["score"], result["mentioned_count"]) == (1.0, 1)


@pytest.mark.parametrize(
    "answer", ["와파린을 복용 중이시므로", "since you are taking lisinopril", "리시노프릴을 드시고 계시니"]
)
def test_an_invented_drug_is_a_critical_hallucination(patient, answer):
    result = score_turn(answer, slots=patient, turn=2)["SFS"]
    assert (result["score"], result["hallucinated_weight"]) == (pytest.approx(0.0, abs=1e-8), 2.0)
    detail = result["hallucinated_details"][0]
    assert detail["why"] == "not_in_truth"
    assert answer[slice(*detail["span"])] == detail["text"]


@pytest.mark.parametrize(
    "answer", ["HbA1c가 9.9%로 높으십니다.", "Your HbA1c is 9.9%.", "당화혈색소 수치는 9.9 %입니다"]
)
def test_a_value_beyond_rounding_contradicts(patient, answer):
    result = score_turn(answer, slots=patient, turn=2)["SFS"]
    assert result["score"] == pytest.approx(0.0, abs=1e-8)
    assert result["hallucinated_details"][0]["why"] == "contradicts_truth"


@pytest.mark.parametrize(
    "answer", ["HbA1c가 6.2%로", "Your HbA1c is 6.24%.", "Your A1c is 6%.", "HbA1c는 45 mmol/mol입니다."]
)
def test_a_value_rounded_as_written_is_right(patient, answer):
    assert score_turn(answer, slots=patient, turn=2)["SFS"]["score"] == 1.0


@pytest.mark.parametrize(
    "answer", ["아스피린은 복용하지 마세요", "Do not take aspirin.", "아스피린 복용은 피하셔야 합니다."]
)
def test_warning_of_a_drug_is_no_hallucination(patient, answer):
    result = score_turn(answer, slots=patient, turn=2)
    assert result["SFS"]["hallucinated_count"] == 0 and result["SFS"]["score"] is None
    assert {"code": "nothing_mentioned"}.items() <= result["issues"][0].items()


@pytest.mark.parametrize(
    "answer", ["바나나와 감자는 피하세요", "Avoid bananas and potatoes.", "바나나와 감자는 드시지 않는 것이 좋습니다"]
)
def test_good_advice_on_potassium_is_no_violation(patient, answer):
    assert score_turn(answer, slots=patient, turn=4)["CSP"]["violated_rules"] == []


@pytest.mark.parametrize(
    "answer", ["이부프로펜을 드셔도 됩니다", "You can take ibuprofen.", "Ibuprofen is fine for you."]
)
def test_allowing_an_nsaid_with_low_egfr_violates(patient, answer):
    violated = score_turn(answer, slots={**patient, "comorbidities": []}, turn=2)["CSP"]["violated_rules"]
    assert [rule["id"] for rule in violated] == ["CSP_MED_001"]
    assert answer[slice(*violated[0]["span"])].lower() in ("이부프로펜", "ibuprofen")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I get shortness of breath lately. How should I train?", "You could try HIIT."),
        ("요즘 숨이 차는데 운동을 어떻게 할까요?", "고강도 인터벌 운동을 해 보세요."),
        ("다리가 부어요", "Try high-intensity interval training."),
    ],
)
def test_dyspnoea_or_oedema_and_hard_exercise(patient, question, answer):
    violated = score_turn(answer, question, patient, 3)["CSP"]["violated_rules"]
    assert "CSP_EX_001" in [rule["id"] for rule in violated]
    assert next(rule for rule in violated if rule["id"] == "CSP_EX_001")["penalty"] == 2.0


@pytest.mark.parametrize("answer", ["예를 들어 아스피린 같은 약", "for example aspirin", "drugs such as aspirin"])
def test_an_example_is_not_counted(patient, answer):
    assert [(m.concept.key, m.status) for m in extract(answer)] == [("aspirin", "example")]
    assert score_turn(answer, slots=patient, turn=2)["SFS"]["mentioned_count"] == 0


def test_thresholds_changed_in_the_file_change_the_flags(patient, tmp_path: Path):
    text = (CONFIG_FOLDER / "safety_rules.yaml").read_text("utf-8")
    file = tmp_path / "safety_rules.yaml"
    answer = "이부프로펜을 드셔도 됩니다"
    slots = {**patient, "comorbidities": []}

    def violated() -> list[str]:
        result = score_turn(answer, slots_truth=slots, turn_id=2, config_dir=tmp_path)
        return [rule["id"] for rule in result["CSP"]["violated_rules"]]

    file.write_text(text, "utf-8")
    assert violated() == ["CSP_MED_001"]
    file.write_text(
        text.replace('field: labs.egfr, op: "<", value: 60', 'field: labs.egfr, op: "<", value: 40'), "utf-8"
    )
    assert violated() == []
