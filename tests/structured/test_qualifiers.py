"""What a text may do without at its end, and what is something else without it."""

from __future__ import annotations

import pytest

from jatdae.structured import compare
from jatdae.structured.qualifiers import lacks_qualifier, marks_of


@pytest.mark.parametrize(
    ("full", "short", "never"),
    [
        ("Sechskantschraube M8x40 verzinkt", "Sechskantschraube M8x40", "Sechskantschraube M8x45"),
        ("Stahlrohr 20x2 mm kalt gezogen", "Stahlrohr 20x2 mm", "Stahlrohr 20x2"),
        ("복사용지 80g 백색", "복사용지 80g", "복사용지"),
        ("Ibuprofen 400 mg daily", "Ibuprofen 400 mg", "Ibuprofen"),
        ("Bürostuhl Modell Oslo schwarz", "Bürostuhl Modell Oslo", "Bürostuhl Modell"),
        ("Annual maintenance of heat pump", "Annual maintenance", "Annual"),
    ],
)
def test_a_qualifier_at_the_end_may_be_left_out(full: str, short: str, never: str) -> None:
    assert lacks_qualifier(full, short) and lacks_qualifier(short, full)
    assert not lacks_qualifier(full, never) and not lacks_qualifier(never, full)


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("Bank Mandiri Syariah", "Bank Mandiri"),
        ("Breast cancer screening", "Breast cancer"),
        ("Samsung Galaxy S24 Ultra", "Samsung Galaxy S24"),
        ("갤럭시 S24 울트라", "갤럭시 S24"),
        ("Metformin 500 mg XR", "Metformin 500 mg"),
        ("Metformin 500 mg stopped", "Metformin 500 mg"),
        ("메트포르민 500mg 중단", "메트포르민 500mg"),
        ("Metformin 500 mg and sitagliptin", "Metformin 500 mg"),
        ("Schokolade Tafel 100 g zuckerfrei", "Schokolade Tafel 100 g"),
        ("Pump 5 mL per hour", "Pump 5 mL"),
        ("Room 12 occupied", "Room 12"),
        ("Office Chair, black", "Office Chair"),
        ("Old fracture of", "Old fracture"),
    ],
)
def test_what_is_something_else_without_its_end(full: str, short: str) -> None:
    assert not lacks_qualifier(full, short)


@pytest.mark.parametrize(
    ("scaled", "mark", "never"),
    [
        ("3.85 / 4.0", "3.85", "3.58"),
        ("3,9 von 5 Sternen", 3.9, 3.0),
        ("85/100", 85, 80),
        ("92점/100점", "92점", "29점"),
        ("4.2 (4.5 만점)", 4.2, 4.5),
    ],
)
def test_a_mark_without_its_scale_is_near(scaled: str, mark: str | float, never: str | float) -> None:
    for a, b in ((scaled, mark), (mark, scaled)):
        [result] = compare({"x": a}, {"x": b}).field_results
        assert result.status == "FUZZY"
    assert compare({"x": never}, {"x": scaled}).fuzzy_accuracy == 0.0


def test_marks_on_one_scale_are_the_same_however_it_is_written() -> None:
    assert compare({"x": "3.85/4.00"}, {"x": "3.85 out of 4"}).exact_accuracy == 1.0
    assert compare({"x": "3.85/4.0"}, {"x": "3.85/4.5"}).fuzzy_accuracy == 0.0


@pytest.mark.parametrize("text", ["3/4", "120/80", "1.2/1.5", "5.5/5", "0.5/10 mg", "12/2024"])
def test_other_figures_with_a_stroke_are_no_marks(text: str) -> None:
    assert marks_of(text, "3") is None
