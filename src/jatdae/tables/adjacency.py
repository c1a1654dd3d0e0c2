"""Cell adjacency: which text stands next to which.

Every cell with text is related to the nearest cell with text to its right and below it, in each row and column it
takes: (text, text, direction, empty slots between). The score is the F1 of the two multisets of relations. Göbel,
Hassan, Oro and Orsi, "A methodology for evaluating algorithms for table understanding in PDF documents", DocEng 2012,
as in the ICDAR 2013 table competition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from jatdae.tables.grid import Grid

Relation = tuple[str, str, Literal["right", "below"], int]


def adjacency_f1(prediction: Grid, reference: Grid) -> float:
    """2 · shared relations / all relations; 1 where neither table has any."""
    a, b = Counter(relations(prediction)), Counter(relations(reference))
    total = a.total() + b.total()
    return 2.0 * (a & b).total() / total if total else 1.0


def relations(grid: Grid) -> Iterator[Relation]:
    """The adjacency relations of a table; two cells that touch along several slots are related once."""
    slots = grid.slots()
    direction: Literal["right", "below"]
    for direction, lines in (("right", slots.tolist()), ("below", slots.T.tolist())):
        seen: set[tuple[int, int]] = set()
        for line in lines:
            last = -1  # the last cell with text
            empty = 0
            for index in line:
                text = grid.cells[index].text if index >= 0 else ""
                if not text:
                    empty += 1
                elif index != last:
                    if last >= 0 and (last, index) not in seen:
                        seen.add((last, index))
                        yield grid.cells[last].text, text, direction, empty
                    last, empty = index, 0
