"""What pydantic or a JSON Schema refused, in words: the key path and the problem in the chosen language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from jatdae.core.messages import near, say, shown
from jatdae.core.yamlfile import KeyPath

FILLED: Final = r"\S"
"""Pattern of a string that is not blank."""


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
    if kind == "union_tag_not_found":
        return say("config_missing", key=about["discriminator"].strip("'"))
    if kind == "union_tag_invalid":
        known = re.findall(r"'([^']*)'", about["expected_tags"])
        return say("config_choice", value=about["tag"], near=near(about["tag"], known), known=", ".join(known))
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        known = _keys_at(path[:-1], schema)
        return say("config_unknown_key", key=name, near=near(name, known), known=", ".join(known) or "–")
    wanted = list(dict.fromkeys(word for each in found if (word := _WANTED.get(each["type"]))))
    choices = [choice for each in found if each["type"] in ("literal_error", "enum") for choice in _choices(each)]
    if choices:
        known = list(dict.fromkeys(choices))
        listed = ", ".join([*known, *map(say, wanted)])
        hint = "" if str(given) in known else near(str(given), known)  # "1" for 1 is no misspelling
        return say("config_choice", value=_short(given), near=hint, known=listed)
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
        if about["pattern"] == FILLED:
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
        return say("config_kind", wanted=say("config_or").join(say(KINDS[each]) for each in kinds), given=given)
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


KINDS: Final = {
    "string": "kind_string", "integer": "kind_integer", "number": "kind_number", "boolean": "kind_truth",
    "array": "kind_list", "object": "kind_mapping", "null": "kind_nothing", "path": "kind_path",
}  # fmt: skip
"""Messages that name the types of JSON Schema, and `path`, which settings have besides."""
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
