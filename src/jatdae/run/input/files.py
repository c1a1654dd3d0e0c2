"""Convert every input format to JSONL rows on disk.

Plain JSONL is read where it lies. What cannot be split (gz, zst, arrays, CSV, Parquet, streams) or is not UTF-8 is
spooled as JSONL first; a folder is spooled as a list of its files. After this module there is one form of input only.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

import numpy as np
import orjson
import pyarrow as pa

from jatdae.core.addresses import remote_problem
from jatdae.core.errors import DataError, UsageError, lack_of
from jatdae.core.evaluator import ReferenceRows
from jatdae.core.messages import os_problem, say
from jatdae.run.input import formats
from jatdae.run.input.batches import BOM
from jatdae.run.input.descriptions import NO_NUMBERS, Descriptions, NumberKeys, read_descriptions
from jatdae.run.input.encodings import CP949, UTF8, Undecodable, as_utf8, no_text, utf16_of
from jatdae.run.input.folders import Sidecars, find_documents, list_documents, path_text, sha256
from jatdae.run.input.rows import MAX_LINE_BYTES

Format = Literal["jsonl", "json", "csv", "tsv", "parquet", "document"]
FORMATS: Final[dict[str, Format]] = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet",
    ".txt": "document", ".md": "document", ".markdown": "document", ".html": "document", ".htm": "document",
}  # fmt: skip
BLOCK: Final = 1 << 20
MAX_LINES_PER_BYTE: Final = 100
HARMLESS_LINES: Final = 10_000_000
"""So with lines: a row takes thousands of times longer than its line end, and blank lines take no space."""
CODECS: Final = {".gz": "gzip", ".zst": "zstd"}
MARKS: Final = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}
"""How compressed streams begin: one that is piped in has no name to tell it."""

WRITING: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG))
"""Faults that only writing has: a full disk or quota, a file system that is read-only, a file that may not grow."""


@dataclass(frozen=True, slots=True)
class RowFile:
    """One input as JSONL rows: the given file itself, or a converted copy of it."""

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
    modified: int = 0
    """When a file that is read where it lies was last written to."""
    encoding: str = UTF8
    marked: bool = False
    """Whether it begins with a byte order mark (BOM) of UTF-8."""
    delimiter: str = ""
    """What separates the cells of a table, where it is not what the name of the file says."""
    bad_byte: str = ""
    """LINE:COLUMN of the first byte of a file that is neither UTF-8 nor, as a whole, CP949."""
    strangers: tuple[tuple[str, str], ...] = ()
    """Documents that a description in a folder names and that are not there, each with the place of its line."""

    def refuse_changed(self) -> None:
        """What was scored must be what was hashed: a file still being written to is an error."""
        if not self.modified:
            return
        try:
            status = Path(self.path).stat()
        except OSError as error:
            raise DataError(say("cannot_read", place=self.name, problem=os_problem(error))) from None
        if (status.st_size, status.st_mtime_ns) != (self.size, self.modified):
            raise DataError(say("input_changed", place=self.name))

    def place(self, line: int, column: int | None = None) -> str:
        """Where a row came from in the user's own file: `file:line[:column]`; rows of a folder name their file."""
        if self.holds == "files":
            return self.name
        if self.lines:
            return f"{self.name}:{int(np.load(self.lines, mmap_mode='r')[line - 1])}"
        return f"{self.name}:{line}" + (f":{column}" if column else "")


