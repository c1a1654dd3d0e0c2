"""The checks evaluator: unit tests for pages, each of which passes or fails with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum, inf
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from jatdae.checks.evidence import show_checks
from jatdae.checks.findings import say_findings
from jatdae.checks.formats import reference_rows
from jatdae.checks.metrics import COUNTS, ISSUES, METRICS, OVERALL, RATES
from jatdae.checks.page_tests import (
    MAX_TESTS,
    MathTest,
    PageTest,
    PageTestsFile,
    UnsupportedTest,
    named,
    problem_of,
    read_test,
)
from jatdae.checks.page_text import VERSION
from jatdae.checks.verdicts import PageReader, Verdict, read_wanted
from jatdae.core.config import check_settings
from jatdae.core.contract import Issue, Outcome, Sample, Unit
from jatdae.core.evaluator import evaluator
from jatdae.core.messages import speaking
from jatdae.formulas.similarity import VERSION as FORMULA_VERSION
from jatdae.tables.extraction import VERSION as READING_VERSION

MAX_CHARS: Final = 1_000_000
MAX_REPEATS: Final = 100
"""Texts of one document that are asked."""


class Asked(NamedTuple):
    """A test of a document with its verdicts, one for each text of the prediction."""

    id: str
    test: PageTest
    verdicts: tuple[Verdict, ...]

    @property
    def passed(self) -> float:
        """Share of the texts that pass."""
        return fsum(verdict.passed for verdict in self.verdicts) / len(self.verdicts)


@evaluator(
    "checks",
    metrics=METRICS,
    issues=ISSUES,
    counts=COUNTS,
    rates=RATES,
    empty=(),
    paired_by="test",
    pure=True,
    files={"tests": PageTestsFile},
    reference_rows=reference_rows,
    repeated="_repeat[0-9]+",
)
class CheckEvaluator:
    """Unit tests for pages: this text is there, that one is not, A before B, this cell beside that one."""

    as_published: bool = False
    """Judge as olmOCR-bench does, except that formulas are compared by what they print."""
    max_chars: int = MAX_CHARS
    """Maximum length of a page, in characters."""

    findings = staticmethod(say_findings)

    def __post_init__(self) -> None:
        """Refuse impossible settings before anything is scored."""
        check_settings(self, max_chars=(1, inf))

    def score(self, sample: Sample) -> Outcome:
        """Ask a page its tests."""
        try:
            given = _read_tests(sample.reference)
        except _BadReferenceError as error:
            return _not_applicable([Issue("bad_reference", str(error))])
        tests, issues = self._wanted(given)
        issues += _faulty_math(tests)
        unsupported = Counter(test.named for test in given if isinstance(test, UnsupportedTest))
        if not tests:
            return _not_applicable([*issues, Issue("no_tests", "no test is left to ask")], unsupported)
        pages = self._pages(sample.prediction, issues)
        asked = self._ask(tests, pages, issues)
        return _outcome(asked, issues, unsupported)

    def applicable(self, sample: Sample) -> frozenset[str]:
        """The metrics a missing page is given the worst of: those of the types that are asked of it."""
        outcome = self.score(replace(sample, prediction=None))
        return frozenset(name for name, value in outcome.values.items() if value is not None)

    def signature_parts(self) -> dict[str, str]:
        """How texts and formulas are compared and tables are read, with versions."""
        text = "olmocr-bench@0.4" if self.as_published else f"plain@{VERSION}"
        reading = "olmocr-bench@0.4" if self.as_published else f"tables@{READING_VERSION}"
        return {"text": text, "formula": f"canonical@{FORMULA_VERSION}", "reading": reading}

    def _wanted(self, given: Sequence[PageTest]) -> tuple[list[PageTest], list[Issue]]:
        """The tests to ask, and what is told of the others."""
        issues = []
        known: list[PageTest] = [test for test in given if not isinstance(test, UnsupportedTest)]
        if len(known) < len(given):
            names = sorted({test.named for test in given if isinstance(test, UnsupportedTest)})
            issues.append(Issue("unsupported_tests", f"{len(given) - len(known)} not scored: {', '.join(names[:10])}"))
        if self.as_published:
            return known, issues
        kept = [test for test in known if test.checked != "rejected"]
        if len(kept) < len(known):
            issues.append(Issue("rejected_tests", f"{len(known) - len(kept)} rejected by a person"))
        return kept, issues

    def _pages(self, prediction: Any, issues: list[Issue]) -> list[str] | None:
        """The texts of a prediction; None where there is none, or none that can be asked."""
        texts = [prediction] if isinstance(prediction, str) else prediction
        if texts is None or texts == ():
            return None
        if not isinstance(texts, list | tuple) or not texts or not all(isinstance(text, str) for text in texts):
            kind = type(prediction).__name__
            issues.append(Issue("not_text", f"the prediction is neither a text nor a list of texts but {kind}"))
            return None
        if len(texts) > MAX_REPEATS or max(map(len, texts)) > self.max_chars:
            most = f"{self.max_chars} characters, {MAX_REPEATS} repetitions"
            issues.append(Issue("too_large", f"the prediction is beyond the limits ({most})"))
            return None
        return [text.encode("utf-8", "replace").decode() if not text.isascii() else text for text in texts]

    def _ask(self, tests: Sequence[PageTest], pages: list[str] | None, issues: list[Issue]) -> list[Asked]:
        if pages is None:
            unread = (Verdict(False, "no_prediction"),)
            return [Asked(name, test, unread) for name, test in named(tests)]
        readers = [PageReader(page, tests, self.as_published) for page in pages]
        asked = [Asked(name, test, tuple(reader.ask(test) for reader in readers)) for name, test in named(tests)]
        if not self.as_published and any(reader.emptiness for reader in readers):
            issues.append(Issue("page_empty", "a page has next to nothing, or one thing over and over"))
        return asked


class _BadReferenceError(Exception):
    """A reference that is no list of tests."""


def _read_tests(reference: Any) -> list[PageTest]:
    if not isinstance(reference, list | tuple):
        raise _BadReferenceError(f"the reference is no list of tests but {type(reference).__name__}")
    if len(reference) > MAX_TESTS:
        raise _BadReferenceError(f"{len(reference)} tests; at most {MAX_TESTS} are asked of a document")
    tests = []
    for number, each in enumerate(reference, 1):
        if not isinstance(each, Mapping):
            raise _BadReferenceError(f"test {number} is no object but {type(each).__name__}")
        with speaking("en"):  # issues are the same in every language
            try:
                tests.append(read_test(each))
            except ValidationError as error:
                raise _BadReferenceError(f"test {number}: {problem_of(error, each)}") from None
    return tests


def _faulty_math(tests: Sequence[PageTest]) -> Iterator[Issue]:
    """Formulas that are asked for and are no sound LaTeX: what is missing in them is guessed."""
    asked = [(name, test) for name, test in named(tests) if isinstance(test, MathTest)]
    for name, test in asked:
        for code, at in read_wanted(test).formula.faults.items():
            yield Issue("faulty_math", f"{name}: {code}: {at}")


def _not_applicable(issues: list[Issue], unsupported: Mapping[str, int] | None = None) -> Outcome:
    counts = {"unsupported_types": unsupported} if unsupported else {}
    return Outcome(values=dict.fromkeys(metric.name for metric in METRICS), counts=counts, issues=tuple(issues))


def _outcome(asked: Sequence[Asked], issues: Sequence[Issue], unsupported: Mapping[str, int]) -> Outcome:
    passed: dict[str, list[float]] = {metric.name: [] for metric in METRICS}
    for each in asked:
        for name in (OVERALL, f"pass_{each.test.type}"):
            passed[name].append(each.passed)
    sums = {name: fsum(values) for name, values in passed.items()}
    if unasked := [name for name, values in passed.items() if not values]:
        issues = [*issues, Issue("type_not_asked", ", ".join(unasked))]
    return Outcome(
        values={name: sums[name] / len(values) if values else None for name, values in passed.items()},
        stats={
            key: value
            for name, values in passed.items()
            if values
            for key, value in ((f"{name}_passed", sums[name]), (f"{name}_tests", float(len(values))))
        },
        counts=_counts(asked, unsupported),
        units=tuple(
            Unit(
                each.id,
                "test",
                {"type": each.test.type},
                dict.fromkeys((OVERALL, f"pass_{each.test.type}"), each.passed),
            )
            for each in asked
        ),
        evidence=show_checks(asked),
        issues=tuple(issues),
    )


def _counts(asked: Sequence[Asked], unsupported: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    # The reason of a test is that of the first text that fails it, so that the reasons add up to the failed tests.
    failed = (next(v.reason for v in each.verdicts if not v.passed) for each in asked if each.passed < 1.0)
    tables: dict[str, Mapping[str, int]] = {
        "check_types": Counter(each.test.type for each in asked),
        "check_passes": Counter(each.test.type for each in asked if each.passed == 1.0),
        "check_failures": Counter(failed),
        "unsupported_types": unsupported,
    }
    return {name: dict(sorted(table.items())) for name, table in tables.items() if table}
