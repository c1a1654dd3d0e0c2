"""Metrics of the checks evaluator: the share of tests that pass, overall and by type; docs/metrics/checks.md."""

from __future__ import annotations

from typing import Final

from jatdae.checks.page_tests import TYPES
from jatdae.core.contract import Count, IssueKind, Metric, Rate, Ratio


def _metric(name: str, *, primary: bool = False) -> Metric:
    return Metric(
        name,
        "higher",
        0.0,
        "%",
        primary,
        ("type_not_asked", "no_tests", "bad_reference"),
        Ratio(f"{name}_passed", f"{name}_tests"),
        (0.0, 1.0),
        family=primary,
        optional=not primary,
    )


OVERALL: Final = "pass_rate"
METRICS: Final = (_metric(OVERALL, primary=True), *(_metric(f"pass_{kind}") for kind in TYPES))
ISSUES: Final = (
    IssueKind("page_empty", "warning"),  # no `absent` passes on it
    IssueKind("unsupported_tests", "warning"),  # of a benchmark, not known here: not scored
    IssueKind("faulty_math", "warning"),  # a formula that is asked for is no sound LaTeX
    IssueKind("rejected_tests", "info"),  # rejected by a person: not scored
    IssueKind("type_not_asked", "info"),  # no test of a type: its rate is N/A
    IssueKind("no_tests", "info"),  # nothing left to ask: N/A
    IssueKind("bad_reference", "error"),  # a test that cannot be used: N/A
    IssueKind("not_text", "error"),  # neither a text nor a list of texts: all tests fail
    IssueKind("too_large", "error"),  # beyond a stated limit: all tests fail
)
COUNTS: Final = (
    Count("check_types", coded=True),
    Count("check_passes", coded=True),
    Count("check_failures", error=True, coded=True),
    Count("unsupported_types"),
)
RATES: Final = (Rate("check", ("check_passes",), ("check_types",)),)
