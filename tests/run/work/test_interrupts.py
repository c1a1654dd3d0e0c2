"""Where Ctrl-C has to wait, and that it is heard all the same."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from jatdae.run.work.engine import uninterrupted

pytestmark = pytest.mark.usefixtures("interruptible")

LOOKING = """
import signal, sys
from jatdae.run.work.engine import wake_pyarrow

class Interrupting:
    looked = 0

    def find_spec(self, name, path, target=None):
        if name == "pandas":
            self.looked += 1
            if self.looked == int(sys.argv[1]):
                signal.raise_signal(signal.SIGINT)
            raise ModuleNotFoundError(name)

finder = Interrupting()
sys.meta_path.insert(0, finder)
try:
    wake_pyarrow()
    print("lost" if finder.looked >= int(sys.argv[1]) else "heard")
except KeyboardInterrupt:
    print("heard")
"""
"""Ctrl-C while pyarrow looks for pandas, for the first or the second time; the second is the one it would swallow."""


def test_ctrl_c_waits_for_what_must_be_done() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        signal.raise_signal(signal.SIGINT)
        done.append(True)
    assert (done, signal.getsignal(signal.SIGINT)) == ([True], signal.default_int_handler)


def test_who_has_another_use_for_ctrl_c_keeps_it() -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            assert heard == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_that_is_ignored_stays_ignored() -> None:
    """As in the background: it neither ends the run nor waits for its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with uninterrupted():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.parametrize("time", ["1", "2"])
def test_ctrl_c_is_heard_though_pyarrow_is_looking_for_pandas(time: str) -> None:
    ended = subprocess.run([sys.executable, "-c", LOOKING, time], capture_output=True, text=True, check=True)
    assert ended.stdout == "heard\n"
