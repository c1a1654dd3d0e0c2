"""Pipe tables in Markdown, parsed by the GitHub Flavored Markdown specification on a CommonMark parser.

The parser finds blocks, so a table in a list or a quotation is found and one in a code block is not. The rule for the
table block is ours: it keeps what GFM repairs or refuses (rows of another width, a delimiter row of another width, in
another place or forgotten).
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.token import Token

from jatdae.tables.table_issues import MAX_PIPE_CELLS, TableError

KEPT_CHARS: Final = 200_000
_PIPE: Final = re.compile(r"(?<!\\)\|")
_FORMULA: Final = re.compile(r"\$(?=\S)[^$]*(?<=\S)\$(?![0-9])")
_KEPT_PIPE: Final = "\x00"  # the parser leaves none in a text
_DASHES: Final = re.compile(r":?-+:?")
MARKUP: Final = re.compile(r"[\\`*_\[]|~~|<(?=[a-zA-Z/!?])|&(?=[#a-zA-Z])")
"""What may be more than text in a cell."""
_EMPHASISED: Final = re.compile(r"(\*\*?)(?=\S)([^*]+)(?<=\S)\1")
_EMPHASIS_TAGS: Final = {"*": "em", "**": "strong"}
_ESCAPED: Final = re.compile("[<>&]")
# A cell must not be able to end itself or open another.
_STRUCTURAL: Final = re.compile(
    r"<(?=/?(?:table|thead|tbody|tfoot|tr|td|th|caption|col|colgroup|html|head|body|script|style|textarea)\b)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"\w")
_TALLEST_CELL: Final = 20  # lines of a cell that is drawn
_FEWEST_PIPES: Final = 2  # of a row of one cell, which may be anything
_ENDS: Final = ["paragraph", "reference"]  # the blocks a table may interrupt


@dataclass(frozen=True, slots=True)
class PipeTable:
    """A Markdown pipe table as written: the source of its cells, in rows of any width."""

    header: list[list[str]]
    """One row by GFM."""
    aligns: list[str]
    """Of the delimiter row; nothing where there is none."""
    rows: list[list[str]]
    line: int
    """Where it begins, counted from 1."""

    @property
    def width(self) -> int:
        """GFM wants header and delimiter row equally wide; where they are not, nothing of the wider is lost."""
        beside = [] if self.aligns else self.rows
        return max(len(self.aligns), *map(len, self.header), *map(len, beside))

    @property
    def faults(self) -> list[str]:
        """What had to be repaired."""
        found = []
        if not self.aligns:
            found.append("there is no delimiter row; the first row is taken for the header")
        elif len(self.header) > 1:
            found.append(f"{len(self.header)} rows stand above the delimiter row; all are taken for the header")
        elif len(self.header[0]) != len(self.aligns):
            found.append(f"the header has {len(self.header[0])} cells, its delimiter row {len(self.aligns)}")
        width = self.width
        if ragged := sum(len(row) != width for row in self.rows):
            found.append(f"{ragged} of {len(self.rows)} rows do not have {width} cells")
        return found


def blocks(text: str, mark: str = "") -> tuple[list[Token], MutableMapping[str, Any]]:
    """Parse a Markdown text into blocks and link references, with pipe tables.

    `mark` begins a line that belongs to no pipe table.

    A document is looked at for its tables and for its outline: the last few that are not huge are kept.
    """
    return _blocks(text, mark) if len(text) <= KEPT_CHARS else _blocks.__wrapped__(text, mark)


@lru_cache(maxsize=4)
def _blocks(text: str, mark: str) -> tuple[list[Token], MutableMapping[str, Any]]:
    env: MutableMapping[str, Any] = {"mark": mark}
    return _parser().parse(text, env), env


def to_html(table: PipeTable, env: MutableMapping[str, Any], *, verbatim: bool = False) -> str:
    """Convert a Markdown pipe table to HTML, with rows cut or filled to its width as GFM does."""
    width = table.width
    if width * (len(table.rows) + len(table.header)) > MAX_PIPE_CELLS:
        raise TableError("too_large", "pipe_table_too_large", line=table.line, most=MAX_PIPE_CELLS)
    render = _defuse if verbatim else cache(lambda source: _render(source, env))
    aligns = [f' align="{align}"' if align else "" for align in table.aligns] + [""] * (width - len(table.aligns))
    head = "".join(_row("th", row, aligns, render) for row in table.header)
    body = "".join(_row("td", row, aligns, render) for row in table.rows)
    return f"<table><thead>{head}</thead>{f'<tbody>{body}</tbody>' if body else ''}</table>"


def split_row(line: str) -> list[str]:
    """Split a row of a Markdown pipe table into cells, at every pipe without a backslash before it.

    Pipes in code spans split too; outer pipes are optional.
    """
    cells = _PIPE.split(line.strip())
    if len(cells) > 1 and not cells[0]:
        del cells[0]
    if len(cells) > 1 and not cells[-1]:
        del cells[-1]
    return [cell.strip().replace("\\|", "|") for cell in cells]


def _split_to(width: int, line: str) -> list[str]:
    """Split a row; where that makes too many cells, and pipes inside formulas are to blame, those do not split."""
    cells = split_row(line)
    if len(cells) > width and line.count("$") > 1:
        kept = [cell.replace(_KEPT_PIPE, "|") for cell in split_row(_FORMULA.sub(_keep_pipes, line))]
        return kept if len(kept) == width else cells
    return cells


def _keep_pipes(formula: re.Match[str]) -> str:
    return formula[0].replace("\\|", "|").replace("|", _KEPT_PIPE)


def _row(tag: str, cells: list[str], aligns: list[str], render: Callable[[str], str]) -> str:
    filled = cells[: len(aligns)] + [""] * (len(aligns) - len(cells))
    whole = "".join(filled)
    if MARKUP.search(whole) or _ESCAPED.search(whole):
        filled = [render(cell) for cell in filled]
    made = [f"<{tag}{align}>{cell}</{tag}>" for cell, align in zip(filled, aligns, strict=True)]
    return f"<tr>{''.join(made)}</tr>"


def _render(source: str, env: MutableMapping[str, Any]) -> str:
    """A cell's inline Markdown as HTML."""
    if not MARKUP.search(source):
        return escape(source, quote=False)
    whole = _EMPHASISED.fullmatch(source)
    if whole and not MARKUP.search(whole[2]):  # the markup that most tables have, and none other
        tag = _EMPHASIS_TAGS[whole[1]]
        return f"<{tag}>{escape(whole[2], quote=False)}</{tag}>"
    parser = _parser()
    tokens: list[Token] = []
    parser.inline.parse(source, parser, env, tokens)
    for token in tokens:
        if token.type == "html_inline":
            token.content = _defuse(token.content)
        elif token.type == "text_special":  # an escape or an entity, which the renderer knows as text only
            token.type = "text"
    return str(parser.renderer.render(tokens, parser.options, env))


