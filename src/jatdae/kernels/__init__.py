"""Kernels: inner loops in C++, each with a pure-Python twin of the same contract.

A kernel NAME is `NAME.py`, the contract and the only module that others import; `NAME.cpp` with its headers, the native
loop, built as `_NAME`; and `NAME_twin.py`, the same in Python: the oracle in tests, and the fallback where no compiler
was at hand. `JATDAE_KERNEL=python` chooses the twins everywhere.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

KERNELS: Final = ("edit", "texts", "tree")


@cache
def native(name: str) -> ModuleType | None:
    """Compiled module of the kernel `name`, or None where its Python twin has to serve."""
    if os.environ.get("JATDAE_KERNEL") == "python":
        return None
    try:
        return import_module(f"jatdae.kernels._{name}")
    except ImportError:
        return None


def kernel() -> str:
    """Kernel as the signature names it: "native" where every loop is compiled, else "python"."""
    return "native" if all(native(name) for name in KERNELS) else "python"
