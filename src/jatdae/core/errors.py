"""Errors that jatdae raises. Each message says what is wrong, where, and what to do; it is printed unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from jatdae.core.contract import Issue, Severity


class JatdaeError(Exception):
    """Base class of all errors that jatdae raises; `exit_status` is the exit status of the command line."""

    exit_status = 2


class UsageError(JatdaeError):
    """Error in the call: an unknown name, or a flag or configuration value that is not accepted."""


class DataError(JatdaeError):
    """Error in the input data: a bad row, a duplicate id, a file that cannot be read."""


class IssueError(DataError):
    """Error for a sample or part of it that cannot be measured; `code` names the issue it becomes.

    Each evaluator has a subclass of its own.
    """

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
    """Error while running: a worker died, an evaluator broke its contract, or a file could not be written."""

    exit_status = 3
