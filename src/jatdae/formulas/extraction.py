"""Finds the formulas of a Markdown document, in time linear in its length.

Formulas stand in `$…$`, `$$…$$`, `\\(…\\)`, `\\[…\\]`, in an environment of mathematics, in a code fence marked
`math`, in a `<math>` element, or without any sign on a line that is nothing but LaTeX. Other code and `\\$` are left
alone. A single `$` is money more often than not: what it opens has to end in the same paragraph, without a space inside
the signs (as pandoc has it) unless it looks like LaTeX, and no digit may follow.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jatdae.core.bare_latex import DISPLAYS, MATH_ENVIRONMENTS, is_formula, is_page
from jatdae.core.characters import as_seen
from jatdae.core.fences import read_fences
from jatdae.formulas.formula_issues import MAX_FORMULA
from jatdae.formulas.mathml import OPENING, is_mathml

_OPENING: Final = re.compile(
    r"(?P<fence>^[ ]{0,3}(?:`{3,}|~{3,})[^\n`]*$)|(?P<code>`+)|(?P<escaped>\\\\|\\\$)"
    r"|(?P<signs>\\\(|\\\[|\$\$)|(?P<dollar>\$)"
    rf"|\\begin\{{(?P<environment>(?:{'|'.join(MATH_ENVIRONMENTS)})\*?)\}}|(?P<mathml>{OPENING})",
    re.MULTILINE,
)
_FENCE: Final = re.compile(r"^[ ]{0,3}(?:`{3,}|~{3,})[ \t]*(?P<language>[^\s`]*)[ \t]*$", re.MULTILINE)
_BLOCK: Final = re.compile(r"<[^>]*\bdisplay\s*=\s*[\"']?block")
_CLOSED_BY: Final = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_TO_DOLLAR_OR_PARAGRAPH: Final = re.compile(r"(?:\\.|[^\\$\n]++|\n(?![ \t]*\n))*+", re.DOTALL)
_LATEX_SIGN: Final = re.compile(r"[\\^_={}]")
_PERHAPS_BARE: Final = re.compile(
    r"^(?=(?:[^\n$`\\]|\\[^\n()\[\]])*+$)[^\n\\_^]*+(?:\\[^A-Za-z\n][^\n\\_^]*+)*+(?:\\[A-Za-z]|[_^])", re.MULTILINE
)
"""A line that may be LaTeX without signs."""
_TABLE: Final = re.compile(r"\s*\\begin\{(?:tab|long|x|NiceT|array|tblr|tall)")
_EDGE: Final = re.compile(r"\\(begin|end)\s*\{([^{}\n]{1,40})\}")
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
    return _Scan(_unfenced(as_seen(text))).document()


def read_formulas(text: str) -> tuple[bool, list[Found]]:
    """Whether a text is one formula, with signs around it or without, and the formulas of it.

    A page of sentences, headings or lists is a document, also if there is no formula in it.
    """
    scan = _Scan(_unfenced(as_seen(text)), bare=False)
    signed = scan.document()
    if signed.formulas and len(signed.parts) == 1:
        return True, signed.formulas
    if scan.signed or is_page(text):
        return False, read_document(text).formulas
    bare = without_signs(text)
    return True, [Found(bare)] if bare else []


def without_signs(text: str) -> str:
    """A text that is one formula, without what encloses it.

    Parsers take words out of a formula, `$P($ rain $)=1$`: what stands between two formulas is part of it. What stands
    around them is not, nor what stands around a fence. Displays one below the other are its lines. An environment that
    is no display, such as a matrix, encloses nothing: what stands beside it on its line belongs to the formula.
    """
    text = as_seen(text)
    if fenced := read_fences(text):
        text = fenced.inside
    scan = _Scan(text, bare=False)
    parts = scan.document().parts
    if not scan.signed:
        parts = _Scan(text).document().parts
        if not (any(isinstance(part, Found) for part in parts) and all(map(_is_formula_or_prose, parts))):
            return text.strip()
    if not parts:  # signs with nothing in them
        return ""
    whole = isinstance(parts[0], Found) and isinstance(parts[-1], Found)
    kept = [part for part in parts if whole or isinstance(part, Found)]
    if all(isinstance(part, Found) and part.display and not is_mathml(part.latex) for part in kept):
        return " \\\\ ".join(part.latex for part in kept if isinstance(part, Found))
    return " ".join(part.latex if isinstance(part, Found) else part for part in kept)


def _unfenced(text: str) -> str:
    """What stands in the fences of an answer; any other text as it is.

    A fence marked `math` stays, unless there are signs in it: it is one itself. So does a fence without a language that
    holds less than the sentences around it: it is code of a page rather than an answer.
    """
    fenced = read_fences(text)
    if fenced is None or not fenced.is_answer:
        return text
    first = _FENCE.search(text)
    language = first["language"].lower() if first else "latex"  # on one line with what it holds
    if language == "math" and not _OPENING.search(fenced.inside):
        return text
    if not language and len(fenced.inside.strip()) < len(fenced.around.strip()):
        return text
    return fenced.inside


def _comes_first(line: re.Match[str], opening: re.Match[str]) -> bool:
    """Whether a line is looked at as a whole before the sign: an `aligned` may have more beside it, an `align` not."""
    if line.start() == opening.start():
        return not _is_display(opening)
    return line.start() < opening.start()


def _is_display(opening: re.Match[str]) -> bool:
    return (opening["environment"] or "").rstrip("*") in DISPLAYS


def _is_formula_or_prose(part: Found | str) -> bool:
    return isinstance(part, Found) or is_page(part)


class _Scan:
    """One walk over a text. A closing sign that was not found once is not looked for again."""

    def __init__(self, text: str, *, bare: bool = True) -> None:
        self.text = text
        self.bare = bare and ("\\" in text or "^" in text or "_{" in text)
        self.absent: set[str] = set()
        self.balanced = True
        self.signed = False
        """Whether signs, a display, a fence or an element enclose any formula."""

    def document(self) -> Document:
        parts: list[Found | str] = []
        start = at = lines_from = 0
        opening = _OPENING.search(self.text)
        line = _PERHAPS_BARE.search(self.text) if self.bare else None
        while opening or line:
            if line and (opening is None or _comes_first(line, opening)):
                begin, lines_from = line.start(), self._block_end(line.start())
                source = self.text[begin:lines_from].strip()
                found = Found(source) if not _TABLE.match(source) and is_formula(source) else None
                at = lines_from if found else at
            elif opening:
                begin, (at, found) = opening.start(), self._after(opening)
                encloses = opening.lastgroup != "environment" or _is_display(opening)
                self.signed = self.signed or (found is not None and encloses)
            if found is not None:
                parts += [between] if (between := self.text[start:begin].strip()) else []
                parts += [found] if found.latex else []
                start = at
            if opening and opening.start() < at:
                opening = _OPENING.search(self.text, at)
            if line and line.start() < max(at, lines_from):
                line = _PERHAPS_BARE.search(self.text, max(at, lines_from))
        parts += [rest] if (rest := self.text[start:].strip()) else []
        return Document(parts)

    def _block_end(self, start: int) -> int:
        """Where a line ends, with the environments that begin on it and the lines that `\\\\` adds."""
        at, end = start, self._line_end(start)
        while self.balanced and end - start <= MAX_FORMULA and end < len(self.text):
            reached = self._closed(at, end)
            if reached > end:
                at, end = reached, self._line_end(reached)
            elif self.text.endswith("\\\\", start, end):
                at, end = end, self._line_end(end + 1)
            else:
                break
        return end

    def _closed(self, start: int, end: int) -> int:
        """Where the last environment that begins in a stretch ends; the end of the stretch where none is open there."""
        if _EDGE.search(self.text, start, end) is None:
            return end
        depth = 0
        for edge in _EDGE.finditer(self.text, start, start + MAX_FORMULA):
            if depth == 0 and edge.start() >= end:
                return end
            depth += 1 if edge[1] == "begin" else -1
            if depth == 0 and edge.end() > end:
                return edge.end()
        self.balanced = depth <= 0
        return end

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

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
