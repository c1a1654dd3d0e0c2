"""TEDS against published numbers, against the official algorithm, and by its own laws."""

from __future__ import annotations

import random

import pytest

from jatdae.core.errors import UsageError
from jatdae.tables import extract, teds

TRANSPOSED = (
    "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
    "<table><thead><tr><th>A</th><th>1</th></tr></thead><tbody><tr><td>B</td><td>2</td></tr></tbody></table>",
)
CELL = "<table><tr><td>a</td></tr></table>"


def page(table: str) -> str:
    return f"<html><body>{table}</body></html>"


def test_pubtabnet_demo_is_equal_to_the_last_bit(rows):
    found = {row["id"]: teds(row["pred"], row["gt"], profile="pubtabnet") for row in rows("pubtabnet_demo.jsonl")}
    assert found == {row["id"]: row["teds"] for row in rows("pubtabnet_demo.jsonl")}
    assert len(found) == 21


def test_a_transposed_table_has_the_right_structure_and_the_wrong_content():
    assert teds(*TRANSPOSED, structure_only=True) == 1.0
    assert teds(*TRANSPOSED) == teds(*TRANSPOSED, profile="standard@2") == pytest.approx(2 / 3)
    assert teds(*TRANSPOSED, profile="standard@1") == 0.75
    assert teds(*map(page, TRANSPOSED), profile="pubtabnet") == 0.875


@pytest.mark.parametrize("structure_only", [False, True])
def test_random_tables_agree_with_the_official_algorithm(official, structure_only):
    source = random.Random(20 + structure_only)
    pairs = [random_pair(source) for _ in range(500 if structure_only else 2000)]
    exact = 0
    for prediction, reference in pairs:
        wanted = official(prediction, reference, structure_only)
        found = teds(prediction, reference, structure_only=structure_only, profile="pubtabnet")
        assert found == pytest.approx(wanted, abs=1e-12)
        exact += found == wanted
    print(f"equal to the last bit: {exact} of {len(pairs)}")
    assert exact >= 0.99 * len(pairs)


def test_a_score_may_be_negative_where_it_is_not_clamped():
    row = page("<table><tr>" + "<td>x</td>" * 12 + "</tr></table>")
    column = page("<table>" + "<tr><td>yyy</td></tr>" * 12 + "</table>")
    assert teds(row, column, profile="pubtabnet") == pytest.approx(1 - 25 / 24)
    assert teds(row, column) == 0.0


def test_without_th_standard_1_is_pubtabnet(rows):
    pairs = [(row["pred"], row["gt"]) for row in rows("pubtabnet_demo.jsonl")]
    assert not any("<th" in side.replace("<thead", "") for pair in pairs for side in pair)
    assert [teds(*pair, profile="standard@1") for pair in pairs] == [teds(*pair, profile="pubtabnet") for pair in pairs]


def test_pubtabnet_sees_only_a_table_right_below_the_body_of_a_full_document():
    assert teds(CELL, CELL, profile="pubtabnet") == 0.0
    assert teds(page(f"<div>{CELL}</div>"), page(CELL), profile="pubtabnet") == 0.0
    assert teds(page(CELL), page(CELL), profile="pubtabnet") == 1.0
    assert teds(f"<!DOCTYPE html>{page(CELL)}", page(CELL), profile="pubtabnet") == 1.0


def test_standard_takes_a_table_wherever_it_stands():
    assert teds(f"<p>see</p><div><section>{CELL}</section></div>", CELL) == 1.0


def test_markdown_is_taken_as_html_is():
    pipes = "Before.\n\n| a | b |\n|---|---|\n| 1 | **2** |\n"
    html = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>3</td></tr></tbody></table>"
    assert teds(pipes, pipes) == 1.0
    assert teds(pipes, html) == teds(extract(pipes)[0].html, html)
    assert teds(html, pipes) == teds(html, extract(pipes)[0].html)
    assert teds("only prose", pipes) == 0.0
    assert teds(pipes, "only prose") is None


def test_markdown_keeps_its_marks_where_the_profile_reads_cells_as_they_are_written():
    pipes, html = "| **a** |\n|---|\n", "<table><tr><th>**a**</th></tr></table>"
    assert teds(pipes, html, profile="opendataloader") == 1.0
    assert teds(pipes, html) < 1.0


@pytest.mark.parametrize("other", [None, 3, b"<table></table>", [["a"]]])
def test_what_is_no_text_is_refused_with_what_is_taken(other):
    for sides in ((other, CELL), (CELL, other)):
        with pytest.raises(UsageError, match="two texts, HTML or Markdown, not"):
            teds(*sides)


