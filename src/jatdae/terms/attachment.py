"""Which of the terms read so far a later word applies to: locations, emphasis, heads that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.term import Draft

EMPHASIS_REACH: Final = 24
"""How many terms before an emphasis it can apply to."""


def last_of_region(drafts: Sequence[Draft]) -> list[Draft]:
    """The last terms of one clause that belong to one region, without locations."""
    found: list[Draft] = []
    for draft in reversed(drafts):
        if draft.atom.place:
            continue
        if found and (draft.clause, draft.atom.region) != (found[0].clause, found[0].atom.region):
            break
        found.append(draft)
    return found


def bind_back(drafts: Sequence[Draft], places: tuple[str, ...]) -> None:
    """Add locations to the last stated terms of one region of a description: 苔黄腻，以根部为甚."""
    last: Draft | None = None
    for draft in reversed(drafts[-EMPHASIS_REACH:]):
        if draft.atom.place:
            continue
        last = last or draft
        if (draft.clause, draft.atom.region) != (last.clause, last.atom.region):
            break
        draft.places = tuple(dict.fromkeys((*draft.places, *places)))


def free_headed(drafts: Sequence[Draft], places: tuple[str, ...], clause: int, region: str, start: int) -> None:
    """Remove locations from terms that belong to the head word after them, if earlier terms keep them.

    In 舌尖红薄白苔 尖 applies to 红 alone.
    """
    headed: list[Draft] = []
    for draft in reversed(drafts):
        if draft.clause != clause:
            return
        if draft.atom.region != region or draft.atom.place or draft.end + 1 < start:  # 두꺼운 백태
            if draft.places == places:
                for each in headed:
                    each.places = ()
            return
        headed.append(draft)
        start = draft.start
