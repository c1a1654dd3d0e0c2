"""Which tests of a page failed and why, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jatdae.core.messages import shown, word_finder

LONGEST: Final = 100
THERE: Final = ("absent_found", "regex_found", "order_wrong")
"""Reasons of tests that failed because of what stands at the place."""

word = word_finder(__name__)


def say_findings(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the evidence of one page: each failed test, what it asked for, and what stands there instead."""
    checks = evidence["checks"]
    passed = sum(check["passed"] == 1 for check in checks)
    yield word("checks_sum", passed=passed, all=len(checks))
    for check in checks:
        if check["passed"] < 1:
            reason = word(f"key.{check['reason']}") if check.get("reason") else word("check.failed")
            yield f"{shown(check['id'])}: {reason}"
            asked = (f"{_named(key)} {_value(value)}" for key, value in check["asked"].items())
            yield f"  {word('type_' + check['type'])}: {', '.join(asked)}"
            yield from (f"  {line}" for line in _found(check))
    if left_out := evidence.get("checks_left_out"):
        yield word("checks_left_out", n=left_out)


def _found(check: Mapping[str, Any]) -> Iterator[str]:
    if check.get("found"):
        lacking = check.get("reason") == "order_text_missing"
        found = _named(check["found"]) if lacking else shown(check["found"], LONGEST)
        yield f"{word('check.lacking' if lacking else 'check.found')} {found}"
    if check.get("place"):
        before, match, after = check["place"]
        there = check.get("reason") in THERE or (check.get("reason") == "count_differs" and check.get("found") != "0")
        place = shown((before[-20:] + match + after[:20]).strip(), LONGEST)
        yield f"{word('check.there' if there else 'check.nearest')} {place}"


def _named(key: str) -> str:
    """A name of a tests file, in the reader's language where it has a word for it."""
    return word(f"asked_{key}", key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return word(f"asked_{str(value).lower()}")
    return f"“{shown(value, LONGEST)}”" if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
