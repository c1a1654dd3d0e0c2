"""Read the input lines of a byte range as batches of rows, column by column."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import orjson
from xxhash import xxh3_128, xxh3_128_hexdigest

from jatdae.core.contract import BASELINE, Sample
from jatdae.core.errors import DataError
from jatdae.core.evaluator import GroupBy
from jatdae.core.messages import os_problem, say, shown
from jatdae.run.input.rows import (
    MAX_DEPTH,
    MAX_ROW_BYTES,
    PROBLEM,
    BadRow,
    Fields,
    Pairs,
    meta_of,
    parse,
    parse_exact,
    row_id,
)

BOM: Final = b"\xef\xbb\xbf"
PIECE: Final = 100_000
"""Bytes read at once, and what is left of the last line."""
SHALLOW: Final = 2 * MAX_DEPTH
"""No row of so few bytes is nested too deep."""
_OBJECTS: Final[frozenset[type]] = frozenset((dict, Pairs))

T = TypeVar("T")

Item = tuple[str, str, dict[str, str], str, dict[str, Any]]
"""A row with its parts found: id, system, meta, cluster, row."""


class SampleColumns(NamedTuple):
    """Samples column by column: those of millions of rows cost less so than one by one."""

    names: Sequence[str]
    predictions: Sequence[Any]
    references: Sequence[Any]
    metas: Sequence[Mapping[str, str]]
    systems: Sequence[str]
    clusters: Sequence[str]

    def samples(self) -> Iterator[Sample]:
        """One after the other."""
        return map(Sample, *self)

    def sample(self, at: int) -> Sample:
        """One of them."""
        return Sample(
            self.names[at], self.predictions[at], self.references[at], self.metas[at], self.systems[at],
            self.clusters[at],
        )  # fmt: skip

    def pairs(self) -> list[tuple[str, str, str]] | None:
        """System, prediction and reference of each; None unless all of these are texts."""
        if {*map(type, self.predictions), *map(type, self.references)} - {str}:
            return None
        return list(zip(self.systems, self.predictions, self.references, strict=True))


def columns_of(samples: Sequence[Sample]) -> SampleColumns:
    """Lay out samples as a batch of columns."""
    return SampleColumns(
        [s.id for s in samples], [s.prediction for s in samples], [s.reference for s in samples],
        [s.meta for s in samples], [s.system for s in samples], [s.cluster for s in samples],
    )  # fmt: skip


@dataclass(slots=True)
class Batch:
    """The valid rows of some input lines as columns, since columns of millions of rows cost less than rows."""

    names: list[str]
    predictions: list[Any]
    """None where a row has none; so with references."""
    references: list[Any]
    systems: list[str]
    metas: list[dict[str, str]]
    clusters: list[str]
    lines: Sequence[int]
    """Which line each row is, from 0."""
    rows: list[dict[str, Any]]
    """The rows themselves."""
    bad: list[tuple[int, BadRow]] = field(default_factory=list)
    """(line, what is wrong with it)"""

    @property
    def length(self) -> int:
        """How many lines are not blank, bad ones included."""
        return len(self.names) + len(self.bad)

    @property
    def columns(self) -> SampleColumns:
        """Its samples, where each row is one."""
        return SampleColumns(
            self.names, self.predictions, self.references, self.metas, self.systems, self.clusters
        )  # fmt: skip

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
    """How the rows of one input file are read, both in the planning pass and in the workers."""

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
    keeps_unread: bool = False
    """Whether a row whose file cannot be read is kept as one without a prediction: what is told of it still counts."""

    def batches(self, data: bytes, first_row: int) -> Iterator[Batch]:
        """The rows of lines, blank ones left out, a piece at a time; `first_row` is the number of the first.

        Pieces are small, so that their rows lie in memory that was just used: twice as fast as a whole shard at once.
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
    """Group neighbouring rows of a batch of input that belong to one sample."""
    for _, group in groupby(items, key=lambda item: (item[1], item[0])):
        yield list(group)


def _texts(names: list[Any]) -> list[str]:
    """Ids as text, where all of them are text or whole numbers."""
    kinds = set(map(type, names))
    if not kinds <= {str, int}:
        raise ValueError
    return names if kinds <= {str} else list(map(str, names))


def bytes_of(path: str, start: int, end: int, checksum: str = "") -> bytes:
    """Read a byte range of an input file, to be cut into batches, without the byte order mark of the file.

    Bytes of another checksum than the given one are refused.
    """
    try:
        with Path(path).open("rb") as file:
            file.seek(start)
            data = file.read(end - start)
    except OSError as error:
        raise DataError(say("cannot_read", place=path, problem=os_problem(error))) from None
    if checksum and xxh3_128_hexdigest(data) != checksum:
        raise DataError(say("other_content", place=path))
    return data.removeprefix(BOM) if start == 0 else data


def checksum_of(path: str, start: int = 0, end: int = sys.maxsize) -> str:
    """Checksum of a byte range of an input file, or of the whole file."""
    digest = xxh3_128()
    try:
        with Path(path).open("rb") as file:
            file.seek(start)
            while block := file.read(min(1 << 20, end - file.tell())):
                digest.update(block)
    except OSError as error:
        raise DataError(say("cannot_read", place=path, problem=os_problem(error))) from None
    return digest.hexdigest()


def lines_of(data: bytes) -> list[bytes]:
    """Split the bytes of a batch of input rows into lines, blank ones included."""
    return data.removesuffix(b"\n").split(b"\n") if data else []


def pieces(data: bytes) -> Iterator[bytes]:
    """Cut bytes of an input file into batches of whole lines, each without its last line end."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + PIECE)
        yield data[start:end] if end >= 0 else data[start:].removesuffix(b"\n")
        start = end + 1 if end >= 0 else len(data)


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Run Python's garbage collector less often while batches of rows make very many objects; a decorator.

    Rows and outcomes live to the end of their shard and hold no cycles. At the usual threshold the collector walks
    them again and again, which takes a fifth of the time of a cheap evaluator.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(200_000, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
