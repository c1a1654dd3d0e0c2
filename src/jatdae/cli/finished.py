"""Shows finished runs, checks them against their gates and decides the exit status."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text

from jatdae.cli.output import leave, tell
from jatdae.core.errors import UsageError
from jatdae.core.messages import printable, say
from jatdae.core.terminal import print_json, terminal
from jatdae.report.console import show_paper, show_summary
from jatdae.report.paper import has_layout, make_paper
from jatdae.run.api import Finished
from jatdae.run.gates import Gate, failed_gates, gated_metrics
from jatdae.run.output.folder import PAGE
from jatdae.run.stats.result import choose_metrics, narrowed, primary_metric
from jatdae.run.stats.summary import Summary
from jatdae.run.stats.verdict import compare_with_best, verdict


@dataclass(frozen=True, slots=True)
class GatedRun:
    """A finished run with the gates (limits on metrics) that it is checked against, and the metrics to show."""

    run: Finished
    gates: tuple[Gate, ...] = ()
    metrics: list[str] | None = None
    """None is the evaluator's family."""
    label: str = ""
    """What the run is called among others."""

    def check(self) -> CheckedGates:
        """Check the run against its gates."""
        head = f"{self.label}: " if self.label else ""
        try:
            return CheckedGates([f"{head}{each}" for each in failed_gates(self.run.summary, self.gates)])
        except UsageError as error:
            return CheckedGates([], f"{head}{error}")


class CheckedGates(NamedTuple):
    """Which gates of a run failed, and what is wrong with a gate that cannot be checked."""

    failed: list[str]
    problem: str = ""


def show_one(run: GatedRun, *, as_json: bool) -> int:
    """Print the summary of a run; return exit status 1 if a gate failed, 2 if no sample has a score, else 0."""
    return _show([run], _as_json(run) if as_json else None)


def show_all(runs: Sequence[GatedRun], *, as_json: bool) -> int:
    """Print the summaries of several runs (in JSON as a list); return the exit status, as of a single run."""
    return _show(runs, [_as_json(each) for each in runs] if as_json else None)


def shown_part(summary: Summary, asked: Sequence[str] | None, gates: Sequence[Gate]) -> Summary:
    """The part of a summary that is shown: the metrics asked for, and those that have a gate."""
    return narrowed(summary, [*choose_metrics(summary, asked), *gated_metrics(gates, summary)])


def _show(runs: Sequence[GatedRun], as_json: Any) -> int:
    try:
        if as_json is not None:
            print_json(as_json)
        else:
            console = terminal()
            for each in runs:
                _show_tables(each, console)
    except BrokenPipeError:
        leave(sys.stdout)  # the gates still decide
    for each in runs:
        _tell_notes(each.run)
    return _status(runs)


def _tell_notes(run: Finished) -> None:
    """Tell how input was read, and what an earlier run had finished."""
    for note in run.notes:
        tell(note, "yellow")
    if 0 < run.resumed < len(list((run.folder / "parts").glob("*.parquet"))):
        tell(say("resumed", n=run.resumed), "dim")
    if run.other_versions:
        tell(say("resumed_with", differences=", ".join(run.other_versions)), "yellow")


def _status(runs: Sequence[GatedRun]) -> int:
    """Exit status of runs, with what is wrong told: 2 for a gate that cannot be checked, 1 for one that failed."""
    checked = [each.check() for each in runs]
    for gates in checked:
        for text in gates.failed:
            tell(text, "bold red")
        if gates.problem:
            tell(gates.problem, head=f"{say('error')}: ")
    if any(gates.problem for gates in checked):
        return 2
    if any(gates.failed for gates in checked):
        return 1
    empty = [said for each in runs if (said := _nothing_scored(each.run))]
    for said in empty:
        tell(said, "bold red")
    return 2 if empty else 0


def _nothing_scored(run: Finished) -> str:
    """The message for a run in which no metric has a value, such as one whose rows all lack their reference."""
    systems = run.summary["systems"].values()
    if not systems:
        return say("nothing_scored", place=run.folder, bad=run.summary["input"]["bad_rows"])
    values = [value for system in systems for value in system["metrics"].values()]
    if any(value["n"] or value["micro"] is not None for value in values):
        return ""
    issues = Counter[str]()
    for system in systems:
        issues.update({code: sum(by.values()) for code, by in system["issues"].items()})
    told = ", ".join(f"{code} {n}" for code, n in issues.most_common())
    return say("nothing_has_value", place=run.folder, issues=told)


def _show_tables(each: GatedRun, console: Console) -> None:
    run = each.run
    shown = shown_part(run.summary, each.metrics, each.gates)
    is_same = primary_metric(shown) == primary_metric(run.summary)  # --metrics may leave the primary one out
    against_best = run.against_best if is_same else compare_with_best(shown, lambda: run.result)
    show_summary(shown, console, verdict(shown, against_best))
    if has_layout(each.run.folder):
        show_paper(make_paper(each.run.folder, metrics=each.metrics, compared=False), console)
    page = each.run.folder / PAGE
    told = say("written_with_report", place=each.run.folder, report=page) if page.is_file() else ""
    told = told or say("written_to", place=each.run.folder)
    console.print(Text(printable(told)), soft_wrap=True)


def _as_json(each: GatedRun) -> dict[str, Any]:
    """All of a summary, or the metrics that were asked for."""
    summary = each.run.summary if each.metrics is None else shown_part(each.run.summary, each.metrics, each.gates)
    return {"run": str(each.run.folder), **summary, "gates_failed": each.check().failed}
