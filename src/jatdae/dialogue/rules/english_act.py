"""Reads a clause of an English answer about an act, which has a verb of its own: "you can skip dinner"."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.rules.english_clause import without_cancelled
from jatdae.dialogue.rules.english_pieces import FINITE, Piece, needs_subject
from jatdae.dialogue.rules.stances import AGAINST, NONE, TAKE


def read_act(piece: Piece) -> str:
    """What a clause says of an act X, which has a verb of its own: "you can skip dinner"."""
    place = piece.words.index("X")
    tags, okay = without_cancelled(piece.tags, piece.words)
    before = [tag for tag in tags if tag.end <= place]
    behind = [tag for tag in tags if tag.at > place]
    kinds = {kind for tag in before for kind in tag.kinds}
    after = {kind for tag in behind for kind in tag.kinds}
    if "?" in piece.text or _IS_ASKED.search(piece.text):
        return NONE
    turning = [tag for tag in before if {"not", "avoid", "stop", "contrast"} & tag.kinds.keys()]
    if turning and piece.words[place - 1] in ("or", "nor") and _FORBIDS.match(piece.words[turning[0].at]):
        return AGAINST  # "don't drop Y or X": the negation is of both
    if sum(piece.words[tag.end] not in ("or", "and") for tag in turning) % 2:
        return AGAINST
    if (
        kinds & {"others", "if", "expert", "danger", "was"}
        or "expert" in after
        or (kinds & {"you"} and not kinds & {"modal"})
    ):
        return NONE
    if okay:
        return TAKE
    if after & {"bad", "not"}:
        return AGAINST
    finite = next((tag for tag in behind if FINITE & tag.kinds.keys()), None)
    subject = place == 0 and finite is not None and _PRONOUNS.isdisjoint(piece.words[: finite.at])
    if subject and finite is not None and needs_subject(finite) and not after & {"good", "help"}:
        return NONE  # "Skipping lunch is how people end up here"
    if (
        after & {"danger"}
        or ("harm" in after and "help" not in after)
        or (behind and "modal" in behind[0].kinds and "good" not in after)
    ):
        return NONE
    return TAKE


_FORBIDS: Final = re.compile(r"(?:don't|never|not|shouldn't|mustn't|can't|cannot)$")
_PRONOUNS: Final = frozenset(("it", "that", "this", "they", "you", "i", "we", "your"))
_IS_ASKED: Final = re.compile(
    r"\b(?:be|been|being|are|were|get) (?:asked|told|instructed|advised|required|expected) to X"
)
"""What another one will ask of the patient: "you'll probably be asked to fast"."""
