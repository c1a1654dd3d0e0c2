"""One catalogue for what a person reads, in English and Korean."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import resources
from typing import Final

LANGUAGES: Final = ("en", "ko")
_chosen = "en"
_renamed: dict[str, list[str]] = {}
"""Former names of settings, flags and metrics with the new ones, of every evaluator that was loaded."""


def say(key: str, /, **values: object) -> str:
    """The message `key` in the chosen language, with its blanks filled."""
    return _catalogue(_chosen)[key].format(**values)


def translated(english: str) -> str:
    """A text whose English stands in the code, such as a docstring: in the chosen language, where it is known there."""
    return english if _chosen == "en" else _catalogue(f"{_chosen}_help").get(" ".join(english.split()), english)


def says(key: str) -> bool:
    """Whether the catalogue has `key`."""
    return key in _catalogue("en")


def phrases(language: str, keys: Iterable[str]) -> dict[str, str]:
    """The messages `keys` in one language, their blanks not filled."""
    return {key: _catalogue(language)[key] for key in keys}


def language() -> str:
    """The language messages are in."""
    return _chosen


def choose_language(name: str | None) -> None:
    """Set the language: a name, or None for the locale's."""
    global _chosen  # noqa: PLW0603
    _chosen = name if name in LANGUAGES else _language_of_locale()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Speak one language for a while."""
    before = language()
    choose_language(name)
    try:
        yield
    finally:
        choose_language(before)


def near(name: str, known: Iterable[object]) -> str:
    """A "did you mean …?" with what `name` was renamed to, else with the nearest known name; nothing without one."""
    import difflib

    names = sorted(map(str, known))
    for new in (*_renamed.get(name, ()), *_renamed.get(name.partition(".")[0], ())):
        if new in names:
            return say("did_you_mean", name=new)
    cutoff = 0.5 if len(name) < 4 else 0.6  # one wrong letter of two is still near: kr, ko
    close = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    return say("did_you_mean", name=close[0]) if close else ""


def shown(text: str, most: int = 80) -> str:
    """Text from the input fit for a message: not long, and nothing in it that moves a terminal's cursor."""
    cut = text if len(text) <= most else text[:most] + "…"
    return cut if cut.isprintable() else repr(cut)[1:-1]


def suggest_for(old: str, new: str) -> None:
    """Let `near` answer a former name with the new one, which may look nothing like it."""
    suggestions = _renamed.setdefault(old, [])
    if new not in suggestions:
        suggestions.append(new)


def _language_of_locale() -> str:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return "ko" if value.startswith("ko") else "en"
    return "en"


@cache
def _catalogue(name: str) -> dict[str, str]:
    text = (resources.files("jatdae.core") / "catalogue" / f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)
