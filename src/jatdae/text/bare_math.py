r"""Normaliser step for formulas without dollars: `\frac{a}{b}` in running text, as some parsers and some gold write it.

A formula is found by a command that only mathematics has, or by a letter with a braced index. A line with one and
without a word beside it is a formula as a whole. In running text it reaches as far to either side as single letters,
numbers and operators do, and ends before a word.
"""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = (
    # Greek
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho "
    "sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
    # structure and letters
    "frac dfrac tfrac cfrac sqrt binom dbinom overline underline overbrace underbrace overset underset stackrel "
    "hat widehat bar vec tilde widetilde dot ddot boldsymbol bm mathbf mathrm mathcal mathbb mathit mathsf mathfrak "
    "mathscr mathtt operatorname text mbox left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr "
    # operators and functions
    "sum prod coprod int iint iiint oint lim limsup liminf sup inf max min arg argmax argmin log ln exp sin cos tan "
    "cot sec csc sinh cosh tanh det dim ker deg gcd Pr mod bmod pmod bigcup bigcap bigoplus bigotimes bigvee bigwedge "
    # relations and signs
    "times cdot cdots ldots dots vdots ddots div pm mp ast star circ bullet oplus otimes odot le leq ge geq ne neq "
    "approx sim simeq cong equiv propto ll gg in notin ni subset subseteq supset supseteq cup cap setminus emptyset "
    "forall exists nexists neg land lor wedge vee to gets mapsto rightarrow leftarrow Rightarrow Leftarrow "
    "leftrightarrow Leftrightarrow longrightarrow longmapsto iff implies infty partial nabla ell hbar Re Im aleph "
    "mid parallel perp angle triangle prime dagger ddagger langle rangle lfloor rfloor lceil rceil lVert rVert lvert "
    "rvert quad qquad top bot"
)

_SPACE = r"[^\S\n]?+"
_GROUP = r"\{(?:[^{}\n]|\{(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]*+\})*+\})*+\})*+\}"
_NAME = rf"\\(?:{'|'.join(sorted(_NAMES.split(), key=len, reverse=True))})(?![A-Za-z])"
_FENCED = rf"\\(?:left|right|[bB]igg?[lr]?){_SPACE}(?:\\?[()\[\]{{}}|./<>]|\\[A-Za-z]++)"
_COMMAND = rf"(?:{_FENCED}|{_NAME}(?:{_SPACE}\[[^\[\]\n]{{0,40}}+\](?=\{{))?(?:{_SPACE}{_GROUP})*+)"
_INDEX = rf"{_SPACE}[_^]{_SPACE}(?:{_GROUP}|\\[A-Za-z]++|[\w*+'-])"
_INDICES = rf"(?:{_INDEX}|')*+"
_LETTER = r"(?<![^\W\d_])[A-Za-z](?![^\W\d_]|['’][a-z])"
_BRACKETED = r"\((?:[^()A-Za-z\n]|[A-Za-z](?![A-Za-z]{2})|\\[A-Za-z]++){1,80}+\)"
_TERM = rf"(?:(?:\d++(?:[.,]\d++)*+)?(?:{_LETTER})?(?:{_BRACKETED})?)"
_OPERATOR = r"(?:[=+*/<>~:±×·≤≥≈≠∈∝→−-]|\\[,;:! ]|\\\\)"
_INDEXED_LETTER = rf"(?<![\w\\])[A-Za-z](?:{_SPACE}[_^]{_SPACE}{_GROUP})++"

_SIGN: Final = re.compile(rf"[\\_^](?:(?<=\\)[A-Za-z]|(?<=[_^]){_SPACE}\{{)")
_MATH_COMMAND = rf"(?<!\\){_NAME}(?={_SPACE}[{{_^])|(?<![A-Za-z]{{2}})(?<![:\\]){_NAME}"
_COMMAND_OF_MATH: Final = re.compile(_MATH_COMMAND)
_START: Final = re.compile(rf"{_MATH_COMMAND}|{_INDEXED_LETTER}")
_REST: Final = re.compile(
    rf"(?:{_COMMAND}|[A-Za-z]){_INDICES}"
    rf"(?:{_SPACE}{_COMMAND}{_INDICES}"
    rf"|{_SPACE}{_OPERATOR}{_SPACE}(?:{_COMMAND}|{_GROUP}|(?=[\w(]){_TERM}(?<=[\w)])){_INDICES}"
    rf"|(?:{_GROUP}|{_BRACKETED}){_INDICES}"
    rf"|[,.;:=+*/|<>!&()\[\]−-]{{0,4}}+(?:[A-Za-z]{{1,2}}(?![^\W\d_])|\d++){_INDICES}"
    rf"|[^\S\n](?![aAIO]\b(?![_^])){_LETTER}{_INDICES}"
    rf"|{_SPACE}{_INDEXED_LETTER})*+"
)
_BEFORE: Final = re.compile(
    rf"(?:(?<![\w\\])(?:\d++(?:[.,]\d++)*+)?(?:[A-Za-z]{_INDICES}(?:{_BRACKETED})?)?(?<=[\w}})'])"
    rf"{_SPACE}[=+*/<>|±×·≤≥≈≠∈∝−-]{_SPACE})*(?:(?<![\w\\])\d++(?:[.,]\d++)*+)?\Z"
)
_LINE: Final = re.compile(r"^(?![^\S\n]*+\|)[^\n\\]*+\\[A-Za-z][^\n]*+$", re.MULTILINE)
_PARTS: Final = re.compile(rf"\\(?:begin|end){_GROUP}|\\[A-Za-z]++(?:{_SPACE}{_GROUP})*+|[_^]{_SPACE}{_GROUP}")
_PROSE: Final = re.compile(r"[^\W\d_]{3}(?!\w*+[(=\[_^])|(?<!\S)[a-z]{2}(?!\S)|[가-힣一-鿿ぁ-ヿ]")
_GONE: Final = r"\\"
"""Stands for a part: the "dx" after it is no word of its own."""
_LONGEST_BEFORE: Final = 60
"""Characters to the left of a command within which its formula begins."""


def bare_math(text: str) -> str:
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
