"""Looks once over all of a JSON value: how large and deep it is, its texts, and what is unusual in it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

_COMMON: Final = frozenset({int, bool, type(None)})


class Survey(NamedTuple):
    """Size and content of a JSON value, as far as the reader needs to know."""

    values: int
    """Leaves and containers, the value itself included."""
    characters: int
    """Of texts and keys."""
    deeper: bool
    """Whether it is nested too deep. Then, and with too many values, the walk stopped at that level."""
    named: bool
    """Whether all keys are text."""
    halves: bool
    """Whether a text holds half a character: a lone surrogate."""
    special: list[Any]
    """Objects and arrays of types derived from dict and list."""
    texts: list[str]
    """Leaves that are texts."""
    others: list[Any]
    """Leaves that are not of type str, int, bool or None."""


def survey(value: Any, most_depth: int, most_values: int) -> Survey:
    """Survey a JSON value level by level, up to the first that is too deep or has too many values."""
    texts: list[str] = []
    names: list[Any] = []
    special: list[Any] = []
    others: list[Any] = []
    values = depth = 0
    deeper = False
    level: list[Any] = [[value]]
    while level and values <= most_values and not deeper:
        items: list[Any] = []
        for container in level:
            if isinstance(container, dict):
                names += container
                items += container.values()
            else:
                items += container
        values += len(items)
        level = []
        for item in items:
            kind = type(item)
            if kind is str:
                texts.append(item)
            elif isinstance(item, (dict, list)):
                level.append(item)
                if kind is not dict and kind is not list:
                    special.append(item)
            elif kind not in _COMMON:
                others.append(item)
        depth += 1
        deeper = depth > most_depth and bool(level)
    named = True
    try:
        text = "".join(names)
    except TypeError:
        named = False
        text = "".join([name for name in names if isinstance(name, str)])
    text += "".join(texts)
    return Survey(values, len(text), deeper, named, _has_halves(text), special, texts, others)


def _has_halves(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
