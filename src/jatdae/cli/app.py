"""The commands put together, and how each way of ending is told."""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback

from cyclopts import App, CycloptsError, Parameter

from jatdae.cli import INTERRUPTED, compare, demo, doctor, listing, paper, report, schema
from jatdae.cli.completion import completion_of
from jatdae.cli.gold import gold_app
from jatdae.cli.help import HelpInWords
from jatdae.cli.mistakes import explain
from jatdae.cli.output import drop_output, leave, tell, terminal
from jatdae.cli.run import run_app
from jatdae.core.errors import DataError, EngineError, JatdaeError, UsageError
from jatdae.core.messages import LANGUAGES, choose_language, near, say
from jatdae.core.names import STDIN
from jatdae.core.registry import available, find, working
from jatdae.core.version import VERSION


def run(arguments: list[str]) -> int:
    """Do what the arguments say; returns the exit status."""
    _open_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an arrow that the locale lacks is no reason to stop
    try:
        return _run(arguments)
    except BrokenPipeError:
        leave(sys.stdout)
        return 0


def build_app(arguments: list[str]) -> App:
    """The whole command line. What `run` offers depends on the evaluator that is named."""
    app = App(
        name="jatdae",
        version=f"jatdae {VERSION}",
        help=say("help_app"),
        default_parameter=Parameter(show_default=_shown),
        help_formatter=HelpInWords(),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    app.command(run_app(arguments), name="run")
    app.command(gold_app(), name="gold")
    for command, name in (
        (report.report, "report"),
        (paper.paper, "paper"),
        (compare.compare_runs, "compare"),
        (listing.list_evaluators, "list"),
        (doctor.doctor, "doctor"),
        (demo.demo, "demo"),
        (schema.schema, "schema"),
    ):
        app.command(command, name=name)
    for name, cls in working().items() if arguments[:1] in ([], ["--help"], ["-h"]) else _named(arguments):
        _mount(app, name, cls)
    app.command(completion_of(app), name="--install-completion")
    return app


def _open_closed() -> None:
    """Standard streams that were closed are empty ones: in order, so that each takes its own descriptor."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115


def _named(arguments: list[str]) -> list[tuple[str, type]]:
    """The evaluator whose own commands are called for."""
    return [(name, find(name)) for name in arguments[:1] if name in available()]


def _mount(app: App, name: str, cls: type) -> None:
    """Subcommands that an evaluator brings, under its name: `jatdae terms parse`."""
    commands = getattr(cls, "commands", None)
    if commands:
        below = App(name=name, help=(cls.__doc__ or "").splitlines()[0])
        for each, call in commands.items():
            below.command(call, name=each)
        app.command(below, name=name)


def _run(arguments: list[str]) -> int:
    debug = "--debug" in arguments
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
        tell(say("interrupted"), "yellow")
        return INTERRUPTED
    except (Exception, SystemExit) as error:
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
    if chosen is not None and chosen not in LANGUAGES:
        raise UsageError(say("unknown_language", name=chosen, near=near(chosen, LANGUAGES), known=", ".join(LANGUAGES)))
    return rest


def _shown(default: object) -> str | None:
    """A default as the help shows it; none, where it is nothing."""
    if isinstance(default, (tuple, list)):
        default = ", ".join(map(str, default))
    return str(default) if default not in ("", False, None) else None


def _end(message: str, status: int, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    tell(message, head=f"{say('error')}: ")
    return status
