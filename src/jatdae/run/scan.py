"""The planning pass over one byte range: every row is read once, so a bad one is known before any is scored."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest, xxh3_128_digest, xxh3_128_intdigest

from jatdae.core.evaluator import GroupBy
from jatdae.run.collection import rare_collection
from jatdae.run.folders import read_listed
from jatdae.run.items import MAX_SLICE_VALUES, Batch, Reading
from jatdae.run.lines import BOM, bytes_of, lines_of
from jatdae.run.rows import BadRow

KEPT_EXAMPLES: Final = 20
_MASK: Final = (1 << 128) - 1


@dataclass(slots=True)
class Scan:
    """What the planning pass learned of a byte range."""

    start: int
    end: int
    lines: int = 0
    rows: int = 0
    """Rows that are not blank, bad ones included."""
    hashes: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
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
    slices: dict[str, set[str]] = field(default_factory=dict)
    """Values of each slice key, until they are too many."""
    missing: int = 0
    """Rows without a prediction, where they should have one."""
    first_missing: tuple[int, str] | None = None
    """(line within the range, id)"""
    bad: list[tuple[int, int, str]] = field(default_factory=list)
    """(line within the range, column, problem) of the first bad rows."""
    bad_count: int = 0

    def take(self, rows: Batch, reading: Reading) -> None:
        """Learn of some more rows, but for what is known of each."""
        self.rows += rows.length
        self.bad_count += len(rows.bad)
        self.bad += [(at, bad.column, bad.problem) for at, bad in rows.bad[: KEPT_EXAMPLES - len(self.bad)]]
        for key in reading.slices:
            values = self.slices.setdefault(key, set())
            new = dict.fromkeys(meta[key] for meta in rows.metas if meta[key] not in values)
            values.update(islice(new, MAX_SLICE_VALUES + 1 - len(values)))
        if reading.group_by:
            for name, system, _, _, row in rows.items():
                self.grouped.setdefault(system, set()).add(row_digest(name, row, reading.group_by))
        if reading.fields.prediction and not reading.listed and None in rows.predictions:
            lacking = [at for at, prediction in enumerate(rows.predictions) if prediction is None]
            self.missing += len(lacking)
            if not self.first_missing:
                self.first_missing = (rows.lines[lacking[0]], rows.names[lacking[0]])

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
            self.content[system] = (self.content.get(system, 0) + content_sum(mine)) & _MASK

    def positions(self) -> NDArray[np.uint64]:
        """Where each good row begins in the file."""
        return self.offsets.astype(np.uint64) + np.uint64(self.base)

    def lean(self) -> Scan:
        """The same without what is known of each row."""
        nothing = np.empty(0, np.uint32)
        return replace(self, hashes=np.empty(0, np.uint64), offsets=nothing, numbers=nothing)


def count_rows(path: str, start: int, end: int) -> int:
    """Rows that are not blank."""
    return sum(1 for line in lines_of(bytes_of(path, start, end)) if line and not line.isspace())


@rare_collection()
def scan(path: str, reading: Reading, start: int, end: int, first_row: int) -> Scan:
    """Read a byte range."""
    data = bytes_of(path, start, end)
    starts = _starts(data)
    found = Scan(start, end, len(starts), base=start)
    hashes: list[NDArray[np.uint64]] = []
    numbers: list[NDArray[np.uint32]] = []
    for batch in reading.batches(data, first_row):
        rows, contents = _contents(batch) if reading.listed else (batch, batch.references)
        found.take(rows, reading)
        if reading.fields.reference:
            found.add_content(rows, contents)
        hashes.append(np.fromiter(map(id_hash, rows.systems, rows.names), np.uint64, len(rows.names)))
        numbers.append(np.array(rows.lines, np.uint32))
    found.hashes = np.concatenate(hashes) if hashes else found.hashes
    found.numbers = np.concatenate(numbers) if numbers else found.numbers
    found.offsets = starts[found.numbers] + np.uint32(_bom_length(path) if start == 0 else 0)
    return found


def _contents(rows: Batch) -> tuple[Batch, list[Any]]:
    """Rows that stand for files, with what those hold; a file that cannot be read makes its row a bad one."""
    contents, bad = [], {}
    for at, row in enumerate(rows.rows):
        try:
            contents.append(read_listed(row))
        except BadRow as error:
            bad[at] = error
    return rows.without(bad), contents


def _starts(data: bytes) -> NDArray[np.uint32]:
    """Where each line begins."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    starts = np.concatenate([[0], ends + 1]).astype(np.uint32)
    return starts[starts < len(data)]


def id_hash(system: str, name: str) -> int:
    """64 bits of (system, id). A clash is only a suspicion: whoever finds one compares the ids themselves."""
    return xxh3_64_intdigest((f"{system}\0{name}" if system else name).encode())


def content_sum(pairs: Iterable[tuple[str, Any]]) -> int:
    """The sum of the digests of (id, value), which tells one set from another in whatever order or file form."""
    digests = b"".join(
        [
            xxh3_128_digest(
                f"{name}\0{value}".encode() if type(value) is str else b"%b\0%b" % (name.encode(), written(value))
            )
            for name, value in pairs
        ]
    )
    words = np.frombuffer(digests, ">u4").reshape(-1, 4).sum(axis=0, dtype=np.uint64)
    return sum(int(word) << shift for word, shift in zip(words, (96, 64, 32, 0), strict=True)) & _MASK


def content_digest(name: str, value: Any) -> int:
    """128 bits of (id, value)."""
    return xxh3_128_intdigest(b"%b\0%b" % (name.encode(), written(value)))


def row_digest(name: str, row: Mapping[str, Any], group_by: GroupBy) -> int:
    """The same for a row of a sample of several: of its id and what the row says is right."""
    return content_digest(name, [row.get(key) for key in group_by.reference])


def written(value: Any) -> bytes:
    """A value as bytes for hashing: text as it is, the rest as canonical JSON after a byte that no text begins with."""
    if type(value) is str:
        return value.encode(errors="surrogatepass")
    try:
        return b"\xff" + orjson.dumps(value, default=_tagged, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # whole numbers of more than 64 bits, lone surrogates
        return b"\xff" + json.dumps(value, default=_tagged, sort_keys=True).encode()


def _tagged(value: Any) -> Any:
    """A Decimal, or whatever a caller put into a sample: written out, yet no text."""
    return {type(value).__name__: str(value)}


def _bom_length(path: str) -> int:
    with open(path, "rb") as file:  # noqa: PTH123
        return len(BOM) if file.read(len(BOM)) == BOM else 0
