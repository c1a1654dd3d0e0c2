"""Cuts a Korean sentence into clauses and tells the kinds of their eojeols by `korean_advice.yaml`.

Every eojeol whose beginning the table knows gets its kinds: take, stop, avoid, harm, good, not ….
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jatdae.core.compiled import beside
from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.reading.patterns import Idioms
from jatdae.dialogue.reading.words import WORDS, BoundedCache, expand

TABLE: Final = beside(__name__, "korean_advice.yaml")
_LONGEST: Final = 6
_HARMS: Final = frozenset(("harm", "bad"))
MARKS: Final = ".,!?;:…\"')(~*"


class Tables(NamedTuple):
    """Beginnings of eojeols by kind, and patterns on clauses."""

    begins: Mapping[str, frozenset[str]]
    exact: Mapping[str, frozenset[str]]
    ends: Mapping[str, re.Pattern[str]]
    shape: Mapping[str, re.Pattern[str]]
    aside: Mapping[str, re.Pattern[str]]
    idioms: Idioms


def cut_clauses(text: str) -> list[str]:
    ends = [found.end() for found in tables().shape["cut"].finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if text[start:end]]


def kinds_of(words: list[str]) -> list[frozenset[str]]:
    """The kinds of each eojeol; the loss of what the body needs is a harm: 효과가 사라집니다."""
    found: list[frozenset[str]] = []
    for word in words:
        kinds = word_kinds(word)
        lost = next((n for n in range(len(found) - 1, max(-1, len(found) - 3), -1) if "wanted" in found[n]), None)
        if "lessens" in kinds and lost is not None:
            found[lost], kinds = frozenset(), frozenset(("harm",))
        found.append(kinds)
    return found


def without_cancelled(kinds: list[frozenset[str]]) -> tuple[list[frozenset[str]], bool]:
    """The eojeols without a harm that is denied and its negation: 부담이 없습니다, 나쁘지 않습니다."""
    kept: list[frozenset[str]] = []
    okay = False
    for each in kinds:
        back = next((n for n in range(len(kept) - 1, max(-1, len(kept) - 4), -1) if _HARMS & kept[n]), None)
        if back is not None and back < len(kept) - 1 and kept[-1] & {"complaint"}:
            back = None  # 혈압이 올라가고 증상이 없어: only the complaint is denied
        denies = each & {"not", "lacking"} or (
            "against" in each and back == len(kept) - 1
        )  # 부담이 없어요, 영향 안 줘요
        if denies and back is not None and not any({"take", "stop", "avoid"} & k for k in kept[back + 1 :]):
            while back and _HARMS & kept[back - 1]:  # 재발 위험이 없습니다
                back -= 1
            del kept[back:]
            okay = True
        elif each & {"absent"} and kept and kept[-1] & {"complaint"}:
            kept.pop()  # 증상이 없어
        else:
            kept.append(each)
    return kept, okay


def _read_kinds(word: str) -> frozenset[str]:
    known = tables()
    bare = word.strip(MARKS)
    if bare in known.exact:
        return known.exact[bare]
    for size in range(min(_LONGEST, len(bare)), 0, -1):
        kinds = known.begins.get(bare[:size])
        if kinds is not None:
            return kinds
    return frozenset()


_cached: Final = BoundedCache(_read_kinds, WORDS)


def word_kinds(word: str) -> frozenset[str]:
    return _cached[word]


@lru_cache(maxsize=1)
def tables() -> Tables:
    content: dict[str, Any] = read_yaml(TABLE).value
    shape = {
        name: re.compile(content[name])
        for name in (
            "cut",
            "other",
            "instead",
            "described",
            "towards",
            "bare",
            "ordered",
            "deferred",
            "named",
            "defined",
            "again",
            "planned",
            "befalls",
            "enough",
            "raised",
            "label",
            "dated",
            "event",
            "event_of_other",
            "rash",
            "unreal",
            "noted",
            "elsewhere",
            "as_well",
            "given",
            "subject",
            "needed",
            "nominal",
            "reported",
            "for_patient",
            "performed",
            "among",
            "beside",
            "recorded",
            "sharp",
            "case",
            "turns",
            "stated",
            "advised",
            "untaken",
            "at_times",
            "forbidden",
            "forbids",
            "act_named",
            "stopped_together",
            "act_labelled",
            "taker",
            "differs",
            "many",
            "lessening",
            "of_then",
        )
    }
    return Tables(
        _by_word(content["begins"]),
        _by_word(content["exact"]),
        {name: re.compile(pattern) for name, pattern in content["ends"].items()},
        shape,
        {name: re.compile(pattern) for name, pattern in content["aside"].items()},
        Idioms((said, meant) for said, meant in content["idioms"]),
    )


def _by_word(table: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    """The kinds of each word of a table of words by kind."""
    kinds: dict[str, set[str]] = {}
    for kind, given in table.items():
        for word in (form for text in given for form in expand(text)):
            kinds.setdefault(word, set()).add(kind)
    return {word: frozenset(each) for word, each in kinds.items()}
