"""What commands print on standard output: lines, tables and JSON. Rooms print with it, and so does the command line."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

_OBEYED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys, apart from line breaks and tabs."""
_MANY: Final = 1_000
"""Rows beyond which a table is not fitted to the terminal, which takes a millisecond for each."""
_WIDE: Final = 60
_UNSHOWN: Final = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that JSON allows but a terminal obeys: C1 controls, line and direction marks, lone surrogates."""


class Terminal(Console):
    """Terminal console that raises an error when its pipe is closed; rich would end the program with status 1."""

    def on_broken_pipe(self) -> None:
        """Called while a BrokenPipeError is handled."""
        raise  # noqa: PLE0704


def terminal(*, stderr: bool = False) -> Terminal:
    """Make a console that writes to standard output or to standard error."""
    return Terminal(stderr=stderr, highlight=False)


def print_json(value: Any) -> None:
    """Print a value to standard output as JSON."""
    write_out(json_text(value))


def write_out(text: str) -> None:
    """Write text to standard output as UTF-8, whatever the locale."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)
    sys.stdout.flush()


def json_text(value: Any) -> str:
    """JSON form of any value of a report: text that is valid UTF-8 and safe to print on a terminal."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return _UNSHOWN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_line(text: str) -> None:
    """Print one line to standard output; nothing in it is read as markup."""
    terminal().print(_visible(text), soft_wrap=True)


def print_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a plain table to standard output; a very long one without fitting it to the width of the terminal."""
    given = [list(map(_visible, row)) for row in rows]
    if len(given) > _MANY:
        _print_unwrapped([[Text(name) for name in header], *given])
        return
    table = Table(*header, box=None, pad_edge=False)
    for row in given:
        table.add_row(*row)
    terminal().print(table)


def _print_unwrapped(rows: list[list[Text]]) -> None:
    """Print rows with their columns below each other, a cell that is wider than most in full."""
    sizes = [[cell.cell_len for cell in row] for row in rows]
    widths = [min(max(column), _WIDE) for column in zip(*sizes, strict=True)]
    for row, size in zip(rows, sizes, strict=True):
        cells = [cell.plain + " " * (width - own) for cell, own, width in zip(row, size, widths, strict=True)]
        write_out("  ".join(cells).rstrip().replace("\n", " ") + "\n")


def _visible(text: str) -> Text:
    """Text of which a terminal obeys nothing: an escape is printed as `\\x1b`."""
    return Text(_OBEYED.sub(lambda found: ascii(found[0])[1:-1], text))
