"""All messages to the user, in English and Korean."""

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
    """Message with this key from the catalogue, in the chosen language, with its blanks filled."""
    return _catalogue(_chosen)[key].format(**values)


def translated(english: str) -> str:
    """Translate a message or other English text from the code into the chosen language if it is known."""
    return english if _chosen == "en" else _catalogue(f"{_chosen}_help").get(" ".join(english.split()), english)


def says(key: str) -> bool:
    """Whether the message catalogue has this key."""
    return key in _catalogue("en")


def phrases(language: str, keys: Iterable[str]) -> dict[str, str]:
    """Messages with these keys in one given language, with their blanks unfilled."""
    return {key: _catalogue(language)[key] for key in keys}


def language() -> str:
    """Language in which messages are shown."""
    return _chosen


def choose_language(name: str | None) -> None:
    """Set the language of messages: a language code, or None for that of the locale."""
    global _chosen  # noqa: PLW0603
    _chosen = name if name in LANGUAGES else _language_of_locale()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Context manager that shows messages in one language while it is active."""
    before = language()
    choose_language(name)
    try:
        yield
    finally:
        choose_language(before)


def near(name: str, known: Iterable[object]) -> str:
    """A "did you mean …?" hint for a message: the new name of a renamed thing, else the nearest known, else ""."""
    import difflib

    names = sorted(map(str, known))
    for new in (*_renamed.get(name, ()), *_renamed.get(name.partition(".")[0], ())):
        if new in names:
            return say("did_you_mean", name=new)
    cutoff = 0.5 if len(name) < 4 else 0.6  # one wrong letter of two is still near: kr, ko
    close = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    return say("did_you_mean", name=close[0]) if close else ""


def printable(text: str) -> str:
    """Make a text safe to print in a message: replace control characters, which could drive a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)


def shown(text: str, most: int = 80) -> str:
    """Shorten text from the input for a message and escape unprintable characters in it."""
    cut = text if len(text) <= most else text[:most] + "…"
    return cut if cut.isprintable() else repr(cut)[1:-1]


def suggest_for(old: str, new: str) -> None:
    """Register the new name of something renamed, so that messages suggest it ("did you mean …?")."""
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
