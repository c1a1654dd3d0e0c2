"""Convert CSV, Parquet and JSON arrays to JSONL rows, with raw text kept where possible (numbers as written)."""

from __future__ import annotations

import codecs
import csv
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import orjson

from jatdae.core.errors import DataError, lack_of
from jatdae.core.messages import say
from jatdae.run.input.rows import MAX_ROW_BYTES, PROBLEM

MAX_ARRAY_BYTES: Final = 512 << 20
DELIMITERS: Final = (",", ";", "\t")
LINES_SEEN: Final = 100
"""How many lines of a table are looked at to find what separates its cells."""
MAGIC: Final = b"PAR1"
"""How a Parquet file begins and ends."""
MAX_GROWTH: Final = 1000
HARMLESS: Final = 1 << 30
"""What decompresses to more than this and grows more than a thousandfold is no data but a trap."""

Needed = Callable[[list[str]], list[str]]
"""Chooses those of a file's columns that are read."""
Row = tuple[int, bytes]
"""The line (or row number) it came from, and its JSON on one line."""
_SEP: Final = re.compile(r'"?sep=([,;\t|])"?')


def line_too_long(place: str) -> DataError:
    """Error for a line, in any input format, that is too long even to be counted as a bad row."""
    return DataError(say("bad_row", place=place, problem=say("row_too_long", most=MAX_ROW_BYTES >> 20)))


def find_delimiter(lines: Iterator[str], usual: str) -> tuple[str, Iterator[str]]:
    """What separates the cells of a CSV or TSV input, by its header and first rows; and all of its lines.

    It is the one that cuts header and rows into the same number of cells, of several the one that gives most, `usual`
    before others. A first line `sep=;`, as Excel reads and writes it, says it outright.
    """
    first = list(islice(lines, LINES_SEEN))
    every = chain(first, lines)
    if first and (said := _SEP.fullmatch(first[0].strip("\r\n"))):
        return said[1], chain(("\n",), islice(every, 1, None))  # an empty line, so that the others keep their numbers
    widths = {mark: _widths(first, mark) for mark in dict.fromkeys((usual, *DELIMITERS))}
    wide = [mark for mark, found in widths.items() if found and found[0] > 1]
    even = [mark for mark in wide if len(set(widths[mark])) == 1]
    return max(even, key=lambda mark: widths[mark][0]) if even else (wide or [usual])[0], every


def _widths(lines: Sequence[str], delimiter: str) -> list[int]:
    """How many cells each row has, but for the last, which may be cut off."""
    csv.field_size_limit(MAX_ROW_BYTES)
    found: list[int] = []
    with suppress(csv.Error):  # told by whoever reads the rows
        found.extend(len(cells) for cells in csv.reader(lines, delimiter=delimiter) if cells)
    return found[:-1] if len(lines) == LINES_SEEN and len(found) > 1 else found


def table_rows(lines: Iterator[str], name: str, delimiter: str) -> Iterator[Row]:
    """Read the rows of an input file in CSV or TSV format with a header row; cells are text."""
    csv.field_size_limit(MAX_ROW_BYTES)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
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


