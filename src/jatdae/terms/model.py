"""What a description says: its terms, and what was not understood of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """A property that a lexicon knows. There is one object of each, so that they are told apart by what they are."""

    name: str
    """`PREFIX_value`, such as COLOR_红."""
    prefix: str
    value: str
    category: str
    region: str
    """Where it is at home; "" is anywhere."""
    place: bool
    """It is a location."""
    gloss: str


class Term(NamedTuple):
    """One atomic property as it stands in the text."""

    atom: str
    """`PREFIX_value`, such as COLOR_红."""
    category: str
    text: str
    """The characters it was read from."""
    start: int
    end: int
    """Where they stand in the text (in Unicode's composed form, NFC)."""
    degree: str = ""
    """微, 略, 偏 …: kept, never compared."""
    negated: bool = False
    places: tuple[str, ...] = ()
    """The location atoms it is bound to."""
    choice: int = 0
    """Terms with the same number above 0 are alternatives of each other (或)."""

    @property
    def prefix(self) -> str:
        """The axis: COLOR of COLOR_红."""
        return self.atom.partition("_")[0]

    def __str__(self) -> str:
        return f"{'¬' if self.negated else ''}{self.atom}"


class Draft:
    """A term in the making: later words may still bind, negate or soften it."""

    __slots__ = ("atom", "choice", "clause", "degree", "end", "negated", "places", "start", "text")

    def __init__(self, atom: Atom, text: str, start: int, end: int, clause: int) -> None:
        self.atom, self.text, self.start, self.end, self.clause = atom, text, start, end, clause
        self.degree, self.negated, self.choice = "", False, 0
        self.places: tuple[str, ...] = ()

    def term(self) -> Term:
        """The finished term."""
        return Term(
            self.atom.name,
            self.atom.category,
            self.text,
            self.start,
            self.end,
            self.degree,
            self.negated,
            self.places,
            self.choice,
        )


class Unread(NamedTuple):
    """Text that was not understood, and where it stands."""

    text: str
    start: int
    end: int


class Parsed(NamedTuple):
    """A description taken apart."""

    drafts: list[Draft]
    """What it states, in reading order."""
    unread: list[Unread]
    understood: int
    """Letters that belong to a word of the lexicon."""
    letters: int
    """Letters that speak of the subject: punctuation, and what follows a head of another subject, do not count."""
    bare: str
    """The text without punctuation and white space."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """What it states, for good."""
        return tuple([draft.term() for draft in self.drafts])

    @property
    def coverage(self) -> float:
        """The share of letters that was understood; 1 where there are none."""
        return self.understood / self.letters if self.letters else 1.0
