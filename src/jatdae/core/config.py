"""Evaluators from plain configuration values (command line, YAML, JSON), and back to plain values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.meanings import meanings_of
from jatdae.core.messages import near, say
from jatdae.core.yamlfile import KeyPath

SHOWN: Final = 80
"""Characters of a refused value that a message repeats."""

T = TypeVar("T")


def build(cls: type[T], config: Mapping[str, Any], *, place: Callable[[str], str] | None = None) -> T:
    """Make an evaluator of class `cls` from plain configuration values.

    Values that do not fit raise one UsageError that names every key.

    `place` tells where a key stands (its file and line, say); the message begins with that.
    """
    from pydantic import TypeAdapter, ValidationError

    from jatdae.core.configfile import problems_of

    name = spec_of(cls).name
    where = place or (lambda _: name)
    known = [option.name for option in options_of(cls)]
    told = [
        say("unknown_option", place=where(key), key=key, near=near(key, known), known=", ".join(known) or "–")
        for key in config
        if key not in known
    ]
    given = {key: value for key, value in config.items() if key in known}
    try:
        made: T = TypeAdapter(cls).validate_python(given)
    except ValidationError as error:
        told += [_refused(path, problem, given, where) for path, problem in problems_of(error, cls, given)]
    if told:
        raise UsageError("\n".join(told))
    plain(made)
    return made


def _refused(path: KeyPath, problem: str, config: Any, where: Callable[[str], str]) -> str:
    if not path:  # the evaluator's own __post_init__ refused the whole
        return say("bad_options", place=where(""), problem=problem)
    for key in path:
        config = config[key]
    key = ".".join(map(str, path))
    return say("bad_option", place=where(str(path[0])), key=key, value=_short(config), problem=problem)


def check_settings(evaluator: Any, **ranges: tuple[float, float]) -> None:
    """Check the settings of an evaluator that was just made, by its `__post_init__`.

    A setting of type `Literal` must be one of its values, and one with a range must be a number within it. The
    first that is not raises a UsageError.
    """
    name = spec_of(type(evaluator)).name  # of the class: metrics of an instance may need what is being checked
    for option in options_of(type(evaluator)):
        value = getattr(evaluator, option.name)
        known = get_args(option.type) if get_origin(option.type) is Literal else (value,)
        if value not in known:
            hint, choices = near(str(value), known), ", ".join(map(str, known))
            raise UsageError(say("setting_choice", name=name, key=option.name, value=value, near=hint, known=choices))
    for key, (low, high) in ranges.items():
        value = getattr(evaluator, key)
        if isinstance(value, (int, float)) and not low <= value <= high:
            blanks = {"name": name, "key": key, "value": value, "low": f"{low:g}"}
            if math.isinf(high):
                raise UsageError(say("setting_below", **blanks))
            raise UsageError(say("setting_outside", **blanks, high=f"{high:g}"))


def plain(evaluator: object) -> dict[str, Any]:
    """Configuration of an evaluator as JSON values, from which `build` makes it again."""
    made = {}
    for field in fields(evaluator):  # type: ignore[arg-type]
        try:
            made[field.name] = plain_value(getattr(evaluator, field.name))
        except ValueError as error:
            name = spec_of(evaluator).name
            raise UsageError(say("option_not_plain", name=name, key=field.name, value=_short(error.args[0]))) from None
    return made


def plain_value(value: Any, path: Callable[[Path], str] = str) -> Any:
    """Convert one configuration value of an evaluator to a JSON value; `path` converts paths."""
    if isinstance(value, Path):
        return path(value)
    if isinstance(value, Enum):
        return plain_value(value.value, path)
    if isinstance(value, Mapping):
        return {str(key): plain_value(item, path) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain_value(item, path) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain_value(item, path) for item in value)
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise ValueError(value)


def named_values(flag: str, given: Iterable[str], *, split_last: bool = False) -> dict[str, str]:
    """Split configuration settings given as `NAME=VALUE` to a repeatable flag into a dictionary.

    The first `=` splits; with `split_last` the last one does, for names that may hold one, and a value may be empty.
    """
    made: dict[str, str] = {}
    for text in given:
        name, equals, value = text.rpartition("=") if split_last else text.partition("=")
        if not equals or not name or not (value or split_last):
            raise UsageError(say("not_name_value", flag=flag, value=text))
        if name in made:
            raise UsageError(say("named_twice", flag=flag, name=name))
        made[name] = value
    return made


def config_schema(cls: type, *, refs: str = "#/$defs/{model}") -> dict[str, Any]:
    """JSON Schema of the configuration of an evaluator class, with the meanings of its settings as descriptions.

    `refs` is the template of references to parts of the schema.
    """
    from pydantic import TypeAdapter

    meanings = meanings_of(cls)
    schema: dict[str, Any] = TypeAdapter(cls).json_schema(ref_template=refs)
    for option in options_of(cls):
        schema["properties"][option.name]["description"] = meanings.of("settings", option.name)
    schema["additionalProperties"] = False
    schema["description"] = meanings.of("evaluators", spec_of(cls).name)
    return schema


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
