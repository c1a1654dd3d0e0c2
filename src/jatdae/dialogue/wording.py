"""What an English predicate says of what stands around it, by its kind, force and direction, and by who does it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.dialogue.cues import AFFIRM, AFTER, AGAINST, ALLOW, BEFORE, GENERAL, KEEP, NEGATE, RECOMMEND, Act, Cue
from jatdae.dialogue.english import CAN, ING, ORDER, PAST, STATED, WILL

EFFECT: Final = 40
"""How far what may happen reaches."""
SWAP: Final = 16
"""How far what is to be replaced may stand behind the verb."""
DOING: Final = frozenset(("take", "choose", "other", "avoid", "stop", "miss", "keep", "measure", "urge", "advise"))
"""What one can be told to do with something."""
_HAVING: Final = frozenset(("take", "choose", "other", "have", "miss", "keep", "find", "measure"))
"""What somebody who is spoken of does with what he has."""
_FILLING: Final = frozenset(("take", "other", "have"))


class Chain(NamedTuple):
    """What the verbs so far come to: "not recommend stopping" is told, and turned round twice."""

    force: int = STATED
    turns: int = 0
    """Negations, and verbs of avoiding and stopping."""
    stops: bool = False
    keeps: bool = False


@lru_cache(maxsize=256)
def chained(force: int = STATED, turns: int = 0, stops: bool = False, keeps: bool = False) -> Chain:
    """A chain, made once: there are few, and every verb asks for one."""
    return Chain(force, turns, stops, keeps)


class Said(NamedTuple):
    """A predicate with all that its meaning depends on."""

    sort: str
    forms: int
    chain: Chain
    who: str
    modal: int
    """The force of the modal before it."""
    passive: bool
    past: bool
    bare: bool
    """Whether it has no object of its own: "so avoid it"."""
    others: bool
    """Whether somebody else is named behind it: "recommended for people over 70"."""


@lru_cache(maxsize=4096)
def meaning(
    sort: str, forms: int, chain: Chain, who: str, modal: int, passive: bool, past: bool, bare: bool, others: bool
) -> tuple[tuple[Cue, ...], bool]:
    """What a predicate says, as cues, and whether it speaks of somebody."""
    said = Said(sort, forms, chain, who, modal, passive, past, bare, others)
    return tuple(cue(*act) for act in _acts(said)), _speaks(said)


def _acts(said: Said) -> list[Act]:
    sort, chain, who = said.sort, said.chain, said.who
    scope = BEFORE if said.passive and who != "patient" else AFTER
    if said.bare:
        scope |= BEFORE
    if who == "thing" and not said.passive and chain.force == ORDER and sort in _FILLING:
        scope |= BEFORE  # "vegetables should fill half of the plate"
    told: list[Act] = []
    if who == "generic" or (who == "adviser" and said.modal in (CAN, WILL)):
        told.append(Act(GENERAL, AFTER, 0))
    if said.passive and sort == "advise" and said.others:
        told.append(Act(GENERAL, BEFORE, 0))
    elif sort == "help" and chain.force in (CAN, WILL):
        told.append(Act(RECOMMEND, BEFORE, 0))
    elif sort == "swap":
        role = NEGATE if chain.force == STATED else AGAINST
        told.append(Act(role, scope, 0 if said.passive else SWAP))
    elif chain.force == STATED or (chain.force == WILL and who in ("patient", "generic", "thing")):
        told += _stated(said, scope)
    elif chain.force == CAN and who == "thing" and sort == "other" and not said.passive:
        told.append(Act(GENERAL, AFTER, EFFECT))
    elif sort in DOING or (sort == "have" and (chain.force == ORDER or (chain.force == CAN and who == "patient"))):
        if not (said.passive and chain.force == CAN and sort in ("avoid", "stop")):
            told.append(Act(direction(chain), scope, 0))
    elif chain.force == CAN and sort != "tell":
        told.append(Act(GENERAL, BEFORE if sort == "happen" else AFTER, EFFECT))
    elif sort in ("prevent", "cause"):
        told.append(Act(GENERAL, AFTER, EFFECT))
    return told


def direction(chain: Chain) -> int:
    """For or against: "do not stop" goes on with it, "no need to avoid" allows it."""
    if chain.turns % 2:
        return AGAINST
    if chain.keeps or (chain.turns and chain.stops):
        return KEEP
    return ALLOW if chain.turns else RECOMMEND


def _speaks(said: Said) -> bool:
    """Whether a statement is of somebody who is spoken of, or of what has happened."""
    return said.who in ("patient", "speaker", "adviser") or _happened(said)


@lru_cache(maxsize=64)
def cue(role: int, scope: int, near: int) -> Cue:
    """A predicate as a cue."""
    return Cue((Act(role, scope, near),), "", False, False, False, "")


def _happened(said: Said) -> bool:
    return said.past or bool(said.forms & PAST and not said.passive)


def _stated(said: Said, scope: int) -> list[Act]:
    """What is, or was."""
    sort = said.sort
    if _speaks(said):
        happened = _happened(said)
        if sort == "stop" and (happened or said.who == "patient"):
            return [Act(NEGATE, scope, 0)]
        if sort in _HAVING and said.who != "generic":
            return [Act(AFFIRM, scope, 0)]
        return [Act(GENERAL, AFTER, EFFECT)] if sort in ("prevent", "cause") and not happened else []
    if sort in ("cause", "prevent", "happen") and not said.passive and not said.forms & ING:
        return [Act(GENERAL, AFTER, EFFECT)]
    if sort == "advise" or (sort in ("avoid", "stop") and said.passive):
        return [Act(direction(said.chain), scope, 0)]
    return [Act(AFFIRM, AFTER, 0)] if sort in ("take", "have") and said.forms & ING else []
