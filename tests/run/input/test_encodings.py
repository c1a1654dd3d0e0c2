"""Text in other encodings is read as the same text in UTF-8, and said so; what is no text is told with its place."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.errors import DataError
from jatdae.run.input.encodings import Undecodable, as_utf8, decode, no_text, utf16_of
from jatdae.run.output.folder import RunFolder
from jatdae.run.work.engine import Engine

ROWS = [
    {"id": "가-1", "예측": "혈압이 높습니다, 두통", "정답": "혈압이 높습니다"},
    {"id": "가-2", "예측": 'says "quoted"\nbreaks', "정답": "똠방각하"},
    {"id": "plain", "예측": "only ASCII", "정답": "only ASCII"},
]
FORMS = ["jsonl", "json", "csv", "tsv", "jsonl.gz", "csv.gz"]
CODECS = {
    "utf-8-sig": "",
    "utf-16": "UTF-16LE",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
    "cp949": "CP949",
}


def in_codec(file: str, codec: str) -> str:
    """Write a UTF-8 file anew in another encoding."""
    path = Path(file)
    packed = path.suffix == ".gz"
    data = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
    data = data.decode().encode(codec)
    path.write_bytes(gzip.compress(data, mtime=0) if packed else data)
    return file


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("form", FORMS)
def test_rows_in_any_encoding_are_the_same(form: str, codec: str, write: Any, run: Any, outcomes: Any) -> None:
    plain = run(write(f"plain.{form}", ROWS))
    other = run(file := in_codec(write(f"other.{form}", ROWS), codec))
    assert outcomes(other) == outcomes(plain)
    assert other.signature.refs == plain.signature.refs
    assert "recognised" not in plain.summary["input"]
    if not (encoding := CODECS[codec]):
        assert "recognised" not in other.summary["input"]
        assert other.notes == (f"{file}: read as UTF-8 (BOM).",)
        return
    assert other.summary["input"]["recognised"] == {file: {"encoding": encoding}}
    assert RunFolder(other.folder).manifest()["input"][0]["encoding"] == encoding  # type: ignore[index]
    assert other.notes == (f"{file}: read as {encoding}.",)


@pytest.mark.parametrize("codec", ["cp949", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "csv.gz"])
def test_a_stream_is_recognised_too(
    form: str, codec: str, write: Any, run: Any, outcomes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(f"p.{form}", ROWS)
    wanted = outcomes(run(file))
    data = Path(in_codec(file, codec)).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    done = run("-")
    assert outcomes(done) == wanted
    assert list(done.summary["input"]["recognised"]) == ["stdin"]
    kept = {path.name for path in (done.folder / "input").iterdir()}
    assert not any(name.endswith((".stream", ".gz")) for name in kept)


def test_korean_that_comes_late_in_the_file_is_found(write: Any, run: Any, outcomes: Any, plugin: Any) -> None:
    """The first rows show neither encoding nor bad bytes, and the fields are found in them."""
    rows = [{"id": str(n), "pred": "a" * 40, "gold": "a"} for n in range(3000)]
    file = write("late.jsonl", [*rows, {"id": "last", "pred": "끝", "gold": "끝"}])
    plain = outcomes(run(file))
    in_codec(file, "cp949")
    for jobs in (1, 2):
        done = run(file, engine=Engine(jobs))
        assert outcomes(done) == plain
        assert done.summary["input"]["recognised"] == {file: {"encoding": "CP949"}}


def test_a_run_of_another_encoding_is_resumed_with_the_same_bytes(write: Any, run: Any, tmp_path: Path) -> None:
    file = in_codec(write("p.jsonl", ROWS), "cp949")
    run(file, out=tmp_path / "out")
    parts = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    next(path for path in parts if path.suffix == ".parquet").unlink()
    run(file, out=tmp_path / "out")
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == parts


def test_documents_may_each_have_their_encoding(write: Any, run: Any, outcomes: Any, tmp_path: Path) -> None:
    for at, codec in enumerate(("utf-8", "utf-8-sig", "cp949", "cp949", "utf-16")):
        write(f"pred/{at}.md", "두통이 있습니다".encode(codec))
        write(f"ref/{at}.txt", "두통이 있습니다".encode())
    done = run(str(tmp_path / "pred"), str(tmp_path / "ref"))
    assert [row["values"]["exact"] for row in outcomes(done)] == [1.0] * 5
    pred = str(tmp_path / "pred")
    assert done.summary["input"]["recognised"] == {pred: {"encodings": {"CP949": 2, "UTF-16LE": 1}}}
    assert done.notes == (f"{pred}: read as CP949 (2 files), UTF-16LE (1 files).",)


BAD = {
    "jsonl": (b'{"id": 1, "pred": "a", "gold": "a"}\n{"id": 2, "pred": "caf\xe9", "gold": "a"}\n', "2:23"),
    "json": (b'[{"id": 1, "pred": "a", "gold": "a"},\n {"id": 2, "pred": "caf\xe9", "gold": "a"}]', "2:24"),
    "csv": (b'id,pred,gold\n1,a,a\n2,"a\nbc\xe9",a\n', "4:3"),
    "tsv": (b"id\tpred\tgold\n1\t\xb0C\ta\n2\t5 \xb5g\tb\n", "2:3"),
}


@pytest.mark.parametrize("form", BAD)
def test_what_is_no_encoding_is_told_with_the_place_of_its_first_bad_byte(form: str, write: Any, run: Any) -> None:
    """Latin-1 is not taken for CP949, even where all of its bytes could be."""
    data, place = BAD[form]
    file = write(f"p.{form}", data)
    with pytest.raises(
        DataError, match=rf"neither UTF-8 nor CP949: the first bad byte is at .*p\.{form}:{place}\. Save"
    ):
        run(file)
    done = run(file, on_bad_row="count")
    assert (done.summary["input"]["bad_rows"], "recognised" in done.summary["input"]) == (
        2 if form == "tsv" else 1,
        False,
    )


@settings(derandomize=True, max_examples=200)
@given(st.text(st.sampled_from("가힣\n, aé😀똠"), max_size=40), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]))
def test_text_cut_into_any_blocks_is_the_same(text: str, codec: str) -> None:
    data = text.encode(codec)
    for size in (1, 2, 3, 7):
        blocks = [data[at : at + size] for at in range(0, len(data), size)]
        assert b"".join(as_utf8(blocks, codec.upper().replace("UTF-16-", "UTF-16"))).decode() == text


@settings(derandomize=True, max_examples=200)
@given(st.text(st.sampled_from("가나다 ,\na"), max_size=30), st.integers(1, 9))
def test_the_place_of_a_bad_byte_does_not_depend_on_blocks(text: str, size: int) -> None:
    data = text.encode() + b"\xff" + "나".encode()
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    with pytest.raises(Undecodable) as bad:
        list(as_utf8(blocks, "UTF-8"))
    line = text.rpartition("\n")[2]
    assert (bad.value.line, bad.value.column) == (text.count("\n") + 1, len(line.encode()) + 1)


@settings(derandomize=True, max_examples=300)
@given(st.text(max_size=60))
def test_utf8_is_never_taken_for_anything_else(text: str) -> None:
    """Whatever is in a file of UTF-8 rows, it is read as UTF-8."""
    assert decode(text.encode(errors="replace"))[1] == "UTF-8"
    assert utf16_of(json.dumps({"id": text}, ensure_ascii=False).encode(errors="replace")) == ""
    assert utf16_of(f'id,pred\n"{text}",a\n'.replace("\0", "").encode(errors="replace")) == ""


@pytest.mark.parametrize(
    ("suffix", "head", "key"),
    [
        (".XLSX", b"", "no_text_spreadsheet"),
        (".csv", b"PK\x03\x04", "no_text_office"),
        (".md", b"%PDF-1.7", "no_text_document"),
        (".md", b"# PDF", ""),
        (".jsonl", b'{"a": 1}', ""),
    ],
)
def test_files_without_text_are_known_by_name_or_first_bytes(suffix: str, head: bytes, key: str) -> None:
    assert no_text(suffix, head) == key
