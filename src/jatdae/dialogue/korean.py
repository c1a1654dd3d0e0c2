"""Korean words that make predicates: what an eojeol is, and what a predicate says by its kind, mood and last ending."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jatdae.dialogue.cues import AFFIRM, AFTER, BEFORE, BITS, CONDITION, GENERAL, KEEP, NEGATE, STRONG, Act, Cue
from jatdae.dialogue.hangul import Form, korean, read_form
from jatdae.dialogue.reading.words import WORDS, BoundedCache, expand

ADNOMINAL: Final = frozenset(("present", "past", "future", "was"))
"""Endings with which a verb describes the noun behind it."""
TOLD: Final = frozenset(("order", "fine", "forbid", "allow", "free"))
"""Moods of advice."""
_NEAR: Final = 4
"""How far behind its predicate what it describes may stand: 드시는 혈압약은."""
_CUT: Final = dict.fromkeys(
    ("then", "or", "but", "cause", "so", "aim", "lest", "if", "even", "must", "state", "gist", "order"), "after"
) | {"and": "joining", "join": "joining"}
"""How a clause goes on behind an ending."""
_WEAK: Final = frozenset(("", "do", "become", "happen", "cause", "prevent"))
"""Kinds that say nothing of themselves; in the past, or said with respect, they are of the patient."""
_PRAISING: Final = frozenset(("avoid", "advise", "good", "bad"))
_AROUND: Final = "([{\"'*-–—_#<>→•·"
_BEHIND: Final = ")]}\"'*:;.!?…~_<>。"
_PARTICLES: Final = "이가을를은는도의만"


@dataclass(frozen=True, slots=True, eq=False)
class Eojeol:
    """What stands between two spaces."""

    word: str
    lead: int
    """How many marks stand before the word."""
    noun: str
    """Without its particles."""
    adverb: str = ""
    """skip, against, still or rashly, where it is such a word."""
    head: str = ""
    """How it takes up a verb before it, where it is a noun that does."""
    form: Form | None = None
    role: int = 0
    """What it says as a noun of its own, or as a heading (피하기:)."""
    pairs: Mapping[str, str] | None = None
    """The verbs that it makes with those behind it."""
    plain: bool = False
    """Whether it is none of all this."""
    size: int = 0
    """How long the word is."""


class Predicate(NamedTuple):
    """A predicate with all that its meaning depends on."""

    sort: str
    mood: str
    ending: str
    past: bool
    honoured: bool
    still: bool
    rashly: bool


class Tables(NamedTuple):
    """The bundled tables that are not about forms."""

    moods: Mapping[str, Mapping[str, str]]
    roles: Mapping[str, Mapping[str, int]]
    pairs: Mapping[str, Mapping[str, str]]
    taking: frozenset[str]
    adverbs: Mapping[str, str]
    heads: Mapping[str, str]
    nouns: Mapping[str, int]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The bundled tables."""
    content: dict[str, Any] = korean()
    return Tables(
        content["moods"],
        {
            sort: {m: sum(BITS[r] for r in roles.split()) for m, roles in row.items()}
            for sort, row in content["roles"].items()
        },
        content["pairs"],
        frozenset(content["taking"]),
        {word: name for name, words in content["adverbs"].items() for word in words},
        {form: head for head, given in content["heads"].items() for word in given for form in expand(word)},
        {form: BITS[role] for role, given in content["nouns"].items() for word in given for form in expand(word)},
    )


def _eojeol(raw: str) -> Eojeol | None:
    word = raw.strip(_AROUND).rstrip(_BEHIND)
    if not word:
        return None
    known = tables()
    adverb, head = known.adverbs.get(word, ""), known.heads.get(word, "")
    form = read_form(word) if not adverb and "가" <= word[-1] <= "힣" else None
    role = known.nouns.get(word, 0)
    if form is not None and form.ending == "noun" and raw.rstrip("*_").endswith(":"):
        role, form = known.roles.get(form.sort, {}).get("order", 0), None
    noun = word.rstrip(_PARTICLES) or word
    plain = not (adverb or head or form or role)
    return Eojeol(word, raw.index(word), noun, adverb, head, form, role, pairs_of(noun), plain, len(word))


look_up: Final = BoundedCache(_eojeol, WORDS).__getitem__
"""What an eojeol is; None where it is nothing but marks."""


def pairs_of(noun: str) -> Mapping[str, str] | None:
    """The verbs that a noun, or the last of several in one, makes with those behind it."""
    pairs = tables().pairs
    return pairs.get(noun) or pairs.get(noun[-2:]) or pairs.get(noun[-1:])


@lru_cache(maxsize=4096)
def meaning(
    sort: str, mood: str, ending: str, past: bool, honoured: bool, still: bool, rashly: bool
) -> tuple[Cue | None, Cue | None]:
    """What a predicate says of what precedes it, and of what it describes behind it."""
    said = Predicate(sort, mood, ending, past, honoured, still, rashly)
    role = _role(said)
    if ending not in ADNOMINAL:
        cut = _CUT.get(ending, "") if said.sort != "amount" else ""  # "하루 한 개 정도라면": no condition of its own
        # "천식입니다", "천식 환자이므로", and not all that precedes
        near = _NEAR if said.sort == "be" and role == AFFIRM and not (said.honoured or said.past) else 0
        return (cue(role, BEFORE, near, cut) if role or cut else None), None
    if role in (AFFIRM, NEGATE, GENERAL):
        described = cue(STRONG, AFTER, _NEAR, "") if role == AFFIRM and ending != "future" else None
        return cue(role, BEFORE, 0, "after"), described
    if role and (said.mood != "state" or said.sort in _PRAISING):
        return cue(role, BEFORE | AFTER, 0, ""), None
    return None, None


@lru_cache(maxsize=256)
def cue(role: int, scope: int, near: int, cut: str) -> Cue:
    """A predicate as a cue."""
    return Cue((Act(role, scope, near),) if role else (), cut, False, False, False, "")


def _role(said: Predicate) -> int:
    sort, ending = said.sort, said.ending
    if ending in ("if", "even") and sort != "amount":
        return CONDITION
    if ending in ("noun", "way"):
        return 0
    mood = "order" if said.mood == "fine" or (said.mood == "state" and ending == "must") else said.mood
    if mood == "state":
        if sort in _WEAK and (said.past or said.honoured):
            return AFFIRM
        if sort == "stop" and not said.past and ending not in ADNOMINAL:
            return 0
    if said.rashly and mood == "forbid" and sort not in ("take", "do"):
        return KEEP  # 임의로 줄이지 마세요
    if said.still and mood in ("order", "allow") and sort in ("take", "do", "have"):
        return KEEP  # 꾸준히 드세요
    roles = tables().roles.get(sort, {})
    return roles.get(mood, roles.get("state", 0) if mood == "told" else 0)
