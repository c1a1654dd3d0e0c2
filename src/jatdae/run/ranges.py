"""Cutting an input into byte ranges: a matter of the input alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import orjson

from jatdae.run.rows import MAX_LINE_BYTES
from jatdae.run.sources import RowFile
from jatdae.run.spool import line_too_long

SHARDS_WANTED: Final = 64
SMALLEST_SHARD: Final = 16 << 10
LARGEST_SHARD: Final = 4 << 20


def byte_ranges(file: RowFile) -> Iterator[tuple[int, int]]:
    """Byte ranges that end at line ends, about 64 of them, none smaller than 16 KiB or larger than 4 MiB
    but for lines that are longer themselves."""
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
