"""The rows kernel without a compiler: a JSON reader, line by line, up to the first row that is not plain."""

from __future__ import annotations

from typing import Any

import orjson


def columns(
    lines: bytes, wanted: tuple[str, ...], checked: tuple[str, ...], refused: tuple[str, ...]
) -> tuple[list[str], ...] | None:
    """The wanted fields, column by column."""
    made: tuple[list[str], ...] = tuple([] for _ in wanted)
    for line in lines.split(b"\n"):
        try:
            row = orjson.loads(line)
        except ValueError:
            return None
        if type(row) is not dict or any(type(value) in (dict, list) for value in row.values()):
            return None
        texts: list[Any] = [row.get(name) for name in wanted]
        if not all(type(text) is str for text in (*texts, *map(row.get, checked))) or any(n in row for n in refused):
            return None
        for column, text in zip(made, texts, strict=True):
            column.append(text)
    return made
