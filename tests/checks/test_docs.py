"""The numbers and names in the documentation are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from jatdae.checks import evaluator, near_matches, page_tests, verdicts
from jatdae.checks.evidence import MAX_SHOWN
from jatdae.checks.page_tests import TYPES, PageTestsFile
from jatdae.core.configfile import parse_config

PAGE = Path(__file__).parents[2] / "docs" / "metrics" / "checks.md"


@pytest.fixture(scope="module")
def page() -> str:
    if not PAGE.is_file():
        pytest.skip(f"{PAGE} is not here: the documentation is not part of an installed package")
    return PAGE.read_text("utf-8")


def test_the_limits_are_those_of_the_code(page: str) -> None:
    written = re.findall(r"\| ([\d,]+) \|", page.split("## Limits")[1])
    limits = [
        evaluator.MAX_CHARS, evaluator.MAX_REPEATS, page_tests.MAX_TESTS, page_tests.MAX_TEXT, near_matches.MAX_DIFFS,
        verdicts.MAX_PUBLISHED,
    ]  # fmt: skip
    assert [int(number.replace(",", "")) for number in written] == limits
    assert f"at most {MAX_SHOWN} tests" in page
    assert f"fewer than {verdicts.NEARLY_EMPTY} letters" in page


def test_every_type_is_described(page: str) -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", page.split("## Files", maxsplit=1)[0], re.MULTILINE)) == set(TYPES)


def test_the_example_is_a_file_of_tests(page: str) -> None:
    example = page.split("```yaml\n")[1].split("```", maxsplit=1)[0]
    assert len(yaml.safe_load(example)["documents"]["report_pg1"]) == 6
    assert len(parse_config(example.encode(), "tests.yaml", PageTestsFile).content.documents) == 1
