"""Locations bind what follows them, and sometimes what stands before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.model import Draft

BACK: Final = 24
"""How many terms before an emphasis may be what it stresses."""


def bind_back(drafts: Sequence[Draft], places: tuple[str, ...]) -> None:
    """Bind the atoms of one region that were stated last: 苔黄腻，以根部为甚."""
    last: Draft | None = None
    for draft in reversed(drafts[-BACK:]):
        if draft.atom.place:
            continue
        last = last or draft
        if (draft.clause, draft.atom.region) != (last.clause, last.atom.region):
            break
        draft.places = tuple(dict.fromkeys((*draft.places, *places)))


def free_headed(drafts: Sequence[Draft], places: tuple[str, ...], clause: int, region: str, start: int) -> None:
    """Free the atoms before a head that heads them, if others were bound: in 舌尖红薄白苔 尖 binds 红 alone."""
    headed: list[Draft] = []
    for draft in reversed(drafts):
        if draft.clause != clause:
            return
        if draft.atom.region != region or draft.atom.place or draft.end < start:
            if draft.places == places:
                for each in headed:
                    each.places = ()
            return
        headed.append(draft)
        start = draft.start
