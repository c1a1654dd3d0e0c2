"""Cells of LaTeX tables: the source as tokens, and what a cell prints."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Final

from jatdae.tables.latex import commands
from jatdae.tables.latex_packages import print_packages
from jatdae.tables.table_issues import MAX_COLSPAN

_VERBATIM: Final = r"\\verb\*?(?P<bar>[^\sa-zA-Z*]).{0,200}?(?P=bar) |"
_PIECE: Final = r"""%[^\n]*\n?[ \t]*
      | \\(?:begin|end)\s*\{[^{}\\]{0,40}\}
      | \\(?:url|nolinkurl|path|href)\s*\{[^{}\n]{0,2000}\}
      | \\\\\*? | \\[a-zA-Z@]+\*? | \\.
      | [{}&$\[\]~]
      | [^\\%{}&$\[\]~]+
      | ."""
_TOKEN: Final = re.compile(_PIECE, re.VERBOSE | re.DOTALL)
_TOKEN_OR_VERBATIM: Final = re.compile(_VERBATIM + _PIECE, re.VERBOSE | re.DOTALL)
_PERCENT: Final = re.compile(r"(?<=[0-9}])%(?=[ \t]*(?:&|\\\\))")
_ADDRESS: Final = re.compile(r"\\(url|nolinkurl|path|href)\s*\{(.*)\}", re.DOTALL)
"""An address, in which a per cent sign is one; `\\href` prints what follows it."""
_ENVIRONMENT: Final = re.compile(r"\\(begin|end)\s*\{(.*)\}", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\([%#&_~])")
_SPACE: Final = re.compile(r"\s+")
_LIGATURES: Final = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))
_AS_IT_IS: Final = re.compile(r"[^\\{}$&~<>`'-]*+(?:-(?!-)[^\\{}$&~<>`'-]*+)*+")
"""Text that is printed as it is written."""
_BRACES: Final = frozenset("{}")
_SIGNS: Final = frozenset("\\{}$&~")
"""What a piece that is not text begins with."""
_SPACES: Final = frozenset({"\\,", "\\;", "\\:", "\\ ", "\\\n", "\\\t", "\\\\", "\\\\*", "\\tabularnewline", "~", "&"})
_UNSEEN: Final = frozenset({"{", "}", "$", "\\!", "\\-", "\\/", "\\@", "\\+", "\\)", "\\]", "\\"})
_FORMULAS: Final = {"$": "$", "\\(": "\\)", "\\[": "\\]"}
_RAISED: Final = frozenset({"\\textsuperscript", "\\tnote"})
_ENVIRONMENT_ARGUMENTS: Final = {"tabular": 1, "array": 1, "tabularx": 2, "tabular*": 2, "minipage": 1}
_WORDS: Final = frozenset(
    {"text", "textrm", "textsf", "texttt", "textbf", "textit", "textmd", "textup", "textnormal", "mbox", "hbox"}
)
"""Commands in a formula whose argument is text, white space and all."""
_LETTERS: Final = _WORDS | {"mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathnormal", "boldsymbol", "bm"}
_MATHEMATICS: Final = re.compile(r"[^\\]*[$^_].*", re.DOTALL)
_LETTER: Final = re.compile(r"[^\W\d_]")
_TEXT_SIGNS: Final = frozenset("%#&$_")
"""What may stand after a backslash in a formula that is text."""
_SPANS: Final = {"multicolumn": 2, "multirow": 2, "SetCell": 1}  # how many arguments come before the text
_SPAN: Final = re.compile(r"(?<![a-zA-Z])([rc])\s*=\s*([0-9]{1,4})(?![0-9])")
_SPAN_ARGUMENTS: Final = re.compile(
    r"(?P<command>\\multi(?:row|column)(?:\s*+\[[^\[\]\n]{0,20}\])?)\s*+"
    r"(?P<first>\{[^{}]{0,40}\}|[0-9])\s*+(?P<option>\[[^\[\]\n]{0,20}\])?\s*+"
    r"(?P<second>\{(?:[^{}]|\{[^{}]*\}){0,200}\}|\\[a-zA-Z]+|[^\s{}\\&\[\]])"
)
_LENGTH: Final = re.compile(
    r"\s*\[\s*-?\s*(?:[0-9.,]+\s*(?:pt|mm|cm|in|ex|em|bp|pc|sp|dd|cc|mu)|[0-9.,]*\\[a-zA-Z]+)\s*\]"
)
_LONGEST_OPTION: Final = 200  # tokens


@dataclass
class LatexCell:
    """A cell of a LaTeX table: what it prints, as HTML, and its spans; a negative rowspan reaches up."""

    html: str
    rowspan: int = 1
    colspan: int = 1
    covers: int = 0
    """How many cells written after it in its row it covers, as `\\SetCell` has it."""
    col: int = 0
    gone: bool = False
    """Covered by a cell that spans several rows."""


def tokens_of(text: str) -> list[str]:
    """LaTeX as tokens, without comments."""
    text = print_packages(text)
    if "\\multi" in text:
        text = _SPAN_ARGUMENTS.sub(_with_braces, text)
    if "%" in text:
        # A per cent sign after a number and before the end of its cell is one, whatever LaTeX would make of it.
        text = _PERCENT.sub(r"\\%", text)
    tokens: list[str] = _TOKEN.findall(text)
    if "\\verb" in text:
        tokens = [piece[0] for piece in _TOKEN_OR_VERBATIM.finditer(text)]
    return [piece for piece in tokens if piece[0] != "%"] if "%" in text else tokens


def _with_braces(span: re.Match[str]) -> str:
    """`\\multirow2*{…}` as `\\multirow{2}{*}{…}`: without braces, an argument is the one token that comes next."""
    first, second = (each if each[0] == "{" else f"{{{each}}}" for each in (span["first"], span["second"]))
    return f"{span['command']}{first}{span['option'] or ''}{second}"


class Source:
    """LaTeX as tokens, with the groups they form."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.closing: dict[int, int] = {}
        """For each brace or environment that is closed, where."""
        self._close()

    def _close(self) -> None:
        opened: list[tuple[str, int]] = []
        names: dict[str, int] = {}  # how many of each are open
        for at, piece in enumerate(self.tokens):
            if piece in _BRACES:
                name, opens = "{", piece == "{"
            elif piece[0] == "\\" and piece[-1] == "}" and (edge := _ENVIRONMENT.fullmatch(piece)):
                name, opens = edge[2], edge[1] == "begin"
            else:
                continue
            if opens:
                opened.append((name, at))
                names[name] = names.get(name, 0) + 1
            elif names.get(name):
                last, begin = "", 0
                while last != name:  # what was opened since is never closed
                    last, begin = opened.pop()
                    names[last] -= 1
                self.closing[begin] = at

    def after_space(self, at: int) -> int:
        """Behind white space."""
        while at < len(self.tokens) and self.tokens[at].isspace():
            at += 1
        return at

    def after_optional(self, at: int) -> int:
        """Behind arguments in square brackets."""
        while (end := self._after_brackets(at)) > at:
            at = end
        return at

    def after_length(self, at: int) -> int:
        """Behind lengths in square brackets; other brackets are text."""
        while (end := self._after_brackets(at)) > at and _LENGTH.fullmatch("".join(self.tokens[at:end])):
            at = end
        return at

    def _after_brackets(self, at: int) -> int:
        """Behind the square brackets that come next, if they do."""
        begin = self.after_space(at)
        if begin >= len(self.tokens) or self.tokens[begin] != "[":
            return at
        nearby = self.tokens[begin : begin + _LONGEST_OPTION]
        return begin + nearby.index("]") + 1 if "]" in nearby else at

    def argument(self, at: int) -> tuple[int, int]:
        """Begin and end of the argument that comes next; empty where there is none."""
        at = self.after_space(at)
        if at in self.closing and self.tokens[at] == "{":
            return at + 1, self.closing[at]
        return at, at

    def after_arguments(self, at: int, count: int, *, printed: bool = False) -> int:
        """Behind options and `count` arguments; with `printed`, one more follows, which is text.

        After the last argument only a length is an option, as in `\\rowcolor{gray}[2pt]`; other brackets are text.
        """
        at = self.after_optional(at)
        for number in range(1, count + 1):
            begin, end = self.argument(at)
            if begin == end and (end >= len(self.tokens) or self.tokens[end] != "}"):
                break
            at = end + 1
            behind = self.after_optional(at)
            followed = self.argument(behind)[0] > self.after_space(behind)
            at = behind if followed and (printed or number < count) else self.after_length(at)
        return at

    def prints(self, begin: int, end: int) -> bool:
        """Whether there is anything but white space."""
        return any(not piece.isspace() for piece in self.tokens[begin:end])

    def text(self, begin: int, end: int) -> str:
        """The source from one piece to another, white space collapsed."""
        return _SPACE.sub(" ", "".join(self.tokens[begin:end])).strip()