def open_source(
    given: str,
    folder: Path,
    label: str,
    *,
    document_id: str = "",
    sidecars: Sidecars = (),
    needed: formats.Needed = lambda names: names,
    own_rows: ReferenceRows | None = None,
    repeated: str = "",
    known: Callable[[str], bool] = lambda _: False,
    numbers: NumberKeys = NO_NUMBERS,
    shared: Mapping[str, Mapping[str, str]] | None = None,
) -> RowFile:
    """Make an input file readable as JSONL rows; what has to be converted goes to `folder` under `label`.

    `needed` chooses the columns to read, where a file has columns that can be left out. `own_rows` reads files of a
    form that only the evaluator knows, and `repeated` tells which documents of a folder are one prediction. `known`
    tells whether there is a reference for a document that is told of and not there, and `numbers` are meta keys that
    hold numbers. `shared` is what other folders tell of documents and serves where this one does not.
    """
    path = Path(given)
    try:
        if given == "-":
            return _open_stream(sys.stdin.buffer, "stdin", folder / f"{label}.jsonl")
        mode = path.stat().st_mode
        if own_rows and (stat.S_ISDIR(mode) or stat.S_ISREG(mode)) and (rows := own_rows(path)) is not None:
            return open_rows(rows, path_text(path), folder / f"{label}.jsonl")
        if stat.S_ISDIR(mode):
            found, about = find_documents(path, sidecars, repeated), read_descriptions(path, numbers)
            about.told = {key: {**(shared or {}).get(key, {}), **told} for key, told in about.told.items()}
            return _list(found, path_text(path), folder / f"{label}.jsonl", sidecars, about, known)
        if stat.S_ISFIFO(mode):
            with path.open("rb") as stream:
                return _open_stream(stream, path_text(path), folder / f"{label}.jsonl")
        if not stat.S_ISREG(mode):
            raise DataError(say("not_a_file", place=path_text(path)))
        return _open_file(path, folder / f"{label}.jsonl", document_id, sidecars, needed)
    except OSError as error:
        if error.errno in WRITING or lack_of(error):  # of what is spooled, or of the machine; not of what is read
            raise
        raise DataError(say("cannot_read", place=path_text(path), problem=os_problem(error))) from None


def open_rows(rows: Iterable[tuple[int, Mapping[str, Any]]], name: str, target: Path) -> RowFile:
    """Spool rows that an evaluator read from a form of its own, the input `name`; their hash is of what they say."""
    lines = _write_rows(((number, orjson.dumps(row)) for number, row in rows), target)
    with target.open("rb") as stream:
        return RowFile(str(target), name, sha256(stream), target.stat().st_size, lines)


def is_folder(given: str) -> bool:
    """Whether an input path is a folder of documents, not a file."""
    try:
        return given != "-" and Path(given).is_dir()
    except OSError:  # a name longer than names may be; opening it will say so
        return False


def is_document(given: str) -> bool:
    """Whether an input file is a single document rather than rows."""
    return given != "-" and Path(given).is_file() and _format(Path(given)) == "document"


def missing_or_unreadable(given: str) -> UsageError | None:
    """UsageError for an input file that does not exist, else None; asked before a run is planned."""
    if given == "-" or os.path.lexists(given):
        return None
    if problem := remote_problem(given):
        return UsageError(problem)
    return UsageError(say("no_such_file", place=path_text(Path(given))))


def refuse_remote_target(path: str | PathLike[str]) -> None:
    """Refuse to write to an address of another machine: as a path it would become a folder `s3:` beside the input."""
    if not isinstance(path, str | PathLike):
        raise UsageError(say("no_path_given", kind=type(path).__name__))
    if remote_problem(str(path)):
        raise UsageError(say("remote_out", place=path))


def recoded(file: RowFile, target: Path) -> RowFile:
    """Rows of which some are not UTF-8: a copy in UTF-8 at `target` if all of the file is CP949.

    Else the same file with the place of its first bad byte.
    """
    try:
        with Path(file.path).open("rb") as stream:
            for _ in as_utf8(_plain_blocks(stream), UTF8):
                pass
    except Undecodable as bad:
        try:
            with Path(file.path).open("rb") as stream:
                _write_blocks(as_utf8(_plain_blocks(stream), CP949), file.name, target)
        except Undecodable:
            target.unlink()
            return replace(file, bad_byte=bad.place)
        file.refuse_changed()
        if not file.modified:  # a spool of ours
            Path(file.path).unlink()
        return replace(file, path=str(target), size=target.stat().st_size, modified=0, encoding=CP949)
    return file


def _open_stream(stream: BinaryIO, name: str, target: Path) -> RowFile:
    """Save a stream, which can be read only once, to a file, and open that."""
    saved = target.with_suffix(".stream")
    head = stream.read(BLOCK)
    compression = next((suffix for mark, suffix in MARKS.items() if head.startswith(mark)), "")
    _write_blocks(chain((head,), _plain_blocks(stream)), name, saved, in_lines=not compression)
    file = _open_text(saved, name, "", target, compression)
    if not file.modified:
        saved.unlink()
        return file
    saved.replace(target)
    return replace(file, path=str(target), modified=0)


