"""What commands print: progress and messages on standard error, results on standard output."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any, TextIO

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

from jatdae.core.messages import say
from jatdae.report.console import show_summary
from jatdae.report.formats import json_text
from jatdae.report.paper import has_layout, make_paper
from jatdae.report.paper_formats import show_paper
from jatdae.report.sheets import printable
from jatdae.run.api import Finished
from jatdae.run.work.score import Progress as Told


@dataclass(frozen=True, slots=True)
class Judged:
    """A finished run, and which of its gates failed, in words."""

    run: Finished
    failed: Sequence[str] = ()


class Terminal(Console):
    """A console that leaves a closed pipe to the command line, where rich would end the program with status 1."""

    def on_broken_pipe(self) -> None:
        """Called while a BrokenPipeError is handled."""
        raise  # noqa: PLE0704


class _Rate(ProgressColumn):
    """Rows a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "–/s", style="dim")


def terminal(*, stderr: bool = False) -> Terminal:
    """Standard output, or standard error."""
    return Terminal(stderr=stderr, highlight=False)


@contextmanager
def progress_bar() -> Iterator[Told]:
    """A bar with rate and time left, on a terminal only."""
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

        def told(phase: str, done: int, total: int) -> None:
            if phase not in tasks:
                tasks[phase] = bar.add_task(say(f"phase_{phase}"), total=total)
            bar.update(tasks[phase], completed=done, total=total)

        yield told


@contextmanager
def aside() -> Iterator[None]:
    """While code of others runs: what it prints, workers included, goes to standard error, for results are awaited."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def tell(message: str, style: str = "", *, head: str = "") -> None:
    """A message on standard error, after a strong `head`; what it quotes cannot drive the terminal."""
    lines = (printable(line) for line in message.split("\n"))
    try:
        terminal(stderr=True).print(Text.assemble((head, "bold red"), ("\n".join(lines), style)), soft_wrap=True)
    except BrokenPipeError:
        leave(sys.stderr)  # unread or not, it decides the status


def show_one(judged: Judged, *, as_json: bool) -> int:
    """Print a run; the exit status says whether a gate failed."""
    return _show([judged], _as_json(judged) if as_json else None)


def show_all(judged: Sequence[Judged], *, as_json: bool) -> int:
    """The same for several runs, which JSON has as a list."""
    return _show(judged, [_as_json(each) for each in judged] if as_json else None)


def print_json(value: Any) -> None:
    """JSON alone on standard output."""
    write_out(json_text(value))


def write_out(text: str) -> None:
    """Text for another program: UTF-8 whatever the locale."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)
    sys.stdout.flush()


def drop_output() -> None:
    """What standard output has no room for is not tried again at the end."""
    try:
        sys.stdout.flush()
    except OSError:
        leave(sys.stdout)


def leave(stream: TextIO) -> None:
    """Write no more to a stream whose reader left, or that has no room."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _show(judged: Sequence[Judged], as_json: Any) -> int:
    try:
        if as_json is not None:
            print_json(as_json)
        else:
            _show_tables(judged)
    except BrokenPipeError:
        leave(sys.stdout)  # the gates still decide
    for each in judged:
        if 0 < each.run.resumed < len(list((each.run.folder / "parts").glob("*.parquet"))):
            tell(say("resumed", n=each.run.resumed), "dim")
        for text in each.failed:
            tell(text, "bold red")
    return 1 if any(each.failed for each in judged) else 0


def _show_tables(judged: Sequence[Judged]) -> None:
    console = terminal()
    for each in judged:
        show_summary(each.run.summary, console)
        if has_layout(each.run.folder):
            show_paper(make_paper(each.run.folder, compared=False), console)
        console.print(Text(printable(say("written_to", place=each.run.folder))), soft_wrap=True)


def _as_json(judged: Judged) -> dict[str, Any]:
    return {"run": str(judged.run.folder), **judged.run.summary, "gates_failed": list(judged.failed)}
