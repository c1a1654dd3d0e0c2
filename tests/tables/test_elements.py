"""Hostile HTML: an issue or an error, never a crash, a hang or a table cut short in silence."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Outcome, Sample
from jatdae.tables import TableEvaluator, elements, extract, teds
from jatdae.tables.elements import check_attributes, check_depth, find_tables, parse
from jatdae.tables.grid import grid_of, lay
from jatdae.tables.table_issues import ISSUES, TableError

REFERENCE = "<table><tr><td>a</td><td>b</td></tr></table>"
ROW = f"<tr>{'<td>cell text</td>' * 10}</tr>"


def run(prediction: str, reference: str = REFERENCE, **settings: str) -> Outcome:
    return TableEvaluator(structured="yes", **settings).score(Sample("x", prediction, reference))


def codes(outcome: Outcome) -> set[str]:
    return {found.code for found in outcome.issues} - {"no_complex_table", "no_numbers"}


def test_deep_nesting_is_refused_before_the_parser_cuts_it_off():
    for deep in ("<b>" * 10_000 + "x" + "</b>" * 10_000, "<table><tr><td>" * 10_000, "<x></y>" * 3000):
        with pytest.raises(TableError) as caught:
            parse(f"<table><tr><td>{deep}</td><td>after</td></tr></table>")
        assert caught.value.code == "parse_error"


def test_a_parser_that_gives_up_is_an_error_and_no_shorter_table(monkeypatch):
    monkeypatch.setattr(elements, "check_depth", lambda markup: None)
    with pytest.raises(TableError, match="the HTML parser gave up") as caught:
        parse(f"<table><tr><td>{'<b>' * 10_000}</td><td>after</td></tr></table>")
    assert caught.value.code == "parse_error"


def test_nesting_below_the_limit_is_read_to_the_end():
    (table,) = find_tables(f"<table><tr><td>{'<b>' * 900}x{'</b>' * 900}</td><td>after</td></tr></table>")
    assert [cell.text for cell in lay(table)[0].cells] == ["x", "after"]


@pytest.mark.parametrize(
    "sloppy",
    [
        "<table>" + "<tr><td>x<td>y" * 3000,
        "<table>" + "<tr><td><b>x</td><td>y</td></tr>" * 3000 + "</table>",
        "<table>" + "<tr><td><p>x<p>y<br><li>z</td></tr>" * 3000 + "</table>",
        f"<table>{f'<tr><td>{REFERENCE}</td></tr>' * 1000}</table>",
    ],
)
def test_long_tables_with_tags_left_open_are_not_deep(sloppy):
    check_depth(sloppy)
    assert grid_of(sloppy).rows >= 1000


def test_text_nodes_of_many_megabytes_are_not_cut():
    html = f"<table><tr><td>{'x' * 11_000_000}</td><td>after</td></tr></table>"
    assert grid_of(html).cells[1].text == "after"


def attributes(number: int, form: str = ' a{}="1"') -> str:
    return "".join(map(form.format, range(number)))


FORMS = [' a{}="1"', " a{}", ' a{}=">"', " a{}='< >'", '\ta{}="x"/', "/a{}", " a{}=x", ' a="{}"', ' a{}="1"b=2']


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tag", ["table", "td", "b"])
def test_a_tag_of_thousands_of_attributes_is_refused_before_it_is_parsed(tag, form):
    """The parser compares each attribute with all before it: 200,000 took more than a minute."""
    html = "<table><tr><td>a<b>c</b></td></tr></table>".replace(f"<{tag}>", f"<{tag}{attributes(200_000, form)}>")
    outcome = run(html)
    assert codes(outcome) == {"too_large"}
    assert outcome.values["teds"] == 0.0


def test_a_thousand_attributes_are_read_and_one_more_is_not():
    assert grid_of(f"<table><tr><td{attributes(1000)}>a</td></tr></table>").cells[0].text == "a"
    with pytest.raises(TableError, match="more than 1,000 attributes"):
        grid_of(f"<table><tr><td{attributes(1001)}>a</td></tr></table>")


LONG = [
    ROW * 500, "a < b and c > d, " * 500, "<td title='it is > that' class=x>" * 500, "<" * 5000, "<a<a" * 2000,
    "</td " + "x " * 3000 + ">", "<b>" + "word " * 3000, '<p title="' + "word " * 3000 + '">', "<td>5 \" x 3 ' " * 900,
]  # fmt: skip


@pytest.mark.parametrize("markup", LONG)
def test_long_texts_with_few_attributes_are_taken(markup):
    check_attributes(markup)


@pytest.mark.parametrize("piece", ["<a<a", '<a x="', "<a'", "<", "<a b=", "<a b= ", "<a/", " = ", "<a b='"])
def test_attributes_are_counted_in_time_that_grows_with_the_text(piece):
    """Quadratic, this would take days."""
    with suppress(TableError):
        check_attributes("<a" + piece * 1_000_000)


def test_nul_and_lone_surrogates_do_not_end_the_table():
    grid = grid_of("<table><tr><td>a\0b</td><td>c\ud800d</td><td>e</td></tr></table>")
    assert [cell.text for cell in grid.cells] == ["a\ufffdb", "c\ufffdd", "e"]


def test_entities_of_the_documents_own_making_are_not_expanded():
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    html = f'<!DOCTYPE html [<!ENTITY l0 "ha">{bomb}]><html><body><table><tr><td>&l9;</td></tr></table></body></html>'
    assert len(grid_of(html).cells[0].text) < 1000


def test_comments_and_processing_instructions_are_left_out():
    html = "<table><!-- c --><tr><td>a<!-- b --><?php x ?>c</td></tr></table>"
    assert teds(html, "<table><tr><td>ac</td></tr></table>") == 1.0


@pytest.mark.parametrize("markup", ["", " ", "<!-- -->", "<", "<table", "<table>", "</table>", "\0", "&", "<td>x"])
def test_scraps_are_no_table_and_score_zero(markup):
    assert teds(markup, REFERENCE) == 0.0
    assert teds(markup, f"<html><body>{REFERENCE}</body></html>", profile="pubtabnet") == 0.0
    assert run(markup).values["teds"] == 0.0


def test_giant_spans_take_neither_time_nor_memory():
    outcome = run('<table><tr><td colspan="1000000000" rowspan="1000000000">a</td></tr></table>')
    assert outcome.values["teds"] == pytest.approx(1 / 3)  # one cell renamed, one inserted, of three
    assert outcome.evidence["pairs"][0]["prediction"]["cols"] == 1000


def test_a_rowspan_bomb_is_too_large_for_a_grid_and_scored_as_a_tree():
    outcome = run("<table>" + '<tr><td rowspan="65534" colspan="1000">a</td></tr>' * 1500 + "</table>")
    assert outcome.values["grits_top"] == 0.0 and outcome.values["teds"] == 0.0
    assert codes(outcome) == {"too_large"}


def test_megabytes_of_cells_are_scored():
    outcome = run(f"<table>{ROW * 5000}</table>")
    assert 0.0 <= outcome.values["teds"] < 0.01
    assert outcome.evidence["pairs"][0]["prediction"]["left_out"] == 50_000 - 600


def test_a_text_over_the_limit_is_refused_unread():
    outcome = run("<table>" * 1_000_000)
    assert codes(outcome) == {"parse_error"}


def test_cells_too_long_to_align_are_too_large():
    sides = [f"<table><tr><td>{char * 2_000_000}</td></tr></table>" for char in "xy"]
    outcome = run(*sides)
    assert outcome.values["teds"] == 0.0 and outcome.values["content"] is None
    assert codes(outcome) == {"too_large", "reference_too_large"}


def test_thousands_of_tables_are_counted_and_more_are_refused():
    assert run("<table></table>" * 5000).counts["tables"]["extra"] == 4999
    assert codes(run("<table></table>" * 10_001)) == {"too_large"}


def test_tags_in_cells_that_flatter_the_score_are_told():
    flattering = f"<table><tr><td>{'<b></b>' * 100}</td></tr></table>"
    outcome = run(flattering, profile="standard@1")
    assert outcome.values["teds"] > 0.9
    assert codes(outcome) == {"inline_tags"}
    assert run(flattering).values["teds"] < 0.7 and codes(run(flattering)) == set()
    assert codes(run("<table><tr><td><b>a</b></td><td><b>b</b></td></tr></table>")) == set()


def test_a_cell_with_very_many_different_tags():
    cell = "".join(f"<t{number}>x</t{number}>" for number in range(20_000))
    outcome = run(f"<table><tr><td>{cell}</td><td>b</td></tr></table>")
    assert outcome.values["teds"] is not None


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("<table" * 50_000, 0),
        ("<table>" * 5_000, 5_000),
        ("<table><td>" * 300, 1),
        ("<!--" * 100_000, 0),
        ("<script>" * 50_000 + "<table>", 1),
        ("<table>" + "</table " * 50_000, 1),
        ("<table></table>" + "` `` " * 50_000, 1),
        ("<table></table>\n" + "```\nx\n" * 50_000, 1),
        ("> " * 50_000, 0),
        ("- " * 50_000, 0),
        ("|a" * 50_000 + "|\n" + "|-" * 50_000 + "|\n", 1),
        ("| " + "![" * 5_000 + " |\n|---|\n", 1),
        ("| " + "**a " * 5_000 + " |\n|---|\n", 1),
        ("a|b\n" * 50_000, 0),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_is_left_open_again_and_again_is_read_in_linear_time(text, tables):
    assert len(extract(text)) == tables


def test_short_rows_below_a_wide_header_do_not_multiply():
    text = "|a" * 1000 + "|\n" + "|-" * 1000 + "|\n" + "|x|\n" * 1000
    assert codes(run(text)) == {"too_large"}


SCRAPS = ["<table>", "</table>", "<tr>", "<td>", "</td>", "<th colspan=2>", "<td rowspan=0>", "<b>", "</b>", "a|b"]
SCRAPS += [
    "\n",
    "|---|---|",
    "|",
    "```",
    "`",
    "<!--",
    "-->",
    "\\|",
    "# h",
    "- x",
    " ",
    "&lt;",
    "\0",
    "한글",
    "<td colspan=x>",
]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(SCRAPS), max_size=40).map("".join),
    st.lists(st.sampled_from(SCRAPS), max_size=40).map("".join),
)
def test_any_heap_of_scraps_gives_an_outcome_within_bounds(prediction, reference):
    outcome = TableEvaluator(explain=True, matching="hungarian").score(Sample("x", prediction, reference))
    assert all(value is None or 0.0 <= value <= 1.0 or "pubtabnet" in name for name, value in outcome.values.items())
    assert codes(outcome) <= {kind.code for kind in ISSUES}
    if outcome.values["teds"] is None:
        assert outcome.issues


def test_fifty_megabytes_are_refused_before_they_are_read():
    table = "<table><tr><td>1</td></tr></table>"
    found = run(table + "<b>" * (17 << 20), table)
    assert found.values["teds"] == 0.0
    assert codes(found) == {"parse_error"}
