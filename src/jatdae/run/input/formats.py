"""Convert CSV, Parquet and JSON arrays to JSONL rows, with raw text kept where possible (numbers as written)."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson

from jatdae.core.errors import DataError
from jatdae.core.messages import say
from jatdae.run.input.rows import MAX_ROW_BYTES, PROBLEM

MAX_ARRAY_BYTES: Final = 512 << 20

Row = tuple[int, bytes]
"""The line (or row number) it came from, and its JSON on one line."""


def line_too_long(place: str) -> DataError:
    """Error for a line, in any input format, that is too long even to be counted as a bad row."""
    return DataError(say("bad_row", place=place, problem=say("row_too_long", most=MAX_ROW_BYTES >> 20)))


def table_rows(blocks: Iterator[bytes], name: str, delimiter: str) -> Iterator[Row]:
    """Read the rows of an input file in CSV or TSV format with a header row; cells are text."""
    csv.field_size_limit(MAX_ROW_BYTES)
    reader = csv.reader(_text_lines(blocks, name), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    while True:
        before = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = say("row_not_csv", problem=error)
            if header is None:
                raise DataError(say("bad_row", place=f"{name}:{before}", problem=problem)) from None
            yield before, _problem(problem)
            continue
        if not cells:
            continue
        if header is None:
            header = cells
            if len(set(header)) != len(header):
                raise DataError(say("duplicate_columns", place=f"{name}:{before}"))
        elif len(cells) != len(header):
            yield before, _problem(say("wrong_cell_count", got=len(cells), wanted=len(header)))
        else:
            yield before, _dump(dict(zip(header, cells, strict=True)))


def parquet_rows(file: Path, name: str) -> Iterator[Row]:
    """Read the rows of an input file in Parquet format, batch by batch."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        parquet = pq.ParquetFile(file)
        if len(set(columns := parquet.schema_arrow.names)) != len(columns):
            raise DataError(say("duplicate_columns", place=name))
        for batch in parquet.iter_batches(batch_size=1024):
            for row in _parquet_rows(batch):
                number += 1
                yield number, row
    except (pa.ArrowException, OSError) as error:
        raise DataError(say("bad_parquet", place=name, problem=str(error).splitlines()[0])) from None


def _parquet_rows(batch: Any) -> Iterator[bytes]:
    try:
        yield from map(_dump, batch.to_pylist())
    except UnicodeDecodeError:  # of one row or a few; the others are good
        if len(batch) == 1:
            yield _problem(say("row_not_utf8"))
            return
        for at in range(len(batch)):
            yield from _parquet_rows(batch.slice(at, 1))


_ON_ONE_LINE = bytes.maketrans(b"\n\r", b"\t\t")  # between tokens a tab is as good; inside a string it is as bad
_TOKEN = re.compile(rb'[\[\]{},]|"(?:[^"\\]++|\\.)*+(?:"|\Z)', re.DOTALL)


def array_rows(blocks: Iterator[bytes], name: str) -> Iterator[Row]:
    """Read the rows of an input file in the format of one JSON array, each in its original text."""
    text = bytearray()
    for block in blocks:
        text += block
        if len(text) > MAX_ARRAY_BYTES:
            raise DataError(say("json_array_too_large", place=name, most=MAX_ARRAY_BYTES >> 20))
    start = len(text) - len(text.removeprefix(b"\xef\xbb\xbf").lstrip()) + 1
    if text[start - 1 : start] != b"[":
        raise DataError(say("not_an_array", place=name))
    depth, line, counted = 1, 1 + text.count(b"\n", 0, start), start
    empty_so_far = True
    for token in _TOKEN.finditer(text, start):
        mark = text[token.start()]
        if mark in b"[{":
            depth += 1
        elif mark in b"]}":
            depth -= 1
        if (mark == 0x2C and depth == 1) or depth == 0:
            element = text[start : token.start()]
            stripped = element.lstrip()
            line += text.count(b"\n", counted, start + len(element) - len(stripped))
            counted = start + len(element) - len(stripped)
            if stripped or not (depth == 0 and empty_so_far):
                yield line, bytes(stripped.rstrip().translate(_ON_ONE_LINE)) or _problem(say("empty_element"))
            empty_so_far = False
            start = token.end()
        if depth == 0:
            line += text.count(b"\n", counted, start)
            if mark != 0x5D:
                raise DataError(say("not_an_array", place=f"{name}:{line}"))
            if text[start:].strip():
                raise DataError(say("after_array", place=f"{name}:{line}"))
            return
    raise DataError(say("truncated", place=name))


def _text_lines(blocks: Iterator[bytes], name: str) -> Iterator[str]:
    """Decoded lines with their ends, as the csv module wants them; bytes that are not UTF-8 survive as surrogates
    and make their row a bad one."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
    begun: list[str] = []
    line, length = 1, 0
    for block in _then_end(blocks):
        *whole, rest = decoder.decode(block or b"", final=block is None).split("\n")
        if whole:
            whole[0] = "".join(begun) + whole[0]
            begun, length = [], 0
        for text in whole:
            line += 1
            yield text + "\n"
        begun.append(rest)
        length += len(rest)
        if length > MAX_ROW_BYTES:
            raise line_too_long(f"{name}:{line}")
    if length:
        yield "".join(begun)


def _then_end(blocks: Iterator[bytes]) -> Iterator[bytes | None]:
    yield from blocks
    yield None


def _dump(row: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(row, default=_as_text)
    except TypeError:
        return _problem(say("row_not_utf8"))


def _as_text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _problem(text: str) -> bytes:
    return PROBLEM + text.replace("\n", " ").encode()
