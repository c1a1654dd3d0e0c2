"""Where an answer agrees to what it was asked without naming it: "Yes, that is fine.", 네, 드셔도 됩니다."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from jatdae.dialogue.reading.mentions import Passage
from jatdae.dialogue.reading.sentences import find_sentences
from jatdae.dialogue.rules.advice import AdviceReader
from jatdae.dialogue.rules.frames import LINKED, THINGS, WINDOW
from jatdae.dialogue.rules.korean_links import read_next
from jatdae.dialogue.rules.replies import OPENING, YES, is_declined, read_reply, said_of_it
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, STOP, TAKE, UNFIT


def find_consent(passage: Passage, asked: str, about: frozenset[str] = frozenset()) -> tuple[int, int] | None:
    """Where an answer begins by agreeing to what it was asked, without naming it: "Yes, that is fine.", 드셔도 됩니다.

    `asked` tells whether it was asked to take the thing, to stop it, or whether it is needed, `about` the concepts it
    is about. None if the answer does not agree, names a thing of its own there, or says otherwise further on.
    """
    text = passage.folded
    named = [m.start for m in passage.mentions if m.concept.category in THINGS]
    end = 0
    for last in [*find_sentences(text)[1 : OPENING + 1], len(text)]:
        opening = not end or YES.fullmatch(text, 0, end) or LINKED.match(text, end)
        if not opening or any(end <= place < last for place in named):
            break
        end = last
    agreed = (TAKE, KEEP, MORE) if asked == TAKE else (STOP,)
    consents = 0 < end <= WINDOW and not (asked == TAKE and is_declined(text[:end].strip()))
    if consents and read_reply(text[:end].strip(), asked) in agreed:
        consent: tuple[int, int] | None = (0, end)
    else:
        consent = _both(text, named) if asked == TAKE else None
    return None if consent is None or _is_taken_back(passage, consent[1], asked, about) else consent


_BOTH: Final = re.compile(
    r"(?:두 (?:가지|약|종류|제품)|두 약제|둘)[^.?!\n]{0,12} "
    r"(?P<told>(?:같이|함께|동시에|병용)[^.?!\n]*도 (?:됩|돼|괜찮|무방|좋|문제없|안전)[^.?!\n]*)"
)
"""Leave to take both of what was asked about: 두 가지를 같이 드셔도 됩니다."""
_MARKUP: Final = re.compile(r"[*_`]")


def _both(text: str, named: list[int]) -> tuple[int, int] | None:
    """The first sentence near the beginning that allows both of what was asked about, and names nothing itself."""
    for first, last in pairwise([*find_sentences(text), len(text)]):
        if first > WINDOW:
            return None
        sentence = _MARKUP.sub("", text[first : min(last, first + WINDOW)]).strip()
        both = _BOTH.search(sentence)
        own = not any(first <= place < last for place in named)
        if both and own and read_reply(both["told"], TAKE) == TAKE:
            return first, last
    return None


def declines(passage: Passage) -> bool:
    """Whether an English answer begins by declining what it was asked for: "It isn't the right one for you."."""
    text = passage.folded
    end = next(iter(find_sentences(text)[1:]), len(text))
    if not 0 < end <= WINDOW or any(m.start < end for m in passage.mentions if m.concept.category in THINGS):
        return False
    return is_declined(text[:end].strip())


class Told(NamedTuple):
    """What a sentence says of a drug that it does not name, and where it stands."""

    stance: str
    start: int
    end: int


def find_told(passage: Passage) -> Told | None:
    """The first sentence near the beginning of a Korean answer that says what to do with what was asked about."""
    text = passage.folded
    starts = [*find_sentences(text)[: OPENING + 1], len(text)]
    for first, last in pairwise(starts):
        stance = read_next(text[first:last].strip()) if 0 < last - first <= WINDOW else ""
        if stance:
            return Told(stance, first, last)
    return None


def _is_taken_back(passage: Passage, end: int, asked: str, about: frozenset[str]) -> bool:
    """Whether what comes behind a consent says otherwise of the same thing: "Sure … Still, don't stop the tablets."."""
    reader = AdviceReader(passage)
    otherwise = (AGAINST, UNFIT) if asked == TAKE else (KEEP,)
    named = [mention for mention in passage.mentions if mention.start >= end and mention.concept.id in about]
    if any(reader.stance(mention.start, mention.end, drug=True) in otherwise for mention in named):
        return True
    return asked != TAKE and any(KEEP in map(said_of_it, part.split(",")) for part in _later(passage.folded, end))


def _later(text: str, end: int) -> list[str]:
    """The sentences behind a place, as far as an answer that takes something back may go."""
    starts = [place for place in find_sentences(text) if place >= end][:OPENING]
    return [text[first : first + WINDOW].partition("\n")[0].strip() for first in starts]
