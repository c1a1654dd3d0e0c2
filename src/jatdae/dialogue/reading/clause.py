"""A sentence, its clauses, and the cues that act in each of them."""

from __future__ import annotations

from typing import NamedTuple

Placed = tuple[int, int, int, int, int]
"""An act in a text: role, scope, near, start, end."""


class Clause:
    """A clause of a sentence with its cues; positions count from the beginning of the sentence."""

    __slots__ = ("acts", "joined", "named", "placed", "start", "tells", "themed")

    def __init__(self, start: int) -> None:
        self.start = start
        self.acts: list[Placed] = []
        self.joined = False
        """Whether it continues in the next clause, as with -고."""
        self.placed = True
        """Whether all that is named in it only tells when or against what: 생리통에도."""
        self.named = False
        """Whether a concept is named in it."""
        self.themed = False
        """Whether one of them is the topic of the rest of the sentence: 바나나는."""
        self.tells = False
        """Whether it states something although the sentence asks: "I have asthma, can I run?"."""


class Sentence(NamedTuple):
    """A sentence with its clauses; cached, and never changed."""

    text: str
    clauses: tuple[Clause, ...]
    starts: list[int]
    asks: bool
    personal: bool
    """Whether a predicate in it is about the patient."""
    noted: bool
    """Whether it has no predicate, as in the style of notes: "Hypertension, on lisinopril."."""
    hangul: bool
    """Whether it is Korean."""
