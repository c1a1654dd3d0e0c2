"""Number of pages of a PDF, without a PDF library: page objects are counted, in object streams too."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 256 << 20
MAX_INFLATED: Final = 64 << 20
"""Bytes of object streams that are inflated in all."""
_PAGE: Final = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_OBJECT_STREAM: Final = re.compile(rb"/ObjStm\b")
_STREAM: Final = re.compile(rb"stream\r?\n")


def count_pages(path: Path) -> int | None:
    """Pages of a document: of an image one; None where they cannot be counted."""
    if path.suffix.lower() != ".pdf":
        return 1
    with path.open("rb") as file:
        data = file.read(MAX_BYTES)
    if not data.startswith(b"%PDF-"):
        return None
    found = len(_PAGE.findall(data))
    left = MAX_INFLATED
    for match in _OBJECT_STREAM.finditer(data):
        start = _STREAM.search(data, match.end(), match.end() + 4_000)
        if start is None or left <= 0:
            continue
        try:
            inflated = zlib.decompressobj().decompress(data[start.end() : start.end() + MAX_INFLATED], left)
        except zlib.error:
            continue
        left -= len(inflated)
        found += len(_PAGE.findall(inflated))
    return found or None
