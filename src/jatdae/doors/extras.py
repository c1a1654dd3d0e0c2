"""Packages that doors lead to and that need not be installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker

say = speaker(__name__)


class NotInstalled(UsageError, ModuleNotFoundError):
    """Error for a door whose package is missing; to Python it is a module that was not found."""

    def __init__(self, name: str, extra: str) -> None:
        super().__init__(say("door_not_installed", name=name, extra=extra))


def installed(name: str, extra: str = "") -> Any:
    """The module of a package that need not be installed; `extra` of jatdae installs it."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise NotInstalled(name, extra or name) from None
