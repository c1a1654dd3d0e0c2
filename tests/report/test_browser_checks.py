"""Tests of a page in a real browser: verdict, reason and nearest place are read, and hostile text stays text."""

from __future__ import annotations

from collections.abc import Callable

from jatdae.checks.evaluator import CheckEvaluator
from jatdae.core.contract import Sample
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate

from .conftest import HOSTILE, Opened


def test_each_test_is_shown_with_its_verdict_reason_and_nearest_place(opened: Callable[..., Opened]) -> None:
    tests = [
        {"id": "here", "type": "present", "text": "closed in March"},
        {"id": "gone", "type": "present", "text": "opened in June", "note": HOSTILE},
        {"id": "cell", "type": "table", "cell": HOSTILE},
    ]
    page = f"The pier was closed in March.\n\nIt opened in May. {HOSTILE}"
    shown = opened(to_html(evaluate([Sample("1", page, tests)], CheckEvaluator())), at="#sample=1")
    assert shown.serious() == []
    assert shown.complaints == []
    checks = shown.page.locator("#detail .evidence .check")
    assert checks.count() == 3
    first = checks.nth(0)
    assert "text missing" in first.inner_text()
    assert "opened in" in first.locator("mark").inner_text()
    assert HOSTILE in first.inner_text()
    assert "no table" in checks.nth(1).inner_text()
    assert "passed" in checks.nth(2).inner_text()
