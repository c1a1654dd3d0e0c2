"""However an input is cut into ranges, every line is read once: held against reading it in one go."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.registry import load_class
from jatdae.run.api import execute
from jatdae.run.input import scan as ranges
from jatdae.run.input.files import RowFile
from jatdae.run.input.formats import array_rows
from jatdae.run.input.model import Inputs
from jatdae.run.input.rows import MAX_DEPTH, BadRow, parse, parse_exact
from jatdae.run.input.scan import byte_ranges
from jatdae.run.stats.result import Result

PLUGINS = Path(__file__).parents[2] / "plugins"
MARKS = load_class(f"{PLUGINS / 'marks.py'}:Marks")()
TURNS = load_class(f"{PLUGINS / 'turns.py'}:Turns")()
FEW = settings(derandomize=True, max_examples=60, deadline=None)


@pytest.fixture(autouse=True, scope="module")
def _small_shards() -> Iterator[None]:
    """Ranges of a few lines, so that short inputs have many; and no waiting for the disk after each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "SMALLEST_SHARD", 100)
        patch.setattr(os, "fsync", lambda _: None)
        yield


def scored(text: str, evaluator: Any) -> tuple[list[dict[str, Any]], dict[str, Any], list[list[int]]]:
    """Rows, what is said of the input, and the shards."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "t.jsonl"
        file.write_bytes(text.encode())
        done = execute(evaluator, Inputs(pairs=(("", str(file)),), on_bad_row="count"), out=Path(name) / "run")
        manifest = json.loads((done.folder / "manifest.json").read_text())
        return list(Result.load(done.folder).rows()), done.summary["input"], manifest["plan"]["shards"]


LINES = st.lists(st.tuples(st.sampled_from(["good", "bad", "blank"]), st.integers(0, 90)), min_size=1, max_size=40)
ENDS = st.tuples(st.sampled_from(["", "\ufeff"]), st.sampled_from(["\n", "\r\n"]), st.booleans())


@FEW
@given(LINES, ENDS)
def test_rows_are_numbered_and_bad_ones_placed_however_the_file_is_cut(lines: Any, ends: Any) -> None:
    mark, end, last = ends
    made = {
        "good": lambda pad: json.dumps({"pred": "x" * pad, "gold": "x" * pad}),
        "bad": lambda pad: "{" + "x" * pad,
        "blank": lambda pad: " " * (pad % 3),
    }
    lines = [("good", 1), *lines]
    text = mark + end.join(made[kind](pad) for kind, pad in lines) + (end if last else "")
    rows, about, shards = scored(text, MARKS)
    kinds = [kind for kind, _ in lines if kind != "blank"]
    assert [row["id"] for row in rows] == [str(n) for n, kind in enumerate(kinds, 1) if kind == "good"]
    assert all(row["values"]["exact"] == 1.0 for row in rows)
    wrong = [n for n, (kind, _) in enumerate(lines, 1) if kind == "bad"]
    assert [int(said.split(":")[1]) for said in about["bad_examples"]] == wrong[:20]
    assert (about["rows"], about["bad_rows"]) == (len(kinds), len(wrong))
    assert [shard[5] for shard in shards] == [1 + sum(s[6] for s in shards[:n]) for n in range(len(shards))]


TALKS = st.lists(st.tuples(st.sampled_from("aaabbc?"), st.integers(0, 60)), min_size=1, max_size=50)


@FEW
@given(TALKS, st.booleans(), st.sampled_from(["", "\ufeff"]))
def test_conversations_stay_whole_however_the_file_is_cut(turns: Any, together: bool, mark: str) -> None:
    turns = [("a", 1), *turns]
    if together:
        turns.sort(key=lambda turn: turn[0])
    lines, wanted = [], {}
    for number, (talk, pad) in enumerate(turns):
        lines.append("?" * (pad * 8 + 1) if talk == "?" else json.dumps({"talk": talk, "said": number, "p": "x" * pad}))
        if talk != "?":
            wanted.setdefault(talk, []).append(number)
    rows, about, _ = scored(mark + "\n".join(lines), TURNS)
    assert {row["id"]: row["evidence"] for row in rows} == wanted
    assert [row["id"] for row in rows] == list(wanted)
    assert (about["rows"], about["bad_rows"]) == (len(turns), sum(talk == "?" for talk, _ in turns))


@FEW
@given(st.lists(st.integers(0, 300), max_size=60), st.booleans())
def test_ranges_cover_a_file_and_end_at_line_ends(lengths: list[int], last: bool) -> None:
    data = b"\n".join(b"x" * n for n in lengths) + (b"\n" if last else b"")
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(data)
        cut = list(byte_ranges(RowFile(file.name, "f", "", len(data))))
    assert b"".join(data[start:end] for start, end in cut) == data
    assert all(data[:end].endswith(b"\n") for _, end in cut[:-1])
    assert all(start < end for start, end in cut)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@FEW
@given(st.lists(JSON, max_size=6), st.sampled_from([None, 0, 2]), st.booleans(), st.integers(1, 20))
def test_elements_of_an_array_are_cut_out_as_they_are(values: Any, indent: Any, ascii: bool, block: int) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=ascii).encode(errors="surrogatepass")
    blocks = (data[at : at + block] for at in range(0, len(data), block))
    assert [json.loads(line) for _, line in array_rows(blocks, "a.json")] == values


@FEW
@given(st.integers(1, 400), st.sampled_from(["[", '{"a":']), st.text("[]{}\\\"'ax", max_size=12))
def test_nesting_is_counted_outside_texts_only(depth: int, opening: str, text: str) -> None:
    inner = opening * (depth - 1) + json.dumps(text * 30) + ("]" if opening == "[" else "}") * (depth - 1)
    line = f'{{"a": {inner}}}'.encode()
    for read in (parse, parse_exact):
        if depth <= MAX_DEPTH:
            assert read(line)
        else:
            with pytest.raises(BadRow, match="deeper than 200 levels"):
                read(line)
