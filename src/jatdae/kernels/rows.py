"""Columns of plain rows: lines of JSON in, texts out, without an object for every row.

A row is plain that is a flat object, with every field of `wanted` and `checked` there as text and none of `refused`;
what else it holds are texts, numbers and words. Such rows are the many short ones, where reading is most of the work.

    columns(b'{"id": "1", "pred": "a"}', ("id", "pred"))     # (["1"], ["a"])
    columns(b'{"id": 1, "pred": "a"}', ("id", "pred"))       # None
"""

from __future__ import annotations

from jatdae.kernels import native, rows_twin

_loop = native("rows") or rows_twin


def columns(
    lines: bytes, wanted: tuple[str, ...], checked: tuple[str, ...] = (), refused: tuple[str, ...] = ()
) -> tuple[list[str], ...] | None:
    """The wanted fields, column by column; None where a line is not a plain row, or might not be.

    What is given is what a JSON reader would give. None says nothing of what is wrong: that has to be found out by
    reading the lines as they are.
    """
    found: tuple[list[str], ...] | None = _loop.columns(lines, wanted, checked, refused)
    return found
