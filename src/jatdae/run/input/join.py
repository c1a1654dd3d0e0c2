"""Find prediction rows by id, with a sorted, memory-mapped index of 16 bytes a row; guess why ids do not match."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jatdae.run.input.batches import Item, Reading
from jatdae.run.input.digest import id_hash

PIECE: Final = 1 << 20
BLOCK: Final = 1 << 14

Hashes = NDArray[np.uint64]
SLIPS: Final[dict[str, Callable[[str], str]]] = {
    "ids_suffix": lambda name: re.sub(r"\.[A-Za-z][A-Za-z0-9]{0,9}$", "", name),
    "ids_zeros": lambda name: re.sub(r"(?<!\d)0+(?=\d)", "", name),
    "ids_case": str.casefold,
    "ids_path": lambda name: re.split(r"[/\\]", name)[-1],
    "ids_spaces": lambda name: "".join(name.split()),
    "ids_unicode": lambda name: unicodedata.normalize("NFC", name),
}
"""What ids of the same samples may differ by, as keys of messages, and how to write them without it."""


def write_index(hashed: Sequence[Hashes], positions: Iterable[Hashes], target: Path) -> str:
    """Write the index by which rows of a prediction file are joined: sorted id hashes, then their positions.

    Written piece by piece, for there may be millions.
    """
    hashes = joined(hashed)
    order = np.argsort(hashes, kind="stable")
    with target.open("wb") as file:
        header = {"descr": hashes.dtype.str, "fortran_order": False, "shape": (2, len(hashes))}
        np.lib.format.write_array_header_1_0(file, header)
        for start in range(0, len(order), PIECE):
            file.write(hashes[order[start : start + PIECE]].data)
        del hashes
        places = joined(list(positions))
        for start in range(0, len(order), PIECE):
            file.write(places[order[start : start + PIECE]].data)
    return str(target)


def indexed_hashes(index: str) -> Hashes:
    """Sorted id hashes by which input rows are joined, from an index file, memory-mapped."""
    hashes: Hashes = np.load(index, mmap_mode="r")[0]
    return hashes


def ordered_hashes(hashed: Sequence[Hashes]) -> Hashes:
    """Sorted id hashes by which input rows are joined where there is no index file."""
    hashes = joined(hashed)
    hashes.sort()
    return hashes


def joined(arrays: Sequence[Hashes]) -> Hashes:
    """Join arrays of id hashes of input rows end to end."""
    return np.concatenate(arrays) if arrays else np.empty(0, np.uint64)


def among(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Tell for each id hash of the input rows to be joined whether it is in `known`, a sorted array of hashes."""
    if not len(known):
        return np.zeros(len(hashes), np.bool_)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, hashes), len(known) - 1)] == hashes
    return found


def is_among(name: str, known: Hashes | None) -> bool:
    """Whether an id is that of a row; `known` are the sorted hashes of all."""
    return known is not None and bool(among(np.array([id_hash("", name)], np.uint64), known)[0])


def slips(predictions: Collection[str], references: Collection[str]) -> list[str]:
    """Guess what the ids of predictions and references, which do not match, differ by: keys of messages.

    It is what makes half of them match if it is left out: one slip, or two at once.
    """
    if not predictions or not references:
        return []
    for keys in chain(combinations(SLIPS, 1), combinations(SLIPS, 2)):
        first, second = set(predictions), set(references)
        for key in keys:
            first, second = set(map(SLIPS[key], first)), set(map(SLIPS[key], second))
        if 2 * len(first & second) >= min(len(first), len(second)):
            return list(keys)
    numbers = {all(map(str.isdecimal, side)) for side in (predictions, references)}
    return ["ids_numbers"] if len(numbers) == 2 else []


class Index:
    """Index of a prediction file that finds its rows by id."""

    def __init__(self, path: str, reading: Reading, index: str) -> None:
        self._path, self._reading = Path(path), reading
        self._table: Hashes = np.load(index, mmap_mode="r")

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
