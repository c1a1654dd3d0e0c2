"""What each profile does to a table before it compares it."""

from __future__ import annotations

import json
import unicodedata
from html import escape
from statistics import mean
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae import DocumentEvaluator, evaluate
from jatdae.core.contract import Sample
from jatdae.tables import TableEvaluator, cell_f1, teds
from jatdae.tables.profiles import PROFILES


def table(*rows: str) -> str:
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


HEADED = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>"
PLAIN = table("<td>a</td>", "<td>1</td>")


def test_opendataloader_pages_within_a_trillionth(rows):
    evaluator = TableEvaluator(profile="opendataloader", structured="yes")
    pages = rows("opendataloader_pages.jsonl")
    for row in pages:
        values = evaluator.score(Sample(row["id"], row["pred_md"], row["gt_md"])).values
        place = f"{row['id']} {row['engine']}"
        assert values["teds"] == pytest.approx(row["teds"], abs=1e-12), place
        assert values["teds_s"] == pytest.approx(row["teds_s"], abs=1e-12), place
    assert len(pages) == 147


def test_every_name_an_evaluator_may_be_told_is_a_profile():
    for evaluator in (TableEvaluator, DocumentEvaluator):
        assert list(get_args(get_type_hints(evaluator)["profile"])) == list(PROFILES)


def test_standard_ranks_seven_parsers_as_their_benchmark_does(benchmark_folder):
    folder = benchmark_folder("opendataloader")
    gold = {path.stem: path.read_text("utf-8") for path in (folder / "ground-truth" / "markdown").glob("*.md")}
    ours, theirs = {}, {}
    for engine in sorted(path.name for path in (folder / "prediction").iterdir()):
        pages = {id: (folder / "prediction" / engine / "markdown" / f"{id}.md") for id in gold}
        rows = [
            {"id": id, "prediction": path.read_text("utf-8") if path.is_file() else "", "reference": gold[id]}
            for id, path in pages.items()
        ]
        ours[engine] = evaluate(rows, TableEvaluator()).value("teds")
        told = json.loads((folder / "prediction" / engine / "evaluation.json").read_text("utf-8"))["documents"]
        scores = [page["scores"]["teds"] for page in told if page["document_id"] in gold]
        theirs[engine] = mean(score for score in scores if score is not None)
    assert sorted(ours, key=lambda engine: ours[engine] or 0.0) == sorted(theirs, key=theirs.__getitem__)
    assert all((ours[engine] or 0.0) == pytest.approx(theirs[engine], abs=0.06) for engine in ours)


def test_omnidocbench_gives_the_official_numbers(benchmark_folder):
    results = benchmark_folder("omnidocbench") / "result" / "end2end_quick_match_table_result.json"
    pairs = json.loads(results.read_text("utf-8"))
    assert len(pairs) == 10
    for pair in pairs:
        for only, name in ((False, "TEDS"), (True, "TEDS_structure_only")):
            found = teds(pair["pred"], pair["gt"], profile="omnidocbench@1.5", structure_only=only)
            assert found == pair["metric"][name], pair["img_id"]


READER = [
    ("<td>\n  a\t b </td>", "<td>a b</td>"),
    ("<td>a<br>b</td>", "<td>a b</td>"),
    ("<td><b>a</b><i>b</i></td>", "<td>ab</td>"),
    ("<td>m<sup>2</sup></td>", "<td>m2</td>"),
    ("<td><p>a</p><p>b</p></td>", "<td>a b</td>"),
    ("<td><ul><li>a</li><li>b</li></ul></td>", "<td>a b</td>"),
    ("<td><table><tr><td>a</td><td>b</td></tr></table></td>", "<td>a b</td>"),
    ("<th>a&nbsp;b</th>", "<td>a b</td>"),
]


@pytest.mark.parametrize(("written", "seen"), READER)
def test_standard_compares_what_a_reader_sees(written, seen):
    assert teds(table(written), table(seen)) == 1.0
    assert teds(table(written), table(seen), structure_only=True) == 1.0


def test_standard_leaves_captions_and_column_groups_out():
    dressed = "<table><caption>x</caption><colgroup><col><col></colgroup><tfoot><tr><td>a</td></tr></tfoot></table>"
    assert teds(dressed, table("<td>a</td>")) == 1.0


def test_gibberish_full_of_line_breaks_scores_next_to_nothing():
    reference = table(*(f"<td>item {row}</td><td>{row * 37}</td>" for row in range(12)))
    gibberish = table(*["<td>" + "q<br>z<br>" * 40 + "</td>"])
    assert teds(gibberish, reference) < 0.2


@pytest.mark.parametrize("columns", [2, 3, 6])
def test_gibberish_of_the_right_shape_scores_the_share_of_rows_in_the_tree(columns):
    """TEDS itself: rows agree, cells do not, so 1 / (columns + 1) is the floor; cell F1 has none."""
    reference = table(*("".join(f"<td>{10 * row + col}</td>" for col in range(columns)) for row in range(10)))
    gibberish = table(*["<td>zqxk<br>zqxk</td>" * columns] * 10)
    assert teds(gibberish, reference) == pytest.approx(1 / (columns + 1))
    assert teds(gibberish, reference, profile="standard@1") > 0.5
    assert cell_f1(gibberish, reference) == 0.0


