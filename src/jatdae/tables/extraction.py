"""Extracts tables from predictions and references: Markdown, HTML, LaTeX, rows, or reference-tables files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final, Literal

from lxml import etree
from markdown_it.token import Token

from jatdae.core.contract import Issue
from jatdae.core.fences import unfenced
from jatdae.tables import pipe_tables
from jatdae.tables.elements import find_tables
from jatdae.tables.latex_tables import find_latex
from jatdae.tables.raw_tables import Masked, RawTable, put_tables
from jatdae.tables.table_issues import MAX_CHARS, MAX_TABLES, TableError

VERSION: Final = 6
"""Bumped when other tables are found, or the same read otherwise: 2 reads LaTeX, 3 rows without a delimiter row, 4 an
answer in a fence among sentences, and texts in grids as a reader sees them, 5 each cell of LaTeX by itself, 6
brackets after a rule of LaTeX as a cell, arguments of spans without braces, LaTeX with HTML entities, and short rows
below a span where LaTeX prints them."""
SUFFIXES: Final = (".tables.json", "_tables.json")
"""What follows the name of a document in the name of its ground truth."""

_FULL_HTML: Final = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:html|!doctype\s+html)\b", re.IGNORECASE)
_TABLE_TAG: Final = re.compile("<table", re.IGNORECASE)
_MARKED_UP: Final = re.compile(r"<(?:h[1-6]|ul|ol|pre|code)(?=[\s/>])", re.IGNORECASE)
_BYTE_ORDER_MARK: Final = "\ufeff"  # some editors begin a file with it; in a first cell it would be text
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*\*(?=[^\s*])[^*\n]*[^\s*]\*\*(?![\w*])")


@dataclass(frozen=True, slots=True)
class Table:
    """A table cut out of its document."""

    html: str
    """`<table>…</table>`: as it stood, or made from a pipe table or a list of rows."""
    source: Literal["markdown", "html", "latex", "rows", "gold"] = "html"
    line: int = 0
    """Where it begins in its document, counted from 1; 0 where there are no lines."""
    id: str = ""
    faults: tuple[str, ...] = ()
    """What had to be repaired."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Tables of a document, and whether the document is structured."""

    tables: tuple[Table, ...]
    structured: bool
    """Whether somebody wrote a heading, a table or a code block in it."""
    issues: tuple[Issue, ...] = ()
    emphasised: bool = False
    """Whether there is Markdown emphasis in it: a sign of structure where many documents of a system have it."""

    @property
    def shows_structure(self) -> bool:
        """Whether the document alone shows that its system writes structure."""
        return self.structured or self.emphasised


def extract(text: str) -> list[Table]:
    """Extract the tables of a Markdown or HTML document in order; nested ones stay inside their cell."""
    return list(read_text(text).tables)


def find_elements(text: str, *, verbatim: bool = False) -> list[etree._Element]:
    """Find the table elements of a text that is HTML, or else Markdown or LaTeX."""
    if _TABLE_TAG.search(text) and (found := find_tables(text)):
        return found
    return [element for table in read_text(text, verbatim=verbatim).tables for element in find_tables(table.html)]


def read(value: Any, *, verbatim: bool = False, max_chars: int = MAX_CHARS) -> Extraction:
    """Extract the tables of a prediction or reference of any form.

    That is Markdown or HTML, ground truth 1.0 (an object or JSON), rows, or a list of these.
    """
    if isinstance(value, str | bytes | Mapping):
        return _read_one(value, verbatim, max_chars)
    if not isinstance(value, Sequence):
        raise TableError("parse_error", "not_tables", kind=type(value).__name__)
    if not value or _are_rows(value):
        return _read_rows(value)
    extractions = [_read_rows(item) if _are_rows(item) else _read_one(item, verbatim, max_chars) for item in value]
    return Extraction(
        tuple(table for extraction in extractions for table in extraction.tables),
        any(extraction.structured for extraction in extractions),
        tuple(found for extraction in extractions for found in extraction.issues),
        any(extraction.emphasised for extraction in extractions),
    )


def read_text(text: str, *, verbatim: bool = False, max_chars: int = MAX_CHARS) -> Extraction:
    """Extract the tables of a Markdown or HTML document, and tell whether it has structure."""
    if len(text) > max_chars:
        raise TableError("parse_error", "text_too_long", length=len(text), most=max_chars)
    issues: list[Issue] = []
    text = text.removeprefix(_BYTE_ORDER_MARK)
    bare = unfenced(text)
    if bare is not text:
        issues.append(Issue("fence_unwrapped", "the answer stands in a code fence; read as if it did not"))
    latex = find_latex(bare)
    is_html = _FULL_HTML.match(bare) is not None
    masked = put_tables(bare, [(table.begin, table.end, table.html) for table in latex], markdown=not is_html)
    tables, structured = [*map(_cut_out, masked.tables)], bool(_MARKED_UP.search(masked.text))
    if not is_html and ("|" in masked.text or not tables):
        tables, marked = _markdown_tables(masked, verbatim)
        structured |= marked
    if latex:
        faults = {table.html: table.faults for table in latex}
        tables = [
            replace(table, source="latex", faults=faults[table.html]) if table.html in faults else table
            for table in tables
        ]
    if len(tables) > MAX_TABLES:
        raise TableError("too_large", "too_many_tables", tables=len(tables), most=MAX_TABLES)
    issues += [
        Issue("table_repaired", f"line {table.line}: {'; '.join(table.faults)}") for table in tables if table.faults
    ]
    emphasised = not is_html and "**" in masked.text and _EMPHASIS.search(masked.text) is not None
    return Extraction(tuple(tables), structured or bool(tables) or bare is not text, tuple(issues), emphasised)


