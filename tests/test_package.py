"""The package as others meet it: public names, what importing costs, what is shipped, and the guides' examples."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import jatdae
from jatdae.core.version import VERSION
from jatdae.kernels import KERNELS

ROOT = Path(__file__).parents[1]
HEAVY = {"numpy", "pyarrow", "pydantic", "rich", "cyclopts", "orjson", "yaml", "rapidfuzz", "scipy", "lxml", "jinja2"}


def python(*arguments: str, **env: str) -> str:
    path = os.pathsep.join([str(ROOT / "src"), *sys.path])
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "code",
    [
        "import jatdae",
        "import jatdae; dir(jatdae); jatdae.__version__",
        "from jatdae import Metric, Outcome, Sample, Unit, Issue, evaluator",
        "from jatdae.cli import main; main(['--version'])",
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(code: str) -> None:
    loaded = python("-c", f"{code}; import sys; print(); print(*sys.modules)").splitlines()[-1].split()
    assert HEAVY & {name.partition(".")[0] for name in loaded} == set()


def test_the_version_is_one_and_the_same() -> None:
    assert python("-m", "jatdae", "--version") == f"jatdae {VERSION}\n"
    assert jatdae.__version__ == VERSION


def test_every_public_name_is_there() -> None:
    assert sorted(set(jatdae.__all__)) == sorted(jatdae.__all__)
    for name in jatdae.__all__:
        assert getattr(jatdae, name) is not None
    assert set(jatdae.__all__) <= set(dir(jatdae))
    promised = {"Issue", "Metric", "Outcome", "Result", "Sample", "Unit", "compare", "evaluate", "evaluator"}
    assert promised <= set(jatdae.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evalaute'"):
        _ = jatdae.evalaute  # type: ignore[attr-defined]


def test_every_evaluator_that_is_exported_is_registered() -> None:
    """An entry point, a class of `jatdae`, and a room of the same name belong together."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    entries = project["entry-points"]["jatdae.evaluators"]
    registered = {target: name for name, target in entries.items()}
    exported = [getattr(jatdae, name) for name in jatdae.__all__ if name.endswith("Evaluator")]
    assert len(exported) >= 6
    for cls in exported:
        name = registered[f"{cls.__module__}:{cls.__qualname__}"]
        assert cls.__module__ == f"jatdae.{name}.evaluator"


def test_the_pythons_that_are_promised_are_those_that_are_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    promised = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    others = re.search("^PYTHONS := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert others is not None
    assert promised == [project["requires-python"].removeprefix(">="), *others[1].split()]


def test_what_is_not_checked_is_told() -> None:
    command = ["make", "--no-print-directory", "test-pythons", "audit", "PYTHONS=3.0", "AUDIT="]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    untested, unaudited = done.stdout.splitlines()
    assert untested.startswith("NOT TESTED with Python 3.0")
    assert unaudited.startswith("NOT AUDITED")


def test_the_type_marker_is_shipped() -> None:
    assert (Path(jatdae.__file__).parent / "py.typed").is_file()


def test_kernels_are_the_ones_that_are_built() -> None:
    (line,) = re.findall(r"set\(JATDAE_KERNELS (.+)\)", (ROOT / "CMakeLists.txt").read_text())
    assert tuple(line.split()) == KERNELS


def test_the_example_is_short_and_is_the_one_in_the_guide() -> None:
    source = (ROOT / "examples" / "exact_match.py").read_text()
    ast.parse(source)
    assert len(source.splitlines()) <= 30
    assert source in (ROOT / "docs" / "guides" / "plug-ins.md").read_text()


def test_the_suite_of_the_guide_runs(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "guides" / "suites.md").read_text()
    suite = (ROOT / "examples" / "suite.yaml").read_text()
    assert suite in guide
    flags = ["--allow-plugins", "--json", "--jobs", "1", "--out", str(tmp_path)]
    out = python("-m", "jatdae", "run", str(ROOT / "examples" / "suite.yaml"), *flags)
    runs = json.loads(out)
    assert {Path(run["run"]).relative_to(tmp_path).parts[0] for run in runs} == {"nightly"}
    assert all(not run["gates_failed"] for run in runs)
