"""Which tests of a page failed, in words."""

from __future__ import annotations

from pathlib import Path

import jatdae
from jatdae import CheckEvaluator

PAIRS = Path(jatdae.__file__).parent / "checks" / "samples" / "pairs.jsonl"


def test_failed_tests_are_named_with_what_they_asked_and_what_stands_there() -> None:
    result = jatdae.evaluate(PAIRS, "checks")
    assert list(CheckEvaluator.findings(result.sample("notice_pg2").evidence)) == [
        "4 of 6 tests shown pass",
        "growth: text missing",
        "  present: text “The budget grew by 4 % to 1,652 million won.”",
        "  Nearest place: Page 2 of 2 The budget grew by 4 % to 1,625 million won. The area of a circl",
        "no_footer: text that must not be there",
        "  absent: text “Page 2 of 2”",
        "  Found here: Page 2 of 2 The budget grew by",
    ]
    assert list(CheckEvaluator.findings(result.sample("notice_pg1").evidence)) == ["6 of 6 tests shown pass"]
