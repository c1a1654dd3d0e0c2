"""What each profile does to a table before it compares it."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.tables import TableEvaluator, teds


def table(*rows: str) -> str:
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


HEADED = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>"
PLAIN = table("<td>a</td>", "<td>1</td>")


def test_opendataloader_pages_within_a_billionth(rows):
    evaluator = TableEvaluator(profile="opendataloader", structured="yes")
    pages = rows("opendataloader_pages.jsonl")
    for row in pages:
        values = evaluator.score(Sample(row["id"], row["pred_md"], row["gt_md"])).values
        place = f"{row['id']} {row['engine']}"
        assert values["teds"] == pytest.approx(row["teds"], abs=1e-9), place
        assert values["teds_s"] == pytest.approx(row["teds_s"], abs=1e-9), place
    assert len(pages) == 147


@pytest.mark.parametrize(
    ("profile", "score"),
    [
        ("standard", 1 - 2 / 6),  # thead and tbody are missing
        ("docling", 1 - 2 / 6),
        ("omnidocbench", 1.0),
        ("opendataloader", 1.0),
    ],
)
def test_row_groups_count_or_not(profile, score):
    assert teds(PLAIN, HEADED, profile=profile) == pytest.approx(score)


@pytest.mark.parametrize("profile", ["standard", "omnidocbench", "docling", "opendataloader"])
def test_th_is_read_as_td(profile):
    assert teds(table("<th>a</th>"), table("<td>a</td>"), profile=profile) == 1.0


def test_pubtabnet_tells_th_from_td():
    wrapped = [f"<html><body>{table(cell)}</body></html>" for cell in ("<th>a</th>", "<td>a</td>")]
    assert teds(*wrapped, profile="pubtabnet") == 0.5


@pytest.mark.parametrize(
    ("profile", "same"), [("standard", False), ("omnidocbench", True), ("docling", False), ("opendataloader", True)]
)
def test_white_space_is_collapsed_or_kept(profile, same):
    score = teds(table("<td>\n a  b\t</td>"), table("<td>a b</td>"), profile=profile)
    assert (score == 1.0) is same


def test_omnidocbench_reads_compatibility_characters_and_strips_inline_tags():
    assert teds(table("<td>ＡＢ①</td>"), table("<td>AB1</td>"), profile="omnidocbench") == 1.0
    assert teds(table("<td>m<sup>2</sup></td>"), table("<td><p>m2</p></td>"), profile="omnidocbench") == 1.0
    assert teds(table("<td><b>a</b></td>"), table("<td>a</td>"), profile="omnidocbench") < 1.0


def test_omnidocbench_leaves_column_groups_out():
    grouped = "<table><colgroup><col><col></colgroup><tr><td>a<colgroup>x</colgroup>b</td></tr></table>"
    assert teds(grouped, table("<td>ab</td>"), profile="omnidocbench", structure_only=True) == 1.0
    assert teds(grouped, table("<td>ab</td>")) < 1.0


def test_docling_takes_bold_italic_and_underline_away():
    assert teds(table("<td><b>a</b> <i>b</i> <u>c</u></td>"), table("<td>a b c</td>"), profile="docling") == 1.0
    assert teds(table("<td>m<sup>2</sup></td>"), table("<td>m2</td>"), profile="docling") < 1.0


def test_opendataloader_writes_a_line_break_as_white_space():
    assert teds(table("<td>a<br>b</td>"), table("<td>a b</td>"), profile="opendataloader") == 1.0


def test_opendataloader_hangs_all_tables_of_a_page_under_one_root():
    one, two = table("<td>a</td>"), table("<td>b</td>")
    assert teds(one + two, one + two, profile="opendataloader") == 1.0
    assert teds(one, one + two, profile="opendataloader") == pytest.approx(1 - 3 / 6)


def test_opendataloader_keeps_the_source_of_markdown_cells():
    evaluator = TableEvaluator(profile="opendataloader")
    kept = evaluator.score(Sample("x", "| **a** |\n|---|", table("<td>**a**</td>")))
    assert kept.values["teds"] == 1.0
    rendered = TableEvaluator(profile="omnidocbench").score(Sample("x", "| **a** |\n|---|", table("<td>**a**</td>")))
    assert rendered.values["teds"] is not None and rendered.values["teds"] < 1.0


def test_stripping_many_tags_takes_linear_time():
    cell = "<span>x</span>" * 20_000
    assert teds(table(f"<td>{cell}</td>"), table(f"<td>{'x' * 20_000}</td>"), profile="omnidocbench") == 1.0
