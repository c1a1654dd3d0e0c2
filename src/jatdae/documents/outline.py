"""The outline of a document: headings, list items, table rows and code blocks, in reading order.

Markdown is read block by block by the parser the tables room uses, so a `#` in a code block is no heading and a list in
a table cell no list. Only what somebody wrote as structure counts: headings with `#`, not lines that are underlined by
accident or by the rule below a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

from lxml import etree
from markdown_it.token import Token

from jatdae.tables import Table
from jatdae.tables.elements import parse
from jatdae.tables.grid import grid_of, text_of
from jatdae.tables.pipe_tables import blocks
from jatdae.tables.raw_tables import mask
from jatdae.tables.table_issues import TableError

KINDS: Final = ("heading", "list_item", "table_row", "code_block")

Outline = dict[str, list[str]]
"""Per kind, the source text of each element."""
Element = tuple[str, str, int]
"""An element of an outline: its kind, its text, and the level of a heading, from 1; 0 for anything else."""

_BODY_START: Final = re.compile(r"<body(?=[\s/>])", re.IGNORECASE)
_BODY_END: Final = re.compile(r"</body(?=[\s>])", re.IGNORECASE)
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_APART: Final = frozenset({"ul", "ol", "table", "pre"}) | _HEADINGS
"""Elements that are counted themselves, and so are no part of the list item they stand in."""
_WRAPPED: Final = frozenset({"markdown", "md", "html"})
_HTML_BLOCK: Final = re.compile(r"^[ \t]*<[a-z][^\n]*", re.IGNORECASE | re.MULTILINE)
_SHAPING: Final = re.compile(r"<(?:h[1-6]|li|pre)(?=[\s/>])", re.IGNORECASE)


def outline_of(text: str, tables: Iterable[Table]) -> Outline:
    """Find the outline of a Markdown or HTML document: its headings, list items, table rows and code blocks.

    `tables` are its tables, found before.
    """
    found: Outline = {kind: [] for kind in KINDS}
    for kind, source, _ in _elements(text):
        found[kind].append(source)
    found["table_row"] += rows_of(tables)
    return found


def headings_of(text: str) -> list[tuple[int, str]]:
    """Headings of the outline of a document in reading order: level, from 1, and text."""
    return [(level, source) for _, source, level in _elements(text) if level]


def _elements(text: str) -> Iterator[Element]:
    return _from_html(text) if _is_page(text) else _from_markdown(text)


def page_body(text: Any) -> Any:
    """Part of an HTML page to be outlined, between `<body>` and `</body>`; anything else is returned unchanged."""
    if not isinstance(text, str) or not _is_page(text):
        return text
    opened = _BODY_START.search(text)
    start = text.find(">", opened.end()) + 1 if opened else 0
    if not start:
        return text
    ends = [found.start() for found in _BODY_END.finditer(text, start)]
    return text[start : ends[-1]] if ends else text[start:]


def _is_page(text: str) -> bool:
    """Whether a document is a whole HTML page, and not Markdown with HTML in it."""
    return text[:1000].lstrip().lower().startswith(("<!doctype", "<html", "<?xml"))


def rows_of(tables: Iterable[Table]) -> list[str]:
    """Table rows for the outline of a document, as texts, each made of the cells that begin in the row."""
    rows: list[str] = []
    for table in tables:
        with suppress(TableError):  # a table that cannot be laid out is told of by the tables room
            grid = grid_of(table.html)
            lines: list[list[str]] = [[] for _ in range(grid.rows)]
            for cell in grid.cells:
                lines[cell.row].append(cell.text)
            rows += [" ".join(filter(None, line)) for line in lines]
    return rows


def _from_markdown(text: str, *, wrapped: bool = False) -> Iterator[Element]:
    masked = mask(text, markdown=True)
    tokens, _ = blocks(masked.text, masked.mark)
    if len(tokens) == 1 and not wrapped and _wraps(tokens[0]):
        inner = tokens[0].content
        yield from _from_html(inner) if _is_page(inner) else _from_markdown(inner, wrapped=True)
        return
    marks = re.compile(f"{masked.mark}[0-9]+{masked.mark}") if masked.tables else None
    for kind, source, level in _from_tokens(tokens):
        yield kind, marks.sub("", source) if marks else source, level


def _wraps(token: Token) -> bool:
    """Whether the fence is only the wrapping a whole answer came in."""
    return token.type == "fence" and token.info.strip().lower() in _WRAPPED


def _from_tokens(tokens: list[Token]) -> Iterator[Element]:
    items: list[list[str]] = []  # what stands directly in each open list item
    for before, token in pairwise([Token("", "", 0), *tokens]):
        if token.type in ("fence", "code_block"):
            yield "code_block", token.content, 0
        elif token.type == "list_item_open":
            items.append([])
        elif token.type == "list_item_close":
            yield "list_item", "\n".join(items.pop()), 0
        elif token.type == "inline" and before.type == "heading_open":
            if before.markup.startswith("#"):
                yield "heading", token.content, len(before.markup)
        elif token.type == "inline":
            if items:
                items[-1].append(token.content)
            elif _HTML_BLOCK.search(token.content) and _SHAPING.search(token.content):
                yield from _from_html(token.content)


def _from_html(markup: str) -> Iterator[Element]:
    root = parse(markup)
    if root is None:
        return
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if element.tag == "table":
            walk.skip_subtree()
        elif element.tag in _HEADINGS:
            yield "heading", text_of(element), int(element.tag[1])
        elif element.tag == "li":
            yield "list_item", _own_text(element), 0
        elif element.tag == "pre":
            yield "code_block", "".join(element.itertext()), 0
            walk.skip_subtree()


def _own_text(item: etree._Element) -> str:
    """What stands in a list item itself, without what is counted on its own."""
    parts: list[str] = []
    walk = etree.iterwalk(item, events=("start", "end"))
    for event, element in walk:
        apart = element is not item and element.tag in _APART
        if event == "start":
            parts.append(" " if apart else element.text or "")
            if apart:
                walk.skip_subtree()
        elif element is not item:
            parts.append(element.tail or "")
    return " ".join("".join(parts).split())
