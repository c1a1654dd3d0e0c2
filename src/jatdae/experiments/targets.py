"""Targets that answer in a conversation: a chat endpoint, a Python function, a command, or events of an earlier run."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common

LONGEST_COMMAND: Final = 600.0
"""Seconds that a command may take for one answer."""

say = speaker(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a target is asked: the messages, and where in the experiment they stand."""

    messages: list[dict[str, Any]]
    arm: str
    patient: str
    turn: str
    seed: int
    tools: tuple[dict[str, Any], ...] = ()
    call: Callable[[str, str], str] | None = None
    """Runs a tool: name and arguments (JSON) to an answer (JSON)."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a target answered, and what that took."""

    answer: str
    usage: Mapping[str, int] = field(default_factory=dict)
    timing_ms: Mapping[str, float] = field(default_factory=dict)
    tool_calls: tuple[Mapping[str, str], ...] = ()
    attempts: int = 1
    finish: str = ""


class Target(Protocol):
    """Answers messages."""

    def answer(self, asked: Asked) -> Reply:
        """The answer to the last message."""

    def close(self) -> None:
        """Let go of connections."""


class TurnFailed(EngineError):
    """An answer that could not be had in spite of all attempts; the conversation stops there and can be resumed."""


class PythonTarget:
    """A function of the user's: it takes the messages, and gives a text or {answer, usage}."""

    def __init__(self, named: str) -> None:
        module, colon, function = named.rpartition(":")
        if not colon:
            raise UsageError(say("bad_python_target", target=named))
        try:
            self._function = getattr(import_module(module), function)
        except (ImportError, AttributeError) as error:
            raise UsageError(say("no_python_target", target=named, problem=error)) from None

    def answer(self, asked: Asked) -> Reply:
        """What the function returns."""
        given = self._function(asked.messages)
        if isinstance(given, str):
            return Reply(given)
        if isinstance(given, Mapping) and isinstance(given.get("answer"), str):
            return Reply(given["answer"], given.get("usage") or {})
        raise TurnFailed(say("target_no_text", kind=type(given).__name__))

    def close(self) -> None:
        """Nothing to let go of."""


class CommandTarget:
    """A command that reads {messages, patient, turn, arm} as JSON and writes the answer."""

    def __init__(self, command: str) -> None:
        self._words = shlex.split(command)
        if not self._words:
            raise UsageError(say("bad_command_target"))

    def answer(self, asked: Asked) -> Reply:
        """What the command writes to standard output."""
        given = {"messages": asked.messages, "patient": asked.patient, "turn": asked.turn, "arm": asked.arm}
        try:
            done = subprocess.run(  # noqa: S603 (the user names the command)
                self._words, input=json.dumps(given, ensure_ascii=False).encode(), capture_output=True,
                timeout=LONGEST_COMMAND, check=False,
            )  # fmt: skip
        except OSError as error:
            raise UsageError(say("command_failed", command=self._words[0], problem=os_problem(error))) from None
        except subprocess.TimeoutExpired:
            raise TurnFailed(say("command_slow", command=self._words[0], seconds=f"{LONGEST_COMMAND:g}")) from None
        if done.returncode:
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise TurnFailed(say("command_failed", command=self._words[0], problem=" ".join(last) or done.returncode))
        return Reply(done.stdout.decode("utf-8", "replace").strip())

    def close(self) -> None:
        """Nothing to let go of."""


class ReplayTarget:
    """Answers of an earlier run, by arm, patient and turn."""

    def __init__(self, file: Path) -> None:
        self._replies: dict[tuple[str, str, str], Mapping[str, Any]] = {}
        try:
            lines = Path(file).read_text("utf-8").splitlines()
        except OSError as error:
            raise DataError(say_common("cannot_read", place=file, problem=os_problem(error))) from None
        for number, line in enumerate(lines, 1):
            try:
                event = json.loads(line)
                key = (str(event["mode"]), str(event["patient_id"]), str(event["turn_id"]))
                self._replies[key] = {**event, "answer": str(event["answer"])}
            except (ValueError, KeyError, TypeError):
                raise DataError(say("bad_replay", place=f"{file}:{number}")) from None

    def answer(self, asked: Asked) -> Reply:
        """The answer that was given then."""
        event = self._replies.get((asked.arm, asked.patient, asked.turn))
        if event is None:
            raise TurnFailed(say("not_replayed", arm=asked.arm, patient=asked.patient, turn=asked.turn))
        timing = event.get("timing_ms")
        told = event.get("metadata") or {}
        return Reply(
            event["answer"], event.get("usage") or {}, timing if isinstance(timing, Mapping) else {},
            tuple(told.get("tool_calls") or ()), finish=str(told.get("finish") or ""),
        )  # fmt: skip

    def close(self) -> None:
        """Nothing to let go of."""
