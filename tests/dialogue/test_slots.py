"""Slots beside the clinical ones: allergies, pregnancy, habits, family history, and slots of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.turns import load_scorer

TURN = """slots:
  occupation: {kind: text, compare: words, named: {patterns_ko: [직업], patterns_en: ['\\bwork\\b']}}
  pain_score: {kind: number, compare: number, tolerance: 1, named: {patterns_ko: [통증 점수]}}
turns:
  "1":
    required_slots:
    - {slot: SLOT, weight: 1}
"""


def use_of(slot: str, value: object, answer: str, folder: Path) -> float | None:
    (folder / "required_slots_by_turn.yaml").write_text(TURN.replace("SLOT", slot), "utf-8")
    return score_turn(answer, slots={"age": 50, slot: value}, turn=1, config_dir=folder)["CUS_improved"]["score"]


@pytest.mark.parametrize(
    ("slot", "value", "answer", "used"),
    [
        ("occupation", "carpenter", "As a carpenter you lift a lot.", 1.0),
        ("occupation", "carpenter", "Your work is hard.", 0.5),
        ("occupation", "carpenter", "Walk every day.", 0.0),
        ("occupation", "", "Walk every day.", None),
        ("pain_score", 6, "통증 점수가 7점이십니다.", 1.0),
        ("pain_score", 6, "통증 점수가 2점이십니다.", 0.5),
        ("allergies", ["Penicillin"], "페니실린에 알레르기가 있으시니 다른 약을 씁니다.", 1.0),
        ("allergies", ["Penicillin"], "약물 알레르기가 있으시니 다른 약을 씁니다.", 0.5),
        ("allergies", ["Penicillin"], "물을 드세요.", 0.0),
        ("pregnancy", {"pregnant": True, "weeks": 12}, "임신 12주이시니 무리하지 마세요.", 1.0),
        ("smoking", "current smoker", "Please quit smoking.", 1.0),
        ("alcohol", True, "술을 줄이세요.", 1.0),
        ("family_history", ["Stroke"], "아버지가 뇌졸중을 앓으셨으므로 혈압을 재세요.", 1.0),
        ("family_history", ["Stroke"], "혈압을 재세요.", 0.0),
        ("smoking", "20 pack-years", "You never smoke.", 0.0),
        ("smoking", "20 pack-years", "Since you smoke, quitting helps.", 1.0),
        ("smoking", "never", "You smoke a pack a day.", 0.0),
        ("smoking", "never", "흡연은 하지 않으시니 좋습니다.", 1.0),
        ("alcohol", "none", "매일 술을 드시네요.", 0.0),
        ("alcohol", "two drinks a day", "술은 전혀 안 드시니 좋습니다.", 0.0),
        ("alcohol", "two drinks a day", "Cut down on alcohol.", 1.0),
        ("pregnancy", "pregnant, 29 weeks", "You are not pregnant.", 0.0),
        ("pregnancy", "pregnant, 29 weeks", "You are 12 weeks pregnant.", 0.0),
    ],
)
def test_use_of_a_slot(slot, value, answer, used, tmp_path: Path):
    assert use_of(slot, value, answer, tmp_path) == used


@pytest.mark.parametrize(
    ("given", "pregnant", "weeks"),
    [
        (None, None, None),
        (True, True, None),
        (False, False, None),
        (26, True, 26.0),
        ("26 weeks", True, 26.0),
        ("no", False, None),
        ("pregnant, 29 weeks", True, 29.0),
        ("임신 29주", True, 29.0),
        ("임신 6개월", True, 24.0),
        ("G2P1, 33w", True, 33.0),
        ("third trimester", True, 28.0),
        ("pregnant", True, None),
        ("postpartum, 6 weeks", False, None),
        ("출산 후 6주", False, None),
        ({"pregnant": True, "weeks": 8}, True, 8.0),
        ({"pregnant": False, "weeks": None}, False, None),
        ({"weeks": 30}, True, 30.0),
    ],
)
def test_pregnancy(given, pregnant, weeks):
    truth = load_scorer().truth_of({"age": 30, "pregnancy": given})
    assert (truth.pregnant, truth.weeks) == (pregnant, weeks)


@pytest.mark.parametrize(
    ("given", "smokes"),
    [
        (True, True),
        ("never smoker", False),
        ("비흡연", False),
        ("20개비/일", True),
        ("former smoker", False),
        ("", None),
    ],
)
def test_habits(given, smokes):
    assert load_scorer().truth_of({"age": 30, "smoking": given}).habits.get("smoking") == smokes


def test_what_one_is_allergic_to_is_not_taken():
    truth = load_scorer().truth_of({"age": 30, "allergies": ["Amoxicillin"], "family_history": ["Stroke"]})
    assert truth.allergens == {"drug:amoxicillin"} and not truth.above
    assert truth.unknown == truth.unread == ()
