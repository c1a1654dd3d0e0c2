r"""Normaliser step for formulas without dollars: `\frac{a}{b}` in running text, as some parsers and some gold write it.

A formula is found by a command that only mathematics has, or by a braced index. A line that is nothing but LaTeX goes
as a whole. In running text a formula goes with all that belongs to it: what is glued to it, the operands of its
operators on both sides, a function and its brackets. It ends before a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jatdae.core.bare_latex import GROUP, MATH_COMMAND, SPACE, is_formula

_BINARY: Final = (
    "times cdot div pm mp ast star circ bullet oplus otimes odot le leq ge geq ne neq approx sim simeq cong equiv "
    "propto ll gg in notin ni subset subseteq supset supseteq cup cap setminus land lor wedge vee to gets mapsto "
    "rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow longrightarrow longmapsto iff implies mid "
    "parallel perp mod bmod"
)
"""Commands with an operand on either side."""
_BINARY_NAMES: Final = "|".join(sorted(_BINARY.split(), key=len, reverse=True))
_TOKEN: Final = re.compile(
    rf"(?P<binary>(?<![A-Za-z]{{2}})(?<![:\\])\\(?:{_BINARY_NAMES})(?![A-Za-z]))"
    rf"|(?P<fence>\\(?:left|right|[bB]igg?[lr]?){SPACE}(?:\\?[()\[\]{{}}|./<>]|\\[A-Za-z]++))"
    rf"|(?P<command>(?:{MATH_COMMAND})(?:{SPACE}\[[^\[\]\n]{{0,40}}+\](?=\{{))?(?:{SPACE}{GROUP})*+)"
    rf"|(?P<index>[_^]{SPACE}(?:{GROUP}|\\[A-Za-z]++|[\w*+'-])|')"
    r"|(?P<number>\d++(?:[.,]\d++)*+)"
    r"|(?P<word>[^\W\d_]++)"
    r"|(?P<operator>[=+*/<>~±×·≤≥≈≠∈∝→−-])"
    r"|(?P<bars>\|[^|\s]{1,12}\|)"
    r"|(?P<open>[(\[])|(?P<close>[)\]])"
    r"|(?P<space>(?:[^\S\n]|\\[,;:! ]|\\q?quad(?![A-Za-z]))++)"
    r"|(?P<other>\\[A-Za-z]++|.)"
)
_SIGN: Final = re.compile(r"\\[A-Za-z]|[_^][^\S\n]?\{")
_LINE: Final = re.compile(r"^[^\n]*[\\{][^\n]*$", re.MULTILINE)
_SIGNS: Final = frozenset("+-−±")
_ARTICLES: Final = frozenset("aAIO")
_PREFIXED: Final = frozenset(["\\sim", "\\approx", "\\simeq", "\\pm", "\\le", "\\leq", "\\ge", "\\geq", "\\ll", "\\gg"])
"""Relations that also stand before a number alone: a \\sim 25 ps run."""
_SHORT: Final = 2
"""Letters of what may be glued to a formula and be no word: dx, gt."""
_LONGEST_BASE: Final = 12
"""Letters of what may have a braced index: CO_{2}, loss_{i}."""
_SHORT_INDEX: Final = re.compile(r"[_^]\s?\{\s*(?:[^{}\s]{1,3}|[^{}]*[\\+=,^_-][^{}]*)\s*\}")


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def bare_math(text: str) -> str:
    r"""Remove formulas without dollars from a text: `\frac{a}{b}`, `x = \alpha + 1`, `x_{i}`."""
    return _LINE.sub(_without_formulas, text) if "\\" in text or "{" in text else text


def _without_formulas(line: re.Match[str]) -> str:
    source = line[0]
    if not _SIGN.search(source):
        return source
    if is_formula(source):
        return ""
    kept, at = [], 0
    for start, end in _Line(source).formulas():
        kept.append(source[at:start])
        at = end
    return "".join([*kept, source[at:]])


class _Line:
    """The tokens of a line, and the formulas among them."""

    def __init__(self, source: str) -> None:
        found = _TOKEN.finditer(source)
        self.tokens = [_Token(str(each.lastgroup), each[0], *each.span()) for each in found]
        self.partner: dict[int, int] = {}
        self.prose = [0]  # how many words stand before each token
        opened: list[int] = []
        for at, token in enumerate(self.tokens):
            self.prose.append(self.prose[-1] + (token.kind == "word" and len(token.text) > _SHORT))
            if token.kind == "open":
                opened.append(at)
            elif token.kind == "close" and opened:
                self.partner[at] = opened.pop()
                self.partner[self.partner[at]] = at

    def formulas(self) -> Iterator[tuple[int, int]]:
        """Where each begins and ends in the line."""
        floor = 0
        for seed in range(len(self.tokens)):
            if seed < floor or not self._is_seed(seed):
                continue
            first, last = self._grown(seed, floor)
            yield self.tokens[first].start, self.tokens[last].end
            floor = last + 1

    def _is_seed(self, at: int) -> bool:
        token = self.tokens[at]
        if token.kind == "index":
            return "{" in token.text and at > 0 and self._is_base(at - 1, token.text)
        return token.kind in ("binary", "command", "fence")

    def _is_base(self, at: int, index: str) -> bool:
        token = self.tokens[at]
        if token.kind == "word":
            return len(token.text) == 1 or (len(token.text) <= _LONGEST_BASE and bool(_SHORT_INDEX.fullmatch(index)))
        return token.kind in ("number", "bars") or (token.kind == "close" and self._is_mathematical(at))

    def _grown(self, seed: int, floor: int) -> tuple[int, int]:
        first = last = seed
        while True:
            grown = self._left(first, floor), self._right(last)
            grown = self._bracketed(*grown, floor)
            if grown == (first, last):
                return grown
            first, last = grown

    def _left(self, first: int, floor: int) -> int:
        """The first token with what belongs to it on its left: what is glued to it, or the operand of an operator."""
        kind = self.tokens[first].kind
        at = first - 1
        if at < floor:
            return first
        if kind in ("binary", "operator"):
            at -= self.tokens[at].kind == "space"
            is_article = at >= floor and self.tokens[first].text in _PREFIXED and self.tokens[at].text in _ARTICLES
            return self._operand_before(at, first) if at >= floor and not is_article else first
        token = self.tokens[at]
        if token.kind in ("command", "fence", "index", "number", "bars"):
            return at
        if token.kind == "word" and (kind == "index" or len(token.text) <= _SHORT) and token.text.isascii():
            return at
        if token.kind == "close" and self._is_mathematical(at):
            return max(self.partner[at], floor)
        at -= token.kind == "space"
        if at >= floor and self.tokens[at].kind == "operator":
            if token.text in _SIGNS and self._stands_alone(at):
                return at
            operand = at - 1 - (self.tokens[at - 1].kind == "space")
            return self._operand_before(operand, first) if operand >= floor else first
        if token.kind == "space" and at >= floor and self._is_letter(at) and self._stands_alone(at):
            return at
        return first

    def _operand_before(self, at: int, otherwise: int) -> int:
        token = self.tokens[at]
        if token.kind == "close" and self._is_mathematical(at):
            return self.partner[at]
        is_operand = token.kind in ("command", "index", "number", "bars") or (
            token.kind == "word" and (len(token.text) == 1 or token.text.isupper()) and self._is_short(at)
        )
        return at if is_operand else otherwise

    def _is_short(self, at: int) -> bool:
        token = self.tokens[at]
        return len(token.text) <= _SHORT and token.text.isascii() and self._stands_alone(at)

    def _right(self, last: int) -> int:
        """The last token with what belongs to it on its right."""
        tokens, at = self.tokens, last + 1
        if at >= len(tokens):
            return last
        if tokens[last].kind in ("binary", "operator"):
            return self._operand_after(at + (tokens[at].kind == "space"), last)
        glued = tokens[at]
        if glued.kind in ("command", "fence", "index", "binary", "number", "bars"):
            return at
        if glued.kind == "word" and len(glued.text) <= _SHORT and glued.text.isascii():
            return at
        if glued.kind == "open" and self._is_mathematical(at):
            return self.partner[at]
        spaced = glued.kind == "space"
        at += spaced
        if at >= len(tokens):
            return last
        if tokens[at].kind in ("operator", "binary"):
            after = at + 1
            return self._operand_after(after + (after < len(tokens) and tokens[after].kind == "space"), last)
        if spaced and tokens[at].kind in ("command", "fence"):
            return at
        is_letter = self._is_letter(at) or (
            at + 1 < len(tokens) and self._is_seed(at + 1) and tokens[at].kind == "word"
        )
        return at if spaced and is_letter else last

    def _operand_after(self, at: int, otherwise: int) -> int:
        if at >= len(self.tokens):
            return otherwise
        token = self.tokens[at]
        if token.kind == "open" and self._is_mathematical(at):
            return self.partner[at]
        if token.kind == "operator" and token.text in _SIGNS:
            return self._operand_after(at + 1, otherwise)
        is_operand = token.kind in ("command", "fence", "number", "bars") or (
            token.kind == "word"
            and (len(token.text) == 1 or token.text.isupper() or self.tokens[at - 1].kind != "space")
            and len(token.text) <= _SHORT
            and token.text.isascii()
        )
        return at if is_operand else otherwise

    def _bracketed(self, first: int, last: int, floor: int) -> tuple[int, int]:
        """With the brackets around it, and the name before them, where they are those of a function: O(n \\log n)."""
        before = first - 1 - (first > floor and self.tokens[first - 1].kind == "space")
        if before <= floor or self.tokens[before].kind != "open" or before not in self.partner:
            return first, last
        name = self.tokens[before - 1]
        is_name = name.kind in ("command", "index") or (name.kind == "word" and len(name.text) <= _SHORT)
        if is_name and self._is_mathematical(before) and self.partner[before] > last:
            return before - 1, self.partner[before]
        return first, last

    def _is_letter(self, at: int) -> bool:
        token = self.tokens[at]
        return token.kind == "word" and len(token.text) == 1 and token.text.isascii() and token.text not in _ARTICLES

    def _stands_alone(self, at: int) -> bool:
        """Whether nothing is glued to the left of a token but a bracket or a formula."""
        return at == 0 or self.tokens[at - 1].kind in (
            "space",
            "open",
            "operator",
            "binary",
            "command",
            "index",
            "number",
        )

    def _is_mathematical(self, at: int) -> bool:
        """Whether there is no word between a bracket and its partner."""
        other = self.partner.get(at)
        return other is not None and self.prose[max(at, other)] == self.prose[min(at, other)]
