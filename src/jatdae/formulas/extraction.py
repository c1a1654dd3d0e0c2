"""Finds the formulas of a Markdown document, in time linear in its length.

Formulas stand in `$…$`, `$$…$$`, `\\(…\\)`, `\\[…\\]`, in an environment such as `equation` or `align*`, in a code
fence marked `math`, or in a `<math>` element. Other code and `\\$` are left alone. A single `$` is money more often
than not: what it opens has to end in the same paragraph, without a space inside the signs (as pandoc has it) unless it
looks like LaTeX, and no digit may follow.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jatdae.formulas.mathml import OPENING, is_mathml

_ENVIRONMENTS: Final = (
    "equation", "align", "alignat", "flalign", "gather", "multline", "eqnarray", "displaymath", "math", "subequations",
)  # fmt: skip
_OPENING: Final = re.compile(
    r"(?P<fence>^[ ]{0,3}(?:`{3,}|~{3,})[^\n`]*$)|(?P<code>`+)|(?P<escaped>\\\\|\\\$)"
    r"|(?P<signs>\\\(|\\\[|\$\$)|(?P<dollar>\$)"
    rf"|\\begin\{{(?P<environment>(?:{'|'.join(_ENVIRONMENTS)})\*?)\}}|(?P<mathml>{OPENING})",
    re.MULTILINE,
)
_BLOCK: Final = re.compile(r"<[^>]*\bdisplay\s*=\s*[\"']?block")
_CLOSED_BY: Final = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_TO_DOLLAR_OR_PARAGRAPH: Final = re.compile(r"(?:\\.|[^\\$\n]++|\n(?![ \t]*\n))*+", re.DOTALL)
_LATEX_SIGN: Final = re.compile(r"[\\^_={}]")
_FENCE_LINE: Final = re.compile(r"(`{3,}|~{3,})[ \t]*(\w*)[ \t]*\n")
_TEXT_FENCES: Final = frozenset(["markdown", "md", "latex", "tex"])
_LONGEST_CODE: Final = 10_000
"""Characters in which a code span has to end."""


class Found(NamedTuple):
    """A formula of a document."""

    latex: str
    """Without the signs that enclose it."""
    display: bool = True
    """On a line of its own."""


class Document(NamedTuple):
    """A text as formulas and what stands between them, in order."""

    parts: list[Found | str]

    @property
    def formulas(self) -> list[Found]:
        """The formulas."""
        return [part for part in self.parts if isinstance(part, Found)]


def extract(text: str) -> list[Found]:
    """Find the formulas of a Markdown document, in order."""
    return read_document(text).formulas


def read_document(text: str) -> Document:
    """Find the formulas of a text, and what stands between them."""
    return _Scan(_unwrapped(text)).document()


def without_signs(text: str) -> str:
    """A text that is one formula, without what encloses it.

    Parsers take words out of a formula, `$P($ rain $)=1$`: what stands between two formulas is part of it. What stands
    around them is not. Displays one below the other are its lines.
    """
    parts = read_document(text).parts
    if not any(isinstance(part, Found) for part in parts):
        return _unwrapped(text).strip()
    whole = isinstance(parts[0], Found) and isinstance(parts[-1], Found)
    kept = [part for part in parts if whole or isinstance(part, Found)]
    if all(isinstance(part, Found) and part.display and not is_mathml(part.latex) for part in kept):
        return " \\\\ ".join(part.latex for part in kept if isinstance(part, Found))
    return " ".join(part.latex if isinstance(part, Found) else part for part in kept)


def _unwrapped(text: str) -> str:
    """What stands in the one fence that a whole text is wrapped in, or the text itself."""
    bare = text.strip()
    opening = _FENCE_LINE.match(bare)
    if opening is None or opening[2].lower() not in _TEXT_FENCES:
        return text
    inside = bare[opening.end() :].removesuffix(opening[1])
    return text if opening[1] in inside else inside


class _Scan:
    """One walk over a text. A closing sign that was not found once is not looked for again."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.absent: set[str] = set()

    def document(self) -> Document:
        parts: list[Found | str] = []
        start = at = 0
        while (opening := _OPENING.search(self.text, at)) is not None:
            at, found = self._after(opening)
            if found is not None:
                parts += [between] if (between := self.text[start : opening.start()].strip()) else []
                parts += [found] if found.latex else []
                start = at
        parts += [rest] if (rest := self.text[start:].strip()) else []
        return Document(parts)

    def _after(self, opening: re.Match[str]) -> tuple[int, Found | None]:
        """Where to read on after an opening sign, and the formula it opens, if it does."""
        kind, end = opening.lastgroup, opening.end()
        if kind == "signs":
            stop = self._find(_CLOSED_BY[opening[0]], end)
            return (end, None) if stop < 0 else (stop + 2, Found(self.text[end:stop].strip(), opening[0] != "\\("))
        if kind == "environment":
            closing = f"\\end{{{opening['environment']}}}"
            stop = self._find(closing, end) + len(closing)
            return (end, None) if closing in self.absent else (stop, Found(self.text[opening.start() : stop]))
        if kind == "dollar":
            return self._inline(end)
        if kind == "mathml":
            return self._mathml(opening)
        if kind == "fence":
            return self._fence(opening)
        return (self._code_end(opening) if kind == "code" else end), None

    def _inline(self, start: int) -> tuple[int, Found | None]:
        inside = _TO_DOLLAR_OR_PARAGRAPH.match(self.text, start)
        end = inside.end() if inside else start
        content = self.text[start:end]
        bare = content.strip()
        if self.text[end : end + 1] != "$" or not bare or self.text[end + 1 : end + 2].isdigit():
            return start, None
        if content != bare and not (_LATEX_SIGN.search(content) or len(content.split()) == 1):
            return start, None
        return end + 1, Found(bare, False)

    def _mathml(self, opening: re.Match[str]) -> tuple[int, Found | None]:
        closing = f"</{opening[0][1:]}>"
        stop = self._find(closing, opening.end())
        if stop < 0:
            return opening.end(), None
        source = self.text[opening.start() : stop + len(closing)]
        return stop + len(closing), Found(source, _BLOCK.match(source) is not None)

    def _fence(self, opening: re.Match[str]) -> tuple[int, Found | None]:
        line = opening[0].strip()
        sign = line[: len(line) - len(line.lstrip(line[0]))]
        end = self._find(f"\n{sign}", opening.end())
        end = len(self.text) if end < 0 else end
        after = self.text.find("\n", end + 1)
        after = len(self.text) if after < 0 else after
        is_math = line[len(sign) :].strip().lower() == "math"
        return after, Found(self.text[opening.end() : end].strip()) if is_math else None

    def _code_end(self, opening: re.Match[str]) -> int:
        end = self.text.find(opening[0], opening.end(), opening.end() + _LONGEST_CODE)
        return opening.end() if end < 0 else end + len(opening[0])

    def _find(self, closing: str, start: int) -> int:
        if closing in self.absent:
            return -1
        end = self.text.find(closing, start)
        if end < 0:
            self.absent.add(closing)
        return end
