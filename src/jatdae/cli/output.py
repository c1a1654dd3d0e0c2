"""Output of the commands: progress and messages to standard error, results to standard output or a file."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from cyclopts import Parameter
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from jatdae.core.errors import UsageError
from jatdae.core.messages import printable, say
from jatdae.core.registry import lend
from jatdae.core.terminal import print_json, terminal, write_out
from jatdae.core.writing import write_atomically
from jatdae.report.console import show_paper, show_summary
from jatdae.report.forms import format_of
from jatdae.report.paper import has_layout, make_paper
from jatdae.report.sheets import gate_text
from jatdae.run.api import Finished
from jatdae.run.gates import Gate, failed_gates, gated_metrics
from jatdae.run.output.folder import PAGE
from jatdae.run.stats.result import choose_metrics, narrowed, primary_metric
from jatdae.run.stats.summary import Summary
from jatdae.run.stats.verdict import compare_with_best, verdict
from jatdae.run.work.score import Progress as OnProgress

PLUGINS: Final = Parameter(negative=(), help="FILE.py:Class: your own evaluator.")
"""The flag `--plugin` of commands that show runs: what the evaluator's names mean, and how its evidence is drawn."""


METRICS: Final = Parameter(help="Metrics to show and test, as A,B or all (default: the evaluator's short family).")
"""The flag `--metrics`. What is scored and signed does not depend on it."""


def metrics_asked(given: str | None) -> list[str] | None:
    """Names in the value of `--metrics`; None if the flag was not given."""
    return None if given is None else [name for name in map(str.strip, given.split(",")) if name]


def shown_part(summary: Summary, asked: Sequence[str] | None, gates: Sequence[Gate]) -> Summary:
    """The part of a summary that is shown: the metrics asked for, and those that have a gate."""
    return narrowed(summary, {*choose_metrics(summary, asked), *gated_metrics(gates, summary)})


@dataclass(frozen=True, slots=True)
class GatedRun:
    """A finished run with the gates (limits on metrics) that it is checked against, and the metrics to show."""

    run: Finished
    gates: tuple[Gate, ...] = ()
    metrics: list[str] | None = None
    """None is the evaluator's family."""

    @property
    def failed(self) -> list[str]:
        """A text for each gate that failed."""
        return [gate_text(each) for each in failed_gates(self.run.summary, self.gates)]


class _Rate(ProgressColumn):
    """Rows a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "–/s", style="dim")


@contextmanager
def progress_bar() -> Iterator[OnProgress]:
    """Show a progress bar with rate and time left, if standard error is a terminal."""
    console = terminal(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    with aside(), Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks: dict[str, Any] = {}

        def on_progress(phase: str, done: int, total: int) -> None:
            if phase not in tasks:
                tasks[phase] = bar.add_task(say(f"phase_{phase}"), total=total)
            bar.update(tasks[phase], completed=done, total=total)

        yield on_progress


@contextmanager
def aside() -> Iterator[None]:
    """Send what other code prints, in workers too, to standard error; standard output is kept for results."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def lend_plugins(targets: Iterable[str]) -> None:
    """Load the plug-ins that a command names with `--plugin`. No command loads one because a run was scored with it."""
    with aside():
        for target in targets:
            lend(target)


def tell(message: str, style: str = "", *, head: str = "") -> None:
    """Print a message on standard error, after `head` in bold; control characters in it are replaced."""
    lines = (printable(line) for line in message.split("\n"))
    try:
        terminal(stderr=True).print(Text.assemble((head, "bold red"), ("\n".join(lines), style)), soft_wrap=True)
    except BrokenPipeError:
        leave(sys.stderr)  # unread or not, it decides the status


def show_one(run: GatedRun, *, as_json: bool) -> int:
    """Print the summary of a run; return exit status 1 if a gate failed, 2 if no sample has a score, else 0."""
    return _show([run], _as_json(run) if as_json else None)


def show_all(runs: Sequence[GatedRun], *, as_json: bool) -> int:
    """Print the summaries of several runs (in JSON as a list); return the exit status, as of a single run."""
    return _show(runs, [_as_json(each) for each in runs] if as_json else None)


def chosen_format(given: str | None, out: Path | None, known: Collection[str]) -> str:
    """Choose the output format of a report: as given, else by the file suffix, else console.

    A file takes only the formats in `known`.
    """
    chosen = given or ((format_of(out) or "") if out else "console")
    if out and chosen not in known:
        raise UsageError(say("report_format", file=out, known=", ".join(known)))
    return chosen


def write_result(text: str, out: Path | None) -> None:
    """Write a finished report to a file, or to standard output."""
    if out is None:
        write_out(text)
    else:
        write_atomically(out, text)


def drop_output() -> None:
    """Drop output that could not be written to standard output, so that it is not tried again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        leave(sys.stdout)


def leave(stream: TextIO) -> None:
    """Stop writing to an output stream that nobody reads or that is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


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
        for note in each.run.notes:
            tell(note, "yellow")
        if 0 < each.run.resumed < len(list((each.run.folder / "parts").glob("*.parquet"))):
            tell(say("resumed", n=each.run.resumed), "dim")
        if each.run.other_versions:
            tell(say("resumed_with", differences=", ".join(each.run.other_versions)), "yellow")
        for text in each.failed:
            tell(text, "bold red")
    if any(each.failed for each in runs):
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
    return {"run": str(each.run.folder), **each.run.summary, "gates_failed": each.failed}
