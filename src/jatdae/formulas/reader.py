"""Reads LaTeX math into a tree, in time linear in its length. Nothing is executed, and nothing raises.

A row is a list of nodes in the order they are printed; a node is JSON:

    "x"                            a symbol as a Unicode character, whatever command wrote it
    ["#", "x", "bold"]             a symbol in a font
    ["sub", row], ["sup", row]     scripts of what stands before them, always in this order
    ["frac", row, row]             also "binom": above, below
    ["root", row, row]             what stands under the root, and its degree (an empty row for a square root)
    ["accent", "^", row]           a mark on, or below, a row
    ["grid", [[row, …], …]]        the cells of a matrix
    ["lines", [row, …]]            lines below one another

Braces, spaces, sizes of brackets and styles print nothing and leave no trace.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from jatdae.formulas.symbols import (
    ACCENTS,
    ARROWS,
    BINOMIALS,
    DEFINITIONS,
    DELIMITERS,
    ENVIRONMENTS,
    FONTS,
    FRACTIONS,
    INFIX,
    LETTER_FONTS,
    NARROW,
    RAISED,
    ROOTS,
    SEVERAL,
    SKIPPED,
    SPACES,
    STACKED,
    SWITCHES,
    SYMBOLS,
    WORDS,
    Environment,
)

MAX_DEPTH: Final = 60
"""Levels of groups, scripts and arguments. A deeper formula is read as its characters, one after another."""
NEW_LINE: Final = "⏎"
UPRIGHT: Final = "upright"
"""The font of words: drawn, but not compared."""

Node = Any
Row = list[Node]
Faults = dict[str, str]
"""What is wrong with a formula: codes of issues, each with what it was found at."""

_PIECE: Final = re.compile(r"\\[a-zA-Z]+|\\.|\S|\s+", re.DOTALL)
_COMMENT: Final = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n\s*")
_ELLIPSIS: Final = re.compile(r"(?:(?<!\\left)(?<!\\right)\.[ ]?){2}\.|(?:·[ ]?){2}·|(?:\\cdot(?![a-zA-Z])\s?){3}")
_LENGTH: Final = re.compile(r"\s*[-+]?[\d.,]+\s*(?:pt|em|ex|mm|cm|in|mu|\\\w+)\s*\Z")
_NUMBER: Final = re.compile(
    r"(?:\\q?quad|\\hfill?|\\l?eqno|\\hspace\*?\s*\{[^{}]*\})[\s~]*\(\s*\d+(?:\s*[.\-]\s*\d+)*\s*[a-z]?'?\s*\)[\s.,;]*\Z"
)
"""The number of an equation, set apart at its end."""
_LONGEST_NUMBER: Final = 60
_MATH_LETTERS: Final = re.compile("[\u2102-\u2149\U0001d400-\U0001d7ff]")
_SCRIPTS: Final = {"<super>": "sup", "<sub>": "sub"}
"""How Unicode says of a character that it is another one, raised or lowered."""
_FRACTION_SLASH: Final = "\u2044"
_NO_STOPS: Final[frozenset[str]] = frozenset()
_GROUP_END: Final = frozenset("}")
_OPTION_END: Final = frozenset("]}")
_CELL_ENDS: Final = frozenset(["&", "\\\\", "\\cr", "\\tabularnewline", "\\end", "}"])
_LINE_ENDS: Final = frozenset(["\\\\", "\\cr", "\\tabularnewline", "\\newline"])


class Formula(NamedTuple):
    """A formula as it was read."""

    row: Row
    faults: Faults


def read_formula(latex: str) -> Formula:
    """Read LaTeX math, without the signs that enclose it, into a tree."""
    if "%" in latex and "\n" in latex:
        latex = _COMMENT.sub(r"\1", latex)
    if ".." in latex or ". ." in latex or "·" in latex or "\\cdot" in latex:
        latex = _ELLIPSIS.sub("…", latex)
    if number := _NUMBER.search(latex, max(0, len(latex) - _LONGEST_NUMBER)):
        latex = latex[: number.start()]
    pieces = _PIECE.findall(latex)
    reader = _Reader(pieces)
    try:
        row = reader.whole()
    except _TooDeep:
        return Formula(_flat(pieces), reader.faults | {"too_deep": f"more than {MAX_DEPTH} levels"})
    return Formula(row, reader.faults)


class _TooDeep(Exception):
    """A formula is nested deeper than the limit."""


class _Reader:
    def __init__(self, pieces: list[str]) -> None:
        self.pieces = pieces
        self.end = len(pieces)
        self.at = 0
        self.depth = 0
        self.font = ""
        self.faults: Faults = {}

    def whole(self) -> Row:
        """All of it, whatever closes what was never opened."""
        row = self.row(_NO_STOPS)
        while self.at < self.end:  # a brace too many, or the end of an environment that never began
            self.faults.setdefault("unbalanced", self.pieces[self.at])
            self.at += 1
            row += self.row(_NO_STOPS)
        return row

    def row(self, stops: frozenset[str]) -> Row:
        """Nodes up to one of the stops, which is left where it is."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _TooDeep
        font, pieces, row = self.font, self.pieces, []
        while self.at < self.end:
            piece = pieces[self.at]
            if piece in stops or piece == "}":
                break
            self.at += 1
            symbol = SYMBOLS.get(piece)
            if symbol is not None:
                row.append(["#", symbol, self.font] if self.font else symbol)
            elif (handler := _HANDLERS.get(piece)) is not None:
                if handler(self, piece, row, stops):
                    break
            elif piece[0] == "\\":
                if piece == "\\end" and "\\end" not in stops:
                    self.faults.setdefault("unbalanced", piece)
                    self.argument()
                else:
                    self.faults.setdefault("unknown_latex", piece)
                    row.append(piece)
            elif not piece.isspace():
                add_character(row, piece, self.font)
        self.font = font
        self.depth -= 1
        return row

    def argument(self) -> Row:
        """What a command is applied to: a group, or the one thing that follows."""
        self.skip_space()
        if self.at >= self.end:
            return []
        piece = self.pieces[self.at]
        if piece == "}":
            return []
        self.at += 1
        if piece == "{":
            return self.group()
        symbol = SYMBOLS.get(piece)
        if symbol is not None:
            return [["#", symbol, self.font] if self.font else symbol]
        row: Row = []
        handler = _HANDLERS.get(piece)
        if handler is not None:
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise _TooDeep
            handler(self, piece, row, _GROUP_END)
            self.depth -= 1
        elif piece[0] == "\\":
            self.faults.setdefault("unknown_latex", piece)
            row.append(piece)
        else:
            add_character(row, piece, self.font)
        return row

    def group(self) -> Row:
        """What stands up to the brace that closes a group; its opening one has been read."""
        row = self.row(_GROUP_END)
        if self.at < self.end:
            self.at += 1
        else:
            self.faults.setdefault("unbalanced", "{")
        return row

    def option(self) -> Row:
        """What stands in square brackets, if they come next."""
        self.skip_space()
        if self.at >= self.end or self.pieces[self.at] != "[":
            return []
        self.at += 1
        row = self.row(_OPTION_END)
        if self.at < self.end and self.pieces[self.at] == "]":
            self.at += 1
        return row

    def in_font(self, font: str) -> Row:
        """The argument of a font command. Within bold, upright says nothing more."""
        before = self.font
        if font != UPRIGHT or not before:
            self.font = font
        row = self.argument()
        self.font = before
        return row

    def skip_space(self) -> None:
        while self.at < self.end and (self.pieces[self.at].isspace() or self.pieces[self.at] in SPACES):
            self.at += 1

    def skip_star(self) -> None:
        if self.at < self.end and self.pieces[self.at] == "*":
            self.at += 1

    def skip_length(self) -> None:
        """`[2pt]` after a line break: a length, and not the first cell of the next row."""
        self.skip_star()
        at = self.at
        while at < self.end and self.pieces[at].isspace():
            at += 1
        if at >= self.end or self.pieces[at] != "[":
            return
        inside = self.pieces[at + 1 : at + 13]
        if "]" in inside and _LENGTH.match("".join(inside[: inside.index("]")])):
            self.at = at + 2 + inside.index("]")

    def name(self) -> str:
        """The name of an environment, in its braces."""
        self.skip_space()
        if self.at >= self.end or self.pieces[self.at] != "{":
            return ""
        start = self.at + 1
        stop = min(start + 40, self.end)
        while self.at < stop and self.pieces[self.at] != "}":
            self.at += 1
        found = "".join(self.pieces[start : self.at])
        self.at += 1
        return found.strip().removesuffix("*")

    def cells(self) -> list[list[Row]]:
        """The cells of an environment, line by line, up to its end."""
        lines: list[list[Row]] = [[]]
        while True:
            lines[-1].append(self.row(_CELL_ENDS))
            if self.at >= self.end or self.pieces[self.at] == "}":
                self.faults.setdefault("unbalanced", "\\begin")
                break
            piece = self.pieces[self.at]
            self.at += 1
            if piece == "\\end":
                self.name()
                break
            if piece != "&":
                self.skip_length()
                lines.append([])
        return [line for line in lines if any(line)]


