"""Markdown, CSV and JSON of summaries, comparisons and papers, and the table of formats and file suffixes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

from jatdae.core.messages import printable, say
from jatdae.core.terminal import json_text
from jatdae.report.latex import paper_latex, to_latex
from jatdae.report.paper import Paper
from jatdae.report.sheets import Sheet, SheetCell, sheets
from jatdae.run.stats.mistakes import mistakes_of
from jatdae.run.stats.rates import rate_tables

SUFFIXES: Final = {
    "csv": "csv",
    "htm": "html",
    "html": "html",
    "json": "json",
    "junit": "junit",
    "latex": "latex",
    "markdown": "md",
    "md": "md",
    "tex": "latex",
    "xml": "junit",
}
"""File suffix → output format, for everything that is written to a file."""
_MARKUP: Final = re.compile(r"[\\`*\[\]|~#$@]|://|(?<=www)\.|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown reads as markup or as a link inside a line."""


def format_of(file: Path) -> str | None:
    """Form of a report, that is its output format, that the suffix of a file stands for; None if unknown."""
    return SUFFIXES.get(file.suffix.removeprefix(".").lower())


def to_markdown(summary: dict[str, Any], verdict: str = "") -> str:
    """Report on a run in the form of Markdown (GitHub's): verdict and tables, best value of a row in bold."""
    return markdown_of(sheets(summary), verdict)


def markdown_of(found: Iterable[Sheet], verdict: str = "") -> str:
    """A verdict and several report tables in the form of Markdown, one below the other."""
    return "\n\n".join([*([plain(verdict)] if verdict else []), *map(_sheet_markdown, found)]) + "\n"


def _sheet_markdown(sheet: Sheet) -> str:
    """One report table in Markdown, with its title and note."""
    lines = [f"## {plain(sheet.title)}", "", _row(map(plain, sheet.header)), _row("---" for _ in sheet.header)]
    lines += [_row(map(_strong, row)) for row in sheet.rows]
    if sheet.note:
        lines += ["", f"`{printable(sheet.note).replace('`', '')}`"]
    if sheet.hint:
        lines += ["", plain(sheet.hint)]
    return "\n".join(lines)


def to_csv(summary: dict[str, Any], verdict: str = "") -> str:  # noqa: ARG001
    """Report on a run in the form of CSV: one line per system, slice and metric, in full precision.

    Then a line per system and thing that goes wrong, with the columns from `mistake` on; and one per system, key and
    rate that the evaluator declares to be shown, with its value under `macro`, and under `worst` what stands instead.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [
            "system",
            "slice",
            "value",
            "metric",
            "macro",
            "ci_low",
            "ci_high",
            "micro",
            "micro_ci_low",
            "micro_ci_high",
            "n",
            "na",
            "mistake",
            "key",
            "count",
            "samples",
            "worst",
        ]
    )
    for system, key, value, described in _groups(summary):
        for metric, entry in described["metrics"].items():
            ends = [*(entry["ci"] or ("", "")), entry["micro"], *(entry["micro_ci"] or ("", ""))]
            labels = [safe(text) for text in (system, key, value, metric)]
            writer.writerow([*labels, entry["macro"], *ends, entry["n"], entry["na"], *[""] * 5])
    for each in (each for found in mistakes_of(summary).values() for each in found):
        for system, count in each.counts.items():
            worst = " ".join(map(safe, each.worst[system]))
            labels = [safe(system), *[""] * 11, each.table, safe(each.key)]
            writer.writerow([*labels, count, each.samples[system], worst])
    for rated in chain.from_iterable(rate_tables(summary).values()):
        for rate, values in rated.values.items():
            for system, share in values.items():
                instead = " ".join(f"{safe(key)}:{times}" for key, times in rated.instead.items())
                ends = [*[""] * 5, rated.n[rate][system], *[""] * 2]
                writer.writerow([safe(system), "", "", rate, share, *ends, safe(rated.key), "", "", instead])
    return out.getvalue()


def _to_json(summary: dict[str, Any], verdict: str = "") -> str:  # noqa: ARG001
    """Run summary as JSON text."""
    return json_text(summary)


def paper_markdown(paper: Paper) -> str:
    """Report table for a paper in the form of Markdown, with notes, differences, methods and signature."""
    return "\n\n".join(_paper_parts(paper)) + "\n"


def paper_csv(paper: Paper) -> str:
    """Report table for a paper in the form of CSV: a line per system, each column with 95 % interval and n.

    Values are in full precision; N/A has its reason.
    """
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


FORMATS: Final[dict[str, Callable[[dict[str, Any], str], str]]] = {
    "md": to_markdown,
    "csv": to_csv,
    "json": _to_json,
    "latex": to_latex,
}
"""What a summary can be written as."""
PAPER_FORMATS: Final[dict[str, Callable[[Paper], str]]] = {"md": paper_markdown, "latex": paper_latex, "csv": paper_csv}
"""What the table for a paper can be written as."""


def _paper_parts(paper: Paper) -> Iterator[str]:
    yield from map(_sheet_markdown, paper.tables)
    if paper.scope:
        yield plain(paper.scope)
    for warning in paper.warnings:
        yield f"**{say('beware')}:** {plain(warning)}"
    yield from map(_sheet_markdown, paper.differences)
    if paper.methods:
        yield f"**{say('methods')}.** {plain(paper.methods)}"
    yield f"`{printable(paper.signature).replace('`', '')}`"


def _groups(summary: dict[str, Any]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for system, described in summary["systems"].items():
        yield system, "", "", described
        for key, values in described.get("slices", {}).items():
            for value, inside in values.items():
                yield system, key, value, inside


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _strong(cell: SheetCell) -> str:
    return f"**{plain(cell.text)}**" if cell.best else plain(cell.text)


def plain(text: str) -> str:
    """Escape all Markdown and HTML in a text, so that this form of a report shows it as written."""
    return _MARKUP.sub(r"\\\g<0>", printable(" ".join(text.split()))).replace("&", "&amp;").replace("<", "&lt;")


def safe(text: str) -> str:
    """Make a label safe for the CSV form of a report, so that no spreadsheet reads it as a formula."""
    return f"'{printable(text)}" if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else printable(text)
