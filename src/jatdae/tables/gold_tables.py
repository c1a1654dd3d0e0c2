"""Ground truth for the tables of a document (DOC.tables.json), schema 1.0: its model, its check and a template.

Imported where a file is checked or its schema is asked for: pydantic takes as long to import as the rest of the room.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from lxml import etree
from pydantic import Field, ValidationError

from jatdae.core.configfile import Part, parse_source, read_bytes
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.core.problems import problems_of
from jatdae.core.yamlfile import KeyPath
from jatdae.tables.elements import find_tables
from jatdae.tables.extraction import read_text
from jatdae.tables.grid import Grid, lay
from jatdae.tables.table_issues import TableError

_BLANK: Final = "<table><thead><tr><th></th></tr></thead><tbody><tr><td></td></tr></tbody></table>"

Text = Annotated[str, Field(min_length=1)]
Number = Annotated[int, Field(ge=0, strict=True)]
Problem = tuple[KeyPath, str]
"""The key that is wrong, and what is."""

say = speaker(__name__)


class GoldTable(Part):
    """One table of the document."""

    table_id: Text
    """Unique in the document."""
    page: Annotated[int, Field(ge=1, strict=True)]
    """The page the table begins on, counted from 1."""
    description: str
    """The caption, or what the table is about."""
    html: Text
    """One table, from <table> to </table>."""
    cell_count: Number
    """Number of td and th."""
    row_count: Number
    """Number of tr."""
    col_count: Number
    """Columns of the grid, spans resolved."""


class GoldTables(Part):
    """Ground truth for the tables of a document, version 1.0."""

    schema_version: Literal["1.0"]
    document_id: Text
    """The document's name, the DOC of DOC.tables.json."""
    source: Text
    """Where the document comes from."""
    tables: list[GoldTable]
    """The tables in reading order."""
    total_tables: Number
    """Number of entries in tables."""
    created_at: Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    """Date, YYYY-MM-DD."""
    created_by: Text
    """Who wrote it."""


def check(path: Path | str) -> list[str]:
    """List the problems of a reference-tables file, each with its place; none where it is fit for use.

    A file that cannot be opened raises UsageError.
    """
    data = read_bytes(path)
    try:
        source = parse_source(data, str(path))
    except UsageError as error:
        return [str(error)]
    problems = sorted(_problems(source.value), key=lambda problem: source.line(problem[0]))
    return [f"{source.place(key)}: {problem}" for key, problem in problems]


def skeleton(document_id: str, n_tables: int) -> dict[str, Any]:
    """Make a template of a reference-tables file; `check` names what is still to be filled in."""
    tables = [
        {
            "table_id": f"table_{number}",
            "page": 1,
            "description": "",
            "html": _BLANK,
            "cell_count": 2,
            "row_count": 2,
            "col_count": 1,
        }
        for number in range(1, n_tables + 1)
    ]
    return {
        "schema_version": "1.0",
        "document_id": document_id,
        "source": "",
        "tables": tables,
        "total_tables": n_tables,
        "created_at": "",
        "created_by": "",
    }


def _problems(gold: Any) -> Iterator[Problem]:
    """What does not fit the model, then what contradicts itself in the values that do."""
    wrong: list[Problem] = []
    try:
        GoldTables.model_validate(gold)
    except ValidationError as error:
        wrong = problems_of(error, GoldTables, gold)
    yield from wrong
    keys = {key for key, _ in wrong}
    if () in keys or ("tables",) in keys:
        return
    if ("created_at",) not in keys:
        yield from _date_problems(gold["created_at"])
    if ("total_tables",) not in keys and gold["total_tables"] != len(gold["tables"]):
        yield ("total_tables",), say("wrong_table_count", told=gold["total_tables"], found=len(gold["tables"]))
    seen: dict[str, int] = {}
    for number, table in enumerate(gold["tables"]):
        if any(key[:2] == ("tables", number) for key in keys):
            continue
        first = seen.setdefault(table["table_id"], number)
        if first != number:
            yield ("tables", number, "table_id"), say("table_id_twice", id=table["table_id"], first=first)
        for name, problem in _table_problems(table):
            yield ("tables", number, name), problem


def _date_problems(written: str) -> Iterator[Problem]:
    try:
        date.fromisoformat(written)
    except ValueError:
        yield ("created_at",), say("no_such_day", date=written)


def _table_problems(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Problems of a table's HTML, and of its counts where they disagree with the HTML; each with its key."""
    html = table["html"].strip()
    try:
        found = read_text(html).tables
        if len(found) != 1 or found[0].html != html:
            yield "html", say("html_not_one_table")
            return
        grid, cells = lay(find_tables(html)[0])
    except TableError as error:
        yield "html", str(error)
        return
    if found[0].faults:
        yield "html", say("html_not_closed")
    for name, count in (("cell_count", len(grid.cells)), ("row_count", grid.rows), ("col_count", grid.cols)):
        if table[name] != count:
            yield name, say(f"wrong_{name}", told=table[name], found=count)
    for key, blanks in grid.faults:
        yield "html", say(key, **blanks)
    for problem in (*_holes(grid), *_cell_problems(grid, cells)):
        yield "html", problem


def _holes(grid: Grid) -> Iterator[str]:
    covered = (grid.slots() >= 0).sum(axis=1).tolist()
    for row, count in enumerate(covered, 1):
        if count < grid.cols:
            yield say("row_not_full", row=row, filled=count, cols=grid.cols)


def _cell_problems(grid: Grid, cells: list[etree._Element]) -> Iterator[str]:
    for cell, element in zip(grid.cells, cells, strict=True):
        place = {"row": cell.row + 1, "col": cell.col + 1}
        for name in ("colspan", "rowspan"):
            value = element.get(name, "1")
            if not (value.isascii() and value.isdigit() and int(value[:9]) > 0):
                yield say("span_not_positive", **place, name=name, value=value[:40])
        if not cell.text and (element.text or len(element)):
            yield say("empty_cell_not_empty", **place, tag=element.tag)
