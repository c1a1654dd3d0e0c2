"""`jatdae --install-completion`: writes a completion script for the shell and has the shell load it.

The scripts for bash, zsh and fish are our own. Those of cyclopts complete no file name where a flag takes a string
(`--pred`, `--system NAME=PATH`), cut names with a space in bash, and know neither `--lang` nor the flags of a suite.
They are static: a key press starts no Python.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import App, Parameter

from jatdae.cli.output import tell
from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import LANGUAGES, Texts, os_problem, say, translated
from jatdae.core.writing import write_atomically

Shell = Literal["zsh", "bash", "fish", "powershell"]
Names = Mapping[str, Callable[[], Sequence[str]]]
"""Names that the argument of a command may be, by the command."""
START: Final = {"bash": ".bashrc", "zsh": ".zshrc"}
"""What these shells read when they start; fish reads its folder of completions by itself."""
_PLAIN: Final = re.compile(r"[\w.:+-]+")
"""A word that no shell needs quoted."""


@dataclass(frozen=True, slots=True)
class Word:
    """A command or flag that may stand at some place of a command line."""

    name: str
    help: str
    is_command: bool = False
    values: tuple[str, ...] | None = None
    """Choices for the value that follows; with none of them any value, which may be a file. None: no value follows."""


@dataclass(frozen=True, slots=True)
class Place:
    """What may follow some commands."""

    words: tuple[Word, ...]
    takes_files: bool


def completion_of(app: App, texts: Iterable[Texts], names: Names) -> Callable[..., None]:
    """Make the command behind `jatdae --install-completion`, which installs shell completion for `app`.

    `texts` are those of the commands that packages mount.
    """

    def install_completion(
        *,
        shell: Annotated[Shell | None, Parameter(help="Shell (default: the current one).")] = None,
        out: Annotated[
            Path | None,
            Parameter(alias="-o", help="Only write the script, to this file (default: install it for the shell)."),
        ] = None,
    ) -> None:
        """Install shell completion for commands, options and file names."""
        from cyclopts.completion.detect import ShellDetectionError, detect_shell
        from cyclopts.completion.install import add_to_rc_file, get_default_completion_path

        try:
            used: Shell = shell or detect_shell()
            place = (out or get_default_completion_path(used, app.name[0])).absolute()
            place.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(place, script_of(app, used, tuple(texts), names))
            if out is None and used in START:
                _load_at_start(used, place)
            elif out is None and used == "powershell":
                add_to_rc_file(place, app.name[0], used)
        except ShellDetectionError:
            raise UsageError(say("which_shell")) from None
        except OSError as error:
            raise DataError(say("cannot_write", place=error.filename, problem=os_problem(error))) from None
        tell(say("completion_written" if out else "completion_installed", place=place))

    return install_completion


def script_of(app: App, shell: Shell, texts: Sequence[Texts] = (), names: Names | None = None) -> str:
    """The completion script for a shell, with descriptions in the chosen language."""
    if shell == "powershell":
        return app.generate_completion(shell=shell)
    places = _places(app, texts, names or {})
    template = resources.files("jatdae.cli").joinpath(f"completion.{shell}").read_text("utf-8")
    return _in_fish(template, places) if shell == "fish" else _in_lines(template, places)


def _load_at_start(shell: str, place: Path) -> None:
    """Have bash or zsh read a script whenever it starts."""
    home = os.environ.get("ZDOTDIR") if shell == "zsh" else None
    file = Path(home or Path.home()) / START[shell]
    line = f"[ -f {_quoted(str(place))} ] && . {_quoted(str(place))}"
    written = file.read_bytes() if file.exists() else b""
    if line.encode() not in written:
        gap = "\n" if written and not written.endswith(b"\n") else ""
        with file.open("ab") as end:  # in place: the file may be a link into somebody's dotfiles
            end.write(f"{gap}# Completion of jatdae\n{line}\n".encode())


def _places(app: App, texts: Sequence[Texts], names: Names) -> dict[tuple[str, ...], Place]:
    """Every place of the command line by the commands that lead to it."""
    found: dict[tuple[str, ...], Place] = {}

    def visit(app: App, path: tuple[str, ...]) -> None:
        words = [Word("--lang", say("help_lang"), values=LANGUAGES), Word("--debug", say("help_debug"))]
        takes_files = False
        if app.default_command:
            for argument in app.assemble_argument_collection(parse_docstring=True).filter_by(show=True):
                takes_files = takes_files or argument.index is not None
                about = _line(translated(argument.parameter.help or "", texts))
                values = tuple(each for each in argument.get_choices() or () if _PLAIN.fullmatch(each))
                for name in argument.names:
                    if name.startswith("-"):
                        is_switch = argument.is_flag() or name in argument.negatives
                        words.append(Word(name, about, values=None if is_switch else values))
        for name in app:
            about = _line(translated((app[name].help or "").partition("\n\n")[0], texts))
            is_command = name not in (*app.help_flags, *app.version_flags)
            words.append(Word(name, about, is_command))
            if is_command:
                visit(app[name], (*path, name))
        known = names[path[0]]() if len(path) == 1 and path[0] in names else ()
        words += [Word(name, "") for name in known]
        found[path] = Place(tuple(words), takes_files and not known)

    visit(app, ())
    return found


def _line(text: str) -> str:
    """A text on one line, without marks of Markdown."""
    return " ".join(text.replace("`", "").split())


def _in_lines(template: str, places: Mapping[tuple[str, ...], Place]) -> str:
    """The script for bash or zsh: it looks words up in the text of a place, which has one line for each."""
    cases = []
    for path, place in places.items():
        lines = ""
        for word in place.words:
            follows = ">" if word.is_command else "" if word.values is None else f"={' '.join(word.values)}"
            lines += f"\n{word.name}|{follows}|{word.help}"
        cases.append(f"    '{' '.join(path)}') known={_quoted(lines)} ;;")
    return template.replace("@WORDS@", "\n".join(cases))


def _in_fish(template: str, places: Mapping[tuple[str, ...], Place]) -> str:
    """The script for fish, which is told of each word by a command of its own."""
    lines: list[str] = []
    commands: list[str] = []
    valued: list[str] = []
    for path, place in places.items():
        at = " ".join(["__jatdae_at", *path])
        if not place.takes_files:
            lines.append(f"complete -c jatdae -n '{at}' -f")
        for word in place.words:
            name = f"-l {word.name[2:]}" if word.name.startswith("--") else f"-s {word.name[1:]}"
            name = name if word.name.startswith("-") else f"-a {word.name}"
            takes = "" if word.values is None else f" -x -a '{' '.join(word.values)}'" if word.values else " -rF"
            lines.append(f"complete -c jatdae -n '{at}' {name}{takes} -d {_quoted_in_fish(word.help)}")
            if word.is_command or word.values is not None:
                (commands if word.is_command else valued).append(f"'{' '.join(path)}|{word.name}'")
    made = template.replace("@COMMANDS@", " ".join(commands)).replace("@VALUED@", " ".join(valued))
    return made.replace("@WORDS@", "\n".join(lines))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", r"'\''") + "'"


def _quoted_in_fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
