"""Commands that evaluators bring along, ground truth, standard input and settings, as they are typed."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from jatdae.cli import main


def test_an_evaluators_own_commands_stand_under_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["terms", "parse", "舌尖红苔黄腻", "--json"]) == 0
    atoms = [term["atom"] for term in json.loads(capsys.readouterr().out)["terms"]]
    assert atoms == ["LOCATION_舌尖", "COLOR_红", "COATCOLOR_黄", "NATURE_腻"]
    with resources.as_file(resources.files("jatdae.dialogue") / "samples" / "pairs.jsonl") as events:
        assert main(["dialogue", "check", str(events)]) == 0


def test_a_dash_is_a_description_on_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("舌红\n"))
    assert main(["terms", "parse", "-", "--json"]) == 0
    assert [term["atom"] for term in json.loads(capsys.readouterr().out)["terms"]] == ["COLOR_红"]


def test_the_help_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert "clinical descriptions" in shown
    assert "medical conversations" in shown


def test_ground_truth_is_begun_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "doc.tables.json"
    assert main(["gold", "new", "doc", "--tables", "2", "-o", str(file)]) == 0
    assert len(json.loads(file.read_text("utf-8"))["tables"]) == 2
    assert main(["gold", "new", "doc", "-o", str(file)]) == 2, "a file that is there is not written over"
    assert main(["gold", "check", str(file)]) == 1, "a skeleton is still to be filled in"
    assert main(["gold", "new", "doc", "--tables", "0"]) == 2
    assert main(["gold", "check"]) == 2
    assert main(["gold", "check", str(tmp_path / "none.tables.json")]) == 2, "a slip of the pen is no fault of the gold"
    with resources.as_file(resources.files("jatdae.tables") / "samples" / "notice.tables.json") as good:
        capsys.readouterr()
        assert main(["gold", "check", str(good), "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {str(good): []}


@pytest.mark.parametrize("given", [["-"], ["--pred", "-", "--ref", "pairs.jsonl"]])
def test_a_dash_is_standard_input(given: list[str], tmp_path: Path) -> None:
    row = json.dumps({"id": "1", "prediction": "abc", "reference": "abd"}) + "\n"
    (tmp_path / "pairs.jsonl").write_text(row, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "jatdae", "run", "text", *given, "--json", "--out", "run"],
        cwd=tmp_path, input=row.encode(), capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["systems"][""]["metrics"]["cer"]["macro"] == pytest.approx(1 / 3)


ENDLESS = {
    "suite": (["run", "endless.yaml"], "endless.yaml"),
    "terms lexicon": (["run", "terms", "pairs.jsonl", "--lexicon", "endless.yaml"], "endless.yaml"),
    "terms lexicon in JSON": (["terms", "parse", "--lexicon", "endless.json", "tongue"], "endless.json"),
    "JSON Schema": (["run", "structured", "pairs.jsonl", "--schema", "endless.json"], "endless.json"),
    "YAML schema": (["run", "structured", "pairs.jsonl", "--schema", "endless.yaml"], "endless.yaml"),
    "field settings": (["run", "structured", "pairs.jsonl", "--fields", "endless.yaml"], "endless.yaml"),
    "dialogue lexicon": (["run", "dialogue", "events.jsonl", "--lexicon", "endless.yaml"], "endless.yaml"),
    "dialogue rules": (["run", "dialogue", "events.jsonl", "--config", "rules"], "rules/safety_rules.yaml"),
    "dialogue scripts": (["run", "dialogue", "events.jsonl", "--scripts", "endless.jsonl"], "endless.jsonl"),
    "reference tables": (["gold", "check", "endless.tables.json"], "endless.tables.json"),
}


@pytest.mark.parametrize(("arguments", "file"), ENDLESS.values(), ids=ENDLESS)
def test_settings_that_are_a_pipe_are_refused_before_they_are_read(
    arguments: list[str],
    file: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("pairs.jsonl", "events.jsonl"):
        (tmp_path / name).write_text('{"id": 1, "pred": "{}", "gold": "{}"}\n')
    (tmp_path / "rules").mkdir()
    os.mkfifo(tmp_path / file)  # opening it would wait for a writer that never comes
    assert main([*arguments, "--lang", "en"]) == 2
    ended = capsys.readouterr()
    assert ended.out == ""
    assert f"{file}: a device or a pipe. Save its content to a file" in ended.err
