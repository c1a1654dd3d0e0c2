"""SFS: claims that are right or wrong of the patient, and texts that only look like claims. Both languages."""

from __future__ import annotations

import pytest

from jatdae.dialogue import extract, score_turn

WRONG = [
    ("negating a condition the patient has", "당뇨병은 없으시므로 안심하세요.", ["당뇨병"]),
    ("negating one in English", "You do not have hypertension.", ["hypertension"]),
    ("negating a drug the patient takes", "메트포르민은 복용하고 있지 않으십니다.", ["메트포르민"]),
    ("wrong age", "65세 여성이십니다.", ["65세"]),
    ("wrong age in English", "As a 70-year-old woman, you should rest.", ["70-year-old"]),
    ("wrong decade", "50대 여성이십니다.", ["50대"]),
    ("wrong sex", "67세 남성이십니다.", ["남성"]),
    ("wrong sex in English", "You are a 67-year-old man.", ["man"]),
    ("type 1 for type 2", "제1형 당뇨병이 있으십니다.", ["제1형 당뇨병"]),
    ("a later stage than the true one", "You have stage 5 chronic kidney disease.", ["stage 5 chronic kidney disease"]),
    ("a class the patient takes nothing of", "스타틴을 복용 중이십니다.", ["스타틴"]),
    ("a brand the patient does not take", "Since you take Lipitor, get a blood test.", ["Lipitor"]),
    ("one invented drug among true ones", "메트포르민, 암로디핀, 디곡신을 복용 중이십니다.", ["디곡신"]),
    ("an invented condition behind a true one", "고혈압과 천식이 있으십니다.", ["천식"]),
    ("wrong systolic", "혈압이 170/94 mmHg로 높으십니다.", ["혈압"]),
    ("wrong diastolic", "Your blood pressure is 152/80 mmHg.", ["blood pressure"]),
    ("wrong glucose in another unit", "Your glucose is 9.0 mmol/L.", ["glucose"]),
    ("a bound that does not hold", "HbA1c가 7% 이상으로 높으십니다.", ["HbA1c"]),
    ("a kept drug that was never taken", "Do not stop taking your lisinopril.", ["lisinopril"]),
    ("an invented drug in a bullet list", "현재 복용 중인 약:\n- 메트포르민\n- 와파린", ["와파린"]),
    ("an invented operation", "관상동맥우회술을 받으셨습니다.", ["관상동맥우회술"]),
    ("a dose beyond any number of tablets", "메트포르민 850mg을 복용 중이십니다.", ["메트포르민"]),
    ("an invented condition in a causal clause", "심부전이 있으시므로 물을 조금만 드세요.", ["심부전"]),
    ("an old value beside the new one", "HbA1c가 6.2%에서 8.0%로 올라가셨습니다.", ["HbA1c"]),
    ("denying the chief symptom", "부종은 없으십니다.", ["부종"]),
]
RIGHT = [
    ("a distance for an age", "Walk 30m every day and rest."),
    ("a drug that was stopped", "와파린은 지난달 중단하였습니다."),
    ("a drug that was stopped, in English", "We stopped your warfarin last spring."),
    ("double negation", "당뇨병이 없는 것은 아닙니다."),
    ("not only", "You have not only diabetes but also hypertension."),
    ("the mother's disease", "Your mother's heart failure is worth telling your doctor."),
    ("the father's drug", "아버지께서 와파린을 드신다고 하셨지요."),
    ("a quoted question", "'심부전이 있나요?'라고 물으셨지요."),
    ("a question", "Are you taking warfarin?"),
    ("brand for ingredient", "글루코파지를 복용 중이십니다."),
    ("class for ingredient", "혈압약을 드시고 계십니다."),
    ("class of a class", "당뇨약을 복용 중이시므로"),
    ("parent condition", "당뇨가 있으십니다."),
    ("a condition", "만약 심부전이 있으시다면 알려 주세요."),
    ("a risk", "심근경색 위험이 높아질 수 있습니다."),
    ("prevention", "This lowers the risk of stroke."),
    ("a target", "목표 HbA1c는 7% 미만입니다."),
    ("a range", "정상 공복 혈당은 70-99 mg/dL입니다."),
    ("dose is no lab value", "메트포르민 500 mg을 복용 중이십니다."),
    ("two tablets", "You take metformin 1000 mg a day."),
    ("grams for milligrams", "메트포르민 0.5g을 복용 중이십니다."),
    ("glucose in mmol/L", "Your glucose is 7.0 mmol/L."),
    ("HbA1c in mmol/mol", "Your HbA1c is 45 mmol/mol."),
    ("a true bound", "eGFR이 60 미만이십니다."),
    ("about", "혈당이 약 130 정도이십니다."),
    ("an interval is no age", "10 years 후에 다시 뵙겠습니다. 67세이시니까요."),
    ("an age group is no age", "65세 이상에서는 낙상이 흔합니다."),
    ("female holds no male", "You are a 67-year-old female."),
    ("a frequency is no value", "혈당을 하루 3회 측정하세요."),
    ("months are no value", "HbA1c는 3개월 후에 다시 검사하세요."),
    ("advice to start is no claim", "아토르바스타틴을 시작하시는 것을 권합니다."),
    ("people with", "People with heart failure should weigh themselves."),
    ("mechanism", "와파린은 비타민 K를 억제하는 약물입니다."),
    ("a heading", "## 심부전과 운동"),
    ("list of examples", "협심증, 심부전 등의 질환이 있습니다."),
    ("absent drug denied", "와파린은 복용하지 않으십니다."),
    ("only a narrower word", "Your hypertension needs attention."),
    ("what nobody can check", "운동을 좋아하시는 분이시군요."),
    ("the right decade", "60대 여성이십니다."),
    ("honorific ending", "고혈압이 있으세요."),
    ("capital letters", "METFORMIN is what you are taking."),
    ("curly apostrophe", "You don’t have asthma."),
]


