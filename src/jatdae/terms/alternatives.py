"""Alternatives that 或 offers: which terms before and after it replace each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.term import Draft

CHOICE_REACH: Final = 12
"""How many terms before 或 can be what it offers an alternative to."""


def join_choice(drafts: Sequence[Draft], middle: int, number: int, *, adding: bool) -> int:
    """Mark the terms before and after 或 ("or") in a description as alternatives of each other.

    The terms after it (`drafts[middle:]`) and their counterparts before it get a common choice number.

    A term after 或 replaces the one before it on the same axis: 苔薄白或薄黄 is 薄, and 白 or 黄. In parallel groups
    the rest of both sides are alternatives too: 苔薄黄或黄腻 is 黄, and 薄 or 腻. 或有 only adds: 舌红或有裂纹
    replaces nothing.

    Numbering continues from `number`; returns the last number given.
    """
    before = _counterparts(drafts[max(0, middle - CHOICE_REACH) : middle])
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
    """Candidates before 或, nearest first: those of its clause, or of the clause before if 或 begins one."""
    return [draft for draft in reversed(drafts) if draft.clause == drafts[-1].clause and not draft.negated]


def _pair(a: Draft, b: Draft, number: int) -> int:
    if a.atom is not b.atom:
        if not a.choice:
            number += 1
        a.choice = b.choice = a.choice or number
    return number
