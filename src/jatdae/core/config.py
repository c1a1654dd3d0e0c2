"""Evaluators from plain configuration values (command line, YAML, JSON), and back to plain values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, get_args, get_origin

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.meanings import meanings_of
from jatdae.core.messages import near, say

if TYPE_CHECKING:
    from jatdae.core.yamlfile import KeyPath

SHOWN: Final = 80
"""Characters of a refused value that a message repeats."""

T = TypeVar("T")


def build(cls: type[T], config: Mapping[str, Any]) -> T:
    """Make an evaluator of class `cls` from plain configuration values.

    Values that do not fit raise one UsageError that names every setting.
    """
    made, problems = try_build(cls, config)
    if made is None:
        raise UsageError("\n".join(_refused(cls, path, problem) for path, problem in problems))
    return made


def _refused(cls: type, path: KeyPath, problem: str) -> str:
    """A problem of a setting as a message that begins with the evaluator and the setting, if there is such a one."""
    known = path and path[0] in [option.name for option in options_of(cls)]
    key = ".".join(map(str, path)) if known else ""
    return say("bad_option", place=f"{spec_of(cls).name}: {key}" if key else spec_of(cls).name, problem=problem)


def try_build(cls: type[T], config: Mapping[str, Any]) -> tuple[T | None, list[tuple[KeyPath, str]]]:
    """Make an evaluator from plain configuration values, or list the settings that do not fit with their problems."""
    from pydantic import TypeAdapter, ValidationError

    known = [option.name for option in options_of(cls)]
    problems: list[tuple[KeyPath, str]] = [
        ((key,), say("unknown_option", key=key, near=near(key, known), known=", ".join(known) or "–"))
        for key in config
        if key not in known
    ]
    given = {key: value for key, value in config.items() if key in known}
    try:
        made: T = TypeAdapter(cls).validate_python(given)
        plain(made)
    except ValidationError as error:
        from jatdae.core.problems import problems_of

        problems += problems_of(error, cls, given)
    except UsageError:  # from the evaluator itself, in its own words
        if not problems:
            raise
    return (None, problems) if problems else (made, [])


def check_settings(evaluator: Any, **ranges: tuple[float, float]) -> None:
    """Check the settings of an evaluator that was just made, by its `__post_init__`.

    A setting of type `Literal` must be one of its values, and one with a range must be a number within it. The
    first that is not raises a UsageError.
    """
    cls: Any = type(evaluator)
    name = spec_of(cls).name  # of the class: metrics of an instance may need what is being checked
    for key, known in _choices(cls).items():
        value = getattr(evaluator, key)
        if value not in known:
            hint, choices = near(str(value), known), ", ".join(map(str, known))
            raise UsageError(say("setting_choice", name=name, key=key, value=value, near=hint, known=choices))
    for key, (low, high) in ranges.items():
        value = getattr(evaluator, key)
        if isinstance(value, (int, float)) and not (low <= value <= high and value not in (math.inf, -math.inf)):
            blanks = {"name": name, "key": key, "value": value, "low": f"{low:g}"}
            if math.isinf(high):
                raise UsageError(say("setting_below", **blanks))
            raise UsageError(say("setting_outside", **blanks, high=f"{high:g}"))


@cache
def _choices(cls: Any) -> dict[str, tuple[Any, ...]]:
    """Values that each setting of type `Literal` may have. Cached: evaluators are made by the thousand."""
    return {option.name: get_args(option.type) for option in options_of(cls) if get_origin(option.type) is Literal}


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
