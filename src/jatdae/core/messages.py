"""All texts for the user, in English and Korean: messages, and what the names of an evaluator mean.

Texts stand in `messages.en.toml` and `messages.ko.toml`. The files beside this module hold those of the whole package;
a room, or a plug-in, has its own beside its evaluator class. The tables of such a file:

    [evaluators]  what an evaluator measures         (English: the first line of its docstring)
    [metrics]     what a metric means
    [definitions] how it is computed
    [sources]     who described it first; a citation reads alike in every language and stands in English only
    [settings]    what a setting does                (English: the docstring below the field)
    [issues]      what an issue means
    [absent]      the same in few words, for a table cell that has no value
    [counts]      what a count table counts
    [words]       words of its evidence, for `evidence.js`
    [messages]    messages with blanks, for `say`
    [python]      those of them that name flags, for who calls from Python and names arguments
    [help]        English sentences of command-line help, and what they are in this language
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Final, Literal

from jatdae.core.compiled import source_folder

LANGUAGES: Final = ("en", "ko")
VARIABLE: Final = "JATDAE_LANG"
"""Environment variable that names the language, before the locale does."""
Kind = Literal[
    "evaluators", "metrics", "definitions", "sources", "settings", "issues", "absent", "counts", "rates", "words",
    "messages", "python", "help",
]  # fmt: skip
TABLES: Final[tuple[Kind, ...]] = (
    "evaluators", "metrics", "definitions", "sources", "settings", "issues", "absent", "counts", "rates", "words",
    "messages", "python", "help",
)  # fmt: skip
Wording = Callable[..., str]
"""Looks up a message: `say`, or the function of a page that can switch its language."""
ANY: Final = "*"
"""A name that stands for every name that is not listed: `"*" = "similarity of the terms of this category"`."""

_PARTICLES: Final = {"이(가)": "이가", "은(는)": "은는", "을(를)": "을를", "와(과)": "과와"}
"""Korean particles as messages have them, and their forms: after a consonant, after a vowel."""
_AFTER_WORD: Final = re.compile(f"([가-힣])(['\"’”)]*)({'|'.join(map(re.escape, _PARTICLES))})")

_chosen = ""
in_python: Final = ContextVar("in_python", default=False)
"""Whether messages are for who calls from Python, and name arguments instead of flags."""
_renamed: dict[str, list[str]] = {}
"""Former names of settings, flags and metrics with the new ones, of every evaluator that was loaded."""


class Texts:
    """Texts of one folder in both languages: its `messages.en.toml` and `messages.ko.toml`, if it has them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def say(self, key: str, /, **values: object) -> str:
        """Message with this key in the chosen language, with its blanks filled."""
        found = (self.find("python", key) if in_python.get() else None) or self.find("messages", key)
        if found is None:
            from jatdae.core.errors import EngineError

            raise EngineError(say("texts_no_message", file=self.folder / "messages.en.toml", key=key))
        text = found.format(**values)
        return with_particles(text) if _chosen == "ko" else text

    def find(self, kind: Kind, name: str, language: str = "") -> str | None:
        """Text for a name in a language (default: the chosen one), else in English; None if there is none."""
        tables = [self._tables[each].get(kind, {}) for each in (language or _chosen, "en")]
        return next((table[key] for table in tables for key in (name, ANY) if key in table), None)

    def table(self, kind: Kind, language: str = "") -> Mapping[str, str]:
        """All texts of one kind in a language (default: the chosen one)."""
        return self._tables[language or _chosen].get(kind, {})

    @cached_property
    def _tables(self) -> dict[str, dict[str, dict[str, str]]]:
        return {language: _read(self.folder / f"messages.{language}.toml") for language in LANGUAGES}


def _read(file: Path) -> dict[str, dict[str, str]]:
    """Tables of a file of texts; none if the file does not exist. What does not fit is refused with its place."""
    try:
        text = file.read_text("utf-8-sig")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _bad(file, os_problem(error)) from None
    except UnicodeDecodeError:
        raise _bad(file, say("row_not_utf8")) from None
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _bad(file, say("texts_not_toml", problem=error)) from None
    for name, table in found.items():
        if name not in TABLES:
            raise _bad(file, say("texts_unknown_table", name=name, near=near(name, TABLES), known=", ".join(TABLES)))
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            raise _bad(file, say("texts_not_strings", name=name))
    return found


def _bad(file: Path, problem: str) -> Exception:
    from jatdae.core.errors import UsageError

    return UsageError(say("texts_bad", file=file, problem=problem))


@cache
def texts_in(folder: Path) -> Texts:
    """Texts of a folder, read once."""
    return Texts(folder)


