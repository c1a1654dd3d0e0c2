"""Doors to programs that people already use: thin, and none scores anything itself."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_DOORS = ("hf_evaluate", "inspect_scorer", "logs", "pytest_plugin", "tracking")


def __getattr__(name: str) -> Any:
    """Doors are opened when they are first used, so that `jatdae.doors.NAME` needs no import of its own."""
    if name in _DOORS:
        return import_module(f"jatdae.doors.{name}")
    raise AttributeError(f"module 'jatdae.doors' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(_DOORS)
