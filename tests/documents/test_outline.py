"""Which elements a text has: what was written as structure, and nothing else."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.documents import DocumentEvaluator
from jatdae.documents.outline import outline_of, page_body
from jatdae.tables import extract
from jatdae.tables.table_issues import TableError


def found(text: str) -> dict[str, list[str]]:
    """The kinds that occur in a text, with their elements."""
    return {kind: texts for kind, texts in outline_of(text, extract(text)).items() if texts}


def test_headings_are_marked_ones() -> None:
    assert found("# One\n\ntext\n\n### Two ###\n\n#no\n\n####### no\n") == {"heading": ["One", "Two"]}


@pytest.mark.parametrize("underline", ["===", "---"])
def test_an_underlined_line_is_no_heading(underline: str) -> None:
    assert found(f"Total\n{underline}\n\ntext\n") == {}


def test_an_item_is_what_stands_in_it_without_its_inner_items() -> None:
    text = "- one\n  more\n\n  second paragraph\n  - inner\n- two\n\n1. three\n"
    assert found(text) == {"list_item": ["inner", "one\nmore\nsecond paragraph", "two", "three"]}


def test_a_heading_in_an_item_is_a_heading_and_not_the_item() -> None:
    assert found("- # Title\n  text\n") == {"heading": ["Title"], "list_item": ["text"]}


def test_code_is_fenced_or_indented_and_hides_what_is_in_it() -> None:
    text = "```python\n# no heading\n- no item\n```\n\ntext\n\n    | a | b |\n    |---|---|\n    | 1 | 2 |\n"
    assert found(text) == {"code_block": ["# no heading\n- no item\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"]}


def test_rows_are_the_texts_of_their_cells() -> None:
    text = (
        "| **a** | b |\n|---|---|\n| 1 | |\n\n<table><tr><td rowspan=2>x</td><td>y</td></tr><tr><td>z</td></tr></table>"
    )
    assert found(text) == {"table_row": ["a b", "1", "x y", "z"]}


def test_what_stands_in_a_table_is_no_structure_of_the_document() -> None:
    text = "<table><tr><td>\n\n# cell\n\n- cell\n\n    cell\n\n</td></tr></table>\n\n# Title\n"
    assert found(text) == {"heading": ["Title"], "table_row": ["# cell - cell cell"]}


def test_a_table_in_an_item_leaves_no_mark_in_its_text() -> None:
    text = "- before <table><tr><td>x</td></tr></table> after\n"
    assert found(text) == {"list_item": ["before  after"], "table_row": ["x"]}


def test_raw_html_in_markdown_counts() -> None:
    text = '<h2 align="center">Title</h2>\n\ntext\n\n<ul>\n<li>one</li>\n<li>two <b>bold</b></li>\n</ul>\n\n'
    text += "<pre>code</pre>\n"
    assert found(text) == {"heading": ["Title"], "list_item": ["one", "two bold"], "code_block": ["code"]}


@pytest.mark.parametrize("text", ["Write `<h1>` for a title.", "a < b and <li> is a tag", "&lt;h1&gt;no&lt;/h1&gt;"])
def test_a_tag_that_is_spoken_of_is_no_element(text: str) -> None:
    assert found(text) == {}


@pytest.mark.parametrize("start", ["<!DOCTYPE html><html><body>", "  <html><body>", '<?xml version="1.0"?>\n<html>'])
def test_a_whole_html_page(start: str) -> None:
    page = (
        f"{start}<h1>Title</h1><p># no</p><ol><li>one<ul><li>inner</li></ul> rest</li></ol>"
        "<pre><code>a\n b</code></pre><table><tr><td><h2>cell</h2></td></tr></table></body></html>"
    )
    assert found(page) == {
        "heading": ["Title"],
        "list_item": ["one rest", "inner"],
        "code_block": ["a\n b"],
        "table_row": ["cell"],
    }


@pytest.mark.parametrize("language", ["markdown", "md", "MD"])
def test_an_answer_wrapped_in_one_fence_is_read_without_it(language: str) -> None:
    assert found(f"```{language}\n# Title\n\n- item\n```\n") == {"heading": ["Title"], "list_item": ["item"]}


def test_a_wrapped_html_page() -> None:
    assert found("```html\n<html><body><h1>Title</h1></body></html>\n```") == {"heading": ["Title"]}


def test_fences_in_fences_are_unwrapped_once() -> None:
    text = "# deep\n"
    for length in range(3, 60):
        text = f"{'`' * length}md\n{text}{'`' * length}\n"
    (kind,) = found(text)
    assert kind == "code_block"


@pytest.mark.parametrize(
    "text", ["", " \n\n", "plain text\nover lines", "\ufeff", "\x00", "\ud800", "|", "<", "<table>"]
)
def test_nothing_and_next_to_nothing(text: str) -> None:
    assert set(found(text)) <= {"table_row"}


@pytest.mark.parametrize("text", ["<html>" + "<div>" * 5000, "<h1>" + "<i>" * 5000])
def test_markup_too_deep_is_refused(text: str) -> None:
    with pytest.raises(TableError, match="nest deeper"):
        outline_of(text, [])


@pytest.mark.parametrize(
    "text", ["- " * 20_000, "> " * 20_000, "#" * 100_000, "`" * 100_000, "<li>" * 3_000, "1. " * 20_000]
)
def test_hostile_text_is_read_in_the_end(text: str) -> None:
    try:
        outline_of(text, [])
    except TableError as error:
        assert error.code == "parse_error"


INNER = "<h1>Title</h1><p>some text</p>"
HEAD = "<head><meta charset='utf-8'><title>other</title><style>p { margin: 0 }</style></head>"


@pytest.mark.parametrize(
    "page",
    [
        f"<html><body>{INNER}</body></html>",
        f'<!DOCTYPE html>\n<html lang="ko">{HEAD}\n<BODY class="a">{INNER}</BODY>\n</html>\n',
        f"<?xml version='1.0'?>\n<html>{HEAD}<body\n>{INNER}",
    ],
)
def test_what_wraps_a_page_costs_nothing(page: str) -> None:
    assert page_body(page) == INNER
    outcome = DocumentEvaluator().score(Sample("1", page, "# Title\n\nsome text\n"))
    assert outcome.values["cer"] == outcome.values["body_cer"] == 0.0
    assert outcome.values["structure_f1"] == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Title\n\nsome <body> of text </body>\n",
        INNER,
        "<html>no body",
        "<html><body never closed",
        "<html><bodywork>",
    ],
)
def test_what_is_no_page_with_a_body_stays_as_it_is(text: str) -> None:
    assert page_body(text) == text


def test_a_page_is_cut_at_its_last_end() -> None:
    assert page_body("<html><body>a</body>b</body></html>") == "a</body>b"
    assert page_body("<html></body><body>a") == "a"
