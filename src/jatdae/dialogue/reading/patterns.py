"""Regular expressions of the rule files: searched many at once, in linear time, by RE2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

import re2  # type: ignore[import-untyped]

from jatdae.core.messages import speaker

_REPEATED: Final = re.compile(
    r"\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\{(?:0|[1-9]\d{0,3}),(?:0|[1-9]\d{0,3})?\}", re.S | re.A
)
"""A repetition count as the engine reads it, or something that only looks like one: escaped, or in a class."""
MATCHES: Final = 1_000
"""How many matches of a pattern are looked at: one search is linear, a search after every match is not."""
_WITHIN: Final = bytes(range(0x80, 0xC0))
"""UTF-8 bytes that do not begin a character."""

Span = tuple[int, int]

say = speaker(__name__)


def find_pattern_problem(pattern: str) -> str:
    """Reason why RE2 cannot take a pattern to be searched in answers, in the user's language; empty if it can."""
    try:
        re2.compile(pattern, _options())
    except UnicodeEncodeError:
        return say("re2_utf8")
    except re2.error as error:
        reason = error.args[0]
        return _in_words(reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason))
    return ""


def _in_words(reason: str) -> str:
    """What RE2 says (`missing ): ((a`) in the user's language; a reason that is not listed stays as it is."""
    for english, key in _REASONS.items():
        if reason.startswith(english):
            where = reason.removeprefix(english).removeprefix(": ")
            return say(key) + (f": {where!r}" if where else "")
    return reason


_REASONS: Final = {
    "invalid escape sequence": "re2_escape",
    "invalid character class range": "re2_class_range",
    "invalid character class": "re2_class",
    "missing ]": "re2_bracket",
    "missing )": "re2_parenthesis",
    "unexpected )": "re2_closed",
    "trailing \\": "re2_backslash",
    "no argument for repetition operator": "re2_nothing_to_repeat",
    "missing argument to repetition operator": "re2_nothing_to_repeat",
    "invalid repetition size": "re2_size",
    "bad repetition operator": "re2_repetition",
    "invalid perl operator": "re2_operator",
    "invalid UTF-8": "re2_utf8",
    "invalid named capture group": "re2_group",
    "pattern too large": "re2_large",
}
"""Messages by what RE2 says (`kErrorStrings` in its parser)."""


class PatternSet:
    """Named regular expressions; one pass tells which may match, and only those are searched one by one.

    A counted repetition (`[^.]{0,40}`) makes a state of every count, and new ones with every text. The common pass
    therefore searches for an unlimited repetition instead, and what it finds is only likely to match.
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

    def likely(self, text: bytes) -> set[str]:
        """The names whose patterns may match; no other name does."""
        if not self._names:
            return set()
        return {self._names[number] for number in self._set.Match(text) or ()}

    def first(self, name: str, text: bytes) -> Span | None:
        """The first match of the patterns of a name."""
        pattern = self._compiled.get(name)
        found = pattern.search(text) if pattern else None
        if not found:
            return None
        start, end = found.span()
        place = _letters(text, 0, start)
        return place, place + _letters(text, start, end)

    def spans(self, name: str, text: bytes) -> Iterator[Span]:
        """The first `MATCHES` matches of the patterns of a name, found as they are asked for."""
        pattern = self._compiled.get(name)
        done = place = 0
        for match in islice(pattern.finditer(text), MATCHES) if pattern else ():
            start, end = match.span()
            if end > start:
                first = place + _letters(text, done, start)
                done, place = end, first + _letters(text, start, end)
                yield first, place


def _letters(text: bytes, start: int, end: int) -> int:
    """How many characters of a text in UTF-8 begin between two places; a match may cut one (`\\C`)."""
    return len(text[start:end].translate(None, _WITHIN))


def _loosened(pattern: str) -> str:
    """The pattern with `*` for its counted repetitions: it matches wherever the pattern does."""
    if r"\Q" in pattern:
        return pattern
    loose = _REPEATED.sub(lambda found: "*" if found[0][0] == "{" else found[0], pattern)
    return pattern if loose == pattern or find_pattern_problem(loose) else loose


def without_conditions(pattern: str) -> str:
    """A pattern of Python for RE2, without lookahead and lookbehind: it matches wherever the pattern does.

    What Python takes for a digit, a space or a letter in any script, RE2 takes in ASCII only: any character may be one.
    """
    made: list[str] = []
    skipped = depth = 0
    for found in _TOKEN.finditer(pattern):
        piece = found[0]
        if piece.startswith("("):
            depth += 1
            skipped = skipped or (depth if piece in ("(?=", "(?!", "(?<=", "(?<!") else 0)
        if not skipped:
            made.append("(?s:.)" if _WIDE.search(piece) else "" if piece in (r"\b", r"\B", "$") else piece)
        if piece == ")":
            skipped = 0 if skipped == depth else skipped
            depth -= 1
    return "".join(made)


class Idioms:
    """Ways of saying that mean no more than plainer words; one pass tells which of them a text may have."""

    def __init__(self, said: Iterable[tuple[str, str]]) -> None:
        given = list(said)
        self.all = [(re.compile(pattern), meant) for pattern, meant in given]
        self._maybe = PatternSet([(str(at), without_conditions(pattern)) for at, (pattern, _) in enumerate(given)])

    def plain(self, text: str) -> str:
        """The text in plainer words."""
        for at in self._maybe.likely(text.encode()):
            if self.all[int(at)][0].search(text):
                for pattern, meant in self.all:
                    text = pattern.sub(meant, text)
                break
        return text


_TOKEN: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(|\)|.", re.S)
_WIDE: Final = re.compile(r"\\[sdDwW]|\[.*\\S")


def _options() -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.never_capture = True  # groups are never asked for, and double the cost
    return options
