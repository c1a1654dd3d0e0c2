"""The canonical form of a formula: its symbols in the order they are printed, each with its font and its place.

Two formulas are the same where their canonical forms are equal. What does not change what is printed is gone (spaces,
braces, sizes of brackets, upright letters); synonyms are one symbol; sentence punctuation at the end is not part of
a formula.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from jatdae.formulas.mathml import is_mathml, read_mathml
from jatdae.formulas.reader import NEW_LINE, UPRIGHT, Formula, Row, read_formula, symbol_of

PUNCTUATION: Final = frozenset(".,;")
"""Ends a sentence, not a formula."""


FRACTION: Final = "⁄"
"""The bar of a fraction."""


class Token(NamedTuple):
    """A symbol of a formula."""

    symbol: str
    font: str
    marks: str
    """Accents and lines above or below it."""
    place: str
    """What it stands in: the nearest script, part of a fraction or root; "" is the line."""


class Canonical(NamedTuple):
    """A formula as it is compared."""

    tokens: list[Token]
    outline: str
    """Equal where two formulas are the same: the tokens with all they stand in."""
    formula: Formula


def canonical_form(latex: str) -> Canonical:
    """Read a formula, LaTeX or MathML, and put it into its canonical form."""
    return canonical_tree(read_mathml(latex) if is_mathml(latex) else read_formula(latex))


def canonical_tree(formula: Formula) -> Canonical:
    """The canonical form of a formula that has been read."""
    tokens: list[Token] = []
    outline: list[str] = []
    _lay(_without_punctuation(formula.row), "", "", tokens, outline)
    return Canonical(tokens, " ".join(outline), formula)


def _without_punctuation(row: Row) -> Row:
    end = len(row)
    while end > 1 and symbol_of(row[end - 1]) in PUNCTUATION:
        end -= 1
    return row[:end]


def _lay(row: Row, marks: str, place: str, tokens: list[Token], outline: list[str]) -> None:
    """Add the symbols of a row."""
    for node in row:
        if type(node) is str:
            tokens.append(Token(node, "", marks, place))
            outline.append(node + marks)
            continue
        kind = node[0]
        if kind == "#":
            font = "" if node[2] == UPRIGHT else node[2]
            tokens.append(Token(node[1], font, marks, place))
            outline.append(node[1] + font + marks)
        elif kind == "accent":
            _lay(node[2], marks + node[1], place, tokens, outline)
        elif kind == "lines":
            for number, line in enumerate(node[1]):
                _part(NEW_LINE, number, place, tokens, outline)
                _lay(line, marks, place, tokens, outline)
        elif kind == "grid":
            _lay_grid(node[1], marks, place, tokens, outline)
        else:
            _lay_parts(node, marks, place, tokens, outline)


def _lay_parts(node: Row, marks: str, place: str, tokens: list[Token], outline: list[str]) -> None:
    kind = node[0]
    if kind in _DRAWN:
        tokens.append(Token(_DRAWN[kind], "", marks, place))
    outline.append(kind)
    for part, inside in zip(node[1:], _PLACES[kind], strict=True):
        outline.append("{")
        _lay(part, marks, inside, tokens, outline)
        outline.append("}")


def _lay_grid(lines: list[list[Row]], marks: str, place: str, tokens: list[Token], outline: list[str]) -> None:
    outline.append("cells{")
    for number, line in enumerate(lines):
        _part(NEW_LINE, number, place, tokens, outline)
        for column, cell in enumerate(line):
            _part("&", column, place, tokens, outline)
            _lay(cell, marks, place, tokens, outline)
    outline.append("}")


def _part(separator: str, number: int, place: str, tokens: list[Token], outline: list[str]) -> None:
    """Add what parts cells or lines, but for the first."""
    if number:
        tokens.append(Token(separator, "", "", place))
        outline.append(separator)


_DRAWN: Final = {"frac": FRACTION, "binom": "binom", "root": "√"}
"""Symbols of what is drawn rather than set."""
_PLACES: Final = {
    "sub": ("sub",),
    "sup": ("sup",),
    "frac": ("above", "below"),
    "binom": ("above", "below"),
    "root": ("root", "degree"),
}
