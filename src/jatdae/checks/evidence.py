"""Evidence for checks: every failed test with its reason and the place that nearly matched, then those that passed.

{"checks": [{"id": …, "type": "present", "passed": 0.0, "asked": {"text": …}, "reason": "present_missing",
             "found": …, "place": [before, match, after]}, …], "checks_left_out": 3}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from jatdae.checks.page_tests import PageTest
from jatdae.checks.verdicts import Verdict

MAX_SHOWN: Final = 100
MAX_TEXT: Final = 600
_KEPT_QUIET: Final = frozenset(["id", "type", "checked", "note"])


class _Asked(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def test(self) -> PageTest: ...
    @property
    def verdicts(self) -> tuple[Verdict, ...]: ...
    @property
    def passed(self) -> float: ...


def show_checks(asked: Sequence[_Asked]) -> dict[str, Any]:
    """Evidence of a document: failed tests first, in their order."""
    ranked = sorted(asked, key=lambda each: each.passed == 1.0)
    shown: dict[str, Any] = {"checks": [_show(each) for each in ranked[:MAX_SHOWN]]}
    if len(ranked) > MAX_SHOWN:
        shown["checks_left_out"] = len(ranked) - MAX_SHOWN
    return shown


def _show(each: _Asked) -> dict[str, Any]:
    verdict = next((verdict for verdict in each.verdicts if not verdict.passed), each.verdicts[0])
    asked = each.test.model_dump(exclude_defaults=True, exclude=set(_KEPT_QUIET))
    shown: dict[str, Any] = {"id": each.id, "type": each.test.type, "passed": each.passed}
    shown["asked"] = {key: _short(value) if isinstance(value, str) else value for key, value in asked.items()}
    if each.test.note:
        shown["note"] = _short(each.test.note)
    if verdict.reason:
        shown["reason"] = verdict.reason
    if verdict.found:
        shown["found"] = _short(verdict.found)
    if verdict.place and not verdict.passed:
        shown["place"] = list(verdict.place)
    return shown


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
