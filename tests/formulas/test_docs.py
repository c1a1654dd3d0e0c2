"""The numbers in the documentation are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jatdae.formulas import formula_issues, score
from jatdae.formulas.evidence import MAX_DRAWN, MAX_EXTRA, MAX_PAIRS
from jatdae.formulas.formula_issues import ISSUES
from jatdae.formulas.metrics import METRICS
from jatdae.formulas.reader import MAX_DEPTH

PAGE = Path(__file__).parents[2] / "docs" / "metrics" / "formulas.md"


@pytest.fixture(scope="module")
def page() -> str:
    if not PAGE.is_file():
        pytest.skip(f"{PAGE} is not here: the documentation is not part of an installed package")
    return PAGE.read_text("utf-8")


def test_the_examples_score_what_the_page_says(page: str) -> None:
    rows = re.findall(r"^\| `(.*?)` \| `(.*?)` \| (\d\.\d+) \|", page, re.MULTILINE)
    assert len(rows) >= 6
    for reference, prediction, written in rows:
        assert f"{score(prediction, reference):.3f}" == written, reference


def test_what_is_said_to_be_the_same_is(page: str) -> None:
    rules = page.split("## Canonical form")[1].split("## Numbers", maxsplit=1)[0]
    pairs = [pair for pair in re.findall(r"`([^`]+)` = `([^`]+)`", rules) if not {"…"} & set("".join(pair))]
    shown = [(a, b) for a, b in pairs if re.search(r"[a-zA-Z]", re.sub(r"\\[a-zA-Z]+", "", a))]
    assert len(shown) >= 8
    for a, b in shown:
        if "array" not in b and "aligned" not in a:
            assert score(a, b) == 1.0, (a, b)


def test_every_metric_and_every_issue_is_described(page: str) -> None:
    for name in [*(metric.name for metric in METRICS), *(kind.code for kind in ISSUES)]:
        assert f"`{name}`" in page, name


def test_the_limits_are_the_stated_ones(page: str) -> None:
    for name, limit in vars(formula_issues).items():
        if name.startswith("MAX_"):
            assert f"{limit:,}" in page, name
    assert f"more than {MAX_DEPTH} levels" in page
    flat = " ".join(page.split())
    assert f"Up to {MAX_PAIRS} pairs, those that differ first, and {MAX_EXTRA} extra formulas" in flat
    assert f"more than {MAX_DRAWN} symbols" in flat
