"""Reads a predicted or reference document: a JSON value, or text that holds JSON, safe to walk.

Model output may have prose around its JSON. A fenced block, or the only object in the text, is taken, and the issue
`json_extracted` says so. Where several could be meant, none is taken. Every value is checked against the limits.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, time
from decimal import Decimal, InvalidOperation
from enum import Enum
from pathlib import PurePath
from typing import Any, Final, NamedTuple
from uuid import UUID

from jatdae.core.contract import Issue
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.structured.issue_codes import DocumentError
from jatdae.structured.numerals import written_number
from jatdae.structured.survey import survey

say = speaker(__name__)

MAX_STARTS: Final = 200
"""Most brackets tried as the beginning of JSON inside other text."""
MAX_REPAIRED: Final = 64_000
"""Characters of the longest text that is repaired."""
MAX_REPAIR_STEPS: Final = 10_000_000
"""Characters that the repair of one text looks at. Broken JSON takes about three for each of its own; where quotes or
brackets are left open, the repair looks ahead to the end again and again."""
REPAIRED_FREELY: Final = 2000
"""Characters of a text whose repair is not counted, because counting doubles its time and so few never take long."""
MAX_NAMED: Final = 5
"""Keys that a message names."""

_FENCED: Final = re.compile(r"^[ \t]*(```++|~~~++)[^\n`]*+\n(.*?)(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_BRACKET: Final = re.compile(r"[\[{]")
_BRACKETS: Final = re.compile(r"[\[{}\]]")
_LEAVES: Final = frozenset({str, int, float, Decimal})


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the size of a JSON document that is read, for either side."""

    chars: int = 20_000_000
    depth: int = 200
    leaves: int = 200_000


class Document(NamedTuple):
    """A JSON document as it was read, and the issues met while reading it."""

    value: Any
    issues: tuple[Issue, ...] = ()
    texts: Sequence[str] = ()
    """Its values that are texts."""


class Object(dict[str, Any]):
    """A JSON object of a compared document that remembers which of its keys were written more than once."""

    duplicates: tuple[str, ...] = ()


def read_document(given: Any, side: str, limits: Limits, *, repair: bool = False) -> Document:
    """Read a predicted or reference JSON document; raises DocumentError where that fails."""
    issues: tuple[Issue, ...] = ()
    value = given
    if isinstance(given, str):
        if len(given) > limits.chars:
            raise DocumentError("too_large", "too_many_chars", side=side, n=len(given), most=limits.chars)
        value, issues = _parse_text(given, side, repair)
    checked, found, texts = _check(value, side, limits)
    return Document(checked, (*issues, *found), texts)


def as_schema(given: Any) -> Any:
    """The JSON Schema of a Pydantic model, whose instances are documents; anything else as it is."""
    if isinstance(given, type) and hasattr(given, "model_json_schema"):
        return given.model_json_schema()
    return dict(given) if isinstance(given, Mapping) else given


def as_json(value: Any, side: str, limits: Limits, depth: int = 0) -> Any:
    """A document of Python objects as JSON values.

    Pydantic instances, dataclasses, dates, tuples, enumerations, values of numpy and pandas, and types made from text
    or numbers become what JSON has in their place. What has no such place stays, and is refused by the check of the
    document.
    """
    if depth > limits.depth:
        raise DocumentError("too_deep", "nested_deeper", side=side, most=limits.depth)
    if isinstance(value, Enum):
        value = value.value
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        value = value.tolist()
    if hasattr(value, "model_dump") and not isinstance(value, type):
        value = value.model_dump(by_alias=True)
    elif is_dataclass(value) and not isinstance(value, type):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    elif isinstance(value, (date, time)):
        return value.isoformat() if value == value else None  # noqa: PLR0124 (the missing date of pandas is not itself)
    elif isinstance(value, (UUID, PurePath)):
        return str(value)
    elif type(value).__name__ == _MISSING_OF_PANDAS:
        return None
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        return value + 0
    if isinstance(value, Mapping):
        return {key: as_json(item, side, limits, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item, side, limits, depth + 1) for item in value]
    return value


_MISSING_OF_PANDAS: Final = "NAType"


def repairer() -> Any:
    """Function that repairs broken JSON, from the optional package json-repair."""
    try:
        from json_repair import repair_json
    except ImportError:
        raise UsageError(say("no_repair")) from None
    return repair_json


