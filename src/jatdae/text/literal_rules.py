"""Normaliser and bibliography rules in their first wording: preset `seed` and `bibliography=heading`.

Numbers in brackets, rules, authors with a year, footnote definitions and the heading of the bibliography were given as
patterns and are kept as written, faults included; only `\\s*` at a line's edge is written so that it cannot cross
lines, which moves blank lines alone and makes the patterns linear. The other steps were only named: they are plain
reconstructions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_Table = tuple[tuple[str, str], ...]
"""Pattern and replacement, one after the other; `^` and `$` are a line's."""

_PANDOC: Final[_Table] = ((r"^:::.*$", ""), (r"\{[^{}]*\}", ""))
_KEYS: Final[_Table] = ((r"\[@[^\[\]]+\]", ""), (r"(?<!\w)@[\w:-]+", ""))
_NUMBERS: Final[_Table] = ((r"\[\d+(?:\s*[,;-]\s*\d+)*\]", ""),)
_NOTES: Final[_Table] = ((r"\[\^\w+\]", ""),)
_DEFINITIONS: Final[_Table] = ((r"^\[\^\w+\]:.*$", ""),)
_IMAGES: Final[_Table] = ((r"!\[([^\[\]]*)\]\([^()]*\)", r"\1"),)
_MATH: Final[_Table] = ((r"\$\$(?:[^$]|\$(?!\$))*+\$\$", ""), (r"\$[^$]+\$", ""))
_PAGES: Final[_Table] = ((r"\[Page \d+\]", ""),)
_SIZES: Final[_Table] = ((r"(?:width|height)=\"?[^\"\s]*\"?", ""),)
_RULES: Final[_Table] = ((r"^[^\S\n]*[-*_]{3,}[^\S\n]*$", ""),)
_AUTHORS: Final[_Table] = ((r"\([A-Z][a-z]+(?:\s+(?:et\s+al\.|&\s+[A-Z][a-z]+))?(?:,?\s*\d{4}[a-z]?)\)", ""),)
_MARKDOWN: Final[_Table] = (
    (r"```(?:[^`]|`(?!``))*+```", ""),
    (r"^#{1,6}[^\S\n]+", ""),
    (r"\*\*([^*\n]+)\*\*", r"\1"),
    (r"\*([^*\n]+)\*", r"\1"),
    (r"\[([^\[\]]+)\]\([^()]+\)", r"\1"),
    (r"`([^`]*)`", r"\1"),
    (r"^[^\S\n]*(?:[-*+]|\d+\.)[^\S\n]+", ""),
    (r"\|", " "),
)


def _rewriting(title: str, table: _Table) -> Callable[[str], str]:
    patterns = [(re.compile(pattern, re.MULTILINE), replacement) for pattern, replacement in table]

    def rewrite(text: str) -> str:
        for pattern, replacement in patterns:
            text = pattern.sub(replacement, text)
        return text

    rewrite.__doc__ = title
    return rewrite


seed_pandoc_blocks = _rewriting("Drop lines of `:::` and everything in braces.", _PANDOC)
seed_citation_keys = _rewriting("Drop `[@key]` and `@key`.", _KEYS)
seed_citation_numbers = _rewriting("Drop `[1]`, `[1, 2]`, `[1-3]`.", _NUMBERS)
seed_footnote_references = _rewriting("Drop `[^n]`: before the definitions, which it hides from the next step.", _NOTES)
seed_footnote_definitions = _rewriting("Drop lines `[^n]: text`.", _DEFINITIONS)
seed_images = _rewriting("Replace `![caption](file)` by its caption.", _IMAGES)
seed_math = _rewriting("Drop `$$…$$` and `$…$`.", _MATH)
seed_page_markers = _rewriting("Drop `[Page N]`.", _PAGES)
seed_size_attributes = _rewriting("Drop `width=…` and `height=…`.", _SIZES)
seed_horizontal_rules = _rewriting("Drop lines of three or more of `-`, `*`, `_`.", _RULES)
seed_citation_authors = _rewriting("Drop `(Author, 2020)`, `(Author et al., 2020)`, `(A & B, 2020)`.", _AUTHORS)
seed_markdown = _rewriting("Drop heading marks, emphasis, links, code, list marks and pipes.", _MARKDOWN)

_HEADING: Final = re.compile(r"(?:References|Bibliography|REFERENCES)[^\S\n]*+$", re.MULTILINE)


def heading_split(text: str) -> int | None:
    """Literal rule for where the body of a text ends: a line `References`, `Bibliography` or `REFERENCES`.

    None if there is no such line.

    The end of the body for the pattern `^(?:#{0,3}\\s*)?(?:References|Bibliography|REFERENCES)\\s*$`, whose
    `\\s*` may begin lines above the word; found backwards from the word, in linear time.
    """
    for word in _HEADING.finditer(text):
        start = _back_over_space(text, word.start())
        marks = start
        while marks and text[marks - 1] == "#" and start - marks < 3:
            marks -= 1
        if marks < start and (marks == 0 or text[marks - 1] == "\n"):
            return _back_over_space(text, marks)
        if start == 0 or "\n" in text[start : word.start()]:
            return start
    return None


def _back_over_space(text: str, at: int) -> int:
    while at and text[at - 1].isspace():
        at -= 1
    return at
