"""Paths of JSON fields, and patterns that match many of them.

total_amount            a key
procedures[0].cost      an index, and a key below it
procedures[*].cost      any index
meta.*                  any key
**.date                 any way down, none included
["unit.price"]          a key that is not a plain word
$                       the document itself
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker

say = speaker(__name__)

ROOT: Final = "$"
MAX_KEY: Final = 120
"""Characters of a key that a path shows."""


class Wild(str):
    """Wildcard in a path pattern: any key, any index, or any way down."""

    __slots__ = ()


ANY_KEY: Final = Wild("*")
ANY_INDEX: Final = Wild("[*]")
ANY_DEPTH: Final = Wild("**")

Part = str | int
Pattern = tuple[Part, ...]

_PART: Final = re.compile(
    r"(?P<depth>\*\*)|(?P<any>\*)|\[(?:(?P<anywhere>\*)|(?P<index>[0-9]{1,9})|(?P<quoted>\"(?:[^\"\\]|\\.)*\"))\]"
    r"|(?P<key>[^.\[\]\"*]+)"
)
_INDEX: Final = re.compile(r"\[[0-9]+\]")
_PLAIN_KEY: Final = re.compile(r"[^.\[\]\"*$\s\x00-\x1f=](?:[^.\[\]\"*\x00-\x1f=]*[^.\[\]\"*\s\x00-\x1f=])?")


def parse_pattern(text: str) -> Pattern:
    """Parse a path pattern of JSON fields into its parts; a UsageError says where it cannot be read."""
    parts: list[Part] = []
    at = 0
    if text.startswith(ROOT) and text[1:2] in ("", ".", "["):
        at = 1 + text[1:].startswith(".")
    while at < len(text):
        found = _PART.match(text, at)
        if not found or (found["quoted"] and not _is_json(found["quoted"])):
            raise UsageError(say("path_unreadable", path=text, at=at + 1))
        parts.append(_part(found))
        at = found.end()
        if text[at : at + 1] == "." and at + 1 < len(text):
            at += 1
        elif at < len(text) and text[at] != "[":
            raise UsageError(say("path_unjoined", path=text, at=at + 1))
    if not text:
        raise UsageError(say("path_empty"))
    return tuple(parts)


def specificity(pattern: Pattern) -> tuple[int, int, tuple[int, ...]]:
    """Sort key that orders patterns of JSON paths from general to specific.

    More literal parts, then fewer `**`, then the literal part nearer to the leaf.
    """
    literal = [not isinstance(part, Wild) for part in pattern]
    return sum(literal), -sum(part is ANY_DEPTH for part in pattern), tuple(map(int, reversed(literal)))


@lru_cache(maxsize=1 << 14)
def written_key(key: str) -> str:
    """Write a key as a step of a JSON path, with the dot before it where it has one."""
    if not key.isascii():
        key = key.encode("utf-8", "replace").decode()
    if len(key) > MAX_KEY:
        key = key[: MAX_KEY - 1] + "…"
    return f".{key}" if _PLAIN_KEY.fullmatch(key) else f"[{json.dumps(key, ensure_ascii=False)}]"


def written_path(parts: Iterable[str | int]) -> str:
    """Write a JSON path from keys and indices."""
    text = "".join(f"[{part}]" if isinstance(part, int) else written_key(part) for part in parts)
    return text.removeprefix(".") or ROOT


def as_pattern(path: str) -> str:
    """Turn a JSON path into a pattern by replacing every index with `[*]`."""
    return _INDEX.sub("[*]", path)


def _part(found: re.Match[str]) -> Part:
    if found["depth"]:
        return ANY_DEPTH
    if found["any"]:
        return ANY_KEY
    if found["anywhere"]:
        return ANY_INDEX
    if found["index"]:
        return int(found["index"])
    return str(json.loads(found["quoted"])) if found["quoted"] else found["key"]


def _is_json(quoted: str) -> bool:
    try:
        json.loads(quoted)
    except ValueError:
        return False
    return True
