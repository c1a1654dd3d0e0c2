r"""LaTeX without dollars: which lines of a text are formulas, and which texts are pages rather than formulas.

Parsers, and some gold, write `y=\frac{1}{2}gt^2` on a line of its own. A line is a formula if it has what only
mathematics has (a command, a script) and no word beside it.
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
    "rvert top bot"
)
SPACE: Final = r"[^\S\n]?+"
GROUP: Final = r"\{(?:[^{}\n]|\{(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]*+\})*+\})*+\})*+\}"
NAME: Final = rf"\\(?:{'|'.join(sorted(_NAMES.split(), key=len, reverse=True))})(?![A-Za-z])"
"""A command that only mathematics has."""
MATH_COMMAND: Final = rf"(?<!\\){NAME}(?={SPACE}[{{_^])|(?<![A-Za-z]{{2}})(?<![:\\]){NAME}"
"""The same where it is no part of a path such as C:\\temp\\in."""
DISPLAYS: Final = (
    "equation", "align", "alignat", "flalign", "gather", "multline", "eqnarray", "displaymath", "math", "subequations",
)  # fmt: skip
"""Environments that are formulas by themselves."""
MATH_ENVIRONMENTS: Final = (
    *DISPLAYS, "aligned", "alignedat", "gathered", "split", "cases", "dcases", "rcases", "matrix", "smallmatrix",
    "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix",
)  # fmt: skip
"""Environments that hold nothing but mathematics; an `array` may be a table."""

_MATH: Final = re.compile(
    rf"{MATH_COMMAND}|\\begin\{{(?:{'|'.join(MATH_ENVIRONMENTS)}|array)\*?\}}"
    rf"|[\w)\]}}][_^]{SPACE}\{{"
)
_POWER: Final = re.compile(r"[A-Za-z0-9)\]]\^[A-Za-z0-9]")
"""Mathematics too where there is an equals sign: E = mc^2."""
_PARTS: Final = re.compile(
    rf"\\(?:begin|end){GROUP}|\\(?:text|mbox|tag|label|mathrm|textrm|operatorname)\*?\{{[^{{}}]*\}}"
    rf"|\\[A-Za-z]++(?:{SPACE}{GROUP})*+|[_^]{SPACE}{GROUP}"
)
_GONE: Final = r"\\"
"""Stands for a part: the "dx" after it is no word of its own."""
_PROSE: Final = re.compile(r"[^\W\d_]{3}(?!\w*+[(=\[_^])|(?<!\S)(?!d[p-z])[a-z]{2}(?!\S)|[가-힣一-鿿ぁ-ヿ]")
"""A word; dx is none."""
_OTHER_BLOCK: Final = re.compile(r"\s*(?:[|<#>]|[-*+•][ \t]|!\[)")
_BLOCK_MARK: Final = re.compile(
    r"^[ ]{0,3}(?:#{1,6}[ \t]+\S|(?:[-*+•·※]|\d{1,3}[.)])[ \t]+[^\W\d_]{2}|\|.*\|[ \t]*$"
    r"|<(?:h[1-6]|p|div|table|ul|ol)\b)",
    re.MULTILINE,
)
_WORD: Final = re.compile(r"[^\W\d_]{3,}|[가-힣一-鿿ぁ-ヿ]{2,}")
_SIGN: Final = re.compile(r"[\\=<>≤≥≈≠±×^_+∑∫√∈→|]")
_LONG_WORD: Final = re.compile(r"[^\W\d_]{4}|[가-힣一-鿿ぁ-ヿ]{2}")
_PAGE_WORDS: Final = 8
"""Words from which on a text is a page, if it has far fewer signs of mathematics."""


def is_formula(line: str) -> bool:
    r"""Whether a line, or the lines of an environment, are nothing but LaTeX mathematics."""
    is_math = _MATH.search(line) or ("=" in line and _POWER.search(line))
    return bool(is_math) and not _OTHER_BLOCK.match(line) and not _PROSE.search(_PARTS.sub(_GONE, line))


def is_page(text: str) -> bool:
    """Whether a text without dollars reads as a page, with headings, lists or sentences, rather than as a formula."""
    if _BLOCK_MARK.search(text):
        return True
    rest = _PARTS.sub(_GONE, text)
    words, signs = len(_WORD.findall(rest)), len(_SIGN.findall(rest))
    return words > 2 * signs if words >= _PAGE_WORDS else not signs and _LONG_WORD.search(rest) is not None
