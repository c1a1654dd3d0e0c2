"""Number of pages of a PDF, without a PDF library: what the root of its page tree says.

Objects are found by reading the file from its beginning, in object streams too; of two of one number the later counts,
as in a file that was changed. So pages that nothing refers to any more (extracts keep them) are not counted, and a
broken table of offsets does no harm.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 256 << 20
MAX_INFLATED: Final = 64 << 20
"""Bytes of object streams that are inflated in all."""
_START: Final = re.compile(rb"(?<!\d)(\d{1,10})\s+\d{1,5}\s+obj\b|\btrailer\b")
_END: Final = re.compile(rb"\bendobj\b|\bstream\r?\n|\bstartxref\b")
_LENGTH: Final = re.compile(rb"/Length\s+(\d{1,10})(?!\d|\s+\d+\s+R)")
_ROOT: Final = re.compile(rb"/Root\s+(\d{1,10})\s+\d+\s+R")
_PAGES: Final = re.compile(rb"/Pages\s+(\d{1,10})\s+\d+\s+R")
_COUNT: Final = re.compile(rb"/Count\s+(\d{1,9})\b(?!\s+\d+\s+R)")
_OBJECT_STREAM: Final = re.compile(rb"/Type\s*/ObjStm\b")
_FIRST: Final = re.compile(rb"/First\s+(\d{1,10})")
_MEMBERS: Final = re.compile(rb"/N\s+(\d{1,10})")


def count_pages(path: Path) -> int | None:
    """Pages of a document: of an image one; None where they cannot be counted."""
    if path.suffix.lower() != ".pdf":
        return 1
    with path.open("rb") as file:
        data = file.read(MAX_BYTES)
    if not data.startswith(b"%PDF-"):
        return None
    objects, root = _objects(data)
    catalogue = _PAGES.search(objects.get(root, b""))
    count = _COUNT.search(objects.get(int(catalogue[1]), b"")) if catalogue else None
    return (int(count[1]) or None) if count else None


def _objects(data: bytes) -> tuple[dict[int, bytes], int]:
    """Objects by number, without the content of streams, and the number of the root that was named last."""
    found: dict[int, bytes] = {}
    root, left, at = -1, MAX_INFLATED, 0
    while start := _START.search(data, at):
        end = _END.search(data, start.end())
        if end is None:
            break
        said, at = data[start.end() : end.start()], end.end()
        # A trailer, or the stream of cross-references that stands for one.
        if (named := _ROOT.search(said)) and (start[1] is None or b"/XRef" in said):
            root = int(named[1])
        if start[1] is not None:
            found[int(start[1])] = said
        if end[0].startswith(b"stream"):
            at = _behind_stream(data, said, end.end())
            if _OBJECT_STREAM.search(said) and left > 0:
                inflated = _inflated(data[end.end() : at], left)
                left -= len(inflated)
                found.update(_members(said, inflated))
    return found, root


def _behind_stream(data: bytes, said: bytes, start: int) -> int:
    """Where a stream ends: a PDF may lie in a PDF, so its length is believed where `endstream` follows."""
    if length := _LENGTH.search(said):
        end = start + int(length[1])
        if data[end : end + 20].lstrip().startswith(b"endstream"):
            return end
    end = data.find(b"endstream", start)
    return end if end >= 0 else len(data)


def _inflated(data: bytes, most: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, most)
    except zlib.error:
        return b""


def _members(said: bytes, inflated: bytes) -> dict[int, bytes]:
    """Objects of an object stream: pairs of number and offset stand before the first."""
    first, members = _FIRST.search(said), _MEMBERS.search(said)
    if first is None or members is None:
        return {}
    words = inflated[: int(first[1])].split()[: 2 * int(members[1])]
    if len(words) % 2 or not all(word.isdigit() and len(word) <= len("4294967296") for word in words):
        return {}
    starts = [int(first[1]) + int(word) for word in words[1::2]]
    if starts != sorted(starts):  # Objects that overlap would be copied again and again.
        return {}
    ends = [*starts[1:], len(inflated)]
    return {int(n): inflated[a:b] for n, a, b in zip(words[::2], starts, ends, strict=True)}
