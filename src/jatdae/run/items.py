"""What a row says beside its prediction and reference: id, system, slice keys, cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeVar

import orjson

from jatdae.core.evaluator import GroupBy
from jatdae.core.messages import say
from jatdae.run.lines import pieces
from jatdae.run.rows import BASELINE, MAX_DEPTH, MAX_ROW_BYTES, BadRow, Fields, Pairs, parse, parse_exact, row_id, shown
from jatdae.run.spool import PROBLEM

MAX_SLICE_VALUES: Final = 1_000
SHALLOW: Final = 2 * MAX_DEPTH
"""No row of so few bytes is nested too deep."""
_OBJECTS: Final[frozenset[type]] = frozenset((dict, Pairs))

T = TypeVar("T")

Item = tuple[str, str, dict[str, str], str, dict[str, Any]]
"""A row with its parts found: id, system, meta, cluster, row."""


@dataclass(slots=True)
class Batch:
    """The good rows of some lines, column by column: millions are read, and a column costs less than its rows."""

    names: list[str]
    predictions: list[Any]
    references: list[Any]
    """None for what is not there."""
    systems: list[str]
    metas: list[dict[str, str]]
    clusters: list[str]
    lines: Sequence[int]
    """Which line each row is, from 0."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    """The rows themselves."""
    bad: list[tuple[int, BadRow]] = field(default_factory=list)
    """(line, what is wrong with it)"""

    @property
    def length(self) -> int:
        """How many lines are not blank, bad ones included."""
        return len(self.names) + len(self.bad)

    def items(self) -> Iterator[Item]:
        """Row after row."""
        return zip(self.names, self.systems, self.metas, self.clusters, self.rows, strict=True)

    def without(self, bad: Mapping[int, BadRow]) -> Batch:
        """The same without some rows, which turned out to be bad."""

        def kept(column: Sequence[T]) -> list[T]:
            return [value for at, value in enumerate(column) if at not in bad]

        found = [(self.lines[at], error) for at, error in bad.items()]
        return Batch(
            kept(self.names), kept(self.predictions), kept(self.references), kept(self.systems), kept(self.metas),
            kept(self.clusters), kept(self.lines), kept(self.rows), sorted(self.bad + found, key=itemgetter(0)),
        )  # fmt: skip


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
    listed: bool = False
    """Whether rows stand for files."""

    def batches(self, data: bytes, first_row: int) -> Iterator[Batch]:
        """The rows of lines, blank ones left out, some at a time; `first_row` is the number of the first.

        What is read lies then in memory that was just used, not in new pages for each shard: twice as fast.
        """
        first_line = 0
        for piece in pieces(data):
            lines = piece.split(b"\n")
            try:
                rows = self._batch(lines, first_line, first_row)
            except (ValueError, KeyError):  # a blank line, a bad row: find out which
                rows = self._line_by_line(lines, first_line, first_row)
            first_line += len(lines)
            first_row += rows.length
            yield rows

    def item(self, line: bytes, number: int) -> Item:
        """The row of one line; `number` is its id where rows have none."""
        row = self._parse(line)
        name = row_id(row, self._id) if self._id else str(number)
        return name, self._system(row), self._meta(row), self._cluster(row), row

    def _batch(self, lines: Sequence[bytes], first_line: int, first_row: int) -> Batch:
        short = max(map(len, lines), default=0) <= SHALLOW and not self.exact
        rows: list[dict[str, Any]] = list(map(orjson.loads if short else self._parse, lines))
        if not set(map(type, rows)) <= _OBJECTS:
            raise ValueError
        n, key, keys = len(rows), self._id, set[str]().union(*rows)
        return Batch(
            _texts([row[key] for row in rows]) if key else list(map(str, range(first_row, first_row + n))),
            [row.get(self.fields.prediction) for row in rows],
            [row.get(self.fields.reference) for row in rows],
            [self._system(row) for row in rows] if self.group_by or "system" in keys else [self.system] * n,
            [self._meta(row) for row in rows] if self.slices or "meta" in keys else [{} for _ in rows],
            [self._cluster(row) for row in rows] if "cluster" in keys else [""] * n,
            range(first_line, first_line + n),
            rows,
        )

    def _line_by_line(self, lines: Sequence[bytes], first_line: int, first_row: int) -> Batch:
        items: list[Item] = []
        numbers: list[int] = []
        bad: list[tuple[int, BadRow]] = []
        row = first_row
        for number, line in enumerate(lines, first_line):
            if line and not line.isspace():
                try:
                    items.append(self.item(line, row))
                    numbers.append(number)
                except BadRow as error:
                    bad.append((number, error))
                row += 1
        rows = [item[4] for item in items]
        return Batch(
            [item[0] for item in items], [row.get(self.fields.prediction) for row in rows],
            [row.get(self.fields.reference) for row in rows], [item[1] for item in items], [item[2] for item in items],
            [item[3] for item in items], numbers, rows, bad,
        )  # fmt: skip

    @property
    def _id(self) -> str:
        return self.group_by.id if self.group_by else self.fields.id

    def _parse(self, line: bytes) -> dict[str, Any]:
        if len(line) > MAX_ROW_BYTES:
            raise BadRow(say("row_too_long", most=MAX_ROW_BYTES >> 20))
        if line[:2] == PROBLEM:
            raise BadRow(shown(line[2:1000].decode(errors="replace"), 200))
        return parse_exact(line) if self.exact else parse(line)

    def _system(self, row: Mapping[str, Any]) -> str:
        system = self.system
        if self.group_by:
            system = row_id(row, self.group_by.system) if self.group_by.system else system
        elif self.names_system and row.get("system") is not None:
            if type(row["system"]) is not str:
                raise BadRow(say("bad_text_field", field="system"))
            system = row["system"] or system
        if system.startswith(BASELINE):
            raise BadRow(say("system_reserved", name=shown(system)))
        return system

    def _meta(self, row: Mapping[str, Any]) -> dict[str, str]:
        return meta_of(row, self.slices) if self.slices or "meta" in row else {}

    def _cluster(self, row: Mapping[str, Any]) -> str:
        return row_id(row, "cluster") if row.get("cluster") is not None else ""


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


def _texts(names: list[Any]) -> list[str]:
    """Ids as text, where all of them are text or whole numbers."""
    kinds = set(map(type, names))
    if not kinds <= {str, int}:
        raise ValueError
    return names if kinds <= {str} else list(map(str, names))


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    return "" if value is None else str(value).lower() if type(value) is bool else str(value)
