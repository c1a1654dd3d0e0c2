"""Issues of formulas with their severities, and the limits beyond which one is raised."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jatdae.core.contract import Issue, IssueKind

ISSUES: Final = (
    IssueKind("no_formula", "warning"),  # the reference has formulas, the prediction has none: 0
    IssueKind("no_reference_formula", "info"),  # nothing to compare with: N/A
    IssueKind("formula_missed", "warning"),  # a reference formula without a partner: 0
    IssueKind("formula_extra", "warning"),  # a predicted formula without a partner: charged by formula_f1
    IssueKind("unbalanced", "warning"),  # a group or environment that is not closed, or was never opened
    IssueKind("unknown_latex", "info"),  # compared by its name
    IssueKind("definition", "warning"),  # a macro is defined: skipped, never applied
    IssueKind("too_deep", "warning"),  # nested beyond the limit: read as its symbols, one after another
    IssueKind("reference_faulty", "warning"),  # one of the four above in the reference
    IssueKind("not_text", "error"),  # neither a text nor a list of texts
    IssueKind("bad_reference", "error"),  # the reference cannot be used: N/A
    IssueKind("too_large", "error"),  # beyond a stated limit
)

MAX_CHARS: Final = 5_000_000
"""Characters of one text, unless an evaluator is told otherwise."""
MAX_FORMULA: Final = 20_000
"""Characters of one formula. A longer one of the prediction is as good as missing; one of the reference is N/A."""
MAX_TOKEN_PAIRS: Final = 2_000_000_000
"""Symbols of all predicted formulas times symbols of all reference formulas, for an assignment."""
MAX_FORMULA_PAIRS: Final = 4_000_000
"""Pairs of formulas that an assignment chooses among. Beyond these two limits the n-th goes with the n-th."""


def gathered(issues: Iterable[Issue]) -> list[Issue]:
    """Each code once, with the message of its first issue and how many more there are."""
    first: dict[str, Issue] = {}
    more: dict[str, int] = {}
    for issue in issues:
        if issue.code in first:
            more[issue.code] = more.get(issue.code, 0) + 1
        else:
            first[issue.code] = issue
    return [
        Issue(code, f"{issue.message} (and {more[code]} more)") if code in more else issue
        for code, issue in first.items()
    ]
