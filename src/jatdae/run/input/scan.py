"""Scanning: what the planning pass finds in the byte ranges of an input, each read once, perhaps on another machine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from jatdae.core.contract import MAX_SLICE_VALUES, MAX_SYSTEMS
from jatdae.run.input.batches import BOM, Batch, Reading, bytes_of, lines_of, rare_garbage_collection
from jatdae.run.input.digest import BITS, content_sum, id_hash, row_digest
from jatdae.run.input.files import RowFile
from jatdae.run.input.folders import read_listed
from jatdae.run.input.formats import line_too_long
from jatdae.run.input.join import Hashes
from jatdae.run.input.rows import (
    MAX_LINE_BYTES,
    BadRow,
    NotUtf8,
)

SHARDS_WANTED: Final = 64
SMALLEST_SHARD: Final = 16 << 10
LARGEST_SHARD: Final = 4 << 20
KEPT_EXAMPLES: Final = 20


def byte_ranges(file: RowFile) -> Iterator[tuple[int, int]]:
    """Plan the shards of an input file: about 64 byte ranges that end at line ends.

    None is smaller than 16 KiB or larger than 4 MiB, but for lines that are longer themselves.
    """
    if file.holds == "files":
        yield from _file_ranges(file)
        return
    target = min(max(file.size // SHARDS_WANTED, SMALLEST_SHARD), LARGEST_SHARD)
    start = 0
    with Path(file.path).open("rb") as stream:
        while start < file.size:
            stream.seek(min(start + target, file.size))
            while (block := stream.read(1 << 16)) and (at := block.find(b"\n")) < 0:
                if stream.tell() - start > target + MAX_LINE_BYTES:
                    raise line_too_long(f"{file.name}:{_lines_before(stream, start + target) + 1}")
            end = stream.tell() - len(block) + at + 1 if block else file.size
            yield start, end
            start = end


def _file_ranges(file: RowFile) -> Iterator[tuple[int, int]]:
    """The same over a list of files, by the size of the files."""
    with Path(file.path).open("rb") as lines:
        sizes = [(len(line), int(orjson.loads(line)["size"])) for line in lines]
    target = min(max(sum(size for _, size in sizes) // SHARDS_WANTED, SMALLEST_SHARD), LARGEST_SHARD)
    start = end = weight = 0
    for length, size in sizes:
        end += length
        weight += size
        if weight >= target:
            yield start, end
            start, weight = end, 0
    if start < end:
        yield start, end


def _lines_before(stream: BinaryIO, end: int) -> int:
    stream.seek(0)
    return sum(stream.read(min(1 << 20, end - at)).count(b"\n") for at in range(0, end, 1 << 20))


@dataclass(slots=True)
class Scan:
    """What the planning pass found in one byte range of the input: rows, hashes, positions."""

    start: int
    end: int
    lines: int = 0
    rows: int = 0
    """Rows that are not blank, bad ones included."""
    hashes: Hashes = field(default_factory=lambda: np.empty(0, np.uint64))
    """Of (system, id), a good row each."""
    offsets: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    """Bytes from `base`, a good row each; four bytes, for all scans of a file are held at once."""
    numbers: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    """Line within the range, from 0, a good row each."""
    base: int = 0
    content: dict[str, int] = field(default_factory=dict)
    """Per system, the sum of 128-bit hashes of (id, reference): the same for any order of the rows."""
    grouped: dict[str, set[int]] = field(default_factory=dict)
    """Per system, the same of the ids of samples that are several rows, each once."""
    units: Hashes = field(default_factory=lambda: np.empty(0, np.uint64))
    """Of (system, id, unit), a good row each; 0 where a row names no unit. Empty where rows are not told apart so."""
    slices: dict[str, set[str]] = field(default_factory=dict)
    """Values of each slice key, until they are too many."""
    systems: set[str] = field(default_factory=set)
    """Systems that rows name, until they are too many."""
    missing: int = 0
    """Rows without a prediction, where they should have one."""
    first_missing: tuple[int, str] | None = None
    """(line within the range, id)"""
    bad: list[tuple[int, int, str]] = field(default_factory=list)
    """(line within the range, column, problem) of the first bad rows."""
    bad_count: int = 0
    not_utf8: bool = False
    """Whether a row is bad because it is not UTF-8."""
    encodings: Counter[str] = field(default_factory=Counter)
    """How many documents are in which encoding, where rows stand for files."""

    def take(self, rows: Batch, reading: Reading) -> None:
        """Learn of some more rows, but for what is known of each."""
        self.rows += rows.length
        self.bad_count += len(rows.bad)
        self.not_utf8 |= any(isinstance(bad, NotUtf8) for _, bad in rows.bad)
        self.bad += [(at, bad.column, bad.problem) for at, bad in rows.bad[: KEPT_EXAMPLES - len(self.bad)]]
        for key in reading.slices:
            values = self.slices.setdefault(key, set())
            new = dict.fromkeys(meta[key] for meta in rows.metas if meta[key] not in values)
            values.update(islice(new, MAX_SLICE_VALUES + 1 - len(values)))
        self.systems.update(islice(set(rows.systems) - self.systems, MAX_SYSTEMS + 1 - len(self.systems)))
        if len(self.systems) > MAX_SYSTEMS:
            return  # the run is refused, and nothing more is asked of these rows
        if reading.group_by:
            for name, system, _, _, row in rows.items():
                self.grouped.setdefault(system, set()).add(row_digest(name, row, reading.group_by))
        if reading.fields.prediction and None in rows.predictions:
            lacking = [at for at, prediction in enumerate(rows.predictions) if prediction is None]
            self.missing += len(lacking)
            if not self.first_missing:
                self.first_missing = (rows.lines[lacking[0]], rows.names[lacking[0]])

    def miss(self, rows: Batch, unread: Collection[int]) -> None:
        """Count rows whose files cannot be read, given by their lines, as rows without a prediction."""
        named = [(line, name) for line, name in zip(rows.lines, rows.names, strict=True) if line in unread]
        self.missing += len(named)
        self.first_missing = min(filter(None, [self.first_missing, *named[:1]]), default=None)

    def add_content(self, rows: Batch, contents: list[Any]) -> None:
        """Add what the rows hold to the sums of their systems."""
        every = zip(rows.names, contents, strict=True)
        pairs: dict[str, Iterable[tuple[str, Any]]] = {}
        if len(systems := set(rows.systems)) == 1:
            pairs[systems.pop()] = every
        else:
            grouped: dict[str, list[tuple[str, Any]]] = defaultdict(list)
            for system, pair in zip(rows.systems, every, strict=True):
                grouped[system].append(pair)
            pairs |= grouped
        for system, mine in pairs.items():
            self.content[system] = (self.content.get(system, 0) + content_sum(mine)) % (1 << BITS)

    def positions(self) -> Hashes:
        """Where each good row begins in the file."""
        return self.offsets.astype(np.uint64) + np.uint64(self.base)

    def with_units(self) -> Scan:
        """The rows that name a unit, under the hashes of their units."""
        named = self.units != 0
        return replace(self, hashes=self.units[named], offsets=self.offsets[named], numbers=self.numbers[named])

    def lean(self) -> Scan:
        """The same without what is known of each row."""
        nothing = np.empty(0, np.uint32)
        return replace(self, hashes=np.empty(0, np.uint64), offsets=nothing, numbers=nothing)


def count_rows(path: str, start: int, end: int, checksum: str) -> int:
    """Count the rows in a byte range of an input file, without blank lines."""
    return sum(1 for line in lines_of(bytes_of(path, start, end, checksum)) if line and not line.isspace())


@rare_garbage_collection()
def scan(path: str, reading: Reading, start: int, end: int, first_row: int, checksum: str = "") -> Scan:
    """Scan a byte range of an input file for the plan of a run."""
    data = bytes_of(path, start, end, checksum)
    starts = _starts(data)
    found = Scan(start, end, len(starts), base=start)
    hashes: list[Hashes] = []
    numbers: list[NDArray[np.uint32]] = []
    units: list[Hashes] = []
    for batch in reading.batches(data, first_row):
        rows, contents = _with_contents(batch, found.encodings) if reading.listed else (batch, batch.references)
        found.take(rows, reading)
        if reading.listed and reading.keeps_unread:
            found.miss(batch, {line for line, _ in rows.bad})
            rows, contents = batch, batch.references
        if reading.fields.reference and len(found.systems) <= MAX_SYSTEMS:
            found.add_content(rows, contents)
        hashes.append(np.fromiter(map(id_hash, rows.systems, rows.names), np.uint64, len(rows.names)))
        numbers.append(np.array(rows.lines, np.uint32))
        if reading.group_by and reading.group_by.unit:
            units.append(_unit_hashes(rows, reading.group_by.unit))
    found.hashes = np.concatenate(hashes) if hashes else found.hashes
    found.numbers = np.concatenate(numbers) if numbers else found.numbers
    found.units = np.concatenate(units) if units else found.units
    found.offsets = starts[found.numbers] + np.uint32(_bom_length(path) if start == 0 else 0)
    return found


def _unit_hashes(rows: Batch, unit: str) -> Hashes:
    found = (
        0 if row.get(unit) is None else id_hash(f"{system}\0{name}", str(row[unit]))
        for name, system, _, _, row in rows.items()
    )
    return np.fromiter(found, np.uint64, len(rows.names))


def _with_contents(rows: Batch, encodings: Counter[str]) -> tuple[Batch, list[Any]]:
    """Rows that stand for files, with what those hold; a file that cannot be read makes its row a bad one."""
    contents, bad = [], {}
    for at, row in enumerate(rows.rows):
        try:
            contents.append(read_listed(row, encodings))
        except BadRow as error:
            bad[at] = error
    return rows.without(bad), contents


def _starts(data: bytes) -> NDArray[np.uint32]:
    """Where each line begins."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    starts = np.concatenate([[0], ends + 1]).astype(np.uint32)
    return starts[starts < len(data)]


def _bom_length(path: str) -> int:
    with open(path, "rb") as file:  # noqa: PTH123
        return len(BOM) if file.read(len(BOM)) == BOM else 0
