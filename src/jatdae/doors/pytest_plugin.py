"""pytest plug-in: the fixture `yardstick` checks model output inside a test.

    def test_invoices(yardstick):
        yardstick.check(predictions, references, "structured", fail_under={"exact_accuracy": 0.9})

    def test_no_worse_than_last_time(yardstick):
        yardstick.check(predictions, references, "structured", baseline="invoices")

A baseline is a run folder `yardsticks/NAME` beside the test file; `pytest --yardstick-update` writes it. Every pytest
of the environment loads this module: it imports nothing heavy until a check is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from jatdae.core.messages import say as say_common
from jatdae.core.messages import speaker

if TYPE_CHECKING:
    from jatdae.run.gates import FailedGate
    from jatdae.run.stats.compare import Comparison
    from jatdae.run.stats.result import Result

FOLDER: Final = "yardsticks"
"""Folder of the baselines, beside the test file."""
UPDATE: Final = "--yardstick-update"
WRITTEN: Final = pytest.StashKey[set[Path]]()
"""Baselines that this session has written."""
UPDATED: Final = "yardstick_baseline"
"""Property of a test that wrote a baseline: where it is."""
SHOWN_SAMPLES: Final = 3
SHOWN_LINES: Final = 25
"""Lines of evidence for each of them."""

say = speaker(__name__)
Limits = Mapping[str, float | str]
"""By metric: 0.9 or "90%"; METRIC.micro is the micro average, RATE:KEY the rate of one key."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag of the plug-in."""
    parser.getgroup("yardstick").addoption(UPDATE, action="store_true", help=say("help_update"))


@pytest.fixture
def yardstick(request: pytest.FixtureRequest) -> Yardstick:
    """Checks model output: `yardstick.check(prediction, reference, "text", fail_over={"cer": 0.05})`."""
    return Yardstick(request.node, bool(request.config.getoption(UPDATE)))


class Yardstick:
    """Checks model output inside one pytest test."""

    def __init__(self, test: pytest.Item, update: bool) -> None:
        self._test, self._update = test, update

    def __repr__(self) -> str:
        return "Yardstick()"

    def check(
        self,
        prediction: Any,
        reference: Any,
        evaluator: Any,
        *,
        fail_under: Limits | None = None,
        fail_over: Limits | None = None,
        baseline: str = "",
        margin: float = 0.0,
        **config: Any,
    ) -> Result:
        """Fail the test if a prediction, or a list of them, is worse than the limits or than the baseline.

        Two lists are checked one by one; a document that is a list itself is given as a list of one. The arguments
        after these are those of `check_data`.
        """
        __tracebackhide__ = True
        rows = _paired(prediction, reference)
        return self.check_data(
            rows, evaluator, fail_under=fail_under, fail_over=fail_over, baseline=baseline, margin=margin, **config
        )

    def check_data(
        self,
        data: Any,
        evaluator: Any,
        *,
        fail_under: Limits | None = None,
        fail_over: Limits | None = None,
        baseline: str = "",
        margin: float = 0.0,
        **config: Any,
    ) -> Result:
        """Fail the test if data, such as a frame or a path, are worse than the limits or than the baseline.

        `data`, `evaluator` and `config` are those of `jatdae.evaluate`. `margin` is the loss against the baseline that
        is tolerated; from 20 samples on a loss must also be significant. Returns the result.
        """
        __tracebackhide__ = True
        from jatdae.core.errors import JatdaeError

        try:
            limits = (fail_under or {}, fail_over or {})
            result, problems = self._checked(data, evaluator, limits, baseline, margin, config)
        except JatdaeError as error:
            problems = [str(error)]
        if problems:
            pytest.fail("\n".join(problems))
        return result

    def _checked(
        self,
        data: Any,
        evaluator: Any,
        limits: tuple[Limits, Limits],
        baseline: str,
        margin: float,
        config: dict[str, Any],
    ) -> tuple[Result, list[str]]:
        """The result, and lines that say why the test fails."""
        from jatdae.core.errors import UsageError
        from jatdae.run.api import evaluate
        from jatdae.run.gates import failed_gates, gates_from

        if not any(limits) and not baseline:
            raise UsageError(say("check_cannot_fail"))
        if not isinstance(baseline, str):
            raise UsageError(say("baseline_no_name", kind=type(baseline).__name__))
        if not isinstance(margin, int | float) or not 0 <= margin <= 1:
            raise UsageError(say("check_margin", value=repr(margin)))
        result = evaluate(data, evaluator, **config)
        lacking = sum(
            sum(described["issues"].get("missing_reference", {}).values())
            for described in result.summary["systems"].values()
        )
        if lacking:
            raise UsageError(say("check_no_reference", n=lacking))
        gates = gates_from(*limits, result.summary)
        failed = failed_gates(result.summary, gates)
        problems = _gate_lines(result, failed)
        if baseline and not (problems and self._update):  # what fails its limits becomes no baseline
            problems += self._against(result, baseline, margin)
        for name, value in _measured(result, [gate.name for gate in gates]).items():
            self._test.user_properties.append((name, value))
        return result, problems + ([str(result.signature)] if problems else [])

    def _against(self, result: Result, baseline: str, margin: float) -> list[str]:
        """Write the baseline if that is asked for; else say what is worse than in it."""
        from jatdae.core.errors import UsageError
        from jatdae.core.writing import file_name
        from jatdae.doors.logs.loading import load
        from jatdae.run.gates import regressions
        from jatdae.run.stats.compare import compare

        place = Path(self._test.path).parent / FOLDER / file_name(baseline)
        if self._update:
            written = self._test.config.stash.setdefault(WRITTEN, set())
            if place in written:
                raise UsageError(say("baseline_twice", name=baseline))
            written.add(place)
            result.save(place, overwrite=True)
            self._test.user_properties.append((UPDATED, str(place)))
            return []
        if not place.exists():
            return [say("baseline_missing", name=baseline, place=place)]
        before, lines = load(place), []
        for system in result.systems:
            try:
                compared = compare(before, result, system_a=system, system_b=system, names=(baseline, say("this_run")))
            except UsageError as error:
                return [say("baseline_other", problem=error)]
            if worse := regressions(compared, margin):
                lines += [*worse, *_worse_samples(result, system, compared)]
        return lines


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which baselines were written, by this process or by workers of pytest-xdist."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    written = {value for each in reports for name, value in getattr(each, "user_properties", ()) if name == UPDATED}
    if written:
        terminalreporter.write_line(say("baseline_written"))
        for place in sorted(written):
            terminalreporter.write_line(f"  {place}")


