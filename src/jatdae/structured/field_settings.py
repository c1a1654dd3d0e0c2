"""Settings of JSON fields: read from the command line, a YAML file or a JSON Schema, and looked up by path.

    total_amount: number                       # short for {type: number}
    procedures: {array: set}
    procedures[*].name: {tau: 0.2, weight: 2}
    items: {array: {key: [code]}, threshold: 0.5}
    company: {normalise: [nfkc, casefold, punctuation]}
    "**.confidence": {skip: true}

A JSON Schema gives the same settings under the keyword `x-jatdae`. Where several patterns match, the most specific one
holds, setting by setting. Among equally specific ones the command line comes before the file, and the file before the
schema.

Documents of a batch look alike, so every place in them is a `Field`: made when it is first met, and then found by one
lookup.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, RootModel, StrictBool, TypeAdapter, ValidationError
from pydantic import Field as Limit

from jatdae.core.configfile import Part, read_config, refusal
from jatdae.core.contract import OTHER
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.core.problems import problems_of
from jatdae.core.yamlfile import KeyPath, YamlFile
from jatdae.structured import benchmark_schemas
from jatdae.structured.comparators import Comparator, comparator_of
from jatdae.structured.kinds import Kind
from jatdae.structured.layouts import Grouping
from jatdae.structured.leaves import Ways
from jatdae.structured.normalisers import Normaliser, NormaliserStep, supported
from jatdae.structured.paths import (
    ANY_DEPTH,
    ANY_INDEX,
    ANY_KEY,
    ROOT,
    Pattern,
    parse_pattern,
    specificity,
    written_key,
)
from jatdae.structured.schema_work import objects_in, pointed_at

say = speaker(__name__)

ArrayMode = Literal["order", "set"]
MAX_FIELDS: Final = 50_000
"""Places kept before all are dropped; only documents whose keys are data have so many."""
KEYWORD: Final = "x-jatdae"
MAX_VISITS: Final = 100_000
"""Subschemas visited for settings, one again wherever a reference leads to it."""

State = tuple[int, int]
"""A rule, and how many parts of its pattern have been matched."""


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
_OF_RULES: Final = (*SETTINGS, "comparator")


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


@dataclass(frozen=True, slots=True)
class Defaults:
    """Settings of JSON fields that no rule matches."""

    tau: float = 0.1
    tolerance: float = 0.0


class FieldTree:
    """All fields of the JSON documents, from the root down, with the settings that hold at each."""

    def __init__(self, rules: Iterable[FieldRule] = (), defaults: Defaults | None = None) -> None:
        ordered = [(parse_pattern(rule.pattern), rule) for given in rules for rule in (given, *_keys_of(given))]
        ordered.sort(key=lambda pair: specificity(pair[0]))  # stable: of equals the last given wins
        self._patterns: list[Pattern] = [pattern for pattern, _ in ordered]
        self.rules = [rule for _, rule in ordered]
        self.defaults = defaults or Defaults()
        self.skips = any(rule.skip for rule in self.rules)
        self.indexed = any(type(part) is int for pattern in self._patterns for part in pattern)
        self.weighted = any(rule.weight is not None for rule in self.rules)
        self.met = 0
        """Number of places made so far."""
        self._named: dict[str, Field] = {}
        self.root = self._plant()

    def place(self, name: str) -> Field:
        """A place by its written path, or by its name, in which `[*]` stands for an array's items."""
        field = self._named.get(name)
        if field is None:
            field = self.root
            for part in parse_pattern(name):
                if part is ANY_INDEX:
                    field = field.item(-1)
                else:
                    field = field.item(part) if isinstance(part, int) else field.key(part)
            self._named[name] = field
        return field

    def weights(self, names: Collection[str]) -> list[float]:
        """The weights of fields by name; the pooled rest has weight 1."""
        if not self.weighted:
            return [1.0] * len(names)
        return [1.0 if name == OTHER else self.place(name).weight for name in names]

    def trim(self) -> None:
        """Drop all places once there are too many."""
        if self.met + len(self._named) > MAX_FIELDS:
            self.met = 0
            self._named.clear()
            self.root = self._plant()

    def ended(self, states: Iterable[State]) -> list[FieldRule]:
        """The rules whose patterns are matched in full, the most specific last."""
        return [self.rules[rule] for rule in sorted({rule for rule, met in states if met == len(self._patterns[rule])})]

    def step(self, states: Iterable[State], part: str | int) -> frozenset[State]:
        """The states one key or index further down."""
        further: list[State] = []
        anything = ANY_INDEX if type(part) is int else ANY_KEY
        for rule, met in states:
            pattern = self._patterns[rule]
            if met < len(pattern):
                wanted = pattern[met]
                if wanted is ANY_DEPTH:
                    further.append((rule, met))
                elif wanted is anything or (type(wanted) is type(part) and wanted == part):
                    further.append((rule, met + 1))
        return self._spread(further)

    def _plant(self) -> Field:
        return Field(self, ROOT, -1, self._spread((number, 0) for number in range(len(self.rules))))

    def _spread(self, states: Iterable[State]) -> frozenset[State]:
        """The states, and those in which a `**` stands for no step."""
        found: set[State] = set()
        for rule, met in states:
            pattern = self._patterns[rule]
            found.add((rule, met))
            for further in range(met, len(pattern)):
                if pattern[further] is not ANY_DEPTH:
                    break
                found.add((rule, further + 1))
        return frozenset(found)


