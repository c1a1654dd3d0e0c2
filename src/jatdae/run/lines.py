"""Lines of a file, by byte range."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from jatdae.core.errors import DataError
from jatdae.core.messages import say

BOM: Final = b"\xef\xbb\xbf"
PIECE: Final = 100_000
"""Bytes read at once, and what is left of the last line."""


def bytes_of(path: str, start: int, end: int) -> bytes:
    """What stands in a byte range, but for the mark that a file may begin with."""
    try:
        with Path(path).open("rb") as file:
            file.seek(start)
            data = file.read(end - start)
    except OSError as error:
        raise DataError(say("cannot_read", place=path, problem=error.strerror or error)) from None
    return data.removeprefix(BOM) if start == 0 else data


def lines_of(data: bytes) -> list[bytes]:
    """The lines of some bytes, blank ones included."""
    return data.removesuffix(b"\n").split(b"\n") if data else []


def pieces(data: bytes) -> Iterator[bytes]:
    """Some lines at a time, without the end of the last."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + PIECE)
        yield data[start:end] if end >= 0 else data[start:].removesuffix(b"\n")
        start = end + 1 if end >= 0 else len(data)
