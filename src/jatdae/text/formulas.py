r"""Mathematics: `$$…$$`, `$…$`, `\(…\)`, `\[…\]`, equation environments, and pandoc's HTML spans for formulas.

No formula holds more than `LONGEST` characters (a run of white space is one), so a stray `$` costs a
passage at most, never the rest of a document.
"""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 4000
_ENVIRONMENTS = "equation|align|alignat|gather|multline|flalign|eqnarray|displaymath|math"

_DISPLAY: Final = re.compile(
    rf"(?<!\\)\$\$(?:[^$\\\s]|\s++|\\.|\$(?!\$)){{0,{LONGEST}}}+\$\$",
    re.DOTALL,
)
_ENVIRONMENT: Final = re.compile(
    rf"\\begin\{{(?:{_ENVIRONMENTS})\*?\}}"
    rf"(?:[^\\]|\\(?!(?:begin|end)\{{(?:{_ENVIRONMENTS})\*?\}})){{0,{2 * LONGEST}}}+"
    rf"\\end\{{(?:{_ENVIRONMENTS})\*?\}}"
)
_PARENTHESISED: Final = re.compile(rf"\\\((?:[^\\\s]|\s++|\\[^()]){{1,{LONGEST}}}+\\\)", re.DOTALL)
# Pandoc escapes plain brackets as \[sic\]: only what looks like a formula is one.
_BRACKETED: Final = re.compile(
    rf"\\\[(?=(?:[^\\=^<>+]|\\[^\[\]\w])*+(?:[=^<>+]|\\\w))(?:[^\\\s]|\s++|\\[^\[\]]){{1,{LONGEST}}}+\\\]",
    re.DOTALL,
)
# Pandoc's rule: no space inside the dollars, no digit after the closing one. A number and a word such
# as "and" or "million" after the opening one are money.
_MONEY = (
    r"\d[\d,.]*+\s++(?:and|or|to|per|each|for|in|on|at|of|from|by|with|is|was|are|were|a|an"
    r"|thousand|million|billion|trillion|US|USD)\b"
)
_INLINE: Final = re.compile(
    rf"(?<![\\$])\$(?![\s$])(?!{_MONEY})(?:[^$\\\s]|\s++|\\.){{1,{LONGEST}}}+(?<!\s)\$(?!\d)",
    re.DOTALL,
)
_HTML: Final = re.compile(
    r"<span\s++class=\"math[^\"<>]*+\">(?:[^<]|<(?!/?span\b))*+</span>",
)


def math(text: str) -> str:
    """Drop formulas; money such as `$5 and $7` stays."""
    if "$" in text:
        text = _INLINE.sub("", _DISPLAY.sub("", text))
    if "\\" in text:
        text = _ENVIRONMENT.sub("", text)
        text = _PARENTHESISED.sub("", text)
        text = _BRACKETED.sub("", text)
    if '"math' in text:
        text = _HTML.sub("", text)
    return text
