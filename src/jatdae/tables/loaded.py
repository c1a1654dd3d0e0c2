"""A table out of its document, parsed once for all that is measured on it."""

from __future__ import annotations

from lxml import etree

from jatdae.tables.grid import Grid, lay
from jatdae.tables.html import find_tables
from jatdae.tables.issues import TableError
from jatdae.tables.profiles import Profile
from jatdae.tables.reading import Table
from jatdae.tables.tree import TableTree, plant


class Loaded:
    """A table that has been parsed; grid and trees are made once, when they are asked for."""

    def __init__(self, table: Table) -> None:
        found = find_tables(table.html)
        if not found:
            raise TableError("parse_error", f"line {table.line}: the parser finds no table in it")
        self.table = table
        self.element = found[0]
        self._trees: dict[str, TableTree] = {}
        self._grid: tuple[Grid, list[etree._Element]] | TableError | None = None

    @property
    def grid(self) -> Grid:
        """The table as a grid."""
        return self.placed[0]

    @property
    def placed(self) -> tuple[Grid, list[etree._Element]]:
        """The grid, and the element of each of its cells."""
        if self._grid is None:
            try:
                self._grid = lay(self.element)
            except TableError as error:
                self._grid = error
        if isinstance(self._grid, TableError):
            raise self._grid
        return self._grid

    @property
    def has_header(self) -> bool:
        """Whether any cell is a th."""
        return next(self.element.iter("th"), None) is not None

    def tree(self, profile: Profile) -> TableTree:
        """The table as a tree of `profile`."""
        if profile.name not in self._trees:
            self._trees[profile.name] = plant([self.element], profile)
        return self._trees[profile.name]