SEEN_ALIKE = {
    "decomposed": (unicodedata.normalize("NFD", "한국어 é"), "한국어 é"),
    "zero-width space": ("a\u200bb", "ab"),
    "word joiner and mark of direction": ("a\u2060b\u200e", "ab"),
    "soft hyphen": ("exam\u00adple", "example"),
    "no-break space": ("10\u00a0mg 5\u202fkg", "10 mg 5 kg"),
    "no-break hyphen": ("COVID\u201119", "COVID-19"),
}


@pytest.mark.parametrize(("written", "seen"), SEEN_ALIKE.values(), ids=SEEN_ALIKE)
def test_standard_and_all_measures_on_grids_compare_the_characters_a_reader_sees(written, seen):
    sides = table(f"<td>{written}</td><td>1</td>"), table(f"<td>{seen}</td><td>1</td>")
    for pair in (sides, sides[::-1]):
        values = TableEvaluator().score(Sample("x", *pair)).values
        same = ("teds", "cell_f1", "grits_con", "adjacency_f1", "content", "exact_match")
        assert {values[name] for name in same} == {1.0}


@pytest.mark.parametrize("profile", ["standard@1", "pubtabnet", "docling", "opendataloader"])
def test_former_and_foreign_profiles_compare_characters_as_they_are_written(profile):
    written, seen = SEEN_ALIKE["decomposed"]
    sides = (f"<html><body>{table(f'<td>{text}</td>')}</body></html>" for text in (written, seen))
    assert teds(*sides, profile=profile) < 1.0


@given(st.lists(st.lists(st.text("ab <&", max_size=4), min_size=1, max_size=3), min_size=1, max_size=3))
def test_standard_does_not_see_how_the_source_is_indented_or_grouped(rows):
    cells = [[f"<td>{escape(cell)}</td>" for cell in row] for row in rows]
    tight = table(*map("".join, cells))
    lines = "\n".join(f"  <tr>\n    {chr(10).join(row)}\n  </tr>" for row in cells)
    loose = f"<table>\n<tbody>\n{lines}\n</tbody>\n</table>"
    assert teds(tight, loose) == 1.0


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        ("<td>a&lt;i&gt;b&lt;/i&gt;</td>", "<td>a<i>b</i></td>"),  # decoded before parsing
        ("<td>m&lt;sup&gt;2&lt;/sup&gt;</td>", "<td>m2</td>"),
        ("<td>a\nb</td>", "<td>ab</td>"),  # a line end is no space
        ("<td><p class=\"x\" style='y'>a</p></td>", "<td>a</td>"),
        ('<TD><SPAN id="x">a</SPAN></TD>', "<th>a</th>"),
        ('<td><math alttext="x^2"><mi>x</mi></math></td>', "<td>$x^2$</td>"),
        ("<td>ＡＢ①</td>", "<td>AB1</td>"),
    ],
)
@pytest.mark.parametrize("version", ["1.5", "1.6"])
def test_omnidocbench_rewrites_the_source(version, prediction, reference):
    same = teds(table(prediction), table(reference), profile=f"omnidocbench@{version}") == 1.0
    assert same is (version == "1.5" or "\n" not in prediction)  # 1.6 collapses white space before it drops line ends


@pytest.mark.parametrize(
    "cells",
    [
        ("$0.5$", "0.5"),
        (r"\(\pm\) 2", r"\(±\) 2"),
        (r"5\%", "5%"),
        ("–", "-"),
        ("✓", r"$\checkmark$"),
        (" a ", "a"),
        ("$$ x $$", "x"),
    ],
)
def test_omnidocbench_1_6_also_rewrites_texts(cells):
    sides = [table(f"<td>{cell}</td>") for cell in cells]
    assert teds(*sides, profile="omnidocbench@1.6") == 1.0
    assert teds(*sides, profile="omnidocbench@1.5") < 1.0


@pytest.mark.parametrize("hostile", ["<math" * 30_000, "<colgroup>" * 30_000, "<td " + "a='" * 30_000, "$" * 100_000])
def test_rewriting_hostile_sources_takes_linear_time(hostile):
    for version in ("1.5", "1.6"):
        teds(table(f"<td>{hostile}</td>"), table("<td>a</td>"), profile=f"omnidocbench@{version}")


@pytest.mark.parametrize(
    ("profile", "score"),
    [
        ("standard", 1.0),
        ("standard@1", 1 - 2 / 6),  # thead and tbody are missing
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
    ("profile", "same"), [("standard", True), ("standard@1", False), ("docling", False), ("opendataloader", True)]
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
    assert teds(grouped, table("<td>ab</td>"), profile="standard@1") < 1.0


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
    rendered = TableEvaluator(profile="docling").score(Sample("x", "| **a** |\n|---|", table("<td>**a**</td>")))
    assert rendered.values["teds"] is not None and rendered.values["teds"] < 1.0


def test_stripping_many_tags_takes_linear_time():
    cell = "<span>x</span>" * 20_000
    assert teds(table(f"<td>{cell}</td>"), table(f"<td>{'x' * 20_000}</td>"), profile="omnidocbench") == 1.0
