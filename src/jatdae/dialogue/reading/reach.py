"""How far a cue reaches: what is said of one item of a list holds for all, a denial for what is next to it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

from jatdae.dialogue.reading.clause import Clause, Placed
from jatdae.dialogue.reading.cues import AFFIRM, BEFORE, EXAMPLE, HEDGE, NEGATE, PATIENT, STRONG, TITLE
from jatdae.dialogue.reading.patterns import Span

JOINT: Final = re.compile(
    r"s?(?:[와과랑]|이나|나|하고|,|·|/| 및|,? and|,? or|,? plus| \+|(?= ))\s?(?:그리고 |your |a |an |the |and )?"
)
"""What stands between the items of a list."""
_LISTING: Final = STRONG | EXAMPLE | AFFIRM | PATIENT | HEDGE | TITLE
"""Roles that hold for all items of a list."""
_AT_ONE: Final = 8
"""How many concepts one name may stand for."""
LISTED: Final = 40
"""How many items of a list a role reaches, so that the work stays linear."""


def reach(text: str, mentions: tuple[Span, ...], clause: Clause) -> int:
    """The roles of the cues of a clause, each of which now reaches the names that it is meant for."""
    roles = 0
    for number, act in enumerate(clause.acts):
        if act[0] == NEGATE and _is_within(mentions, act):  # "can't pass urine": what is named is that
            clause.acts[number] = (0, *act[1:])
            continue
        roles |= act[0]
        if act[2] and act[0] == NEGATE and act[1] == BEFORE:
            act = _nearest(mentions, act)  # noqa: PLW2901
        if act[2] and act[0] & (_LISTING | NEGATE):
            clause.acts[number] = _reaching_on(text, mentions, clause.start, act)
    return roles


def _reaching_on(text: str, mentions: tuple[Span, ...], start: int, act: Placed) -> Placed:
    """What is said of the first item of a list holds for all: "지금 드시는 A와 B", "your A and B"."""
    role, scope, near, at, to = act
    if not near:
        return act
    if scope == BEFORE:
        reached = at - near
        behind = bisect_right(mentions, (at, at))
        for number in range(behind - 1, max(-1, behind - LISTED), -1):
            first, last = mentions[number]
            if first < start or last < reached:
                break
            if last <= at:
                earlier = reversed(mentions[max(0, number - _AT_ONE) : number])
                before = next((end for _, end in earlier if end < first), -1)
                joint = JOINT.match(text, before) if before >= 0 else None
                reached = min(reached, before if joint and joint.end() >= first else last)
        return role, scope, at - reached, at, to
    reached = to + near
    ahead = bisect_left(mentions, (max(to, start), 0))
    for first, last in mentions[ahead : ahead + LISTED]:
        if first > reached:
            break
        joint = JOINT.match(text, last)
        reached = max(reached, joint.end() + 1 if joint else first)
    return role, scope, reached - to, at, to


def _is_within(mentions: tuple[Span, ...], act: Placed) -> bool:
    return any(start <= act[3] and act[4] <= end for start, end in mentions)


def _nearest(mentions: tuple[Span, ...], act: Placed) -> Placed:
    """A denial of what stands right before it: "불편감은 협심증이 아니라 …" does not deny the first."""
    role, scope, near, at, to = act
    behind = bisect_right(mentions, (at, at))
    gaps = [at - end for _, end in mentions[max(0, behind - _AT_ONE) : behind] if 0 <= at - end <= near]
    return role, scope, max(1, min(gaps)) if gaps else near, at, to
