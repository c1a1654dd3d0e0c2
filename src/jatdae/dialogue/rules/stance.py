"""What an answer tells the patient about a thing: to take or do it, more of it, to go on, to stop, or not to.

A sentence is reduced to a frame in which X is the thing and Y each other drug, food or activity; things joined by "and"
or 와 are one X. The frame is cut into clauses, and patterns of `stance.yaml` are tried on the clause of X, then on the
clauses behind it that speak of nothing else. The verb is thus part of what is read: "혈압약을 임의로 끊지 마세요" keeps
the drug, "혈압약을 끊으세요" stops it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.signature import short_hash
from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.reading.clauses import find_sentences
from jatdae.dialogue.reading.mentions import Passage

VERSION: Final = 1
"""Raised when a change of this module changes what is read of an answer."""
TABLE: Final = Path(__file__).parent / "stance.yaml"
TAKE: Final = "take"
MORE: Final = "more"
KEEP: Final = "keep"
STOP: Final = "stop"
AGAINST: Final = "against"
UNFIT: Final = "unfit"
"""Said to be bad or not right, which does not tell the patient to stop it."""
NONE: Final = "none"
"""The answer says neither: a condition, a warning, the past, a question, or something for the prescriber."""
_WINDOW: Final = 240
"""How much of a sentence is read on either side of a thing, so that the work stays linear."""
_BARE: Final = 14
"""Most words of a prescription without a verb."""
_THINGS: Final = frozenset(("drug", "drug_class", "food", "activity"))
_HANGUL: Final = re.compile("[가-힣]")
_SENTENCE: Final = re.compile(r"[다요죠까][.!]*$")
_MOST_WORDS: Final = 5
_CLOSING: Final = "\"') "


class AdviceReader:
    """Tells what an answer advises about spans of it."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage

    def stance(self, start: int, end: int, act: bool = False, drug: bool = False) -> str:
        """What is advised about the text at start:end.

        `act` if that text has a verb of its own ("skip dinner"), `drug` if it is a drug, which a mere noun phrase
        prescribes ("Motrin 800 as needed.").

        Where the sentence says nothing of it, as in an item of a list, the reading of the whole text decides.
        """
        text = self._passage.folded
        while end > start + 1 and text[end - 1].isspace():  # a pattern may have taken the space behind a word
            end -= 1
        while start < end - 1 and text[start].isspace():
            start += 1
        frame = self._frame(start, end)
        found = read_frame(frame, act, drug)
        if found or act or not _is_name(frame):
            return found
        advice = self._passage.context.read(start, end, "pattern").advice
        return {"for": TAKE, "against": AGAINST}.get(advice, NONE)

    def may_stop(self, start: int, end: int) -> bool:
        """Whether the sentence has any word without which nothing is stopped or advised against."""
        first, last = self._bounds(start, end)
        text = self._passage.folded
        grammar = _grammar("korean" if _HANGUL.search(text, first, last) else "english")
        return grammar.shape["stopping"].search(text, first, last) is not None or not self._is_plain(first, last)

    def sentence(self, start: int) -> tuple[int, int]:
        """Where the sentence around a place begins and ends."""
        number = bisect_right(self._starts, start) - 1
        after = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._passage.folded)
        return self._starts[number], after

    @cached_property
    def _starts(self) -> list[int]:
        return find_sentences(self._passage.folded)

    @cached_property
    def _things(self) -> list[tuple[int, int]]:
        return [(m.start, m.end) for m in self._passage.mentions if m.concept.category in _THINGS]

    def _frame(self, start: int, end: int) -> str:
        """The sentence with X for the thing, or for the list it belongs to, and Y for others."""
        first, last = self._bounds(start, end)
        text = self._passage.folded
        head, tail = self._masked(first, start), self._masked(_word_end(text, end), last)
        grammar = _grammar("korean" if _HANGUL.search(text, first, last) else "english")
        return grammar.shape["joined"].sub(lambda found: "X" if "X" in found[0] else "Y", f"{head}X{tail}".strip())

    def _bounds(self, start: int, end: int) -> tuple[int, int]:
        """The part of the sentence around a thing that is read."""
        first, last = self.sentence(start)[0], self.sentence(end - 1)[1]  # "st. john's wort" runs over a mark
        return max(first, start - _WINDOW), min(max(last, end), end + _WINDOW)

    def _is_plain(self, first: int, last: int) -> bool:
        """Whether a sentence is more than a name, which is what a line above it says."""
        return not _is_name(self._passage.folded[first:last].strip())

    def _masked(self, first: int, last: int) -> str:
        """A part of the text with Y for each thing that lies in it."""
        text, parts, done = self._passage.folded, [], first
        for start, end in self._things[bisect_left(self._things, (first, 0)) :]:
            if end > last:
                break
            if done <= start:
                parts += [text[done:start], "Y"]
                done = _word_end(text, end)
        return "".join([*parts, text[done:last]])


def _is_name(frame: str) -> bool:
    """Whether a frame may be no more than a name, as an item of a list is: it says what stands above it."""
    return len(frame.split()) <= _MOST_WORDS and not _SENTENCE.search(frame)


def _word_end(text: str, end: int) -> int:
    """Where the word around the end of a thing ends: bananas."""
    return end + (text[end : end + 1] == "s" and not text[end + 1 : end + 2].isalpha())


