"""Amounts to be taken are read with the drug that a Korean answer spoke of last."""

from __future__ import annotations

import pytest

from jatdae.dialogue.rules.reference import spell_out
from jatdae.dialogue.turns import load_scorer


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (
            "시알리스는 전립선비대증에도 씁니다.\n\n**복용 방법**\n매일 같은 시간에 5mg 한 알을 드시면 됩니다.",
            "매일 같은 시간에 시알리스 5mg 한 알을 드시면",
        ),
        ("- **세인트존스워트** 허브입니다. 300mg을 하루 세 번 렉사프로와 같이 드세요.", "세인트존스워트 300mg을"),
        ("MTX는 면역을 조절합니다. 하루 한 알씩 드셔 보세요.", "MTX 하루 한 알씩"),
    ],
)
def test_the_drug_is_spelled_out_where_it_is_left_out(answer, read):
    spelled = spell_out(load_scorer().extractor.read(answer), None)
    assert spelled is not None and read in spelled.text


@pytest.mark.parametrize(
    "answer",
    [
        "이부프로펜은 피하세요. 아프실 때 하루 두 알을 드시던 것도 그만하세요.",  # refused
        "이부프로펜은 위를 상하게 합니다. 물을 하루 두 번 드세요.",  # an object of its own
        "이부프로펜과 아스피린은 다릅니다. 하루 한 알을 드세요.",  # either of two
        "이부프로펜은 흔히 씁니다. 타이레놀 한 알을 드세요.",  # another one is named
        "이부프로펜은 흔히 씁니다. 하루 두 번 쉬세요.",  # nothing is taken
    ],
)
def test_nothing_is_spelled_out_where_another_thing_may_be_meant(answer):
    assert spell_out(load_scorer().extractor.read(answer), None) is None


def test_a_place_in_the_spelled_text_is_one_of_the_answer():
    answer = "MTX는 면역을 조절합니다. 하루 한 알씩 드셔 보세요."
    spelled = spell_out(load_scorer().extractor.read(answer), None)
    assert spelled is not None
    place = spelled.text.rindex("한 알")
    start, end = spelled.origin((place, place + 3))
    assert answer[start:end] == "한 알"
