"""Reads a slash between two operands as the fraction it stands for: a/b as \\frac{a}{b}."""

from __future__ import annotations

from typing import Final

from jatdae.formulas.reader import Node, Row

SLASH: Final = "/"
MAX_SLASHES: Final = 50
"""Slashes of a formula that are read as fractions: they nest, and each looks for the other end of its brackets."""
_CLOSED_BY: Final = {"(": ")", "[": "]", "{": "}"}
_OPENED_BY: Final = {closing: opening for opening, closing in _CLOSED_BY.items()}
_BUILT: Final = frozenset(["sub", "sup", "frac", "binom", "root", "accent"])


def as_fractions(row: Row) -> Row:
    """The row with its slashes, also those inside its parts, as fractions.

    An operand is a product of letters, digits and what is built of them, with the brackets of a function, or what
    stands in brackets, which go.
    """
    made: Row = []
    at = 0
    while at < len(row):
        node = row[at]
        if node == SLASH and made and at + 1 < len(row):
            above, start = _operand_before(made)
            below, after = _operand_after(row, at + 1)
            if above and below:
                made[start:] = [["frac", above, as_fractions(below)]]
                at = after
                continue
        made.append(_inside(node))
        at += 1
    return made


def _inside(node: Node) -> Node:
    """A node with the slashes of its rows as fractions."""
    if isinstance(node, str) or node[0] == "#":
        return node
    if node[0] == "grid":
        return ["grid", [[as_fractions(cell) for cell in line] for line in node[1]]]
    if node[0] == "lines":
        return ["lines", [as_fractions(line) for line in node[1]]]
    return [as_fractions(part) if isinstance(part, list) else part for part in node]


def _operand_before(row: Row) -> tuple[Row, int]:
    """The operand that a row ends with, and where it begins."""
    if isinstance(row[-1], str) and row[-1] in _OPENED_BY:
        bracket = _opening(row, row[-1])
        start = _factors_before(row, bracket)
        if bracket < 0:
            return [], len(row)
        return (row[start:], start) if start < bracket else (row[start + 1 : -1], start)
    start = _factors_before(row, len(row))
    return row[start:], start


def _factors_before(row: Row, end: int) -> int:
    """Where the factors begin that end at a place of a row."""
    while end > 0 and _is_factor(row[end - 1]):
        end -= 1
    return end


def _operand_after(row: Row, at: int) -> tuple[Row, int]:
    """The operand that begins at a place of a row, and where it ends."""
    if isinstance(row[at], str) and row[at] in _CLOSED_BY:
        end = _closing(row, at)
        return (row[at + 1 : end], end + 1) if end >= 0 else ([], at)
    end = at
    while end < len(row) and _is_factor(row[end]):
        end += 1
    if at < end < len(row) and isinstance(row[end], str) and row[end] in _CLOSED_BY:
        end = max(end, _closing(row, end) + 1)  # f(x)
    return row[at:end], end


def _opening(row: Row, closing: str) -> int:
    depth = 0
    for at in range(len(row) - 1, -1, -1):
        depth += (row[at] == closing) - (row[at] == _OPENED_BY[closing])
        if not depth:
            return at
    return -1


def _closing(row: Row, start: int) -> int:
    depth = 0
    for at in range(start, len(row)):
        depth += (row[at] == row[start]) - (row[at] == _CLOSED_BY[row[start]])
        if not depth:
            return at
    return -1


def _is_factor(node: Node) -> bool:
    if isinstance(node, list):
        return node[0] in _BUILT or (node[0] == "#" and node[1].isalnum())
    return bool(node.isalnum() or node in "∂∇∞′.")
