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
    assert "opened in" in first.locator(".check-place").inner_text()
    assert HOSTILE in first.inner_text()
    assert "no table" in checks.nth(1).inner_text()
    assert "passed" in checks.nth(2).inner_text()


def test_what_was_found_and_where_is_said_as_it_is(opened: Callable[..., Opened]) -> None:
    tests = [
        {"id": "check-a", "type": "present", "text": "a price of 1,625 won"},
        {"id": "check-b", "type": "absent", "text": "The pier"},
        {"id": "check-c", "type": "order", "before": "winter", "after": "March"},
        {"id": "check-d", "type": "count", "text": "March", "count": 1},
        {"id": "check-e", "type": "regex", "pattern": "May", "found": False},
    ]
    page = "The pier was closed in March, at a price of 1,652 won."
    shown = opened(to_html(evaluate([Sample("1", page, tests)], CheckEvaluator())), at="#sample=1")
    check = {each["id"]: shown.page.locator("#detail .check", has_text=str(each["id"])) for each in tests}
    assert check["check-a"].locator("dd mark").all_inner_texts() == ["2"]
    assert check["check-a"].locator(".check-place mark").all_inner_texts() == ["2"]
    assert "Found here: The pier" in check["check-b"].inner_text()
    assert "Missing: before" in check["check-c"].inner_text()
    assert "Found: 1" in check["check-d"].inner_text()
    shown.page.evaluate("document.getElementById('language').click()")
    evidence = shown.page.locator("#detail .checks").inner_text()
    for said in ("있어야 할 문구", "없어야 할 문구", "찾은 곳: The pier", "없는 것: 앞 문구", "아니요"):
        assert said in evidence
    for left in ("present", "absent", "pattern", "false"):
        assert left not in evidence