def _open_file(path: Path, target: Path, document_id: str, sidecars: Sidecars, needed: formats.Needed) -> RowFile:
    name = path_text(path)
    compression = path.suffix.lower() if path.suffix.lower() in CODECS else ""
    form = _format(path)
    if form == "document":
        return _list([(document_id or path.stem, [path])], name, target, sidecars)
    if form == "parquet":
        return _open_parquet(path, name, target, compression, needed)
    return _open_text(path, name, form, target, compression)


def _open_parquet(path: Path, name: str, target: Path, compression: str, needed: formats.Needed) -> RowFile:
    with path.open("rb") as stream:
        if not compression:
            sha = sha256(stream)
            lines = _write_rows(_parquet_rows(path, name, needed), target)
        else:  # its end is read before its beginning, so it has to lie in a file
            hashing = Hashing(stream)
            whole = target.with_suffix(".parquet")
            _write_blocks(_blocks_of(hashing, compression, name, in_lines=False), name, whole, in_lines=False)
            lines = _write_rows(_parquet_rows(whole, name, needed), target)
            whole.unlink()
            sha = hashing.hexdigest()
    return RowFile(str(target), name, sha, target.stat().st_size, lines)


def _open_text(path: Path, name: str, form: str, target: Path, compression: str) -> RowFile:
    """Open rows of text, whose form and encoding are known by how they begin."""
    with path.open("rb") as stream:
        head = next(_blocks_of(Hashing(stream), compression, name, in_lines=True), b"")
    if key := no_text(path.suffix, head):
        raise DataError(say("no_text", problem=say(key, file=name)))
    encoding, marked = utf16_of(head), head.startswith(BOM)
    start = (head.decode(encoding, "ignore").encode() if encoding else head).removeprefix(BOM).lstrip()[:1]
    if form not in ("csv", "tsv"):
        form = "json" if start == b"[" else "jsonl" if start in (b"{", b"") else (form or "csv")
    if form == "jsonl" and not compression and not encoding:
        with path.open("rb") as stream:
            status = os.fstat(stream.fileno())
            return RowFile(
                str(path.resolve()), name, sha256(stream), status.st_size, modified=status.st_mtime_ns, marked=marked
            )
    spool = partial(_spool, path, name, form, target, compression)
    if encoding:
        try:
            return spool(encoding)
        except Undecodable as bad:
            raise DataError(say("bad_encoding", place=f"{name}:{bad.place}", encoding=encoding)) from None
    if form == "jsonl":
        return replace(spool(""), marked=marked)  # who reads the rows finds those that are not UTF-8: `recoded`
    try:
        return replace(spool(UTF8), marked=marked)
    except Undecodable as bad:
        with suppress(Undecodable):
            return spool(CP949)
        return replace(spool(""), bad_byte=bad.place)


def _spool(path: Path, name: str, form: str, target: Path, compression: str, encoding: str) -> RowFile:
    """Write rows of text in some encoding to `target` as JSONL; with none, bytes that are no UTF-8 are bad rows."""
    lines = delimiter = ""
    with path.open("rb") as stream:
        hashing = Hashing(stream)
        blocks = _blocks_of(hashing, compression, name, in_lines=True)
        if encoding:
            blocks = as_utf8(blocks, encoding)
        if form == "jsonl":
            _write_blocks(blocks, name, target)
        elif form == "json":
            lines = _write_rows(formats.array_rows(blocks, name), target)
        else:
            usual = "\t" if form == "tsv" else ","
            delimiter, text = formats.find_delimiter(formats.text_lines(blocks, name), usual)
            lines = _write_rows(formats.table_rows(text, name, delimiter), target)
            delimiter = "" if delimiter == usual else delimiter
        sha = hashing.hexdigest()
    size = target.stat().st_size
    return RowFile(str(target), name, sha, size, lines, encoding=encoding or UTF8, delimiter=delimiter)


