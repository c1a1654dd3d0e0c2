"""The layout of a table for a paper (`paper.json` of a run): its model, and how it is read.

Apart from the table itself, because every command would wait for the reader of configuration files.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import Field

from jatdae.core.configfile import Part, read_config

Show = Literal["percent", "points", "score"]


def read_layout(path: Path, metrics: Iterable[str]) -> PaperLayout:
    """Read the layout of a table for a paper; columns must be metrics of the run."""
    file, known = read_config(path, PaperLayout), list(metrics)
    for at, column in enumerate(file.content.columns):
        file.one_of(("columns", at, "metric"), column.metric, known)
    file.finish()
    return file.content


class LayoutColumn(Part):
    """A column in the layout of a table for a paper."""

    metric: str
    title: str = ""
    show: Show = "score"
    ranked: bool = True
    group: str = ""
    """In print the columns of a group are a table of their own; in one table the group stands before the title."""


class LayoutTexts(Part):
    """What the layout of a table for a paper says in one language."""

    row: str = ""
    caption: str = ""
    scope: str = ""
    methods: str = ""
    warnings: tuple[str, ...] = ()
    warnings_of: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class PaperLayout(Part):
    """Layout of a table for a paper: the file `paper.json` of a run."""

    columns: tuple[LayoutColumn, ...] = ()
    en: LayoutTexts = LayoutTexts()
    ko: LayoutTexts = LayoutTexts()
