"""Folders of benchmarks: those published, where they are at hand, and tiny ones of our own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(os.environ.get("JATDAE_DATA") or Path(__file__).parents[4] / "shared" / "data") / "benchmarks"


@pytest.fixture(scope="session")
def published() -> Callable[[str], Path]:
    """The published folder of a benchmark."""

    def of(name: str) -> Path:
        if not (FOLDER / name).is_dir():
            pytest.skip(f"{FOLDER / name} is not here; set JATDAE_DATA to the folder with the conformance data")
        return FOLDER / name

    return of


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[Mapping[str, Any]], Path]:
    """`folder({file: text or JSON})`: a folder that holds these files."""

    def of(files: Mapping[str, Any]) -> Path:
        for name, content in files.items():
            path = tmp_path / "bench" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), "utf-8")
        return tmp_path / "bench"

    return of
