"""Which modules are compiled, and when their sources are imported instead."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from jatdae.core.compiled import ROOT, SourceFinder, are_compiled, beside, is_outdated, source_folder

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
ROOMS: dict[str, list[str]] = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["jatdae"]["compiled"]


@pytest.mark.parametrize("room", ROOMS)
def test_modules_that_are_listed_exist_and_stand_in_order(room: str) -> None:
    assert all((ROOT / room / f"{module}.py").is_file() for module in ROOMS[room])
    assert ROOMS[room] == sorted(ROOMS[room])


@pytest.mark.skipif("CI" not in os.environ, reason="an edited source is imported as it is; CI builds everything anew")
@pytest.mark.skipif("JATDAE_KERNEL" in os.environ, reason="JATDAE_KERNEL chooses")
def test_what_was_built_is_what_is_tested() -> None:
    assert are_compiled()


@pytest.mark.parametrize("name", ["jatdae.core.compiled", "jatdae.kernels.edit"])
def test_a_module_is_found_by_its_source(name: str) -> None:
    spec = SourceFinder().find_spec(name, None)
    assert spec is not None
    assert spec.origin == str(ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py"))


@pytest.mark.parametrize(
    "name", ["jatdae", "jatdae.core", "jatdae.kernels._edit", "jatdae.nothing", "json", "core.compiled"]
)
def test_packages_loops_and_others_are_left_to_python(name: str) -> None:
    assert SourceFinder().find_spec(name, None) is None


@pytest.mark.parametrize(("written", "outdated"), [(1, False), (3, True)])
def test_a_source_that_is_newer_than_the_build_outdates_it(tmp_path: Path, written: int, outdated: bool) -> None:
    sources, installed = tmp_path / "src", tmp_path / "site"
    for file, when in ((sources / "room" / "module.py", written), (installed / "room" / "_compiled__mypyc.so", 2)):
        file.parent.mkdir(parents=True)
        file.touch()
        os.utime(file, (when, when))
    assert is_outdated([installed, sources], sources) is outdated
    assert not is_outdated([sources], sources)


def test_data_of_a_module_stands_beside_its_source() -> None:
    assert beside("jatdae.core.compiled", "messages.en.toml").is_file()
    assert source_folder(sys.modules["jatdae.core"]) == source_folder(sys.modules["jatdae.core.compiled"])


@pytest.mark.parametrize("room", ROOMS)
def test_sources_give_what_the_compiled_modules_give(room: str) -> None:
    def score(kernel: str) -> list[str]:
        environment = {**os.environ, "JATDAE_KERNEL": kernel}
        command = [sys.executable, str(Path(__file__).with_name("twins.py")), room]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=True)
        return done.stdout.splitlines()

    (how, *compiled), (other, *source) = score("native"), score("loops")
    assert other == "False"
    assert how == str(are_compiled()) or "JATDAE_KERNEL" in os.environ
    assert len(source) > 50
    assert compiled == source
