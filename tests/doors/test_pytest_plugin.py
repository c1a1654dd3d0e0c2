"""The pytest plug-in: limits, baselines, and failures that show the evidence."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from jatdae.core.messages import choose_language
from jatdae.doors.pytest_plugin import FOLDER, Yardstick

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "invoices"
GUIDE = ROOT / "docs" / "guides" / "python.md"
PLUGIN = "jatdae.doors.pytest_plugin"


@pytest.fixture
def test_item(tmp_path: Path) -> Any:
    config = SimpleNamespace(stash=pytest.Stash())
    return SimpleNamespace(path=tmp_path / "test_mine.py", user_properties=[], config=config)


@pytest.fixture
def measure(test_item: Any) -> Yardstick:
    return Yardstick(test_item, update=False)


def failure(call: Any) -> str:
    with pytest.raises(pytest.fail.Exception) as caught:
        call()
    return str(caught.value)


def test_a_check_that_passes_gives_the_result_and_notes_the_value(measure: Yardstick, test_item: Any) -> None:
    result = measure.check("the cat", "the cat", "text", fail_over={"cer": 0.05, "cer.micro": "5%"})
    assert result.value("cer") == 0.0
    assert test_item.user_properties == [("cer", 0.0), ("cer.micro", 0.0)]


def test_a_failure_names_the_gate_and_shows_the_evidence_of_the_worst_samples(measure: Yardstick) -> None:
    told = failure(lambda: measure.check(["a cat", "a dog"], ["a bat", "a dog"], "text", fail_over={"cer": 0.05}))
    assert "cer = 10.00 % > 5.00 %" in told
    assert "sample 1\n" in told and "a [-b-]{+c+}at" in told
    assert "sample 2" not in told  # nothing is wrong with it
    assert "jatdae " in told.splitlines()[-1]


def test_one_document_may_be_an_object_or_a_list_of_one(measure: Yardstick) -> None:
    measure.check({"a": 1}, {"a": 1}, "structured", fail_under={"exact_accuracy": 0.9})
    measure.check([[1, 2]], [[1, 2]], "structured", fail_under={"exact_accuracy": 0.9})


def test_columns_arrays_and_generators_are_lists(measure: Yardstick) -> None:
    for texts in (pa.array(["a", "b"]), np.array(["a", "b"]), iter(["a", "b"])):
        result = measure.check(texts, ["a", "b"], "text", fail_over={"cer": 0.1})
        assert result.summary["systems"][""]["n"] == 2


def test_samples_without_a_reference_are_not_passed_over(measure: Yardstick) -> None:
    told = failure(lambda: measure.check(["a", "a"], ["a", None], "text", fail_over={"cer": 0.1}))
    assert "1 samples have no reference" in told


def test_a_baseline_is_written_once_and_never_by_a_check_that_fails(test_item: Any) -> None:
    writing = Yardstick(test_item, update=True)
    failure(lambda: writing.check("a", "b", "text", baseline="bad", fail_over={"cer": 0.1}))
    assert not (test_item.path.parent / FOLDER).exists()
    writing.check("a", "a", "text", baseline="mine")
    assert "written by another check" in failure(lambda: writing.check("b", "b", "text", baseline="mine"))


def test_data_of_any_kind_are_checked(measure: Yardstick) -> None:
    rows = [{"prediction": "a", "reference": "b", "lang": "en"}]
    assert "cer = 100.00 %" in failure(lambda: measure.check_data(rows, "text", fail_over={"cer": 0.5}))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "nothing can fail"),
        ({"fail_over": {"cerr": 0.1}}, "Did you mean 'cer'"),
        ({"fail_under": {"cer": 0.1}}, r"fail_under cer=0\.1: .*fail_over"),
        ({"fail_over": {"cer": 5}}, r"fail_over cer=5: .*5%"),
        ({"fail_over": {"cer": None}}, "not a number"),
        ({"fail_over": 0.1}, "must be limits by metric"),
        ({"fail_over": {"cer": 0.1}, "normalizer": "fair"}, "Did you mean 'normaliser'"),
        ({"baseline": "x", "margin": 5}, "margin=5"),
        ({"baseline": 5}, "a name is expected, not int"),
    ],
)
def test_a_slip_in_a_check_is_told_and_fails_the_test(given: dict[str, Any], said: str, measure: Yardstick) -> None:
    assert re.search(said, failure(lambda: measure.check("a", "a", "text", **given)))


def test_lists_of_unlike_length_are_refused(measure: Yardstick) -> None:
    assert "2 predictions and 1 references" in failure(
        lambda: measure.check(["a", "b"], ["a"], "text", fail_over={"cer": 0.5})
    )


def test_a_baseline_is_written_when_asked_and_then_held(test_item: Any) -> None:
    reference = ["a bat", "a dog", "a cow"]
    measure, writing = Yardstick(test_item, update=False), Yardstick(test_item, update=True)
    told = failure(lambda: measure.check(reference, reference, "text", baseline="animals"))
    assert "No baseline 'animals'" in told and "--yardstick-update" in told
    writing.check(["a cat", "a dog", "a cow"], reference, "text", baseline="animals")
    assert test_item.user_properties == [("yardstick_baseline", str(test_item.path.parent / FOLDER / "animals"))]
    measure.check(["a cat", "a dog", "a cow"], reference, "text", baseline="animals")
    measure.check(reference, reference, "text", baseline="animals")
    told = failure(lambda: measure.check(["a cat", "a dig", "a cow"], reference, "text", baseline="animals"))
    assert "this run is worse than animals" in told and "a d[-o-]{+i+}g" in told
    measure.check(["a cat", "a dig", "a cow"], reference, "text", baseline="animals", margin=0.5)


def test_a_baseline_of_other_references_says_so(test_item: Any) -> None:
    Yardstick(test_item, update=True).check("a", "a", "text", baseline="../mine")
    assert [path.name for path in (test_item.path.parent / FOLDER).iterdir()] == ["%2E%2E%2Fmine"]
    told = failure(lambda: Yardstick(test_item, update=False).check("a", "b", "text", baseline="../mine"))
    assert "refs" in told and "--yardstick-update" in told


def test_failures_are_told_in_korean(measure: Yardstick) -> None:
    choose_language("ko")
    assert "가장 나쁜 샘플" in failure(lambda: measure.check("a", "b", "text", fail_over={"cer": 0.5}))


def test_pytest_finds_the_plug_in_by_its_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}


def test_the_plug_in_costs_other_tests_nothing() -> None:
    heavy = ("numpy", "pyarrow", "pydantic")
    call = f"import sys, pytest, {PLUGIN}; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", call], text=True).strip() == "[]"


def test_the_guide_shows_what_the_example_project_prints(tmp_path: Path) -> None:
    project = shutil.copytree(EXAMPLE, tmp_path / "invoices", ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "JATDAE_LANG"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1, done.stderr
    shown = [line for line in done.stdout.splitlines() if line.startswith(("E  ", ">  "))]
    assert [line for line in plain(shown) if line not in GUIDE.read_text("utf-8").splitlines()] == []
    assert "1 failed, 1 passed" in done.stdout


def plain(lines: list[str]) -> list[str]:
    """Lines without the signature, whose hashes and version the guide need not repeat."""
    return [line.rstrip() for line in lines if " | kernel:" not in line]
