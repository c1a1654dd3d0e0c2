"""Atomic writing of files, locks of folders that are written to, and safe file names for labels."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import quote

from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, say
from jatdae.core.signature import short_hash

if sys.platform != "win32":
    import fcntl

STDIN: Final = "<stdin>"
"""What `-` is called on its way through the parser of the command line, which would take it for a flag."""

_STREAMS: Final = ("/dev", "/dev/fd", "/proc/self/fd")
"""Folders whose names stand for open streams; `/dev/stdout` may lead to an ordinary file."""


def write_atomically(target: Path, data: bytes | str) -> None:
    """Write a file whole or not at all: to a temporary file beside `target`, which is then renamed.

    Text is written as UTF-8.

    A reader sees the old file or the new one, never half of one. A pipe or a device cannot be replaced: it is written
    to directly.
    """
    content = data.encode() if isinstance(data, str) else data
    try:
        if _is_stream(target):
            with target.open("ab") as stream:  # a file behind /dev/stdout keeps what it holds
                stream.write(content)
        else:
            with replacing(target) as file:
                file.write(content)
    except BrokenPipeError:  # whoever read the pipe has left: the command line decides what that means
        raise
    except (OSError, ValueError) as error:  # ValueError: a path without a file name
        problem = os_problem(error) if isinstance(error, OSError) else error
        raise DataError(say("cannot_write", place=target, problem=problem)) from None


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Context manager for atomic writing: a temporary file that replaces `target` if the block raises no error."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)  # there only if something failed


@contextmanager
def locked(folder: Path) -> Iterator[bool | None]:
    """Context manager that locks a folder for writing; a process that dies lets go of it.

    Yields True, or False if another process has the lock, or None where there are no locks.
    """
    if sys.platform == "win32":
        yield None
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        yield _lock(opened)
    finally:
        os.close(opened)


def _lock(opened: int) -> bool | None:
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True


def file_name(label: str) -> str:
    """Percent-encode a label as a name for writing a file, so that no id names a place outside the run folder."""
    encoded = quote(label, safe=" ._-").replace(".", "%2E") if label.startswith(".") else quote(label, safe=" ._-")
    if len(encoded) > 200:
        return f"{encoded[:180]}%{short_hash(label.encode())}"
    return encoded or "%"


def _is_stream(target: Path) -> bool:
    """Whether `target` is a pipe, a device or the name of an open stream."""
    try:
        mode = target.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or str(target.absolute().parent) in _STREAMS
