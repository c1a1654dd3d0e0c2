"""The rows kernel without a compiler: no row counts as plain, for making objects of rows is then the quickest way."""

from __future__ import annotations


def columns(*_: object) -> None:
    """None: the lines have to be read as they are."""
