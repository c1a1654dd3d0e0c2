"""Raw HTML tables in a text: where each begins and ends, and the text with a mark in its place.

A table ends where its tags say so, blank lines or not (CommonMark would end it at the first blank line), or where the
next `<table>` begins outside any cell, as the HTML standard has it. Code and comments are passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from jatdae.tables.table_issues import TableError

_OPEN: Final = re.compile(r"<table(?=[\s/>])", re.IGNORECASE)
_HIDING: Final = re.compile(r"<!--|<(?:table|script|style|textarea|title)|`|~~~", re.IGNORECASE)
"""What may hide a table, or is one: then every tag has to be looked at."""
_CELLS: Final = frozenset({"td", "th", "caption"})
_HTML: Final = r"""
    (?P<comment> <!-- )
  | (?P<opaque> <(?P<raw>script|style|textarea|title)(?=[\s/>]) )
  | (?P<tag> <(?P<close>/?)(?P<name>table|td|th|caption|tr|thead|tbody|tfoot)(?=[\s/>]) )
"""
_CODE: Final = r"""
  | (?P<fence> ^(?: [ \t>] | [-*+][ \t] | [0-9]{1,9}[.)][ \t] )* (?P<run> `{3,}(?=[^`\n]*$) | ~{3,} ) )
  | (?P<ticks> `+ )
"""
_FLAGS: Final = re.IGNORECASE | re.MULTILINE | re.VERBOSE
_IN_HTML: Final = re.compile(_HTML, _FLAGS)
_IN_MARKDOWN: Final = re.compile(_HTML + _CODE, _FLAGS)


@dataclass(frozen=True, slots=True)
class RawTable:
    """A raw HTML table in a text: its source and the line it begins on, counted from 1."""

    html: str
    line: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Masked:
    """A text in which every raw HTML table is replaced by `mark N mark`, line for line."""

    text: str
    mark: str = ""
    tables: list[RawTable] = field(default_factory=list)

    def restore(self, text: str) -> str:
        """`text` with the tables back in their places."""
        if not self.mark or self.mark not in text:
            return text
        return self._marks().sub(lambda found: self.tables[int(found[1])].html, text)

    def found_in(self, text: str) -> list[RawTable]:
        """The tables whose marks stand in `text`."""
        if not self.mark or self.mark not in text:
            return []
        return [self.tables[int(number)] for number in self._marks().findall(text)]

    def _marks(self) -> re.Pattern[str]:
        return re.compile(f"{self.mark}([0-9]+){self.mark}")


def mask(text: str, *, markdown: bool) -> Masked:
    """Replace the raw HTML tables of a text by marks; comments go too, so that no table in them is found."""
    if "<!--" not in text and not _OPEN.search(text):
        return Masked(text)
    return _Scan(text, markdown).run()


def put_tables(text: str, places: Sequence[tuple[int, int, str]], *, markdown: bool) -> Masked:
    """The same for a text in which HTML tables stand in the place of something else, from begin to end."""
    if not places or _HIDING.search(text):
        return mask(_with_html(text, places), markdown=markdown)
    mark = _unused(text)
    tables: list[RawTable] = []
    kept: list[str] = []
    at, line = 0, 1
    for begin, end, html in places:
        line += text.count("\n", at, begin)
        lines = text.count("\n", begin, end)
        kept += text[at:begin], f"{mark}{len(tables)}{mark}", "\n" * lines
        tables.append(RawTable(html, line, closed=True))
        at, line = end, line + lines
    return Masked("".join([*kept, text[at:]]), mark, tables)


def _with_html(text: str, places: Sequence[tuple[int, int, str]]) -> str:
    """The text with HTML tables in their places, and every line after them where it was."""
    made: list[str] = []
    at = 0
    for begin, end, html in places:
        made += text[at:begin], html, "\n" * text.count("\n", begin, end)
        at = end
    return "".join([*made, text[at:]])


class _Scan:
    """One pass over a text, in time that grows with its length only, whatever is left open in it."""

    def __init__(self, text: str, markdown: bool) -> None:
        self.text, self.markdown = text, markdown
        self.tokens = _IN_MARKDOWN if markdown else _IN_HTML
        self.mark = _unused(text)
        self.tables: list[RawTable] = []
        self.kept: list[str] = []
        self.at = 0  # everything before is kept or cut
        self.line = 1  # of self.at
        self.begin = 0  # of the outermost open table
        self.cells: list[bool] = []  # for each open table, whether it is inside a cell
        self.ticks = _tick_runs(text) if markdown else {}
        self.absent: set[str] = set()  # what does not occur in the rest of the text

    def run(self) -> Masked:
        steps = {"tag": self._tag, "comment": self._comment, "opaque": self._opaque, "fence": self._fence}
        pos = 0
        while match := self.tokens.search(self.text, pos):
            if self.markdown and not self.cells and self.text.endswith("\\", 0, match.start()):
                pos = match.end()  # escaped
            else:
                pos = steps.get(str(match.lastgroup), self._code_span)(match)
        if self.cells:
            self._cut(len(self.text), closed=False)
        self._keep(len(self.text))
        return Masked("".join(self.kept), self.mark, self.tables)

    def _tag(self, match: re.Match[str]) -> int:
        name, closing = match["name"].lower(), bool(match["close"])
        if name == "table" and not closing:
            if not self.cells and self._after(">", match.end()) == match.end():
                return match.end()  # a tag that never ends is none
            if self.cells and not self.cells[-1]:
                self._close(match.start(), closed=False)
            if not self.cells:
                self.begin = match.start()
            self.cells.append(False)
        elif name == "table" and self.cells:
            end = self._after(">", match.end())
            self._close(end, closed=True)
            return end
        elif self.cells:
            self.cells[-1] = name in _CELLS and not closing
        return match.end()

    def _comment(self, match: re.Match[str]) -> int:
        end = self._after("-->", match.end())
        if not self.cells and end > match.end():
            self._blank(match.start(), end)
        return end

    def _opaque(self, match: re.Match[str]) -> int:
        return self._after(f"</{match['raw'].lower()}", match.end())

    def _fence(self, match: re.Match[str]) -> int:
        if self.cells:
            return match.end()
        run = match["run"]
        close = re.compile(rf"^[ \t>]*{run[0]}{{{len(run)},}}[ \t]*$", re.MULTILINE)
        end = close.search(self.text, match.end())
        return end.end() if end else len(self.text)

    def _code_span(self, match: re.Match[str]) -> int:
        """A run of backticks closes with the next as long as it in the same paragraph, else it is text."""
        starts = self.ticks[len(match[0])]
        after = bisect_right(starts, match.start())
        if self.cells or after == len(starts) or self.text.find("\n\n", match.end(), starts[after]) >= 0:
            return match.end()
        return starts[after] + len(match[0])

    def _after(self, what: str, pos: int) -> int:
        """The end of the next `what`, or `pos` where there is none."""
        if what in self.absent:
            return pos
        found = re.compile(re.escape(what), re.IGNORECASE).search(self.text, pos)
        if found:
            return found.end()
        self.absent.add(what)
        return pos

    def _close(self, end: int, *, closed: bool) -> None:
        """Close the innermost table; with the outermost the raw table ends."""
        if len(self.cells) == 1:
            self._cut(end, closed=closed)
        self.cells.pop()

    def _cut(self, end: int, *, closed: bool) -> None:
        self._keep(self.begin)
        self.kept.append(f"{self.mark}{len(self.tables)}{self.mark}")
        self.tables.append(RawTable(self.text[self.begin : end], self.line, closed))
        self._blank(self.begin, end)

    def _blank(self, begin: int, end: int) -> None:
        """Leave `begin` to `end` out but for its line ends."""
        self._keep(begin)
        lines = self.text.count("\n", begin, end)
        self.kept.append("\n" * lines)
        self.line += lines
        self.at = end

    def _keep(self, end: int) -> None:
        self.kept.append(self.text[self.at : end])
        self.line += self.text.count("\n", self.at, end)
        self.at = end


def _tick_runs(text: str) -> dict[int, list[int]]:
    """Where runs of backticks begin, by their length."""
    runs: dict[int, list[int]] = {}
    for match in re.finditer("`+", text):
        runs.setdefault(len(match[0]), []).append(match.start())
    return runs


def _unused(text: str) -> str:
    """A private character the text does not have."""
    for code in range(0xE000, 0xF900):
        if chr(code) not in text:
            return chr(code)
    raise TableError("parse_error", "no_private_character")
