"""What is wrong with the arguments, in the chosen language: cyclopts finds it, the catalogue says it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from jatdae.core.messages import near, say
from jatdae.core.names import STDIN


def explain(error: CycloptsError) -> str:
    """The mistake in words: which flag or command, what was given, what could be."""
    return EXPLAINED.get(type(error), _other)(error)


def _unknown_flag(error: UnknownOptionError) -> str:
    name = (error.token.keyword or error.token.value).partition("=")[0]
    known = [name for argument in error.argument_collection if argument.parse for name in argument.names]
    return say("unknown_flag", name=name, near=near(name, known))


def _unknown_command(error: UnknownCommandError) -> str:
    name = _written((error.unused_tokens or [""])[0])
    known = [each for each in error.app or () if not each.startswith("-")]
    if name.startswith("--"):
        return say("flag_before_command", flag=name.partition("=")[0], known=", ".join(known))
    return say("unknown_command", name=name, near=near(name, known), known=", ".join(known))


def _wrong_value(error: CoercionError) -> str:
    kind, token, argument = error.target_type, error.token, error.argument
    if token is None or argument is None or error.msg is not None:
        return _other(error)
    flag, value = token.keyword or _label(argument), _written(token.value)
    if choices := argument.get_choices():
        return say("unknown_choice", flag=flag, value=value, near=near(value, choices), known=", ".join(choices))
    return say(NOT_OF_TYPE[kind], flag=flag, value=value) if kind in NOT_OF_TYPE else _other(error)


def _missing(error: MissingArgumentError) -> str:
    if error.keyword:
        return say("flag_without_value", flag=error.keyword)
    return say("missing_argument", name=_label(error.argument), command=" ".join(error.command_chain or ()))


def _repeated(error: RepeatArgumentError) -> str:
    return say("flag_twice", flag=error.token.keyword)


def _left_over(error: UnusedCliTokensError) -> str:
    return say("arguments_left_over", given=", ".join(repr(_written(each)) for each in error.unused_tokens or ()))


def _other(error: CycloptsError) -> str:
    return say("bad_arguments", problem=error)


def _written(value: str) -> str:
    """A value as the user wrote it."""
    return "-" if value == STDIN else value


def _label(argument: Any) -> str:
    """A positional argument as the help calls it."""
    return str(argument.name).lstrip("-").upper()


NOT_OF_TYPE: Final[dict[Any, str]] = {int: "not_a_whole_number", float: "not_a_number", bool: "not_a_truth_value"}
EXPLAINED: Final[dict[type, Callable[[Any], str]]] = {
    UnknownOptionError: _unknown_flag,
    UnknownCommandError: _unknown_command,
    CoercionError: _wrong_value,
    MissingArgumentError: _missing,
    RepeatArgumentError: _repeated,
    UnusedCliTokensError: _left_over,
}
"""By exact type. What our own flags cannot run into, such as a validator's refusal, stays in cyclopts' words."""
