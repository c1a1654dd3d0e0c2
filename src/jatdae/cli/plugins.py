"""The flag `--plugin FILE.py:Class` of commands: loads evaluators that are not installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from cyclopts import Parameter

from jatdae.cli.output import aside
from jatdae.core.registry import lend

Plugins = Annotated[tuple[str, ...], Parameter(negative=(), help="FILE.py:Class: your own evaluator.")]


def lend_all(targets: Iterable[str]) -> dict[str, type]:
    """Load plug-ins into the registry and return their classes by name; what they print goes to standard error."""
    with aside():
        return {target: lend(target) for target in targets}
