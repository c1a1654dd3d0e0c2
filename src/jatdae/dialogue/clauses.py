"""A text cut into clauses, each with the cues that act in it.

A sentence ends at its mark or its line; a clause at a connective ending (-지만, -므로, -고), at a conjunction, and
at a comma or an "and" behind which something new begins. A comma between the items of a list cuts nothing.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.cues import CONDITION, Cues

_MOST_ACTS: Final = 200
"""A clause with more cues than anybody writes is cut, so that the work stays linear."""
_MAIN: Final = 4
"""Characters before a condition that can be a main clause: "Stop if …"."""
_VERB: Final = re.compile(r"[^,;:.]{2,40}?\s(?:is|are|was|were|can|may|might|should|will|would|could)\s")
"""A main clause that begins with a noun: "Since you are pregnant, acetaminophen is …"."""
_TOPIC: Final = re.compile(r"[가-힣][은는]\s")
_SECOND: Final = re.compile(r"\s*[가-힣]{1,10}[은는]\s")
_LINKS: Final = frozenset(("and", "or", "a", "an", "the", "also"))

Placed = tuple[int, int, int, int, int]
"""An act in a text: role, scope, near, start, end."""


class Clause:
    """A stretch of text with its cues."""

    __slots__ = ("acts", "asks", "evident", "joined", "lead", "named", "sentence", "start")

    def __init__(self, start: int, sentence: int = 0) -> None:
        self.start = start
        self.sentence = sentence
        self.named = False
        """Whether a concept is named in it."""
        self.acts: list[Placed] = []
        self.asks = False
        self.joined = False
        """Whether it goes on in the next clause, as with -고."""
        self.lead: Clause | None = None
        """The line above the list it is an item of."""
        self.evident = False
        """Whether it holds an age or a value: what else it names is then about the patient."""


def split_clauses(text: str, cues: Cues, mentions: frozenset[int] | set[int]) -> list[Clause]:
    clause = Clause(0)
    clauses = [clause]
    sentence = 0
    subordinate = trailing = False
    size = len(text)
    starters = cues.starters
    for cue, start, end in cues.find(text):
        cut = cue.cut
        if cut == "end":
            if cue.text == "." and end < size and not text[end].isspace() and text[end] not in "\"')*":
                continue
            if cue.text == "?":
                for each in clauses[sentence:]:
                    each.asks = True
            sentence = len(clauses)
            clause = Clause(end, sentence)
            clauses.append(clause)
            subordinate = trailing = False
            continue
        if cut == "maybe":
            clause.joined = cue.text == "," and _new_topic(text, clause.start, start, end)
            if not clause.joined and (trailing or _goes_on(text, end, cue.text, subordinate, starters, mentions)):
                continue
            clause = Clause(end, sentence)
            clauses.append(clause)
            subordinate = trailing = False
            continue
        if cut == "before" and start > clause.start:
            clause = Clause(start, sentence)
            clauses.append(clause)
        if cue.subordinate:
            subordinate = True
            # "Stop if you feel dizzy, have chest pain, or …": behind its main clause a condition runs to the end
            trailing = start - clause.start > _MAIN and any(role == CONDITION for role, *_ in cue.acts)
        for role, scope, near in cue.acts:
            clause.acts.append((role, scope, near, start, end))
        if len(clause.acts) > _MOST_ACTS:
            clause = Clause(end, sentence)
            clauses.append(clause)
        if cut in ("after", "joining"):
            clause.joined = cut == "joining"
            clause = Clause(end, sentence)
            clauses.append(clause)
            subordinate = trailing = False
    return clauses


def _new_topic(text: str, start: int, comma: int, end: int) -> bool:
    """ "음주는 주 1회, 흡연은 하지 않음": a second topic behind the comma has a predicate of its own."""
    return bool(_SECOND.match(text, end) and _TOPIC.search(text, start, comma))


def _goes_on(
    text: str, end: int, mark: str, subordinate: bool, starters: frozenset[str], mentions: set[int] | frozenset[int]
) -> bool:
    """Whether what follows a comma or an "and" belongs to the same clause, as the items of a list do."""
    rest = text[end : end + 24].lstrip()
    at = end + (len(text[end : end + 24]) - len(rest))
    if mark == ":":
        return True
    word = rest.split(" ", 1)[0].rstrip(",.;:")
    while word in _LINKS:
        rest = rest[len(word) :].lstrip(" ,")
        at = end + text[end : end + 40].find(rest) if rest else at
        word = rest.split(" ", 1)[0].rstrip(",.;:")
    if word in starters:
        return False
    return not (mark == "," and subordinate and (at not in mentions or _VERB.match(text, at)))
