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
    ],
)
def test_a_form_states_its_values_alone(text: str, atoms: list[str]) -> None:
    assert [str(term) for term in parse(text)] == atoms


def test_a_location_that_heads_an_entry_holds_to_its_end() -> None:
    places = {term.atom: term.places for term in parse("舌尖：红，有点刺；舌边：齿痕")}
    assert places["SHAPE_点刺"] == ("LOCATION_舌尖",)
    assert places["SHAPE_齿痕"] == ("LOCATION_舌边",)
    assert {term.atom: term.places for term in parse("舌尖：红，苔白")}["COATCOLOR_白"] == ()


@pytest.mark.parametrize(
    "text", ["：", "(：", "）：红", "：-", "裂纹：-" * 200, "(" * 300 + "：", "腐腻 腻", " 腻", "무", "태 무무"]
)
def test_odd_forms_are_read_without_an_error(text: str) -> None:
    parse(text)
