"""Tables out of whole documents and out of everything else a reference may be."""

from __future__ import annotations

import json

import pytest

from jatdae.tables import Table, extract
from jatdae.tables.extraction import read, read_text
from jatdae.tables.grid import grid_of
from jatdae.tables.table_issues import TableError

CELL = "<table><tr><td>a</td></tr></table>"
PIPES = "| p |\n|---|\n| 1 |\n"


def codes(text: str) -> list[str]:
    return [found.code for found in read_text(text).issues]


def test_markdown_and_html_tables_come_in_document_order():
    text = f"{PIPES}\nprose\n\n{CELL}\n\n{PIPES}\nmore {CELL} {CELL}\n"
    assert [table.source for table in extract(text)] == ["markdown", "html", "markdown", "html", "html"]
    assert [table.line for table in extract(text)] == [1, 7, 9, 13, 13]


def test_fences_and_backticks_inside_an_html_table_are_text():
    html = "<table><tr><td>`a</td><td>\n```\n</td></tr></table>"
    assert extract(f"{html}\n\n{PIPES}")[0].html == html


def test_a_text_with_every_private_character_is_refused():
    with pytest.raises(TableError, match="private-use"):
        extract("".join(map(chr, range(0xE000, 0xF900))) + CELL)


def test_an_html_table_is_kept_as_it_stands():
    html = '<TABLE class="x">\n<tr><td colspan=2>a</td></tr>\n\n    <tr><td>b<td>c</tr>\n</table>'
    assert extract(f"before\n\n{html}\n\nafter") == [Table(html, "html", 3)]


def test_a_nested_table_stays_inside_its_cell():
    html = f"<table><tr><td>out {CELL}</td></tr></table>"
    assert [table.html for table in extract(html)] == [html]
    (table,) = extract(f"| in {CELL} |\n|---|\n")
    assert table.html == f"<table><thead><tr><th>in {CELL}</th></tr></thead></table>"


def test_a_table_right_below_pipes_is_not_a_row_of_them():
    assert [table.source for table in extract(f"{PIPES}{CELL}\n")] == ["markdown", "html"]


def test_a_full_html_document_is_not_read_as_markdown():
    text = f"<!DOCTYPE html><html><body><p>a | b</p>\n--|--\n1 | 2\n```\n{CELL}\n```</body></html>"
    assert [table.html for table in extract(text)] == [CELL]


@pytest.mark.parametrize(
    "text",
    [
        f"# Title\n\n```html\n{CELL}\n```\ntext",
        f"```python\n{CELL}\n```\ntext",
        f"use `{CELL}` so",
        f"``a ` {CELL}`` so",
        f"<!-- {CELL} -->",
        "<tables>",
        "\\" + CELL,
    ],
)
def test_code_spans_fences_comments_and_escaped_tags_are_no_table(text):
    assert extract(text) == []


def test_a_backtick_without_a_partner_hides_nothing():
    assert len(extract(f"5` long\n\n{CELL}")) == 1
    assert len(extract(f"`open\n\n{CELL}\n\nclose`")) == 1


@pytest.mark.parametrize("prefix", ["- ", "1. ", "> ", "> * "])
def test_a_fence_in_a_list_or_a_quotation_hides_what_is_in_it_and_nothing_after_it(prefix):
    later = "> " if ">" in prefix else "   "
    text = f"{prefix}```\n{later}{CELL}\n{later}\n{later}x\n{later}```\n\n{PIPES}\n{CELL}\n"
    assert [table.source for table in extract(text)] == ["markdown", "html"]


def test_a_script_or_a_style_in_an_html_page_holds_no_table():
    assert extract(f"<html><script>'{CELL}'</script><style>{CELL}</style></html>") == []


def test_an_unclosed_table_reaches_to_the_next_or_to_the_end_with_an_issue():
    text = f"<table><tr><td>a</td></tr>\nprose\n{CELL}\n<table><tr><td>b"
    assert [grid_of(table.html).cells[0].text for table in extract(text)] == ["a", "a", "b"]
    assert codes(text) == ["table_repaired", "table_repaired"]


def test_an_unclosed_nested_table_does_not_end_the_one_around_it():
    text = f"<table><tr><td><table><tr><td>a</td></tr>{CELL}</td></tr></table></table>"
    assert len(extract(text)) == 1


def test_a_fence_around_the_whole_answer_is_taken_off_with_an_issue():
    assert codes(f"```markdown\n{PIPES}```\n") == ["fence_unwrapped"]
    assert codes(f"\n~~~html\n{CELL}\n~~~") == ["fence_unwrapped"]
    assert extract(f"```markdown\n{PIPES}```\n")[0].line == 2
    assert len(extract(f"```md\n{PIPES}")) == 1  # never closed: the answer was cut off
    assert extract(f"```python\n{PIPES}```") == []


