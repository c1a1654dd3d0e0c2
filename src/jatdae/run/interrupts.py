"""Where Ctrl-C has to wait."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C is heard when this is done."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    caught: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if caught:
        raise KeyboardInterrupt


def wake_pyarrow() -> None:
    """Let pyarrow look for pandas, as it does once: whatever is raised meanwhile it takes for "not there"."""
    with uninterrupted():
        pa.array([0.0]).to_numpy()