def read_cell(source: Source, begin: int, end: int, *, formula: bool = False) -> LatexCell:
    """Read a cell of a LaTeX table. With `formula`, as in an `array`, what it holds is one formula."""
    if end - begin == 1 and not formula and _AS_IT_IS.fullmatch(source.tokens[begin]):  # as most cells are
        return LatexCell(" ".join(source.tokens[begin].split()))
    html, rowspan, colspan, covers = _read_pieces(tuple(source.tokens[begin:end]), formula)
    return LatexCell(html, rowspan, colspan, covers)


@lru_cache(maxsize=4_096)
def _read_pieces(pieces: tuple[str, ...], formula: bool) -> tuple[str, int, int, int]:
    """HTML, rowspan, colspan and what is covered; kept, since most cells of a prediction are in its reference too."""
    source = Source(pieces)
    words = _words_of(source) if formula else None
    return (_Reader(source, formula) if words is None else _Reader(Source(words), formula=False)).read()


def _words_of(source: Source) -> list[str] | None:
    """A formula that prints nothing but words and numbers, such as `\\text{Total}` and `12.5`, as text; else None.

    Letters without a command for letters are variables. White space is printed in words alone.
    """
    made: list[str] = []
    outside: list[str] = []  # for each open brace, the command for letters in whose argument it stands
    around = command = ""
    at = 0
    while at < len(source.tokens):
        piece = source.tokens[at]
        begin, at = at, at + 1
        name = piece[1:].rstrip("*") if piece[0] == "\\" else ""
        if name in _SPANS or name in commands().dropped:
            count = _SPANS[name] if name in _SPANS else commands().dropped[name]
            at = source.after_arguments(at, count, printed=name in _SPANS)
            made += source.tokens[begin:at]
            continue
        if (name and name not in _TEXT_SIGNS and name not in _LETTERS) or _MATHEMATICS.fullmatch(piece):
            return None
        if piece == "{":
            outside.append(around)
            around = command or around
        elif piece == "}":
            around = outside.pop() if outside else ""
        elif not name and around not in _WORDS:
            piece = "".join(piece.split())
            if not around and _LETTER.search(piece):
                return None
        made += [piece] if piece else []
        command = name if name in _LETTERS else "" if piece else command
    return made


