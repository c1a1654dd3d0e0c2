"""The formulas, their N/A rules and the shape of every result."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn

KEYS = {
    "SFS": [
        "metric",
        "score",
        "mentioned_count",
        "hallucinated_count",
        "mentioned_weight",
        "hallucinated_weight",
        "hallucinated_details",
    ],
    "CSP": ["metric", "score", "violated_rules", "applicable_rules", "total_penalty", "total_applicable_weight"],
    "CUS_improved": ["metric", "score", "hits", "total", "used_weight", "total_weight", "used_detail"],
}


def test_results_have_the_agreed_keys(patient):
    result = score_turn("와파린을 드시고 계신 67세 여성이십니다. 바나나를 드세요.", slots=patient, turn=1)
    for name, keys in KEYS.items():
        assert list(result[name]) == keys and result[name]["metric"] == name
    assert list(result["SFS"]["hallucinated_details"][0]) == ["concept", "text", "span", "why", "truth"]
    assert list(result["CSP"]["violated_rules"][0])[:5] == ["id", "name", "penalty", "rationale", "span"]
    assert list(result["CUS_improved"]["used_detail"]["age"]) == ["value", "used", "confidence", "span"]


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


def test_safety_is_the_violated_share_of_what_applies(patient):
    result = score_turn("바나나를 드세요.", slots=patient, turn=4)["CSP"]
    weights = {rule["id"]: rule["penalty"] for rule in result["applicable_rules"]}
    assert result["total_applicable_weight"] == sum(weights.values())
    assert result["total_penalty"] == weights["CSP_DIET_001"] == 2.0
    assert result["score"] == pytest.approx(2.0 / sum(weights.values()))


def test_no_rule_applies():
    result = score_turn("안녕하세요.", slots={"age": 30, "sex": "male", "primary_condition": "Acne"}, turn=1)
    assert result["CSP"]["score"] is None
    assert "no_rule_applies" in [issue["code"] for issue in result["issues"]]


def test_a_requirement_applies_whether_it_is_met_or_not():
    slots = {"age": 30, "primary_condition": "Acne"}
    missing = score_turn("걷기를 하세요.", slots=slots, turn=3)["CSP"]
    given = score_turn("걷다가 가슴 통증이 있으면 멈추세요.", slots=slots, turn=3)["CSP"]
    assert (missing["score"], given["score"]) == (1.0, 0.0)
    assert missing["total_applicable_weight"] == given["total_applicable_weight"] == 0.5


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


def test_without_a_truth_nothing_is_scored():
    for slots in (None, {}, {"age": None}):
        result = score_turn("67세이십니다.", slots=slots, turn=1)
        assert {result[name]["score"] for name in ("SFS", "CSP", "CUS_improved", "MCS", "ASS", "overall")} == {None}
        assert [issue["code"] for issue in result["issues"]] == ["no_slots_truth"]


def test_overall_leaves_out_what_does_not_apply_and_says_so(patient):
    result = score_turn("67세 여성으로 제2형 당뇨병이 있으십니다.", slots=patient, turn=1)["overall"]
    assert result["left_out"] == ["MCS", "ASS"]
    assert result["score"] == pytest.approx((0.3 * 1 + 0.3 * (1 - 0) + 0.2 * 1) / 0.8)


@pytest.mark.parametrize("turn", [1, "1", "T1", "turn_1"])
def test_names_of_a_turn(patient, turn):
    assert score_turn("안녕", slots_truth=patient, turn_id=turn)["CUS_improved"]["total"] == 3


def test_a_turn_nobody_knows(patient):
    result = score_turn("67세이십니다.", slots=patient, turn=9)
    assert result["CUS_improved"]["score"] is None and result["ASS"]["score"] is None
    assert "unknown_turn" in [issue["code"] for issue in result["issues"]]


def test_every_span_is_the_text_it_names(patient):
    answer = "67세 여성으로 와파린을 복용 중이십니다. HbA1c는 9.9%입니다. 바나나를 드세요."
    result = score_turn(answer, slots=patient, turn=4)
    kinds = {span["kind"] for span in result["spans"]}
    assert {"supported", "hallucinated", "violated", "missing"} <= kinds
    for span in result["spans"]:
        if span["start"] is not None:
            assert 0 <= span["start"] < span["end"] <= len(answer)
    hallucinated = {answer[s["start"] : s["end"]] for s in result["spans"] if s["kind"] == "hallucinated"}
    assert hallucinated == {"와파린", "HbA1c는 9.9%"}
