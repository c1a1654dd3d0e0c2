"""Print requirements for `make test-lowest`: dependencies at their lowest versions, tools of tests at those of CI."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

TOOLS = {"pytest", "pytest-xdist", "hypothesis", "jiwer", "apted", "json-repair"}
"""What fast tests import. Without the rest of the group, tests of browser and cluster skip or are slow."""
EXTRAS = ("figures",)
"""Extras that fast tests use."""


def main() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    extras = [each for name in EXTRAS for each in project["project"]["optional-dependencies"][name]]
    for requirement in [*project["project"]["dependencies"], *extras]:
        name, bound, version = requirement.partition(">=")
        if not bound or re.search(r"[^\w.]", version):
            raise SystemExit(f"pyproject.toml: {requirement!r} is not of the form NAME>=VERSION")
        print(f"{name}=={version}")
    for requirement in Path(__file__).with_name("constraints.txt").read_text("utf-8").splitlines():
        if requirement.partition("==")[0] in TOOLS:
            print(requirement)


if __name__ == "__main__":
    main()
