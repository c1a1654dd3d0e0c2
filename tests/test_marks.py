"""Tests that `make check` leaves out are named in `tests/slow.txt`, by function, so that a file may be moved."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent


def test_every_name_of_the_list_is_that_of_a_test() -> None:
    names = (TESTS / "slow.txt").read_text("utf-8").split()
    sources = [file.read_text("utf-8") for file in TESTS.rglob("test_*.py")]
    defined = {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE)}
    assert names == sorted(set(names))
    assert set(names) <= defined
