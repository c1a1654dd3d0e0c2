"""Evaluators from plain configuration values (command line, YAML, JSON), and back to plain values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any, Final, TypeVar

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.messages import near, say

SHOWN: Final = 80
"""Characters of a refused value that a message repeats."""

T = TypeVar("T")


def build(cls: type[T], config: Mapping[str, Any], *, place: Callable[[str], str] | None = None) -> T:
    """Make an evaluator of class `cls` from plain configuration values.

    A value that does not fit raises a UsageError that names its key.

    `place` tells where a key stands (its file and line, say); the message begins with that.
    """
    from pydantic import ValidationError

    name = spec_of(cls).name
    where = place or (lambda _: name)
    known = [option.name for option in options_of(cls)]
    for key in config:
        if key not in known:
            raise UsageError(
                say(
                    "unknown_option",
                    place=where(key),
                    key=key,
                    near=near(key, known),
                    known=", ".join(known) or "–",
                )
            )
    try:
        made: T = _adapter(cls).validate_python(dict(config))
    except ValidationError as error:
        raise _refused(error.errors(), config, where) from None
    plain(made)
    return made


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
    """JSON Schema of the configuration of an evaluator class, with field docstrings as descriptions.

    `refs` is the template of references to parts of the schema.
    """
    schema: dict[str, Any] = _adapter(cls).json_schema(ref_template=refs)
    for option in options_of(cls):
        schema["properties"][option.name]["description"] = option.help
    schema["additionalProperties"] = False
    schema["description"] = (cls.__doc__ or "").strip()
    return schema


def _adapter(cls: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(cls)


def _refused(found: Sequence[Any], config: Mapping[str, Any], where: Callable[[str], str]) -> UsageError:
    first = found[0]
    path, problem = [str(part) for part in first["loc"]], first["msg"]
    if not path:  # the evaluator's own __post_init__ refused the whole
        problem = first.get("ctx", {}).get("error", first["msg"])
        return UsageError(say("bad_options", place=where(""), problem=problem))
    value = _short(first["input"])
    if _is_choice(first["loc"], first["input"], config):
        path = path[:-1]
        problem = " / ".join(each["msg"] for each in found if each["loc"][:-1] == first["loc"][:-1])
    return UsageError(say("bad_option", place=where(path[0]), key=".".join(path), value=value, problem=problem))


def _is_choice(loc: Sequence[Any], refused: object, config: Any) -> bool:
    """Whether the last part of `loc` is no key, but one of several types of which none takes the value."""
    for key in loc[:-1]:
        config = config[key]
    return len(loc) > 1 and config is refused


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