def test_a_fence_among_a_few_sentences_is_the_answer():
    assert extract(f"Here is the table:\n\n```markdown\n{PIPES}```\n\nI hope this helps.")[0].line == 4
    assert len(extract(f"표를 옮긴 결과입니다.\n\n```html\n{CELL}\n```\n\n```html\n{CELL}\n```")) == 2
    assert len(extract(f"```\n{PIPES}```")) == 1
    assert codes(f"So:\n```html\n{CELL}\n```") == ["fence_unwrapped"]
    assert extract(f"So:\n```html\n{CELL}\n```\n\n{'A page of text. ' * 60}") == []
    assert len(extract(f"{PIPES}\n\n```html\n{CELL}\n```")) == 1


def test_ragged_pipes_have_an_issue_that_says_where():
    (found,) = read_text(f"prose\n\n{PIPES}| 1 | 2 |\n").issues
    assert (found.code, found.message) == ("table_repaired", "line 3: 1 of 2 rows do not have 1 cells")


@pytest.mark.parametrize(
    "text",
    [
        "# head",
        "a\n\n# head\nb",
        "a\n## head\nb",
        "```\ncode\n```",
        "<h2>x</h2>",
        "<ul><li>x</ul>",
        PIPES,
    ],
)
def test_structure_is_a_heading_a_table_or_a_code_block(text):
    assert read_text(text).structured


@pytest.mark.parametrize(
    "text",
    [
        *("", "prose", "1. INTRODUCTION\n\nprose", "a\n---\nb", "    indented", "- 1, x) solves", "#1 in the list"),
        "Contents\n1. Scales 3\n2. Rulers 5\n\nprose\nprose\nprose",
        "x = 1\n# one more\nx += 1\n# done\n",
        "- 1 -\n\nprose\n\n- 2 -\n",
        *("- a\n- b", "* a\n* b\n* c", "1. a\n2. b", "- 참고 1\n- 참고 2\n\n1. 목적"),
    ],
)
def test_what_plain_text_does_by_accident_is_no_structure(text):
    assert not read_text(text).structured


GOLD = {"tables": [{"table_id": "t", "html": CELL}]}


@pytest.mark.parametrize("value", [GOLD, json.dumps(GOLD), json.dumps(GOLD, indent=2)])
def test_ground_truth_as_an_object_or_as_json(value):
    assert read(value).tables == (Table(CELL, "gold", id="t"),)


def test_json_that_is_no_ground_truth_is_text():
    assert read('{"tables": 3}').tables == ()
    assert read('{"tables": [').tables == ()


def test_rows_are_a_table_with_a_header_as_in_csv():
    (table,) = read([["a", "<b>"], [1, None]]).tables
    assert table.html == (
        "<table><thead><tr><th>a</th><th>&lt;b&gt;</th></tr></thead><tbody><tr><td>1</td><td></td></tr></tbody></table>"
    )


def test_a_list_of_tables_or_documents():
    tables = read([[["a"], ["1"]], CELL, f"{PIPES}\n{CELL}", GOLD, CELL.encode()]).tables
    assert [table.source for table in tables] == ["rows", "html", "markdown", "html", "gold", "html"]
    assert read([]).tables == ()


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        (None, "NoneType"),
        (3.5, "float"),
        ([3], "int"),
        ([[["a"], [["b"]]]], "list"),
        (b"\xff", "UTF-8"),
        ({"tables": "x"}, "list `tables`"),
        ({"tables": [3]}, r"tables\[0\]"),
        ({"tables": [{"html": "none"}]}, "0 tables where one is wanted"),
        ({"tables": [{"html": CELL * 2}]}, "2 tables"),
    ],
)
def test_what_cannot_be_read_says_why(value, cause):
    with pytest.raises(TableError, match=cause) as caught:
        read(value)
    assert caught.value.code == "parse_error"


def test_extracting_what_was_extracted_changes_nothing():
    text = f"{PIPES}\n{CELL}\n\na|b\n:-|-:\n**1**|`x\\|y`\n"
    for table in extract(text):
        assert [again.html for again in extract(table.html)] == [table.html]


@pytest.mark.parametrize("text", ["| a |\n|---|\n", "<html><body><table><tr><td>a</td></tr></table></body></html>"])
def test_a_byte_order_mark_is_no_part_of_the_first_cell(text):
    assert read_text(f"\ufeff{text}") == read_text(text)
