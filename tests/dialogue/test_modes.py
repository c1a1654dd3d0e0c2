"""Modes side by side: turns paired by patient and turn, resampled by patient, in every form a comparison has."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.cli import main
from jatdae.core.contract import Sample

PAIRS = str(resources.files("jatdae.dialogue") / "samples" / "pairs.jsonl")
TRUTH = {"age": 67, "sex": "female", "active_meds": ["metformin"]}
RIGHT, HALF, WRONG = "67세이십니다.", "67세 남성이십니다.", "45세이십니다."
"""Slot factuality of 1, 1/2 and 0."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("modes") / "run"
    assert main(["run", "dialogue", PAIRS, "--out", str(folder)]) == 0
    return folder


def conversation(patient: str, mode: str, answers: list[str]) -> Sample:
    rows = [{"turn_id": turn, "answer": answer, "slots_truth": TRUTH} for turn, answer in enumerate(answers, 1)]
    return Sample(patient, rows, None, system=mode)


def test_turns_are_compared_by_hand() -> None:
    """Differences of 1, 1/2 and 0 of one patient, −1/2 of the other: a mean of 1/4 over four turns of two patients.

    Drawn twice, the first gives 1/2 and the second −1/2, each in a quarter of the draws: the ends of the interval.
    """
    given = [
        conversation("a", "llm", [WRONG, HALF, RIGHT]),
        conversation("a", "agent", [RIGHT, RIGHT, RIGHT]),
        conversation("b", "llm", [RIGHT]),
        conversation("b", "agent", [HALF]),
    ]
    result = jatdae.evaluate(given, "dialogue")
    facts = jatdae.compare(result, result, system_a="llm", system_b="agent")["SFS"]
    assert (facts.by, facts.n, facts.clusters) == ("turn", 4, 2)
    assert (facts.wins, facts.ties, facts.losses) == (2, 1, 1)
    assert facts.delta == pytest.approx(0.25)
    assert facts.ci == (pytest.approx(-0.5), pytest.approx(0.5))
    assert [each.label for each in facts.regressions] == ["b · 1"]


def test_consistency_has_no_turns_and_stays_paired_by_patient(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compared = told(capsys, run, "--json")
    pairs = {each["metric"]["name"]: (each["by"], each["clusters"]) for each in json.loads(compared)["differences"]}
    assert pairs.pop("MCS") == ("sample", 2)
    assert set(pairs.values()) == {("turn", 3)}


@pytest.mark.parametrize(("form", "mark"), [("console", "·"), ("md", "·"), ("latex", r"$\cdot$"), ("html", "·")])
def test_every_form_names_turns_and_what_is_paired(
    run: Path, capsys: pytest.CaptureFixture[str], form: str, mark: str
) -> None:
    written = told(capsys, run, "--format", form)
    assert f"patient-a {mark} 5" in written
    assert "paired by" in written and "clusters" in written


def test_whole_conversations_can_be_paired_instead(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compared = json.loads(told(capsys, run, "--json", "--by", "sample"))
    assert {(each["by"], each["unit"]) for each in flat(compared)} == {("sample", "")}


def test_a_kind_that_is_not_there_is_refused(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(run), "--systems", "agent", "llm", "--by", "trun"]) == 2
    assert "Did you mean 'turn'?" in capsys.readouterr().err


def told(capsys: pytest.CaptureFixture[str], run: Path, *arguments: str) -> str:
    capsys.readouterr()
    assert main(["compare", str(run), "--systems", "agent", "llm", *arguments]) == 0
    return capsys.readouterr().out


def flat(compared: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**each, **lost} for each in compared["differences"] for lost in each["regressions"]]
