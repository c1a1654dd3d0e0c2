"""Files beside a document of a reference folder: read with it, hashed with it, and told of where they are off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import DataError
from jatdae.run import api
from jatdae.run.input.folders import find_documents

FILES = {"a.md": "x", "a.facts.json": '{"n":\n 1}', "sub/b.txt": "x", "sub/b_facts.json": "{}", "c.md": "y"}


@pytest.fixture
def score(write: Any, run: Any, plugin: Any, tmp_path: Path) -> Any:
    def of(files: dict[str, Any], **given: Any) -> Any:
        for name in ("a.md", "sub/b.md", "c.md"):
            write(f"pred/{name}", "x")
        for name, text in files.items():
            write(f"ref/{name}", text)
        return run(str(tmp_path / "pred"), str(tmp_path / "ref"), evaluator=plugin("beside:Beside"), **given)

    return of


def test_a_document_comes_with_what_lies_beside_it(score: Any, outcomes: Any) -> None:
    assert [(row["id"], row["values"]["exact"], row["evidence"]) for row in outcomes(score(FILES))] == [
        ("a", 1.0, {"text": "x", "facts": {"n": 1}, "notes": None}),
        ("c", 0.0, {"text": "y", "facts": None, "notes": None}),
        ("sub/b", 1.0, {"text": "x", "facts": {}, "notes": None}),
    ]


def test_what_lies_beside_a_document_is_part_of_the_references(score: Any) -> None:
    first = score(FILES).signature.refs
    assert score(FILES).signature.refs == first
    assert score({**FILES, "a.facts.json": '{"n": 2}'}).signature.refs != first


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"d.facts.json": "{}"}, r"ref/d\.facts\.json"),
        ({"a_facts.json": "{}"}, r"a\.facts\.json and .*a_facts\.json have the same key"),
        ({"a.facts.json": '{\n"n": ?}'}, r"a\.facts\.json:2: "),
        ({"a.facts.json": "[1]"}, r"a\.facts\.json:1: .*has type array"),
        ({"a.facts.json": b"\xff"}, r"a\.facts\.json:1:1: neither UTF-8 nor CP949"),
    ],
)
def test_what_is_off_beside_a_document_is_named(more: Any, said: str, score: Any) -> None:
    with pytest.raises(DataError, match=said):
        score({**FILES, **more})


def test_a_document_whose_sidecar_is_off_is_a_bad_row(score: Any, outcomes: Any) -> None:
    done = score({**FILES, "a.facts.json": "{"}, on_bad_row="count")
    assert [row["id"] for row in outcomes(done)] == ["c", "sub/b"]
    assert (done.summary["input"]["rows"], done.summary["input"]["bad_rows"]) == (3, 1)


@pytest.mark.parametrize("name", ["ref/c.md", "ref/a.facts.json", "pred/c.md"])
def test_a_document_that_changes_after_it_was_listed_is_refused(
    name: str, score: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as before, so that only what it holds tells."""
    make_plan = api.make_plan

    def change_after(*given: Any, **more: Any) -> Any:
        plan = make_plan(*given, **more)
        write(name, {"ref/c.md": "z", "ref/a.facts.json": '{"n":\n 2}', "pred/c.md": "z"}[name])
        return plan

    monkeypatch.setattr(api, "make_plan", change_after)
    with pytest.raises(DataError, match=rf"{name}: its content is not what the run was planned with"):
        score(FILES)


def test_repetitions_of_a_document_are_one_and_records_are_none(tmp_path: Path) -> None:
    for name in ("a_repeat1.md", "a_repeat10.md", "a_repeat2.md", "b.md", "parse.jsonl", "latex.jsonl"):
        (tmp_path / name).write_text(name, "utf-8")
    found = find_documents(tmp_path, (), "_repeat[0-9]+")
    assert [(key, [path.name for path in paths]) for key, paths in found] == [
        ("a", ["a_repeat1.md", "a_repeat2.md", "a_repeat10.md"]), ("b", ["b.md"]),
    ]  # fmt: skip
    assert [key for key, _ in find_documents(tmp_path, ())] == ["a_repeat1", "a_repeat10", "a_repeat2", "b"]