def _markdown_tables(masked: Masked, verbatim: bool) -> tuple[list[Table], bool]:
    """Pipe tables and raw HTML tables in the order they stand in, and whether there is other structure."""
    tokens, env = pipe_tables.blocks(masked.text, masked.mark)
    tables: list[Table] = []
    for token in tokens:
        if token.type == "pipe_table":
            pipe: pipe_tables.PipeTable = token.meta["table"]
            html = masked.restore(pipe_tables.to_html(pipe, env, verbatim=verbatim))
            tables.append(Table(html, "markdown", pipe.line, faults=tuple(pipe.faults)))
        elif token.content and token.type != "fence":
            tables += map(_cut_out, masked.found_in(token.content))
    return tables, _is_marked_up(tokens)


def _is_marked_up(tokens: Sequence[Token]) -> bool:
    """Whether somebody wrote structure: a fence, or a heading with #.

    Plain text has much by accident. It underlines and indents, and bullets and numbers are copied off the page: a list
    says nothing. A line that begins with one # right below another is a comment in a listing.
    """
    below = -1  # the line right below the last text
    for token in tokens:
        if token.type == "fence":
            return True
        if token.type == "heading_open" and token.markup.startswith("#"):
            if len(token.markup) > 1 or (token.map and token.map[0] > below):
                return True
        elif token.type == "inline" and token.map:
            below = token.map[1]
    return False


def _cut_out(raw: RawTable) -> Table:
    faults = () if raw.closed else ("the table is never closed",)
    return Table(raw.html, "html", raw.line, faults=faults)


def _read_one(value: Any, verbatim: bool, max_chars: int) -> Extraction:
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError as error:
            raise TableError("parse_error", "not_utf8", problem=error) from error
    if isinstance(value, Mapping):
        return _read_gold(value)
    if not isinstance(value, str):
        raise TableError("parse_error", "not_tables", kind=type(value).__name__)
    gold = _gold_in(value) if len(value) <= max_chars else None
    return _read_gold(gold) if gold else read_text(value, verbatim=verbatim, max_chars=max_chars)


def _gold_in(text: str) -> Mapping[str, Any] | None:
    """The ground truth a JSON text holds, if it is one."""
    if not text.lstrip().startswith("{") or '"tables"' not in text:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("tables"), list) else None


def _read_gold(gold: Mapping[str, Any]) -> Extraction:
    tables = gold.get("tables")
    if not isinstance(tables, Sequence) or isinstance(tables, str):
        raise TableError("parse_error", "gold_without_tables")
    made = []
    for number, entry in enumerate(tables, 1):
        html = entry.get("html") if isinstance(entry, Mapping) else None
        if not isinstance(html, str):
            raise TableError("parse_error", "gold_without_html", at=number - 1)
        found = read_text(html).tables
        if len(found) != 1:
            raise TableError("parse_error", "gold_not_one_table", at=number - 1, found=len(found))
        made.append(Table(found[0].html, "gold", id=str(entry.get("table_id") or "")))
    return Extraction(tuple(made), structured=True)


def _read_rows(rows: Sequence[Sequence[Any]]) -> Extraction:
    """One table, or none where there are no rows."""
    return Extraction((Table(_rows_to_html(rows), "rows"),) if rows else (), structured=True)


def _are_rows(value: Any) -> bool:
    return _is_list(value) and all(_is_list(row) and all(map(_is_cell, row)) for row in value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_cell(cell: Any) -> bool:
    return cell is None or isinstance(cell, str | int | float)


def _rows_to_html(rows: Sequence[Sequence[Any]]) -> str:
    """A list of rows says no more than CSV does: its first row is the header, as in a pipe table."""
    lines = [
        "".join(f"<{tag}>{'' if cell is None else escape(str(cell), quote=False)}</{tag}>" for cell in row)
        for tag, row in zip(["th"] + ["td"] * len(rows), rows, strict=False)
    ]
    body = "".join(f"<tr>{line}</tr>" for line in lines[1:])
    return f"<table><thead><tr>{lines[0]}</tr></thead>{f'<tbody>{body}</tbody>' if body else ''}</table>"
