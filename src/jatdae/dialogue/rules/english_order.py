"""Whether a clause tells the patient outright what to do with a thing X, and does not only speak of it."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.rules.english_clause import is_dosed, is_in, is_prescribed, verb_of, without_cancelled
from jatdae.dialogue.rules.english_pieces import Piece, Tag, leads


def is_direct(piece: Piece) -> bool:
    """Whether a clause tells the patient outright: "take X", "you can have X", "I suggest X", "X is fine"."""
    place = piece.words.index("X")
    before = [tag for tag in piece.tags if tag.end <= place]
    behind = [tag for tag in piece.tags if tag.at > place]
    kinds = {kind for tag in before for kind in tag.kinds}
    verb = verb_of(before, piece.words)
    if "okay" in kinds or "speaker" in kinds or {"you", "modal"} <= kinds or (verb is not None and leads(verb, piece)):
        return True
    if is_prescribed(behind) or _is_remedy(behind, place) or is_dosed(behind, piece.words) or _is_order(piece, place):
        return True
    if without_cancelled(piece.tags, piece.words)[1]:
        return True
    if _GENERAL.search(piece.text):
        return False
    judged = any("good" in tag.kinds and piece.words[tag.at] not in _PRAISE for tag in (*before, *behind))
    return judged and piece.has("be")


_GENERAL: Final = re.compile(
    r"\b(?:in (?:the )?general|general population|generally|normally|usually|ordinarily|as a rule|most|many|others|"
    r"plenty of|lots of|popular|common|textbook|classic|traditional|older|approved|licen[sc]ed|marketed|famous|"
    r"best-known)\b"
)
"""What holds of others in general, and is not told to the patient."""


_PRAISE: Final = frozenset(
    ("effective", "popular", "strong", "natural", "cheap", "convenient", "quick", "quickest", "fast", "fastest",
     "healthy", "delicious", "tasty", "handy", "mild", "strongest", "standard", "simple", "nice", "super", "superfood",
     "powerhouse")
)  # fmt: skip
"""Words that praise what a thing is like, which allows nobody to take it."""


def _is_order(piece: Piece, place: int) -> bool:
    """Whether nothing but an amount stands before X, and how often behind it: "250 mg of the X every 12 hours"."""
    doses = [tag for tag in piece.tags if "dose" in tag.kinds]
    if not doses or not doses[0].at < place < doses[-1].at:
        return False
    others = (word for number, word in enumerate(piece.words) if number != place and not is_in(number, tuple(doses)))
    return _BY_THE_WAY.issuperset(others)


_BY_THE_WAY: Final = frozenset(
    ("of", "the", "your", "a", "for", "with", "at", "in", "about", "on", "or", "to", "then", "and")
)


def _is_remedy(behind: list[Tag], place: int) -> bool:
    """Whether a dose is told with what it will do: "X 600 mg three times a day should settle the pain"."""
    if not behind or behind[0].at != place + 1 or "dose" not in behind[0].kinds:
        return False
    verb = next((n for n, tag in enumerate(behind) if "modal" in tag.kinds), None)
    if verb is None or {"can", "would"} & behind[verb].kinds.keys():
        return False
    return verb + 1 < len(behind) and "help" in behind[verb + 1].kinds
