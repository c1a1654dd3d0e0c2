"""The one reader of configuration files: YAML or JSON, checked by a pydantic model, all errors at once with places.

    class Weights(Part):
        overall: dict[str, float]
        "Weight of each metric."

    weights = read_config("weights.yaml", Weights).content

The same model gives the JSON Schema for editors (`schema_of`).
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Strict, TypeAdapter, ValidationError

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import attribute_docs
from jatdae.core.messages import near, os_problem, say, shown
from jatdae.core.yamlfile import MAX_BYTES, MAX_DEPTH, KeyPath, YamlFile, parse_yaml

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
MOST_SHOWN: Final = 20
"""Errors of a file that are listed; the rest is counted."""

M = TypeVar("M")

_FILLED: Final = r"\S"
Text = Annotated[str, Field(pattern=_FILLED)]
"""A string that is not blank."""
Number = Annotated[float, Strict()]
"""An integer or a float, but neither true nor "1"."""


class Part(BaseModel):
    """Base of the models of configuration files: unknown keys are refused, docstrings describe the keys.

    A model is built when it is first used, and its docstrings are read only for a schema: an evaluator with many
    models starts as fast as one without.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        """Schema with the docstrings of the fields as descriptions."""
        made = handler(schema)
        described = handler.resolve_ref_schema(made).get("properties", {})
        for name, text in attribute_docs(cls).items():
            if field := cls.model_fields.get(name):
                described[field.alias or name].setdefault("description", text)
        return made


@dataclass(frozen=True)
class ConfigFile(Generic[M]):
    """A configuration file that was read: its content, and the places of its keys for further checks."""

    content: M
    source: YamlFile
    sha256: str
    problems: list[tuple[KeyPath, str]] = field(default_factory=list)

    def place(self, path: KeyPath = ()) -> str:
        """`file:line (key.path)` of a key."""
        return self.source.place(path)

    def complain(self, path: KeyPath, problem: str) -> None:
        """Note a problem of a key; `finish` reports all of them together."""
        self.problems.append((path, problem))

    def one_of(self, path: KeyPath, value: str, known: Iterable[str], key: str = "config_unknown_name") -> bool:
        """Whether a value is one of the known names; if not, complain and suggest a near one."""
        names = list(known)
        if value in names:
            return True
        listed = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        self.complain(path, say(key, value=value, near=near(value, names), known=listed or "–"))
        return False

    def finish(self) -> None:
        """Raise a UsageError with all problems noted so far, if there are any."""
        if self.problems:
            raise refusal(self.source, self.problems)


def read_config(path: str | Path, model: type[M], prepare: Callable[[Any], Any] | None = None) -> ConfigFile[M]:
    """Read a configuration file (YAML or JSON) into a pydantic model or any type that pydantic knows.

    `prepare` may change the plain content before it is validated. What does not fit raises one UsageError that names
    every place. An empty file is an empty mapping.
    """
    return parse_config(read_bytes(path), str(path), model, prepare)


