"""Reference-tables files (DOC.tables.json), schema 1.0: read, check or begin one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from lxml import etree

from jatdae.core.errors import DataError
from jatdae.core.yamlfile import read_whole
from jatdae.tables.elements import find_tables
from jatdae.tables.extraction import read_text
from jatdae.tables.grid import Grid, lay
from jatdae.tables.table_issues import TableError

SUFFIXES: Final = (".tables.json", "_tables.json")
"""What follows the name of a document in the name of its ground truth."""
_SCHEMA: Final = "gold-tables-1.0.json"
_BLANK: Final = "<table><thead><tr><th></th></tr></thead><tbody><tr><td></td></tr></tbody></table>"


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a reference-tables file, and where it is."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class GoldError(DataError):
    """Error for a reference-tables file that cannot be read at all."""

    def __init__(self, place: str, message: str) -> None:
        self.problem = Problem(place, message)
        super().__init__(str(self.problem))


def check(path: Path | str) -> list[Problem]:
    """Check a reference-tables file (DOC.tables.json) and list its problems; none where it is fit for use."""
    try:
        gold = load(path)
    except GoldError as error:
        return [error.problem]
    problems = list(_against_schema(gold))
    if not problems:
        problems = list(_against_itself(gold))
    return [Problem(f"{path}: {problem.place}", problem.message) for problem in problems]


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


def load(path: Path | str) -> Any:
    """Load the JSON of a reference-tables file (DOC.tables.json)."""
    try:
        text = read_whole(Path(path)).decode("utf-8-sig")
    except OSError as error:
        message = f"cannot be read ({error.strerror}); give the path of a .tables.json file"
        raise GoldError(str(path), message) from error
    except UnicodeDecodeError as error:
        raise GoldError(str(path), f"not UTF-8 at byte {error.start}; save the file as UTF-8") from error
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise GoldError(f"{path}:{error.lineno}:{error.colno}", f"not JSON: {error.msg}") from error
    except RecursionError as error:
        raise GoldError(str(path), "nested too deeply to be ground truth") from error


@cache
def schema() -> Mapping[str, Any]:
    """JSON Schema of the reference-tables file (DOC.tables.json), version 1.0."""
    text = (resources.files("jatdae.tables") / "schemas" / _SCHEMA).read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def _against_schema(gold: Any) -> Iterator[Problem]:
    from jsonschema_rs import Draft202012Validator

    for error in Draft202012Validator(dict(schema())).iter_errors(gold):
        yield Problem(_place(error.instance_path), error.message)


def _against_itself(gold: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of a date that does not exist, and of counts, ids and tables that disagree with each other."""
    try:
        date.fromisoformat(gold["created_at"])
    except ValueError:
        yield Problem("created_at", f"there is no day {gold['created_at']}")
    tables = gold["tables"]
    if gold["total_tables"] != len(tables):
        yield Problem("total_tables", f"says {gold['total_tables']}, but there are {len(tables)} tables")
    seen: dict[str, int] = {}
    for number, table in enumerate(tables):
        first = seen.setdefault(table["table_id"], number)
        if first != number:
            yield Problem(f"tables[{number}].table_id", f"{table['table_id']!r} is the id of tables[{first}] too")
        for problem in _against_html(table):
            yield Problem(f"tables[{number}].{problem.place}", problem.message)


def _against_html(table: Mapping[str, Any]) -> Iterator[Problem]:
    html = table["html"].strip()
    try:
        found = read_text(html).tables
        if len(found) != 1 or found[0].html != html:
            yield Problem("html", "must be one table and nothing else, from <table> to </table>")
            return
        grid, cells = lay(find_tables(html)[0])
    except TableError as error:
        yield Problem("html", str(error))
        return
    if found[0].faults:
        yield Problem("html", "; ".join(found[0].faults))
    counts = (
        ("cell_count", len(grid.cells), "td and th"),
        ("row_count", grid.rows, "tr"),
        ("col_count", grid.cols, "columns"),
    )
    for name, count, what in counts:
        if table[name] != count:
            yield Problem(name, f"says {table[name]}, but the HTML has {count} {what}")
    for message in (*grid.faults, *_holes(grid), *_cell_faults(grid, cells)):
        yield Problem("html", message)


def _holes(grid: Grid) -> Iterator[str]:
    covered = (grid.slots() >= 0).sum(axis=1).tolist()
    for row, count in enumerate(covered, 1):
        if count < grid.cols:
            yield f"row {row} fills {count} of {grid.cols} columns; write empty cells as <td></td>"


def _cell_faults(grid: Grid, cells: list[etree._Element]) -> Iterator[str]:
    for cell, element in zip(grid.cells, cells, strict=True):
        place = f"row {cell.row + 1}, column {cell.col + 1}"
        for name in ("colspan", "rowspan"):
            value = element.get(name, "1")
            if not (value.isascii() and value.isdigit() and int(value[:9]) > 0):
                yield f'{place}: {name}="{value[:40]}" is no positive whole number'
        if not cell.text and (element.text or len(element)):
            yield f"{place}: an empty cell is written <{element.tag}></{element.tag}>, with nothing in it"


def _place(path: list[str | int]) -> str:
    """A JSON path as people write it: tables[0].page."""
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return place.lstrip(".") or "the whole file"
