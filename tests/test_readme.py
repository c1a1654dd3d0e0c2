"""What the READMEs show is what the code prints. `python tests/test_readme.py` writes the blocks anew."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.ko.md")
BLOCK = re.compile(r"^```console\n\$ (?P<command>jatdae [^\n]*)\n(?P<shown>.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(?P<code>import jatdae\n.*?)^```$", re.MULTILINE | re.DOTALL)


def printed(command: str, folder: Path) -> str:
    """What a command prints in a terminal 100 columns wide; runs go to a folder of their own."""
    arguments = command.split()[1:]
    if not (folder / "src").exists():
        (folder / "src").symlink_to(ROOT / "src")
        (folder / "examples").symlink_to(ROOT / "examples")
    environment = {**os.environ, "COLUMNS": "100", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "jatdae", *arguments], cwd=folder, env=environment, capture_output=True, check=True
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.decode().strip().splitlines())


def without_kernel(text: str) -> str:
    return re.sub(r"kernel:\w+", "kernel:…", text)


@pytest.mark.parametrize("name", READMES)
def test_the_output_shown_is_the_output_printed(name: str, tmp_path: Path) -> None:
    blocks = list(BLOCK.finditer((ROOT / name).read_text("utf-8")))
    assert blocks
    for block in blocks:
        assert without_kernel(printed(block["command"], tmp_path)) == without_kernel(block["shown"])


@pytest.mark.parametrize("name", READMES)
def test_the_python_shown_gives_the_values_shown(name: str) -> None:
    (code,) = [found["code"] for found in PYTHON.finditer((ROOT / name).read_text("utf-8"))]
    names: dict[str, object] = {}
    checked = 0
    for statement in re.split(r"\n(?=\S)", code.replace("\n)", " )")):
        source, _, comment = statement.partition("#")
        if re.match(r"\s*[\d.]+", comment):
            assert eval(source, names) == float(re.match(r"\s*([\d.]+\d)", comment)[1])  # type: ignore[index]
            checked += 1
        else:
            exec(source, names)
    assert checked == 2


def rewrite() -> None:
    """Put what is printed now into the READMEs."""
    with tempfile.TemporaryDirectory() as folder:
        for name in READMES:
            text = (ROOT / name).read_text("utf-8")
            for block in BLOCK.finditer(text):
                fresh = f"```console\n$ {block['command']}\n{printed(block['command'], Path(folder))}```"
                text = text.replace(block[0], fresh)
            (ROOT / name).write_text(text, "utf-8")


if __name__ == "__main__":
    rewrite()
