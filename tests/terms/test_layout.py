"""Layouts of forms, rewritten as items with answers at the same positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.terms import parse
from jatdae.terms.layout import boxes_stand_first, unfold


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("| 裂纹 | 无 |", "| 裂纹 : 无 |"),
        ("裂纹 | 无", "裂纹 : 无"),
        ("裂纹\t无", "裂纹:无"),
        ("裂纹\n无", "裂纹:无"),
        ("裂纹：有□ 无☑", "裂纹：   无 "),
        ("裂纹：[ ]有 [x]无", "裂纹：        无"),
        ("裂纹（—）", "裂纹(-)"),
        ("裂纹 ✗", "裂纹 无"),
        ("瘀斑(有/无)：无", "瘀斑     ：无"),
        ('"裂纹": false', '"裂纹": no   '),
        ('"裂纹": TRUE', '"裂纹":     '),
    ],
)
def test_a_layout_is_rewritten_as_an_item_with_an_answer(text: str, plain: str) -> None:
    assert unfold(text) == plain


@pytest.mark.parametrize(
    "text", ["舌红苔黄", "| 舌色 | 苔色 | 齿痕 |", "|---|---|", "舌质红( )", "舌红\n苔黄", "a|b|c|d"]
)
def test_what_is_no_form_stays_as_it_is(text: str) -> None:
    assert unfold(text) == text


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("□红 ☑绛", True),
        ("红□ 绛☑", False),
        ("红□绛☑", False),
        ("色□红☑绛", True),
        ("[ ] red [x] pale", True),
        ("红", False),
    ],
)
def test_boxes_stand_before_or_after_what_they_tick(text: str, first: bool) -> None:
    assert boxes_stand_first(text) is first


@given(st.text("裂纹无有□☑○[]()x |\t\n-—:：falsetru", max_size=40))
def test_positions_never_move(text: str) -> None:
    assert len(unfold(text)) == len(text)


def test_a_table_of_many_rows_or_bars_is_read_in_linear_time() -> None:
    assert len(parse("| 裂纹 | 无 |\n" * 2000)) == 2000
    assert parse(" " * 20_000 + "|" + "\t " * 20_000) == ()
    assert parse("|" * 20_000 + "[" * 20_000 + "□" * 5_000) == ()