@pytest.mark.parametrize(("answer", "texts"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_factuality_does_not_miss(patient, answer, texts):
    found = score_turn(answer, slots=patient, turn=2)["SFS"]
    assert [detail["text"] for detail in found["hallucinated_details"]] == texts


@pytest.mark.parametrize("answer", [case[1] for case in RIGHT], ids=[case[0] for case in RIGHT])
def test_factuality_does_not_fall_for(patient, answer):
    assert score_turn(answer, slots=patient, turn=2)["SFS"]["hallucinated_details"] == []


def test_factuality_is_one_minus_the_share_of_wrong_weight(patient):
    # age 1, sex 1, diabetes 2, metformin 2 are right, one wrong age would be 1: here aspirin, 2, is wrong
    answer = "67세 여성으로 당뇨병이 있으시고 메트포르민과 아스피린을 복용 중이십니다."
    result = score_turn(answer, slots=patient, turn=2)["SFS"]
    assert (result["mentioned_count"], result["mentioned_weight"], result["hallucinated_weight"]) == (5, 8.0, 2.0)
    assert result["score"] == pytest.approx(0.75)


def test_six_sevenths_and_not_what_an_example_once_said(patient):
    answer = "65세이시고, 여성이시며 당뇨병이 있으시고 메트포르민을 복용 중이십니다. 대장내시경을 받으셨습니다."
    result = score_turn(answer, slots=patient, turn=2)["SFS"]
    assert (result["mentioned_count"], result["mentioned_weight"], result["hallucinated_weight"]) == (5, 7.0, 1.0)
    assert result["score"] == pytest.approx(6 / 7)


def test_a_repeated_claim_counts_once(patient):
    once = score_turn("와파린을 복용 중이십니다. 당뇨병이 있으십니다.", slots=patient, turn=2)["SFS"]
    often = score_turn("와파린을 복용 중이십니다. " + "당뇨병이 있으십니다. " * 5, slots=patient, turn=2)["SFS"]
    assert once["score"] == often["score"] and often["mentioned_count"] == 2


def test_the_same_words_elsewhere_neither_help_nor_dilute(patient):
    claim = "와파린을 복용 중이십니다."
    padding = " 예를 들어 메트포르민이 있습니다. 당뇨병 환자는 흔합니다. 만약 고혈압이 있다면 쉬세요."
    assert score_turn(claim + padding, slots=patient, turn=2)["SFS"] == score_turn(claim, slots=patient, turn=2)["SFS"]


def test_on_empty_formula_gives_one(patient):
    assert score_turn("안녕하세요.", slots=patient, turn=2)["SFS"]["score"] is None
    assert score_turn("안녕하세요.", slots=patient, turn=2, on_empty="formula")["SFS"]["score"] == 1.0


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


@pytest.mark.parametrize("answer", ["예를 들어 아스피린 같은 약", "for example aspirin", "drugs such as aspirin"])
def test_an_example_is_not_counted(patient, answer):
    assert [(m.concept.key, m.status) for m in extract(answer)] == [("aspirin", "example")]
    assert score_turn(answer, slots=patient, turn=2)["SFS"]["mentioned_count"] == 0


@pytest.mark.parametrize(("dose", "right"), [("500 mg", True), ("850 mg", True), ("600 mg", False)])
def test_of_two_strengths_of_a_drug_either_is_right(dose: str, right: bool) -> None:
    slots = {"active_meds": ["Metformin 500 MG Oral Tablet", "Metformin 850 MG Oral Tablet"]}
    found = score_turn(answer=f"You take metformin {dose}.", question="?", slots=slots, turn=2)
    assert found["SFS"]["hallucinated_count"] == (0 if right else 1)
