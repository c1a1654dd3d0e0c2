"""Configuration files with their places: a refusal says file, line and key, and the near name that was meant."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, NoReturn

import re2  # type: ignore[import-untyped]

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.core.yamlfile import KeyPath, YamlFile, read_yaml

BUNDLED: Final = Path(__file__).parent / "config"
_REPEATED: Final = re.compile(
    r"\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\{(?:0|[1-9]\d{0,3}),(?:0|[1-9]\d{0,3})?\}", re.S | re.A
)
"""A count as the engine reads one, or what only looks like one: behind a backslash, or in a class."""
MATCHES: Final = 1_000
"""Matches of a pattern that are looked at: one search takes linear time, but one from behind every match need not."""
_WITHIN: Final = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that begin no character."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Source:
    """A file that is being checked."""

    file: YamlFile
    hash: str

    def refuse(self, path: KeyPath, problem: str) -> NoReturn:
        """Stop with the place of a key."""
        raise UsageError(f"{self.file.place(path)}: {problem}")

    def mapping(
        self, value: Any, path: KeyPath, known: Iterable[str] | None = None, need: Iterable[str] = ()
    ) -> dict[str, Any]:
        """A mapping, with none but the known keys and all of the needed ones."""
        if not isinstance(value, dict):
            self.refuse(path, f"this has to be a mapping, not {_kind(value)}")
        if known is not None:
            names = list(known)
            for key in value:
                self.one_of(key, (*path, key), names, "key")
        for key in need:
            if key not in value:
                self.refuse(path, f"{key} is missing")
        return value

    def list(self, value: Any, path: KeyPath) -> list[Any]:
        """A list."""
        if not isinstance(value, list):
            self.refuse(path, f"this has to be a list, not {_kind(value)}")
        return value

    def text(self, value: Any, path: KeyPath) -> str:
        """Text that is not empty."""
        if not isinstance(value, str) or not value.strip():
            self.refuse(path, f"this has to be text, not {_kind(value)}")
        return value

    def number(self, value: Any, path: KeyPath) -> float:
        """A finite number."""
        if type(value) not in (int, float):
            self.refuse(path, f"this has to be a number, not {_kind(value)}")
        return float(value)

    def one_of(self, value: Any, path: KeyPath, known: Iterable[str], what: str) -> str:
        """A name out of several, or "did you mean …?"."""
        names = list(known)
        if value not in names:
            shown = ", ".join(names) if len(names) <= 12 else ""
            listed = f" Known: {shown}." if shown else ""
            hint = near(str(value), names) or near(str(value).lower(), names)
            self.refuse(path, f"no {what} is called {value!r}.{hint}{listed}")
        return str(value)

    def pattern(self, value: Any, path: KeyPath) -> Any:
        """A pattern on a linear-time engine: what it cannot take is refused here, so nothing can hang later."""
        text = self.text(value, path)
        try:
            return re2.compile(text, _options())
        except re2.error as error:
            reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else error.args[0]
            self.refuse(
                path,
                f"the pattern {text!r} cannot be taken ({reason}); look-around and back-references are not available",
            )

    def patterns(self, value: Mapping[str, Any], path: KeyPath) -> tuple[str, ...]:
        """The patterns of both languages, checked."""
        made = []
        for language in ("patterns_ko", "patterns_en"):
            for number, pattern in enumerate(self.list(value.get(language, []), (*path, language))):
                self.pattern(pattern, (*path, language, number))
                made.append(pattern)
        return tuple(made)


def read_source(folder: Path | None, name: str) -> Source:
    """A file of the configuration: the folder's own, else the bundled one."""
    path = BUNDLED / name
    if folder is not None:
        if not Path(folder).is_dir():
            raise UsageError(f"{folder}: no such folder of configuration")
        _refuse_strangers(Path(folder))
        if (Path(folder) / name).is_file():
            path = Path(folder) / name
    file = read_yaml(path)
    return Source(file, hashlib.sha256(path.read_bytes()).hexdigest()[:8])


def _refuse_strangers(folder: Path) -> None:
    """A file whose name is slightly wrong would leave the bundled one in force without a word."""
    known = sorted(path.name for path in BUNDLED.glob("*.yaml"))
    for path in sorted((*folder.glob("*.yaml"), *folder.glob("*.yml"))):
        if path.name not in known:
            hint = near(path.name, known)
            raise UsageError(f"{path}: no file of configuration is called so.{hint} Known: {', '.join(known)}.")


class PatternSet:
    """Many patterns looked for in one pass; which of them may match says where a closer look is worth while.

    A counted repetition (`[^.]{0,40}`) makes a state of every count, and new ones with every text: in the common pass
    it may go on for ever, so that what is found there is likely and no more.
    """

    def __init__(self, named: Iterable[tuple[str, str]]) -> None:
        self._names: list[str] = []
        together: dict[str, list[str]] = {}
        self._set = re2.Set.SearchSet(_options())
        for name, pattern in named:
            self._set.Add(_loosened(pattern))
            self._names.append(name)
            together.setdefault(name, []).append(f"(?:{pattern})")
        self._compiled = {name: re2.compile("|".join(patterns), _options()) for name, patterns in together.items()}
        if self._names:
            self._set.Compile()

    def likely(self, text: Encoded) -> set[str]:
        """The names of which some pattern may match; none of the others does."""
        if not self._names:
            return set()
        return {self._names[number] for number in self._set.Match(text) or ()}

    def first(self, name: str, text: Encoded) -> Span | None:
        """Where a pattern of a name matches first."""
        pattern = self._compiled.get(name)
        found = pattern.search(text) if pattern else None
        if not found:
            return None
        start, end = found.span()
        place = text.letters(0, start)
        return place, place + text.letters(start, end)

    def spans(self, name: str, text: Encoded) -> Iterator[Span]:
        """Where the patterns of a name match, the first `MATCHES` of them, as far as one looks."""
        pattern = self._compiled.get(name)
        done = place = 0
        for match in islice(pattern.finditer(text), MATCHES) if pattern else ():
            start, end = match.span()
            if end > start:
                first = place + text.letters(done, start)
                done, place = end, first + text.letters(start, end)
                yield first, place


class Encoded(bytes):
    """A text in UTF-8, as the engine takes it: encoded once for all patterns."""

    def letters(self, start: int, end: int) -> int:
        """How many characters begin between two places; a pattern may cut one (`\\C`)."""
        return len(self[start:end].translate(None, _WITHIN))


def _loosened(pattern: str) -> str:
    """A pattern that matches wherever the given one does, with `*` for its counted repetitions."""
    if r"\Q" in pattern:
        return pattern
    loose = _REPEATED.sub(lambda found: "*" if found[0][0] == "{" else found[0], pattern)
    try:
        re2.compile(loose, _options())
    except re2.error:
        return pattern
    return loose


def _options() -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.never_capture = True  # what is within parentheses is never asked for, and costs as much again
    return options


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
