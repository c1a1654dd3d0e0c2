"""Build and run the command line: its commands, help, messages about wrong arguments, and exit status."""

from __future__ import annotations

import errno
import inspect
import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Parameter,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)
from rich.text import Text

from jatdae.cli import INTERRUPTED, compare, demo, doctor, listing, paper, report, schema
from jatdae.cli.completion import completion_of
from jatdae.cli.output import drop_output, leave, tell
from jatdae.cli.run import run_app
from jatdae.core.addresses import refuse_stores
from jatdae.core.errors import DataError, EngineError, JatdaeError, UsageError, lack_of
from jatdae.core.messages import (
    Texts,
    choose_language,
    near,
    refuse_unknown_language,
    say,
    texts_beside,
    translated,
)
from jatdae.core.registry import known_names
from jatdae.core.terminal import terminal
from jatdae.core.version import VERSION
from jatdae.core.writing import STDIN

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel, InlineText
    from rich.console import Console, ConsoleOptions

COMMANDS: Final = "jatdae.commands"
BUILT_IN: Final[dict[str, Callable[..., Any]]] = {
    "report": report.report,
    "paper": paper.paper,
    "compare": compare.compare_runs,
    "list": listing.list_evaluators,
    "doctor": doctor.doctor,
    "demo": demo.demo,
    "schema": schema.schema,
}
"""Commands beside `run`, which no package can replace."""
NAMES: Final = {"list": known_names, "schema": schema.known_schemas}
"""Names that completion offers as the argument of a command."""


def run(arguments: list[str]) -> int:
    """Run the jatdae command that the arguments name and return its exit status."""
    _open_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an arrow that the locale lacks is no reason to stop
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            return _run(arguments)
    except BrokenPipeError:
        leave(sys.stdout)
        return 0


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as a message, without the line of code that gave it."""
    tell(str(message), "yellow", head=f"{say('severity_warning')}: ")


def build_app(arguments: list[str]) -> App:
    """Build the command line with all its commands; the flags of `run` are those of the evaluator named."""
    commands = mounted(arguments)
    app = App(
        name="jatdae",
        version=f"jatdae {VERSION}",
        help=say("help_app"),
        default_parameter=Parameter(show_default=_shown),
        help_formatter=HelpInWords(texts for _, texts in commands.values()),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    app.command(run_app(arguments), name="run")
    for name, command in BUILT_IN.items():
        app.command(command, name=name)
    for name, (command, _) in commands.items():
        app.command(command, name=name)
    texts = [texts for _, texts in commands.values()]
    app.command(completion_of(app, texts, NAMES), name="--install-completion")
    return app


def _open_closed() -> None:
    """Replace closed standard streams by empty ones, in order, so that each gets its own descriptor."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115


def mounted(arguments: list[str]) -> dict[str, tuple[Any, Texts]]:
    """Commands that packages mount by the entry-point group `jatdae.commands`, with the texts beside their module.

    A command is a function or a cyclopts App. If one is named, only that is loaded. For the general help all are; it
    leaves out those that cannot be mounted and says why.
    """
    first = arguments[0] if arguments else "--help"
    if first in ("run", *BUILT_IN):
        return {}
    entries: dict[str, list[EntryPoint]] = {}
    for entry in sorted(entry_points(group=COMMANDS), key=lambda each: each.name):
        entries.setdefault(entry.name, []).append(entry)
    if first in entries:
        return {first: _mount(first, entries[first])}
    made = {}
    for name, given in entries.items():
        try:
            made[name] = _mount(name, given)
        except UsageError as error:
            if first in ("--help", "-h"):
                tell(str(error), "yellow")
    return made


def _mount(name: str, entries: list[EntryPoint]) -> tuple[Any, Texts]:
    """The command of an entry point with its texts; entries that cannot be mounted are refused."""
    entry, *others = entries
    if name in ("run", *BUILT_IN) or name.startswith("-"):
        raise UsageError(say("command_built_in", name=name, value=entry.value))
    for other in others:
        if other.value != entry.value:  # one package may be seen twice
            raise UsageError(say("command_taken", name=name, first=entry.value, second=other.value))
    try:
        command, texts = entry.load(), texts_beside(entry.module)
        texts.table("help")  # read now: what is wrong with them concerns this command alone
    except (Exception, SystemExit) as error:
        if lack_of(error):
            raise
        problem = f"{type(error).__name__}: {error}"
        raise UsageError(say("plugin_broken", file=entry.value, problem=problem)) from error
    if not isinstance(command, App) and not inspect.isroutine(command):
        raise UsageError(say("command_not_callable", name=name, value=entry.value))
    return command, texts


