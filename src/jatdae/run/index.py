"""Finding rows by id: a sorted, memory-mapped index of 16 bytes a row, and the checks that rest on it."""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jatdae.core.errors import DataError
from jatdae.core.messages import say
from jatdae.run.items import Item
from jatdae.run.model import Source
from jatdae.run.rows import shown
from jatdae.run.scan import Scan, id_hash


def write_index(hashes: NDArray[np.uint64], offsets: NDArray[np.int64], target: Path) -> str:
    """Hashes in ascending order, then the byte offset each leads to."""
    order = np.argsort(hashes, kind="stable")
    np.save(target, np.stack([hashes[order], offsets[order].astype(np.uint64)]))
    return str(target)


class Index:
    """Rows of a prediction file by id."""

    def __init__(self, source: Source) -> None:
        self._reading = source.reading
        self._table: NDArray[np.uint64] = np.load(source.index, mmap_mode="r")
        self._data: Any = b""
        if source.file.size:
            with Path(source.file.path).open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def find(self, ids: Sequence[str]) -> Iterator[Item | None]:
        """The row of each id, or None."""
        hashes = self._table[0]
        wanted = np.fromiter((id_hash("", name) for name in ids), np.uint64, len(ids))
        for name, key, at in zip(ids, wanted.tolist(), np.searchsorted(hashes, wanted).tolist(), strict=True):
            yield self._row(name, key, at)

    def _row(self, name: str, key: int, at: int) -> Item | None:
        while at < self._table.shape[1] and int(self._table[0, at]) == key:
            item = self._at(int(self._table[1, at]), name)
            if item[0] == name:
                return item
            at += 1
        return None

    def _at(self, offset: int, name: str) -> Item:
        end = self._data.find(b"\n", offset)
        line = self._data[offset : end if end >= 0 else None]
        # Without an id field the row number is the id, and the index was made from it.
        return self._reading.item(line, int(name) if name.isdecimal() and not self._reading.fields.id else 0)


def refuse_duplicates(read: Sequence[tuple[Source, Sequence[Scan]]]) -> None:
    """Two rows with one (system, id) are an error that names both places."""
    parts = [part.hashes for _, scans in read for part in scans]
    hashes = np.sort(np.concatenate(parts)) if parts else np.empty(0, np.uint64)
    suspects = set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    if not suspects:
        return
    seen: dict[tuple[str, str], str] = {}
    for source, line, offset in _suspect_rows(read, suspects):
        name, system, *_ = _read_at(source, offset)
        place = source.file.place(line)
        if first := seen.get((system, name)):
            raise DataError(say("duplicate_id", id=shown(name), system=system or "–", first=first, second=place))
        seen[system, name] = place


def refuse_missing(source: Source, scans: Sequence[Scan], predicted: NDArray[np.uint64], name: str) -> None:
    """A reference row without prediction, where that is an error."""
    line, first, count = 1, None, 0
    for part in scans:
        lacking = np.flatnonzero(~np.isin(part.hashes, predicted))
        count += len(lacking)
        if len(lacking) and first is None:
            first = (line + int(part.numbers[lacking[0]]), int(part.offsets[lacking[0]]))
        line += part.lines
    if first:
        missing = shown(_read_at(source, first[1])[0])
        raise DataError(
            say("missing_predictions", n=count, id=missing, place=f"{source.file.place(first[0])} → {name}")
        )


def _suspect_rows(
    read: Sequence[tuple[Source, Sequence[Scan]]], suspects: set[int]
) -> Iterator[tuple[Source, int, int]]:
    wanted = np.fromiter(suspects, np.uint64, len(suspects))
    for source, scans in read:
        line = 1
        for part in scans:
            for at in np.flatnonzero(np.isin(part.hashes, wanted)).tolist():
                yield source, line + int(part.numbers[at]), int(part.offsets[at])
            line += part.lines


def _read_at(source: Source, offset: int) -> Item:
    with Path(source.file.path).open("rb") as file:
        file.seek(offset)
        return source.reading.item(file.readline().rstrip(b"\n"), 0)
