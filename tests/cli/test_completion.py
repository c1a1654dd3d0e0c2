"""`jatdae --install-completion`: commands, flags, choices and file names complete in bash, zsh and fish themselves."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from cyclopts import App
from cyclopts.completion.detect import ShellDetectionError

from jatdae.cli import main
from jatdae.cli.completion import Shell, script_of
from jatdae.core import registry

SHELLS: tuple[Shell, ...] = ("bash", "zsh", "fish")
FILES = (
    "pairs.jsonl",
    "예측 결과.jsonl",
    "with space/in here.jsonl",
    "suite.yaml",
    "myplug.py",
    "lexi.yaml",
    "a=b.csv",
)
FOLDERS = ("runs/one", "runs/two", "report")

COMPLETED = {
    # commands, evaluators, names
    "jatdae compa": "jatdae compare ",
    "jatdae run tex": "jatdae run text ",
    "jatdae terms li": "jatdae terms lint ",
    "jatdae list struc": "jatdae list structured ",
    "jatdae schema terms.l": "jatdae schema terms.lexicon ",
    # flags, of commands and of evaluators
    "jatdae run structured --ar": "jatdae run structured --arrays ",
    "jatdae run text pairs.jsonl --sl": "jatdae run text pairs.jsonl --slice ",
    "jatdae run suite.yaml --allow": "jatdae run suite.yaml --allow-plugins ",
    "jatdae list text --js": "jatdae list text --json ",
    "jatdae report runs/one --fo": "jatdae report runs/one --format ",
    "jatdae terms lint --cor": "jatdae terms lint --corpus ",
    "jatdae --inst": "jatdae --install-completion ",
    "jatdae --install-completion --sh": "jatdae --install-completion --shell ",
    # choices
    "jatdae run structured --nulls sa": "jatdae run structured --nulls same ",
    "jatdae run text --missing=sk": "jatdae run text --missing=skip ",
    "jatdae report runs/one -f la": "jatdae report runs/one -f latex ",
    "jatdae --install-completion --shell fi": "jatdae --install-completion --shell fish ",
    "jatdae report --lang k": "jatdae report --lang ko ",
    "jatdae --lang ko compa": "jatdae --lang ko compare ",
    # files after flags
    "jatdae run text --pred pa": "jatdae run text --pred pairs.jsonl ",
    "jatdae run text --pred=pa": "jatdae run text --pred=pairs.jsonl ",
    "jatdae run text -p wi": r"jatdae run text -p with\ space/",
    "jatdae run text --ref 예": r"jatdae run text --ref 예측\ 결과.jsonl ",
    "jatdae run text --system mine=pa": "jatdae run text --system mine=pairs.jsonl ",
    "jatdae run text --missing skip --out ru": "jatdae run text --missing skip --out runs/",
    "jatdae run text --plugin my": "jatdae run text --plugin myplug.py ",
    "jatdae run --plugin my": "jatdae run --plugin myplug.py ",
    "jatdae list --plugin my": "jatdae list --plugin myplug.py ",
    "jatdae run terms --lexicon le": "jatdae run terms --lexicon lexi.yaml ",
    "jatdae terms lint --corpus pa": "jatdae terms lint --corpus pairs.jsonl ",
    "jatdae --install-completion -o ru": "jatdae --install-completion -o runs/",
    # files as arguments
    "jatdae run text pa": "jatdae run text pairs.jsonl ",
    "jatdae run text pairs.jsonl 예": r"jatdae run text pairs.jsonl 예측\ 결과.jsonl ",
    "jatdae run text with\\ space/": r"jatdae run text with\ space/in\ here.jsonl ",
    "jatdae run su": "jatdae run suite.yaml ",
    "jatdae report ru": "jatdae report runs/",
    "jatdae report runs/o": "jatdae report runs/one/",
    "jatdae compare runs/one runs/tw": "jatdae compare runs/one runs/two/",
    "jatdae gold check pa": "jatdae gold check pairs.jsonl ",
    # a folder that is called like a command is none
    "jatdae paper report --ski": "jatdae paper report --skip ",
    "jatdae run text --out report --ov": "jatdae run text --out report --overwrite ",
}
"""What is typed before the Tab key, and the line after it."""

START = {
    "bash": (
        ".bashrc",
        "PS1='ready> '\nbind 'set bell-style none'\n"
        'bind -x \'"\\C-xd": printf %s "$READLINE_LINE" > "$LINE.new"; mv "$LINE.new" "$LINE"\'\n',
    ),
    "zsh": (
        ".zshrc",
        "PS1='ready> '\nkeep() { print -rn -- \"$BUFFER\" > $LINE.new; mv $LINE.new $LINE }\n"
        "zle -N keep\nbindkey '^Xd' keep\n",
    ),
    "fish": (
        ".config/fish/config.fish",
        "function fish_greeting; end\nfunction fish_prompt; echo -n 'ready> '; end\n"
        'bind \\cxd \'commandline > "$LINE.new"; mv "$LINE.new" "$LINE"\'\n',
    ),
}
"""What each shell reads when it starts: a prompt to wait for, and a key (Ctrl-X d) that writes the line to a file."""
ON_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
)
PATIENCE = 60
"""Seconds to wait for a shell that does not answer, before the test fails."""


def need(shell: str) -> None:
    """Without the shell the test is skipped, except on CI, which has to have it."""
    if not shutil.which(shell):
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{shell} is not installed (make shells)")


class Prompt:
    """A shell on a terminal of its own, as a person has it."""

    def __init__(self, shell: str, home: Path) -> None:
        self.line = home / "line"
        self.shown = b""
        self.terminal, inside = pty.openpty()
        env = {
            "HOME": str(home), "LC_ALL": "C.UTF-8", "LINE": str(self.line), "TERM": "xterm",
            "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }  # fmt: skip
        command = [sys.executable, "-c", ON_TERMINAL, shell, "-i"]
        self.process = subprocess.Popen(
            command, stdin=inside, stdout=inside, stderr=inside, cwd=home / "here", env=env, start_new_session=True
        )
        os.close(inside)
        self._wait(lambda: b"ready> " in self.shown)

    def tab(self, typed: str) -> str:
        """The line after typing a text and the Tab key."""
        self.line.unlink(missing_ok=True)
        os.write(self.terminal, f"{typed}\t\x18d".encode())
        self._wait(self.line.exists)
        os.write(self.terminal, b"\x05\x15")  # to the end of the line, and erase it
        return self.line.read_text("utf-8").rstrip("\n")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)

    def _wait(self, is_there: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_there():
            assert time.monotonic() < end, f"no answer; the terminal shows: {self.shown.decode(errors='replace')}"
            if select.select([self.terminal], [], [], 0.01)[0]:
                self.shown += os.read(self.terminal, 65536)


Typed = Callable[..., Prompt]


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Typed]:
    """`typed(shell)`: a shell for which completion was installed, in a folder with files; one that is absent skips."""
    opened: list[Prompt] = []

    def start(shell: str, before: str = "", after: str = "") -> Prompt:
        need(shell)
        home = tmp_path / "집 o'neil"
        for folder in ("bin", *(f"here/{folder}" for folder in FOLDERS)):
            (home / folder).mkdir(parents=True)
        for file in FILES:
            path = home / "here" / file
            path.parent.mkdir(exist_ok=True)
            path.touch()
        command = home / "bin" / "jatdae"
        command.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'started'}'\n")  # completing must not start it
        command.chmod(0o755)
        name, lines = START[shell]
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(before + lines)
        monkeypatch.setenv("HOME", str(home))
        for variable in ("ZDOTDIR", "ZSH", "ZSH_CUSTOM"):
            monkeypatch.delenv(variable, raising=False)
        assert main(["--install-completion", "--shell", shell]) == 0
        file.write_text(file.read_text() + after)
        opened.append(Prompt(shell, home))
        return opened[-1]

    yield start
    for each in opened:
        each.close()
    assert not (tmp_path / "started").exists()


@pytest.fixture
def installed(_own_place: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The evaluators that are really installed."""
    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry.available.cache_clear()
    yield
    registry.available.cache_clear()


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_real_shell_completes_commands_flags_choices_and_files(typed: Typed, shell: str) -> None:
    prompt = typed(shell)
    assert {line: prompt.tab(line) for line in COMPLETED} == COMPLETED


