"""Gold tables beside a gold document: found, checked, hashed, and never taken for documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import DataError
from jatdae.documents import DocumentEvaluator
from jatdae.run.api import Finished, execute
from jatdae.run.input.model import Inputs
from jatdae.run.stats.result import Result
from jatdae.run.work.engine import Engine
from jatdae.text import TextEvaluator

Folders = Callable[..., Finished]
MD = "# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
HTML = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>"


def gold(html: str = HTML) -> str:
    return json.dumps({"tables": [{"table_id": "t1", "html": html}]})


def tables_of(done: Finished) -> dict[str, list[str]]:
    """The names of the tables each document was measured on: sidecars name theirs, documents do not."""
    return {row["id"]: [unit["id"] for unit in row["units"]] for row in Result.load(done.folder).rows()}


@pytest.mark.parametrize("ending", [".tables.json", "_tables.json"])
def test_a_sidecar_belongs_to_its_document(ending: str, compare_folders: Folders) -> None:
    done = compare_folders(
        {"a.md": MD, f"a{ending}": gold(), "sub/v1.2.md": MD, f"sub/v1.2{ending}": gold(), "b.txt": MD},
        s={"a.md": MD, "sub/v1.2.html": MD, "b.md": MD},
    )
    assert tables_of(done) == {"a": ["t1"], "b": ["table_1"], "sub/v1.2": ["t1"]}
    assert done.summary["input"]["rows"] == 3


def test_a_byte_order_mark_and_windows_line_ends_are_fine(compare_folders: Folders) -> None:
    done = compare_folders({"a.md": MD, "a.tables.json": "\ufeff" + gold().replace(" ", "\r\n")}, s={"a.md": MD})
    assert tables_of(done) == {"a": ["t1"]}


def test_a_sidecar_without_its_document_is_an_error(compare_folders: Folders) -> None:
    with pytest.raises(DataError, match=r"c\.tables\.json: belongs to document 'sub/c', which does not exist"):
        compare_folders({"a.md": MD, "sub/c.tables.json": gold()}, s={"a.md": MD})


def test_two_sidecars_of_one_document_are_an_error(compare_folders: Folders) -> None:
    with pytest.raises(DataError, match=r"a\.tables\.json and .*a_tables\.json have the same key"):
        compare_folders({"a.md": MD, "a.tables.json": gold(), "a_tables.json": gold()}, s={"a.md": MD})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{\n "tables": [,]\n}', r"a\.tables\.json:2: "),
        ("[]", r"a\.tables\.json:1: a row must be a JSON object"),
        ("", r"a\.tables\.json:1: "),
        ("[" * 300 + "]" * 300, r"a\.tables\.json:1: nested deeper"),
    ],
)
def test_a_sidecar_that_cannot_be_read_is_named_with_its_line(
    content: str, told: str, compare_folders: Folders
) -> None:
    folders: dict[str, Any] = {"s": {"a.md": MD, "b.md": MD}}
    documents = {"a.md": MD, "a.tables.json": content, "b.md": MD}
    with pytest.raises(DataError, match=told):
        compare_folders(documents, **folders)
    counted = compare_folders(documents, given={"on_bad_row": "count"}, **folders)
    assert counted.summary["input"]["bad_rows"] == 1
    assert list(tables_of(counted)) == ["b"]


def test_a_sidecar_enters_the_hash_of_the_references(compare_folders: Folders) -> None:
    plain, one, other = (
        compare_folders({"a.md": MD, **beside}, s={"a.md": MD}).signature
        for beside in ({}, {"a.tables.json": gold()}, {"a.tables.json": gold(HTML.replace("2", "3"))})
    )
    assert len({plain.refs, one.refs, other.refs}) == 3
    assert len({plain.preds, one.preds, other.preds}) == 1


def test_a_run_goes_on_only_with_the_same_sidecars(compare_folders: Folders, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    compare_folders({"a.md": MD, "a.tables.json": gold()}, s={"a.md": MD}, out=folder)
    assert compare_folders({"a.md": MD, "a.tables.json": gold()}, s={"a.md": MD}, out=folder).resumed == 1
    with pytest.raises(Exception, match="contains a different run"):
        compare_folders({"a.md": MD, "a.tables.json": gold(HTML + " ")}, s={"a.md": MD}, out=folder)


def test_beside_predictions_there_are_no_sidecars(compare_folders: Folders) -> None:
    done = compare_folders({"a.md": MD}, s={"a.md": MD, "a.tables.json": gold()})
    assert done.summary["input"]["extra_predictions"] == {"s": 1}


def test_other_evaluators_see_every_file_as_a_document(compare_folders: Folders) -> None:
    done = compare_folders({"a.md": MD, "a.tables.json": gold()}, TextEvaluator(), s={"a.md": MD})
    assert [row["id"] for row in Result.load(done.folder).rows()] == ["a", "a.tables"]


def test_two_single_documents_have_sidecars_too(write: Any, tmp_path: Path) -> None:
    reference, prediction = write("gold.md", MD), write("out.md", MD)
    write("gold.tables.json", gold())
    inputs = Inputs(reference=reference, predictions=(("s", prediction),))
    done = execute(DocumentEvaluator(), inputs, out=tmp_path / "run", engine=Engine(1))
    assert tables_of(done) == {"gold": ["t1"]}


def test_rows_may_carry_what_a_sidecar_would(write: Any, run: Any, outcomes: Any) -> None:
    row = {"id": "a", "prediction": MD, "reference": {"text": MD, "tables": json.loads(gold())}}
    (outcome,) = outcomes(run(write("pairs.jsonl", [row]), evaluator=DocumentEvaluator()))
    assert (outcome["units"][0]["id"], outcome["values"]["teds"]) == ("t1", 1.0)