def read_source(path: str | Path) -> YamlFile:
    """Read a YAML or JSON file to plain values with the line of every key, without validating them."""
    return parse_source(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """Read the bytes of a configuration file, up to one more than the limit; UsageError where it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(say("cannot_read", place=path, problem=os_problem(error))) from None


def parse_config(data: bytes, name: str, model: type[M], prepare: Callable[[Any], Any] | None = None) -> ConfigFile[M]:
    """Parse the bytes of a configuration file called `name`, as `read_config` does."""
    source = parse_source(data, name)
    given = {} if source.value is None else source.value
    content = validated(model, prepare(given) if prepare else given, source)
    return ConfigFile(content, source, hashlib.sha256(data).hexdigest())


def parse_source(data: bytes, name: str) -> YamlFile:
    """Parse the bytes of a YAML or JSON file to plain values with the line of every key, without validating them.

    The suffix tells which; without one, a file that begins with a bracket is JSON. (YAML may begin with one too.)
    """
    suffix, begin = Path(name).suffix.lower(), data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if suffix == ".json" or (suffix not in (".yaml", ".yml") and begin in (b"{", b"[")):
        return _parse_json(data, name)
    return parse_yaml(data, name)


def validated(model: type[M], value: Any, source: YamlFile) -> M:
    """Validate plain content of a configuration file; a UsageError names every place that does not fit."""
    try:
        if isinstance(model, type) and issubclass(model, BaseModel):
            return model.model_validate(value)
        return TypeAdapter(model).validate_python(value)
    except ValidationError as error:
        raise refusal(source, problems_of(error, model, value)) from None


def refusal(source: YamlFile, problems: Sequence[tuple[KeyPath, str]]) -> UsageError:
    """The error for all problems of a configuration file, in the order of their lines."""
    ordered = sorted(dict.fromkeys(problems), key=lambda each: source.line(each[0]))
    lines = [f"{source.place(path)}: {problem}" for path, problem in ordered[:MOST_SHOWN]]
    if len(ordered) > MOST_SHOWN:
        lines.append(say("config_more", n=len(ordered) - MOST_SHOWN))
    return UsageError("\n".join(lines))


def schema_of(model: Any) -> dict[str, Any]:
    """JSON Schema of a configuration file, for editors: of a model, or what a function gives."""
    if isinstance(model, type) or not callable(model):
        return {"$schema": DIALECT, **TypeAdapter(model).json_schema(by_alias=True)}
    return dict(model())


def problems_of(error: ValidationError, model: Any, value: Any) -> list[tuple[KeyPath, str]]:
    """What pydantic refused, as key paths and problems in the chosen language.

    Of a union, what is wrong inside the alternative that was meant is told rather than that others do not fit.
    """
    found = [(_real_path(each, value), each) for each in error.errors() if not _is_only_invalid(each)]
    deepest = [path for path, _ in found]
    kept: dict[KeyPath, list[Any]] = {}
    for path, each in found:
        in_union = len(path) < len([part for part in each["loc"] if part != "[key]"])
        if in_union and any(len(other) > len(path) and other[: len(path)] == path for other in deepest):
            continue
        kept.setdefault(path, []).append(each)
    schema = TypeAdapter(model).json_schema(by_alias=True)
    return [(path, _problem(path, several, schema)) for path, several in kept.items()]


def _is_only_invalid(error: Any) -> bool:
    """Whether a list is called too short only because its items, which are told of themselves, are not valid."""
    return error["type"] == "too_short" and bool(len(error["input"]) >= error["ctx"]["min_length"])


def _real_path(error: Mapping[str, Any], value: Any) -> KeyPath:
    """The path of a value without what pydantic adds: names of alternatives, `[key]`."""
    path: list[str | int] = []
    for part in error["loc"]:
        is_item = isinstance(value, (list, tuple)) and isinstance(part, int) and part < len(value)
        if is_item or (isinstance(value, Mapping) and part in value):
            value = value[part]
            path.append(part)
    return (*path, error["loc"][-1]) if error["type"] == "missing" else tuple(path)


def _problem(path: KeyPath, found: Sequence[Any], schema: Mapping[str, Any]) -> str:
    """One problem of a key in words; several alternatives that do not fit are joined."""
    first = found[0]
    kind, given, about = first["type"], first["input"], first.get("ctx", {})
    name = str(path[-1]) if path else ""
    if kind == "missing":
        return say("config_missing", key=name)
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        known = _keys_at(path[:-1], schema)
        return say("config_unknown_key", key=name, near=near(name, known), known=", ".join(known) or "–")
    wanted = list(dict.fromkeys(word for each in found if (word := _WANTED.get(each["type"]))))
    choices = [choice for each in found if each["type"] in ("literal_error", "enum") for choice in _choices(each)]
    if choices:
        known = list(dict.fromkeys(choices))
        listed = ", ".join([*known, *map(say, wanted)])
        return say("config_choice", value=_short(given), near=near(str(given), known), known=listed)
    if wanted:
        return say("config_kind", wanted=say("config_or").join(map(say, wanted)), given=_short(given))
    if kind in _BOUNDS:
        sign, limit = _BOUNDS[kind]
        return say("config_bound", sign=sign, limit=f"{about[limit]:g}", value=_short(given))
    if kind in ("too_short", "string_too_short"):
        return say("config_too_short", least=about["min_length"])
    if kind in ("too_long", "string_too_long"):
        return say("config_too_long", most=about["max_length"])
    if kind == "string_pattern_mismatch":
        if about["pattern"] == _FILLED:
            return say("config_blank")
        return say("config_pattern", value=_short(given), pattern=about["pattern"])
    if kind in ("value_error", "assertion_error"):
        return str(about["error"])
    return say("config_other", value=_short(given), problem=first["msg"])


_WANTED: Final = {
    "string_type": "kind_string", "int_type": "kind_integer", "int_parsing": "kind_integer",
    "int_from_float": "kind_integer", "float_type": "kind_number", "float_parsing": "kind_number",
    "finite_number": "kind_finite", "decimal_type": "kind_number", "bool_type": "kind_truth",
    "bool_parsing": "kind_truth", "list_type": "kind_list", "tuple_type": "kind_list", "set_type": "kind_list",
    "frozen_set_type": "kind_list", "dict_type": "kind_mapping", "model_type": "kind_mapping",
    "dataclass_type": "kind_mapping", "model_attributes_type": "kind_mapping", "mapping_type": "kind_mapping",
    "none_required": "kind_nothing", "path_type": "kind_path",
}  # fmt: skip
"""What was wanted, by pydantic's name of the error."""
_BOUNDS: Final = {
    "greater_than": (">", "gt"), "greater_than_equal": ("≥", "ge"), "less_than": ("<", "lt"),
    "less_than_equal": ("≤", "le"),
}  # fmt: skip


def _choices(error: Mapping[str, Any]) -> list[str]:
    """The values that were expected, out of pydantic's `'a', 'b' or 'c'` or `1, 2 or 3`."""
    expected = str(error["ctx"]["expected"])
    return re.findall(r"'((?:[^'\\]|\\.)*)'", expected) or re.split(r", | or ", expected)


def schema_problem(error: Any) -> str:
    """What a JSON Schema refused (an error of jsonschema-rs), in the chosen language."""
    keyword, wanted, given = error.kind.name, error.kind.value, _short(error.instance)
    if keyword == "required":
        return say("config_missing", key=wanted)
    if keyword == "additionalProperties":
        return say("config_unknown_keys", keys=", ".join(map(repr, wanted)))
    if keyword == "type":
        kinds = [wanted] if isinstance(wanted, str) else wanted
        return say("config_kind", wanted=say("config_or").join(say(_TYPES[each]) for each in kinds), given=given)
    if keyword in ("enum", "const"):
        known = list(map(str, wanted if keyword == "enum" else [wanted]))
        return say("config_choice", value=given, near=near(str(error.instance), known), known=", ".join(known))
    if keyword in _SIGNS:
        return say("config_bound", sign=_SIGNS[keyword], limit=f"{wanted:g}", value=given)
    if keyword in ("minLength", "minItems", "minProperties"):
        return say("config_too_short", least=wanted)
    if keyword in ("maxLength", "maxItems", "maxProperties"):
        return say("config_too_long", most=wanted)
    if keyword == "pattern":
        return say("config_pattern", value=given, pattern=wanted)
    return say("config_other", value=given, problem=error.message)


_TYPES: Final = {
    "string": "kind_string", "integer": "kind_integer", "number": "kind_number", "boolean": "kind_truth",
    "array": "kind_list", "object": "kind_mapping", "null": "kind_nothing",
}  # fmt: skip
_SIGNS: Final = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def _keys_at(path: KeyPath, schema: Mapping[str, Any]) -> list[str]:
    """The keys that a schema knows at a path, through references, alternatives, lists and open mappings."""
    places = _resolved(schema, schema)
    for part in path:
        places = [below for place in places for below in _below(place, part, schema)]
    return list(dict.fromkeys(key for place in places for key in place.get("properties", {})))


def _below(place: Mapping[str, Any], part: str | int, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if isinstance(part, int):
        return _resolved(place.get("items"), schema)
    inside = place.get("properties", {}).get(part) or place.get("additionalProperties")
    if not inside and (patterns := place.get("patternProperties")):
        inside = next(iter(patterns.values()))
    return _resolved(inside, schema)


def _resolved(place: Any, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if not isinstance(place, Mapping):
        return []
    if "$ref" in place:
        return _resolved(schema["$defs"][place["$ref"].rpartition("/")[2]], schema)
    several = [*place.get("anyOf", ()), *place.get("oneOf", ()), *place.get("allOf", ())]
    return [place, *(found for each in several for found in _resolved(each, schema))]


def _short(value: Any) -> str:
    return shown(json.dumps(value, ensure_ascii=False, default=str) if not isinstance(value, str) else repr(value))


def _parse_json(data: bytes, name: str) -> YamlFile:
    """JSON as plain values; duplicate keys, NaN and depth are refused as in YAML."""
    if len(data) > MAX_BYTES:
        raise UsageError(say("yaml_too_large", place=name, most=MAX_BYTES >> 20))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(say("bad_yaml", place=f"{name}:{line}", problem=say("row_not_utf8"))) from None
    source = JsonFile(name, None, text)
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_refuse_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        place = f"{name}:{error.lineno}:{error.colno}"
        raise UsageError(say("bad_yaml", place=place, problem=say("json_invalid"))) from None
    except ValueError:  # an integer of more digits than Python converts
        raise UsageError(say("bad_yaml", place=name, problem=say("number_too_large"))) from None
    except RecursionError:
        raise UsageError(say("bad_yaml", place=name, problem=say("yaml_too_deep", most=MAX_DEPTH))) from None
    except _RefusedError as error:
        raise UsageError(say("bad_yaml", place=source.find(error.key), problem=error.problem)) from None
    if _is_deep(value):
        raise UsageError(say("bad_yaml", place=name, problem=say("yaml_too_deep", most=MAX_DEPTH)))
    return JsonFile(name, value, text)


def _is_deep(value: Any) -> bool:
    """Whether a value is nested deeper than YAML may be."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inside = [each for each in level if isinstance(each, (dict, list))]
        level = [item for each in inside for item in (each.values() if isinstance(each, dict) else each)]
    return bool(level)


class _RefusedError(Exception):
    def __init__(self, key: str, problem: str) -> None:
        self.key, self.problem = key, problem


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _RefusedError(twice, say("json_twice", key=twice))
    return made


def _refuse_constant(name: str) -> Any:
    raise _RefusedError(name, say("row_without_number", name=name))


def _finite(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')


@dataclass(frozen=True)
class JsonFile(YamlFile):
    """Content of a JSON file; the lines of its keys are looked for when an error needs them."""

    text: str = ""
    lines: dict[KeyPath, int] = field(default_factory=dict, init=False)

    def line(self, path: KeyPath) -> int:
        """The line of a key, or of the nearest one above it that is there."""
        known = path
        while known and known not in self._found:
            known = known[:-1]
        return self._found.get(known, 1)

    def find(self, token: str) -> str:
        """The place of the last time a key or word stands in the text."""
        at = max(self.text.rfind(json.dumps(token, ensure_ascii=False)), self.text.rfind(token))
        return f"{self.name}:{self.text.count(chr(10), 0, max(at, 0)) + 1}"

    @cached_property
    def _found(self) -> dict[KeyPath, int]:
        """The line of every key and item; the text is known to be valid JSON."""
        found: dict[KeyPath, int] = {(): 1}
        path: list[str | int] = []
        line, end, key_next = 1, 0, False
        for match in _TOKEN.finditer(self.text):
            line += self.text.count("\n", end, match.start())
            end, token = match.start(), match[0]
            if token in "{[":
                found.setdefault(tuple(path), line)
                path.append("" if token == "{" else 0)
                key_next = token == "{"
            elif token in "}]":
                path.pop()
                key_next = False
            elif token == ",":
                key_next = isinstance(path[-1], str)
                if isinstance(path[-1], int):
                    path[-1] += 1
            elif token != ":":
                if key_next and path:
                    path[-1] = json.loads(token)
                found.setdefault(tuple(path), line)
                key_next = False
        return found
