"""Streams in blocks: hashed as they go by, and decompressed where they are gz or zst."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from typing import BinaryIO, Final

import pyarrow as pa

from jatdae.core.errors import DataError
from jatdae.core.messages import say

BLOCK: Final = 1 << 20
MAX_GROWTH: Final = 1000
HARMLESS: Final = 1 << 30
"""What decompresses to more than this and grows more than a thousandfold is no data but a trap."""
CODECS: Final = {".gz": "gzip", ".zst": "zstd"}
MARKS: Final = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}
"""How compressed streams begin: one that is piped in has no name to tell it."""


class Hashing(io.RawIOBase):
    """A stream that hashes what is read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._hash = hashlib.sha256()
        self._ahead = b""
        self.size = 0

    def readable(self) -> bool:
        """It is read, never written."""
        return True

    def compression(self) -> str:
        """What the stream is compressed with by its first bytes, which are still to be read; "" for nothing."""
        self._ahead = self._stream.read(4)
        return next((suffix for mark, suffix in MARKS.items() if self._ahead.startswith(mark)), "")

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        data = self._ahead + self._stream.read(max(size - len(self._ahead), 0) if size >= 0 else -1)
        self._ahead = b""
        self._hash.update(data)
        self.size += len(data)
        return data

    def hexdigest(self) -> str:
        """The hash of the whole stream, what nobody read included."""
        while self.read(BLOCK):
            pass
        return self._hash.hexdigest()


def blocks_of(stream: Hashing, compression: str, name: str) -> Iterator[bytes]:
    """A stream in blocks, with `compression` (".gz", ".zst" or "") undone.

    An end inside a compressed frame is an error, never a shorter file, and no block is larger than 1 MiB however
    small its compressed form.
    """
    if not compression:
        while block := stream.read(BLOCK):
            yield block
        return
    source = pa.CompressedInputStream(pa.PythonFile(stream, mode="r"), CODECS[compression])
    grown = 0
    try:
        while block := source.read(BLOCK):
            grown += len(block)
            if grown > max(HARMLESS, MAX_GROWTH * stream.size):
                raise DataError(say("grows_too_much", place=name, most=MAX_GROWTH))
            yield block
    except OSError as error:
        key = "truncated" if "Truncated" in str(error) else "bad_compression"
        raise DataError(say(key, place=name, problem=error)) from None
