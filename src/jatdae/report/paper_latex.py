"""The paper's table in LaTeX: booktabs, its footnote, how sure the differences are, the methods, the signature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from jatdae.core.messages import say
from jatdae.report.latex import tex
from jatdae.report.paper import Paper
from jatdae.report.sheets import Cell, Sheet, holds_numbers

PACKAGES: Final = (
    ("{booktabs}", re.compile("")),
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


def paper_latex(paper: Paper) -> str:
    """Everything, to be put into a paper with `\\input`."""
    text = "\n".join(_parts(paper)) + "\n"
    return "".join(f"% {line}\n" for line in _needs(text)) + text


def _needs(text: str) -> Iterator[str]:
    """What the document that takes the text in has to have."""
    for package, letters in PACKAGES:
        if letters.search(text):
            yield rf"\usepackage{package}"
    if beyond := sorted(set(BEYOND.findall(text))):
        yield say("latex_engine", letters=" ".join(beyond[:MOST_NAMED]))


def _parts(paper: Paper) -> Iterator[str]:
    yield from _table(paper.table, f"tab:{paper.name}", paper.scope)
    yield from (f"% {say('beware')}: {tex(warning)}" for warning in paper.warnings)
    if paper.differences:
        yield from _table(paper.differences, f"tab:{paper.name}-differences", say("differences_note"))
    if paper.methods:
        yield r"\begin{sloppypar}"  # names of steps cannot be broken
        yield rf"\paragraph{{{tex(say('methods'))}.}} {tex(paper.methods)}"
        yield r"\end{sloppypar}"
    signature = tex(paper.signature).replace(r" \textbar{} ", r" \textbar{} \allowbreak{}")
    yield rf"\par\noindent{{\raggedright\small\texttt{{{signature}}}\par}}"


def _table(sheet: Sheet, label: str, note: str) -> Iterator[str]:
    """A table that fits a page of ordinary width, with a note as wide as the page below it."""
    sides = ("r" if holds_numbers(sheet, at) else "l" for at in range(len(sheet.header)))
    yield r"\begin{table}[t]"
    yield r"\centering\footnotesize\setlength{\tabcolsep}{2.5pt}"
    yield rf"\caption{{{tex(sheet.title)}}}"
    yield rf"\label{{{label}}}"
    yield rf"\begin{{tabular}}{{{''.join(sides)}}}"
    yield r"\toprule"
    yield " & ".join(map(tex, sheet.header)) + r" \\"
    yield r"\midrule"
    for row in sheet.rows:
        yield " & ".join(_cells(row)) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    if note:
        yield rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {tex(note)}}}"
    yield r"\end{table}"


def _cells(row: tuple[Cell, ...]) -> Iterator[str]:
    """Cells as LaTeX; what is absent for the same reason in neighbouring columns is said once."""
    for _, same in groupby(enumerate(row), key=lambda at: at[1].text if at[1].text.startswith("N/A") else at[0]):
        cells = [cell for _, cell in same]
        text = tex(_HYPHEN.sub("−", cells[0].text))
        if len(cells) > 1:
            yield rf"\multicolumn{{{len(cells)}}}{{c}}{{{text}}}"
        else:
            yield rf"\textbf{{{text}}}" if cells[0].best else text
