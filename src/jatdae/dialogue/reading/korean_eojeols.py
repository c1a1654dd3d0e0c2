"""Eojeols of a Korean sentence, the texts between its spaces, and what each can be by the tables of `korean.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jatdae.dialogue.reading.cues import BITS
from jatdae.dialogue.reading.korean_verbs import Form, load_korean_yaml, read_form
from jatdae.dialogue.reading.words import WORDS, BoundedCache, expand

_VALUE: Final = re.compile(r"\d[\d./]*(?:%|[a-z]+)?(라서?|니까?|므로|고|시고|시니)$")
"""A number with the copula behind it, whose stem is not written."""
_AROUND: Final = "([{\"'*-–—_#<>→•·"
_BEHIND: Final = ")]}\"'*:;.!?…~_<>。"
_PARTICLES: Final = "이가을를은는도의만"


@dataclass(frozen=True, eq=False)
class Eojeol:
    """An eojeol, the text between two spaces of a Korean sentence, with what it can be."""

    word: str
    lead: int
    """How many marks stand before the word."""
    noun: str
    """The word without its particles."""
    adverb: str = ""
    """`skip`, `against`, `still`, `steady` or `rashly` if it is such an adverb, else empty."""
    head: str = ""
    """How it continues a verb before it, if it is such a noun."""
    form: Form | None = None
    role: int = 0
    """Its role as a noun or as a heading (피하기:)."""
    pairs: Mapping[str, str] | None = None
    """The kinds of verbs it forms with the verb after it."""
    plain: bool = False
    """Whether it is none of these."""
    size: int = 0
    """How long the word is."""
    note: str = ""
    """The kind of verb that it stands for at the end of a note: 복용 지속."""


NOTHING: Final = Eojeol("", 0, "")


class PredicateTables(NamedTuple):
    """Tables on Korean predicates: moods, roles, noun and verb pairs, adverbs."""

    moods: Mapping[str, Mapping[str, str]]
    roles: Mapping[str, Mapping[str, int]]
    pairs: Mapping[str, Mapping[str, str]]
    taking: frozenset[str]
    bearing: tuple[str, ...]
    adverbs: Mapping[str, str]
    heads: Mapping[str, str]
    nouns: Mapping[str, int]
    notes: Mapping[str, str]


@lru_cache(maxsize=1)
def load_predicate_tables() -> PredicateTables:
    """Load the bundled tables on Korean predicates in answers."""
    content: dict[str, Any] = load_korean_yaml()
    return PredicateTables(
        content["moods"],
        {
            sort: {m: sum(BITS[r] for r in roles.split()) for m, roles in row.items()}
            for sort, row in content["roles"].items()
        },
        content["pairs"],
        frozenset(content["taking"]),
        tuple(content["bearing"]),
        {word: name for name, words in content["adverbs"].items() for word in words},
        {form: head for head, given in content["heads"].items() for word in given for form in expand(word)},
        {form: BITS[role] for role, given in content["nouns"].items() for word in given for form in expand(word)},
        {word: sort for sort, words in content["notes"].items() for word in words},
    )


def _eojeol(raw: str) -> Eojeol | None:
    word = raw.strip(_AROUND).rstrip(_BEHIND)
    if not word:
        return None
    known = load_predicate_tables()
    adverb, head = known.adverbs.get(word, ""), known.heads.get(word, "")
    form = read_form(word) if not adverb and "가" <= word[-1] <= "힣" else None
    if form is None and word[0].isdecimal() and (value := _VALUE.match(word)):
        form = read_form("값이" + value[1])  # 31.2라, 128/76이니
        form = form and form._replace(at=value.start(1))
    role = known.nouns.get(word, 0)
    if form is not None and form.ending == "noun" and raw.rstrip("*_").endswith(":"):
        role, form = known.roles.get(form.sort, {}).get("order", 0), None
    noun = word.rstrip(_PARTICLES) or word
    plain = not (adverb or head or form or role)
    return Eojeol(
        word,
        raw.index(word),
        noun,
        adverb,
        head,
        form,
        role,
        pairs_of(noun),
        plain,
        len(word),
        known.notes.get(word, ""),
    )


look_up: Final = BoundedCache(_eojeol, WORDS).__getitem__
"""What an eojeol is; None if it consists of marks only."""


def pairs_of(noun: str) -> Mapping[str, str] | None:
    """Kinds of verbs that a Korean noun, or the last part of a compound, forms with the verb after it."""
    pairs = load_predicate_tables().pairs
    return pairs.get(noun) or pairs.get(noun[-2:]) or pairs.get(noun[-1:])
