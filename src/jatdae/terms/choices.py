"""或: which terms are alternatives of which.

What stands after 或 takes the place of what stands before it on the same axis: 苔薄白或薄黄 is 薄, and 白 or 黄. In
parallel groups what is left over on both sides is an alternative too: 苔薄黄或黄腻 is 黄, and 薄 or 腻. 或有 adds:
舌红或有裂纹 puts nothing in the place of 红.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.model import Draft

BACK: Final = 12
"""How many terms before 或 may be what it offers an alternative to."""


def join_choice(drafts: Sequence[Draft], middle: int, number: int, *, adding: bool) -> int:
    """Number the terms of `drafts[middle:]` with their counterparts before `middle`, of which they are alternatives.

    Numbers go on from `number`; returns the last one given.
    """
    before = _counterparts(drafts[max(0, middle - BACK) : middle])
    after = [draft for draft in drafts[middle:] if not draft.negated]
    parallel = False
    for draft in list(after):
        partner = next((each for each in before if each.atom.prefix == draft.atom.prefix), None)
        if partner is not None:
            parallel = True
            before.remove(partner)
            after.remove(draft)
            number = _pair(partner, draft, number)
    if not parallel:
        before, after = ([], []) if adding else (before[:1], after[:1])
    for draft, partner in zip(after, before, strict=False):
        if partner.atom.category == draft.atom.category:
            number = _pair(partner, draft, number)
    return number


def _counterparts(drafts: Sequence[Draft]) -> list[Draft]:
    """What an alternative may be to, the nearest first: the clause of 或, or the one before if 或 begins it."""
    return [draft for draft in reversed(drafts) if draft.clause == drafts[-1].clause and not draft.negated]


def _pair(a: Draft, b: Draft, number: int) -> int:
    if a.atom is not b.atom:
        if not a.choice:
            number += 1
        a.choice = b.choice = a.choice or number
    return number
