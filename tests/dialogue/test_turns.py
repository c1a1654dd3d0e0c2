"""`score_turn`: the shape of every result, names of turns, and what is N/A."""

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
    "CSP": [
        "metric",
        "score",
        "violated_rules",
        "applicable_rules",
        "total_penalty",
        "total_applicable_weight",
        "any_violation",
        "critical_violation",
    ],
    "CUS_improved": ["metric", "score", "hits", "total", "used_weight", "total_weight", "used_detail"],
}


def test_results_have_the_agreed_keys(patient):
    result = score_turn("와파린을 드시고 계신 67세 여성이십니다. 이부프로펜을 드세요.", slots=patient, turn=1)
    for name, keys in KEYS.items():
        assert list(result[name]) == keys and result[name]["metric"] == name
    assert list(result["SFS"]["hallucinated_details"][0]) == ["concept", "text", "span", "why", "truth"]
    assert list(result["CSP"]["violated_rules"][0])[:5] == ["id", "name", "penalty", "rationale", "span"]
    assert list(result["CUS_improved"]["used_detail"]["age"]) == ["value", "used", "confidence", "span"]


def test_without_a_truth_nothing_is_scored():
    for slots in (None, {}, {"age": None}):
        result = score_turn("67세이십니다.", slots=slots, turn=1)
        assert {result[name]["score"] for name in ("SFS", "CSP", "CUS_improved", "MCS", "ASS", "overall")} == {None}
        assert [issue["code"] for issue in result["issues"]] == ["no_slots_truth"]


@pytest.mark.parametrize("turn", [1, "1", "T1", "turn_1"])
def test_names_of_a_turn(patient, turn):
    assert score_turn("안녕", slots_truth=patient, turn_id=turn)["CUS_improved"]["total"] == 3


def test_a_turn_nobody_knows(patient):
    result = score_turn("67세이십니다.", slots=patient, turn=9)
    assert result["CUS_improved"]["score"] is None and result["ASS"]["score"] is None
    assert "unknown_turn" in [issue["code"] for issue in result["issues"]]


def test_every_span_is_the_text_it_names(patient):
    answer = "67세 여성으로 와파린을 복용 중이십니다. HbA1c는 9.9%입니다. 이부프로펜을 드세요."
    result = score_turn(answer, slots=patient, turn=4)
    kinds = {span["kind"] for span in result["spans"]}
    assert {"supported", "hallucinated", "violated", "missing"} <= kinds
    for span in result["spans"]:
        if span["start"] is not None:
            assert 0 <= span["start"] < span["end"] <= len(answer)
    hallucinated = {answer[s["start"] : s["end"]] for s in result["spans"] if s["kind"] == "hallucinated"}
    assert hallucinated == {"와파린", "HbA1c는 9.9%"}
