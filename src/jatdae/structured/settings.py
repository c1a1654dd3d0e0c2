"""Settings of fields: from the command line, from a YAML file, or from a JSON Schema under `x-jatdae`.

    total_amount: number                       # short for {type: number}
    procedures: {array: set}
    procedures[*].name: {tau: 0.2, weight: 2}
    "**.confidence": {skip: true}

Where several patterns match, the most specific one holds, setting by setting; among equally specific ones the command
line comes before the file, and the file before the schema.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args
from urllib.parse import unquote

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.core.yamlfile import read_yaml
from jatdae.structured.fields import SETTINGS, ArrayMode, Rule
from jatdae.structured.kinds import KINDS
from jatdae.structured.paths import parse_pattern, written_key

KEYWORD: Final = "x-jatdae"

_WORDS: Final[Mapping[str, tuple[Any, ...]]] = {"type": KINDS, "array": get_args(ArrayMode), "skip": (True, False)}
_MOST: Final[Mapping[str, float]] = {"tau": 1.0, "weight": math.inf, "tolerance": math.inf}
"""Numbers from 0 up to this."""


def rules_from_options(**options: Mapping[str, Any]) -> list[Rule]:
    """Rules from mappings of one setting each: `type={"total": "number"}`."""
    return [
        make_rule(pattern, {setting: value}, f"{setting} of {pattern}")
        for setting, given in options.items()
        for pattern, value in given.items()
    ]


def rules_from_file(path: Path) -> list[Rule]:
    """Rules from a YAML file that maps patterns to settings."""
    file = read_yaml(path)
    given = {} if file.value is None else file.value
    if not isinstance(given, dict):
        raise UsageError(f"{file.place(())}: a mapping of paths to settings is needed")
    return [
        make_rule(pattern, {"type": said} if isinstance(said, str) else said, file.place((pattern,)))
        for pattern, said in given.items()
    ]


def rules_from_schema(schema: Any, place: str) -> list[Rule]:
    """Rules from the `x-jatdae` keywords of a JSON Schema, wherever its subschemas say they apply."""
    return list(_visit(schema, "$", f"{place}: #", schema, ()))


def make_rule(pattern: str, given: Any, place: str) -> Rule:
    """A rule from plain values; what does not fit is a UsageError naming the place."""
    if not isinstance(given, Mapping):
        raise UsageError(f"{place}: settings are a mapping with {', '.join(SETTINGS)}; this is {given!r}")
    parse_pattern(pattern)
    for name, value in given.items():
        if name not in SETTINGS:
            raise UsageError(
                f"{place}: unknown setting {name!r}; there are {', '.join(SETTINGS)}.{near(str(name), SETTINGS)}"
            )
        if name in _WORDS:
            if value not in _WORDS[name] or (name == "skip" and not isinstance(value, bool)):
                known = ", ".join(str(word).lower() for word in _WORDS[name])
                raise UsageError(f"{place}: {name} is {value!r}; one of {known}.{near(str(value), _WORDS[name])}")
        elif isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _MOST[name]:
            upper = "" if math.isinf(_MOST[name]) else f" to {_MOST[name]:g}"
            raise UsageError(f"{place}: {name} is {value!r}; a number from 0{upper or ' up'} is needed")
        elif math.isinf(value):
            raise UsageError(f"{place}: {name} is infinite; a finite number is needed")
    return Rule(pattern, **given)


def _visit(schema: Any, pattern: str, where: str, root: Any, refs: tuple[str, ...]) -> Iterator[Rule]:
    """The rules of a subschema that applies to the values at `pattern`; a recursive `$ref` is followed once."""
    if not isinstance(schema, Mapping):
        return
    if KEYWORD in schema:
        yield make_rule(pattern, schema[KEYWORD], f"{where}/{KEYWORD}")
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref.startswith("#") and ref not in refs:
        yield from _visit(_pointed_at(root, ref), pattern, where, root, (*refs, ref))
    for keyword, step in _STEPS.items():
        if keyword in schema:
            found = _below(schema, keyword, step, pattern, where, root, refs)
            if keyword in _UNSAYABLE and not schema.keys().isdisjoint(_UNSAYABLE[keyword]) and any(found):
                raise UsageError(f"{where}/{keyword}: {KEYWORD} cannot stand here, for no path pattern says the same")
            yield from found


def _below(
    schema: Any,
    keyword: str,
    step: Callable[[str | int | None], str],
    pattern: str,
    where: str,
    root: Any,
    refs: tuple[str, ...],
) -> list[Rule]:
    """The rules of the subschemas under one keyword."""
    below = schema[keyword]
    if isinstance(below, Mapping) and keyword not in _NAMED:
        return list(_visit(below, pattern + step(None), f"{where}/{keyword}", root, refs))
    named: Iterable[tuple[str | int, Any]] = ()
    if isinstance(below, Mapping):
        named = below.items()
    elif isinstance(below, list):
        named = enumerate(below)
    return [
        rule
        for name, subschema in named
        for rule in _visit(subschema, pattern + step(name), f"{where}/{keyword}/{name}", root, refs)
    ]


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
"""Keyword to the step from a value to those its subschemas apply to."""
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
"""Keywords that apply to what the ones beside them leave over, or, where they name themselves, to no place at all."""


def _pointed_at(root: Any, ref: str) -> Any:
    """The subschema a local `$ref` points at; None where there is none (the schema itself is checked elsewhere)."""
    found = root
    for part in ref[1:].split("/")[1:]:
        name = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        else:
            found = found.get(name) if isinstance(found, Mapping) else None
    return found
