"""The conversation as a source: what patients say of themselves, and nothing else."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import load_extractor

NOBODY = {"age": 45, "comorbidities": [], "active_meds": []}


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("저 고혈압이 있고 암로디핀 먹고 있어요. 커피 괜찮나요?", ["hypertension", "amlodipine"]),
        ("당뇨가 있는데 떡 먹어도 되나요?", ["diabetes"]),
        ("역류성 식도염에 좋은 약이 뭔가요? 진단받은 지 2주 됐어요.", ["gastro_oesophageal_reflux_disease"]),
        ("의사가 골다공증이라고 했어요.", ["osteoporosis"]),
        ("아까 제가 심부전이 있다고 하셨잖아요.", []),
        ("제가 천식일까요?", []),
        ("엄마가 당뇨예요.", []),
        ("만약 제가 임신이면 어떻게 하죠?", []),
        ("정형외과에서 쎄레브렉스도 받아왔어요.", ["celecoxib"]),
        ("한 달 치 로수바스타틴을 타왔는데요, 언제 먹죠?", ["rosuvastatin"]),
        ("작년 겨울에 폐렴으로 입원했었는데 백신 맞아도 돼요?", ["pneumonia"]),
        ("재작년에 뇌졸중이 왔었어요.", ["stroke"]),
        ("저는 당뇨가 있는데요, 감은 몇 개까지 돼요?", ["diabetes"]),
        ("동생이 폐렴으로 입원했었는데 저도 옮나요?", []),
        ("통풍이라는데 맥주는 절대 안 되나요?", ["gout"]),
        ("예전에 결핵을 앓았대요.", ["tuberculosis"]),
        ("메트포르민을 먹으라는데 꼭 먹어야 하나요?", []),
        ("I have asthma and take montelukast, can I run?", ["asthma", "montelukast"]),
        ("My doctor diagnosed me with gout.", ["gout"]),
        ("Should I be on apixaban?", []),
        ("My wife has Crohn's disease.", []),
        ("Suppose I had diabetes, what would change?", []),
        ("Earlier you wrote that I have lupus.", []),
    ],
)
def test_only_what_patients_assert_of_themselves_counts(question, told):
    found = [mention.concept.key for mention in load_extractor().read_own(question)]
    assert [key for key in found if key != "coffee"] == told


def test_echoing_the_patient_is_no_hallucination():
    result = score_turn("암로디핀을 드시고 계시는군요.", "저는 암로디핀을 먹어요.", NOBODY)
    assert result["SFS"]["hallucinated_count"] == 0 and result["SFS"]["mentioned_count"] == 1
    assert result["spans"][0]["source"] == "from_question"
    earlier = score_turn("암로디핀을 드시고 계시는군요.", "술은요?", NOBODY, earlier_questions=["암로디핀을 먹어요."])
    assert earlier["SFS"]["hallucinated_count"] == 0


def test_where_patient_and_record_disagree_nothing_is_counted():
    result = score_turn("72세이십니다.", "저는 72세예요.", NOBODY)
    assert result["SFS"]["score"] is None
    assert "question_contradicts_record" in [issue["code"] for issue in result["issues"]]


def test_what_the_patient_denies_supports_nothing():
    result = score_turn("아스피린을 드시고 계시네요.", "아스피린은 안 먹어요.", NOBODY)
    assert result["SFS"]["hallucinated_count"] == 1