def texts_beside(module: str | ModuleType) -> Texts:
    """Texts of the folder of a module; if it has none, of the nearest package above that has."""
    folder = source_folder(sys.modules[module] if isinstance(module, str) else module)
    while not (folder / "messages.en.toml").is_file() and (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return texts_in(folder)


def speaker(module: str) -> Callable[..., str]:
    """Make the `say` of a module of a room, for the messages beside it: `say = speaker(__name__)`."""

    @cache
    def texts() -> Texts:
        return texts_beside(module)

    def say(key: str, /, **values: object) -> str:
        return texts().say(key, **values)

    return say


def word_finder(module: str) -> Wording:
    """Make the `word` of a module of a room, for the words beside it: `word = word_finder(__name__)`.

    They are the words of its evidence view on a page. A key that has none is said `otherwise`, by default as it is.
    """

    def word(key: str, otherwise: str | None = None, /, **values: object) -> str:
        found = texts_beside(module).find("words", key)
        return found.format(**values) if found is not None else key if otherwise is None else otherwise

    return word


COMMON: Final = texts_in(Path(__file__).resolve().parent)
"""Texts of the whole package."""


def say(key: str, /, **values: object) -> str:
    """Message of the whole package with this key, in the chosen language, with its blanks filled."""
    return COMMON.say(key, **values)


def with_particles(text: str) -> str:
    """A Korean text in which particles fit the syllable before them; after anything else both forms stay."""

    def fitting(found: re.Match[str]) -> str:
        ends_in_consonant = (ord(found[1]) - ord("가")) % 28 > 0
        return found[1] + found[2] + _PARTICLES[found[3]][0 if ends_in_consonant else 1]

    return _AFTER_WORD.sub(fitting, text)


def translated(english: str, more: Iterable[Texts] = ()) -> str:
    """Translate a sentence of command-line help into the chosen language if it or one of `more` knows it."""
    sentence = " ".join(english.split())
    return next((found for texts in (COMMON, *more) if (found := texts.table("help").get(sentence))), english)


def language() -> str:
    """Language in which messages are shown."""
    return _chosen


def choose_language(name: str | None) -> None:
    """Set the language of messages: a language code, or None for that of the environment."""
    global _chosen  # noqa: PLW0603
    _chosen = name if name in LANGUAGES else _language_of_environment()


def set_language(name: str | None) -> None:
    """Set the language of tables, messages and evidence in this process: "en" or "ko"; None: as the environment says.

    The environment says it by JATDAE_LANG, else by the locale (LC_ALL, LC_MESSAGES, LANG), read when jatdae is
    imported. On the command line `--lang` goes before both.
    """
    if name is not None and name not in LANGUAGES:
        raise _unknown_language("set_language", name)
    choose_language(name)


def refuse_unknown_language(flag: str | None) -> None:
    """Refuse a language that is none, given by `--lang` or, without it, by JATDAE_LANG."""
    place, name = ("--lang", flag) if flag is not None else (VARIABLE, os.environ.get(VARIABLE) or None)
    if name is not None and name not in LANGUAGES:
        raise _unknown_language(place, name)


def _unknown_language(place: str, name: object) -> Exception:
    from jatdae.core.errors import UsageError

    hint = near(str(name), LANGUAGES)
    return UsageError(say("unknown_language", place=place, name=name, near=hint, known=", ".join(LANGUAGES)))


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Context manager that shows messages in one language while it is active."""
    before = language()
    choose_language(name)
    try:
        yield
    finally:
        choose_language(before)


@contextmanager
def python_wording() -> Iterator[None]:
    """Context manager, and decorator of a function that people call from Python: messages name arguments, not flags."""
    before = in_python.set(True)
    try:
        yield
    finally:
        in_python.reset(before)


def flag_of(argument: str) -> str:
    """An argument as whoever reads the message gives it: `--id-field`, or `id_field=` in Python."""
    return f"{argument}=" if in_python.get() else f"--{argument.replace('_', '-')}"


def near(name: str, known: Iterable[object]) -> str:
    """A "did you mean …?" hint for a message: the new name of a renamed thing, else the nearest known, else ""."""
    import difflib

    names = sorted(map(str, known))
    for new in (*_renamed.get(name, ()), *_renamed.get(name.partition(".")[0], ())):
        if new in names:
            return say("did_you_mean", name=new)
    cutoff = 0.5 if len(name) < 4 else 0.6  # one wrong letter of two is still near: kr, ko
    close = [
        found for each in (name, name.lower()) for found in difflib.get_close_matches(each, names, n=1, cutoff=cutoff)
    ]
    return say("did_you_mean", name=close[0]) if close else ""


def printable(text: str) -> str:
    """Make a text safe to print in a message: replace control characters, which could drive a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)


def shown(text: str, most: int = 80) -> str:
    """Shorten text from the input for a message and escape unprintable characters in it."""
    cut = text if len(text) <= most else text[:most] + "…"
    return cut if cut.isprintable() else repr(cut)[1:-1]


def of_system(name: str) -> str:
    """In a message, after what is of a system: which one; nothing of a lone system without a name."""
    return say("of_system", system=shown(name)) if name else ""


def listed(names: Iterable[object], most: int = 20) -> str:
    """Names for a message, each of them short: the first ones, and how many more there are."""
    every = [shown(str(name)) for name in names]
    more = f" … (+{len(every) - most})" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def os_problem(error: OSError) -> str:
    """What the operating system refused, in the chosen language: no such file, no permission, …"""
    import errno

    from jatdae.core.addresses import kind_of_address

    name = errno.errorcode.get(error.errno or 0, "")
    if name == "ENOENT" and (kind := kind_of_address(str(error.filename or ""))):
        return say(f"address_{kind}")
    return COMMON.find("messages", f"os_{name}") or f"{error.strerror or error}"


def suggest_for(old: str, new: str) -> None:
    """Register the new name of something renamed, so that messages suggest it ("did you mean …?")."""
    suggestions = _renamed.setdefault(old, [])
    if new not in suggestions:
        suggestions.append(new)


def _language_of_environment() -> str:
    if (asked := os.environ.get(VARIABLE)) in LANGUAGES:
        return asked
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return "ko" if value.startswith("ko") else "en"
    return "en"


choose_language(None)  # for whoever calls jatdae from Python; the command line may choose another
