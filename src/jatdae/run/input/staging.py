"""The folder in which the planning pass writes, beside a run or where it will be."""

from __future__ import annotations

import errno
import os
import platform
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, say
from jatdae.core.writing import locked

STAGING_ATTEMPTS: Final = 100


@contextmanager
def staging_folder(beside: Path) -> Iterator[Path]:
    """Context manager for a temporary folder of the planning pass over input; those of dead processes are removed.

    A process holds the lock of its folder while it plans. Process numbers would not tell whether it lives: containers
    that share `beside` have numbers of their own.
    """
    with ExitStack() as stack:
        try:
            for left in beside.glob(f".staging-{_machine()}-*"):
                with suppress(OSError), locked(left) as free:
                    if free:
                        shutil.rmtree(left, ignore_errors=True)
            made = _make_staging(beside, stack)
        except OSError as error:
            raise DataError(say("cannot_write", place=beside, problem=os_problem(error))) from None
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)
            with suppress(OSError):
                beside.rmdir()  # only where planning failed and nothing else is there


def _make_staging(beside: Path, stack: ExitStack) -> Path:
    """Make and lock a folder; once more where another process removed it, or `beside`, before it was locked."""
    for _ in range(STAGING_ATTEMPTS):
        made = beside / f".staging-{_machine()}-{os.urandom(4).hex()}"
        with suppress(FileNotFoundError):
            made.mkdir(parents=True)  # by the umask, where tempfile would keep others out of what becomes RUN/input
            if stack.enter_context(locked(made)) is not False and made.exists():
                return made
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


def _machine() -> str:
    """Names this machine, on which processes see each other's locks; where machines share a folder, others may not.

    Containers may all have one host name, wherever they run; the boot id is that of the machine below them.
    """
    try:
        name = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        name = platform.node()
    return re.sub(r"\W", "_", name)