def _paired(prediction: Any, reference: Any) -> list[dict[str, Any]]:
    """Rows of two lists, one by one, or of two documents; columns of frames, arrays and generators are lists too."""
    prediction, reference = _listed(prediction), _listed(reference)
    if not (isinstance(prediction, list | tuple) and isinstance(reference, list | tuple)):
        return [{"prediction": prediction, "reference": reference}]
    if len(prediction) != len(reference):
        pytest.fail(say("check_lengths", predictions=len(prediction), references=len(reference)))
    return [{"prediction": mine, "reference": right} for mine, right in zip(prediction, reference, strict=True)]


def _listed(given: Any) -> Any:
    listing = getattr(given, "tolist", None) or getattr(given, "to_list", None) or getattr(given, "to_pylist", None)
    if listing is not None:
        return listing()
    return list(given) if isinstance(given, Iterator) else given


def _measured(result: Result, names: list[str]) -> dict[str, float | None]:
    """Values of the gated metrics, for reports of pytest such as JUnit XML."""
    from jatdae.core.evaluator import metric_and_average

    return {
        f"{system}.{name}" if system else name: result.value(name, system)
        for system in result.systems
        for name in names
        if metric_and_average(name, result.summary["metrics"])
    }


def _gate_lines(result: Result, failed: list[FailedGate]) -> list[str]:
    """Gates that failed, and the samples that are worst by the first of them."""
    from jatdae.core.evaluator import metric_and_average
    from jatdae.run.stats.result import primary_metric

    if not failed:
        return []
    lines = [str(each) for each in failed]
    system, name = failed[0].system, metric_and_average(failed[0].gate.name, result.summary["metrics"])
    if system is None:
        return lines
    metric = name[0] if name else primary_metric(result.summary)
    return [*lines, *_samples(result, system, say("check_worst"), _worst(result, system, metric))]


def _worst(result: Result, system: str, metric: str) -> list[str]:
    """Ids of the worst samples of a metric, in their order; those that could not be better are left out."""
    about = next(each for each in result.metrics if each.name == metric)
    sign = 1 if about.better == "higher" else -1
    best = about.range[1] if about.better == "higher" else about.range[0]
    table = result.table()
    rows = [
        (sign * value, id)
        for id, own, value in zip(*(table.column(name).to_pylist() for name in ("id", "system", metric)), strict=True)
        if own == system and value is not None and value != best
    ]
    return [id for _, id in sorted(rows, key=lambda row: row[0])[:SHOWN_SAMPLES]]


def _worse_samples(result: Result, system: str, compared: Comparison) -> list[str]:
    """Samples on which most was lost against the baseline, by the first metric that has such."""
    lost = next((row.regressions for row in compared.differences if row.regressions), ())
    ids = list(dict.fromkeys(each.id for each in lost))
    return _samples(result, system, say("check_regression"), ids[:SHOWN_SAMPLES])


def _samples(result: Result, system: str, title: str, ids: list[str]) -> list[str]:
    """Evidence of some samples as lines of text."""
    lines = []
    for id in ids:
        found = str(result.sample(id, system)).splitlines()
        lines += found[:SHOWN_LINES]
        if len(found) > SHOWN_LINES:
            lines.append("  " + say_common("lines_more", n=len(found) - SHOWN_LINES))
    return [title, *lines] if lines else []