def parquet_rows(file: Path, name: str, needed: Needed, most: int) -> Iterator[Row]:
    """Read the rows of an input file in Parquet format, batch by batch, with the columns that are needed.

    A file that grows to more than `most` bytes is refused. Text is read as numbers of a dictionary, so that a long text
    that a small file names again and again is counted before it is copied.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    def refuse_growth(size: int) -> None:
        if size > most:
            raise DataError(say("grows_too_much", place=name, most=MAX_GROWTH))

    number = grown = 0
    columns: list[str] = []
    try:
        parquet = pq.ParquetFile(file)
        if len(set(names := parquet.schema_arrow.names)) != len(names):
            raise DataError(say("duplicate_columns", place=name))
        columns = needed(names)
        leaves = [parquet.schema.column(at) for at in range(len(parquet.schema))]
        refuse_growth(_unpacked_size(parquet.metadata, columns))
        texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
        pages = pq.ParquetFile(file, read_dictionary=texts, page_checksum_verification=True)
        for batch in pages.iter_batches(batch_size=1024, columns=columns):
            grown += _byte_size(batch)
            refuse_growth(grown)
            for row in _parquet_rows(batch, parquet.schema_arrow):
                number += 1
                yield number, row
    except (pa.ArrowException, OSError) as error:
        if lack_of(error) or (isinstance(error, OSError) and error.errno):  # of the machine, not of the file
            raise
        raise DataError(_why_unread(file, name, columns)) from None


def _why_unread(file: Path, name: str, columns: list[str]) -> str:
    """Message for a Parquet file that cannot be read: it is none, or cut off, or which column is damaged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with file.open("rb") as stream:
        begin = stream.read(len(MAGIC))
        stream.seek(-len(begin), os.SEEK_END)
        end = stream.read()
    if not MAGIC.startswith(begin):
        return say("not_parquet", place=name)
    if end != MAGIC:
        return say("truncated", place=name)
    for column in columns:
        try:
            for _ in pq.ParquetFile(file, page_checksum_verification=True).iter_batches(columns=[column]):
                pass
        except pa.ArrowNotImplementedError:
            return say("parquet_unknown_column", place=name, column=column)
        except (pa.ArrowException, OSError):
            return say("bad_parquet", place=name, problem=say("parquet_column_damaged", column=column))
    return say("bad_parquet", place=name, problem=say("parquet_damaged"))


def _unpacked_size(metadata: Any, columns: list[str]) -> int:
    """Bytes of the pages of some columns when they are decompressed, as the file itself says."""
    groups = (metadata.row_group(at) for at in range(metadata.num_row_groups))
    chunks = (group.column(at) for group in groups for at in range(group.num_columns))
    return sum(
        chunk.total_uncompressed_size
        for chunk in chunks
        if chunk.path_in_schema in columns or chunk.path_in_schema.partition(".")[0] in columns
    )


def _parquet_rows(batch: Any, schema: Any) -> Iterator[bytes]:
    """The rows of a batch; what cannot be converted makes its row a bad one, and the others are good."""
    if len(batch) == 1:
        yield _parquet_row(batch, schema)
        return
    if _byte_size(batch) <= MAX_ROW_BYTES:
        try:
            rows = _decoded(batch, schema).to_pylist()
        except (ValueError, OverflowError):
            pass
        else:
            yield from map(_dump, map(own_members(schema), rows))
            return
    for at in range(len(batch)):
        yield _parquet_row(batch.slice(at, 1), schema)


def _parquet_row(batch: Any, schema: Any) -> bytes:
    if _byte_size(batch) > MAX_ROW_BYTES:
        return _problem(say("row_too_long", most=MAX_ROW_BYTES >> 20))
    row = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            row[name] = own_members(column.type)(_written_out(column, schema.field(name).type)[0].as_py())
        except UnicodeDecodeError:
            return _problem(say("column_not_utf8", column=name))
        except (ValueError, OverflowError) as error:
            return _problem(say("value_not_converted", column=name, kind=column.type, problem=error))
    return _dump(row)


def _decoded(batch: Any, schema: Any) -> Any:
    """A batch with its texts written out, as `schema` has them."""
    import pyarrow as pa

    named = list(zip(batch.schema.names, batch.columns, strict=True))
    return pa.RecordBatch.from_arrays(
        [_written_out(column, schema.field(name).type) for name, column in named], names=batch.schema.names
    )