def _parse_text(text: str, side: str, repair: bool, *, spoken: bool = False) -> tuple[Any, tuple[Issue, ...]]:
    text = text.removeprefix("\ufeff").strip()
    try:
        return _decoded(_loads(text), side)
    except ValueError as error:
        problem = error
    answer = text if spoken else _without_thoughts(text)
    if answer != text:
        value, issues = _parse_text(answer, side, repair, spoken=True)
        return value, (Issue("think_dropped", f"the {side} begins with the reasoning of a model"), *issues)
    found = _extract(text)
    if len(found) == 1:
        return found[0], (Issue("json_extracted", f"the {side} has text around its JSON"),)
    if found:
        raise DocumentError("invalid_json", "several_values", side=side, n=len(found))
    if repair and len(text) > MAX_REPAIRED:
        raise _broken(side, problem, text, remark="too_long_to_repair", most=MAX_REPAIRED)
    if repair:
        try:
            mended = _repair(text)
        except _TooManySteps:
            raise _broken(side, problem, text, "too_large", "repair_too_slow", MAX_REPAIR_STEPS) from None
        if mended is not None:
            return mended, (Issue("json_repaired", f"the {side} was mended: {_place(problem, text)}"),)
    raise _broken(side, problem, text)


def _decoded(value: Any, side: str) -> tuple[Any, tuple[Issue, ...]]:
    """The value of a JSON text; if it is text that holds an object or array itself, that one."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, DocumentError):
            return _loads(value.strip()), (Issue("json_twice", f"the {side} is JSON encoded twice"),)
    return value, ()


def _without_thoughts(text: str) -> str:
    """A text without the reasoning that a model writes before its answer: up to the tag that closes it.

    Some models write only the closing tag. What is left open has no answer after it, and stays.
    """
    if found := _THOUGHTS.match(text):
        return text[found.end() :].strip()
    thought, closing, answer = text.partition("</think>")
    return answer.strip() if closing and "<think>" not in thought else text


_THOUGHTS: Final = re.compile(r"(?:<(think|thinking|reasoning)>.*?</\1>\s*+)++", re.DOTALL)


def _extract(text: str) -> list[Any]:
    """The JSON values found in a text: those of fenced blocks, else the outermost ones; objects before arrays."""
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

    A bracket that does not begin like JSON is prose, up to its closing bracket. One that begins like JSON and then
    breaks is broken JSON, and raises: no part of it may be taken for the whole.
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
    """The position after the bracket that closes the one at `start`, or the end of the text."""
    depth = 0
    for found in _BRACKETS.finditer(text, start):
        depth += 1 if found[0] in "[{" else -1
        if not depth:
            return found.end()
    return len(text)


def _loads(text: str) -> Any:
    """The value of a JSON text, numbers as written; raises ValueError where it is not JSON."""
    try:
        try:
            return _DECODER.decode(text)
        except json.JSONDecodeError:
            raise
        except ValueError:  # an integer of more digits than Python converts
            return json.loads(text, parse_int=Decimal, parse_float=Decimal, object_pairs_hook=_object)
    except RecursionError:
        raise DocumentError("too_deep", "too_deep_to_read") from None
    except InvalidOperation:
        raise ValueError("an exponent is too large to be read") from None


def _object(pairs: list[tuple[str, Any]]) -> Object:
    made = Object(pairs)
    if len(made) != len(pairs):
        times = Counter(key for key, _ in pairs)
        made.duplicates = tuple(key for key, count in times.items() if count > 1)
    return made


_DECODER: Final = json.JSONDecoder(parse_float=Decimal, object_pairs_hook=_object)


def _repair(text: str) -> Any:
    """The object or array that json-repair makes of a text, or None; raises _TooManySteps."""
    try:
        value = _loads(repairer()(_counted(text) if len(text) > REPAIRED_FREELY else text))
    except (ValueError, RecursionError, DocumentError):
        return None
    return value if isinstance(value, (dict, list)) and value else None


class _TooManySteps(Exception):
    """The repair of a text looked at too many characters."""


def _counted(text: str) -> str:
    """The text, which counts how often it is looked at and raises _TooManySteps when that is too often.

    json-repair has no limit of its own. It reads a text character by character and adds up what it keeps; so
    characters, pieces and sums of the text count on.
    """
    steps = 0

    class Counted(str):
        __slots__ = ()

        def __getitem__(self, at: Any) -> Counted:
            nonlocal steps
            steps += 1
            if steps > MAX_REPAIR_STEPS:
                raise _TooManySteps
            return Counted(str.__getitem__(self, at))

        def __iter__(self) -> Iterator[str]:
            nonlocal steps
            steps += len(self) // 16  # a character of a loop takes that much less time than one that is asked for
            return str.__iter__(self)

        def __add__(self, other: str) -> Counted:
            return Counted(str.__add__(self, other))

        def __radd__(self, other: str) -> Counted:
            return Counted(str.__add__(other, self))

    return Counted(text)


def _broken(
    side: str, problem: ValueError, text: str, code: str = "invalid_json", remark: str = "", most: int = 0
) -> DocumentError:
    """The error for a text that is not JSON; a remark says why it was not repaired."""
    more = {"side": side, "remark": remark, "most": most}
    if not isinstance(problem, json.JSONDecodeError):
        return DocumentError(code, "exponent_too_large", **more)
    key = "cut_json" if problem.pos >= len(text) else "broken_json"
    return DocumentError(code, key, line=problem.lineno, column=problem.colno, reason=problem.msg, **more)


def _place(problem: ValueError, text: str) -> str:
    if not isinstance(problem, json.JSONDecodeError):
        return str(problem)
    cut = " (the text ends there)" if problem.pos >= len(text) else ""
    return f"line {problem.lineno}, column {problem.colno}: {problem.msg}{cut}"


def check_value(value: Any, side: str, limits: Limits) -> tuple[Any, tuple[Issue, ...]]:
    """Check the size of a JSON document, and clean what could not be written again; returns it with issues.

    Raises DocumentError if it is refused.
    """
    return _check(value, side, limits)[:2]


def _check(value: Any, side: str, limits: Limits) -> tuple[Any, tuple[Issue, ...], Sequence[str]]:
    found = survey(value, limits.depth, limits.leaves)
    if found.others and not _LEAVES.issuperset(map(type, found.others)):
        value = as_json(value, side, limits)
        found = survey(value, limits.depth, limits.leaves)
    odd = sum([_is_odd(item, side) for item in found.others]) if found.others else 0
    if found.deeper:
        raise DocumentError("too_deep", "nested_deeper", side=side, most=limits.depth)
    if found.values > limits.leaves:
        raise DocumentError("too_large", "too_many_values", side=side, most=limits.leaves)
    if not found.named:
        raise DocumentError("not_json", "key_not_text", side=side)
    if found.characters > limits.chars:
        raise DocumentError("too_large", "too_many_chars", side=side, n=found.characters, most=limits.chars)
    twice = [key for container in found.special for key in getattr(container, "duplicates", ())]
    if not (twice or odd or found.halves):
        return value, (), found.texts
    mended = _mend(value) if odd or found.halves else value
    return mended, tuple(_issues(side, twice, odd, found.halves)), found.texts


def _issues(side: str, twice: list[str], odd: int, halves: bool) -> Iterator[Issue]:
    if twice:
        named = ", ".join(map(repr, twice[:MAX_NAMED])) + (" …" if len(twice) > MAX_NAMED else "")
        yield Issue("duplicate_keys", f"the {side} writes {named} more than once; the last one counts")
    if odd:
        yield Issue("nan", f"the {side} holds {odd} of NaN and Infinity, which JSON does not have; taken as text")
    if halves:
        yield Issue("lone_surrogate", f"the {side} holds half characters (lone surrogates); replaced")


def _is_odd(item: Any, side: str) -> bool:
    """Whether a leaf is NaN or infinite; raises DocumentError where JSON has no such type."""
    if isinstance(item, Decimal):
        return not item.is_finite()
    if isinstance(item, float):
        return not math.isfinite(item)
    if not isinstance(item, (str, int)):
        raise DocumentError("not_json", "no_json_type", side=side, kind=type(item).__name__)
    return False


def _mend(value: Any) -> Any:
    """The value with lone surrogates replaced, and NaN and infinity as text, so that all of it can be written."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mend(key): _mend(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, Decimal):
        return value if value.is_finite() else str(value)
    return written_number(value) if isinstance(value, float) and not math.isfinite(value) else value
