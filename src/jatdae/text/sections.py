"""The headings a references block starts and ends at: tables of titles and the lines they may stand on."""

from __future__ import annotations

import re
from typing import Final

REFERENCES: Final = (
    r"references?(?: and notes| cited)?",
    r"notes and references",
    r"(?:selected )?bibliography",
    r"literature cited",
    r"works cited",
    r"참고 ?문헌",
    r"인용 ?문헌",
    r"参考文献",
    r"參考文獻",
    r"引用文献",
    r"références(?: bibliographiques)?",
    r"bibliographie",
    r"literatur(?:verzeichnis)?",
    r"referencias",
    r"bibliografía",
)
AFTER_REFERENCES: Final = (
    r"appendi(?:x|ces)(?: [A-Z\d]{1,3}\b[^\n]{0,80})?",
    r"annexe?s?(?: [A-Z\d]\b[^\n]{0,80})?",
    r"anhang",
    r"(?:부록|附录|付録)[^\n]{0,60}",
    r"(?:supplement(?:ary|al)|supporting) (?:materials?|information|data|text|figures|tables|notes)\b[^\n]{0,120}",
    r"acknowledge?ments?",
    r"author contributions?",
    r"about the authors?",
    r"biograph(?:y|ies)",
    r"related resources",
    r"data availability[^\n]{0,20}",
    r"conflicts? of interests?",
    r"funding",
    r"figure (?:captions|legends)",
    r"감사의 글",
    r"저자 소개",
    r"謝辞",
)

_SPACE = r"[^\S\n]*+"
_BOLD = r"(?:\*\*|__)?"
_BEFORE = rf"^{_SPACE}(?:<h[1-6][^<>\n]*+>)?(?P<marks>\#{{0,6}}){_SPACE}{_BOLD}"
_NUMBERING = r"(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,6}|[A-Z])[.)]?[^\S\n]++)?"
_AFTER = rf"{_SPACE}[:.]?{_BOLD}{_SPACE}(?:</h[1-6]>)?(?:\{{[^{{}}\n]*+\}})?{_SPACE}\#*+{_SPACE}$"


def _line_of(titles: tuple[str, ...]) -> re.Pattern[str]:
    """A line with one of `titles` and nothing else but marks, numbering and bold."""
    return re.compile(f"{_BEFORE}{_NUMBERING}(?:{'|'.join(titles)}){_AFTER}", re.MULTILINE | re.IGNORECASE)


REFERENCES_HEADING: Final = _line_of(REFERENCES)
SECTION_AFTER: Final = _line_of(AFTER_REFERENCES)
MARKED_HEADING: Final = re.compile(r"^[^\S\n]*+(\#{1,6})[^\S\n]++\S", re.MULTILINE)
PERHAPS_SECTION: Final = re.compile(
    r"^[^\S\n]*+(?:[A-Z]{3,}(?:[ ][A-Z&-]{2,}){0,7}|(?:Figure|Fig\.|FIG\.|Table|TABLE)[ ][A-Z\d][^\n]*+)[^\S\n]*+$",
    re.MULTILINE,
)
"""A line of capitals, or a caption: the end of a list only where no entry follows."""

_DIV_NAMES = r"(?:refs|references|thebibliography|bibliography)"
REFERENCES_DIV: Final = re.compile(
    rf"^[^\S\n]*+:{{3,}}[^\S\n]*+"
    rf"(?:{_DIV_NAMES}\b|\{{[^{{}}\n]*?(?:[\#.]{_DIV_NAMES}|\.csl-bib-body)(?![\w-])[^{{}}\n]*+\}})[^\n]*+$"
    rf"|^[^\S\n]*+<div[ ][^<>\n]*?(?:id=\"{_DIV_NAMES}\"|class=\"(?:{_DIV_NAMES}|csl-bib-body)\b)[^<>\n]*+>",
    re.MULTILINE | re.IGNORECASE,
)
DIV_EDGE: Final = re.compile(r"^[^\S\n]*+:{3,}+(?P<name>[^\S\n]*+[^\s:][^\n]*+)?|<(?P<tag>/?)div\b", re.MULTILINE)