def _written_out(column: Any, wanted: Any) -> Any:
    """A column with its texts written out and its times in microseconds."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    elif column.type != wanted:
        with suppress(pa.ArrowNotImplementedError):  # in Python it is the same either way, and this way faster
            column = column.cast(wanted)
    return in_microseconds(column)


def in_microseconds(column: Any, *, safe: bool = True) -> Any:
    """A column of a table with times in microseconds where it has nanoseconds.

    Python has no nanoseconds: pyarrow makes pandas objects of them where pandas is installed. A `safe` cast refuses
    values that would lose some, as pyarrow does without pandas.
    """
    wanted = _in_microseconds(column.type)
    return column if wanted == column.type else column.cast(wanted, safe=safe)


def _in_microseconds(kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_list(kind):
        return pa.list_(_in_microseconds(kind.value_type))
    if pa.types.is_large_list(kind):
        return pa.large_list(_in_microseconds(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(each.name, _in_microseconds(each.type)) for each in kind])
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        return pa.timestamp("us", kind.tz)
    if pa.types.is_duration(kind) and kind.unit == "ns":
        return pa.duration("us")
    if pa.types.is_time64(kind) and kind.unit == "ns":
        return pa.time64("us")
    return kind


def own_members(kind: Any) -> Callable[[Any], Any]:
    """What leaves out the null members of Arrow structs in a Python value of this type; or a row of this schema.

    All structs of a column have the keys of all its rows, null where a row has none. These cannot be told from nulls
    that were written, and nearly all of them only fill up.
    """
    import pyarrow as pa

    if isinstance(kind, pa.Schema):
        columns = {each.name: own for each in kind if (own := own_members(each.type)) is not _unchanged}
        return partial(_with_own, columns) if columns else _unchanged
    if pa.types.is_struct(kind):
        return partial(_without_nulls, {each.name: own_members(each.type) for each in kind})
    if pa.types.is_map(kind):
        own = own_members(kind.item_type)
        return _unchanged if own is _unchanged else partial(_each_item, own)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        own = own_members(kind.value_type)
        return _unchanged if own is _unchanged else partial(_each, own)
    return _unchanged


def _unchanged(value: Any) -> Any:
    return value


def _with_own(columns: dict[str, Callable[[Any], Any]], row: dict[str, Any]) -> dict[str, Any]:
    return {name: columns[name](value) if name in columns else value for name, value in row.items()}


def _without_nulls(members: dict[str, Callable[[Any], Any]], value: Any) -> Any:
    if value is None:
        return None
    return {name: members[name](each) for name, each in value.items() if each is not None}


def _each(own: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else [own(each) for each in value]


def _each_item(own: Callable[[Any], Any], value: Any) -> Any:
    """Of a map, which Python has as a dict or as a list of pairs."""
    if isinstance(value, dict):
        return {key: own(each) for key, each in value.items()}
    return None if value is None else [(key, own(each)) for key, each in value]


def _byte_size(array: Any) -> int:
    """Bytes of a batch or a column when its texts are written out."""
    import pyarrow as pa
    from pyarrow import compute as pc

    if isinstance(array, pa.RecordBatch):
        return sum(map(_byte_size, array.columns))
    kind = array.type
    if pa.types.is_dictionary(kind):
        if kind.value_type not in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
            return int(array.nbytes)
        return pc.sum(pc.take(pc.binary_length(array.dictionary), array.indices)).as_py() or 0
    if pa.types.is_struct(kind):
        return sum(map(_byte_size, array.flatten()))
    if pa.types.is_map(kind):
        return _byte_size(array.keys) + _byte_size(array.items)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return _byte_size(array.flatten())
    return int(array.nbytes)


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


def text_lines(blocks: Iterator[bytes], name: str) -> Iterator[str]:
    """Decode lines of an input file, with their ends, as the csv module wants them.

    Bytes that are not UTF-8 survive as surrogates and make their row a bad one.
    """
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
        column = next((name for name, value in row.items() if not _is_writable(value)), None)
        return _problem(say("row_not_utf8") if column is None else say("column_not_utf8", column=column))


def _is_writable(value: Any) -> bool:
    try:
        orjson.dumps(value, default=_as_text)
    except TypeError:
        return False
    return True


def _as_text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _problem(text: str) -> bytes:
    return PROBLEM + text.replace("\n", " ").encode()
