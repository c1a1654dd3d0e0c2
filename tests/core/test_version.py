"""Versions that decide a score: the source of jatdae's own evaluators among them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import jatdae
from jatdae.core.version import source_of, version_differences, versions

PACKAGE = Path(jatdae.__file__).parent


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "jatdae", ignore=shutil.ignore_patterns("__pycache__")))


def append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n# altered")


def test_a_copy_of_the_package_has_the_same_source(copied: Path) -> None:
    (copied / "text" / "__pycache__").mkdir()
    (copied / "text" / "__pycache__" / "evaluator.cpython-311.pyc").write_bytes(b"compiled")
    (copied / "kernels" / "_edit.so").write_bytes(b"built elsewhere")
    assert source_of(copied) == versions()["source"]


@pytest.mark.parametrize(
    "name", ["text/error_rates.py", "core/contract.py", "run/work/score.py", "kernels/edit_twin.py", "terms/slots.py"]
)
def test_an_altered_module_is_another_source(name: str, copied: Path) -> None:
    append(copied / name)
    assert source_of(copied) != versions()["source"]


def test_an_altered_lexicon_is_another_source(copied: Path) -> None:
    append(next((copied / "dialogue").rglob("*.yaml")))
    assert source_of(copied) != versions()["source"]


def test_how_a_run_is_shown_decides_no_score(copied: Path) -> None:
    for name in ("report/pages.py", "cli/run.py", "doors/pytest_plugin.py"):
        append(copied / name)
    assert source_of(copied) == versions()["source"]


def test_differences_name_both_versions() -> None:
    there = {"jatdae": "0.1.0", "unicode": "15.0.0", "libxml2": "2.9.14"}
    assert version_differences(there, there) == []
    assert version_differences(there, {"jatdae": "0.1.0", "unicode": "16.0.0", "source": "1a2b"}) == [
        "unicode: 15.0.0 ≠ 16.0.0",
        "libxml2: 2.9.14 ≠ –",
        "jatdae's own source: – ≠ 1a2b",
    ]
