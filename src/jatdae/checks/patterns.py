"""Regular expressions of tests, run by RE2: time linear in the length of the page, whatever the expression."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import re2  # type: ignore[import-untyped]

_LINES: Final = "(?m)"
"""`^` and `$` are the ends of lines."""


def find_pattern_problem(pattern: str) -> str:
    """Reason why RE2 cannot take a pattern, in its own words; empty if it can."""
    try:
        _compiled(pattern, True)
    except UnicodeEncodeError:
        return "not UTF-8"
    except re2.error as error:
        reason = error.args[0]
        return (reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)).replace(_LINES, "")
    return ""


def find_pattern(pattern: str, text: str, *, case_sensitive: bool) -> tuple[int, int] | None:
    """Where a pattern is first found in a text, in characters; None where it is not."""
    found = _compiled(pattern, case_sensitive).search(text.encode("utf-8", "replace").decode("utf-8"))
    return None if found is None else found.span()


@lru_cache(maxsize=1_000)
def _compiled(pattern: str, case_sensitive: bool) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    options.case_sensitive = case_sensitive
    return re2.compile(_LINES + pattern, options)
