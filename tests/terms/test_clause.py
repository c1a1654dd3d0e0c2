"""What is settled at the end of a clause, and what is taken back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.terms import find_lexicon, parse

Marked = Callable[..., list[str]]

WORDS = sorted({word.text for word in find_lexicon("tongue").vocabulary.words.words})


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("右侧舌边有瘀斑，左侧未见", ["LOCATION_舌边", "SHAPE_瘀斑@舌边"]),
        ("未见舌下络脉", []),
        ("舌下络脉未曝露，舌红", ["COLOR_红"]),
        ("设备正常。没有发现特别的异常：舌淡红", ["COLOR_淡红"]),
        ("设备正常。没有足够的信息判断苔质", []),
    ],
)
def test_a_bare_denial_takes_back_what_it_stands_at(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("在舌根处，苔厚", ["LOCATION_舌根", "THICK_厚@舌根"]),
        ("치흔은 양측에서 보이지만 열문은 없음", ["SHAPE_齿痕@舌边", "LOCATION_舌边", "¬SHAPE_裂纹"]),
        ("redder tip w/ prickles", ["COLOR_红@舌尖", "LOCATION_舌尖", "SHAPE_芒刺@舌尖"]),
        ("舌中：裂纹、苔少", ["LOCATION_舌中", "SHAPE_裂纹@舌中", "THICK_少@舌中"]),
    ],
)
def test_locations_reach_what_they_are_said_of(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("不具备“舌红少苔”的特征", ["¬COLOR_红", "¬THICK_少"]),
        ("未见黄苔或黑苔", ["¬COATCOLOR_黄", "¬COATCOLOR_黑"]),
        ("苔不白滑", ["¬COATCOLOR_白", "¬NATURE_滑"]),
        ("不过舌体胖大", ["SHAPE_胖大"]),
        ("舌下络脉：迂曲(+)、怒张(-)", ["SUBLINGUAL_迂曲", "¬SUBLINGUAL_怒张"]),
        ("可以排除镜面舌", ["¬SHAPE_光"]),
        ("궤양이나 출혈이 없음", ["¬SHAPE_溃疡"]),
    ],
)
def test_negations_reach_what_they_deny(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    "text",
    [
        "背景中可见白色墙面",
        "患者的红色上衣",
        "画面右侧有蓝色枕头",
        "배경의 흰 벽",
        "P: rapid, slippery",
        "唇色紫，面色晦暗",
    ],
)
def test_other_subjects_are_skipped_with_their_adjectives(text: str) -> None:
    assert parse(text) == ()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*WORDS, " ", "|", "\n", "“", "”", "甲", "[ ]", "[x]"]), max_size=14).map("".join))
def test_any_words_in_any_order_are_read(text: str) -> None:
    assert all(0 <= term.start < term.end <= len(text) for term in parse(text))
