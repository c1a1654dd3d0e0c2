"""What a row says beside its prediction and reference: id, system, slice keys, cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from jatdae.core.errors import DataError
from jatdae.core.evaluator import GroupBy
from jatdae.core.messages import say
from jatdae.run.rows import BASELINE, MAX_ROW_BYTES, BadRow, Fields, parse, parse_exact, row_id, shown
from jatdae.run.spool import PROBLEM

BOM: Final = b"\xef\xbb\xbf"
MAX_SLICE_VALUES: Final = 1_000

Item = tuple[str, str, dict[str, str], str, dict[str, Any]]
"""A row with its parts found: id, system, meta, cluster, row. A plain tuple, for millions are made."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How the rows of one file are read: the same in the planning pass and in the workers."""

    fields: Fields
    slices: tuple[str, ...] = ()
    exact: bool = False
    system: str = ""
    """The system of rows that name none."""
    names_system: bool = False
    """Whether a row may name its system itself."""
    group_by: GroupBy | None = None

    def item(self, line: bytes, number: int) -> Item:
        """The row of one line; `number` is its id where rows have none."""
        if len(line) > MAX_ROW_BYTES:
            raise BadRow(say("row_too_long", most=MAX_ROW_BYTES >> 20))
        if line[:2] == PROBLEM:
            raise BadRow(shown(line[2:1000].decode(errors="replace"), 200))
        row = parse_exact(line) if self.exact else parse(line)
        name: Any
        system = self.system
        if self.group_by:
            name = row_id(row, self.group_by.id)
            system = row_id(row, self.group_by.system) if self.group_by.system else system
        elif not self.fields.id:
            name = str(number)
        elif type(name := row.get(self.fields.id)) is not str:
            name = row_id(row, self.fields.id)
        if self.names_system and row.get("system") is not None and not self.group_by:
            if type(row["system"]) is not str:
                raise BadRow(say("bad_text_field", field="system"))
            system = row["system"] or system
        if system.startswith(BASELINE):
            raise BadRow(say("system_reserved", name=shown(system)))
        meta = meta_of(row, self.slices) if self.slices or "meta" in row else {}
        cluster = row_id(row, "cluster") if row.get("cluster") is not None else ""
        return name, system, meta, cluster, row


def lines_of(path: str, start: int, end: int) -> list[bytes]:
    """The lines of a byte range, blank ones included."""
    try:
        with Path(path).open("rb") as file:
            file.seek(start)
            data = file.read(end - start)
    except OSError as error:
        raise DataError(say("cannot_read", place=path, problem=error.strerror or error)) from None
    if start == 0:
        data = data.removeprefix(BOM)
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def items_of(reading: Reading, lines: list[bytes], first_row: int) -> Iterator[Item]:
    """The good rows among `lines`; bad ones were told of by the planning pass."""
    number = first_row
    for line in lines:
        if line.isspace() or not line:
            continue
        with suppress(BadRow):
            yield reading.item(line, number)
        number += 1


def samples_of(items: Iterator[Item]) -> Iterator[list[Item]]:
    """Neighbouring rows that are one sample."""
    for _, group in groupby(items, key=lambda item: (item[1], item[0])):
        yield list(group)


def meta_of(row: Mapping[str, Any], slices: tuple[str, ...]) -> dict[str, str]:
    """Slice keys and their values as text: what stands under "meta", and the row's own fields that are sliced by."""
    given = row.get("meta")
    if given is None or given == "":
        given = {}
    if not isinstance(given, Mapping):
        raise BadRow(say("bad_meta"))
    made = {}
    for key, value in given.items():
        if isinstance(value, (dict, list)):
            raise BadRow(say("bad_meta"))
        made[key] = _text(value)
    for key in slices:
        if key not in made:
            value = row.get(key)
            if isinstance(value, (dict, list)):
                raise BadRow(say("bad_slice", key=key))
            made[key] = _text(value)
    return made


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    return "" if value is None else str(value).lower() if type(value) is bool else str(value)
