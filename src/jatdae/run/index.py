"""Finding rows by id: a sorted, memory-mapped index of 16 bytes a row, and the checks that rest on it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jatdae.core.errors import DataError
from jatdae.core.messages import say
from jatdae.run.items import Item
from jatdae.run.model import Source
from jatdae.run.rows import shown
from jatdae.run.scan import Scan, id_hash

PIECE: Final = 1 << 20
BLOCK: Final = 1 << 14


def write_index(scans: Sequence[Scan], target: Path) -> str:
    """Hashes in ascending order, then where in the file each leads to; piece by piece, for there may be millions."""
    hashes = joined([part.hashes for part in scans])
    order = np.argsort(hashes, kind="stable")
    with target.open("wb") as file:
        header = {"descr": hashes.dtype.str, "fortran_order": False, "shape": (2, len(hashes))}
        np.lib.format.write_array_header_1_0(file, header)
        for start in range(0, len(order), PIECE):
            file.write(hashes[order[start : start + PIECE]].data)
        del hashes
        positions = joined([part.positions() for part in scans])
        for start in range(0, len(order), PIECE):
            file.write(positions[order[start : start + PIECE]].data)
    return str(target)


def indexed_hashes(index: str) -> NDArray[np.uint64]:
    """The hashes of an index in ascending order, read where they lie."""
    hashes: NDArray[np.uint64] = np.load(index, mmap_mode="r")[0]
    return hashes


def ordered_hashes(scans: Iterable[Scan]) -> NDArray[np.uint64]:
    """The same of scans that have no index."""
    hashes = joined([part.hashes for part in scans])
    hashes.sort()
    return hashes


def joined(arrays: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Arrays one after the other."""
    return np.concatenate(arrays) if arrays else np.empty(0, np.uint64)


def among(hashes: NDArray[np.uint64], known: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which hashes are in `known`, which is sorted."""
    if not len(known):
        return np.zeros(len(hashes), np.bool_)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, hashes), len(known) - 1)] == hashes
    return found


class Index:
    """Rows of a prediction file by id."""

    def __init__(self, source: Source) -> None:
        self._reading, self._path = source.reading, Path(source.file.path)
        self._table: NDArray[np.uint64] = np.load(source.index, mmap_mode="r")

    def find(self, ids: Sequence[str]) -> Iterator[Item | None]:
        """The row of each id, or None."""
        hashes = self._table[0]
        wanted = np.fromiter((id_hash("", name) for name in ids), np.uint64, len(ids))
        with self._path.open("rb", buffering=0) as file:
            lines = _Lines(file)
            for name, key, at in zip(ids, wanted.tolist(), np.searchsorted(hashes, wanted).tolist(), strict=True):
                yield self._row(lines, name, key, at)

    def _row(self, lines: _Lines, name: str, key: int, at: int) -> Item | None:
        # Without an id field the row number is the id, and the index was made from it.
        number = int(name) if name.isdecimal() and not self._reading.fields.id else 0
        while at < self._table.shape[1] and int(self._table[0, at]) == key:
            item = self._reading.item(lines.at(int(self._table[1, at])), number)
            if item[0] == name:
                return item
            at += 1
        return None


class _Lines:
    """Lines of a file by where they begin. Neighbours come from one block; a mapped file would count as our memory."""

    def __init__(self, file: io.FileIO) -> None:
        self._file = file
        self._start, self._block = 0, b""

    def at(self, offset: int) -> bytes:
        """The line that begins at `offset`, without its end."""
        begin = offset - self._start
        end = self._block.find(b"\n", begin) if 0 <= begin < len(self._block) else -1
        size = BLOCK
        while end < 0:
            self._file.seek(offset)
            self._start, self._block, begin = offset, self._file.read(size), 0
            end = self._block.find(b"\n")
            if end < 0 and len(self._block) < size:  # the last line, which has no end
                end = len(self._block)
            size *= 4
        return self._block[begin:end]


def refuse_duplicates(read: Sequence[tuple[Source, Sequence[Scan]]], hashes: NDArray[np.uint64]) -> None:
    """Two rows with one (system, id) are an error that names both places; `hashes` are all of theirs in order."""
    suspects = set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    seen: dict[tuple[str, str], str] = {}
    for source, line, offset in _suspect_rows(read, suspects):
        name, system, *_ = _read_at(source, offset)
        place = source.file.place(line)
        if first := seen.get((system, name)):
            raise DataError(say("duplicate_id", id=shown(name), system=system or "–", first=first, second=place))
        seen[system, name] = place


def refuse_missing(source: Source, scans: Sequence[Scan], predicted: NDArray[np.uint64], name: str) -> None:
    """A reference row without prediction, where that is an error; `predicted` is sorted."""
    line, first, count = 1, None, 0
    for part in scans:
        lacking = np.flatnonzero(~among(part.hashes, predicted))
        count += len(lacking)
        if len(lacking) and first is None:
            first = (line + int(part.numbers[lacking[0]]), part.base + int(part.offsets[lacking[0]]))
        line += part.lines
    if first:
        missing = shown(_read_at(source, first[1])[0])
        raise DataError(
            say("missing_predictions", n=count, id=missing, place=f"{source.file.place(first[0])} → {name}")
        )


def _suspect_rows(
    read: Sequence[tuple[Source, Sequence[Scan]]], suspects: set[int]
) -> Iterator[tuple[Source, int, int]]:
    if not suspects:
        return
    wanted = np.sort(np.fromiter(suspects, np.uint64, len(suspects)))
    for source, scans in read:
        line = 1
        for part in scans:
            for at in np.flatnonzero(among(part.hashes, wanted)).tolist():
                yield source, line + int(part.numbers[at]), part.base + int(part.offsets[at])
            line += part.lines


def _read_at(source: Source, offset: int) -> Item:
    with Path(source.file.path).open("rb") as file:
        file.seek(offset)
        return source.reading.item(file.readline().rstrip(b"\n"), 0)
