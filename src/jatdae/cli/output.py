"""Output of the commands: progress and messages to standard error, results to standard output or a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from cyclopts import Parameter
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
from jatdae.core.terminal import terminal, write_out
from jatdae.core.writing import write_atomically
from jatdae.report.forms import format_of
from jatdae.run.work.score import Progress as OnProgress

if TYPE_CHECKING:
    from jatdae.report.figures import Figure

PLUGINS: Final = Parameter(negative=(), help="FILE.py:Class: your own evaluator.")
"""The flag `--plugin` of commands that show runs: what the evaluator's names mean, and how its evidence is drawn."""


FIGURES: Final = Parameter(help="Folder for all charts: SVG and, with the extra figures, PDF and PNG.")
"""The flag `--figures`."""
NUMBERS_ONLY: Final = Parameter(negative=(), help="Leave out texts and ids of samples, as for patient data.")
"""The flag `--numbers-only`."""
PAGES: Final = Parameter(help="Folder of page images (ID.png, ID-2.png) to show beside the samples of the report.")
"""The flag `--pages`."""
DOCS: Final = Parameter(help="html: address or folder of the documentation that names link to (default: JATDAE_DOCS).")
"""The flag `--docs`."""
METRICS: Final = Parameter(help="Metrics to show and test, as A,B or all (default: the evaluator's short family).")
"""The flag `--metrics`. What is scored and signed does not depend on it."""


def metrics_asked(given: str | None) -> list[str] | None:
    """Names in the value of `--metrics`; None if the flag was not given."""
    return None if given is None else [name for name in map(str.strip, given.split(",")) if name]


def samples_asked(given: str) -> int | None:
    """How many samples get evidence by `--samples`; None is all."""
    if given == "all":
        return None
    if not given.isascii() or not given.isdigit():
        raise UsageError(say("bad_samples", value=given))
    return int(given)


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


def chosen_format(given: str | None, out: Path | None, known: Collection[str]) -> str:
    """Choose the output format of a report: as given, else by the file suffix, else console.

    A file takes only the formats in `known`.
    """
    chosen = given or ((format_of(out) or "") if out else "console")
    if out and chosen not in known:
        raise UsageError(say("report_format", file=out, known=", ".join(known)))
    return chosen


def write_result(text: str, out: Path | None) -> None:
    """Write a finished report to a file, and say where; or to standard output."""
    if out is None:
        write_out(text)
    else:
        write_atomically(out, text)
        if out.is_file():  # not a pipe, nor a stream by its name
            tell(say("report_written", place=out))


def write_charts(found: Sequence[Figure], folder: Path) -> None:
    """Write the charts of a run or comparison to a folder, and say in which formats."""
    from jatdae.report.figures import write_figures
    from jatdae.report.typeset import can_typeset

    formats = {path.suffix.removeprefix(".").upper(): None for path in write_figures(found, folder)}
    tell(say("figures_written", n=len(found), place=folder, formats=", ".join(formats)))
    if found and not can_typeset():
        tell(say("figures_svg_only"))


def drop_output() -> None:
    """Drop output that could not be written to standard output, so that it is not tried again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        leave(sys.stdout)


def leave(stream: TextIO) -> None:
    """Stop writing to an output stream that nobody reads or that is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
