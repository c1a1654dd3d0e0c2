"""Every input form gives the same values and the same hash of references."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from jatdae.core.errors import DataError
from jatdae.run.api import Finished, evaluate

TEXTS = {
    "in/a": ("plain", "plain"),
    "in/b": ("한글 표, 값", "한글 표, 값!"),
    "c": ('says "quoted", then\nbreaks\n\n', 'says "quoted", then\nbreaks\n\n'),
    "d": ("x", "y"),
    "e": ("", "something"),
    "f": ("tab\there 😀", "tab\there 😀"),
    "g": ("[{]}!", "# heading\n| a | b |"),
}
PAIRS = [{"id": id, "prediction": p, "reference": r} for id, (p, r) in TEXTS.items()]
PREDICTIONS = [{"id": row["id"], "prediction": row["prediction"]} for row in PAIRS]
REFERENCES = [{"id": row["id"], "reference": row["reference"]} for row in PAIRS]
FORMS = ["jsonl", "ndjson", "json", "csv", "tsv", "parquet"]
FORMS += [form + packed for form in ("jsonl", "json", "csv", "tsv", "parquet") for packed in (".gz", ".zst")]


@pytest.fixture
def same(plugin: Callable[..., Any], outcomes: Callable[..., Any]) -> Callable[[Finished], None]:
    """Holds a run against the same samples scored in memory."""
    memory = evaluate(PAIRS, plugin("marks:Marks"))
    wanted = {row["id"]: row for row in memory.rows()}

    def check(done: Finished) -> None:
        assert {row["id"]: row for row in outcomes(done)} == wanted
        assert done.signature.refs == memory.signature.refs
        assert done.summary["systems"][""]["metrics"]["exact"]["macro"] == memory.value("exact")

    return check


@pytest.mark.parametrize("form", FORMS)
def test_pairs_in_any_form_are_the_same(form: str, write: Any, run: Any, same: Any) -> None:
    same(run(write(f"pairs.{form}", PAIRS)))


@pytest.mark.parametrize("form", FORMS)
def test_files_joined_by_id_are_the_same_in_any_form_and_order(form: str, write: Any, run: Any, same: Any) -> None:
    same(run(write(f"p.{form}", PREDICTIONS[::-1]), write("r.jsonl", REFERENCES)))
    same(run(write("p.jsonl", PREDICTIONS), write(f"r.{form}", REFERENCES[::-1])))


def test_folders_joined_by_path_are_the_same(write: Any, run: Any, same: Any, tmp_path: Path) -> None:
    for row in PAIRS:
        write(f"pred/{row['id']}.md", row["prediction"])
        write(f"ref/{row['id']}.txt", b"\xef\xbb\xbf" + row["reference"].replace("\n", "\r\n").encode())
    write("ref/.hidden", b"\xff")
    write("ref/.git/config", "not a document")
    same(run(str(tmp_path / "pred"), str(tmp_path / "ref")))


def test_two_single_documents_are_one_sample_whatever_they_are_called(write: Any, run: Any, outcomes: Any) -> None:
    done = run(write("model-output.md", "same\n"), write("gold.txt", "same\r\n"))
    (row,) = outcomes(done)
    assert (row["id"], row["values"]["exact"]) == ("gold", 1.0)


def test_evaluating_in_memory_in_several_processes_is_the_same(plugin: Any) -> None:
    many = [{"id": str(n), "prediction": "a" * (n % 5), "reference": "a" * (n % 3), "k": "x"} for n in range(600)]
    alone, together = (evaluate(many, plugin("marks:Marks"), jobs=jobs, slices=["k"]) for jobs in (1, 2))
    assert alone.summary == together.summary
    assert list(alone.rows()) == list(together.rows())


@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "jsonl.gz", "json.zst", "csv.gz"])
def test_standard_input_is_recognised_by_what_it_begins_with(
    form: str, write: Any, run: Any, same: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path(write(f"pairs.{form}", PAIRS)).read_bytes()
    mark = b"" if "." in form else b"\xef\xbb\xbf"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(mark + data)))
    same(run("-"))


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Callable[[bytes], str]]:
    writers: list[threading.Thread] = []

    def make(data: bytes) -> str:
        path = tmp_path / "pipe"
        os.mkfifo(path)
        writers.append(threading.Thread(target=path.write_bytes, args=(data,), daemon=True))
        writers[-1].start()
        return str(path)

    yield make
    for writer in writers:
        writer.join(10)


def test_a_named_pipe_is_read_once(write: Any, run: Any, same: Any, pipe: Any) -> None:
    same(run(pipe(Path(write("p.jsonl", PREDICTIONS)).read_bytes()), write("r.csv", REFERENCES)))


ENDINGS = {
    "byte order mark": lambda text: "\ufeff" + text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "blank lines": lambda text: "\n\n" + text.replace("\n", "\n \t\n\n"),
    "no newline at the end": lambda text: text.rstrip("\n"),
    "all of them": lambda text: "\ufeff\r\n" + text.replace("\n", "\r\n\r\n").rstrip(),
}


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_marks_and_line_ends_change_nothing(ending: str, packed: str, write: Any, run: Any, same: Any) -> None:
    text = ENDINGS[ending]("".join(json.dumps(row) + "\n" for row in PAIRS))
    same(run(write(f"pairs.jsonl{packed}", gzip.compress(text.encode()) if packed else text)))
    numbered = [{k: v for k, v in row.items() if k != "id"} for row in PAIRS]
    text = ENDINGS[ending]("".join(json.dumps(row) + "\n" for row in numbered))
    done = run(write("numbered.jsonl", text))
    assert done.summary["input"]["rows"] == len(PAIRS)


@pytest.mark.parametrize("form", ["csv", "csv.zst", "tsv"])
def test_tables_of_cells_may_have_a_mark_and_crlf(form: str, write: Any, run: Any, outcomes: Any) -> None:
    mark = "\t" if form == "tsv" else ","
    text = f'\ufeffid{mark}pred{mark}gold\r\n1{mark}a{mark}a\r\n\r\n2{mark}"b\r\nb"{mark}c'
    packed = pa.compress(text.encode(), "zstd", asbytes=True) if form.endswith("zst") else text
    rows = outcomes(run(write(f"t.{form}", packed)))
    assert [row["evidence"]["prediction"] for row in rows] == ["a", "b\r\nb"]


def test_compressed_files_may_have_several_members(write: Any, run: Any, same: Any) -> None:
    lines = [json.dumps(row).encode() + b"\n" for row in PAIRS]
    same(run(write("pairs.jsonl.gz", b"".join(map(gzip.compress, lines)))))
    same(run(write("pairs.jsonl.zst", b"".join(pa.compress(line, "zstd", asbytes=True) for line in lines))))


# A table as users have it: (name, text, what separates its cells where that is said, predictions).
TABLES: dict[str, tuple[str, str, str, list[str]]] = {
    "semicolons": ("t.csv", "id;pred;gold\n1;a;b\n2;c;d\n", ";", ["a", "c"]),
    "tabs in a CSV": ("t.csv", "id\tpred\tgold\n1\ta, b\tb\n", "\t", ["a, b"]),
    "commas in a TSV": ("t.tsv", "id,pred,gold\n1,a,b\n", ",", ["a"]),
    "decimal commas": ("t.csv", "id;pred;gold\n1;3,5;3,6\n2;1,0;1,1\n", ";", ["3,5", "1,0"]),
    "a quoted header with a comma": ("t.csv", 'id;"pred";gold;"a, b"\n1;3,5;x;y\n2;4,5;x;y\n', ";", ["3,5", "4,5"]),
    "quoted semicolons": ("t.csv", 'id;pred;gold\n1;"a;b\n;c";d\n', ";", ["a;b\n;c"]),
    "a mark": ("t.csv", "\ufeffid;pred;gold\r\n1;a;b\r\n", ";", ["a"]),
    "Excel's first line": ("t.csv", "sep=;\r\nid;pred;gold\r\n1;a;b\r\n", ";", ["a"]),
    "Excel's first line, quoted": ("t.csv", '\ufeff"sep=|"\nid|pred|gold\n1|a;b|c\n', "|", ["a;b"]),
    "Excel's first line, usual": ("t.csv", "sep=,\nid,pred,gold\n1,a,b\n", "", ["a"]),
    "commas, semicolons in cells": ("t.csv", "id,pred,gold\n1,a;b;c;d,b\n2,c;d,d\n", "", ["a;b;c;d", "c;d"]),
    "commas, a semicolon in the header": ("t.csv", "id,pred,gold,a;b\n1,a;c,b,x\n2,c,d,x\n", "", ["a;c", "c"]),
    "a row cut off after many lines": ("t.csv", 'id;pred;gold\n1;"' + "x\n" * 150 + '";b\n', ";", ["x\n" * 150]),
}


@pytest.mark.parametrize("table", TABLES)
def test_what_separates_cells_is_found_in_the_header_and_first_rows(
    table: str, write: Any, run: Any, outcomes: Any
) -> None:
    name, text, mark, wanted = TABLES[table]
    done = run(file := write(name, text))
    assert [row["evidence"]["prediction"] for row in outcomes(done)] == wanted
    assert done.summary["input"].get("recognised", {}) == ({file: {"delimiter": mark}} if mark else {})
    how = ["UTF-8 (BOM)"] if text.startswith("\ufeff") else []
    how += [f"cells separated by {mark!r}"] if mark else []
    assert done.notes == ((f"{file}: read as {', '.join(how)}.",) if how else ())


def test_rows_after_the_first_line_of_excel_keep_their_line_numbers(write: Any, run: Any) -> None:
    with pytest.raises(DataError, match=r"t\.csv:4: 1 cells, but the header has 3"):
        run(write("t.csv", "sep=;\nid;pred;gold\n1;a;b\n2\n"))


def test_a_table_of_one_column_stays_one(write: Any, run: Any, outcomes: Any) -> None:
    rows = outcomes(run(write("p.csv", "pred\na;b\nc;d\n"), write("r.csv", "gold\na;b\nx\n")))
    assert [row["evidence"]["prediction"] for row in rows] == ["a;b", "c;d"]
