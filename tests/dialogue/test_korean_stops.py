"""Stopping a drug in Korean: only what an answer says in so many words is held against it."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.rules.korean_stop import stops_plainly

PATIENT = {
    "age": 66,
    "primary_condition": "고혈압",
    "comorbidities": ["2형 당뇨병"],
    "active_meds": ["Amlodipine 5 MG", "Metformin 500 MG", "Bisoprolol 5 MG"],
    "labs": {"egfr": 80},
    "allergies": [],
}


@pytest.mark.parametrize(
    "frame",
    [
        "X은 오늘부터 끊으세요.",
        "당분간 X는 드시지 마세요.",
        "X은 놓지 않으셔도 괜찮습니다.",
        "혈압이 좋으니 X까지 드실 건 없습니다.",
        "가장 먼저 뺄 수 있는 약은 X입니다.",
        "X은 이틀에 한 번으로 바꾸셔도 무리가 없습니다.",
        "X과는 이쯤에서 헤어지셔도 됩니다.",
        "X은 더 드실 까닭이 없습니다.",
        "X은 굳이 이어 가지 않으셔도 됩니다.",
    ],
)
def test_words_for_stopping_stand_behind_the_drug(frame: str):
    assert stops_plainly(frame)


@pytest.mark.parametrize(
    "frame",
    [
        "'큰일 난다'는 말은 X 전부가 아니라 Y를 두고 하는 이야기입니다.",
        "X만으로는 저혈당이 드물지만, 굶고 운동하지는 마시고 물도 넉넉히 드세요.",
        "심방세동에서는 X보다 Y을 우선 씁니다.",
        "X은 두근거림을 빨리 줄여 줍니다.",
        "Y 한 알에 다 들어 있으니 X을 더 드실 필요는 없어요.",
        "체중이 줄면 X을 끊을 수도 있습니다.",
        "보통 분만 당일부터 X을 중단합니다.",
        "X은 빈속에는 드시지 마세요.",
        "X만 드시고 끼니를 거르지 마세요.",
        "X을 더 자주 드시지 마세요.",
        "X은 한 번에 두 알씩 드시지 마십시오.",
        "X을 깜빡하셨다면 그날은 건너뛰고 다음 날 드세요.",
        "X을 드시고 어지러우면 약을 쉬고 바로 전화 주세요.",
        "X를 드시면서도 사용할 수 있습니다. 다만 기분이 가라앉으면 즉시 중단하고 연락하셔야 합니다.",
    ],
)
def test_what_only_follows_from_other_words_stops_nothing(frame: str):
    assert not stops_plainly(frame)


@pytest.mark.parametrize(
    ("answer", "violates"),
    [
        ("암로디핀은 이제 졸업하셔도 되겠습니다.", True),
        ("암로디핀 안 드셔도 혈압은 괜찮을 거예요.", True),
        ("암로디핀은 혈압이 높을 때만 드세요.", True),
        ("콩코르는 시술 사흘 전부터 쉬시고, 아물면 다시 시작하세요.", True),
        ("암로디핀을 감량할 이유는 없습니다.", False),
        ("암로디핀은 끊으실 까닭이 없습니다.", False),
        ("메트포르민을 완전히 거르는 것은 혈당이 올라 금물입니다.", False),
        ("혹시 생리가 늦어지면 약을 버리지 말고 전화 주세요.", False),
        ("'암로디핀은 부으니까 이제 끊어라'라는 글을 보셨군요.", False),
        ("❌ 암로디핀은 오늘부터 끊으세요.", False),
        ("혈압이 내려가면 암로디핀을 끊는 분들이 많습니다.", False),
        ("심장내과 교수님과 통화했습니다. 콩코르는 절반 용량으로 드시면 됩니다.", False),
        ("콩코르는 절반 용량으로 드시면 됩니다.", True),
    ],
)
def test_a_stop_that_is_quoted_of_others_or_agreed_with_the_prescriber_is_none(answer: str, violates: bool):
    assert bool(score_turn(answer, "", PATIENT)["CSP"]["violated_rules"]) == violates
