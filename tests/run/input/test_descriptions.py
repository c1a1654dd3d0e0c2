"""What is told of documents beside them: slices from meta.csv and front matter, numbers from a record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from jatdae.core.errors import DataError, UsageError
from jatdae.documents import DocumentEvaluator
from jatdae.run.api import Finished, execute
from jatdae.run.input.descriptions import find_front_matter, read_descriptions
from jatdae.run.input.model import Inputs
from jatdae.run.work.engine import Engine

TEXT = "# Title\n\nSome words of a document.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[str, Mapping[str, str]], Path]:
    def of(name: str, files: Mapping[str, str]) -> Path:
        (tmp_path / name).mkdir(exist_ok=True)
        for file, content in files.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        return tmp_path / name

    return of


def test_a_table_names_documents_with_or_without_their_suffix(folder: Callable[..., Path]) -> None:
    place = folder("gold", {"meta.csv": "type, document,note\npaper,a.pdf,\n\nform,in/b.md,'x'\n"})
    assert read_descriptions(place).told == {"a": {"type": "paper"}, "in/b": {"type": "form", "note": "'x'"}}


def test_a_table_without_a_column_of_documents_has_them_in_its_first(folder: Callable[..., Path]) -> None:
    assert read_descriptions(folder("g", {"meta.csv": "\ufeff문서,언어\n가,한국어\n"})).told == {
        "가": {"언어": "한국어"}
    }


def test_a_record_gives_numbers_and_the_table_holds(folder: Callable[..., Path]) -> None:
    lines = '{"document": "a", "seconds": 1.5, "ok": true, "tool": "x"}\n[]\n{"document": "a", "seconds": 2}\n{"docu'
    place = folder("a", {"parse.jsonl": lines, "meta.csv": "document,cost\na,0.5\n"})
    assert read_descriptions(place).told == {"a": {"seconds": "2", "cost": "0.5"}}


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ("", ":1:"),
        ("document\na\n", ":1:"),
        ("document,document\na,b\n", ":1:"),
        ("document,type\na,b,c\n", ":2:"),
        ("document,type\na,b\na.md,c\n", ":3:"),
    ],
)
def test_a_bad_table_is_told_with_its_line(folder: Callable[..., Path], table: str, place: str) -> None:
    with pytest.raises(DataError, match=f"meta.csv{place}"):
        read_descriptions(folder("gold", {"meta.csv": table}))


@pytest.mark.parametrize(
    ("text", "keys", "rest"),
    [
        ('---\nlanguage: ko\nlayout: "two cols"\nempty:\n---\ntext', {"language": "ko", "layout": "two cols"}, "text"),
        ("---\n\ntext\n---\n", {}, "---\n\ntext\n---\n"),
        ("---\nno key\n---\n", {}, "---\nno key\n---\n"),
        ("text", {}, "text"),
        ("", {}, ""),
    ],
)  # fmt: skip
def test_front_matter_is_key_and_value_between_two_rules(text: str, keys: dict[str, str], rest: str) -> None:
    found, length = find_front_matter(text)
    assert (found, text[length:]) == (keys, rest)


@pytest.fixture
def run(folder: Callable[..., Path], tmp_path: Path) -> Callable[..., Finished]:
    def of(gold: Mapping[str, str], *slices: str, **systems: Mapping[str, str]) -> Finished:
        predictions = tuple((name, str(folder(name, files))) for name, files in systems.items())
        inputs = Inputs(reference=str(folder("gold", gold)), predictions=predictions, slices=slices)
        return execute(DocumentEvaluator(), inputs, out=tmp_path / "run", engine=Engine(1))

    return of


def test_slices_seconds_and_cost_of_documents(run: Callable[..., Finished]) -> None:
    gold = {"a.md": f"---\nlanguage: en\n---\n{TEXT}", "b.md": TEXT, "meta.csv": "document,type\na,paper\nb,form\n"}
    done = run(
        gold,
        "type",
        "language",
        fast={"a.md": TEXT, "b.md": TEXT, "parse.jsonl": '{"document": "a", "seconds": 1}'},
        slow={"a.md": TEXT, "b.md": TEXT, "meta.csv": "document,seconds,cost\na,4,\nb,8,0.5\n"},
    )
    fast, slow = (done.summary["systems"][name] for name in ("fast", "slow"))
    assert fast["metrics"]["body_cer"]["macro"] == 0.0  # front matter is no text
    assert set(fast["slices"]["type"]) == {"paper", "form"}
    assert set(fast["slices"]["language"]) == {"en", ""}
    assert (fast["metrics"]["seconds"]["macro"], fast["metrics"]["seconds"]["n"]) == (1.0, 1)
    assert (slow["metrics"]["seconds"]["macro"], slow["metrics"]["seconds"]["micro"]) == (6.0, 6.0)
    assert (slow["metrics"]["cost"]["macro"], slow["metrics"]["cost"]["n"]) == (0.5, 1)


def test_without_any_a_run_says_nothing_of_seconds(run: Callable[..., Finished]) -> None:
    done = run({"a.md": TEXT}, one={"a.md": TEXT})
    assert not {"seconds", "cost"} & set(done.summary["metrics"])
    assert '"seconds"' not in (done.folder / "paper.json").read_text("utf-8")


def test_a_table_that_changed_is_not_resumed(run: Callable[..., Finished], tmp_path: Path) -> None:
    run({"a.md": TEXT, "meta.csv": "document,type\na,x\n"}, "type", one={"a.md": TEXT})
    (tmp_path / "gold" / "meta.csv").write_text("document,type\na,y\n")
    with pytest.raises(Exception, match="run"):
        run({"a.md": TEXT}, "type", one={"a.md": TEXT})


FAILED = (
    '{"document": "a", "seconds": 2, "pages": 4, "status": "timeout"}\n{"document": "b", "seconds": 1, "pages": 1}\n'
)


def test_a_folder_without_any_document_is_refused_by_name(run: Callable[..., Finished]) -> None:
    with pytest.raises(DataError, match=r"\(system void\): none of the 2 documents"):
        run({"a.md": TEXT, "b.md": TEXT}, void={})


def test_a_record_of_other_documents_does_not_excuse_an_empty_folder(run: Callable[..., Finished]) -> None:
    with pytest.raises(DataError, match=r"\(system void\): none of the 1 documents"):
        run({"c.md": TEXT}, void={"parse.jsonl": FAILED})


def test_a_parser_that_failed_everywhere_is_scored_as_missing_and_told(run: Callable[..., Finished]) -> None:
    done = run({"a.md": TEXT, "b.md": TEXT}, dead={"parse.jsonl": FAILED})
    dead = done.summary["systems"]["dead"]
    assert dead["metrics"]["cer"]["macro"] == 1.0
    assert dead["issues"]["missing_prediction"] == {"error": 2}
    assert done.summary["input"]["extra_predictions"] == {"dead": 0}
    assert any("(system dead): nothing was written for any of the 2 documents" in note for note in done.notes)


def test_the_seconds_of_failures_count_by_page(run: Callable[..., Finished]) -> None:
    done = run({"a.md": TEXT, "b.md": TEXT}, mix={"b.md": TEXT, "parse.jsonl": FAILED})
    seconds = done.summary["systems"]["mix"]["metrics"]["seconds_per_page"]
    assert (seconds["macro"], seconds["micro"], seconds["n"]) == (0.75, 0.6, 2)
    columns = json.loads((done.folder / "paper.json").read_text("utf-8"))["columns"]
    assert "seconds" not in [column["metric"] for column in columns]
    (warning,) = json.loads((done.folder / "paper.json").read_text("utf-8"))["en"]["warnings_of"]["mix"]
    assert "1 of 2 documents have no output; the time spent on them counts" in warning


def test_the_seconds_of_output_that_cannot_be_read_count_too(folder: Callable[..., Path], tmp_path: Path) -> None:
    mix = folder("mix", {"b.md": TEXT, "parse.jsonl": FAILED})
    (mix / "a.md").write_bytes(b"ab\xff\x81")
    gold = str(folder("gold", {"a.md": TEXT, "b.md": TEXT}))
    inputs = Inputs(reference=gold, predictions=(("mix", str(mix)),), on_bad_row="count")
    done = execute(DocumentEvaluator(), inputs, out=tmp_path / "run", engine=Engine(1))
    system = done.summary["systems"]["mix"]
    seconds = system["metrics"]["seconds_per_page"]
    assert (seconds["macro"], seconds["micro"], seconds["n"]) == (0.75, 0.6, 2)
    assert (system["metrics"]["cer"]["macro"], system["issues"]["missing_prediction"]) == (0.5, {"error": 1})
    assert (done.summary["input"]["bad_rows"], done.summary["input"]["extra_predictions"]) == (1, {"mix": 0})
    with pytest.raises(DataError, match="missing predictions: 1; the first is for id 'a'"):
        execute(DocumentEvaluator(), replace(inputs, missing="error"), out=tmp_path / "no", engine=Engine(1))


def test_pages_that_one_system_knows_serve_for_the_others(run: Callable[..., Finished]) -> None:
    done = run(
        {"a.md": TEXT},
        one={"a.md": TEXT, "meta.csv": "document,seconds\na,6\n"},
        two={"a.md": TEXT, "meta.csv": "document,seconds,pages\na,9,3\n"},
    )
    systems = done.summary["systems"]
    assert [systems[name]["metrics"]["seconds_per_page"]["macro"] for name in ("one", "two")] == [2.0, 3.0]
    assert [systems[name]["metrics"]["seconds"]["macro"] for name in ("one", "two")] == [6.0, 9.0]


def test_seconds_are_by_document_where_pages_are_not_known_of_all(run: Callable[..., Finished]) -> None:
    done = run(
        {"a.md": TEXT, "b.md": TEXT},
        one={"a.md": TEXT, "b.md": TEXT, "meta.csv": "document,seconds,pages\na,6,2\nb,4,\n"},
        two={"a.md": TEXT, "b.md": TEXT, "meta.csv": "document,seconds\na,6\nb,4\n"},
    )
    paper = json.loads((done.folder / "paper.json").read_text("utf-8"))
    metrics = [column["metric"] for column in paper["columns"]]
    assert "seconds" in metrics
    assert "seconds_per_page" not in metrics
    assert "pages of 2 of 4 predictions are not known" in paper["en"]["methods"]


def test_missing_documents_that_are_told_of_are_refused_where_all_must_be_there(
    folder: Callable[..., Path], tmp_path: Path
) -> None:
    predictions = (("mix", str(folder("mix", {"b.md": TEXT, "parse.jsonl": FAILED}))),)
    gold = str(folder("gold", {"a.md": TEXT, "b.md": TEXT}))
    inputs = Inputs(reference=gold, predictions=predictions, missing="error")
    with pytest.raises(DataError, match="missing predictions: 1; the first is for id 'a'"):
        execute(DocumentEvaluator(), inputs, out=tmp_path / "run", engine=Engine(1))


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"meta.csv": "document,seconds\na,1\nb,abc\n"}, "meta.csv:3: seconds is abc"),
        ({"meta.csv": "document,cost\na,-3\n"}, "meta.csv:2: cost is -3"),
        ({"meta.csv": "document,pages\na,nan\n"}, "meta.csv:2: pages is nan"),
        ({"meta.csv": "document,pages\na,0\n"}, "meta.csv:2: pages is 0. It has to be a whole number of 1 or more"),
        ({"meta.csv": "document,pages\nb,1\na,2.5\n"}, "meta.csv:3: pages is 2.5"),
        ({"meta.csv": "document,pages\na,-1\n"}, "meta.csv:2: pages is -1"),
        ({"parse.jsonl": '{"document": "a", "pages": 0}\n'}, "parse.jsonl:1: pages is 0"),
        ({"parse.jsonl": '{"document": "a", "seconds": -1}\n'}, "parse.jsonl:1: seconds is -1"),
        ({"parse.jsonl": '{"document": "a", "seconds": "x"}\n'}, "parse.jsonl:1: seconds is x"),
    ],
)
def test_what_should_be_a_number_is_refused_with_its_line(
    run: Callable[..., Finished], files: dict[str, str], place: str
) -> None:
    with pytest.raises(DataError, match=place):
        run({"a.md": TEXT}, one={"a.md": TEXT, **files})


def test_documents_that_are_described_and_not_there_are_told_with_their_line(run: Callable[..., Finished]) -> None:
    gold = {"a.md": TEXT, "meta.csv": "document,type\nzz,x\nyy,x\n"}
    done = run(gold, one={"a.md": TEXT, "meta.csv": "document,seconds\na,1\nnodoc,2\n"})
    assert [note.partition("meta.csv")[2][:28] for note in done.notes] == [
        ":2: there is no document zz ",
        ":3: there is no document nod",
    ]


def test_a_slice_that_nothing_tells_of_names_what_is_told(run: Callable[..., Finished]) -> None:
    gold = {"a.md": TEXT, "meta.csv": "document,layout,type\na,one column,paper\n"}
    with pytest.raises(UsageError, match=r"Did you mean 'layout'\? Fields and meta keys: id, layout, type\."):
        run(gold, "laiout", s={"a.md": TEXT})
