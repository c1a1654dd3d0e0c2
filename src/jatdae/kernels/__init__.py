"""Inner loops in C++, each with a pure-Python twin of the same contract.

A kernel NAME has a door, `NAME.py`, which holds the contract; a native loop, `NAME.cpp` with its `NAME_*.hpp`, built
as `_NAME`; and `NAME_twin.py` (with `NAME_*.py` where it is long), the same in Python: the oracle in tests and the
fallback where no compiler was at hand.
`levenshtein.hpp` serves `fields` and `tree`.
`JATDAE_KERNEL=python` chooses the twins everywhere.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

KERNELS: Final = ("edit", "fields", "tree")


@cache
def native(name: str) -> ModuleType | None:
    """The compiled loop of kernel `name`, or None where its twin has to serve."""
    if os.environ.get("JATDAE_KERNEL") == "python":
        return None
    try:
        return import_module(f"jatdae.kernels._{name}")
    except ImportError:
        return None


def kernel() -> str:
    """What the signature says: "native" where every loop is compiled, else "python"."""
    return "native" if all(native(name) for name in KERNELS) else "python"
