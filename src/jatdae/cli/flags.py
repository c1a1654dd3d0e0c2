"""The fields of an evaluator as command-line flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, make_dataclass
from functools import partial
from typing import Annotated, Any, get_origin

from cyclopts import Group, Parameter

from jatdae.core.config import build
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import Option, options_of, spec_of
from jatdae.core.messages import say


def flags_of(cls: type) -> Any:
    """A parameter type whose flags are the evaluator's fields, with their docstrings as help."""
    group = Group(say("settings_of", name=spec_of(cls).name))
    made = make_dataclass(
        "Settings",
        [(o.name, _annotation(o, group), field(default_factory=partial(_default, o))) for o in options_of(cls)],
        frozen=True,
    )
    made.__module__ = __name__  # Python 3.11 calls it `types`, and a type from there is not taken apart
    return Annotated[made, Parameter(name="*")], made()


def evaluator_from(cls: type, flags: Any) -> Any:
    """The evaluator that the flags describe."""
    config: dict[str, Any] = {}
    for option in options_of(cls):
        value = getattr(flags, option.name)
        config[option.name] = _mapping(option.name, value) if _is_mapping(option) else value
    return build(cls, config)


def named_values(flag: str, given: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` pairs of a repeatable flag."""
    made: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise UsageError(say("not_name_value", flag=flag, value=text))
        if name in made:
            raise UsageError(say("named_twice", flag=flag, name=name))
        made[name] = value
    return made


def _annotation(option: Option, group: Group) -> Any:
    kind = tuple[str, ...] if _is_mapping(option) else option.type
    return Annotated[kind, Parameter(help=option.help.replace("\n", " "), group=group, negative_iterable=())]


def _default(option: Option) -> Any:
    if _is_mapping(option):
        return tuple(f"{key}={value}" for key, value in option.default.items())
    return option.default


def _is_mapping(option: Option) -> bool:
    return option.type is dict or get_origin(option.type) in (dict, Mapping)


def _mapping(name: str, given: tuple[str, ...]) -> dict[str, str]:
    """`PATH=VALUE`; the last `=` splits, because a path may hold one."""
    made: dict[str, str] = {}
    flag = f"--{name.replace('_', '-')}"
    for text in given:
        key, equals, value = text.rpartition("=")
        if not equals or not key:
            raise UsageError(say("not_name_value", flag=flag, value=text))
        if key in made:
            raise UsageError(say("named_twice", flag=flag, name=key))
        made[key] = value
    return made
