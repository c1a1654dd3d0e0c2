"""Taking a drug in Korean: what an answer only leaves open is not held against it."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.rules.korean_undecided import is_left_open, is_left_to

PATIENT = {
    "age": 66,
    "primary_condition": "심부전",
    "comorbidities": ["당뇨병"],
    "active_meds": ["Ramipril 5 MG", "Warfarin 3 MG", "Metformin 500 MG"],
    "labs": {"potassium": 5.3, "egfr": 50},
    "allergies": [],
}


@pytest.mark.parametrize(
    ("frame", "is_open"),
    [
        ("다음 검사에서 괜찮으면 X을 추가할 수도 있습니다.", True),
        ("X을 더하게 되면 더 자주 봐야 하고요.", True),
        ("X 계열을 받게 되면 두세 시간 띄워 드세요.", True),
        ("보통은 X 반 알로 두어 주, 그다음엔 하루걸러 드시는 식으로 가요.", True),
        ("X을 드실 수 있습니다.", False),
        ("X을 처방받으시면 됩니다.", False),
        ("검사 결과가 좋으니 X을 드셔도 됩니다.", False),
    ],
)
def test_what_may_come_later_is_left_open(frame: str, is_open: bool):
    assert is_left_open(frame) == is_open


def test_what_an_expert_decides_on_is_left_to_the_expert():
    helps = "이때는 X가 도움이 됩니다."
    assert is_left_to(helps, "이비인후과에서 콧속을 보고 정하는 것이 순서입니다.")
    assert not is_left_to(helps, "하루 세 번 드세요.")


@pytest.mark.parametrize(
    ("answer", "violates"),
    [
        ("저염소금은 나트륨을 줄인 자리에 염화칼륨을 넣은 제품이 많습니다.", False),
        ("저염소금을 드시면 됩니다.", True),
        ("라미프릴을 ARB 계열(예: 코자)로 바꾸면 마른기침이 사라집니다.", False),
        ("라미프릴에 코자를 더해 드세요.", True),
        ("담배만큼 나쁜 게 없습니다.", False),
        ("속이 쓰리면 개비스콘을 드셔도 됩니다.", False),
        ("하루 두 개비는 피우셔도 됩니다.", True),
        ("크로스핏처럼 숨이 끊어질 듯한 운동은 하지 마세요.", False),
        ("시금치를 갑자기 많이 드셔도 됩니다.", True),
        ("시금치를 갑자기 많이 드시지 마세요.", False),
    ],
)
def test_what_is_only_named_is_not_advised(answer: str, violates: bool):
    assert bool(score_turn(answer, "", PATIENT)["CSP"]["violated_rules"]) == violates
