r"""Normaliser step for formulas without dollars as `fair@2` had it, which could leave half of a formula.

A formula is found by a command that only mathematics has, or by a letter with a braced index. A line with one and
without a word beside it is a formula as a whole. In running text it reaches as far to either side as single letters,
numbers and operators do, and ends before a word.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.core.bare_latex import GROUP, NAME, SPACE

_NAME = rf"(?:{NAME}|\\(?:qquad|quad)(?![A-Za-z]))"
_FENCED = rf"\\(?:left|right|[bB]igg?[lr]?){SPACE}(?:\\?[()\[\]{{}}|./<>]|\\[A-Za-z]++)"
_COMMAND = rf"(?:{_FENCED}|{_NAME}(?:{SPACE}\[[^\[\]\n]{{0,40}}+\](?=\{{))?(?:{SPACE}{GROUP})*+)"
_INDEX = rf"{SPACE}[_^]{SPACE}(?:{GROUP}|\\[A-Za-z]++|[\w*+'-])"
_INDICES = rf"(?:{_INDEX}|')*+"
_LETTER = r"(?<![^\W\d_])[A-Za-z](?![^\W\d_]|['’][a-z])"
_BRACKETED = r"\((?:[^()A-Za-z\n]|[A-Za-z](?![A-Za-z]{2})|\\[A-Za-z]++){1,80}+\)"
_TERM = rf"(?:(?:\d++(?:[.,]\d++)*+)?(?:{_LETTER})?(?:{_BRACKETED})?)"
_OPERATOR = r"(?:[=+*/<>~:±×·≤≥≈≠∈∝→−-]|\\[,;:! ]|\\\\)"
_INDEXED_LETTER = rf"(?<![\w\\])[A-Za-z](?:{SPACE}[_^]{SPACE}{GROUP})++"

_SIGN: Final = re.compile(rf"[\\_^](?:(?<=\\)[A-Za-z]|(?<=[_^]){SPACE}\{{)")
_MATH_COMMAND = rf"(?<!\\){_NAME}(?={SPACE}[{{_^])|(?<![A-Za-z]{{2}})(?<![:\\]){_NAME}"
_COMMAND_OF_MATH: Final = re.compile(_MATH_COMMAND)
_START: Final = re.compile(rf"{_MATH_COMMAND}|{_INDEXED_LETTER}")
_REST: Final = re.compile(
    rf"(?:{_COMMAND}|[A-Za-z]){_INDICES}"
    rf"(?:{SPACE}{_COMMAND}{_INDICES}"
    rf"|{SPACE}{_OPERATOR}{SPACE}(?:{_COMMAND}|{GROUP}|(?=[\w(]){_TERM}(?<=[\w)])){_INDICES}"
    rf"|(?:{GROUP}|{_BRACKETED}){_INDICES}"
    rf"|[,.;:=+*/|<>!&()\[\]−-]{{0,4}}+(?:[A-Za-z]{{1,2}}(?![^\W\d_])|\d++){_INDICES}"
    rf"|[^\S\n](?![aAIO]\b(?![_^])){_LETTER}{_INDICES}"
    rf"|{SPACE}{_INDEXED_LETTER})*+"
)
_BEFORE: Final = re.compile(
    rf"(?:(?<![\w\\])(?:\d++(?:[.,]\d++)*+)?(?:[A-Za-z]{_INDICES}(?:{_BRACKETED})?)?(?<=[\w}})'])"
    rf"{SPACE}[=+*/<>|±×·≤≥≈≠∈∝−-]{SPACE})*(?:(?<![\w\\])\d++(?:[.,]\d++)*+)?\Z"
)
_LINE: Final = re.compile(r"^(?![^\S\n]*+\|)[^\n\\]*+\\[A-Za-z][^\n]*+$", re.MULTILINE)
_PARTS: Final = re.compile(rf"\\(?:begin|end){GROUP}|\\[A-Za-z]++(?:{SPACE}{GROUP})*+|[_^]{SPACE}{GROUP}")
_PROSE: Final = re.compile(r"[^\W\d_]{3}(?!\w*+[(=\[_^])|(?<!\S)[a-z]{2}(?!\S)|[가-힣一-鿿ぁ-ヿ]")
_GONE: Final = r"\\"
"""Stands for a part: the "dx" after it is no word of its own."""
_LONGEST_BEFORE: Final = 60
"""Characters to the left of a command within which its formula begins."""


def bare_math_1(text: str) -> str:
    r"""Remove formulas without dollars from a text: `\frac{a}{b}`, `x = \alpha + 1`, `x_{i}`."""
    if "\\" not in text and "{" not in text:
        return text
    if "\\" in text:
        text = _LINE.sub(_without_formula_line, text)
    kept, at = [], 0
    for sign in _SIGN.finditer(text):
        start = _start(text, sign.start())
        rest = _REST.match(text, start) if start >= at and _START.match(text, start) else None
        if rest is None:
            continue
        before = _BEFORE.search(text, max(at, start - _LONGEST_BEFORE), start)
        kept.append(text[at : before.start() if before else start])
        at = rest.end()
    return "".join([*kept, text[at:]]) if at else text


def _without_formula_line(line: re.Match[str]) -> str:
    is_formula = _COMMAND_OF_MATH.search(line[0]) and not _PROSE.search(_PARTS.sub(_GONE, line[0]))
    return "" if is_formula else line[0]


def _start(text: str, sign: int) -> int:
    """Where the first part of a formula with this sign begins: at a command, or at the letter before an index."""
    if text[sign] == "\\":
        return sign
    return sign - 2 if text.startswith(" ", sign - 1) and sign > 1 else max(0, sign - 1)
