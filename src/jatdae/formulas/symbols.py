"""The tables of `symbols.yaml`: what LaTeX commands print, and how much a difference between two symbols weighs."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from importlib import resources
from itertools import combinations
from typing import Any, Final, NamedTuple

from jatdae.core.configfile import parse_source


class Environment(NamedTuple):
    """How the cells of an environment are read and bracketed."""

    open: str = ""
    close: str = ""
    arguments: int = 0
    lines: bool = False
    """Its & only align, as in `aligned`; otherwise they part cells, as in `matrix`."""


def _commands(names: Iterable[str]) -> list[str]:
    return [f"\\{name}" for name in names]


def _inverted(table: Mapping[str, list[str]]) -> dict[str, str]:
    return {command: value for value, names in table.items() for command in _commands(names)}


def _by_form(table: Mapping[str, list[str]]) -> dict[str, str]:
    """What is printed, by command, and by character where it is not of ASCII."""
    return {name if not name.isascii() else f"\\{name}": printed for printed, names in table.items() for name in names}


def _symbols(table: Mapping[str, list[str]]) -> dict[str, str]:
    """Symbols by command. A single character stands for itself too, unless TeX gives it another meaning."""
    special = "{}$%&_^#~\\′"
    found = {each: each for each in string.ascii_letters + string.digits}
    for symbol, names in table.items():
        found |= dict.fromkeys(_commands(names), symbol)
        found |= {
            each: symbol for each in (symbol, *names) if len(each) == 1 and each not in special + string.ascii_letters
        }
    return found | {"|": "|"}


def _by_sign(table: Mapping[str, list[str]]) -> dict[str, str]:
    """Marks by the signs that write them, and by the symbols which those signs are read as."""
    return {form: mark for mark, signs in table.items() for sign in signs for form in (sign, SYMBOLS.get(sign, sign))}


def _pairs(groups: Iterable[list[str]]) -> frozenset[tuple[str, str]]:
    return frozenset(pair for group in groups for a, b in combinations(group, 2) for pair in ((a, b), (b, a)))


_TABLES: Final[Any] = parse_source(
    resources.files(__package__).joinpath("symbols.yaml").read_bytes(), "symbols.yaml"
).value

SYMBOLS: Final = _symbols(_TABLES["symbols"])
WORDS: Final = {f"\\{name}": _TABLES["words_as"].get(name, name) for name in _TABLES["words"]}
SEVERAL: Final = _by_form(_TABLES["several"])
RAISED: Final = _by_form(_TABLES["raised"])
SPACES: Final = frozenset([*_commands(_TABLES["spaces"]), "~", "\\\n", "\\\t", "\\"])
DELIMITERS: Final = frozenset(_commands(_TABLES["delimiters"]))
SKIPPED: Final = {f"\\{name}": count for name, count in _TABLES["skipped"].items()}
FONTS: Final = _inverted(_TABLES["fonts"])
SWITCHES: Final = _inverted(_TABLES["switches"])
ACCENTS: Final = _inverted(_TABLES["accents"])
NARROW: Final = frozenset(_commands(_TABLES["narrow"]))
FRACTIONS: Final = frozenset(_commands(_TABLES["fractions"]))
BINOMIALS: Final = frozenset(_commands(_TABLES["binomials"]))
INFIX: Final = {f"\\{name}": kind for name, kind in _TABLES["infix"].items()}
ROOTS: Final = frozenset(_commands(_TABLES["roots"]))
STACKED: Final = {f"\\{name}": places[0] for name, places in _TABLES["stacked"].items()}
ARROWS: Final = {f"\\{name}": symbol for name, symbol in _TABLES["arrows"].items()}
DEFINITIONS: Final = frozenset(_commands(_TABLES["definitions"]))
ENVIRONMENTS: Final = {name: Environment(**settings) for name, settings in _TABLES["environments"].items()}

MARKS_ABOVE: Final = _by_sign(_TABLES["mathml_above"])
MARKS_BELOW: Final = _by_sign(_TABLES["mathml_below"])
MATHML_FONTS: Final[Mapping[str, str]] = _TABLES["mathml_fonts"]
LETTER_FONTS: Final[Mapping[str, str]] = _TABLES["letter_fonts"]

VARIANTS: Final = _pairs(_TABLES["variants"])
OPPOSITES: Final = _pairs(_TABLES["opposites"])
LOOKALIKES: Final = _pairs(_TABLES["lookalikes"])
LIGHT: Final = frozenset(_TABLES["light"])
