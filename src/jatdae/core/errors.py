"""The error tree. Every message says what is wrong, where, and what to do; the command line prints it as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from jatdae.core.contract import Issue, Severity


class JatdaeError(Exception):
    """Anything jatdae refuses to do. `exit_status` is what the command line ends with."""

    exit_status = 2


class UsageError(JatdaeError):
    """The call is off: an unknown name, a flag or configuration value that cannot be taken."""


class DataError(JatdaeError):
    """The input is off: a bad row, a duplicate id, a file that cannot be read."""


class IssueError(DataError):
    """Something that cannot be measured; `code` names the issue it becomes. Each room has a kind of its own."""

    severities: ClassVar[Mapping[str, Severity]] = {}
    """The codes of a room, each with its severity."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def issue(self) -> Issue:
        """The same as something a score carries along."""
        return Issue(self.code, str(self), self.severities[self.code])


class EngineError(JatdaeError):
    """The machinery failed: a worker died, an evaluator broke its contract, storage refused a write."""

    exit_status = 3
