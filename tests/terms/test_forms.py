"""Forms: options, signs, answers and headings without a colon."""

from __future__ import annotations

import pytest

from jatdae.terms import parse


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("舌色（淡白/淡红/红/绛）：红", ["COLOR_红"]),
        ("苔质（腐腻）：腻", ["NATURE_腻"]),
        ("苔腐腻 腻；苔润燥 燥", ["NATURE_腻", "NATURE_燥"]),
        ("瘀斑：+ 齿痕：- 裂纹：×", ["SHAPE_瘀斑", "¬SHAPE_齿痕", "¬SHAPE_裂纹"]),
        ("裂纹、齿痕均无；苔薄", ["¬SHAPE_裂纹", "¬SHAPE_齿痕", "THICK_薄"]),
        ("津液：不足", ["NATURE_少津"]),
        ("津液: 充足", ["NATURE_润"]),
        ("치흔 유, 열문 무", ["SHAPE_齿痕", "¬SHAPE_裂纹"]),
        ("설태: 무", ["THICK_无"]),
        ("瘀斑(点)", ["SHAPE_瘀斑", "SHAPE_瘀点"]),
        ("裂纹：有( ) 无( )；齿痕：有(√) 无( )", ["SHAPE_齿痕"]),
        ("齿痕：☑；裂纹：□", ["SHAPE_齿痕"]),
        ("裂纹 [ ]  齿痕 [x]", ["SHAPE_齿痕"]),
        ("裂纹：有、齿痕：无、苔：薄", ["SHAPE_裂纹", "¬SHAPE_齿痕", "THICK_薄"]),
        ("齿痕、瘀点等均未见到", ["¬SHAPE_齿痕", "¬SHAPE_瘀点"]),
        ("齿痕 否", ["¬SHAPE_齿痕"]),
        ("裂纹 0.5cm", ["SHAPE_裂纹"]),
        ("舌质：□淡胖 ☑红 □绛紫，苔薄", ["COLOR_红", "THICK_薄"]),
        ("舌色 □淡 ☑红 □紫 苔 ☑黄 □白", ["COLOR_红", "COATCOLOR_黄"]),
        ("舌色 □淡 ☑红 □紫 齿痕 [x]有 [ ]无", ["COLOR_红", "SHAPE_齿痕"]),
        ("열문: 유□ 무☑ 설첨 홍□ 태 박☑", ["¬SHAPE_裂纹", "THICK_薄"]),
        ("□ 舌胖大，有齿痕\n☑ 舌绛", ["COLOR_绛"]),
        ("☐无齿痕 ☑有齿痕 ☐裂纹(两侧)", ["SHAPE_齿痕"]),
        ("red □ pale ☑ thick yellow coat □ thin coat ☑", ["COLOR_淡", "THICK_薄"]),
        ("○ 舌淡红\n○ 苔薄", ["COLOR_淡红", "THICK_薄"]),
        ("☑舌红 口干 口苦 苔黄", ["COLOR_红", "COATCOLOR_黄"]),
        ("☑舌红 口舌绛 口苔厚腻", ["COLOR_红"]),
        ("[ ] 黄腻苔\n[ ] 薄白苔", []),
    ],
)
def test_a_form_states_its_values_alone(text: str, atoms: list[str]) -> None:
    assert [str(term) for term in parse(text)] == atoms


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("齿痕|裂纹|瘀斑\n有|无|无", ["SHAPE_齿痕", "¬SHAPE_裂纹", "¬SHAPE_瘀斑"]),
        ("| 齿痕 | 裂纹 | 瘀斑 |\n|---|---|---|\n| 无 | 有 | 未查 |", ["¬SHAPE_齿痕", "SHAPE_裂纹"]),
        ("舌色|苔色|舌下络脉|脉象\n红|黄|红|弦滑", ["COLOR_红", "COATCOLOR_黄", "SUBLINGUAL_红"]),
        ("|项目|结果|备注|\n|齿痕|无||\n|裂纹|有||", ["¬SHAPE_齿痕", "SHAPE_裂纹"]),
    ],
)
def test_the_cells_of_a_table_answer_the_names_of_its_columns(text: str, atoms: list[str]) -> None:
    assert [str(term) for term in parse(text)] == atoms


def test_a_location_that_heads_an_entry_holds_to_its_end() -> None:
    places = {term.atom: term.places for term in parse("舌尖：红，有点刺；舌边：齿痕")}
    assert places["SHAPE_点刺"] == ("LOCATION_舌尖",)
    assert places["SHAPE_齿痕"] == ("LOCATION_舌边",)
    assert {term.atom: term.places for term in parse("舌尖：红，苔白")}["COATCOLOR_白"] == ()
    assert {term.atom: term.places for term in parse("舌尖：1分（红）")}["COLOR_红"] == ("LOCATION_舌尖",)


def test_a_head_may_end_the_name_of_an_item() -> None:
    assert [str(term) for term in parse("胖大舌：否；瘀斑舌：是")] == ["¬SHAPE_胖大", "SHAPE_瘀斑"]


@pytest.mark.parametrize(
    "text",
    [
        "：",
        "(：",
        "）：红",
        "：-",
        "裂纹：-" * 200,
        "(" * 300 + "：",
        "腐腻 腻",
        " 腻",
        "무",
        "태 무무",
        "|" * 300,
        "红|黄|白\n" * 100,
        "|||\n|红",
    ],
)
def test_odd_forms_are_read_without_an_error(text: str) -> None:
    parse(text)


def test_an_item_that_asks_where_is_of_the_item_before_it() -> None:
    assert parse("瘀点：有  部位：舌边")[0].places == ("LOCATION_舌边",)
    assert parse("裂纹：有  位置：舌中、舌根")[0].places == ("LOCATION_舌中", "LOCATION_舌根")
    assert parse("瘀点：无  部位：舌边")[0].places == ()
    assert parse("部位：舌边")[0].atom == "LOCATION_舌边"


def test_an_answer_may_have_a_remark_in_brackets() -> None:
    assert [str(term) for term in parse("Coating: none (mirror tongue).")] == ["THICK_无", "SHAPE_光"]
    assert [str(term) for term in parse("Cracks: none (see photo).")] == ["¬SHAPE_裂纹"]


def test_a_slash_between_spaces_ends_the_places() -> None:
    assert {term.atom: term.places for term in parse("根厚 / 齿痕")}["SHAPE_齿痕"] == ()


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("裂纹：____ 齿痕：____ 舌红", ["COLOR_红"]),
        ("裂纹[有/无]，舌红", ["COLOR_红"]),
        ("치흔: 있음/없음, 설홍", ["COLOR_红"]),
        ("cracks: yes/no; red tongue", ["COLOR_红"]),
        ("裂纹：+/-；齿痕：+", ["SHAPE_齿痕"]),
        ("치흔(있음/없음): 있음", ["SHAPE_齿痕"]),
        ("cracks (yes/no): no", ["¬SHAPE_裂纹"]),
        ("裂纹：__无__", ["¬SHAPE_裂纹"]),
        ("瘀斑/瘀点：无", ["¬SHAPE_瘀斑", "¬SHAPE_瘀点"]),
        ("舌红/无齿痕", ["COLOR_红", "¬SHAPE_齿痕"]),
        ("no cracks/no teeth marks", ["¬SHAPE_裂纹", "¬SHAPE_齿痕"]),
    ],
)
def test_an_item_of_an_empty_form_states_nothing(text: str, atoms: list[str]) -> None:
    assert [("¬" if term.negated else "") + term.atom for term in parse(text)] == atoms