def _format(path: Path) -> Format | Literal[""]:
    suffixes = [s.lower() for s in path.suffixes[-2:]]
    if suffixes and suffixes[-1] in CODECS:
        suffixes.pop()
    return FORMATS.get(suffixes[-1], "") if suffixes else ""


def most_bytes(size: int) -> int:
    """What an input file of so many bytes may grow to when it is decompressed."""
    return max(formats.HARMLESS, formats.MAX_GROWTH * size)


def _parquet_rows(path: Path, name: str, needed: formats.Needed) -> Iterator[formats.Row]:
    return formats.parquet_rows(path, name, needed, most_bytes(path.stat().st_size))


def _write_rows(rows: Iterator[formats.Row], target: Path) -> str:
    """Write converted input rows to a JSONL file; return the file that records where each row came from."""
    numbers = array("q")
    with target.open("wb") as out:
        for number, line in rows:
            numbers.append(number)
            out.write(line + b"\n")
    lines = target.with_suffix(".lines.npy")
    np.save(lines, np.frombuffer(numbers, dtype=np.int64) if numbers else np.empty(0, np.int64))
    return str(lines)


def _write_blocks(blocks: Iterator[bytes], name: str, target: Path, *, in_lines: bool = True) -> None:
    """Copy input bytes to a file unchanged; a line too long for memory raises an error."""
    line, length = 1, 0
    with target.open("wb") as out:
        for block in blocks:
            out.write(block)
            at = block.rfind(b"\n") + 1
            length = len(block) - at if at else length + len(block)
            line += block.count(b"\n")
            if in_lines and length > MAX_LINE_BYTES:
                raise formats.line_too_long(f"{name}:{line}")


def _list(
    items: Sequence[tuple[str, Sequence[Path]]],
    name: str,
    target: Path,
    sidecars: Sidecars,
    about: Descriptions | None = None,
    known: Callable[[str], bool] = lambda _: False,
) -> RowFile:
    about = about or Descriptions()
    there = {key for key, _ in items}
    missing = {key for key in about.told if key not in there and known(key)}
    strangers = [(key, place) for key, place in about.lines.items() if key not in there and key not in missing]
    with target.open("wb") as out:
        sha = list_documents(items, sidecars, out, about.told, missing)
    return RowFile(str(target), name, sha, target.stat().st_size, holds="files", strangers=tuple(strangers))


def _plain_blocks(stream: BinaryIO) -> Iterator[bytes]:
    while block := stream.read(BLOCK):
        yield block


class Hashing(io.RawIOBase):
    """Input stream that hashes what is read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._hash = hashlib.sha256()
        self.size = 0

    def readable(self) -> bool:
        """It is read, never written."""
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        data = self._stream.read(size)
        self._hash.update(data)
        self.size += len(data)
        return data

    def hexdigest(self) -> str:
        """The hash of the whole stream, what nobody read included."""
        while self.read(BLOCK):
            pass
        return self._hash.hexdigest()


def _blocks_of(stream: Hashing, compression: str, name: str, *, in_lines: bool) -> Iterator[bytes]:
    """Read an input stream in blocks, decompressed by `compression` (".gz", ".zst" or "").

    An end inside a compressed frame is an error, never a shorter file, and no block is larger than 1 MiB however
    small its compressed form.
    """
    if not compression:
        while block := stream.read(BLOCK):
            yield block
        return
    source = pa.CompressedInputStream(pa.PythonFile(stream, mode="r"), CODECS[compression])
    grown = lines = 0
    try:
        while block := source.read(BLOCK):
            grown += len(block)
            lines += block.count(b"\n") if in_lines else 0
            if lines > max(HARMLESS_LINES, MAX_LINES_PER_BYTE * stream.size):
                raise DataError(say("too_many_lines", place=name, most=MAX_LINES_PER_BYTE))
            if grown > most_bytes(stream.size):
                raise DataError(say("grows_too_much", place=name, most=formats.MAX_GROWTH))
            yield block
    except OSError as error:
        key = "truncated" if "Truncated" in str(error) else "bad_compression"
        raise DataError(say(key, place=name, problem=error)) from None
