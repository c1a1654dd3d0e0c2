"""Tables so plain that their cells can be cut out of the text: several times as fast as with a parser.

A text is plain where it is one table alone, an HTML table without spans, a pipe table with rows of one width or a
`tabular` with no commands but rules, whose cells hold nothing that a parser would change, or are bold as a whole.
Any other LaTeX table is read by its parser, but need not be written as HTML and parsed again. Whatever is in doubt is
for the parsers.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from jatdae.tables.latex_tables import read_alone
from jatdae.tables.pipe_tables import MARKUP

_LONGEST: Final = 100_000
"""A longer text is for the parsers, which check it against their limits."""
_ODD: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that a parser of HTML drops or replaces."""
_ATTRIBUTES: Final = r"(?: (?:align|class|id|scope|style|valign|width)=\"[^\"<&]*+\")*+"
_CELLS: Final = "|".join(
    rf"<{tag}{_ATTRIBUTES}>(?:[^<&]++|<(?=[ 0-9=])|&(?:amp|lt|gt|quot);)*+</{tag}>\s*+" for tag in ("td", "th")
)
_ROWS: Final = rf"(?:<tr>\s*+(?:{_CELLS})*+</tr>\s*+)*+"
_GROUPS: Final = "".join(rf"(?:<{tag}>\s*+{_ROWS}</{tag}>\s*+)?+" for tag in ("thead", "tbody", "tfoot"))
_HTML: Final = re.compile(rf"\s*+<table>\s*+{_ROWS}{_GROUPS}</table>\s*+")
_HTML_TEXT: Final = re.compile(r"<t[dh][^>]*>((?:[^<]++|<(?!/))*+)</t[dh]>")
_BOLD_CELL: Final = re.compile(r"(?<=\|)([ \t]*+)(\*\*?)(?=[^\s*])([^*|\n]*[^\s*|])\2(?=[ \t]*\|)")
_TABULAR: Final = re.compile(r"\\begin\{tabular\}\{[lcr| ]++\}(.*)\\end\{tabular\}\s*", re.DOTALL)
_RULES: Final = re.compile(r"(?:\s*+\\(?:hline|toprule|midrule|bottomrule)(?![a-zA-Z@]))*+")
_LATEX_MARKUP: Final = re.compile(r"[\\{}$~\[\]%]|--|``|''|&(?:amp|lt|gt|quot|#\w{2,3});")
_DELIMITER: Final = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")


def read_plain(text: str) -> list[list[str]] | None:
    """The texts of the cells of a plain table, row by row; None where the text is anything else."""
    if len(text) > _LONGEST or _ODD.search(text):
        return None
    if text.startswith("|"):
        return _read_pipes(text)
    if text.startswith("\\begin"):
        if "<t" in text or "<T" in text:
            return None  # perhaps HTML
        return _read_tabular(text) or _read_latex(text)
    if not _HTML.fullmatch(text):
        return None
    rows = [_HTML_TEXT.findall(row) for row in text.split("<tr>")[1:]]
    return [[*map(unescape, row)] for row in rows] if "&" in text else rows


def _read_pipes(text: str) -> list[list[str]] | None:
    if "*" in text:
        text = _BOLD_CELL.sub(r"\1\3", text)
    lines = text.rstrip("\n").split("\n")
    if len(lines) < 2 or not _DELIMITER.fullmatch(lines[1]) or MARKUP.search(text):
        return None
    width = lines[1].count("|")
    rows = []
    for line in lines:
        cells = line.rstrip(" \t").split("|")
        if len(cells) != width + 1 or cells[0] or cells[-1]:
            return None
        rows.append(cells[1:-1])
    del rows[1]
    return rows


def _read_tabular(text: str) -> list[list[str]] | None:
    body = _TABULAR.fullmatch(text)
    if body is None:
        return None
    rows = []
    for row in body[1].split("\\\\"):
        rules = _RULES.match(row)
        cells = row[rules.end() :] if rules else row
        if row.startswith("*") or _LATEX_MARKUP.search(cells):
            return None
        if cells.strip():
            rows.append(cells.split("&"))
    return rows or None


def _read_latex(text: str) -> list[list[str]] | None:
    """A LaTeX table of any kind, merged cells on every position they cover; raised text is written `^{…}`."""
    rows = read_alone(text)
    return rows and [[_unmarked(cell) if "&" in cell or "<" in cell else cell for cell in row] for row in rows]


def _unmarked(html: str) -> str:
    return unescape(html.replace("<sup>", "^{").replace("</sup>", "}"))