def test_empty_texts_score_zero_in_pubtabnet_and_say_na_for_an_empty_reference_elsewhere():
    assert teds("", page(CELL), profile="pubtabnet") == 0.0
    assert teds(page(CELL), "", profile="pubtabnet") == 0.0
    assert teds("", CELL) == 0.0
    assert teds(CELL, "") is None


def test_two_empty_tables_are_equal_in_standard_and_na_in_pubtabnet():
    empty = page("<table></table>")
    assert teds(empty, empty) == 1.0
    assert teds(empty, empty, profile="pubtabnet") is None
    assert teds(empty, page(CELL)) == 0.0


@pytest.mark.parametrize("span", ["abc", "", "2.0", "9" * 5000])
@pytest.mark.parametrize("profile", ["standard", "pubtabnet"])
def test_a_span_that_is_no_integer_is_na(span, profile):
    bad = page(f'<table><tr><td colspan="{span}">a</td></tr></table>')
    assert teds(bad, page(CELL), profile=profile) is None
    assert teds(page(CELL), bad, profile=profile) is None


def test_header_text_counts_in_standard_and_not_in_pubtabnet():
    right, wrong = (page(f"<table><tr><th>{text}</th></tr></table>") for text in ("name", "nose"))
    assert teds(wrong, right) == pytest.approx(1 - 0.5 / 2)
    assert teds(wrong, right, profile="pubtabnet") == 1.0


def test_inline_tags_count_as_elements_even_where_only_structure_is_compared():
    plain, bold = CELL, "<table><tr><td><b>a</b></td></tr></table>"
    assert teds(bold, plain, structure_only=True, profile="standard@1") == 1.0
    assert teds(bold, plain, profile="standard@1") == pytest.approx(1 - (2 / 3) / 3)  # <b> a </b> against a, of three


def test_characters_are_never_taken_for_tags():
    tag, text = "<table><tr><td><b>x</b></td></tr></table>", "<table><tr><td>&lt;b&gt;x&lt;/b&gt;</td></tr></table>"
    assert teds(tag, text) < 1.0


def test_an_unknown_profile_is_told_with_the_known_ones():
    with pytest.raises(UsageError, match="standard, standard@2, standard@1, pubtabnet, omnidocbench"):
        teds(CELL, CELL, profile="pubtab")


def random_pair(source: random.Random) -> tuple[str, str]:
    """A small table and the same with a few things changed, or another one altogether."""
    reference = random_table(source)
    prediction = [list(row) for row in reference]
    for _ in range(source.randrange(5)):
        row = source.randrange(len(prediction))
        change = source.randrange(4)
        if change == 0:
            prediction.insert(row, [random_cell(source) for _ in range(source.randrange(4))])
        elif change == 1 and len(prediction) > 1:
            del prediction[row]
        elif change == 2 and prediction[row]:
            prediction[row][source.randrange(len(prediction[row]))] = random_cell(source)
        else:
            prediction[row].insert(source.randrange(len(prediction[row]) + 1), random_cell(source))
    if source.random() < 0.1:
        prediction = random_table(source)
    return write(source, prediction), write(source, reference)


def random_table(source: random.Random) -> list[list[str]]:
    width = source.randrange(1, 5)
    return [
        [random_cell(source) for _ in range(width if source.random() < 0.8 else source.randrange(5))]
        for _ in range(source.randrange(1, 5))
    ]


def random_cell(source: random.Random) -> str:
    text = "".join(source.choice("abc 12.·한") for _ in range(source.choice((0, 1, 3, 8))))
    if source.random() < 0.15:
        tag = source.choice(("b", "sup", "unk", "i"))
        text = f"{text}<{tag}>{text[::-1]}</{tag}>{source.choice(('', 'z'))}"
    if source.random() < 0.1:
        text += "<br>"
    spans = "".join(f' {name}="{source.randrange(1, 4)}"' for name in ("colspan", "rowspan") if source.random() < 0.15)
    tag = "th" if source.random() < 0.1 else "td"
    return f"<{tag}{spans}>{text}</{tag}>"


def write(source: random.Random, table: list[list[str]]) -> str:
    lines = [f"<tr>{''.join(row)}</tr>" for row in table]
    head = source.choice((0, 0, 1))
    if source.random() < 0.5:
        return page(f"<table>{''.join(lines)}</table>")
    thead = f"<thead>{''.join(lines[:head])}</thead>" if head else ""
    return page(f"<table>{thead}<tbody>{''.join(lines[head:])}</tbody></table>")