QUOTED = {
    "bash": 'jatdae report "with space"/',
    "zsh": 'jatdae report "with space/',
    "fish": 'jatdae report "with space/',
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_quoted_file_name_completes_as_the_shell_quotes(typed: Typed, shell: str) -> None:
    assert typed(shell).tab('jatdae report "wi') == QUOTED[shell]


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_ambiguous_or_unknown_stays_as_typed(typed: Typed, shell: str) -> None:
    prompt = typed(shell)
    for line in ("jatdae d", "jatdae report runs/", "jatdae report --zzz", "jatdae run marks --fail-"):
        assert prompt.tab(line) == line


COMPINIT = "autoload -Uz compinit && compinit\n"


@pytest.mark.parametrize(("before", "after"), [(COMPINIT, ""), ("", COMPINIT)], ids=["before", "after"])
def test_zsh_completes_wherever_compinit_is_called(typed: Typed, before: str, after: str) -> None:
    prompt = typed("zsh", before, after)
    assert prompt.tab("jatdae run mar") == "jatdae run marks "
    assert prompt.tab("jatdae run marks --ref pa") == "jatdae run marks --ref pairs.jsonl "


def test_bash_and_zsh_are_told_once_where_they_read_at_start(
    jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ZDOTDIR", str(tmp_path / "dot"))
    (tmp_path / "dot").mkdir()
    (tmp_path / ".bashrc").write_bytes(b"# \xff no newline at the end")
    for shell in ("bash", "zsh") * 2:
        assert jatdae("--install-completion", "--shell", shell).status == 0
    first, comment, line = (tmp_path / ".bashrc").read_bytes().splitlines()
    assert (first, comment) == (b"# \xff no newline at the end", b"# Completion of jatdae")
    assert line.startswith(b"[ -f '")
    assert len((tmp_path / "dot" / ".zshrc").read_text().splitlines()) == 2
    assert not (tmp_path / ".zshrc").exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_for_a_file_leaves_the_shell_as_it_is(
    jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shell: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    written = jatdae("--install-completion", "--shell", shell, "--out", "here", "--lang", "ko")
    assert (written.status, written.out) == (0, "")
    assert "here: 자동 완성 스크립트를 저장했습니다." in written.err
    assert "끝난 실행을 보여 줍니다." in Path("here").read_text("utf-8")
    assert list((tmp_path / "home").iterdir()) == []
    refused = jatdae("--install-completion", "--shell", shell, "-o", "here/there")
    assert refused.status == 2
    assert "here: cannot be written" in refused.err


def test_completion_asks_for_the_shell_where_it_cannot_tell(
    jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown() -> str:
        raise ShellDetectionError

    monkeypatch.setattr("cyclopts.completion.detect.detect_shell", unknown)
    asked = jatdae("--install-completion")
    assert (asked.status, asked.err) == (2, "error: Cannot detect the shell. Name it with --shell.\n")


def test_powershell_has_a_script_too(jatdae: Callable[..., Any]) -> None:
    assert jatdae("--install-completion", "--shell", "powershell", "-o", "here.ps1").status == 0
    assert "casefold" in Path("here.ps1").read_text("utf-8")


HOSTILE = """It's "$HOME" $(touch started) | \\ ; & %s done"""
READ = {
    "bash": ["bash", "--norc", "-c", 'source ./script; _jatdae_words ""; printf "%s\n" "$known"'],
    "zsh": ["zsh", "-f", "-c", 'compdef() {}; source ./script; _jatdae_words ""; print -r -- "$known"'],
    "fish": ["fish", "--no-config", "-c", 'source ./script; complete -C "jatdae od"'],
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_no_shell_reads_a_description_as_code(shell: Shell, tmp_path: Path) -> None:
    need(shell)
    app = App(name="jatdae", help="")
    app.command(lambda: None, name="odd", help=HOSTILE)
    Path("script").write_text(script_of(app, shell), "utf-8")
    env = {**os.environ, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(READ[shell], env=env, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stderr == ""
    assert HOSTILE in done.stdout
    assert not Path("started").exists()
