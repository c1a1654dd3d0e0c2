"""One side of a comparison as a JSON value that is safe to walk: from a value, or from text that holds JSON.

Model output may have prose around its JSON. A fenced block, or the one object that stands in the text, is taken and the
issue `json_extracted` says so; where it is not clear which is meant, nothing is taken.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

from jatdae.core.contract import Issue
from jatdae.core.errors import UsageError
from jatdae.structured.checks import Limits, check
from jatdae.structured.issues import DocumentError, issue

MAX_STARTS: Final = 200
"""Brackets tried as the beginning of JSON inside other text."""
MAX_REPAIRED: Final = 64_000
"""Characters of the longest text that is mended."""

_FENCED: Final = re.compile(r"^[ \t]*(```+|~~~+)[^\n`]*\n(.*?)(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_BRACKET: Final = re.compile(r"[\[{]")
_BRACKETS: Final = re.compile(r"[\[{}\]]")


class Document(NamedTuple):
    """A JSON value, and what a reader should know about how it came to be."""

    value: Any
    issues: tuple[Issue, ...] = ()


class Object(dict[str, Any]):
    """A JSON object that remembers which of its keys were written more than once."""

    duplicates: tuple[str, ...] = ()


def read_document(given: Any, side: str, limits: Limits, *, repair: bool = False) -> Document:
    """A side of a comparison; a DocumentError where it cannot be read."""
    issues: tuple[Issue, ...] = ()
    value = given
    if isinstance(given, str):
        if len(given) > limits.chars:
            raise DocumentError("too_large", f"the {side} has {len(given):,} characters; max_chars is {limits.chars:,}")
        value, issues = _parse_text(given, side, repair)
    checked, found = check(value, side, limits)
    return Document(checked, (*issues, *found))


def repairer() -> Any:
    """The mending function of the optional package json-repair."""
    try:
        from json_repair import repair_json
    except ImportError:
        raise UsageError("repair needs the package json-repair: pip install 'jatdae[repair]'") from None
    return repair_json


def _parse_text(text: str, side: str, repair: bool) -> tuple[Any, tuple[Issue, ...]]:
    text = text.removeprefix("\ufeff").strip()
    try:
        return _loads(text), ()
    except ValueError as error:
        problem = error
    found = _extract(text)
    if len(found) == 1:
        return found[0], (issue("json_extracted", f"the {side} has text around its JSON"),)
    if found:
        raise DocumentError("invalid_json", f"the {side} holds {len(found)} JSON values; which one is meant is unclear")
    if repair and len(text) <= MAX_REPAIRED:
        mended = _repair(text)
        if mended is not None:
            return mended, (issue("json_repaired", f"the {side} was mended: {_place(problem, text)}"),)
    raise DocumentError("invalid_json", f"the {side} is not JSON: {_place(problem, text)}")


def _extract(text: str) -> list[Any]:
    """The JSON values that stand in a text: those of fenced blocks, else the outermost ones; objects before arrays."""
    found: list[Any] = []
    for block in _FENCED.finditer(text):
        try:
            value = _loads(block[2].strip())
        except ValueError:
            continue
        if isinstance(value, (dict, list)):
            found.append(value)
    if not found:
        with suppress(ValueError, RecursionError, InvalidOperation):
            found = list(_outermost(text))
    objects = [value for value in found if isinstance(value, dict)]
    return objects if len(objects) == 1 else found


def _outermost(text: str) -> Iterator[Any]:
    """Objects and arrays in a text, each after the end of the one before it.

    A bracket that does not begin like JSON is prose, up to its partner. One that does and then breaks is broken JSON:
    what stands inside it is only a part, and no part is taken for the whole.
    """
    decode = _DECODER.raw_decode
    at = 0
    for _ in range(MAX_STARTS):
        start = _BRACKET.search(text, at)
        if not start:
            return
        try:
            value, at = decode(text, start.start())
        except json.JSONDecodeError as error:
            if text[start.end() : error.pos].strip():
                raise
            at = _after_partner(text, start.start())
        else:
            yield value


def _after_partner(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`, or the end of the text."""
    depth = 0
    for found in _BRACKETS.finditer(text, start):
        depth += 1 if found[0] in "[{" else -1
        if not depth:
            return found.end()
    return len(text)


def _loads(text: str) -> Any:
    """The value of a JSON text, numbers as written. A ValueError where it is none."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise DocumentError("too_deep", "nested too deep to be read") from None
    except InvalidOperation:
        raise ValueError("an exponent is too large to be read") from None
    except ValueError:  # an integer of more digits than Python converts
        return json.loads(text, parse_int=Decimal, parse_float=Decimal, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> Object:
    made = Object(pairs)
    if len(made) != len(pairs):
        times = Counter(key for key, _ in pairs)
        made.duplicates = tuple(key for key, count in times.items() if count > 1)
    return made


_DECODER: Final = json.JSONDecoder(parse_float=Decimal, object_pairs_hook=_object)


def _repair(text: str) -> Any:
    """What json-repair makes of a text, if it makes an object or an array of it."""
    try:
        value = _loads(repairer()(text))
    except (ValueError, RecursionError, DocumentError):
        return None
    return value if isinstance(value, (dict, list)) and value else None


def _place(problem: ValueError, text: str) -> str:
    if not isinstance(problem, json.JSONDecodeError):
        return str(problem)
    cut = " (the text ends there)" if problem.pos >= len(text) else ""
    return f"line {problem.lineno}, column {problem.colno}: {problem.msg}{cut}"
