"""A run that tells its memory: `measured.py PLUGIN OUT FILE [REFERENCE]` prints the peak of every process, in MB."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from jatdae.core.registry import load_class
from jatdae.run.api import execute
from jatdae.run.input.model import Inputs
from jatdae.run.work.engine import Engine

peaks: dict[str, int] = {}


def look(*_: object) -> None:
    """Note the peak of each process of our group; the kernel keeps it, so a look now and then is enough."""
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and os.getpgid(int(entry.name)) == os.getpgid(0):
                status = (entry / "status").read_text()
                peaks[entry.name] = int(status.partition("VmHWM:")[2].split()[0]) // 1024
        except (OSError, IndexError):  # it has ended
            continue


def main(plugin: str, out: str, file: str, reference: str = "") -> None:
    joined = Inputs(reference=reference, predictions=(("", file),))
    inputs = joined if reference else Inputs(pairs=(("", file),))
    execute(load_class(plugin)(), inputs, out=Path(out), engine=Engine(2), progress=look)
    look()
    print(*sorted(peaks.values()))


if __name__ == "__main__":
    main(*sys.argv[1:])
