"""The error tree. Every message says what is wrong, where, and what to do; the command line prints it as it is."""

from __future__ import annotations


class JatdaeError(Exception):
    """Anything jatdae refuses to do. `exit_status` is what the command line ends with."""

    exit_status = 2


class UsageError(JatdaeError):
    """The call is off: an unknown name, a flag or configuration value that cannot be taken."""


class DataError(JatdaeError):
    """The input is off: a bad row, a duplicate id, a file that cannot be read."""


class EngineError(JatdaeError):
    """The machinery failed: a worker died, an evaluator broke its contract, storage refused a write."""

    exit_status = 3
