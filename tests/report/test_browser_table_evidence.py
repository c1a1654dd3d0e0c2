"""Two tables side by side in a real browser: what is wrong with a cell is painted and said, equal rows are folded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate
from jatdae.tables.evaluator import TableEvaluator

from .conftest import HOSTILE, Opened


def table(*rows: str) -> str:
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def row(*texts: object) -> str:
    return "".join(f"<td>{text}</td>" for text in texts)


Show = Callable[..., Any]


@pytest.fixture
def show(opened: Callable[..., Opened]) -> Show:
    """`show(prediction, reference)`: the evidence of two tables, as the reader sees it."""

    def of(prediction: str, reference: str, *, width: int = 1280, **options: Any) -> Any:
        result = evaluate([Sample("1", prediction, reference)], TableEvaluator(**options))
        shown = opened(to_html(result), at="#sample=1", width=width)
        assert shown.serious() == []
        return shown.page.locator("#detail .evidence")

    return of


def side(evidence: Any, at: int) -> Any:
    return evidence.locator(".grid").nth(at)


def cells(grid: Any, kind: str) -> list[str]:
    """Texts of painted cells, without what only a screen reader says."""
    found = grid.locator(f".{kind}").evaluate_all("""cells => cells.map((cell) => [...cell.childNodes]
        .filter((node) => node.className !== "unseen").map((node) => node.textContent).join(""))""")
    return list(found)


def test_edits_are_painted_without_being_asked_for(show: Show) -> None:
    evidence = show(table(row("a", "bcd"), row("c", "d")), table(row("a", "bcx", "y"), row("c", "d", "z")))
    reference, prediction = side(evidence, 0), side(evidence, 1)
    assert evidence.locator(".side-title").all_inner_texts() == ["Reference", "Prediction"]
    assert cells(reference, "changed") == ["bcx"]
    assert cells(reference, "missing") == ["y", "z"]
    assert cells(prediction, "changed") == ["bcd"]
    assert prediction.locator(".extra").count() == 0
    assert evidence.locator(".wrongs li").all_inner_texts() == ["text differs 1", "only in the reference 2"]


def test_the_letters_that_differ_are_marked_inside_a_cell(show: Show) -> None:
    evidence = show(table(row("K35.8O", "한글\u0301")), table(row("K35.80", "한국\u0301")))
    assert side(evidence, 0).locator("mark.letter").all_inner_texts() == ["0", "국\u0301"]
    assert side(evidence, 1).locator("mark.letter").all_inner_texts() == ["O", "글\u0301"]


def test_a_cell_that_should_not_be_empty_says_that_it_is(show: Show) -> None:
    evidence = show(table(row("a", ""), row("c", "d")), table(row("a", "b"), row("c", "d")))
    assert cells(side(evidence, 1), "changed") == ["empty"]


def test_texts_with_little_in_common_are_marked_whole(show: Show) -> None:
    evidence = show(table(row("north"), row("same")), table(row("weight"), row("same")))
    assert side(evidence, 0).locator("mark.letter").all_inner_texts() == ["weight"]


def test_a_row_that_one_side_lacks_leaves_a_gap_there(show: Show) -> None:
    rows = [row(f"item {at}", at, at * 7) for at in range(5)]
    evidence = show(table(*rows[:2], *rows[3:]), table(*rows))
    assert cells(side(evidence, 0), "missing") == ["item 2", "2", "14"]
    assert side(evidence, 1).locator(".gap").all_inner_texts() == ["rows missing here: 1"]
    assert side(evidence, 0).locator(".gap").count() == 0
    again = show(table(*rows), table(*rows[:2], *rows[3:]))
    assert side(again, 0).locator(".gap").all_inner_texts() == ["rows that only the prediction has: 1"]
    assert cells(side(again, 1), "extra") == ["item 2", "2", "14"]


def test_merged_and_header_cells_say_what_they_are_on_each_side(show: Show) -> None:
    evidence = show(table(row("year", ""), row(1, 2)), table("<th colspan=2>year</th>", row(1, 2)), structured="yes")
    assert "merged here (rows 1, columns 2)\nheader cell" in side(evidence, 0).inner_text()
    assert "not merged here\nplain cell" in side(evidence, 1).inner_text()
    assert evidence.locator(".wrongs li").all_inner_texts() == [
        "merged differently 1",
        "header cell taken for a plain one, or the reverse 1",
    ]


def test_sections_of_one_side_only_are_painted(show: Show) -> None:
    """TEDS counts them: without them equal cells and a TEDS below 1 would not be understood."""
    body = f"<tbody><tr>{row('a')}</tr><tr>{row('b')}</tr></tbody>"
    evidence = show(table(row("a"), row("b")), f"<table>{body}</table>")
    assert side(evidence, 0).locator(".section").all_inner_texts() == ["tbody"]
    assert side(evidence, 1).locator(".section").count() == 0
    assert evidence.locator(".wrongs").inner_text() == "section (thead, tbody) on one side only"


def test_sections_that_both_sides_have_are_not_spoken_of(show: Show) -> None:
    both = f"<table><thead><tr>{row('a')}</tr></thead><tbody><tr>{row('b')}</tr></tbody></table>"
    evidence = show(both.replace("b</td>", "<b>b</b></td>"), both)
    assert evidence.locator(".section").count() == 0
    assert "The two tables agree." in evidence.inner_text()


def test_equal_rows_are_folded_and_unfold_on_both_sides(show: Show) -> None:
    rows = [row(f"item {at}", at * 7) for at in range(30)]
    evidence = show(table(*rows[:20], row("item 20", "x"), *rows[21:]), table(*rows))
    assert evidence.locator(".fold button").all_inner_texts() == ["equal rows: 18", "equal rows: 8"] * 2
    shown = [text.split()[-1] for text in side(evidence, 0).locator("tr:not(.fold):visible th").all_inner_texts()]
    assert shown == ["1", "20", "21", "22"]
    evidence.locator(".fold button").first.press("Enter")
    for at in (0, 1):
        assert side(evidence, at).locator("tr:not(.fold):visible").count() == 22
        assert side(evidence, at).locator(".fold button").first.get_attribute("aria-expanded") == "true"


def test_no_merged_cell_is_cut_by_a_fold_or_a_gap(show: Show) -> None:
    rows = [row(f"item {at}", at) for at in range(30)]
    merged = [
        *rows[:8],
        "<td rowspan=6>six</td><td>8</td>",
        *(row(at) for at in range(9, 14)),
        *rows[14:],
    ]
    evidence = show(table(*merged[:22], row("x", "y"), *merged[23:]), table(*merged))
    evidence.locator(".fold button").first.click()
    for at in (0, 1):
        widths = side(evidence, at).evaluate("""grid => [...grid.rows]
            .filter((row) => !row.hidden && !row.className).map((row) => row.getBoundingClientRect().width)""")
        assert len(set(widths)) == 1
        assert side(evidence, at).locator("td[rowspan='6']").count() == 1


def test_a_large_table_scrolls_inside_its_box(show: Show) -> None:
    wide = [row(*(f"{at} column {col}" for col in range(30))) for at in range(40)]
    for width in (400, 1280):
        evidence = show(table(*wide), table(*wide[1:], row(*"abc")), width=width)
        boxes = evidence.locator(".grid-box").evaluate_all("""boxes => boxes.map((box) =>
            [box.scrollWidth > box.clientWidth, box.getBoundingClientRect().right <= innerWidth])""")
        assert boxes == [[True, True]] * 2


def test_a_table_without_a_partner_is_shown_alone(show: Show) -> None:
    evidence = show("nothing to see", table(row("a", "b")), structured="yes")
    assert "The prediction has no such table." in evidence.inner_text()
    assert cells(side(evidence, 0), "missing") == ["a", "b"]
    two = table(row("a"))
    evidence = show(two + table(row("more")), two)
    assert "Table that only the prediction has" in evidence.inner_text()
    assert cells(side(evidence, 2), "extra") == ["more"]


def test_the_edits_that_teds_counts_are_listed_where_they_were_kept(show: Show) -> None:
    evidence = show(table(row("ab")), table(row("ax"), row("c")), explain=True)
    listed = evidence.locator("details", has_text="Edits that TEDS counts: 3")
    listed.locator("summary").click()
    listed.locator("table").wait_for()
    assert listed.locator("tbody tr").all_inner_texts() == [
        "changed\ttd row 1, column 1\ttd row 1, column 1\t0.50",
        "only in the reference\ttr row 2\t–\t1.00",
        "only in the reference\ttd row 2, column 1\t–\t1.00",
    ]


def test_tables_too_large_to_compare_are_held_against_each_other_place_by_place(show: Show) -> None:
    evidence = show(table(row(*"a" * 2000)), table(*[row(*"b" * 600)] * 100), structured="yes")
    assert "in the same row and column" in evidence.inner_text()
    assert side(evidence, 0).locator(".changed").count() > 0


def test_what_is_wrong_is_said_in_the_language_of_the_page(show: Show) -> None:
    evidence = show(table(row("a", "x")), table(row("a", "b"), row("c", "d")))
    evidence.page.evaluate("document.getElementById('language').click()")
    assert evidence.locator(".wrongs li").all_inner_texts() == ["텍스트가 다름 1", "정답에만 있음 2"]
    assert side(evidence, 1).locator(".gap").inner_text() == "여기에 빠진 행: 1개"


def test_hostile_texts_are_only_texts(show: Show) -> None:
    harmless = HOSTILE.replace("<", "&lt;")
    evidence = show(table(row(harmless, 1)), table(row(f"{harmless}!", 1)))
    assert evidence.page.evaluate("window.hacked") is None
    assert side(evidence, 0).locator("mark.letter").all_inner_texts() == ["!"]


def test_a_missing_table_stands_beside_what_was_written_instead(show: Show) -> None:
    reference = table(row("Error", "Value"), row("Train", "0.12"))
    evidence = show(f"A page.\n\nError Value\nTrain 0.12 {HOSTILE}", reference, structured="yes")
    assert evidence.locator(".side-title").all_inner_texts() == ["Reference", "What the prediction has instead"]
    assert evidence.locator("pre").inner_text().splitlines()[0] == "Error Value"
    evidence = show("A page about something else.", reference, structured="yes")
    assert evidence.locator("pre").count() == 0
    assert "Nothing like it stands in the prediction." in evidence.inner_text()
