"""Pages with a test and the verdict that a reader gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jatdae.checks.page_tests import read_test
from jatdae.checks.verdicts import PageReader

FILES = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
"""`judged` was written with the evaluator, `second` after it was done, and met it once."""
CASES = [json.loads(line) for file in FILES for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['test']['type']}: {case['why']}")
def test_the_verdict_is_the_reader_s(case: dict[str, Any]) -> None:
    test = read_test(case["test"])
    verdict = PageReader(case["page"], [test]).ask(test)
    assert verdict.passed == case["passes"], (case, verdict)
    assert bool(verdict.reason) != verdict.passed


def test_there_are_cases_of_every_type_that_pass_and_that_fail() -> None:
    seen = {(case["test"]["type"], case["passes"]) for case in CASES}
    assert len(seen) == 16