def _run(arguments: list[str]) -> int:
    debug = "--debug" in arguments
    rest: list[str] = []
    try:
        rest = _common(arguments)
        app = build_app(rest)
        status = app(
            rest, exit_on_error=False, print_error=False, console=terminal(), error_console=terminal(stderr=True)
        )
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except JatdaeError as error:
        return _end(str(error), error.exit_status, debug)
    except CycloptsError as error:
        return _end(explain(error), UsageError.exit_status, debug)
    except KeyboardInterrupt:
        tell(say("interrupted" if rest[:1] == ["run"] else "interrupted_alone"), "yellow")  # others keep no parts
        return INTERRUPTED
    except (Exception, SystemExit) as error:
        if lack := lack_of(error):
            return _end(say(lack), EngineError.exit_status, debug)
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            drop_output()
            return _end(say("disk_full"), DataError.exit_status, debug)
        problem = f"{type(error).__name__}: {error}"
        return _end(say("internal_error", problem=problem), EngineError.exit_status, debug)
    return status if isinstance(status, int) else 0


def _common(arguments: list[str]) -> list[str]:
    """Take `--lang` and `--debug`, which every command has, out of the arguments."""
    rest: list[str] = []
    chosen: str | None = None
    given = iter(arguments)
    for argument in given:
        if argument == "--lang":
            chosen = next(given, "")
        elif argument.startswith("--lang="):
            chosen = argument.removeprefix("--lang=")
        elif argument != "--debug":
            rest.append(STDIN if argument == "-" else argument)
    choose_language(chosen)
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise UsageError(say("argument_not_utf8", argument=argument))
        refuse_stores(argument)
    refuse_unknown_language(chosen)
    return rest


def _shown(default: object) -> str | None:
    """A default as the help shows it, or None."""
    if isinstance(default, (tuple, list)):
        default = ", ".join(map(str, default))
    return str(default) if default not in ("", False, None) else None


def _end(message: str, status: int, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    tell(message, head=f"{say('error')}: ")
    return status


class HelpInWords:
    """Formatter of the command-line help: panels as cyclopts draws them, texts in the chosen language.

    `texts` are those of the commands that packages mount. What imports the layout of cyclopts is imported when help
    is shown: every command would wait for it.
    """

    def __init__(self, texts: Iterable[Texts] = ()) -> None:
        self._texts = tuple(texts)

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Show one panel of commands or flags."""
        from cyclopts.help import DefaultFormatter, specs

        columns = {"command": specs.get_default_command_columns, "parameter": specs.get_default_parameter_columns}
        *names, description = columns[panel.format](console, options, panel.entries)
        show = DefaultFormatter(column_specs=(*names, description.copy(renderer=self._described)))
        show(console, options, panel.copy(title=self._translated(str(panel.title))))

    def render_usage(self, console: Console, _options: ConsoleOptions, usage: Any) -> None:
        """Show the first line."""
        words = " ".join(self._translated(word) for word in str(usage).split())
        console.print(Text(say("help_usage", words=words) + "\n", "bold"))

    def render_description(self, console: Console, _options: ConsoleOptions, description: Any) -> None:
        """Show what a command does."""
        console.print(self._in_words(description))

    def _described(self, entry: HelpEntry) -> InlineText:
        """The description of a command or flag, then its choices and its default."""
        described: InlineText = self._in_words(entry.description)
        if entry.choices:
            described.append(Text(say("help_choices", choices=", ".join(entry.choices)), "cyclopts.choices"))
        if entry.default is not None:
            described.append(Text(say("help_default", default=entry.default), "cyclopts.default"))
        if entry.required:
            described.append(Text(say("help_required"), "cyclopts.required"))
        return described

    def _in_words(self, description: Any) -> Any:
        """A description that cyclopts made of a docstring, in the chosen language; None stays None."""
        from cyclopts.help import InlineText
        from rich.markdown import Markdown

        written = getattr(description, "primary_renderable", None)
        if not isinstance(written, Markdown):
            return description
        return InlineText(Markdown(self._translated(written.markup)), force_empty_end=description.force_empty_end)

    def _translated(self, english: str) -> str:
        return translated(english, self._texts)


def explain(error: CycloptsError) -> str:
    """Message for wrong command-line arguments: the flag or command, what was given, and the choices."""
    return EXPLAINED.get(type(error), _other)(error)


def _unknown_flag(error: UnknownOptionError) -> str:
    name = (error.token.keyword or error.token.value).partition("=")[0]
    known = [name for argument in error.argument_collection if argument.parse for name in argument.names]
    hint = " " + say("text_behind_dashes") if any(map(str.isspace, name)) else near(name, known)
    return say("unknown_flag", name=name, near=hint)


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