Handler = Callable[[_Reader, str, Row, frozenset[str]], bool | None]
"""Reads on after a piece and adds to the row; true where the row ends here."""


def _space(_reader: _Reader, _piece: str, _row: Row, _stops: frozenset[str]) -> None:
    """Print nothing."""


def _open(reader: _Reader, _piece: str, row: Row, _stops: frozenset[str]) -> None:
    row += reader.group()


def _script(reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    script = reader.argument()
    if len(script) == 1 and is_script(script[0]):  # a prime is raised by itself: ^{'} is '
        script = script[0][1]
    add_script(row, "sub" if piece == "_" else "sup", script)


def _prime(_reader: _Reader, _piece: str, row: Row, _stops: frozenset[str]) -> None:
    add_script(row, "sup", ["′"])


def add_script(row: Row, kind: str, script: Row) -> None:
    """Add a script to what the row ends with: the lower before the upper, and two of a kind as one."""
    scripts = row[-2:]
    if not script:
        return
    for node in scripts:
        if type(node) is list and node[0] == kind and (node is row[-1] or is_script(row[-1])):
            node[1] += script
            return
    if kind == "sub" and row and type(row[-1]) is list and row[-1][0] == "sup":
        row.insert(-1, ["sub", script])
    else:
        row.append([kind, script])


def is_script(node: Node) -> bool:
    """Whether a node is a script of what stands before it."""
    return type(node) is list and node[0] in ("sub", "sup")


def _word(_reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    row += [["#", letter, UPRIGHT] for letter in WORDS[piece]]


def _several(_reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    row += SEVERAL[piece]


def _raised(_reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    add_script(row, "sup", [RAISED[piece]])


def _delimiter(reader: _Reader, _piece: str, _row: Row, _stops: frozenset[str]) -> None:
    reader.skip_space()
    if reader.at < reader.end and reader.pieces[reader.at] == ".":
        reader.at += 1


def _skipped(reader: _Reader, piece: str, _row: Row, _stops: frozenset[str]) -> None:
    reader.skip_star()
    for _ in range(SKIPPED[piece]):
        reader.option()
        reader.argument()


def _font(reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    reader.skip_star()
    row += reader.in_font(FONTS[piece])


def _switch(reader: _Reader, piece: str, _row: Row, _stops: frozenset[str]) -> None:
    reader.font = SWITCHES[piece]


def _accent(reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    marked = reader.argument()
    width = 1 if piece in NARROW and all(map(is_script, marked[1:])) else len(marked)
    if marked:
        row += [["accent", ACCENTS[piece], marked[:width]], *marked[width:]]


def _fraction(reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    kind = "binom" if piece in BINOMIALS else "frac"
    reader.option()
    row.append([kind, reader.argument(), reader.argument()])


def _infix(reader: _Reader, piece: str, row: Row, stops: frozenset[str]) -> bool:
    kind = "binom" if INFIX[piece] == "binomial" else "frac"
    above, below = row[:], reader.row(stops)
    row[:] = [[kind, above, below]]
    return True


def _root(reader: _Reader, _piece: str, row: Row, _stops: frozenset[str]) -> None:
    degree = reader.option()
    row.append(["root", reader.argument(), degree])


def _stacked(reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    script = reader.argument()
    row += reader.argument()
    add_script(row, "sup" if STACKED[piece] == "over" else "sub", script)


def _arrow(reader: _Reader, piece: str, row: Row, _stops: frozenset[str]) -> None:
    below, above = reader.option(), reader.argument()
    row.append(ARROWS[piece])
    add_script(row, "sub", below)
    add_script(row, "sup", above)


def _negated(reader: _Reader, _piece: str, row: Row, _stops: frozenset[str]) -> None:
    negated = reader.argument()
    for node in ["∥"] if negated == ["|", "|"] else negated:
        row.append(unicodedata.normalize("NFC", f"{node}\u0338") if isinstance(node, str) else node)


def _modulo(reader: _Reader, _piece: str, row: Row, _stops: frozenset[str]) -> None:
    row += ["(", *(["#", letter, UPRIGHT] for letter in "mod"), *reader.argument(), ")"]


def _chemical(reader: _Reader, _piece: str, row: Row, _stops: frozenset[str]) -> None:
    """mhchem: a number after an element or a bracket is its index, and arrows are typed."""
    made: Row = []
    for node in reader.in_font(UPRIGHT):
        symbol, before = symbol_of(node), symbol_of(made[-1]) if made else ""
        follows = bool(made) and (is_script(made[-1]) or before.isalpha() or before in (")", "]"))
        if symbol == ">" and before == "−":
            made[-1] = "→"
        elif symbol.isdigit() and follows:
            add_script(made, "sub", [symbol])
        else:
            made.append(node)
    row += made


def symbol_of(node: Node) -> str:
    """The symbol that a node is; "" for one that is built of rows."""
    if type(node) is list:
        return str(node[1]) if node[0] == "#" else ""
    return str(node)


def _line_end(reader: _Reader, _piece: str, row: Row, _stops: frozenset[str]) -> None:
    reader.skip_length()
    row.append(NEW_LINE)


def _begin(reader: _Reader, _piece: str, row: Row, _stops: frozenset[str]) -> None:
    name = reader.name()
    environment = ENVIRONMENTS.get(name)
    if environment is None:
        reader.faults.setdefault("unknown_latex", f"\\begin{{{name}}}")
        environment = Environment(lines=True)
    reader.option()
    for _ in range(environment.arguments):
        reader.argument()
    lines = reader.cells()
    row += environment.open
    row += grid_or_lines(lines, environment.lines)
    row += environment.close


def grid_or_lines(lines: list[list[Row]], aligned: bool) -> Row:
    """Cells, or lines where there is one column or & only aligns."""
    if aligned or all(len(line) == 1 for line in lines):
        joined = [[node for cell in line for node in cell] for line in lines]
        return joined[0] if len(joined) == 1 else [["lines", joined]] if joined else []
    return [["grid", lines]]


def _definition(reader: _Reader, piece: str, _row: Row, _stops: frozenset[str]) -> None:
    """Skip a definition: its name, the number of its parameters, its body. It is never applied."""
    reader.faults.setdefault("definition", piece)
    at, end, pieces = reader.at, reader.end, reader.pieces
    while at < end and pieces[at] not in "{}":
        at += 1
    reader.at = at
    if at < end and pieces[at] == "{":
        reader.argument()
        reader.option()
        if reader.at < end and pieces[reader.at] == "{":
            reader.argument()


_HANDLERS: Final[dict[str, Handler]] = {
    "{": _open,
    "^": _script,
    "_": _script,
    "&": _space,
    "$": _space,
    "#": _space,
    "\\\\": _line_end,
    "\\newline": _line_end,
    "\\cr": _line_end,
    "\\tabularnewline": _line_end,
    "\\begin": _begin,
    "\\ce": _chemical,
    "\\not": _negated,
    "\\pmod": _modulo,
    "\\pod": _modulo,
    **dict.fromkeys(["'", "’", "′"], _prime),
    **dict.fromkeys(SPACES, _space),
    **dict.fromkeys(WORDS, _word),
    **dict.fromkeys(SEVERAL, _several),
    **dict.fromkeys(RAISED, _raised),
    **dict.fromkeys(DELIMITERS, _delimiter),
    **dict.fromkeys(SKIPPED, _skipped),
    **dict.fromkeys(FONTS, _font),
    **dict.fromkeys(SWITCHES, _switch),
    **dict.fromkeys(ACCENTS, _accent),
    **dict.fromkeys(FRACTIONS | BINOMIALS, _fraction),
    **dict.fromkeys(INFIX, _infix),
    **dict.fromkeys(ROOTS, _root),
    **dict.fromkeys(STACKED, _stacked),
    **dict.fromkeys(ARROWS, _arrow),
    **dict.fromkeys(DEFINITIONS, _definition),
}


def add_character(row: Row, piece: str, font: str) -> None:
    """Add a character that no table names. A raised or lowered one is a script, and ½ is a fraction."""
    if piece in RAISED:
        add_script(row, "sup", [RAISED[piece]])
        return
    kind, _, codes = ("", "", "") if piece.isascii() else unicodedata.decomposition(piece).partition(" ")
    letters = [chr(int(code, 16)) for code in codes.split()]
    parts = [SYMBOLS.get(letter, letter) for letter in letters]
    nodes: Row = [["#", part, font] if font else part for part in parts]
    if kind in _SCRIPTS:
        add_script(row, _SCRIPTS[kind], nodes)
    elif kind == "<fraction>" and _FRACTION_SLASH in letters[1:-1]:
        bar = letters.index(_FRACTION_SLASH)
        row.append(["frac", nodes[:bar], nodes[bar + 1 :]])
    else:
        row.append(character(piece, font))


def character(piece: str, font: str) -> Node:
    """A character that no table names; a letter of a mathematical alphabet is that letter in its font."""
    if _MATH_LETTERS.match(piece) and (letter := unicodedata.normalize("NFKC", piece)) != piece:
        words = unicodedata.name(piece, "").split()
        font = font or next((LETTER_FONTS[word] for word in words if word in LETTER_FONTS), "")
        piece = SYMBOLS.get(letter, letter)
    return ["#", piece, font] if font else piece


def _flat(pieces: list[str]) -> Row:
    """The symbols of a formula that is nested too deep, one after another."""
    return [SYMBOLS.get(piece, piece) for piece in pieces if piece not in "{}" and not piece.isspace()]
