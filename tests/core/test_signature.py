"""The line that reproduces a number: its form, what enters it, and what makes two runs comparable."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli.run import evaluator_from, flags_of
from jatdae.core.config import build
from jatdae.core.contract import Metric, Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import evaluator, options_of
from jatdae.core.signature import Signature, sign, unsigned
from jatdae.core.version import VERSION
from jatdae.core.yamlfile import parse_yaml
from jatdae.tables import TableEvaluator

PLAIN = Signature("text", {"normaliser": "fair@1", "unit": "char"}, "worst", "3fa1c2d9", "77b0e1aa", "native")
HASH = re.compile(r"[0-9a-f]{8}")


def signed(it: object, **given: Any) -> Signature:
    return sign(it, **{"refs": "a" * 64, "preds": "b" * 64, "kernel": "native", **given})


def test_the_line_is_as_designed() -> None:
    assert str(PLAIN) == (
        f"jatdae {VERSION} | text | normaliser:fair@1 | unit:char"
        " | missing:worst | refs:3fa1c2d9 | preds:77b0e1aa | kernel:native"
    )


def test_fields_stand_in_the_line_in_their_order(plugin: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("one")
    made = plugin("kinds:Kinds", truth=True, names=["a", "b"], marks=["z", "y"], weights={"b": 1, "a": 0.5},
                  file=tmp_path / "list.txt")  # fmt: skip
    parts = signed(made).parts
    source = parts["source"]
    assert HASH.fullmatch(source)
    assert parts == {
        "truth": "yes", "count": "3", "share": "0.5", "word": "plain", "choice": "first", "shade": "dark",
        "steps": "trim", "names": "a+b", "marks": "y+z", "weights": '{"a":0.5,"b":1.0}', "file": "list.txt@7692c3ad",
        "files": "–", "source": source,
    }  # fmt: skip
    assert list(parts)[:3] == ["truth", "count", "share"]


@pytest.mark.parametrize("value", ["x" * 49, "a | b", "two\nlines", "\x1b[31m", "\u202e"])
def test_a_value_that_would_break_the_line_enters_by_its_hash(plugin: Callable[..., Any], value: str) -> None:
    assert HASH.fullmatch(signed(plugin("kinds:Kinds", word=value)).parts["word"])


DIFFERENT = {
    "a joined name and two names": ({"names": ["a+b"]}, {"names": ["a", "b"]}),
    "no files and an empty list of files": ({"files": None}, {"files": []}),
    "order of steps": ({"steps": ["a", "b"]}, {"steps": ["b", "a"]}),
    "no name and an empty name": ({"names": []}, {"names": [""]}),
    "weights": ({"weights": {"a": 1.0}}, {"weights": {"a": 1.5}}),
    "long words": ({"word": "x" * 60}, {"word": "x" * 61}),
}


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_could_score_differently_is_signed_differently(
    plugin: Callable[..., Any], one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert signed(plugin("kinds:Kinds", **one)).hash != signed(plugin("kinds:Kinds", **other)).hash


def test_what_changes_no_score_is_no_part_of_the_signature_but_is_told_apart() -> None:
    short, long = TableEvaluator(), TableEvaluator(explain=True)
    assert str(signed(short)) == str(signed(long))
    assert "explain" not in signed(long).parts
    assert (unsigned(short), unsigned(long)) == ({"explain": False}, {"explain": True})
    assert [option.name for option in options_of(TableEvaluator) if not option.signed] == ["explain"]


def test_files_enter_by_their_content(plugin: Callable[..., Any], tmp_path: Path) -> None:
    here, there = tmp_path / "here" / "list.txt", tmp_path / "there" / "list.txt"
    for path in (here, there):
        path.parent.mkdir()
        path.write_text("one")

    def word() -> str:
        return signed(plugin("kinds:Kinds", file=here)).parts["file"]

    before = word()
    assert before == signed(plugin("kinds:Kinds", file=there)).parts["file"]
    assert signed(plugin("kinds:Kinds", files=[here, there])).parts["files"] == f"{before}+{before}"
    here.write_text("two")
    assert word() != before


def test_folders_enter_by_the_content_of_all_they_hold(plugin: Callable[..., Any], tmp_path: Path) -> None:
    def signed_folder(name: str, files: dict[str, str]) -> str:
        for inner, text in files.items():
            path = tmp_path / name / "folder" / inner
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return signed(plugin("kinds:Kinds", file=tmp_path / name / "folder")).parts["file"]

    one = signed_folder("1", {"a": "X", "b/c": "Y"})
    assert one == signed_folder("2", {"b/c": "Y", "a": "X"})
    others = [{"a": "X", "b/d": "Y"}, {"a": "Xb/c\0Y"}, {"a": "Y", "b/c": "X"}, {"a": "X", "b/c": "Y", "d": ""}]
    assert len({one, *(signed_folder(f"o{at}", files) for at, files in enumerate(others))}) == 5


def test_a_file_that_is_not_there_is_told_of(plugin: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.txt: cannot be read \(no such file"):
        signed(plugin("kinds:Kinds", file=tmp_path / "none.txt"))


def test_one_configuration_has_one_signature_however_it_is_given(plugin: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("one")
    cls = type(plugin("kinds:Kinds"))
    file = str(tmp_path / "list.txt")
    typed = cls(truth=True, share=1, steps=["a", "b"], weights={"x": 2}, file=file)
    yaml = f"truth: yes\nshare: 1\nsteps: [a, b]\nweights: {{x: 2}}\nfile: {file}\n"
    _, defaults = flags_of(cls)
    flags = replace(defaults, truth=True, share=1.0, steps=("a", "b"), weights=("x=2",), file=Path(file))
    ways = {
        "Python": typed,
        "texts": build(cls, {"truth": "1", "share": "1", "steps": ("a", "b"), "weights": {"x": "2.0"}, "file": file}),
        "YAML": build(cls, parse_yaml(yaml, "f").value),
        "flags": evaluator_from(cls, flags),
    }
    assert len({str(signed(made)) for made in ways.values()}) == 1


def test_the_hash_leaves_the_kernel_out_and_nothing_else() -> None:
    assert replace(PLAIN, kernel="python").hash == PLAIN.hash
    changed: list[dict[str, Any]] = [
        {"evaluator": "tables"}, {"parts": {"normaliser": "raw@1", "unit": "char"}}, {"missing": "skip"},
        {"refs": "00000000"}, {"preds": "00000000"}, {"version": "9.9"},
    ]  # fmt: skip
    assert len({PLAIN.hash, *(replace(PLAIN, **change).hash for change in changed)}) == 7


def test_runs_differ_in_what_moves_a_score_and_not_in_what_was_predicted() -> None:
    assert PLAIN.differences(replace(PLAIN, preds="0", kernel="python", version="9.9")) == []
    other = replace(PLAIN, evaluator="tables", parts={"normaliser": "raw@1", "more": "x"}, missing="skip", refs="0")
    assert PLAIN.differences(other) == [
        "evaluator: text ≠ tables", "normaliser: fair@1 ≠ raw@1", "unit: char ≠ –", "missing: worst ≠ skip",
        "refs: 3fa1c2d9 ≠ 0", "more: – ≠ x",
    ]  # fmt: skip


def test_an_evaluator_may_write_its_own_parts_and_its_version() -> None:
    signature = signed(Versioned())
    assert str(signature).startswith(f"jatdae {VERSION} | versioned@3 | steps:fair@2 | size:1 | rules:7 | source:")


@evaluator("versioned", metrics=[Metric("score", "higher", worst=0.0)], version=3)
class Versioned:
    """Components with versions of their own."""

    steps: str = "fair"
    size: int = 1

    def signature_parts(self) -> dict[str, Any]:
        return {"steps": f"{self.steps}@2", "rules": 7}

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"score": 1.0})
