"""`--only` and `--skip` of `jatdae run`: which of the systems that are given are run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Jatdae = Callable[..., Any]


@pytest.fixture(autouse=True)
def _files() -> None:
    for name in ("gold", "one", "two"):
        Path(f"{name}.jsonl").write_text('{"id": "a", "prediction": "x", "reference": "x"}\n')


GIVEN = ("run", "marks", "--ref", "gold.jsonl", "--system", "one=one.jsonl", "--system", "two=two.jsonl", "--jobs", "1")


@pytest.mark.parametrize(
    "choice", [("--only", "two"), ("--skip", "one"), ("--only", "one", "--only", "two", "--skip", "one")]
)
def test_only_the_chosen_systems_are_run(choice: tuple[str, ...], jatdae: Jatdae) -> None:
    ended = jatdae(*GIVEN, *choice, "--json", "--out", "run")
    assert list(json.loads(ended.out)["systems"]) == ["two"]


def test_a_run_of_the_chosen_is_that_of_them_alone(jatdae: Jatdae) -> None:
    chosen = json.loads(jatdae(*GIVEN, "--skip", "two", "--json", "--out", "chosen").out)
    alone = json.loads(jatdae(*GIVEN[:6], "--json", "--out", "alone", "--jobs", "1").out)
    assert {**chosen, "run": ""} == {**alone, "run": ""}


def test_files_with_both_sides_are_chosen_by_the_names_they_are_called_after(jatdae: Jatdae) -> None:
    ended = jatdae("run", "marks", "one.jsonl", "two.jsonl", "--only", "two", "--json", "--out", "run")
    assert list(json.loads(ended.out)["systems"]) == ["two"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((*GIVEN, "--only", "tow"), "Unknown system 'tow'. Did you mean 'two'? Systems: one, two."),
        ((*GIVEN, "--skip", "one", "--skip", "two"), "No systems are left."),
        (("run", "marks", "one.jsonl", "--only", "one"), "--only and --skip need named systems"),
        (("run", "marks", "--ref", "gold.jsonl", "--pred", "one.jsonl", "--skip", "x"), "jatdae paper RUN --only NAME"),
    ],
)
def test_what_cannot_be_chosen_is_told_before_anything_is_scored(
    arguments: tuple[str, ...], told: str, jatdae: Jatdae
) -> None:
    ended = jatdae(*arguments, "--out", "run")
    assert (ended.status, ended.out) == (2, "")
    assert told in ended.err
    assert not Path("run").exists()


SUITE = """
name: suite
datasets:
  both: {reference: gold.jsonl, systems: {one: one.jsonl, two: two.jsonl}}
  lone: {pairs: {one: one.jsonl}}
evaluators: {marks: {}}
"""


def test_a_dataset_of_a_suite_without_a_chosen_system_is_left_out(jatdae: Jatdae) -> None:
    Path("suite.yaml").write_text(SUITE)
    ran = {
        name: [(each["run"], list(each["systems"])) for each in json.loads(jatdae(*command).out)]
        for name in ("one", "two")
        for command in [("run", "suite.yaml", "--only", name, "--out", name, "--json", "--jobs", "1")]
    }
    assert ran == {
        "one": [("one/suite/both/marks", ["one"]), ("one/suite/lone/marks", ["one"])],
        "two": [("two/suite/both/marks", ["two"])],
    }
    assert "Systems: one, two." in jatdae("run", "suite.yaml", "--skip", "three").err


def test_a_file_that_a_suite_lacks_is_told_before_its_first_run_unless_it_is_left_out(jatdae: Jatdae) -> None:
    Path("suite.yaml").write_text(SUITE.replace("pairs: {one: one.jsonl}", "pairs: {late: late.jsonl}").lstrip())
    ended = jatdae("run", "suite.yaml", "--out", "runs")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "error: suite.yaml:4 (datasets.lone): late.jsonl: no such file or folder.\n"
    assert not Path("runs").exists()
    assert jatdae("run", "suite.yaml", "--out", "runs", "--skip", "late").status == 0
