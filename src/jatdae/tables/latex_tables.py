r"""LaTeX tables in a text: `tabular` and its kin, and an `array` that is a table, each rewritten as an HTML table.

A row ends with `\\` or before a rule, a cell with `&`, both outside braces and inner environments. `\multicolumn` and
`\multirow` are spans; the empty cells LaTeX wants below a `\multirow` are left out. Rows above the first rule that has
rows on both sides are the header. Formulas stay as they are written, between `$`; in an `array` every cell is one,
unless it holds words and numbers alone. Other commands print what latex.yaml says, or their arguments.

Every step passes over the tokens once and nothing recurses, so time is linear whatever is nested in whatever.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final

from jatdae.tables.latex_cells import LatexCell, Source, read_cell, read_spans, tokens_of
from jatdae.tables.table_issues import MAX_LATEX_CELLS, TableError

_WIDE: Final = ("tabular*", "tabularx", "tabulary", "xltabular", "NiceTabular*", "NiceTabularX")
_PLAIN: Final = ("tabular", "longtable", "longtable*", "supertabular", "xtabular", "tabu", "longtabu", "NiceTabular")
_ARRAYS: Final = ("tblr", "longtblr", "talltblr")  # of tabularray, which says in its columns what others say in cells
_NAMES: Final = "|".join(map(re.escape, sorted((*_WIDE, *_PLAIN, *_ARRAYS, "array"), key=len, reverse=True)))
_EDGE: Final = re.compile(rf"\\(?:(begin)|end)\s*\{{({_NAMES})(?(1)\}}|\}}?)")  # a last brace may be cut off
_CUT_OFF: Final = re.compile(r"(?<!\\)\\(?:e|en|end|end\s*\{[^{}\\]{0,40})\s*\Z")
_MATH_OPENS: Final = re.compile(r"(?:\$\$?|\\\[|\\\()\s*\Z")
_MATH_CLOSES: Final = re.compile(r"\s*(?:\$\$?|\\\]|\\\))")
_BARE_LINE: Final = re.compile(r"(?:\A|\n)[ \t]*\Z")
_LOOK_BACK: Final = 100  # characters before an array in which a formula would begin, or at the end one that is cut off
_ROW_ENDS: Final = frozenset({"\\\\", "\\\\*", "\\tabularnewline", "\\cr", "\\NN"})
_FULL_RULES: Final = {
    "hline": 0,
    "toprule": 0,
    "midrule": 0,
    "bottomrule": 0,
    "specialrule": 3,
    "hhline": 1,
    "Xhline": 1,
}
_OTHER_RULES: Final = {"cline": 1, "cmidrule": 1, "addlinespace": 0, "morecmidrules": 0, "Xcline": 2, "noalign": 1}
_RULES: Final = {f"\\{name}": count for name, count in (_FULL_RULES | _OTHER_RULES).items()}
_RULES_WITH_WIDTH: Final = frozenset({"toprule", "midrule", "bottomrule", "cmidrule", "addlinespace"})
"""Of booktabs; `\\hline` and `\\cline` take none."""
_PARTS: Final = {"\\endfirsthead": "firsthead", "\\endhead": "head", "\\endfoot": "foot", "\\endlastfoot": "lastfoot"}
_ROW_HEAD: Final = re.compile(r"rowhead\s*=\s*([0-9]{1,4})")
_RULES_ABOVE: Final = re.compile(r"hline\s*\{([0-9A-Z,\s]{1,200})\}")
_SPANNING: Final = re.compile(r"cell\s*\{([0-9]{1,4})\}\s*\{([0-9]{1,4})\}\s*=\s*\{([^{}]{0,200})\}")
_TRIM: Final = re.compile(r"\s*\([^()]{0,40}\)\s*")
_ENTITY: Final = re.compile("&(?:amp|lt|gt|quot|#39|#x27);")
_WITH_ENTITIES: Final = "LaTeX with HTML entities (&amp;): they were read as the characters they stand for"
_NEVER_CLOSED: Final = "the table is never closed"


@dataclass(frozen=True)
class LatexTable:
    """A LaTeX table of a text, rewritten as HTML."""

    html: str
    begin: int
    end: int
    faults: tuple[str, ...] = ()


def find_latex(text: str) -> list[LatexTable]:
    """Find the LaTeX tables of a text and rewrite them as HTML; what stands in a cell of one is not among them."""
    if "\\begin" not in text:
        return []
    return [table for place in _outermost(text) for table in _rewrite(text, place)]


def read_alone(text: str) -> list[list[str]] | None:
    """What each position of the grid prints, as HTML, where a text is a LaTeX table and nothing else; else None."""
    place = next(_outermost(text), None)
    if place is None or place.name == "array" or text[: place.begin].strip() or text[place.end :].strip():
        return None
    source = Source(tokens_of(_unescaped(text[place.body : place.body_end])))
    columns, at = _columns(source, place.name)
    rows, _, spans = _read_rows(source, at, place.name, columns)
    if not rows:
        return None
    return _filled(rows) if spans else [[cell.html for cell in row] for row in rows]


@dataclass(frozen=True)
class _Place:
    """Where an outermost environment stands in its text."""

    name: str
    begin: int
    body: int
    body_end: int
    end: int
    closed: bool = True


def _outermost(text: str) -> Iterator[_Place]:
    opened: list[re.Match[str]] = []
    names: Counter[str] = Counter()
    for edge in _EDGE.finditer(text):
        if edge[1] == "begin":
            opened.append(edge)
            names[edge[2]] += 1
        elif names[edge[2]]:
            first = opened[0]
            closed = ""
            while closed != edge[2]:  # inner ones that were never closed end here too
                closed = opened.pop()[2]
                names[closed] -= 1
            if not opened:
                yield _Place(first[2], first.start(), first.end(), edge.start(), edge.end())
    if opened and opened[0][2] != "array" and "&" in text[opened[0].end() :]:
        cut_off = _CUT_OFF.search(text, max(opened[0].end(), len(text) - _LOOK_BACK))
        end = cut_off.start() if cut_off else len(text)
        yield _Place(opened[0][2], opened[0].start(), opened[0].end(), end, len(text), closed=False)


def _rewrite(text: str, place: _Place) -> Iterator[LatexTable]:
    body = text[place.body : place.body_end]
    unescaped = _unescaped(body)
    source = Source(tokens_of(unescaped))
    columns, at = _columns(source, place.name)
    begin, end = place.begin, place.end
    if place.name == "array":
        before = text[max(0, begin - _LOOK_BACK) : begin]
        opens, closes = _MATH_OPENS.search(before), _MATH_CLOSES.match(text, end)
        ruled = "|" in columns or any(piece in _RULES for piece in source.tokens)
        if opens and closes and ruled:
            begin, end = begin - len(before) + opens.start(), closes.end()
        elif opens or not _BARE_LINE.search(before):
            return  # a matrix, or lines of one formula
    rows, header, _ = _read_rows(source, at, place.name, columns)
    if rows:
        faults = [_WITH_ENTITIES] if unescaped != body else []
        faults += [] if place.closed else [_NEVER_CLOSED]
        yield LatexTable(_to_html(rows, header), begin, end, tuple(faults))


def _unescaped(body: str) -> str:
    """The body of a table without HTML entities: LaTeX has none, so `a &amp; b` is two cells."""
    return _ENTITY.sub(lambda entity: unescape(entity[0]), body) if _ENTITY.search(body) else body


def _read_rows(source: Source, at: int, name: str, columns: str) -> tuple[list[list[LatexCell]], int, bool]:
    """The rows of a table with every cell in its place, how many of them are its header, and whether any cell spans."""
    settings = columns if name in _ARRAYS else ""
    reader = _Rows(source, at, formulas=name == "array", settings=settings, styled=name in _ARRAYS)
    rows, header = reader.read()
    width = max([sum([cell.colspan for cell in row]) if reader.spans else len(row) for row in rows], default=0)
    if width * len(rows) > MAX_LATEX_CELLS:
        raise TableError("too_large", "latex_table_too_large", most=MAX_LATEX_CELLS)
    if reader.spans:
        _place(rows, width)
    else:
        for row in rows:
            row += [LatexCell("") for _ in range(len(row), width)]
    return rows, header, reader.spans


def _columns(source: Source, name: str) -> tuple[str, int]:
    """What the environment says of its columns, and where its first row begins."""
    at = source.after_arguments(0, 1 if name in _WIDE else 0)
    end = source.after_arguments(at, 1)
    return "".join(source.tokens[at:end]), end


class _Rows:
    """Reads the rows of a table, and how many of them are its header."""

    def __init__(self, source: Source, at: int, *, formulas: bool, settings: str, styled: bool) -> None:
        self.source, self.at, self.formulas = source, at, formulas
        self.rows: list[list[LatexCell]] = []
        self.row: list[LatexCell] = []
        self.spans = False  # whether any cell spans
        self.written = 0  # cells of the row, those included that another one covers
        self.covered = 0  # how many of those to come it covers
        self.ruled: list[int] = []  # how many rows stand above each rule
        above = [int(row) for row in _ROW_HEAD.findall(settings)]
        above += [int(row) - 1 for rows in _RULES_ABOVE.findall(settings) for row in re.findall("[0-9]+", rows)]
        self.set_rules = sorted(above)  # the same by the settings of the table
        self.set_spans = {(int(row), int(col)): read_spans(spans) for row, col, spans in _SPANNING.findall(settings)}
        self.styled = styled  # whether rules take styles in brackets
        self.parts: dict[str, list[list[LatexCell]]] = {}  # of a longtable

    def read(self) -> tuple[list[list[LatexCell]], int]:
        tokens, closing = self.source.tokens, self.source.closing
        at = self.at
        while at < len(tokens):
            piece = tokens[at]
            if piece == "&":
                self._end_cell(at)
                at += 1
            elif at in closing:
                at = closing[at] + 1
            elif piece[0] != "\\":
                at += 1
            elif piece in _ROW_ENDS:
                self._end_row(at)
                at = self._after_row_end(at + 1)
            elif piece in _RULES:
                at = self._rule(piece, at)
            elif piece in _PARTS:
                self._end_pending(at)
                self.parts[_PARTS[piece]] = self.rows
                self.rows, self.ruled = [], []
                at += 1
                self.at = at
            else:
                at += 1
        self._end_pending(at)
        head = self.parts.get("firsthead", self.parts.get("head", []))
        foot = self.parts.get("lastfoot", self.parts.get("foot", []))
        rows = _printed([*head, *self.rows, *foot])
        ruled = [*self.ruled, *self.set_rules]
        header = len(_printed(head)) or next((above for above in ruled if 0 < above < len(self.rows)), 0)
        return rows, header if header < len(rows) else 0

    def _end_cell(self, end: int) -> None:
        cell = read_cell(self.source, self.at, end, formula=self.formulas)
        self.at = end + 1
        self.written += 1
        if self.covered:
            self.covered -= 1
            return
        self.covered = cell.covers
        if self.set_spans and (spans := self.set_spans.get((len(self.rows) + 1, self.written))):
            cell.rowspan, cell.colspan = spans
            self.covered = cell.colspan - 1
        if cell.rowspan != 1 or cell.colspan != 1:
            self.spans = True
        self.row.append(cell)

    def _end_row(self, end: int) -> None:
        self._end_cell(end)
        if len(self.row) > 1 or self.row[0].html or self.row[0].colspan > 1:
            self.rows.append(self.row)
        self.row = []
        self.written = self.covered = 0

    def _end_pending(self, end: int) -> None:
        """End a row that no `\\\\` ends, if there is anything in it."""
        if self.row or self.source.prints(self.at, end):
            self._end_row(end)

    def _rule(self, piece: str, at: int) -> int:
        self._end_pending(at)
        if piece[1:] in _FULL_RULES:
            self.ruled.append(len(self.rows))
        # Those of tabularray take styles as well: \hline[dashed].
        at = self.source.after_optional(at + 1) if self.styled else self._after_rule(piece, at + 1)
        if piece == "\\cmidrule" and at < len(self.source.tokens) and _TRIM.fullmatch(self.source.tokens[at]):
            at += 1
        if _RULES[piece]:
            at = self.source.after_arguments(at, _RULES[piece])
        self.at = at
        return at

    def _after_rule(self, piece: str, at: int) -> int:
        """Behind the width that some rules take; after others, brackets are text."""
        return self.source.after_length(at) if piece[1:] in _RULES_WITH_WIDTH else at

    def _after_row_end(self, at: int) -> int:
        """Behind the extra space that a row end may ask for."""
        self.at = self.source.after_length(at)
        return self.at


def _printed(rows: Sequence[list[LatexCell]]) -> list[list[LatexCell]]:
    return [row for row in rows if row]


def _to_html(rows: list[list[LatexCell]], header: int) -> str:
    lines = []
    for number, row in enumerate(rows):
        tag = "th" if number < header else "td"
        lines.append(f"<tr>{''.join([_written(cell, tag) for cell in row if not cell.gone])}</tr>")
    if any(number + cell.rowspan > header for number, row in enumerate(rows[:header]) for cell in row):
        header = 0  # a thead would cut that cell off
    groups = [("thead", lines[:header]), ("tbody", lines[header:])]
    written = (f"<{tag}>{''.join(group)}</{tag}>" for tag, group in groups if group)
    return f"<table>{''.join(written)}</table>"


def _filled(rows: list[list[LatexCell]]) -> list[list[str]]:
    """Every position of a table, with what the cell on it prints."""
    width = max(cell.col + cell.colspan for row in rows for cell in row)
    filled = [[""] * width for _ in rows]
    for number, row in enumerate(rows):
        for cell in row:
            if not cell.gone:
                for line in filled[number : number + cell.rowspan]:
                    line[cell.col : cell.col + cell.colspan] = [cell.html] * cell.colspan
    return filled


def _written(cell: LatexCell, tag: str) -> str:
    if cell.rowspan <= 1 >= cell.colspan:
        return f"<{tag}>{cell.html}</{tag}>"
    rowspan = f' rowspan="{cell.rowspan}"' if cell.rowspan > 1 else ""
    colspan = f' colspan="{cell.colspan}"' if cell.colspan > 1 else ""
    return f"<{tag}{rowspan}{colspan}>{cell.html}</{tag}>"


def _place(rows: list[list[LatexCell]], width: int) -> None:
    """Give every cell its column, let spans take the empty cells below or above them, and fill short rows."""
    spanning: list[LatexCell | None] = [None] * width  # for each column the cell above that still reaches down
    left = [0] * width  # and how many rows
    for number, row in enumerate(rows):
        covered = [at for at in range(width) if left[at]]
        # Empty cells below all spans are those of LaTeX, also in a row that is short for another reason.
        short = covered and sum(cell.colspan for cell in row) == width - len(covered)
        omitted = short and not _leaves_empty(row, left)
        hidden: dict[int, list[LatexCell]] = {}  # the empty cells of this row below each span
        col = 0
        for cell in row:
            while omitted and col < width and left[col]:
                col += 1  # the empty cells below a span were not written
            cell.col = col
            over = range(col, min(col + cell.colspan, width))
            taken = [at for at in over if left[at]]
            if taken and not cell.html and len(taken) == len(over):
                cell.gone = True
                for at in taken:
                    hidden.setdefault(id(spanning[at]), []).append(cell)
            else:
                for at in taken:
                    for before in hidden.pop(id(spanning[at]), ()):
                        before.gone = False  # the span above ends before it
                    _cut(spanning, left, at)
            if not cell.gone and cell.rowspan < 0:
                _reach_up(rows, number, cell)
            elif not cell.gone:
                cell.rowspan = max(1, min(cell.rowspan, len(rows) - number))
                for at in over:
                    spanning[at], left[at] = cell, cell.rowspan
            col += cell.colspan
        row += [LatexCell("", col=at) for at in range(col, width) if not left[at]]
        left = [max(0, rest - 1) for rest in left]


def _leaves_empty(row: list[LatexCell], left: list[int]) -> bool:
    """Whether a row, read cell by cell, writes nothing below the spans that reach down to it."""
    col = 0
    for cell in row:
        if cell.html and any(left[col : col + cell.colspan]):
            return False
        col += cell.colspan
    return True


def _cut(spanning: list[LatexCell | None], left: list[int], at: int) -> None:
    """End a span above the row that writes something below it."""
    cell = spanning[at]
    if cell is None:
        return
    rest = left[at]
    for other in range(cell.col, min(cell.col + cell.colspan, len(left))):
        if spanning[other] is cell:
            left[other] = 0
    cell.rowspan -= rest


def _reach_up(rows: list[list[LatexCell]], number: int, cell: LatexCell) -> None:
    """A span that is written in its last row: its text moves to the first, if all cells between are empty."""
    span, cell.rowspan = -cell.rowspan, 1
    above: list[LatexCell] = []
    for row in reversed(rows[max(0, number - span + 1) : number]):
        at = bisect_left(row, cell.col, key=lambda other: other.col)
        other = row[at] if at < len(row) else None
        if other is None or other.gone or other.html or other.rowspan != 1:
            return
        if (other.col, other.colspan) != (cell.col, cell.colspan):
            return
        above.append(other)
    if len(above) != span - 1 or not above:
        return
    first = above.pop()
    first.html, first.rowspan = cell.html, span
    for other in (*above, cell):
        other.gone = True
