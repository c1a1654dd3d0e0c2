"""Errors that jatdae raises. Each message says what is wrong, where, and what to do; it is printed unchanged."""

from __future__ import annotations

import errno
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

from jatdae.core.contract import Issue
from jatdae.core.messages import speaking


class JatdaeError(Exception):
    """Base class of all errors that jatdae raises; `exit_status` is the exit status of the command line."""

    exit_status = 2


class UsageError(JatdaeError):
    """Error in the call: an unknown name, or a flag or configuration value that is not accepted."""


class DataError(JatdaeError):
    """Error in the input data: a bad row, a duplicate id, a file that cannot be read."""


def _as_written(text: str, /, **values: object) -> str:
    """Message of an error class without a `say` of its own: the text given instead of a key."""
    return text.format(**values) if values else text


class IssueError(DataError):
    """Error for a sample or part of it that cannot be measured; `code` names the issue it becomes.

    Each evaluator has a subclass of its own, with the `say` of its room. The message is looked up when it is needed:
    a person reads it in the chosen language, a run keeps it in English.
    """

    say: ClassVar[Callable[..., str]] = staticmethod(_as_written)

    def __init__(self, code: str, key: str, /, **values: object) -> None:
        super().__init__(code, key, values)
        self.code, self._key, self._values = code, key, values

    def __str__(self) -> str:
        return type(self).say(self._key, **self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.code, self._key, **self._values), ()

    @property
    def issue(self) -> Issue:
        """The same as something a score carries along."""
        with speaking("en"):
            return Issue(self.code, str(self))


class EngineError(JatdaeError):
    """Error while running: a worker died, an evaluator broke its contract, or a file could not be written."""

    exit_status = 3


_LACKS: Final = {
    "failed to map segment": "out_of_memory",
    "cannot allocate memory": "out_of_memory",
    "can't start new thread": "out_of_threads",
    "failed to launch worker thread": "out_of_threads",
}
"""How Python, the loader of libraries and pyarrow say, in errors of many types, that the machine lacks something."""


def lack_of(error: BaseException | None) -> str:
    """Key of the message for an error, or one it was raised in the wake of, that memory or threads ran out; else ""."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return "out_of_memory"
        said = str(error).lower()
        if found := next((key for words, key in _LACKS.items() if words in said), ""):
            return found
        error = error.__context__
    return ""
