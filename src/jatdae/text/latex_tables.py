r"""Normaliser step that removes the markup of LaTeX tables, as that of HTML and Markdown tables goes: the cells stay.

Formulas and commands that are no markup of tables are left to later steps.
"""

from __future__ import annotations

import re
from typing import Final

_WIDE = r"tabular\*|tabularx|tabulary|xltabular"
_TABLES = rf"{_WIDE}|tabular|longtable\*?|supertabular|xtabular|tblr|longtblr"
_FLOATS = r"table\*?|sidewaystable\*?|threeparttable|adjustbox|center"
_BEGIN: Final = re.compile(rf"\\begin\{{(?P<name>{_TABLES}|table\*?|sidewaystable\*?)\}}")

_GROUP = r"\{(?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.)*+\})*+\})*+\}"
_OPTION = r"(?:\s*+\[[^\[\]\n]{0,60}\])?"
_LENGTH = r"(?:\s*+\[\s*+-?[\d.]*+\s*+(?:[a-z]{2}|\\[a-z]++)\s*+\])?"
_ARGUMENT = rf"\s*+(?:{_GROUP}|[^\s{{}}\\&\[\]])"
_NAME_END = r"(?![A-Za-z])"
_MARKUP: Final = re.compile(
    rf"(?P<kept>\$[^$\n]*+\$|[_^]\s*+{_GROUP})"
    rf"|(?P<parts>\\begin\{{(?:{_WIDE})\}}{_OPTION}\s*+{_GROUP}{_OPTION}\s*+{_GROUP}"
    rf"|\\begin\{{(?:{_TABLES})\}}{_OPTION}\s*+{_GROUP}"
    rf"|\\begin\{{(?:{_FLOATS})\}}{_OPTION}"
    rf"|\\end\{{(?:{_TABLES}|{_FLOATS})\}}"
    rf"|\\\\\*?{_LENGTH}|\\tabularnewline{_NAME_END}|(?<!\\)&(?:amp;)?)"
    rf"|\\(?:hline|toprule|midrule|bottomrule|addlinespace|endfirsthead|endhead|endfoot|endlastfoot){_NAME_END}{_LENGTH}"
    rf"|\\(?:cline|cmidrule){_OPTION}(?:\s*+\([^()\n]{{0,20}}\))?\s*+{_GROUP}"
    rf"|\\(?:label|cellcolor|rowcolor|columncolor|arrayrulecolor|vspace|hspace)\*?{_OPTION}\s*+{_GROUP}"
    rf"|\\(?:setlength|addtolength|renewcommand)\*?\s*+(?:{_GROUP}|\\[A-Za-z]++)\s*+{_GROUP}"
    rf"|\\(?:multicolumn|multirow){_NAME_END}{_OPTION}{_ARGUMENT}{_OPTION}{_ARGUMENT}{_OPTION}"
    rf"|\\(?:centering|small|footnotesize|scriptsize|normalsize|tiny|bfseries|itshape|bf|it){_NAME_END}"
    rf"|\\(?:caption|text(?:bf|it|tt|rm|sf|sc)|emph|underline|makecell|thead|shortstack){_OPTION}(?=\s*+\{{)"
    rf"|(?P<other>\\[A-Za-z]++(?:{_GROUP})*+|\\.)"
    r"|[{}]",
    re.DOTALL,
)


def latex_tables(text: str) -> str:
    r"""Remove the markup of LaTeX tables from a text: `\begin{tabular}{lc}`, rules, `&`, `\\`, `\multicolumn{2}{c}`."""
    if "\\begin{" not in text:
        return text
    made: list[str] = []
    at = 0
    absent: set[str] = set()
    for begin in _BEGIN.finditer(text):
        closing = f"\\end{{{begin['name']}}}"
        if begin.start() < at or closing in absent:
            continue
        end = text.find(closing, begin.end())
        if end < 0:
            absent.add(closing)
            continue
        made += [text[at : begin.start()], _MARKUP.sub(_left, text[begin.start() : end + len(closing)])]
        at = end + len(closing)
    return "".join([*made, text[at:]]) if made else text


def _left(markup: re.Match[str]) -> str:
    return " " if markup["parts"] else markup["kept"] or markup["other"] or ""
