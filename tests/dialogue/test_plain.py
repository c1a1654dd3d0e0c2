"""What is said in so many words may be called wrong; what an answer takes for granted may not."""

from __future__ import annotations

import time

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.reading.plain import is_plain

TRUTH = {
    "age": 61, "sex": "female", "primary_condition": "Hypertension", "comorbidities": [], "active_meds": ["Losartan"],
}  # fmt: skip


def _wrong(answer: str) -> list[str]:
    return [each["concept"] for each in score_turn(answer, "", TRUTH)["SFS"]["hallucinated_details"]]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("You take warfarin every evening.", "drug:warfarin"),
        ("Your asthma is quiet.", "condition:asthma"),
        ("As a 61-year-old with asthma you should get the flu shot.", "condition:asthma"),
        ("You are on losartan 50 mg and warfarin.", "drug:warfarin"),
        ("Keep taking the warfarin.", "drug:warfarin"),
        ("You don't have hypertension.", "condition:hypertension"),
        ("## Your medicines\n- Losartan\n- Warfarin", "drug:warfarin"),
        ("천식이 있으셔서 찬 공기를 피하세요.", "condition:asthma"),
        ("로사르탄과 와파린을 함께 드시고 계시네요.", "drug:warfarin"),
        ("매일 드시는 와파린은 거르지 마세요.", "drug:warfarin"),
        ("고혈압은 없으시니 염려하지 마세요.", "condition:hypertension"),
        ("복용 목록입니다.\n1. 로사르탄\n2. 와파린", "drug:warfarin"),
    ],
)
def test_a_plain_statement_may_be_wrong(answer, wrong):
    assert wrong in _wrong(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "You take losartan for your pressure, and naproxen on top of it raises the chance of a bleed.",
        "Yes, one of your medicines is a plausible culprit, and it isn't the losartan.",
        "I'm not convinced that this was hypertension talking.",
        "혈압이 높으면 심근경색 위험이 커집니다. 그렇다고 환자분이 당뇨병이 있다는 뜻은 아닙니다.",
        "탈모도 속상하시겠지만 약은 꼭 상의하셔야 합니다.",
        "고혈압이 있으시니 기관지염으로 항생제를 처방받을 일이 생기면 꼭 말씀해 주세요.",
    ],
)
def test_what_is_taken_for_granted_is_never_called_wrong(answer):
    assert _wrong(answer) == []


@pytest.mark.parametrize("filler", [", ", " and", "(", "은 ", "·", "a ", "**", "- "])
def test_long_runs_of_joints_take_no_long_time(filler):
    answer = f"You take losartan{filler * 3000}warfarin. 로사르탄{filler * 3000}와파린을 드시고 계십니다."
    passage = load_extractor().read(answer)
    begun = time.process_time()
    for mention in passage.mentions:
        is_plain(passage, mention, (0, len(answer)))
    assert time.process_time() - begun < 2
