"""Does a document comply with a schema? JSON Schema by jsonschema-rs, or the light dialect of `light`.

A `$ref` never leaves the given file, and patterns run on engines of linear time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, NoReturn, Protocol

from jatdae.core.errors import UsageError
from jatdae.core.yamlfile import read_yaml
from jatdae.structured.paths import written_path

Dialect = Literal["auto", "json-schema", "light"]
MAX_ERRORS: Final = 1000
"""Errors of one document that are listed."""
MAX_MESSAGE: Final = 300

_LIGHT: Final[Mapping[str, type | tuple[type, ...]]] = {
    "type": str,
    "required": bool,
    "pattern": str,
    "min_length": int,
    "max_length": int,
    "children": Mapping,
    "items": Mapping,
}
"""Keywords of the light dialect, and what they are given."""
_KEYWORDS: Final = frozenset(
    {"$defs", "$vocabulary", "additionalItems", "additionalProperties", "const", "contains", "contentSchema", "default"}
    | {"definitions", "dependencies", "dependentRequired", "dependentSchemas", "else", "if", "items", "not"}
    | {"patternProperties", "properties", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
    | {"x-jatdae"}
)
"""What may be given an object at the top of a JSON Schema of any draft."""


class SchemaError(NamedTuple):
    """Where a document breaks a schema, and which of its rules."""

    path: str
    keyword: str
    message: str


class Schema(Protocol):
    """What documents are held against."""

    def errors(self, value: Any) -> list[SchemaError]:
        """Everything wrong with a document."""


def read_schema(path: Path) -> Any:
    """The content of a schema file, JSON or YAML."""
    if path.suffix.lower() in (".yaml", ".yml"):
        return read_yaml(path).value
    try:
        return json.loads(path.read_bytes(), object_pairs_hook=partial(_object, place=path))
    except OSError as error:
        raise UsageError(f"{path}: the schema cannot be read: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}:{error.colno}: the schema is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: the schema is not JSON: {_short(str(error))}") from None


def _object(pairs: list[tuple[str, Any]], place: Path) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise UsageError(f"{place}: the schema writes {twice!r} more than once in one object; write it once")
    return made


def make_schema(document: Any, place: str, dialect: Dialect = "auto") -> Schema:
    """A schema from plain values; a broken one is a UsageError that names the place."""
    if dialect == "light" or (dialect == "auto" and is_light(document)):
        from jatdae.structured.light import LightSchema

        return LightSchema(document, place)
    return JsonSchema(document, place)


def is_light(document: Any) -> bool:
    """Whether a schema has the shape of the light dialect: names mapped to what is wanted of each.

    So has one with a misspelt keyword, if JSON Schema knows none of the names: to JSON Schema it would say nothing.
    """
    if not isinstance(document, Mapping) or not all(isinstance(said, Mapping) for said in document.values()):
        return False
    return bool(document) and (all(map(_is_wanted, document.values())) or _KEYWORDS.isdisjoint(document))


def _is_wanted(said: Any) -> bool:
    return (
        isinstance(said, Mapping)
        and bool(said)
        and all(keyword in _LIGHT and isinstance(value, _LIGHT[keyword]) for keyword, value in said.items())
    )


class JsonSchema:
    """JSON Schema; the draft is that of `$schema`, else 2020-12."""

    def __init__(self, document: Any, place: str) -> None:
        import jsonschema_rs

        if not isinstance(document, (dict, bool)):
            raise UsageError(f"{place}: a JSON Schema is an object, this is {document!r:.60}")
        try:
            self._validator = jsonschema_rs.validator_for(
                document, retriever=_refuse, pattern_options=jsonschema_rs.RegexOptions()
            )
        except jsonschema_rs.ValidationError as error:
            raise UsageError(_broken(document, place, error)) from None
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{place}: the schema cannot be used: {_short(str(error))}") from None

    def errors(self, value: Any) -> list[SchemaError]:
        """Everything wrong with a document, in the order of the schema."""
        try:
            return list(islice(self._errors(value), MAX_ERRORS))
        except ValueError as error:
            return [SchemaError("$", "depth", _short(str(error)))]

    def _errors(self, value: Any) -> Iterator[SchemaError]:
        for error in self._validator.iter_errors(value):
            keyword = next((str(part) for part in reversed(error.schema_path) if isinstance(part, str)), "schema")
            yield SchemaError(written_path(error.instance_path), keyword, _short(error.message))


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is outside the given file, and nothing is fetched")


def _broken(document: Any, place: str, error: Any) -> str:
    """What is wrong with a schema, and where; for a `$ref` the place is looked up, because the error has none."""
    where = written_path(error.instance_path)
    message = str(error.message)
    if where == "$":
        where = next((path for path, ref in _refs(document) if ref in message or ref.lstrip("#") in message), where)
    return f"{place}: the schema is broken at {where}: {_short(message)}"


def _refs(document: Any) -> Iterator[tuple[str, str]]:
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), document)]
    while stack:
        way, value = stack.pop()
        if isinstance(value, Mapping):
            if isinstance(ref := value.get("$ref"), str):
                yield written_path((*way, "$ref")), ref
            stack += [((*way, key), below) for key, below in value.items()]
        elif isinstance(value, list):
            stack += [((*way, at), below) for at, below in enumerate(value)]


def _short(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1] + "…"
