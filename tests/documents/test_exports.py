"""`evaluation/DOC.json`: one file per document, in the layout its schema describes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from jatdae.cli import main
from jatdae.documents import DocumentEvaluator, exports
from jatdae.run.api import Finished
from jatdae.run.stats.result import Result

Folders = Callable[..., Finished]
MD = "# T\n\ntext\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
TABLE = {"table_id": "t", "html": "<table><tr><td>1</td></tr></table>"}
EDITS = {"substitutions", "deletions", "insertions", "hits"}


def files(done: Finished) -> dict[str, Any]:
    """The files of a run, each checked against the schema."""
    validator = Draft202012Validator(exports.evaluation_schema())
    found = {}
    for path in sorted((done.folder / "evaluation").iterdir()):
        found[path.name] = json.loads(path.read_text("utf-8"))
        assert [error.message for error in validator.iter_errors(found[path.name])] == []
    return found


def test_every_document_has_a_file_with_every_parser(demo: Finished) -> None:
    found = files(demo)
    assert list(found) == ["notice.json", "paper.json", "receipt.json"]
    for name, content in found.items():
        assert content["document"] == name.removesuffix(".json")
        assert content["signature"] == str(demo.signature)
        assert list(content["parsers"]) == ["text-baseline", "image-baseline", "text-advanced", "image-advanced"]


def test_the_numbers_are_those_of_the_run(demo: Finished) -> None:
    found = files(demo)
    for row in Result.load(demo.folder).rows():
        entry = found[f"{row['id']}.json"]["parsers"][row["system"]]
        for name in ("cer", "body_cer", "delta_bibliography", "wer", "body_wer", "structure_f1", "teds", "teds_s"):
            assert entry[name] == row["values"][name]
        assert entry["issues"] == row["issues"]
        for name in ("cer", "body_cer"):
            detail = entry[f"{name}_detail"]
            assert set(detail) == EDITS
            length = detail["hits"] + detail["substitutions"] + detail["deletions"]
            errors = detail["substitutions"] + detail["deletions"] + detail["insertions"]
            assert errors / length == pytest.approx(entry[name])
        if entry["structure_f1"] is not None:
            shape = entry["structure_f1_detail"]
            assert shape["f1"] == pytest.approx(entry["structure_f1"])
            assert sum(kind["matched"] for kind in shape["types"].values()) == shape["matched"]


def test_tables_are_listed_with_what_was_missed(demo: Finished) -> None:
    tables = files(demo)["notice.json"]["parsers"]["text-advanced"]["teds_detail"]
    assert {name: tables[name] for name in ("reference", "predicted", "missed", "extra")} == {
        "reference": 2, "predicted": 1, "missed": 1, "extra": 0,
    }  # fmt: skip
    assert [(each["table_id"], each["teds"]) for each in tables["tables"]][1] == ("table_2", 0.0)


def test_a_parser_without_structure_has_none_in_its_file(demo: Finished) -> None:
    entry = files(demo)["receipt.json"]["parsers"]["text-baseline"]
    names = ("structure_f1", "teds", "teds_s", "structure_f1_detail", "teds_detail")
    assert [entry[name] for name in names] == [None] * 5
    assert "no_structure" in {issue["code"] for issue in entry["issues"]}


def test_edits_are_saved_where_a_document_is_missing_or_cannot_be_scored(compare_folders: Folders) -> None:
    gold = {"a.md": MD, "b.md": MD, "empty.md": ""}
    worst = files(compare_folders(gold, s={"a.md": MD, "empty.md": "text"}))
    assert worst["b.json"]["parsers"]["s"]["cer_detail"]["deletions"] > 0
    assert worst["empty.json"]["parsers"]["s"]["cer"] is None
    assert worst["empty.json"]["parsers"]["s"]["body_cer_detail"]["insertions"] == 4
    skipped = files(compare_folders(gold, given={"missing": "skip"}, s={"a.md": MD}))
    assert skipped["b.json"]["parsers"]["s"]["cer"] is None
    assert set(skipped["b.json"]["parsers"]["s"]["cer_detail"]) == EDITS


WITHOUT = {
    "gold text is a number": (MD, 7, "bad_reference", [None, None, None]),
    "gold text is too long": (MD, "x" * 200, "too_large", [None, None, None]),
    "gold has no structure": ("text", "text", "no_reference_table", [0.0, None, None]),
    "gold tables are broken": (
        MD,
        {"text": MD, "tables": {"tables": [{"table_id": "t"}]}},
        "bad_reference",
        [0.0, None, None],
    ),
    "gold tables without gold text": (
        MD,
        {"text": None, "tables": {"tables": [TABLE]}},
        "not_text",
        [None, None, pytest.approx(1 / 3)],
    ),
    "prediction is a list": (["text"], MD, "parse_error", [1.0, 0.0, 0.0]),
    "prediction is too long": ("x" * 200, MD, "too_large", [1.0, 0.0, 0.0]),
    "prediction is missing": (None, MD, "missing_prediction", [1.0, 0.0, 0.0]),
    "prediction is empty": ("", MD, "no_table", [1.0, 0.0, 0.0]),
}


@pytest.mark.parametrize(("prediction", "reference", "code", "values"), WITHOUT.values(), ids=WITHOUT)
def test_whatever_does_not_apply_is_in_the_layout_with_an_issue(
    prediction: Any, reference: Any, code: str, values: list[float | None], run: Any, write: Any
) -> None:
    rows = [{"id": "a", "system": "s", "prediction": prediction, "reference": reference}]
    evaluator = DocumentEvaluator(structured={"s": True}, max_chars=100)
    (content,) = files(run(write("pairs.jsonl", rows), evaluator=evaluator)).values()
    entry = content["parsers"]["s"]
    assert code in {issue["code"] for issue in entry["issues"]}
    assert set(entry["cer_detail"]) == set(entry["body_cer_detail"]) == EDITS
    assert [entry[name] for name in ("cer", "structure_f1", "teds")] == values


def test_the_command_line_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "documents.evaluation"]) == 0
    assert json.loads(capsys.readouterr().out) == exports.evaluation_schema()


def test_names_of_documents_cannot_lead_out_of_the_folder(compare_folders: Folders, run: Any, write: Any) -> None:
    ids = ["../../up", "/etc/x", "..", "a/b", "잣", "a" * 400, "con.json"]
    rows = [{"id": id, "prediction": MD, "reference": MD} for id in ids]
    done = run(write("pairs.jsonl", rows), evaluator=DocumentEvaluator())
    found = files(done)
    assert sorted(content["document"] for content in found.values()) == sorted(ids)
    assert {path.name for path in done.folder.iterdir()} <= {
        "evaluation", "input", "manifest.json", "paper.json", "parts", "parts.json", "summary.json",
    }  # fmt: skip


def test_what_an_earlier_run_left_is_removed(compare_folders: Folders, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    compare_folders({"a.md": MD, "b.md": MD}, s={"a.md": MD}, out=folder)
    (folder / "evaluation" / ".a.json.123.tmp").write_text("half")
    done = compare_folders({"a.md": MD}, s={"a.md": MD}, out=folder, overwrite=True)
    assert list(files(done)) == ["a.json"]


def test_documents_in_portions_give_the_same_files(
    compare_folders: Folders, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folders: dict[str, Any] = {name: {f"{n}.md": MD for n in range(5)} for name in ("s", "t")}
    whole = files(compare_folders(folders["s"], **folders))
    monkeypatch.setattr(exports, "DOCUMENTS_AT_ONCE", 2)
    assert files(compare_folders(folders["s"], **folders)) == whole


@pytest.mark.parametrize(
    "spoil",
    [
        lambda entry: entry.pop("cer_detail"),
        lambda entry: entry["body_cer_detail"].pop("hits"),
        lambda entry: entry.update(structure_f1=1.5),
        lambda entry: entry.update(cer="5 %"),
        lambda entry: entry.update(unknown=1),
        lambda entry: entry["teds_detail"].pop("missed"),
    ],
)
def test_the_schema_refuses_what_is_not_in_the_layout(spoil: Callable[[Any], Any], demo: Finished) -> None:
    content = files(demo)["paper.json"]
    spoil(content["parsers"]["image-advanced"])
    assert not Draft202012Validator(exports.evaluation_schema()).is_valid(content)
