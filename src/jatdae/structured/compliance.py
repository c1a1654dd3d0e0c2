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

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Annotated, Any, Final, Literal, NamedTuple, NoReturn, Protocol

from pydantic import AfterValidator, RootModel, StrictBool
from pydantic import Field as Limit

from jatdae.core.configfile import Part, validated
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.core.yamlfile import KeyPath, YamlFile
from jatdae.structured.dates import date_of
from jatdae.structured.kinds import kind_of
from jatdae.structured.normalisers import compiled, supported
from jatdae.structured.numerals import number_of
from jatdae.structured.paths import ROOT, written_key, written_path
from jatdae.structured.schema_work import MAX_REPEATS, MAX_SUBSCHEMAS, MAX_TARGETS, SchemaWork

say = speaker(__name__)

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
"""Keywords by which the light dialect is told from JSON Schema, and the type of their value."""
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


def make_schema(source: YamlFile, dialect: Dialect = "auto") -> Schema:
    """Make a schema for the compliance of JSON documents from plain values; a broken one raises a UsageError."""
    if dialect == "light" or (dialect == "auto" and is_light(source.value)):
        return LightSchema(source)
    return JsonSchema(source)


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

    def __init__(self, source: YamlFile) -> None:
        import jsonschema_rs

        document = source.value
        if not isinstance(document, (dict, bool)):
            raise UsageError(say("schema_not_object", place=source.place(()), given=_short(repr(document))))
        try:
            self._validator = jsonschema_rs.validator_for(
                document, retriever=_refuse, pattern_options=jsonschema_rs.RegexOptions()
            )
        except jsonschema_rs.ValidationError as error:
            place = source.place(_broken_at(document, error))
            raise UsageError(say("schema_broken", place=place, problem=_short(str(error.message)))) from None
        except (ValueError, RecursionError) as error:
            raise UsageError(say("schema_broken", place=source.place(()), problem=_short(str(error)))) from None
        self._work = SchemaWork(document)
        if self._work.too_much:
            limits = {"references": MAX_TARGETS, "subschemas": MAX_SUBSCHEMAS}
            raise UsageError(say("schema_multiplies", place=source.place(()), **limits))

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
            # A field that is missing has no place in the document, but a reader looks for it by its own name.
            missing = [error.kind.property] if keyword == "required" and hasattr(error.kind, "property") else []
            yield SchemaError(written_path([*error.instance_path, *missing]), keyword, _short(error.message))


def _refuse(uri: str) -> NoReturn:
    raise ValueError(say("schema_outside", uri=uri))


def _broken_at(document: Any, error: Any) -> KeyPath:
    """The place of an error in a schema; that of a `$ref` is looked up, because the error has none."""
    if error.instance_path:
        return tuple(error.instance_path)
    message = str(error.message)
    return next((path for path, ref in _refs(document) if ref in message or ref.lstrip("#") in message), ())


def _refs(document: Any) -> Iterator[tuple[KeyPath, str]]:
    stack: list[tuple[KeyPath, Any]] = [((), document)]
    while stack:
        way, value = stack.pop()
        if isinstance(value, Mapping):
            if isinstance(ref := value.get("$ref"), str):
                yield (*way, "$ref"), ref
            stack += [((*way, key), below) for key, below in value.items()]
        elif isinstance(value, list):
            stack += [((*way, at), below) for at, below in enumerate(value)]


def _short(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= MAX_MESSAGE else line[: MAX_MESSAGE - 1] + "…"


Length = Annotated[int, Limit(strict=True, ge=0)]


class LightField(Part):
    """What the light dialect wants of a field."""

    type: Literal["string", "number", "date", "boolean", "object", "array"] | None = None
    """Default: object with `children`, array with `items`, else string. A number or date may be written as text."""
    required: StrictBool = False
    """Whether the field must be there."""
    pattern: Annotated[str, AfterValidator(supported)] | None = None
    """Regular expression (RE2) that a text must match from its start."""
    min_length: Length = 0
    """Minimum length of a text, in characters."""
    max_length: Length | None = None
    """Maximum length of a text, in characters."""
    children: dict[str, LightField] | None = None
    """Fields of an object."""
    items: LightField | None = None
    """What is wanted of every item of an array; without `type` and `children`, of any type."""


class LightFile(RootModel[dict[str, LightField]]):
    """A schema in the light dialect: names of fields, and what is wanted of each."""


class LightSchema:
    """A schema for JSON documents in the light dialect."""

    def __init__(self, source: YamlFile) -> None:
        self._fields = validated(LightFile, source.value, source).root

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

    def _in_object(self, value: dict[str, Any], fields: Mapping[str, LightField], path: str) -> Iterator[SchemaError]:
        for name, wanted in fields.items():
            step = written_key(name)
            place = path + step if path else step.removeprefix(".")
            if name in value:
                yield from self._in_value(value[name], wanted, place, _type_of(wanted, "string"))
            elif wanted.required:
                yield SchemaError(place, "required", "a required field is missing")

    def _in_value(self, value: Any, wanted: LightField, place: str, kind: str | None) -> Iterator[SchemaError]:
        if kind and not _is(value, kind):
            yield SchemaError(place, "type", f"{kind} is wanted, this is {_name(value)}")
        if isinstance(value, str):
            yield from self._in_text(value, wanted, place)
        if isinstance(value, dict) and wanted.children is not None:
            yield from self._in_object(value, wanted.children, place)
        if isinstance(value, list) and (items := wanted.items) is not None:
            for at, item in enumerate(value):
                yield from self._in_value(item, items, f"{place}[{at}]", _type_of(items, None))

    def _in_text(self, value: str, wanted: LightField, place: str) -> Iterator[SchemaError]:
        if wanted.pattern is not None and not compiled(wanted.pattern).match(value):
            yield SchemaError(place, "pattern", f"{value!r:.80} does not match {wanted.pattern!r}")
        if len(value) < wanted.min_length:
            yield SchemaError(place, "min_length", f"{len(value)} characters, at least {wanted.min_length} are wanted")
        if wanted.max_length is not None and len(value) > wanted.max_length:
            yield SchemaError(place, "max_length", f"{len(value)} characters, at most {wanted.max_length} are wanted")


def _type_of(wanted: LightField, otherwise: str | None) -> str | None:
    """The type wanted of a field; without `type` its children or items imply it."""
    if wanted.type is not None:
        return wanted.type
    return "object" if wanted.children is not None else "array" if wanted.items is not None else otherwise


def _is(value: Any, kind: str) -> bool:
    if kind == "number":
        return bool(number_of(value).readings)
    if kind == "date":
        return bool(date_of(value))
    return isinstance(value, {"string": str, "boolean": bool, "object": dict, "array": list}[kind])


def _name(value: Any) -> str:
    kind = kind_of(value)
    return "text" if isinstance(value, str) else kind
