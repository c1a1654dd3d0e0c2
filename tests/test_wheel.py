"""What `pip install` gives where no compiler works: a wheel of Python alone, with everything but the native loops."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMPILED = {".cpp", ".hpp"}
TEXTS = {f"jatdae/{folder}/messages.{language}.toml" for folder in ("core", "text") for language in ("en", "ko")}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources, as a fresh clone has them."""
    path = tmp_path_factory.mktemp("tree")
    for name in ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, path)
    shutil.copytree(ROOT / "cmake", path / "cmake")
    shutil.copytree(ROOT / "src", path / "src", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return path


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that a compiler which always fails leaves us with."""
    pytest.importorskip("scikit_build_core", reason="the build backend is not installed in this environment")
    pytest.importorskip("nanobind", reason="nanobind is not installed in this environment")
    made = tmp_path_factory.mktemp("made")
    command = [sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", str(made)]
    no_compiler = {**os.environ, "CC": "false", "CXX": "false"}
    done = subprocess.run(command, cwd=tree, env=no_compiler, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = made.iterdir()
    return path


def test_without_a_compiler_the_wheel_is_for_every_platform(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")


def test_everything_the_package_reads_is_in_the_wheel(wheel: Path, tree: Path) -> None:
    package = tree / "src" / "jatdae"
    files = (path for path in package.rglob("*") if path.is_file())
    wanted = {path.relative_to(package.parent).as_posix() for path in files if path.suffix not in COMPILED}
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert shipped == wanted
    assert {"jatdae/py.typed", *TEXTS} <= shipped


def test_the_wheel_runs_on_the_pure_python_kernels(wheel: Path, tmp_path: Path) -> None:
    """With the libraries of this environment, but without the package that is installed in it."""
    libraries = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    code = (
        f"import sys; sys.path[:0] = [{str(wheel)!r}]; sys.path += {libraries!r}\n"
        "import jatdae, jatdae.kernels as k; print(jatdae.__file__, k.kernel(), *map(k.native, k.KERNELS))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    file, kernel, *loops = done.stdout.split()
    assert file.startswith(str(wheel))
    assert (kernel, set(loops)) == ("python", {"None"})
