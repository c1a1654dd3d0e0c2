"""The page on safety: every promise names the tests that hold it, and they are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "safety.md").read_text("utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| promise")]


def test_every_promise_names_tests_that_exist() -> None:
    assert len(ROWS) >= 20
    for row in ROWS:
        named = re.findall(r"`(tests/\S+\.py)::(test_\w+)`", row)
        assert named, row
        for file, test in named:
            functions = ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
            assert test in {each.name for each in functions if isinstance(each, ast.FunctionDef)}, f"{file}::{test}"
