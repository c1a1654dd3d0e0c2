"""The paper's table on the terminal, as Markdown and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from jatdae.core.messages import say
from jatdae.report.console import show_sheet
from jatdae.report.formats import plain, safe, sheet_markdown
from jatdae.report.paper import Paper
from jatdae.report.paper_latex import paper_latex
from jatdae.report.sheets import printable


def show_paper(paper: Paper, console: Console) -> None:
    """The table, its note, what to beware of, and how sure the differences are."""
    show_sheet(paper.table, console)
    notes = [Text(printable(paper.scope), style="dim")] if paper.scope else []
    notes += [Text(printable(f"{say('beware')}: {warning}"), style="yellow") for warning in paper.warnings]
    for note in notes:
        console.print(note)
    if notes:
        console.print()
    if paper.differences:
        show_sheet(paper.differences, console)


def paper_markdown(paper: Paper) -> str:
    """Everything, methods and signature included."""
    return "\n\n".join(_markdown(paper)) + "\n"


def paper_csv(paper: Paper) -> str:
    """One line per system in full precision: each column with its 95 % interval and n; N/A with its reason."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [name for c in paper.columns for name in (c.metric, f"{c.metric}_low", f"{c.metric}_high", f"{c.metric}_n")]
    writer.writerow(["system", *names])
    for (system, described), row in zip(paper.numbers.items(), paper.table.rows, strict=True):
        cells: list[Any] = [safe(system)]
        for column, shown in zip(paper.columns, row[1:], strict=True):
            entry = described["metrics"][column.metric]
            value = shown.text if entry["macro"] is None else entry["macro"]
            cells += [value, *(entry["ci"] or ("", "")), entry["n"]]
        writer.writerow(cells)
    return out.getvalue()


PAPER_FORMATS: Final[dict[str, Callable[[Paper], str]]] = {
    "md": paper_markdown,
    "latex": paper_latex,
    "csv": paper_csv,
}


def _markdown(paper: Paper) -> Iterator[str]:
    yield sheet_markdown(paper.table)
    if paper.scope:
        yield plain(paper.scope)
    for warning in paper.warnings:
        yield f"**{say('beware')}:** {plain(warning)}"
    if paper.differences:
        yield sheet_markdown(paper.differences)
        yield plain(say("differences_note"))
    if paper.methods:
        yield f"**{say('methods')}.** {plain(paper.methods)}"
    yield f"`{printable(paper.signature).replace('`', '')}`"
