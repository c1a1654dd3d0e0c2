"""A summary as Markdown, CSV, JSON or LaTeX text."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from jatdae.report.latex import to_latex
from jatdae.report.sheets import Cell, Sheet, printable, sheets

_MARKUP: Final = re.compile(r"[\\`*\[\]|~#$@]|://|(?<=www)\.|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown takes for markup inside a line, or for an address to link."""
_UNSHOWN: Final = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What JSON may hold as it is, but a terminal would obey: C1 controls, line and direction marks, lone surrogates."""


def to_markdown(summary: dict[str, Any]) -> str:
    """Tables in GitHub's Markdown, the best value of a row in bold."""
    return markdown_of(sheets(summary))


def markdown_of(found: Iterable[Sheet]) -> str:
    """Tables one below the other."""
    return "\n\n".join(map(sheet_markdown, found)) + "\n"


def sheet_markdown(sheet: Sheet) -> str:
    """One table with its title and note."""
    lines = [f"## {plain(sheet.title)}", "", _row(map(plain, sheet.header)), _row("---" for _ in sheet.header)]
    lines += [_row(map(_strong, row)) for row in sheet.rows]
    if sheet.note:
        lines += ["", f"`{printable(sheet.note).replace('`', '')}`"]
    return "\n".join(lines)


def to_csv(summary: dict[str, Any]) -> str:
    """One line per system, slice and metric, full precision."""
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
        ]
    )
    for system, key, value, described in _groups(summary):
        for metric, entry in described["metrics"].items():
            ends = [*(entry["ci"] or ("", "")), entry["micro"], *(entry["micro_ci"] or ("", ""))]
            labels = [safe(text) for text in (system, key, value, metric)]
            writer.writerow([*labels, entry["macro"], *ends, entry["n"], entry["na"]])
    return out.getvalue()


def to_json(summary: dict[str, Any]) -> str:
    """The summary itself."""
    return json_text(summary)


def json_text(value: Any) -> str:
    """JSON that is UTF-8 and, shown on a terminal, cannot drive it."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return _UNSHOWN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


FORMATS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "md": to_markdown,
    "csv": to_csv,
    "json": to_json,
    "latex": to_latex,
}


def _groups(summary: dict[str, Any]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for system, described in summary["systems"].items():
        yield system, "", "", described
        for key, values in described.get("slices", {}).items():
            for value, inside in values.items():
                yield system, key, value, inside


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _strong(cell: Cell) -> str:
    return f"**{plain(cell.text)}**" if cell.best else plain(cell.text)


def plain(text: str) -> str:
    """Text that Markdown shows as it is: no table broken, no link, no picture, no HTML."""
    return _MARKUP.sub(r"\\\g<0>", printable(" ".join(text.split()))).replace("&", "&amp;").replace("<", "&lt;")


def safe(text: str) -> str:
    """A label that a spreadsheet will not take for a formula."""
    return f"'{printable(text)}" if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else printable(text)
