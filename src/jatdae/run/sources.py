"""Every input form becomes rows of JSONL on disk.

Plain JSONL is read where it lies. What cannot be split (gz, zst, arrays, CSV, Parquet, streams) is spooled as JSONL
first; a folder is spooled as a list of its files. After this module there is one form of input only.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Literal, cast

import numpy as np
import orjson

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import say
from jatdae.run import spool
from jatdae.run.compression import CODECS, Hashing, blocks_of
from jatdae.run.rows import MAX_ROW_BYTES, BadRow, shown

MAX_NAME: Final = 4096
Format = Literal["jsonl", "json", "csv", "tsv", "parquet", "document"]
FORMATS: Final[dict[str, Format]] = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet",
    ".txt": "document", ".md": "document", ".markdown": "document", ".html": "document", ".htm": "document",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowFile:
    """One input as JSONL: the file itself, or its spool."""

    path: str
    name: str
    """As the user wrote it, for messages."""
    sha256: str
    """Of the bytes that were given."""
    size: int
    lines: str = ""
    """A .npy file with the line each row came from, where that is not the row's own line."""
    holds: Literal["rows", "files"] = "rows"
    """Whether a row carries its value, or names the file that holds it."""

    def place(self, line: int, column: int | None = None) -> str:
        """Where a row came from in the user's own file: `file:line[:column]`."""
        if self.lines:
            return f"{self.name}:{int(np.load(self.lines, mmap_mode='r')[line - 1])}"
        return f"{self.name}:{line}" + (f":{column}" if column else "")


def open_source(given: str, folder: Path, label: str, *, document_id: str = "") -> RowFile:
    """Make `given` readable as rows; what has to be spooled goes to `folder` under `label`."""
    path = Path(given)
    try:
        if given == "-":
            return _spool_stream(sys.stdin.buffer, "stdin", "", folder / f"{label}.jsonl")
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return spool_folder(path, folder / f"{label}.jsonl")
        if stat.S_ISFIFO(mode):
            with path.open("rb") as stream:
                return _spool_stream(stream, _name(path), "", folder / f"{label}.jsonl")
        if not stat.S_ISREG(mode):
            raise DataError(say("not_a_file", place=_name(path)))
        with path.open("rb") as stream:
            return _open_file(path, stream, folder, label, document_id)
    except OSError as error:
        raise DataError(say("cannot_read", place=_name(path), problem=error.strerror or error)) from None


def is_folder(given: str) -> bool:
    """Whether the input is a folder of documents."""
    return given != "-" and Path(given).is_dir()


def is_document(given: str) -> bool:
    """Whether a single file is one document rather than rows."""
    return given != "-" and Path(given).is_file() and _format(Path(given)) == "document"


def _open_file(path: Path, stream: BinaryIO, folder: Path, label: str, document_id: str) -> RowFile:
    name = _name(path)
    compression = path.suffix.lower() if path.suffix.lower() in CODECS else ""
    form = _format(path)
    target = folder / f"{label}.jsonl"
    if form == "document":
        return _list_files([(document_id or path.stem, path)], name, target)
    if form == "parquet" and not compression:
        sha = _sha256(stream)
        lines = spool.write_rows(spool.parquet_rows(path, name), target)
        return RowFile(str(target), name, sha, target.stat().st_size, lines)
    if form == "jsonl" and not compression and not _is_array(stream):
        _refuse_utf16(stream.read(2), name)
        stream.seek(0)
        return RowFile(str(path.resolve()), name, _sha256(stream), path.stat().st_size)
    stream.seek(0)
    return _spool_stream(stream, name, form, target, compression)


def _format(path: Path) -> Format | Literal[""]:
    suffixes = [s.lower() for s in path.suffixes[-2:]]
    if suffixes and suffixes[-1] in CODECS:
        suffixes.pop()
    return FORMATS.get(suffixes[-1], "") if suffixes else ""


def _spool_stream(stream: BinaryIO, name: str, form: str, target: Path, compression: str = "") -> RowFile:
    hashing = Hashing(stream)
    blocks = blocks_of(hashing, compression, name)
    head = next(blocks, b"")
    _refuse_utf16(head[:2], name)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if form in ("", "json", "jsonl"):
        form = "json" if start == b"[" else "jsonl" if start in (b"{", b"") else (form or "csv")
    lines = _spool(_chain(head, blocks), name, form, target)
    return RowFile(str(target), name, hashing.hexdigest(), target.stat().st_size, lines)