def read_spans(options: str) -> tuple[int, int]:
    """Rows and columns of a cell in options of tabularray: `r=2, c=3`."""
    spans = {name: int(span) for name, span in _SPAN.findall(options)}
    return max(1, spans.get("r", 1)), max(1, min(spans.get("c", 1), MAX_COLSPAN))


class _Reader:
    """Reads one cell; nothing outside it matters."""

    def __init__(self, source: Source, formula: bool) -> None:
        self.source, self.formula = source, formula
        self.at, self.end = 0, len(source.tokens)
        self.rowspan = self.colspan = 1
        self.covers = 0
        self.made: list[str] = []
        self.mark = ""  # the accent the next character gets
        self.closings: dict[int, str] = {}

    def read(self) -> tuple[str, int, int, int]:
        tokens = self.source.tokens
        while self.at < self.end:
            piece = tokens[self.at]
            if self.closings and self.at in self.closings:
                self.made.append(self.closings[self.at])
            self.at += 1
            if piece[0] not in _SIGNS and not self.formula:
                self._text(piece)
            elif piece.startswith("\\verb") and not piece[-1].isalpha():
                self.made.append(escape(piece[5:].lstrip("*")[1:-1], quote=False))
            elif piece[0] == "\\" and piece[1:2].isalpha():
                self._command(piece.rstrip("*"))
            elif piece in _FORMULAS and (not self.formula or piece != "$"):
                self._formula(piece)
            elif self.formula:
                self.made.append(_escaped(piece))
            elif piece in _SPACES:
                self.made.append(" ")
            elif piece[0] == "\\" and piece[1:] in commands().accents:
                self.mark = commands().accents[piece[1:]]
            elif piece not in _UNSEEN:
                self._text(piece[1:])
        html = _SPACE.sub(" ", "".join(self.made)).strip()
        return f"${html}$" if self.formula and html else html, self.rowspan, self.colspan, self.covers

    def _command(self, piece: str) -> None:
        source, name = self.source, piece[1:]
        if piece[-1] == "}" and (address := _ADDRESS.fullmatch(piece)):
            self._text(_ESCAPED.sub(r"\1", address[2]) if address[1] != "href" else "")
        elif name in _SPANS:
            self._span(name)
        elif name in commands().dropped:
            self.at = min(source.after_arguments(self.at, commands().dropped[name]), self.end)
        elif self.formula:
            self.made.append(piece)
        elif name.startswith(("begin", "end")) and "{" in name:
            environment = name.partition("{")[2][:-1].strip()
            if name.startswith("begin"):
                self.at = min(source.after_arguments(self.at, _ENVIRONMENT_ARGUMENTS.get(environment, 0)), self.end)
        elif name in commands().unprinted:
            self.at = min(source.after_arguments(self.at, commands().unprinted[name], printed=True), self.end)
        elif piece in _RAISED:
            self._raised()
        elif name == "ensuremath":
            begin, end = source.argument(self.at)
            self.made.append(f"${escape(source.text(begin, end), quote=False)}$")
            self.at = min(end + 1, self.end)
        elif name in commands().accents:
            self.mark = commands().accents[name]
        elif name in commands().symbols:
            self._text(commands().symbols[name])
            self._swallow_space()
        else:
            self._swallow_space()

    def _span(self, name: str) -> None:
        """Take the spans that a command gives, and go on in its text: the braces around it vanish by themselves."""
        begin = self.at
        if name == "SetCell":
            self.rowspan, self.colspan = read_spans(self.source.text(begin, self.source.after_optional(begin)))
            self.covers = self.colspan - 1
        elif name == "multicolumn":
            self.colspan = max(1, min(self._number(), MAX_COLSPAN))
        else:
            self.rowspan = self._number() or 1
        self.at = min(self.source.after_arguments(begin, _SPANS[name], printed=True), self.end)

    def _number(self) -> int:
        begin, end = self.source.argument(self.source.after_optional(self.at))
        written = self.source.text(begin, end)
        return int(written) if re.fullmatch(r"-?[0-9]{1,4}", written) else 1

    def _raised(self) -> None:
        at = self.source.after_space(self.at)
        if at in self.source.closing and self.source.closing[at] < self.end:
            self.made.append("<sup>")
            self.closings[self.source.closing[at]] = "</sup>"

    def _formula(self, opening: str) -> None:
        """Copy a formula as it is written; a `$` that nothing closes is one."""
        tokens, begin = self.source.tokens, self.at
        closing = _FORMULAS[opening]
        doubled = opening == "$" and begin < self.end and tokens[begin] == "$"
        begin += doubled
        try:
            end = tokens.index(closing, begin, self.end)
        except ValueError:
            self._text("$" if opening == "$" else "")
            return
        self.at = min(end + 1 + doubled, self.end)
        written = escape(self.source.text(begin, end), quote=False)
        self.made.append(f"${written}$" if written else "")

    def _text(self, text: str) -> None:
        text = _with_ligatures(text)
        if self.mark and (seen := text.lstrip()):
            first = {"ı": "i", "ȷ": "j"}.get(seen[0], seen[0])
            text = unicodedata.normalize("NFC", first + self.mark) + seen[1:]
            self.mark = ""
        self.made.append(_escaped(text))

    def _swallow_space(self) -> None:
        """White space after a command only ends its name."""
        tokens = self.source.tokens
        if self.at < self.end and tokens[self.at][0].isspace() and not tokens[self.at].isspace():
            self._text(tokens[self.at].lstrip())
            self.at += 1
        elif self.at < self.end and tokens[self.at].isspace():
            self.at += 1


def _with_ligatures(text: str) -> str:
    if "--" in text or "``" in text or "''" in text:
        for written, printed in _LIGATURES:
            text = text.replace(written, printed)
    return text


def _escaped(text: str) -> str:
    """As HTML; most texts are so already, and to see that costs less."""
    return escape(text, quote=False) if "<" in text or ">" in text or "&" in text else text
