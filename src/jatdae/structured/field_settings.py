"""Settings of JSON fields, as rules by path: read from the command line, a YAML file or a JSON Schema.

    total_amount: number                       # short for {type: number}
    procedures: {array: set}
    procedures[*].name: {tau: 0.2, weight: 2}
    items: {array: {key: [code]}, threshold: 0.5}
    company: {normalise: [nfkc, casefold, punctuation]}
    "**.confidence": {skip: true}

A JSON Schema gives the same settings under the keyword `x-jatdae`. Where several patterns match, the most specific one
holds, setting by setting. Among equally specific ones the command line comes before the file, and the file before the
schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, RootModel, StrictBool, TypeAdapter, ValidationError
from pydantic import Field as Limit

from jatdae.core.configfile import Part, read_config, refusal
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.core.problems import problems_of
from jatdae.core.yamlfile import KeyPath, YamlFile
from jatdae.structured import benchmark_schemas
from jatdae.structured.kinds import Kind
from jatdae.structured.layouts import Grouping
from jatdae.structured.normalisers import NormaliserStep, supported
from jatdae.structured.paths import parse_pattern, written_key
from jatdae.structured.schema_work import objects_in, pointed_at

say = speaker(__name__)

ArrayMode = Literal["order", "set"]
KEYWORD: Final = "x-jatdae"
MAX_VISITS: Final = 100_000
"""Subschemas visited for settings, one again wherever a reference leads to it."""


def _readable(pattern: str) -> str:
    try:
        parse_pattern(pattern)
    except UsageError as error:
        raise ValueError(str(error)) from None
    return pattern


def _linear(given: Any) -> Any:
    """Steps of a normaliser; a pattern that cannot be used is told here, before alternatives are tried."""
    for each in given if isinstance(given, (list, tuple)) else ():
        if isinstance(each, Mapping) and isinstance(each.get("regex"), str):
            supported(each["regex"], str(each.get("replacement", "")))
    return given


PathPattern = Annotated[str, AfterValidator(_readable)]
Number = Annotated[float, Limit(strict=True, ge=0, allow_inf_nan=False)]


class ByKey(Part):
    """How items of an array are paired: by the fields that tell them apart, then as a set."""

    key: Annotated[tuple[PathPattern, ...], Limit(min_length=1)]
    """Fields of an item, such as `code` or `product.code`, whose values two partners share."""


BY_KEY: Final = "key:"
"""Begins the short form of the same: `key:code,date`."""


def _by_key(given: Any) -> Any:
    """The long form of `key:code,date`; a path that cannot be read is told here, before alternatives are tried."""
    if isinstance(given, str) and given.startswith(BY_KEY):
        given = {"key": [each.strip() for each in given.removeprefix(BY_KEY).split(",")]}
    if isinstance(given, Mapping) and isinstance(given.get("key"), list):
        for each in given["key"]:
            _readable(str(each))
    return given


class FieldSettings(Part):
    """Settings of the fields that a path pattern matches. A setting that is left out is left to other patterns."""

    type: Kind | None = None
    """How values are read (default: recognised)."""
    weight: Number | None = None
    """Weight for json_accuracy (default: 1)."""
    tau: Annotated[Number, Limit(le=1)] | None = None
    """Maximum normalised edit distance for a fuzzy match of text."""
    tolerance: Number | None = None
    """Maximum relative error for a fuzzy match of numbers."""
    array: Annotated[ArrayMode | ByKey | None, BeforeValidator(_by_key)] = None
    """How array items are paired: by order, as a set by the best assignment, or by key (default: order)."""
    threshold: Annotated[Number, Limit(le=1)] | None = None
    """Least mean similarity of two items of a set that are partners; below it one is missing and one extra."""
    normalise: Annotated[Literal["print", "none"] | tuple[NormaliserStep, ...] | None, BeforeValidator(_linear)] = None
    """What does not count in texts: differences of print, nothing (none), or what these steps remove on both sides."""
    grouping: Grouping | None = None
    """Separator of thousands in 1.234 and 1,234."""
    skip: StrictBool | None = None
    """Leave the field out, with everything below it."""


SETTINGS: Final = tuple(FieldSettings.model_fields)


class FieldFile(RootModel[dict[PathPattern, Kind | FieldSettings]]):
    """Settings of JSON fields by path pattern, such as `procedures[*].cost` or `**.date`. A bare word is the type."""


@dataclass(frozen=True, slots=True)
class FieldRule:
    """Settings of the JSON fields that a path pattern matches; None leaves a setting to other rules."""

    pattern: str
    type: str | None = None
    weight: float | None = None
    tau: float | None = None
    tolerance: float | None = None
    array: ArrayMode | ByKey | None = None
    threshold: float | None = None
    normalise: Literal["print", "none"] | tuple[NormaliserStep, ...] | None = None
    grouping: Grouping | None = None
    skip: bool | None = None
    comparator: str | None = None
    """Function of the user that compares the values; not in files, because it is code."""


def rules_from_options(**options: Mapping[str, Any]) -> list[FieldRule]:
    """Make rules on JSON fields from settings of the evaluator, by the plural of a setting: `types={"total": "date"}`.

    What does not fit raises one UsageError that names every place.
    """
    rules: list[FieldRule] = []
    told: list[str] = []
    for option, given in options.items():
        setting = option.removesuffix("s")
        for pattern, value in given.items():
            made, problems = _make_rules({pattern: {setting: value}})
            rules += made
            told += [f"structured: {option}.{pattern}: {problem}" for _, problem in problems]
    if told:
        raise UsageError("\n".join(told))
    return rules


def rules_from_file(given: Path | Mapping[str, Any]) -> list[FieldRule]:
    """Read rules on JSON fields from a mapping of path patterns to settings, or a YAML or JSON file that holds one."""
    if not isinstance(given, Mapping):
        return _rules_of(read_config(given, FieldFile).content)
    rules, problems = _make_rules(given)
    if problems:
        raise UsageError("\n".join(f"structured: fields.{'.'.join(map(str, path))}: {said}" for path, said in problems))
    return rules


def rules_from_schema(source: YamlFile) -> list[FieldRule]:
    """Read rules on JSON fields from the `x-jatdae` keywords of a JSON Schema and its subschemas.

    What does not fit raises one UsageError that names every place.
    """
    if not any(KEYWORD in node or benchmark_schemas.KEYWORD in node for node in objects_in(source.value)):
        return []  # nearly every schema, found without following its references
    rules: list[FieldRule] = []
    problems: list[tuple[KeyPath, str]] = []
    for place, pattern, given, has_pattern in _visit(source.value, "$", (), _Way(source), ()):
        settings = given
        if place[-1] == benchmark_schemas.KEYWORD:
            settings, odd = benchmark_schemas.settings_of(given)
            problems += [(place, problem) for problem in odd]
        made, wrong = _make_rules({pattern: settings})
        rules += made
        problems += [((*place, *path[1:]), problem) for path, problem in wrong]
        if not has_pattern:
            problems.append((place, say("no_pattern_here", keyword=place[-1])))
    if problems:
        raise refusal(source, problems)
    return rules


def _make_rules(given: Mapping[str, Any]) -> tuple[list[FieldRule], list[tuple[KeyPath, str]]]:
    """Rules from plain settings by path pattern, or what is wrong with them."""
    try:
        return _rules_of(_CHECK.validate_python(given)), []
    except ValidationError as error:
        return [], problems_of(error, FieldFile, given)


_CHECK: Final = TypeAdapter(FieldFile)


def _rules_of(file: FieldFile) -> list[FieldRule]:
    return [
        FieldRule(pattern, **({"type": said} if isinstance(said, str) else _given(said)))
        for pattern, said in file.root.items()
    ]


def _given(settings: FieldSettings) -> dict[str, Any]:
    return {name: said for name in SETTINGS if (said := getattr(settings, name)) is not None}


class _Keyword(NamedTuple):
    """A keyword `x-jatdae` in a schema."""

    place: KeyPath
    pattern: str
    """Matches the values that its subschema applies to."""
    settings: Any
    has_pattern: bool = True
    """Whether a path pattern can name these values and no others."""


@dataclass(slots=True)
class _Way:
    """The way through a schema and its references, which may lead to one subschema many times."""

    source: YamlFile
    visits: int = 0

    def visit(self, place: KeyPath) -> None:
        self.visits += 1
        if self.visits > MAX_VISITS:
            raise UsageError(say("too_many_places", place=self.source.place(place), most=MAX_VISITS))


def _visit(schema: Any, pattern: str, place: KeyPath, way: _Way, refs: tuple[str, ...]) -> Iterator[_Keyword]:
    """The keywords of a subschema that applies to the values at `pattern`; a recursive `$ref` is followed once."""
    way.visit(place)
    if not isinstance(schema, Mapping):
        return
    for keyword in (benchmark_schemas.KEYWORD, KEYWORD):
        if keyword in schema:
            yield _Keyword((*place, keyword), pattern, schema[keyword])
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref.startswith("#") and ref not in refs:
        there, target = pointed_at(way.source.value, ref[1:])
        yield from _visit(target, pattern, there, way, (*refs, ref))
    for keyword, step in _STEPS.items():
        if keyword in schema:
            has_pattern = schema.keys().isdisjoint(_UNSAYABLE.get(keyword, ()))
            for found in _below(schema, keyword, step, pattern, place, way, refs):
                yield found if has_pattern else found._replace(has_pattern=False)


def _below(
    schema: Any,
    keyword: str,
    step: Callable[[str | int | None], str],
    pattern: str,
    place: KeyPath,
    way: _Way,
    refs: tuple[str, ...],
) -> Iterator[_Keyword]:
    """The keywords of the subschemas under one keyword."""
    below = schema[keyword]
    if isinstance(below, Mapping) and keyword not in _NAMED:
        yield from _visit(below, pattern + step(None), (*place, keyword), way, refs)
        return
    named: Iterable[tuple[str | int, Any]] = ()
    if isinstance(below, Mapping):
        named = below.items()
    elif isinstance(below, list):
        named = enumerate(below)
    for name, subschema in named:
        yield from _visit(subschema, pattern + step(name), (*place, keyword, name), way, refs)


def _here(_: str | int | None) -> str:
    return ""


def _key(name: str | int | None) -> str:
    return written_key(str(name))


def _any_key(_: str | int | None) -> str:
    return ".*"


def _item(name: str | int | None) -> str:
    return "[*]" if name is None else f"[{name}]"


_NAMED: Final = ("properties", "patternProperties", "dependentSchemas")
"""Keywords that map names to subschemas."""
_STEPS: Final[Mapping[str, Callable[[str | int | None], str]]] = {
    "if": _here,
    "not": _here,
    "propertyNames": _any_key,
    "unevaluatedProperties": _any_key,
    "unevaluatedItems": _item,
    "allOf": _here,
    "anyOf": _here,
    "oneOf": _here,
    "then": _here,
    "else": _here,
    "dependentSchemas": _here,
    "properties": _key,
    "patternProperties": _any_key,
    "additionalProperties": _any_key,
    "prefixItems": _item,
    "items": _item,
    "additionalItems": _item,
    "contains": _item,
}
"""By keyword: the step from a value to the values that its subschemas apply to."""
_UNSAYABLE: Final = {
    "if": ("if",),
    "not": ("not",),
    "propertyNames": ("propertyNames",),
    "unevaluatedProperties": ("unevaluatedProperties",),
    "unevaluatedItems": ("unevaluatedItems",),
    "patternProperties": ("patternProperties",),
    "additionalProperties": ("properties", "patternProperties"),
    "items": ("prefixItems",),
    "additionalItems": ("items",),
}
"""Keywords whose place no pattern can name: beside the keywords listed, or always, where they list themselves."""
