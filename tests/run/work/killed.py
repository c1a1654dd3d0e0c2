"""A run that kills itself: `killed.py PLUGIN FILE OUT JOBS EVENT NUMBER`.

EVENT is a phase of the run, of which the NUMBER-th step is the last, or `fsync`: then it is the NUMBER-th file written
under its temporary name and not yet moved into place.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from jatdae.core.registry import load_class
from jatdae.run.api import execute
from jatdae.run.input.model import Inputs
from jatdae.run.work.engine import Engine


class Countdown:
    """Kills the process, as kill -9 does, when an event has come so many times."""

    def __init__(self, event: str, number: int) -> None:
        self.event, self.left = event, number

    def __call__(self, event: str, *_: object) -> None:
        self.left -= event == self.event
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)


def main(plugin: str, file: str, out: str, jobs: int, event: str, number: int) -> None:
    countdown = Countdown(event, number)
    fsync = os.fsync

    def counted(descriptor: int) -> None:
        fsync(descriptor)
        countdown("fsync")

    os.fsync = counted
    execute(load_class(plugin)(), Inputs(pairs=(("", file),)), out=Path(out), engine=Engine(jobs), progress=countdown)


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]), sys.argv[5], int(sys.argv[6]))
