"""Atoms (properties of a lexicon), the terms of a description that state them, and the result of parsing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """A property that a lexicon knows; one object each, so that atoms compare by identity."""

    name: str
    """`PREFIX_value`, such as COLOR_红."""
    prefix: str
    value: str
    category: str
    region: str
    """The region it belongs to; "" for any."""
    place: bool
    """Whether it is a location."""
    gloss: str
    glosses: Mapping[str, str]
    """What it means by language: the English gloss, and in Korean the first Korean spelling."""


class Term(NamedTuple):
    """A term of a description: one atomic property as it stands in the text."""

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
    """The location atoms that apply to it."""
    choice: int = 0
    """Terms with the same number above 0 are alternatives of each other (或)."""

    @property
    def prefix(self) -> str:
        """The axis: COLOR of COLOR_红."""
        return self.atom.partition("_")[0]

    def __str__(self) -> str:
        return f"{'¬' if self.negated else ''}{self.atom}"


class Draft:
    """A term of a description during parsing; later words may change its places, polarity or degree."""

    __slots__ = ("atom", "choice", "clause", "degree", "end", "negated", "places", "start", "text")

    def __init__(self, atom: Atom, text: str, start: int, end: int, clause: int) -> None:
        self.atom = atom
        self.text = text
        self.start = start
        self.end = end
        self.clause = clause
        self.degree = ""
        self.negated = False
        self.choice = 0
        self.places: tuple[str, ...] = ()

    def term(self) -> Term:
        """The same as an immutable `Term`."""
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
    """Part of a description that no word of the lexicon covers, and its position."""

    text: str
    start: int
    end: int


class Parsed(NamedTuple):
    """Result of parsing a description: its terms, and the text not understood."""

    text: str
    """The text as positions count it: in Unicode's composed form, NFC."""
    drafts: list[Draft]
    """Its terms, in reading order."""
    unread: list[Unread]
    understood: int
    """Letters that belong to words of the lexicon."""
    letters: int
    """All letters about the subject: without punctuation, and without text about another subject."""
    bare: str
    """The text without punctuation and white space."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """Its terms, immutable, in reading order."""
        return tuple([draft.term() for draft in self.drafts])

    @property
    def coverage(self) -> float:
        """The share of letters that was understood; 1 if there are none."""
        return self.understood / self.letters if self.letters else 1.0
