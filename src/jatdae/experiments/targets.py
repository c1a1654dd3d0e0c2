"""Targets that answer in a conversation: a chat endpoint, a Python function, a command, or events of an earlier run."""

from __future__ import annotations

import json
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import orjson

from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.core.messages import os_problem, shown, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.yamlfile import refuse_endless

COUNTED: Final = ("prompt_tokens", "completion_tokens", "total_tokens")
"""Counts of tokens that are kept."""
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
    stop: threading.Event | None = field(default=None, compare=False)
    """Set when nothing more is wanted."""


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


def whole_characters(text: str) -> str:
    """A text without halves of characters: two that belong together are joined, one alone becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def tool_calls_of(event: Mapping[str, Any]) -> list[Mapping[str, str]]:
    """Tool calls that an event tells of: name, arguments and result of each."""
    return [call for call in noted(event, "tool_calls") if isinstance(call, Mapping)]


def noted(event: Mapping[str, Any], name: str) -> list[Any]:
    """A list in the metadata of an event; empty if there is none."""
    told = event.get("metadata")
    found = told.get(name) if isinstance(told, Mapping) else None
    return found if isinstance(found, list) else []


def read_usage(given: Any) -> dict[str, int]:
    """Tokens that an answer took, as far as they are given as whole numbers."""
    found = given if isinstance(given, Mapping) else {}
    return {name: found[name] for name in COUNTED if type(found.get(name)) is int and found[name] >= 0}


def _since(begun: float) -> dict[str, float]:
    """Time that an answer took, as it stands in events."""
    return {"total": (time.monotonic() - begun) * 1000}


class PythonTarget:
    """A function of the user's: it takes the messages, and gives a text or {answer, usage}."""

    def __init__(self, named: str) -> None:
        self._named = named
        module, colon, function = named.rpartition(":")
        if not colon:
            raise UsageError(say("bad_python_target", target=named))
        try:
            self._function = getattr(import_module(module), function)
        except (ImportError, AttributeError) as error:
            raise UsageError(say("no_python_target", target=named, problem=error)) from None

    def answer(self, asked: Asked) -> Reply:
        """What the function returns."""
        begun = time.monotonic()
        try:
            given = self._function(asked.messages)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise TurnFailed(say("python_failed", target=self._named, problem=problem)) from error
        took = _since(begun)
        if isinstance(given, str):
            return Reply(whole_characters(given), timing_ms=took)
        if isinstance(given, Mapping) and isinstance(given.get("answer"), str):
            return Reply(whole_characters(given["answer"]), read_usage(given.get("usage")), took)
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
        begun = time.monotonic()
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
        return Reply(done.stdout.decode("utf-8", "replace").strip(), timing_ms=_since(begun))

    def close(self) -> None:
        """Nothing to let go of."""


class ReplayTarget:
    """Answers of an earlier run, by arm, patient and turn."""

    def __init__(self, file: Path) -> None:
        self._replies: dict[tuple[str, str, str], Mapping[str, Any]] = {}
        try:
            refuse_endless(Path(file))
            lines = Path(file).read_bytes().splitlines()  # of a text it would split at U+2028 as well
        except OSError as error:
            raise DataError(say_common("cannot_read", place=file, problem=os_problem(error))) from None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                event = orjson.loads(line)
                key = (str(event["mode"]), str(event["patient_id"]), str(event["turn_id"]))
                self._replies[key] = {**event, "answer": str(event["answer"])}
            except (ValueError, KeyError, TypeError):
                raise DataError(say("bad_replay", place=f"{file}:{number}")) from None

    def answer(self, asked: Asked) -> Reply:
        """The answer that was given then."""
        event = self._replies.get((asked.arm, asked.patient, asked.turn))
        if event is None:
            raise TurnFailed(say("not_replayed", arm=asked.arm, patient=asked.patient, turn=asked.turn))
        then, now = _question(event), str(asked.messages[-1]["content"]) if asked.messages else ""
        if then and now and then.split() != now.split():
            place = {"arm": asked.arm, "patient": asked.patient, "turn": asked.turn}
            raise DataError(say("other_question", then=shown(then), now=shown(now), **place))
        timing = event.get("timing_ms")
        told = event.get("metadata")
        finish = told.get("finish") if isinstance(told, Mapping) else ""
        return Reply(
            event["answer"], read_usage(event.get("usage")), timing if isinstance(timing, Mapping) else {},
            tuple(tool_calls_of(event)), finish=str(finish or ""),
        )  # fmt: skip

    def close(self) -> None:
        """Nothing to let go of."""


def _question(event: Mapping[str, Any]) -> str:
    """What an event says was asked; "" if it does not."""
    given = event.get("question")
    text = given.get("text") if isinstance(given, Mapping) else given
    return text if isinstance(text, str) else ""
