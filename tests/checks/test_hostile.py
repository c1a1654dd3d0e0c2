"""Hostile pages and tests: a verdict or an issue, never an error, and work that grows with length alone."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae import CheckEvaluator, Sample
from jatdae.checks.page_text import plain, published

N = 20_000
PAGES = {
    "open emphasis": "**a " * N,
    "open underscores": "__a " * N,
    "stars": "*" * N,
    "open tags": "<a " * N,
    "open comments": "<!-- " * N,
    "open images": "![" * N,
    "open formulas": "\\( " * N,
    "dollars": "$" * (N + 1),
    "pipes": "|" * N,
    "tables": "<table><tr><td>" * 1_000,
    "spans": "<table><tr><td rowspan=999999999 colspan=999999999>a</td></tr></table>",
    "odd spans": "<table><tr><td rowspan=x colspan=-3>a</td></tr></table>",
    "entities": "&amp" * N,
    "backslashes": "\\" * N,
    "repetition": "ab" * N,
    "surrogates": "\ud800 a" * 100,
    "null": "\x00" * N,
    "bidi": "\u202eabc" * 100,
}
TESTS: list[dict[str, Any]] = [
    {"type": "present", "text": "a" * 300, "max_diffs": 5},
    {"type": "absent", "text": "**a", "first_n": 100, "last_n": 100},
    {"type": "order", "before": "a a a a", "after": "b", "max_diffs": 0},
    {"type": "table", "cell": "a", "up": "b", "top_heading": "c", "left_heading": "d"},
    {"type": "math", "math": "\\frac{" * 50},
    {"type": "baseline"},
    {"type": "baseline", "max_length": 3, "max_length_skips_image_alt_tags": True},
    {"type": "count", "text": "a", "count": 1},
    {"type": "regex", "pattern": "(a+)+$"},
    {"type": "regex", "pattern": "(.*)*x", "case_sensitive": False},
]


@pytest.mark.parametrize("published_mode", [False, True])
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_hostile_page_is_judged(page: str, published_mode: bool) -> None:
    outcome = CheckEvaluator(as_published=published_mode).score(Sample("1", page, TESTS))
    assert len(outcome.units) == len(TESTS)


@pytest.mark.parametrize(
    "test",
    [
        {"type": "present", "text": "\ud800"},
        {"type": "present", "text": "a", "max_diffs": 10_000_000},
        {"type": "regex", "pattern": "\ud800"},
        {"type": "regex", "pattern": "a{1000}{1000}"},
        {"type": "regex", "pattern": "(?=a)b"},
        {"type": "present", "text": "a" * 100_000},
        {"type": "table", "cell": ""},
    ],
)
def test_a_hostile_test_is_judged_or_refused(test: dict[str, Any]) -> None:
    outcome = CheckEvaluator().score(Sample("1", "an ordinary page of text", [test]))
    assert outcome.units or [issue.code for issue in outcome.issues] == ["bad_reference"]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_cleaning_is_settled(page: str) -> None:
    """What was cleaned stays clean where nothing new comes of it: no entity becomes a tag that is then removed."""
    assert len(plain(page)) <= len(page)
    assert len(published(page)) <= len(page)
