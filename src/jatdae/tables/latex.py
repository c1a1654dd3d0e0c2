"""What LaTeX commands print, read from latex.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jatdae.core.compiled import beside
from jatdae.core.yamlfile import read_yaml

_FILE: Final = beside(__name__, "latex.yaml")


@dataclass(frozen=True, slots=True)
class Commands:
    """What LaTeX commands print; they are named without their backslash."""

    symbols: Mapping[str, str]
    """What a command stands for."""
    accents: Mapping[str, str]
    """The combining mark that the argument of a command gets."""
    unprinted: Mapping[str, int]
    """How many arguments come before the one that is printed."""
    dropped: Mapping[str, int]
    """How many arguments there are, none of which is printed."""
    prefixes: Mapping[str, str]
    """Of units, by the names of siunitx."""
    units: Mapping[str, str]
    dingbats: Mapping[str, str]
    """By their number in the font."""


@cache
def commands() -> Commands:
    """Read what LaTeX commands print."""
    content: dict[str, Any] = read_yaml(_FILE).value
    runs = content.pop("dingbats").items()
    dingbats = {str(int(first) + at): sign for first, signs in runs for at, sign in enumerate(signs)}
    return Commands(**content, dingbats=dingbats)
