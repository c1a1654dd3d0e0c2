"""Recognise what the bytes of a text input are: UTF-8, UTF-16, CP949, or the file of an office program."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

CP949: Final = "CP949"
UTF8: Final = "UTF-8"
UTF16: Final = {b"\xff\xfe": "UTF-16LE", b"\xfe\xff": "UTF-16BE"}
"""Encodings by the mark with which a text begins."""
MARK: Final = "\ufeff"
NO_TEXT: Final = {
    **dict.fromkeys((".xlsx", ".xls", ".xlsm", ".ods"), "no_text_spreadsheet"),
    **dict.fromkeys((".pdf", ".docx", ".doc", ".hwp", ".hwpx", ".odt", ".pptx"), "no_text_document"),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp"), "no_text_image"),
}
"""What to do with a file that holds no text, by its suffix: keys of messages."""
_NO_TEXT_MARKS: Final = {
    b"%PDF-": "no_text_document", b"HWP Document File": "no_text_document", b"\x89PNG": "no_text_image",
    b"\xff\xd8\xff": "no_text_image", b"GIF8": "no_text_image", b"II*\0": "no_text_image", b"MM\0*": "no_text_image",
    b"PK\x03\x04": "no_text_office", b"\xd0\xcf\x11\xe0": "no_text_office",
}  # fmt: skip
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_KOREAN_PAIR: Final = re.compile(rb"([\xa1-\xfe]{2})|[\x81-\xfe].", re.DOTALL)
"""A character of CP949: in the group those of KS X 1001, which almost all Korean is written with."""


class Undecodable(ValueError):
    """Error for bytes that are not text in an encoding; line and column (in bytes of UTF-8) count from 1."""

    def __init__(self, line: int = 1, column: int = 1) -> None:
        super().__init__(line, column)
        self.line, self.column = line, column

    @property
    def place(self) -> str:
        """Where in its file."""
        return f"{self.line}:{self.column}"


def decode(data: bytes) -> tuple[str, str]:
    """Decode a whole text; returns it without a mark, and its encoding."""
    if encoding := UTF16.get(data[:2], ""):
        return _decoded([data], encoding), encoding
    try:
        return data.decode("utf-8-sig"), UTF8
    except UnicodeDecodeError:
        pass
    try:
        return _decoded([data], CP949), CP949
    except Undecodable:
        return _decoded([data], UTF8), UTF8  # raises with the place of the first byte that is not UTF-8


def _decoded(blocks: Iterable[bytes], encoding: str) -> str:
    return b"".join(as_utf8(blocks, encoding)).decode()


def as_utf8(blocks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The blocks of a text as UTF-8, without the mark of UTF-16; the first bad byte raises Undecodable.

    Latin-1 may decode as CP949 too ("µg", "°C"), as rare syllables: text counts as CP949 only if most of its
    characters are those that Korean is written with.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    line, column, common, rare = 1, 1, 0, 0
    start = MARK if encoding in UTF16.values() else ""
    for block in chain(blocks, (None,)):
        try:
            text = decoder.decode(block or b"", block is None)
        except UnicodeDecodeError as error:
            good = error.object[: error.start].decode(encoding)
            raise Undecodable(line + good.count("\n"), _column(good, column)) from None
        line, column = line + text.count("\n"), _column(text, column)
        if encoding == CP949:
            pairs = _KOREAN_PAIR.findall(text.encode(encoding))
            common, rare = common + sum(map(bool, pairs)), rare + pairs.count(b"")
        if encoding == UTF8:
            yield block or b""
        elif text:
            yield text.removeprefix(start).encode()
            start = ""
    if rare > common:
        raise Undecodable


def _column(text: str, before: int) -> int:
    """Column after a text that begins at column `before`."""
    at = text.rfind("\n") + 1
    return len(text[at:].encode()) + (1 if at else before)


def utf16_of(head: bytes) -> str:
    """Encoding of a text that begins so if it is UTF-16, else ""; without a mark only JSON and tables are told."""
    if encoding := UTF16.get(head[:2]):
        return encoding
    if b"\0" not in head.partition(b"\n")[0]:
        return ""
    return next((encoding for encoding in UTF16.values() if _is_rows(head, encoding)), "")


def _is_rows(head: bytes, encoding: str) -> bool:
    """Whether bytes read so begin as JSON does, or with a line of cells. Other text read so has no line ends."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return False
    header, end, _ = text.partition("\n")
    begins = header.lstrip().startswith(("{", "[")) or (end and any(mark in header for mark in ",;\t"))
    return bool(begins) and not _CONTROL.search(text)


def no_text(suffix: str, head: bytes) -> str:
    """Key of the message for a file that holds no text but a spreadsheet, a document or an image, else ""."""
    known = NO_TEXT.get(suffix.lower(), "")
    return known or next((key for mark, key in _NO_TEXT_MARKS.items() if head.startswith(mark)), "")
