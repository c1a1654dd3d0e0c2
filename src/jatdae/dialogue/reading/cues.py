"""Cues (`lexicon/cues.yaml`): words that change how a mention is meant or end a clause, found in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.reading.concepts import LEXICON_FOLDER
from jatdae.dialogue.reading.words import LATIN, expand, fold

NONE: Final = 1 << 0
NEGATE: Final = 1 << 1
AGAINST: Final = 1 << 2
KEEP: Final = 1 << 3
ALLOW: Final = 1 << 4
RECOMMEND: Final = 1 << 5
CONSULT: Final = 1 << 6
CONDITION: Final = 1 << 7
EXAMPLE: Final = 1 << 8
FAMILY: Final = 1 << 9
GENERAL: Final = 1 << 10
AFFIRM: Final = 1 << 11
PATIENT: Final = 1 << 12
STRONG: Final = 1 << 13
TARGET: Final = 1 << 14
ABOUT: Final = 1 << 15
PERSONAL: Final = 1 << 16
HEDGE: Final = 1 << 17
TITLE: Final = 1 << 18
PACE: Final = 1 << 19
BITS: Final = {
    "none": NONE, "negate": NEGATE, "against": AGAINST, "keep": KEEP, "allow": ALLOW, "recommend": RECOMMEND,
    "consult": CONSULT, "condition": CONDITION, "example": EXAMPLE, "family": FAMILY, "general": GENERAL,
    "affirm": AFFIRM, "patient": PATIENT, "strong": STRONG, "target": TARGET, "about": ABOUT, "personal": PERSONAL,
    "hedge": HEDGE, "title": TITLE, "pace": PACE,
}  # fmt: skip
"""The roles by name. Each is a number of its own, which compiled code has at hand."""
NOT_TO: Final = 1 << 24
"""A negation before the mention, as in English: "I would not, in your place, take aspirin"."""
EFFECT: Final = 1 << 25
"""General, whatever a later clause says: "grapefruit can raise simvastatin", "와파린을 드시는 분들은"."""
BEFORE: Final = 1
"""Scope: what precedes the cue."""
AFTER: Final = 2
"""Scope: what follows the cue."""
_SCOPES: Final = {"before": BEFORE, "after": AFTER, "around": BEFORE | AFTER}
_WINDOW: Final = 40
_BEFORE_LABEL: Final = re.compile("[가-힣] ?$")


class Act(NamedTuple):
    """One effect of a cue on the mentions near it: its role, its direction and how far it reaches."""

    role: int
    scope: int
    near: int
    """How far it reaches, in characters; 0 means the whole clause."""


class Cue(NamedTuple):
    """A cue word: its effects on mentions, and where it breaks a clause."""

    acts: tuple[Act, ...]
    cut: str
    """Where it breaks a clause: `before`, `after`, `joining`, `maybe`, or empty for nowhere."""
    left: bool
    """Whether a Latin letter or digit before it rules it out."""
    right: bool
    subordinate: bool
    """Whether it begins a clause that ends at a comma."""
    text: str


Found = tuple[Cue, int, int]
"""A cue with the places where it begins and ends."""


@dataclass(frozen=True)
class Cues:
    """All cue words, compiled for finding them in a text."""

    finder: AhoCorasick
    cues: tuple[Cue, ...]
    starters: frozenset[str]

    def find(self, text: str) -> list[Found]:
        """The cues of a folded text, in order; at each place the longest."""
        found: list[Found] = []
        cues = self.cues
        size = len(text)
        done = 0
        for number, start, end in self.finder.find_matches_as_indexes(text):
            cue = cues[number]
            if start < done:
                continue
            if cue.left and start and text[start - 1] in LATIN:
                continue
            if cue.text[-1] in ":*" and start and _is_inner_label(cue, text, start):
                continue
            if cue.right and end < size and (text[end] in LATIN or text.startswith("'t", end)):
                # "is fine for you" reaches into "your": the shorter "is fine" stands there all the same
                if " " in cue.text:
                    cut = text.rindex(" ", start, end) + 1
                    hidden = self._within(text, start, cut, end)
                    if hidden:
                        done = hidden[-1][2]
                        found += hidden
                continue
            found.append((cue, start, end))
        return found

    def _within(self, text: str, start: int, cut: int, end: int) -> list[Found]:
        """The cues hidden by a longer one that was ruled out: those before its last word, and one beginning there."""
        hidden = [(cue, start + at, start + to) for cue, at, to in self.find(text[start:cut])]
        for cue, at, to in self.find(text[cut : cut + _WINDOW])[:1]:
            if at == 0 and cut + to > end:
                hidden.append((cue, cut, cut + to))
        return hidden


@cache
def load_cues() -> Cues:
    """Load and compile the bundled cue words, which change how an answer means what it mentions."""
    content = read_yaml(LEXICON_FOLDER / "cues.yaml").value
    breaks = content["breaks"]
    acts: dict[str, list[Act]] = {}
    cuts: dict[str, str] = {}
    for group in content["cues"]:
        act = Act(BITS[group["role"]], _SCOPES.get(group.get("scope", ""), 0), int(group.get("near", 0)))
        for surface in _surfaces(group["surfaces"]):
            if act not in acts.setdefault(surface, []):
                acts[surface].append(act)
            if "cut" in group:
                cuts[surface] = group["cut"]
    for name, cut in _CUTS.items():
        for surface in _surfaces(breaks[name]):
            acts.setdefault(surface, [])
            cuts[surface] = cut
    endings = tuple(text for text in _surfaces(breaks["always_after"]) if len(text.strip(" ,")) > 1)
    _cut_by_ending(acts, endings, cuts)
    subordinate = set(_surfaces(breaks["subordinate"]))
    for surface in subordinate:
        acts.setdefault(surface, [])
    _cut_by_first_word(acts, subordinate, cuts)
    words = sorted(acts)
    made = tuple(_cue(word, acts[word], cuts, subordinate) for word in words)
    finder = AhoCorasick(words, matchkind=MatchKind.LeftmostLongest, implementation=Implementation.ContiguousNFA)
    return Cues(finder, made, frozenset(breaks["starters"]))


def _is_inner_label(cue: Cue, text: str, start: int) -> bool:
    """Whether a Korean label for what is on record is part of a longer one: 대사 질환:, and not 질환:."""
    record = any(act.role == PATIENT for act in cue.acts) and "가" <= cue.text[0] <= "힣"
    return record and _BEFORE_LABEL.search(text, max(0, start - 2), start) is not None


def _cut_by_ending(surfaces: Iterable[str], endings: tuple[str, ...], cuts: dict[str, str]) -> None:
    """있지만 is a cue and ends a clause as -지만 does."""
    for surface in surfaces:
        if surface not in cuts and surface.endswith(endings):
            cuts[surface] = "after"


def _cut_by_first_word(surfaces: Iterable[str], subordinate: set[str], cuts: dict[str, str]) -> None:
    """ "since you" is a cue and begins a clause as "since" does."""
    for surface in surfaces:
        first, _, rest = surface.partition(" ")
        if first in subordinate or f"{first} {rest.partition(' ')[0]}" in subordinate:  # "as you have", as "as you"
            subordinate.add(surface)
        if cuts.get(first) == "before":
            cuts.setdefault(surface, "before")


_CUTS: Final[Mapping[str, str]] = {
    "always_before": "before",
    "always_after": "after",
    "joining": "joining",
    "maybe": "maybe",
}


def _surfaces(given: Any) -> Iterator[str]:
    for text in given:
        for surface in expand(text):
            yield fold(surface)


def _cue(word: str, acts: list[Act], cuts: Mapping[str, str], subordinate: set[str]) -> Cue:
    left, right = word[0] in LATIN, word[-1] in LATIN
    if word == "n't":
        left = False
    return Cue(tuple(a for a in acts if a.role != NONE), cuts.get(word, ""), left, right, word in subordinate, word)
