"""Checks JSON documents against a schema: JSON Schema (by jsonschema-rs), or the light dialect.

A `$ref` never leaves the given file, and patterns run on engines of linear time. The light dialect maps each name to
what is wanted of it:

    total_amount: {type: number, required: true}
    diagnosis_code: {type: string, pattern: "[A-Z]\\\\d{2}"}        # anchored at the start
    procedures: {type: array, items: {children: {code: {type: string, required: true}}}}

`type` is string, number, date, boolean, object or array; without it a field with `children` is an object, one with
`items` an array, any other a string. A number or date written as text counts as one. Patterns run on RE2.
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
from jatdae.core.messages import near
from jatdae.core.yamlfile import read_whole, read_yaml
from jatdae.structured.dates import date_of
from jatdae.structured.kinds import kind_of
from jatdae.structured.numerals import number_of
from jatdae.structured.paths import ROOT, written_key, written_path
from jatdae.structured.schema_work import MAX_REPEATS, MAX_SUBSCHEMAS, MAX_TARGETS, SchemaWork

Dialect = Literal["auto", "json-schema", "light"]
MAX_ERRORS: Final = 1000
"""Errors of one document that are listed."""
MAX_MESSAGE: Final = 300
UNLISTED: Final = "unlisted"
"""Keyword of the one error of a document that breaks the schema in more ways than can be listed."""

_LIGHT: Final[Mapping[str, type | tuple[type, ...]]] = {
    "type": str,
    "required": bool,
    "pattern": str,
    "min_length": int,
    "max_length": int,
    "children": Mapping,
    "items": Mapping,
}
"""Keywords of the light dialect, and the type of their value."""
_LIGHT_TYPES: Final = ("string", "number", "date", "boolean", "object", "array")
_LIGHT_DEPTH: Final = 100
_JSON_SCHEMA: Final = frozenset(
    {"$defs", "$vocabulary", "additionalItems", "additionalProperties", "const", "contains", "contentSchema", "default"}
    | {"definitions", "dependencies", "dependentRequired", "dependentSchemas", "else", "if", "items", "not"}
    | {"patternProperties", "properties", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
    | {"x-jatdae"}
)
"""Keywords of any draft of JSON Schema that may have an object as their value."""


class SchemaError(NamedTuple):
    """Place where a JSON document breaks a schema, and the keyword it breaks."""

    path: str
    keyword: str
    message: str


class Schema(Protocol):
    """Interface of a schema that JSON documents are checked against."""

    def errors(self, value: Any) -> list[SchemaError]:
        """All errors of a document."""


def read_schema(path: Path) -> Any:
    """Read a schema for the compliance of JSON documents from a file, JSON or YAML, into plain values."""
    if path.suffix.lower() in (".yaml", ".yml"):
        return read_yaml(path).value
    try:
        return json.loads(read_whole(path), object_pairs_hook=partial(_object, place=path))
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
    """Make a schema for the compliance of JSON documents from plain values; a broken one raises a UsageError."""
    if dialect == "light" or (dialect == "auto" and is_light(document)):
        return LightSchema(document, place)
    return JsonSchema(document, place)


def is_light(document: Any) -> bool:
    """Whether a schema for JSON compliance has the form of the light dialect: names mapped to what is wanted.

    One with a misspelt keyword counts too, if JSON Schema knows none of the names: it would then require nothing.
    """
    if not isinstance(document, Mapping) or not all(isinstance(said, Mapping) for said in document.values()):
        return False
    return bool(document) and (all(map(_is_wanted, document.values())) or _JSON_SCHEMA.isdisjoint(document))


def _is_wanted(said: Any) -> bool:
    return (
        isinstance(said, Mapping)
        and bool(said)
        and all(keyword in _LIGHT and isinstance(value, _LIGHT[keyword]) for keyword, value in said.items())
    )


class JsonSchema:
    """A JSON Schema that documents are checked against; the draft is that of `$schema`, else 2020-12."""

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
        self._work = SchemaWork(document)
        if self._work.too_much:
            raise UsageError(
                f"{place}: the schema has more than {MAX_TARGETS:,} references, or {MAX_SUBSCHEMAS:,} subschemas with "
                f"its references written out; let fewer references point at what has references itself"
            )

    def errors(self, value: Any) -> list[SchemaError]:
        """All errors of a document, in the order of the schema; one error of keyword UNLISTED where that is too much.

        Whether a document is valid is found in any case: that is quick, where a list of all its errors is not.
        """
        try:
            if self._work.counted:
                if self._validator.is_valid(value):
                    return []
                if self._work.is_too_much_for(value):
                    return [SchemaError(ROOT, UNLISTED, f"more than {MAX_REPEATS:,} repeated steps to list the errors")]
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
    """The message for a broken schema, with the place; that of a `$ref` is looked up, because the error has none."""
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


class LightSchema:
    """A schema for JSON documents in the light dialect, checked and with its patterns compiled."""

    def __init__(self, document: Any, place: str) -> None:
        self._place = place
        self._patterns: dict[str, Any] = {}
        self._check_fields(document, ROOT, 0)
        self._fields: Mapping[str, Any] = document

    def errors(self, value: Any) -> list[SchemaError]:
        """All errors of a document."""
        found: list[SchemaError] = []
        if not isinstance(value, dict):
            return [SchemaError(ROOT, "type", f"an object is wanted, this is {_name(value)}")]
        for error in self._in_object(value, self._fields, ""):
            found.append(error)
            if len(found) == MAX_ERRORS:
                break
        return found

    def _in_object(self, value: dict[str, Any], fields: Mapping[str, Any], path: str) -> Iterator[SchemaError]:
        for name, wanted in fields.items():
            step = written_key(name)
            place = path + step if path else step.removeprefix(".")
            if name in value:
                yield from self._in_value(value[name], wanted, place, _type_of(wanted, "string"))
            elif wanted.get("required", False):
                yield SchemaError(place, "required", "a required field is missing")

    def _in_value(self, value: Any, wanted: Mapping[str, Any], place: str, kind: str | None) -> Iterator[SchemaError]:
        if kind and not _is(value, kind):
            yield SchemaError(place, "type", f"{kind} is wanted, this is {_name(value)}")
        if isinstance(value, str):
            yield from self._in_text(value, wanted, place)
        if isinstance(value, dict) and "children" in wanted:
            yield from self._in_object(value, wanted["children"], place)
        if isinstance(value, list) and "items" in wanted:
            items = wanted["items"]
            for at, item in enumerate(value):
                yield from self._in_value(item, items, f"{place}[{at}]", _type_of(items, None))

    def _in_text(self, value: str, wanted: Mapping[str, Any], place: str) -> Iterator[SchemaError]:
        pattern = wanted.get("pattern")
        if pattern is not None and not self._patterns[pattern].match(value):
            yield SchemaError(place, "pattern", f"{value!r:.80} does not match {pattern!r}")
        if len(value) < wanted.get("min_length", 0):
            yield SchemaError(
                place, "min_length", f"{len(value)} characters, at least {wanted['min_length']} are wanted"
            )
        if len(value) > wanted.get("max_length", len(value)):
            yield SchemaError(
                place, "max_length", f"{len(value)} characters, at most {wanted['max_length']} are wanted"
            )

    def _check_fields(self, fields: Any, path: str, depth: int) -> None:
        if not isinstance(fields, Mapping) or depth > _LIGHT_DEPTH:
            self._refuse(path, "this must be a mapping of field names to rules")
        for name, wanted in fields.items():
            self._check_wanted(wanted, path + written_key(str(name)), depth)

    def _check_wanted(self, wanted: Any, path: str, depth: int) -> None:
        if not isinstance(wanted, Mapping) or depth > _LIGHT_DEPTH:
            self._refuse(path, f"this must be a mapping with {', '.join(_LIGHT)}")
        for keyword, said in wanted.items():
            if keyword not in _LIGHT:
                self._refuse(
                    path,
                    f"unknown keyword {keyword!r}; keywords: {', '.join(_LIGHT)}.{near(str(keyword), _LIGHT)}",
                )
            self._check_keyword(keyword, said, f"{path}.{keyword}", depth)

    def _check_keyword(self, keyword: str, said: Any, path: str, depth: int) -> None:
        if keyword == "type" and said not in _LIGHT_TYPES:
            self._refuse(
                path, f"unknown type {said!r}; types: {', '.join(_LIGHT_TYPES)}.{near(str(said), _LIGHT_TYPES)}"
            )
        if keyword == "required" and not isinstance(said, bool):
            self._refuse(path, "this must be true or false")
        if keyword in ("min_length", "max_length") and (
            isinstance(said, bool) or not isinstance(said, int) or said < 0
        ):
            self._refuse(path, "this must be an integer of 0 or more")
        if keyword == "pattern":
            self._compile(said, path)
        if keyword == "children":
            self._check_fields(said, path, depth + 1)
        if keyword == "items":
            self._check_wanted(said, path, depth + 1)

    def _compile(self, pattern: Any, path: str) -> None:
        if not isinstance(pattern, str):
            self._refuse(path, "a pattern must be text")
        import re2  # type: ignore[import-untyped]

        options = re2.Options()
        options.log_errors = False
        try:
            self._patterns[pattern] = re2.compile(pattern, options)
        except re2.error as error:
            said = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else error
            self._refuse(path, f"the pattern {pattern!r} is not supported by RE2: {said}")

    def _refuse(self, path: str, problem: str) -> None:
        raise UsageError(f"{self._place}: the schema is broken at {path}: {problem}")


def _type_of(wanted: Mapping[str, Any], otherwise: str | None) -> str | None:
    """The type wanted of a field; without `type` its children or items imply it."""
    if "type" in wanted:
        return str(wanted["type"])
    return "object" if "children" in wanted else "array" if "items" in wanted else otherwise


def _is(value: Any, kind: str) -> bool:
    if kind == "number":
        return bool(number_of(value).readings)
    if kind == "date":
        return bool(date_of(value))
    return isinstance(value, {"string": str, "boolean": bool, "object": dict, "array": list}[kind])


def _name(value: Any) -> str:
    kind = kind_of(value)
    return "text" if isinstance(value, str) else kind