def _defuse(source: str) -> str:
    """Raw HTML in a cell without the tags that would break out of it."""
    return _STRUCTURAL.sub("&lt;", source)


@cache
def _parser() -> MarkdownIt:
    """Blocks only: cells are rendered one by one, and nothing else needs to be."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("strikethrough")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.before("lheading", "pipe_table", _pipe_table, {"alt": _ENDS})
    parser.block.ruler.at("html_block", _html_line, {"alt": [*_ENDS, "blockquote"]})
    return parser


def _html_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """An HTML tag ends the block before it, but does not hide the Markdown below it."""
    return silent and html_block(state, start, end, silent)


def _pipe_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if start + 2 > end or state.sCount[start + 1] < state.blkIndent:
        return False
    if state.is_code_block(start) or state.is_code_block(start + 1):
        return False
    first = _line(state, start)
    if "|" not in first:
        return False
    delimiter = _line(state, start + 1)
    aligns = _alignments(delimiter)
    header = _split_to(len(aligns), first)
    if not aligns:
        return _is_row(first) and _rows_alone(state, start, end, silent)
    if len(header) != len(aligns) and "|" not in delimiter:
        return False
    if not silent:
        rows, after = _read_rows(state, start + 2, end, len(aligns))
        _push(state, PipeTable([header], aligns, rows, start + 1), after)
    return True


def _rows_alone(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Rows without a delimiter row below the first, which GFM takes for prose: models forget it, or write it later.

    Two at least are needed that can only be rows.
    """
    if not _is_row(_line(state, start + 1)) or _is_drawn(state, start):
        return False
    if silent:
        return True
    above = [split_row(_line(state, start))]
    at = start + 1
    while at < end and not _ends_table(state, at, end) and _is_row(_line(state, at)):
        above.append(split_row(_line(state, at)))
        at += 1
    aligns = _alignments(_line(state, at)) if at < end and not _ends_table(state, at, end) else []
    if aligns:
        rows, at = _read_rows(state, at + 1, end, len(aligns))
        _push(state, PipeTable(above, aligns, rows, start + 1), at)
    else:
        _push(state, PipeTable(above[:1], [], above[1:], start + 1), at)
    return True


def _is_row(line: str) -> bool:
    """Whether a line can only be a row of a table: at least two cells between pipes, and text in one."""
    return line.startswith("|") and line.endswith("|") and line.count("|") > _FEWEST_PIPES and bool(_WORD.search(line))


def _is_drawn(state: StateBlock, start: int) -> bool:
    """Whether a line belongs to a table drawn with `+` and `-`, whose cells may have several lines."""
    above = (_line(state, at) for at in range(start - 1, max(-1, start - 1 - _TALLEST_CELL), -1))
    return next((line for line in above if not line.startswith("|")), "").startswith(("+-", "+=", "+:"))


def _read_rows(state: StateBlock, at: int, end: int, width: int) -> tuple[list[list[str]], int]:
    """The rows from a line on, and the line after the last."""
    rows = []
    while at < end and not _ends_table(state, at, end):
        rows.append(_split_to(width, _line(state, at)))
        at += 1
    return rows, at


def _push(state: StateBlock, table: PipeTable, after: int) -> None:
    token = state.push("pipe_table", "table", 0)
    token.map = [table.line - 1, after]
    token.meta = {"table": table}
    state.line = after


def _ends_table(state: StateBlock, at: int, end: int) -> bool:
    if state.sCount[at] < state.blkIndent or state.isEmpty(at) or state.is_code_block(at):
        return True
    if state.src[state.bMarks[at] + state.tShift[at]] == "|":
        return False  # no other block begins with a pipe
    mark = state.env["mark"]
    if mark and _line(state, at).startswith(mark):
        return True
    return any(rule(state, at, end, True) for rule in state.md.block.ruler.getRules("blockquote"))


def _alignments(delimiter: str) -> list[str]:
    """The alignment of each column, "" for none; nothing where the line is no delimiter row."""
    if delimiter.strip("|:- \t") or not delimiter.strip("- \t") or delimiter.startswith(("- ", "-\t")):
        return []  # the second would underline a heading, the third begin a list
    cells = split_row(delimiter)
    if not all(map(_DASHES.fullmatch, cells)):
        return []
    ends = ((cell[0] == ":", cell[-1] == ":") for cell in cells)
    return ["center" if left and right else "left" if left else "right" if right else "" for left, right in ends]


def _line(state: StateBlock, at: int) -> str:
    return state.src[state.bMarks[at] + state.tShift[at] : state.eMarks[at]].strip()
