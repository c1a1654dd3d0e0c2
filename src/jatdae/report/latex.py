"""Tables for a paper: LaTeX with booktabs, the best value of a row in bold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from jatdae.report.sheets import Cell, Sheet, holds_numbers, printable, sheets

_SIGNS: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\rightarrow$",
    "Δ": r"$\Delta$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "–": "--",
    "−": "$-$",
    "…": r"\ldots{}",
}
_SPECIAL: Final = re.compile("|".join(map(re.escape, _SIGNS)))


def to_latex(summary: dict[str, Any]) -> str:
    """The tables of a summary."""
    return latex_of(sheets(summary))


def latex_of(found: Iterable[Sheet]) -> str:
    """Each sheet as a table of its own; needs the package booktabs."""
    return "% \\usepackage{booktabs}\n" + "\n".join(map(_table, found))


def _table(sheet: Sheet) -> str:
    numeric = [holds_numbers(sheet, at) for at in range(len(sheet.header))]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{tex(sheet.title)}}}",
        rf"\begin{{tabular}}{{{''.join('r' if each else 'l' for each in numeric)}}}",
        r"\toprule",
        _row(map(tex, sheet.header)),
        r"\midrule",
        *(_row(map(_cell, row)) for row in sheet.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if sheet.note:
        lines += ["", rf"\smallskip{{\footnotesize {tex(sheet.note)}}}"]
    return "\n".join([*lines, r"\end{table}", ""])


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: Cell) -> str:
    return rf"\textbf{{{tex(cell.text)}}}" if cell.best else tex(cell.text)


def tex(text: str) -> str:
    """Text that LaTeX sets as it is: no command, no table broken."""
    return _SPECIAL.sub(lambda found: _SIGNS[found[0]], printable(" ".join(text.split())))
