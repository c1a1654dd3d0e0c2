"""Locations bind what follows them, and sometimes what stands before."""

from __future__ import annotations

from collections.abc import Sequence

from jatdae.terms.draft import Draft


class Places:
    """The locations that are open where a text is being read."""

    __slots__ = ("bound", "names")

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.bound = False
        """They have bound something."""

    def name(self, atom: str) -> None:
        """A location: it joins those before it (边尖红), unless they have bound something already (尖红边暗)."""
        self.names = (atom,) if self.bound else (*self.names, atom)
        self.bound = False

    def bind(self) -> tuple[str, ...]:
        """The locations of an atom that is stated now."""
        self.bound = bool(self.names)
        return self.names

    def end(self) -> None:
        """Nothing more is bound."""
        self.names, self.bound = (), False

    def bind_back(self, drafts: Sequence[Draft]) -> None:
        """Bind the atoms of one region that were stated last: 苔黄腻，以根部为甚."""
        last: Draft | None = None
        for draft in reversed(drafts):
            if draft.place:
                continue
            last = last or draft
            if (draft.clause, draft.region) != (last.clause, last.region):
                break
            draft.places = tuple(dict.fromkeys((*draft.places, *self.names)))
        self.bound = True

    def unbind_headed(self, drafts: Sequence[Draft], clause: int, region: str, start: int) -> None:
        """Free the atoms before a head that heads them, if others were bound: in 舌尖红薄白苔 尖 binds 红 alone."""
        headed: list[Draft] = []
        for draft in reversed(drafts):
            if draft.clause != clause:
                return
            if draft.region != region or draft.place or draft.end < start:
                if draft.places == self.names:
                    for each in headed:
                        each.places = ()
                return
            headed.append(draft)
            start = draft.start
