"""LaTeX (booktabs) tables of a summary or comparison, and the table for a paper with its notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from jatdae.core.messages import printable, say
from jatdae.report.paper import Paper
from jatdae.report.sheets import Sheet, SheetCell, holds_numbers, sheets

_SPELLED: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_\allowbreak{}",
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
    "≤": r"$\leq$",
    "∅": r"$\emptyset$",
    "∞": r"$\infty$",
    "¬": r"$\neg$",
    "␣": r"\textvisiblespace{}",
    "…": r"\ldots{}",
}
_SPECIAL: Final = re.compile("|".join(map(re.escape, _SPELLED)))
PACKAGES: Final = (
    ("{booktabs}", re.compile("")),
    ("{graphicx}", re.compile("")),
    ("[T1]{fontenc}", re.compile("[\x80-\u024f]")),
    ("{kotex}", re.compile("[^\x00-\u024f]")),
)
"""A package, and the characters that need it; kotex has Hangul, Chinese characters, kana, Greek and Cyrillic."""
BEYOND: Final = re.compile(
    "[^\x00-\u04ff\u2000-\u26ff\u3000-\u33ff\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffff]"
)
"""Characters that kotex has no font for under pdfLaTeX."""
MOST_NAMED: Final = 10
_HYPHEN: Final = re.compile(r"(?<!\S)-(?=\d)")


def to_latex(summary: dict[str, Any], verdict: str = "") -> str:
    """Report on a run in LaTeX: the verdict and the tables of its summary."""
    return latex_of(sheets(summary), verdict)


def latex_of(found: Iterable[Sheet], verdict: str = "") -> str:
    """A verdict and several report tables in LaTeX."""
    tables = ["\n".join(_table(sheet, (sheet.note, sheet.hint))) + "\n" for sheet in found]
    return _with_requirements("\n".join([f"{tex(verdict)}\n", *tables] if verdict else tables))


def paper_latex(paper: Paper) -> str:
    """Report table for a paper in LaTeX with footnote, differences, methods and signature, for `\\input`."""
    return _with_requirements("\n".join(_paper_parts(paper)) + "\n")


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _with_requirements(text: str) -> str:
    return "".join(f"% {line}\n" for line in _requirements(text)) + text


def _requirements(text: str) -> Iterator[str]:
    """The packages that a document with this text needs, and the letters that need another engine."""
    for package, letters in PACKAGES:
        if letters.search(text):
            yield rf"\usepackage{package}"
    if beyond := sorted(set(BEYOND.findall(text))):
        yield say("latex_engine", letters=" ".join(beyond[:MOST_NAMED]))


def _paper_parts(paper: Paper) -> Iterator[str]:
    for at, table in enumerate(paper.tables, 1):
        last = f"-{at}" if at > 1 else ""
        notes = (paper.scope,) if at == len(paper.tables) else ()
        yield from _table(table, notes, f"tab:{paper.name}{last}")
    yield from (f"% {say('beware')}: {tex(warning)}" for warning in paper.warnings)
    for at, sheet in enumerate(paper.differences, 1):
        last = f"-{at}" if len(paper.differences) > 1 else ""
        yield from _table(sheet, (sheet.hint,), f"tab:{paper.name}-differences{last}")
    if paper.methods:
        yield r"\begin{sloppypar}"  # names of steps cannot be broken
        yield rf"\paragraph{{{tex(say('methods'))}.}} {tex(paper.methods)}"
        yield r"\end{sloppypar}"
    yield rf"\par\noindent{{\raggedright\small\texttt{{{_breakable(paper.signature)}}}\par}}"


def _table(sheet: Sheet, notes: Iterable[str], label: str = "") -> Iterator[str]:
    """A table set small enough for an ordinary page, with notes below it."""
    sides = ("r" if holds_numbers(sheet, at) else "l" for at in range(len(sheet.header)))
    yield r"\begin{table}[t]"
    yield r"\centering\footnotesize\setlength{\tabcolsep}{2.5pt}"
    yield rf"\caption{{{tex(sheet.title)}}}"
    if label:
        yield rf"\label{{{label}}}"
    no_wider = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}"  # than the page
    yield rf"{no_wider}{{\begin{{tabular}}{{{''.join(sides)}}}"
    yield r"\toprule"
    yield _row(map(tex, sheet.header))
    yield r"\midrule"
    for row in sheet.rows:
        yield _row(_cells(row))
    yield r"\bottomrule"
    yield r"\end{tabular}}"
    for note in filter(None, notes):
        yield rf"\par\smallskip\parbox{{\linewidth}}{{\raggedright\footnotesize {_breakable(note)}}}"
    yield r"\end{table}"


def _breakable(text: str) -> str:
    """A text or signature as LaTeX, whose parts may stand on different lines."""
    return tex(text).replace(r" \textbar{} ", r" \textbar{} \allowbreak{}")


def _cells(row: tuple[SheetCell, ...]) -> Iterator[str]:
    """Cells as LaTeX; neighbouring cells that are N/A for the same reason are merged."""
    for _, same in groupby(enumerate(row), key=lambda at: at[1].text if at[1].text.startswith("N/A") else at[0]):
        cells = [cell for _, cell in same]
        text = tex(_HYPHEN.sub("−", cells[0].text))
        if len(cells) > 1:
            yield rf"\multicolumn{{{len(cells)}}}{{c}}{{{text}}}"
        else:
            yield rf"\textbf{{{text}}}" if cells[0].best else text


def tex(text: str) -> str:
    """Escape LaTeX's special characters in a text of a report, so that it is no command and breaks no table."""
    return _SPECIAL.sub(lambda found: _SPELLED[found[0]], printable(" ".join(text.split())))
