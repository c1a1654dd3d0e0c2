"""What is measured at most. Beyond a limit there is an issue, never a wrong number or a long wait."""

from __future__ import annotations

from typing import Final

from jatdae.tables.issues import TableError

MAX_CHARS: Final = 5_000_000
"""Characters of one text, unless an evaluator is told otherwise."""
MAX_TABLES: Final = 10_000
"""Tables of one text."""
MAX_DEPTH: Final = 1000
"""Levels of open elements. libxml2 cuts a deeper document off in silence or at its own limit."""
MAX_COLSPAN: Final = 1000
"""Columns one cell takes in a grid, as in the HTML standard; a larger span is read as this."""
MAX_SLOTS: Final = 1_000_000
"""Rows times columns of one grid."""
MAX_PIPE_CELLS: Final = 200_000
"""Cells of one pipe table, its short rows filled up."""
MAX_TABLE_PAIRS: Final = 10_000
"""Pairs of tables an assignment scores before it chooses among them."""
MAX_NODE_PAIRS: Final = 2_000_000_000
"""Nodes of all predicted tables times nodes of all reference tables, for an assignment."""
MAX_SLOT_PAIRS: Final = 100_000_000
"""Slots of one grid times slots of the other, for GriTS."""
MAX_CHAR_PAIRS: Final = 100_000_000_000
"""Characters of one table times characters of the other, for GriTS-Con and content."""


def check_chars(a: int, b: int) -> None:
    """Refuse texts of lengths `a` and `b` that would take too long to align."""
    if a * b > MAX_CHAR_PAIRS:
        raise TableError("too_large", f"tables of {a:,} and {b:,} characters are too long to align")
