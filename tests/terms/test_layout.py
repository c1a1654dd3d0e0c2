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
        ("裂纹：有( ) 无( )", "裂纹：不详;      "),
        ("치흔: 있음/없음", "치흔: 不详;  "),
        ("裂纹[有/无] 舌红", "裂纹不详;   舌红"),
        ("裂纹：____ 舌红", "裂纹：不详;  舌红"),
        ("剥脱_无_ 裂纹＿＿有＿＿", "剥脱:无  裂纹: 有  "),
        ("舌质(1.淡红 2.红)：2", "舌质 □ 淡红 ☑ 红   "),
        ("齿痕（0=无 1=轻）：0", "齿痕 : 无 □ 轻   "),
        ("齿痕：1.无√ 2.轻", "齿痕：  无     "),
        ("胖瘦：胖√ 瘦", "胖瘦：胖√  "),
        ("舌体：胖大/瘦薄（瘦薄）", "舌体：      瘦薄 "),
        ("裂纹：有/无 → 有", "裂纹：      有"),
        ("1) Red 2) Dry", "1) Red ;  Dry"),
        ("coat - none", "coat:  none"),
        ("首诊(5.3)舌红", "首诊(5_3)舌红"),
        ("tooth_no_x", "tooth no x"),
        ("裂纹(+，舌中)", "裂纹(  舌中)"),
        ("裂纹 0分", "裂纹 无 "),
        ("舌质——红", "舌质: 红"),
        ("tooth_marks: x", "tooth marks: x"),
        ("舌质[√]红；裂纹：有[ ] 无[√]", "舌质[√]红；裂纹：     无   "),
        ("苔黄，三天后薄", "苔黄，现在 薄"),
        ("황태, 2주 전에는 백태", "황태, 전회     백태"),
        ("열흘 후 얇음", "지금   얇음"),
        ("two weeks later, thin", "now            , thin"),
        ("After 3 days, thin", "now         , thin"),
        ("a day ago red", "yesterday red"),
        ("Cracked? No", "Cracked: No"),
        ("裂纹：有/无（无）", "裂纹：   （无）"),
        ("裂纹：[ ]有 [x]无", "裂纹：     :  无"),
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
        ("裂纹 [ ]  齿痕 [x]", False),
        ("红", False),
    ],
)
def test_boxes_stand_before_or_after_what_they_tick(text: str, first: bool) -> None:
    assert boxes_stand_first(text) is first


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("舌质[√]红 [ ]绛；芒刺[√] 裂纹[ ]", ["COLOR_红", "SHAPE_芒刺"]),
        ("红[ ] 绛[√]；苔[ ]薄 [√]厚", ["COLOR_绛", "THICK_厚"]),
    ],
)
def test_each_group_has_its_boxes_before_or_after_what_they_tick(text: str, names: list[str]) -> None:
    assert [str(term) for term in parse(text)] == names


@pytest.mark.parametrize("otherwise", [True, False])
def test_a_single_box_between_two_words_stands_as_the_others_of_the_form(otherwise: bool) -> None:
    assert boxes_stand_first("少苔 □ 舌淡", otherwise) is otherwise
    assert boxes_stand_first("□红", otherwise) is True


@pytest.mark.parametrize("text", ["3일 전부터 황태", "3일 후태", "舌前2/3红", "an ulcer later"])
def test_what_is_no_span_of_time_stays_as_it_is(text: str) -> None:
    assert unfold(text) == text


@given(st.text("3两a한주周前后전후 dayslterog", max_size=30))
def test_times_never_move_positions(text: str) -> None:
    assert len(unfold(text)) == len(text)


@given(st.text("裂纹无有□☑○[]()x |\t\n-—:：falsetru", max_size=40))
def test_positions_never_move(text: str) -> None:
    assert len(unfold(text)) == len(text)


def test_a_table_of_many_rows_or_bars_is_read_in_linear_time() -> None:
    assert len(parse("| 裂纹 | 无 |\n" * 2000)) == 2000
    assert parse(" " * 20_000 + "|" + "\t " * 20_000) == ()
    assert parse("☐黄腻 " * 2000) == parse("黄腻☐ " * 2000) == parse("☐" + "a " * 20_000 + ":") == ()
    assert parse("|" * 20_000 + "[" * 20_000 + "□" * 5_000) == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("舌质：A.淡红 B.红 C.绛  所选：B", ["COLOR_红"]),
        ("舌形：A、胖大 B、瘦薄 C、齿痕  所选：A、C；裂纹：无", ["SHAPE_胖大", "SHAPE_齿痕", "¬SHAPE_裂纹"]),
        ("설질 ① 담홍 ② 홍 ③ 강  선택: ②", ["COLOR_红"]),
        ("Coat: A. thin B. thick   Answer: b", ["THICK_厚"]),
        ("1. 舌红 2. 苔黄", ["COLOR_红", "COATCOLOR_黄"]),
        ("舌红，所选：A", ["COLOR_红"]),
    ],
)
def test_of_options_with_letters_those_that_a_line_names_are_stated(text: str, names: list[str]) -> None:
    assert [str(term) for term in parse(text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("润燥：燥｜腐腻：腻", ["NATURE_燥", "NATURE_腻"]),
        ("舌质：红｜苔：黄", ["COLOR_红", "COATCOLOR_黄"]),
        ("舌质：红 | 苔：黄", ["COLOR_红", "COATCOLOR_黄"]),
        ("齿痕 0 / 裂纹 0", ["¬SHAPE_齿痕", "¬SHAPE_裂纹"]),
        ("裂纹 0；舌红", ["¬SHAPE_裂纹", "COLOR_红"]),
        ("裂纹 0.5", ["SHAPE_裂纹"]),
        ("裂纹 10", ["SHAPE_裂纹"]),
    ],
)
def test_bars_part_entries_and_zero_denies(text: str, names: list[str]) -> None:
    assert [str(term) for term in parse(text)] == names


@given(st.text("ABab12①② .、:：所选择红绛", max_size=40))
def test_letters_of_options_never_move_positions(text: str) -> None:
    assert len(unfold(text)) == len(text)
