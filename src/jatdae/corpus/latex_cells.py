"""Cells of LaTeX tables in which lines are broken: one text, as it is read.

`\\makecell{a\\\\b}`, `\\shortstack`, `\\thead` and a tabular within a cell break a line. pandoc takes their `\\\\` for
the end of the row of the table around them, and loses cells, or cannot read the paper at all.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.corpus.latex_citations import GROUP

_STACK: Final = re.compile(rf"\\(?:makecell|shortstack|thead|rothead)\b\*?\s*(?:\[[^\[\]]*\]\s*)*({GROUP})")
_ENDS: Final = re.compile(r"\\(begin|end)\s*\{(tabular[*xy]?)\}")
_ARGUMENTS: Final = {
    "tabular": re.compile(rf"\s*(?:\[[^\[\]]*\]\s*)?{GROUP}"),
    "other": re.compile(rf"\s*{GROUP}\s*(?:\[[^\[\]]*\]\s*)?{GROUP}"),
}
_BREAK: Final = re.compile(r"\\\\\*?(?:\s*\[[^\[\]]*\])?")
_RULE: Final = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|c(?:mid)?(?:line|rule)\s*(?:\([^()]*\))?\s*\{[^{}]*\})"
)
_CELL: Final = re.compile(r"(?<!\\)&")


def with_plain_cells(text: str) -> str:
    """A source in which what stands in several lines of a cell stands in one."""
    text = _without_inner_tables(text)
    while (joined := _STACK.sub(lambda match: f"{{{_in_one_line(match[1][1:-1])}}}", text)) != text:
        text = joined
    return text


def _without_inner_tables(text: str) -> str:
    """A source in which a tabular within a tabular is a group, its cells and rows with spaces between them."""
    pieces: list[str] = []
    open_at: list[int] = []
    last = 0
    for end in _ENDS.finditer(text):
        pieces.append(text[last : end.start()])
        last = end.end()
        if end[1] == "begin":
            open_at.append(len(pieces))
            pieces.append(end[0])
            continue
        begin = open_at.pop() if open_at else None
        pieces.append(end[0])
        if open_at and begin is not None:
            inside = "".join(pieces[begin + 1 : -1])
            arguments = _ARGUMENTS["tabular" if end[2] == "tabular" else "other"].match(inside)
            body = inside[arguments.end() :] if arguments else inside
            pieces[begin:] = [f"{{{_in_one_line(_CELL.sub(' ', _RULE.sub(' ', body)))}}}"]
    return "".join([*pieces, text[last:]])


def _in_one_line(text: str) -> str:
    return _BREAK.sub(" ", text).strip()
