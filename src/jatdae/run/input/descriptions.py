"""What is told of the documents of an input folder: `meta.csv`, `parse.jsonl` and front matter give slice keys.

`meta.csv` has a column with the document (`document`, `id`, `file` or the first one) and any others: its language, its
layout, how long it took. `parse.jsonl` has a JSON object a line, with `document` and numbers. Front matter is the block
of `key: value` lines between two lines of `---` that a document begins with. Either file may tell of a document that is
not there, such as one that its parser failed on.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

import orjson

from jatdae.core.contract import is_amount, is_count
from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, say, shown
from jatdae.run.input.encodings import Undecodable, decode

META: Final = "meta.csv"
RECORD: Final = "parse.jsonl"
RECORDS: Final = frozenset((META, RECORD, "latex.jsonl"))
"""Files that tell of the documents beside them, and are none themselves."""


@dataclass(slots=True)
class Descriptions:
    """What files in an input folder tell of its documents."""

    told: dict[str, dict[str, str]] = field(default_factory=dict)
    """By document, its slice keys with their values."""
    lines: dict[str, str] = field(default_factory=dict)
    """By document that `meta.csv` names, the place of its line."""


_NAMING: Final = ("document", "id", "file")
_SUFFIXES: Final = frozenset((".md", ".markdown", ".txt", ".html", ".htm", ".pdf"))
_FRONT_MATTER: Final = re.compile(r"---[ \t]*\n((?:[A-Za-z_][\w-]*:[^\n]*\n)+)---[ \t]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class NumberKeys:
    """Keys whose values have to be numbers: of 0 or more, and whole ones of 1 or more."""

    amounts: Collection[str] = ()
    counts: Collection[str] = ()


NO_NUMBERS: Final = NumberKeys()


def read_descriptions(folder: Path, numbers: NumberKeys = NO_NUMBERS) -> Descriptions:
    """Read what `parse.jsonl` and `meta.csv` tell of the documents of an input folder; the second holds."""
    found = Descriptions()
    if (folder / RECORD).is_file():
        found.told = _read_record(folder / RECORD, numbers)
    if (folder / META).is_file():
        for document, (line, values) in _read_table(folder / META, numbers).items():
            found.told.setdefault(document, {}).update(values)
            found.lines[document] = f"{folder / META}:{line}"
    return found


def find_front_matter(text: str) -> tuple[dict[str, str], int]:
    """Slice keys in the front matter of an input document, and how many characters it has."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return {}, 0
    pairs = (line.partition(":") for line in found[1].splitlines())
    return {key: value.strip().strip("\"'") for key, _, value in pairs if value.strip()}, found.end()


def share_counts(folders: Iterable[Path], numbers: NumberKeys) -> dict[str, dict[str, str]]:
    """By document, the counts that the first folder tells that knows them: they are the same for every system."""
    shared: dict[str, dict[str, str]] = {}
    for folder in folders:
        for document, values in read_descriptions(folder, numbers).told.items():
            counts = {key: values[key] for key in numbers.counts if key in values}
            shared[document] = counts | shared.get(document, {})
    return shared


def _read_table(path: Path, numbers: NumberKeys) -> dict[str, tuple[int, dict[str, str]]]:
    """By document, the line that names it and what it says."""
    rows = list(csv.reader(io.StringIO(_text(path)), skipinitialspace=True))
    header = [name.strip() for name in rows[0]] if rows else []
    if len(header) < 2 or len(set(header)) != len(header) or "" in header:
        raise DataError(say("meta_header", place=path))
    naming = next((header.index(name) for name in _NAMING if name in header), 0)
    told: dict[str, tuple[int, dict[str, str]]] = {}
    for line, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            raise DataError(say("meta_width", place=f"{path}:{line}", found=len(row), wanted=len(header)))
        document = _document(row[naming].strip())
        if document in told:
            raise DataError(say("meta_twice", place=f"{path}:{line}", key=shown(document)))
        cells = zip(header, row, strict=True)
        values = {name: cell.strip() for at, (name, cell) in enumerate(cells) if at != naming and cell.strip()}
        _refuse_other_than_numbers(values, numbers, f"{path}:{line}")
        told[document] = line, values
    return told


def _read_record(path: Path, numbers: NumberKeys) -> dict[str, dict[str, str]]:
    """Numbers of each document; a line that was written later holds, one that was cut off is left out."""
    told: dict[str, dict[str, str]] = {}
    for number, line in enumerate(_text(path).splitlines(), 1):
        try:
            row: Any = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if isinstance(row, dict) and isinstance(row.get("document"), str):
            given = {k: str(v) for k, v in row.items() if isinstance(v, int | float) and not isinstance(v, bool)}
            wrong = {k: str(v) for k, v in row.items() if k in numbers.amounts and k not in given and v is not None}
            _refuse_other_than_numbers(given | wrong, numbers, f"{path}:{number}")
            told[unicodedata.normalize("NFC", row["document"])] = given
    return told


def _refuse_other_than_numbers(values: Mapping[str, str], numbers: NumberKeys, place: str) -> None:
    for key in numbers.amounts:
        if key in values and key in numbers.counts and not is_count(values[key]):
            raise DataError(say("meta_count", place=place, key=key, value=shown(values[key])))
        if key in values and not is_amount(values[key]):
            raise DataError(say("meta_number", place=place, key=key, value=shown(values[key])))


def _document(name: str) -> str:
    """A document as folders know it: without the suffix of a text or a page."""
    path = PurePosixPath(unicodedata.normalize("NFC", name).replace("\\", "/"))
    return str(path.with_suffix("")) if path.suffix.lower() in _SUFFIXES else str(path)


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes())[0].removeprefix("\ufeff")
    except OSError as error:
        raise DataError(say("cannot_read", place=path, problem=os_problem(error))) from None
    except Undecodable as bad:
        raise DataError(say("document_not_utf8", place=f"{path}:{bad.place}")) from None
