"""The first author's own files load as they are, and score."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jatdae.dialogue import DialogueEvaluator, compute_advanced_metrics
from jatdae.dialogue.rules.rulebook import load_rulebook
from jatdae.dialogue.turns import load_scorer

DATA = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data"))
FOLDER = DATA / "dialogue" / "first_author"
pytestmark = [
    pytest.mark.skipif(not FOLDER.is_dir(), reason=f"{FOLDER} is not here"),
    pytest.mark.filterwarnings("ignore:no rule uses"),
]
PATIENT = {
    "age": 67,
    "sex": "female",
    "primary_condition": "congestive heart failure",
    "labs": {"egfr": 45, "hemoglobin": 10.2, "potassium": 5.4},
    "vitals": {"bp_systolic": 185, "bp_diastolic": 96},
}


def violated(answer: str, question: str = "", turn: int = 4) -> list[str]:
    result = compute_advanced_metrics(answer, question, PATIENT, turn, FOLDER)
    return [rule["id"] for rule in result["CSP"]["violated_rules"]]


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        ("고강도 인터벌 운동을 해 보세요.", ["CSP_EX_001", "CSP_BP_001"]),
        ("고강도 인터벌 운동은 하지 마세요.", []),
        ("바나나를 매일 드세요.", ["CSP_K_001"]),
        ("바나나와 감자는 피하세요.", []),
        ("고단백 식단을 추천합니다.", ["CSP_CKD_001"]),
        ("Use a protein supplement every day.", ["CSP_CKD_001"]),
    ],
)
def test_its_rules_find_what_they_forbid(answer, rules):
    assert violated(answer) == rules


DIABETIC = {"age": 60, "labs": {"hba1c": 8.24}}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("술은 괜찮습니다.", True),
        ("음주는 문제없습니다.", True),
        ("계속 마셔도 됩니다.", True),
        ("You have no need to reduce alcohol.", True),
        ("There is no need to reduce alcohol.", True),
        ("alcohol is fine", True),
        ("An evening glass of alcohol is fine for you.", True),
        ("술은 괜찮지 않습니다.", False),
        ("술은 괜찮다는 말은 믿지 마세요.", False),
        ("음주는 문제없다고 할 수 없습니다.", False),
        ("술은 괜찮을까요? 아니요, 피하세요.", False),
        ("I would not say that alcohol is fine.", False),
        ("I don't think you have no need to reduce alcohol.", False),
        ("How alcohol is finely regulated is another matter.", False),
    ],
)
def test_a_pattern_that_allows_a_thing_in_its_own_words_is_violated_by_them(answer, found):
    result = compute_advanced_metrics(answer, "", DIABETIC, 4, FOLDER)["CSP"]
    assert [rule["id"] for rule in result["applicable_rules"]] == ["CSP_DM_001"]
    assert bool(result["violated_rules"]) is found


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        ("최대심박의 95%까지 올리세요", ["CSP_EX_001", "CSP_BP_001"]),
        ("최대심박수의 90%로 달리세요.", ["CSP_EX_001", "CSP_BP_001"]),
        ("최대심박의 95%까지 올리지 마세요.", []),
        ("최대심박의 60% 이하로 유지하세요.", []),
        ("최대심박의 80%를 넘기지 마세요.", []),
        ("최대심박의 85%까지 올리면 위험합니다.", []),
    ],
)
def test_nearly_all_of_a_thing_is_the_thing(answer, rules):
    assert violated(answer) == rules


def test_its_inline_requirement_applies_on_its_turn():
    assert violated("하루 30분 걸으세요.", turn=3) == ["CSP_REQ_001"]
    assert violated("하루 30분 걷고 가슴 통증이 있으면 멈추세요.", turn=3) == []


def test_its_fields_without_a_slot_are_found():
    flags = load_scorer(FOLDER).case_of("", "", load_scorer(FOLDER).truth_of(PATIENT), 1).flags
    assert {"patient_flag:anemia_possible", "patient_flag:very_high_bp", "patient_flag:hyperkalemia"} <= flags
    assert "patient_flag:ckd_stage4_or_worse" not in flags


def test_its_weights_are_those_of_overall():
    weights = load_scorer(FOLDER).weights.overall
    assert weights["CUS_improved"] == 0.25 and weights["faithfulness"] == 0.15
    result = compute_advanced_metrics("바나나를 드세요.", "", PATIENT, 4, FOLDER)
    assert "perplexity" in result["overall"]["left_out"]


def test_names_that_no_rule_uses_are_warned_about():
    with pytest.warns(UserWarning, match=r"uncontrolled_bp \(.*safety_rules.yaml:\d+\)"):
        load_rulebook(FOLDER, load_scorer().extractor.lexicon)


def test_the_evaluator_takes_the_folder():
    assert DialogueEvaluator(config=FOLDER).own_metrics()[0].name == "overall"