@lru_cache(maxsize=4096)
def read_frame(frame: str, act: bool, drug: bool = True) -> str:
    """What a frame says of its X; empty if it says nothing that is known."""
    frame = frame.rstrip(_CLOSING)
    asks = "?" if frame.endswith("?") else ""
    frame = frame.rstrip(".!?…") if "X" in frame.rstrip(".!?…") else frame
    if _HANGUL.search(frame):
        return _korean(frame, act, asks)
    return _english(frame, act, asks, drug)


def _english(frame: str, act: bool, asks: str, drug: bool) -> str:
    """The clause of X decides, unless a later one that points back to it says otherwise: "…, so we will not use it"."""
    grammar = _grammar("english")
    clauses = grammar.clauses(frame)
    at = next(number for number, clause in enumerate(clauses) if "X" in clause)
    found = grammar.decide(clauses[at] + asks, act)
    if act:
        return found
    if drug and not found and not asks and at == 0 and _is_bare(clauses[at], grammar):
        found = TAKE
    for clause in clauses[at + 1 :]:
        if "Y" in clause:
            continue
        if grammar.shape["denied"].match(clause):
            return AGAINST
        if grammar.shape["stopped"].match(clause):
            return STOP
        back = grammar.shape["back"].sub("X", clause, count=1)
        later = grammar.decide(back, act) if "X" in back else ""
        if later and later != NONE and found not in (AGAINST, UNFIT, STOP):
            return later
    return found


def _is_bare(clause: str, grammar: Grammar) -> bool:
    """Whether a clause is a noun phrase with a dose or time, as prescriptions are written: "Two Advil and a dark room".

    A mere name, or an item of a list, is what the line above it says.
    """
    item, finite, dosed = grammar.shape["item"], grammar.shape["finite"], grammar.parts["dose"]
    if item.match(clause) or finite.search(clause):
        return False
    return 2 < len(clause.split()) <= _BARE and dosed.search(clause) is not None


def _korean(frame: str, act: bool, asks: str) -> str:
    """The clauses from X on, until one decides or speaks of another thing."""
    grammar = _grammar("korean")
    shape = grammar.shape
    plain = shape["low"].sub("안심", shape["idiom"].sub("", shape["harmless"].sub("괜찮", frame)))
    place = plain.index("X")
    if shape["deferred"].search(plain, 0, place):
        return NONE
    warned = False
    for number, clause in enumerate(grammar.clauses(plain[place:])):
        if number and ("Y" in clause or shape["other"].match(clause)):
            break
        found = grammar.decide((f"X{clause}" if number else clause) + asks, act)
        if found:
            return NONE if warned and found in (TAKE, MORE) else found
        if shape["acting" if act else "doing"].match(clause) and shape["order"].search(plain):
            return TAKE
        warned = warned or shape["warning"].search(clause) is not None
    return ""


def stance_hash() -> str:
    """Hash of the table by which advice in answers is read, with the version of the code that applies it."""
    return f"{VERSION}.{short_hash(TABLE.read_bytes())}"


class Row(NamedTuple):
    """A pattern over clauses of answers, and the stance it tells."""

    stance: str
    pattern: re.Pattern[str]
    needed: tuple[str, ...]
    """Parts without which it cannot match."""


class Grammar(NamedTuple):
    """How advice is read in answers in one language: patterns over frames, and over how clauses hang together."""

    shape: dict[str, re.Pattern[str]]
    parts: dict[str, re.Pattern[str]]
    noun: list[Row]
    act: list[Row]

    def clauses(self, frame: str) -> list[str]:
        """The clauses of a frame; what ends one stays with it."""
        ends = [found.end() for found in self.shape["cut"].finditer(frame)]
        return [frame[start:end] for start, end in pairwise([0, *ends, len(frame)])]

    def decide(self, clause: str, act: bool) -> str:
        """What the first pattern that matches says; empty if none does.

        A pattern is tried only if the parts that it needs occur at all: most clauses have few of them.
        """
        seen: dict[str, bool] = {}
        for stance, pattern, needed in self.act if act else self.noun:
            for name in needed:
                if name not in seen:
                    seen[name] = self.parts[name].search(clause) is not None
                if not seen[name]:
                    break
            else:
                if pattern.search(clause):
                    return stance
        return ""


@lru_cache(maxsize=2)
def _grammar(language: str) -> Grammar:
    given: dict[str, Any] = read_yaml(TABLE).value[language]
    parts: dict[str, str] = given["parts"]

    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(_PART.sub(lambda found: parts[found[1]], pattern))

    noun, act = (
        [Row(stance, compiled(text), _needed(text)) for entry in given[kind] for stance, text in entry.items()]
        for kind in ("noun", "act")
    )
    shape = {name: compiled(pattern) for name, pattern in given["shape"].items()}
    return Grammar(shape, {name: compiled(pattern) for name, pattern in parts.items()}, noun, act)


def _needed(pattern: str) -> tuple[str, ...]:
    """The parts without which a pattern cannot match: those outside all groups."""
    depth, needed = 0, []
    for mark in _MARK.finditer(pattern):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if mark[1] and depth == 0 and mark[1] not in _MAY_BE_EMPTY:
            needed.append(mark[1])
    return tuple(needed)


_PART: Final = re.compile(r"\{([a-z_]+)\}")
_MARK: Final = re.compile(r"\\.|\[[^\]]*\]|[()]|\{([a-z_]+)\}")
"""A parenthesis or a part; escaped marks and classes of characters are passed over."""
_MAY_BE_EMPTY: Final = frozenset(("det", "adv"))
