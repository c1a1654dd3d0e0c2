"""A term while it is being read: later words may still bind, negate or soften it."""

from __future__ import annotations

from jatdae.terms.lexicon import Lexicon
from jatdae.terms.model import Term


class Draft:
    """A term in the making."""

    __slots__ = ("atom", "choice", "clause", "degree", "end", "negated", "place", "places", "region", "start")

    def __init__(self, atom: str, start: int, end: int, clause: int, region: str) -> None:
        self.atom, self.start, self.end = atom, start, end
        self.clause, self.region = clause, region
        self.place = False
        """It is a location."""
        self.places: tuple[str, ...] = ()
        self.degree = ""
        self.negated = False
        self.choice = 0

    def term(self, text: str, lexicon: Lexicon) -> Term:
        """The finished term."""
        return Term(
            self.atom,
            lexicon.atoms[self.atom].category,
            text[self.start : self.end],
            self.start,
            self.end,
            self.degree,
            self.negated,
            self.places,
            self.choice,
        )