def _spool(blocks: Iterator[bytes], name: str, form: str, target: Path) -> str:
    """Write rows to `target`; returns the file that says which line each came from, "" for its own."""
    if form == "jsonl":
        spool.write_blocks(blocks, name, target)
        return ""
    if form == "parquet":  # its end is read before its beginning, so it has to lie in a file
        whole = target.with_suffix(".parquet")
        spool.write_blocks(blocks, name, whole, in_lines=False)
        lines = spool.write_rows(spool.parquet_rows(whole, name), target)
        whole.unlink()
        return lines
    if form == "json":
        return spool.write_rows(spool.array_rows(blocks, name), target)
    return spool.write_rows(spool.table_rows(blocks, name, "\t" if form == "tsv" else ","), target)


def spool_folder(folder: Path, target: Path) -> RowFile:
    """A list of the files of a folder, keyed by relative path without suffix."""
    found: dict[str, Path] = {}
    for path in _walk(folder):
        key = path.relative_to(folder).with_suffix("").as_posix()
        if key in found:
            first, second = _name(found[key]), _name(path)
            raise DataError(say("two_files_one_key", key=shown(key), first=first, second=second))
        found[key] = path
    return _list_files(sorted(found.items()), _name(folder), target)


def _list_files(items: list[tuple[str, Path]], name: str, target: Path) -> RowFile:
    whole = hashlib.sha256()
    with target.open("wb") as out:
        for key, path in items:
            place = _name(path)
            try:
                if not path.is_file() and path.exists():
                    raise DataError(say("not_a_file", place=place))
                with path.open("rb") as stream:
                    sha, size = _sha256(stream), stream.tell()
                row = orjson.dumps({"id": key, "file": str(path.resolve()), "size": size})
            except OSError as error:
                raise DataError(say("cannot_read", place=place, problem=error.strerror or error)) from None
            except TypeError:
                raise DataError(say("name_not_utf8", place=place)) from None
            whole.update(f"{key}\0{sha}\n".encode())
            out.write(row + b"\n")
    return RowFile(str(target), name, whole.hexdigest(), target.stat().st_size, holds="files")


def read_document(path: str) -> str:
    """A document's text: UTF-8 with or without BOM, any line ends as \\n. What cannot be read so is a bad row."""
    file = Path(path)
    try:
        if file.stat().st_size > MAX_ROW_BYTES:
            raise BadRow(say("document_too_long", file=path, most=MAX_ROW_BYTES >> 20))
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRow(say("document_not_utf8", file=path, byte=error.start)) from None
    except OSError as error:
        raise DataError(say("cannot_read", place=path, problem=error.strerror or error)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _walk(folder: Path, above: tuple[tuple[int, int], ...] = ()) -> Iterator[Path]:
    """Files in a folder in a fixed order; hidden ones are left out, a link back to a folder above is an error."""
    try:
        status = folder.stat()
        here = (status.st_dev, status.st_ino)
        if here in above:
            raise DataError(say("symlink_loop", place=_name(folder)))
        inner = sorted(folder.iterdir())
    except OSError as error:
        raise DataError(say("cannot_read", place=_name(folder), problem=error.strerror or error)) from None
    for path in inner:
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _walk(path, (*above, here))
        else:
            yield path


def _name(path: Path) -> str:
    """A path as messages and the manifest show it."""
    return shown(str(path), MAX_NAME)


def _sha256(stream: BinaryIO) -> str:
    return hashlib.file_digest(cast("io.BufferedReader", stream), "sha256").hexdigest()


def _chain(head: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from blocks


def _is_array(stream: BinaryIO) -> bool:
    start = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    stream.seek(0)
    return start == b"["


def _refuse_utf16(head: bytes, name: str) -> None:
    if head in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(say("utf16", place=name))


def missing_or_unreadable(given: str) -> UsageError | None:
    """An error for a path that is not there, before anything is planned."""
    if given == "-" or os.path.lexists(given):
        return None
    return UsageError(say("no_such_file", place=_name(Path(given))))