class Field:
    """A field of the JSON documents (all values with its path), and its settings."""

    __slots__ = (
        *("_fields", "_items", "_states", "applied", "array", "by_index", "depth", "keys", "kind", "label", "name"),
        *(
            "array_key",
            "comparator",
            "grouping",
            "normalise",
            "own_ways",
            "skip",
            "skipping",
            "special",
            "step",
            "tau",
            "threshold",
            "tolerance",
            "weight",
        ),
    )

    def __init__(
        self,
        fields: FieldTree,
        name: str,
        depth: int,
        states: frozenset[State],
        *,
        above: frozenset[str] = frozenset(),
        label: str = "",
        step: str = "",
    ) -> None:
        self._fields, self._states = fields, states
        self._items: dict[int, Field] = {}
        self.keys: dict[str, Field] = {}
        """Places below, by key."""
        self.name, self.depth = name, depth
        self.by_index = fields.indexed
        """Whether another index may have other settings."""
        self.step = step
        """What this place adds to the written path of the one above."""
        self.label = label
        """Label of the node in the document's tree: its key; one label for all indices."""
        rules = fields.ended(states) if states else []
        self.applied: frozenset[str] = above | frozenset(rule.pattern for rule in rules if not rule.skip)
        fields.met += 1
        found: dict[str, Any] = {}
        for rule in rules:
            found |= {setting: said for setting in _OF_RULES if (said := getattr(rule, setting)) is not None}
        self.kind: str | None = found.get("type")
        self.weight: float = found.get("weight", 1.0)
        self.tau: float = found.get("tau", fields.defaults.tau)
        self.tolerance: float = found.get("tolerance", fields.defaults.tolerance)
        array = found.get("array", "order")
        self.array: ArrayMode = "set" if isinstance(array, ByKey) else array
        self.array_key: tuple[Pattern, ...] = tuple(map(parse_pattern, array.key)) if isinstance(array, ByKey) else ()
        """Fields of an item that its partner shares."""
        self.threshold: float = found.get("threshold", 0.0)
        self.normalise: Literal["print", "none"] | Normaliser | None = None
        """How texts are normalised here; None leaves it to the setting for all fields."""
        said = found.get("normalise")
        self.normalise = Normaliser(said) if isinstance(said, tuple) else said
        self.grouping: Grouping | None = found.get("grouping")
        self.comparator: Comparator | None = comparator_of(found["comparator"]) if "comparator" in found else None
        self.special = not (self.normalise is self.grouping is self.comparator is None)
        """Whether values are compared in another way than in other fields."""
        self.own_ways: Ways | None = None
        """How values are compared here, once that is known."""
        self.skip: bool = found.get("skip", False)
        self.skipping: tuple[str, ...] = tuple(rule.pattern for rule in rules if rule.skip)
        """Patterns that skip it."""

    def key(self, key: str) -> Field:
        """The place below a key."""
        below = self.keys.get(key)
        if below is None:
            step = written_key(key)
            if self.depth < 0:
                step = step.removeprefix(".")
            name = step if self.depth < 0 else self.name + step
            below = self.keys[key] = self._below(name, key, label=key, step=step)
        return below

    def item(self, index: int) -> Field:
        """The place of an array's item; one for all, unless a pattern names an index."""
        number = index if self.by_index else 0
        below = self._items.get(number)
        if below is None:
            name = "[*]" if self.depth < 0 else f"{self.name}[*]"
            below = self._items[number] = self._below(name, index, label="[]", step="")
        return below

    def _below(self, name: str, part: str | int, *, label: str, step: str) -> Field:
        states = self._fields.step(self._states, part) if self._states else self._states
        return Field(self._fields, name, self.depth + 1, states, above=self.applied, label=label, step=step)


def _keys_of(rule: FieldRule) -> list[FieldRule]:
    """The fields by which a rule pairs items, as rules that set nothing: one that no item has is told like any path."""
    if not isinstance(rule.array, ByKey):
        return []
    joined = [f"{rule.pattern}[*]{key if key[0] == '[' else f'.{key}'}" for key in rule.array.key if key != ROOT]
    return [FieldRule(pattern) for pattern in joined]


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
