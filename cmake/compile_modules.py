"""Turns the modules that pyproject.toml lists as compiled into C with mypyc, and tells CMake what to build of it.

    python compile_modules.py SOURCE OUT

SOURCE is the folder with pyproject.toml, OUT takes the C files and `modules.cmake`: a call of `jatdae_module` for each
extension. The modules of a room are one library, in which they call each other in C, and an extension for each module
that points there. What is outside of them is looked at only for its types, and libraries are taken as untyped, so that
what is built does not depend on what is installed: `make lint` is what checks types, strictly.
"""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

from mypyc.build import mypycify

OPTIONS = ("--config-file=", "--follow-imports=silent", "--ignore-missing-imports", "--no-site-packages")


def main(source: Path, out: Path) -> None:
    rooms = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["tool"]["jatdae"]["compiled"]
    groups: list[tuple[list[str], str | None]] = [
        ([f"jatdae/{room}/{module}.py" for module in modules], f"jatdae.{room}._compiled")
        for room, modules in rooms.items()
    ]
    os.chdir(source / "src")
    extensions = mypycify(
        [*OPTIONS, f"--cache-dir={out / 'types'}", *(path for paths, _ in groups for path in paths)],
        separate=groups,
        target_dir=str(out),
        include_runtime_files=True,
    )
    calls = [
        f"jatdae_module({each.name} {_list(each.sources)} INCLUDE {_list(each.include_dirs)})" for each in extensions
    ]
    (out / "modules.cmake").write_text("\n".join([*calls, ""]), "utf-8")


def _list(paths: list[str]) -> str:
    return " ".join(f'"{Path(path).as_posix()}"' for path in paths)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
