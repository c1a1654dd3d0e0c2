"""Hostile input, file by file: each gives a clear error that names its place, or a counted row; none is lost."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jatdae import Sample, evaluate
from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.run.input import files as compression
from jatdae.run.input import formats as spool

GOOD = [{"id": f"g{n}", "pred": "a", "gold": "a", "lang": "ko"} for n in range(3)]
LINES = [json.dumps(row).encode() for row in GOOD]
TEXT = b"\n".join(LINES) + b"\n"
CSV = b"id,pred,gold\ng0,a,a\ng1,a,a\n"


def row(**fields: Any) -> bytes:
    return json.dumps({"id": "h", "pred": "a", "gold": "a", **fields}).encode()


def zst(data: bytes) -> bytes:
    return bytes(pa.compress(data, "zstd", asbytes=True))


def parquet(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def texts(*values: bytes) -> pa.Array:
    """A column of text without a check that it is text."""
    return pa.array(values, pa.binary()).view(pa.string())


PARQUET = parquet(pa.Table.from_pylist(GOOD))

# What stands between good rows makes one bad row: (bytes, what is said of it).
BAD_ROWS: dict[str, tuple[bytes, str]] = {
    "a cut line": (row()[:-4], r"p\.jsonl:2:\d+: "),
    "two objects": (row() + row(id="i"), r"p\.jsonl:2:\d+: "),
    "NUL bytes": (b"\0" * 100, r"p\.jsonl:2:1: contains a NUL byte"),
    "NUL in text": (b'{"id": "h", "pred": "a\0b"}', r":2:23: contains a NUL byte"),
    "a line that looks like a note of ours": (b"\0!all is well", r":2:1: all is well"),
    "NaN": (b'{"id": "h", "pred": NaN, "gold": "a"}', r":2:"),
    "Infinity": (b'{"id": "h", "pred": "a", "gold": -Infinity}', r":2:"),
    "deep arrays": (b'{"id": "h", "pred": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", "deeper than 200 levels"),
    "deep objects": (b'{"pred":' * 300 + b"1" + b"}" * 300, "deeper than 200 levels"),
    "an unclosed deep row": (b"[" * 5000, ":2:"),
    "an array": (b"[1, 2]", "must be a JSON object; this one has type array"),
    "a number": (b"17", "has type number"),
    "a text": (b'"g"', "has type string"),
    "null": (b"null", "has type null"),
    "true": (b"true", "has type boolean"),
    "id of type list": (row(id=["h"]), "id in field 'id' has type array; use a string or an integer"),
    "id of type object": (row(id={"h": 1}), "has type object"),
    "id of type float": (row(id=1.5), "has type number"),
    "id of type boolean": (row(id=True), "has type boolean"),
    "no id": (row(id=None), "no 'id'; every row must have one"),
    "a system that is a number": (row(system=5), "'system' must be a string"),
    "a system that is false": (row(system=False), "'system' must be a string"),
    "meta that is a list": (row(meta=["ko"]), '"meta" must be an object whose values are strings or numbers'),
    "meta that is false": (row(meta=False), '"meta" must be'),
    "meta with an object inside": (row(meta={"lang": {"is": "ko"}}), '"meta" must be'),
    "a cluster that is a list": (row(cluster=["c"]), "'cluster' has type array"),
    "a slice key that is an object": (row(lang={"is": "ko"}), "slice field 'lang' is an object"),
    "Latin-1": ('{"id": "h", "pred": "café", "gold": "a"}'.encode("latin-1"), r":2:25: not valid UTF-8"),
    "half a character": ('{"id": "h", "pred": "한'.encode()[:-1], "not valid UTF-8"),
    "a lone surrogate": (b'{"id": "h", "pred": "\\ud800", "gold": "a"}', r":2:"),
    "an encoded surrogate": (b'{"id": "h", "pred": "\xed\xa0\x80"}', "not valid UTF-8"),
    "UTF-16 without a mark": (row().decode().encode("utf-16-le"), r"p\.jsonl:2:"),
    "a whole number of 5000 digits": (b'{"id": ' + b"7" * 5000 + b', "pred": "a", "gold": "a"}', r":2:"),
    "a raw newline's rest": (b'{"id": "h", "pred": "a\rb"}', r":2:"),
}


@pytest.mark.parametrize("evaluator", ["marks:Marks", "exactly:Exactly"])
@pytest.mark.parametrize("bad", BAD_ROWS)
def test_a_bad_row_is_told_with_its_place_or_counted(
    bad: str, evaluator: str, write: Any, run: Any, outcomes: Any, plugin: Any
) -> None:
    data, said = BAD_ROWS[bad]
    file = write("p.jsonl", b"\n".join([LINES[0], data, *LINES[1:], b""]))
    with pytest.raises(DataError, match=rf"p\.jsonl:2:.*{said}|{said}") as error:
        run(file, evaluator=plugin(evaluator), slices=("lang",))
    assert "p.jsonl:2" in str(error.value)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 600
    done = run(file, evaluator=plugin(evaluator), slices=("lang",), on_bad_row="count")
    assert [r["id"] for r in outcomes(done)] == ["g0", "g1", "g2"]
    assert (done.summary["input"]["rows"], done.summary["input"]["bad_rows"]) == (4, 1)


# Rows in other forms: (name, bytes, good rows, bad rows, what is said of the first bad one).
BAD_CELLS = {
    "a ragged table": ("p.csv", CSV + b"h,a\ni,a,a,a\ng2,a,a\n", 3, 2, r"p\.csv:4: 2 cells, but the header has 3"),
    "an unclosed quote": ("p.csv", CSV + b'h,"a,a\ng2,a,a\n', 2, 1, r"p\.csv:4: "),
    "text after a quote": ("p.tsv", CSV.replace(b",", b"\t") + b'h\t"a"b\ta\ng2\ta\ta\n', 3, 1, r"p\.tsv:4: "),
    "a Latin-1 cell": ("p.csv.gz", gzip.compress(CSV + b"h,caf\xe9,a\n"), 2, 1, "gz:4: column 'pred': not valid UTF-8"),
    "a Latin-1 header": ("p.csv", b"id,pred,gold,caf\xe9\n1,a,a,b\n2,a,a,c\n", 0, 2, r"p\.csv:2: not valid UTF-8"),
    "empty elements": ("p.json", b"[" + LINES[0] + b",,\n" + LINES[1] + b",]", 2, 2, r"p\.json:1: empty element"),
    "elements run together": ("p.json", b"[" + b" ".join(LINES[:2]) + b"," + LINES[2] + b"]", 1, 1, r"p\.json:1"),
    "a newline in a text": ("p.json", b"[\n" + LINES[0] + b',\n{"id": "h", "pred": "a\nb"}\n]', 1, 1, r"p\.json:3"),
    "elements that are no rows": ("p.json", b'[1, "a", null, ' + LINES[0] + b"]", 1, 3, "has type number"),
    "Parquet text that is no text": (
        "p.parquet",
        parquet(pa.table({"id": ["1", "2"], "pred": texts(b"a", b"\xff"), "gold": ["a", "a"]})), 1, 1,
        r"p\.parquet:2: column 'pred': not valid UTF-8",
    ),
    "Parquet bytes that are no text": (
        "p.parquet.zst",
        zst(parquet(pa.table({"id": ["1", "2"], "pred": [b"a", b"\xff\xfe"], "gold": ["a", "a"]}))), 1, 1,
        r"p\.parquet\.zst:2: column 'pred': not valid UTF-8",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bad", BAD_CELLS)
def test_bad_rows_of_other_forms_are_told_or_counted(bad: str, write: Any, run: Any, outcomes: Any) -> None:
    name, data, good, wrong, said = BAD_CELLS[bad]
    file = write(name, data)
    with pytest.raises(DataError, match=said) as error:
        run(file)
    assert str(error.value).isprintable()
    done = run(file, on_bad_row="count")
    assert (done.summary["input"]["rows"], done.summary["input"]["bad_rows"]) == (good + wrong, wrong)
    assert [r["values"]["exact"] for r in outcomes(done)] == [1.0] * good


# Files that cannot be read as rows at all: (name, bytes, what is said).
BAD_FILES = {
    "a cut gz": ("p.jsonl.gz", gzip.compress(TEXT)[:-12], r"p\.jsonl\.gz: the file is cut off"),
    "a cut zst": ("p.jsonl.zst", zst(TEXT * 100)[:-5], r"p\.jsonl\.zst: the file is cut off"),
    "a gz cut in its head": ("p.csv.gz", gzip.compress(CSV)[:4], "the file is cut off"),
    "garbage called gz": ("p.jsonl.gz", b"not compressed at all, this", r"cannot be decompressed"),
    "garbage called zst": ("p.jsonl.zst", TEXT, "cannot be decompressed"),
    "a gz with a wrong checksum": ("p.jsonl.gz", gzip.compress(TEXT)[:-8] + b"\1" * 8, "cannot be decompressed"),
    "garbage after a gz": ("p.jsonl.gz", gzip.compress(TEXT) + b"garbage and more", "decompressed|middle"),
    "cut UTF-16": ("p.jsonl", TEXT.decode().encode("utf-16")[:-1], r"p\.jsonl:3:\d+: not valid UTF-16LE"),
    "a cut UTF-16 table": ("p.csv", CSV.decode().encode("utf-16")[:-1], r"p\.csv:3:7: not valid UTF-16LE.*as UTF-8"),
    "nothing": ("p.jsonl", b"", r"p\.jsonl: no rows"),
    "nothing, packed": ("p.jsonl.gz", gzip.compress(b""), "no rows"),
    "blank lines only": ("p.jsonl", b"\n \n\t\r\n\n", "no rows"),
    "a byte order mark only": ("p.jsonl", b"\xef\xbb\xbf", "no rows"),
    "a header only": ("p.csv", b"id,pred,gold\n", r"p\.csv: no rows"),
    "an empty array": ("p.json", b" [ ] ", "no rows"),
    "an empty Parquet file": ("p.parquet", parquet(pa.Table.from_pylist(GOOD).slice(0, 0)), "no rows"),
    "two columns of one name": ("p.csv", b"id,pred,gold,pred\n1,a,a,b\n", r"p\.csv:1: two columns have the same name"),
    "two Parquet columns of one name": (
        "p.parquet", parquet(pa.Table.from_arrays([pa.array(["a"])] * 2, names=["pred", "pred"])), "two columns have"),
    "a table with bare carriage returns": ("p.csv", CSV.replace(b"\n", b"\r"), r"p\.csv:1: new-line"),
    "an unclosed array": ("p.json", b"[" + b",\n".join(LINES), r"p\.json: the file is cut off"),
    "an unclosed text": ("p.json", b'[{"id": "1', r"p\.json: the file is cut off"),
    "an array closed by a brace": ("p.json", b"[\n" + LINES[0] + b"}", r"p\.json:2: not a JSON array"),
    "text after an array": ("p.json", b"[" + LINES[0] + b"]\n" + LINES[1], r"p\.json:1: there is text after the end"),
    "text before an array": ("p.json", b'x = ["a"]', r"p\.json: not a JSON array"),
    "a number called JSON": ("p.json", b"17", r"p\.json: not a JSON array"),
    "garbage called Parquet": ("p.parquet", b"PAR1 or so", r"p\.parquet: the file is cut off\. Download or write it"),
    "nothing called Parquet": ("p.parquet", b"", r"p\.parquet: the file is cut off\. Download or write it again"),
    "a cut Parquet file": ("p.parquet", PARQUET[:-20], r"p\.parquet: the file is cut off\. Download or write it"),
    "Parquet with its pages overwritten": (
        "p.parquet", PARQUET[:4] + b"\xff" * 60 + PARQUET[64:], r"p\.parquet: column 'id' is damaged\. Download it or"),
    "Parquet with its end overwritten": (
        "p.parquet", PARQUET[:-300] + b"\xff" * 250 + PARQUET[-50:], "not a Parquet file, or a damaged one"),
    "a cut Parquet file, packed": ("p.parquet.gz", gzip.compress(PARQUET[:-20]), r"p\.parquet\.gz: the file is cut"),
    "rows called Parquet": ("p.parquet", TEXT, r"p\.parquet: not a Parquet file\. Give it the suffix of its format"),
}  # fmt: skip


@pytest.mark.parametrize("mode", ["error", "count"])
@pytest.mark.parametrize("bad", BAD_FILES)
def test_a_file_that_is_no_rows_is_refused_by_name(bad: str, mode: str, write: Any, run: Any, tmp_path: Path) -> None:
    name, data, said = BAD_FILES[bad]
    with pytest.raises(DataError, match=said) as error:
        run(write(name, data), on_bad_row=mode, out=tmp_path / "run")
    assert name in str(error.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv", "p.jsonl.gz"])
def test_fields_are_found_in_a_first_row_of_5_megabytes(name: str, write: Any, run: Any) -> None:
    long = "가" * 1_700_000
    rows = [{"id": str(n), "pred": long, "label": long} for n in range(2)]
    about = run(write(name, rows)).summary["systems"][""]
    assert (about["n"], about["metrics"]["exact"]["macro"], about["issues"]) == (2, 1.0, {})


def test_fields_are_found_after_5_megabytes_of_bad_rows(write: Any, run: Any) -> None:
    file = write(
        "p.jsonl", b"\xef\xbb\xbf" + (b"{bad".ljust(99) + b"\n") * 50_000 + b'{"id": "a", "output": "x", "gold": "x"}'
    )
    assert run(file, on_bad_row="count").summary["systems"][""]["metrics"]["exact"]["macro"] == 1.0


def test_a_line_of_100_megabytes_is_a_bad_row(write: Any, run: Any, outcomes: Any) -> None:
    file = Path(write("p.jsonl", LINES[0] + b"\n"))
    with file.open("r+b") as stream:
        stream.seek(100 << 20)
        stream.write(b"\n" + b"\n".join(LINES[1:]))
    with pytest.raises(DataError, match=r"p\.jsonl:2:1: longer than 64 MiB"):
        run(str(file))
    assert [r["id"] for r in outcomes(run(str(file), on_bad_row="count"))] == ["g0", "g1", "g2"]


@pytest.mark.parametrize("mode", ["error", "count"])
def test_a_line_too_long_to_be_read_is_refused_with_its_place(mode: str, write: Any, run: Any) -> None:
    plain = Path(write("p.jsonl", TEXT))
    with plain.open("r+b") as stream:
        stream.truncate(400 << 20)
    with pytest.raises(DataError, match=r"p\.jsonl:4: longer than 64 MiB"):
        run(str(plain), on_bad_row=mode)


@pytest.mark.parametrize(("name", "said"), [("p.jsonl.zst", ":4: longer than"), ("p.csv.gz", ":1: longer than")])
def test_a_compression_bomb_without_lines_is_refused(name: str, said: str, tmp_path: Path, run: Any) -> None:
    with pa.CompressedOutputStream(str(tmp_path / name), "zstd" if name.endswith("zst") else "gzip") as out:
        for block in (TEXT if "jsonl" in name else b"", *[bytes(1 << 20)] * 300):
            out.write(block)
    with pytest.raises(DataError, match=said):
        run(str(tmp_path / name), on_bad_row="count")


def test_a_compression_bomb_of_many_lines_is_refused(write: Any, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "HARMLESS", 1 << 20)
    with pytest.raises(DataError, match=r"p\.jsonl\.zst: expands more than 1000 times"):
        run(write("p.jsonl.zst", zst(b'{"pred": "a", "gold": "a"}\n' * 2_000_000)))


@pytest.mark.parametrize("name", ["p.jsonl.gz", "p.csv.gz"])
def test_a_compressed_file_of_line_ends_is_refused(
    name: str, write: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "HARMLESS_LINES", 1 << 20)
    head = TEXT if "jsonl" in name else CSV
    with pytest.raises(DataError, match=rf"{name}: has more than 100 lines for each compressed byte"):
        run(write(name, gzip.compress(head + b"\n" * (3 << 20))))
    assert run(write(name, gzip.compress(head + b"\n" * (1 << 19)))).summary["input"]["rows"] in (2, 3)


def test_rows_that_compress_well_are_no_bomb(write: Any, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "HARMLESS_LINES", 1000)
    rows = b"".join(b'{"id":%d,"pred":"a","gold":"a"}\n' % n for n in range(20_000))
    assert run(write("p.jsonl.zst", zst(rows))).summary["input"]["rows"] == 20_000


def test_more_systems_than_there_can_be_are_refused_before_anything_is_scored(
    write: Any, run: Any, tmp_path: Path
) -> None:
    rows = [{"id": n, "pred": "a", "gold": "a", "system": f"You are helper {n}."} for n in range(1001)]
    assert len(run(write("p.jsonl", rows[:1000])).summary["systems"]) == 1000
    said = r"field 'system' has more than 1000 values\. A system is .* such as a system prompt, rename it"
    with pytest.raises(UsageError, match=rf"q\.jsonl: {said}"):
        run(write("q.jsonl", rows), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(UsageError, match=said):
        evaluate([Sample(str(row["id"]), "a", "a", system=row["system"]) for row in rows], "text")


SCORED = {"id": ["1", "2"], "pred": ["a", "a"], "gold": ["a", "a"]}
ODD = {
    "an image": pa.array([{"bytes": b"\xff\xd8", "path": None}] * 2),
    "nanoseconds": pa.array([0, 1], pa.timestamp("ns")),
    "a duration": pa.array([0, 1], pa.duration("ns")),
    "a time of day": pa.array([0, 1], pa.time64("ns")),
    "a time zone nobody knows": pa.array([0, 1], pa.timestamp("us", "Mars/Olympus")),
    "a day beyond all calendars": pa.array([0, 10**8], pa.date32()),
    "bytes": pa.array([b"\xff", b"\xfe"]),
}


def test_a_slice_by_a_parquet_column_that_is_no_text_names_the_column(write: Any, run: Any) -> None:
    for image in ([b"\xff\xd8"] * 2, [{"bytes": b"\xff\xd8", "path": "a.jpg"}] * 2):
        file = write("p.parquet", parquet(pa.table({**SCORED, "image": image})))
        with pytest.raises(DataError, match=r"p\.parquet:1: column 'image': not valid UTF-8"):
            run(file, slices=("image",))


def test_a_page_that_does_not_have_its_checksum_is_damage_and_its_column_is_named(write: Any, run: Any) -> None:
    """One letter of another: the page could still be read."""
    made = io.BytesIO()
    table = pa.table({"id": ["1", "2"], "pred": ["anemone", "b"], "gold": ["anemone", "b"]})
    pq.write_table(
        table, made, compression="none", use_dictionary=False, write_statistics=False, write_page_checksum=True
    )
    for column, data in (
        ("pred", made.getvalue().replace(b"anemone", b"anemona", 1)),
        ("pred", made.getvalue().replace(b"anemone", b"anemona", 2)),
    ):
        with pytest.raises(
            DataError, match=rf"p\.parquet: column '{column}' is damaged\. Download it or write it again"
        ):
            run(write("p.parquet", data))


def test_memory_that_runs_out_while_parquet_is_read_is_not_told_as_damage(
    write: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("failed to launch worker thread: Resource temporarily unavailable")

    file = write("p.parquet", PARQUET)
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", fail)
    with pytest.raises(EngineError, match="No further thread or process could be started"):
        run(file)


@pytest.mark.parametrize("name", ["p.parquet", "p.parquet.gz"])
@pytest.mark.parametrize("column", ODD.values(), ids=ODD)
def test_parquet_columns_that_are_not_needed_are_not_read(
    column: pa.Array, name: str, write: Any, run: Any, outcomes: Any
) -> None:
    data = parquet(pa.table({"odd": column, **SCORED}))
    done = run(write(name, gzip.compress(data) if name.endswith("gz") else data))
    assert [r["id"] for r in outcomes(done)] == ["1", "2"]
    assert done.summary["input"]["bad_rows"] == 0


@pytest.mark.parametrize("odd", ["nanoseconds", "a duration", "a time of day", "a day beyond all calendars"])
def test_a_parquet_value_that_cannot_be_converted_is_a_bad_row_with_its_place(
    odd: str, write: Any, run: Any, outcomes: Any
) -> None:
    file = write("p.parquet", parquet(pa.table({**SCORED, "gold": ODD[odd]})))
    said = r"p\.parquet:2: column 'gold' of type \S+ has a value that cannot be converted"
    with pytest.raises(DataError, match=said):
        run(file)
    done = run(file, on_bad_row="count")
    assert [r["id"] for r in outcomes(done)] == ["1"]
    assert (done.summary["input"]["rows"], done.summary["input"]["bad_rows"]) == (2, 1)


def test_columns_that_are_not_read_are_still_named_where_one_is_asked_for(write: Any, run: Any) -> None:
    file = write("p.parquet", parquet(pa.table({**SCORED, "language": ["ko", "en"], "image": [b"\xff"] * 2})))
    with pytest.raises(
        UsageError, match=r"--slice languag: .* Did you mean 'language'\? .*gold, id, image, language, pred"
    ):
        run(file, slices=("languag",))
    with pytest.raises(UsageError, match=r"no field is called prediction .* Fields: id, gold, image"):
        run(write("q.parquet", parquet(pa.table({"id": ["1"], "gold": ["a"], "image": [b"\xff"]}))))
    assert set(run(file, slices=("language",)).summary["systems"][""]["slices"]["language"]) == {"ko", "en"}


@pytest.mark.parametrize("nested", [False, True])
def test_a_parquet_file_that_names_one_long_text_again_and_again_is_refused(
    nested: bool, write: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "HARMLESS", 10 << 20)
    text = pa.array(["x" * 100_000] * 400)
    pred = pa.ListArray.from_arrays([0, 400], text) if nested else text
    table = pa.table({"pred": pred, "gold": ["a"] * len(pred)})
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd")
    assert len(out.getvalue()) < 20_000
    with pytest.raises(DataError, match=r"p\.parquet: expands more than 1000 times"):
        run(write("p.parquet", out.getvalue()))


def test_a_parquet_row_too_long_is_a_bad_row_and_its_neighbours_are_good(
    write: Any, run: Any, outcomes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MAX_ROW_BYTES", 1 << 20)
    file = write("p.parquet", parquet(pa.table({**SCORED, "pred": ["a", "b" * (2 << 20)]})))
    with pytest.raises(DataError, match=r"p\.parquet:2: longer than 1 MiB"):
        run(file)
    assert [r["id"] for r in outcomes(run(file, on_bad_row="count"))] == ["1"]


def test_an_array_beyond_its_limit_is_refused_with_the_remedy(
    write: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MAX_ARRAY_BYTES", 3 << 20)
    with pytest.raises(DataError, match=r"p\.json\.zst: the JSON array is larger than 3 MiB\. Use JSONL"):
        run(write("p.json.zst", zst(b"[" + b" " * (4 << 20) + b"]")))


def test_ids_however_long_or_odd_are_kept_as_they_are(write: Any, run: Any, outcomes: Any, tmp_path: Path) -> None:
    ids = [
        "../../escape",
        "/etc/passwd",
        "a/../b",
        "\x1b[31mred\r\n\0",
        "x" * 1_000_000,
        "nul\0",
        ".",
        "-",
        "'; --",
        "한글\u202e",
    ]
    done = run(write("p.jsonl", [{"id": id, "pred": "a", "gold": "a"} for id in ids]))
    assert [r["id"] for r in outcomes(done)] == ids
    outside = {p.name for p in tmp_path.iterdir()} - {"p.jsonl", done.folder.name}
    assert not outside


def test_a_slice_key_with_too_many_values_is_refused_before_anything_is_scored(
    write: Any, run: Any, tmp_path: Path
) -> None:
    rows = [{"id": n, "pred": "a", "gold": "a", "page": n} for n in range(1001)]
    assert len(run(write("p.jsonl", rows[:1000]), slices=("page",)).summary["systems"][""]["slices"]["page"]) == 1000
    with pytest.raises(UsageError, match=r"--slice page: more than 1000 values\. Use a field with fewer values"):
        run(write("q.jsonl", rows), slices=("page",), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
