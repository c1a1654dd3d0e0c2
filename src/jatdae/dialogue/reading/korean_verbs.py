"""Korean verb forms: splits an eojeol into a known verb stem and its ending.

Forms are compared as conjoining jamo, so that 줄이다 is found in 줄인, 줄입니다 and 줄여 alike. Which stems there are,
and of what class, and which endings, is in `lexicon/korean.yaml`; here is only how they join: the vowel 으 between
consonants, honorific 시, past 었, the infinitive in 아/어 with its contractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.reading.concepts import LEXICON_FOLDER
from jatdae.dialogue.reading.words import WORDS, BoundedCache, expand

_FINALS: Final = str.maketrans("ㄴㄹㅁㅂㅆ", "\u11ab\u11af\u11b7\u11b8\u11bb")
"""Letters that stand alone in the table are the final consonants of what precedes them."""
_BRIGHT: Final = "\u1161\u1169\u1163"
"""ㅏ ㅗ ㅑ: after these vowels the infinitive ends in 아."""
_CONTRACTED: Final = {
    "\u1161": "\u1161", "\u1165": "\u1165", "\u1162": "\u1162", "\u1166": "\u1166", "\u1167": "\u1167",
    "\u1169": "\u116a", "\u116e": "\u116f", "\u1175": "\u1167", "\u1173": "\u1165", "\u116c": "\u116b",
}  # fmt: skip
"""The last vowel of a stem and what 아/어 makes of it: ㅗ ㅘ, ㅜ ㅝ, ㅣ ㅕ, ㅡ ㅓ, ㅚ ㅙ."""
_HELPERS: Final = [
    normalize("NFD", stem)
    for stem in expand("{|하|해|하지|해지|해져|거리|거려|대|지|져|오르|올라|들|들어|나|나오|있|보이}")
]
"""What may stand between the stem of a symptom and its ending."""
_LONGEST_ENDING: Final = 24
_LONGEST_STEM: Final = 16
_SUFFIXED: Final = frozenset(("do", "become", "be"))
_COMPOUND: Final = ("\u1112\u1161", "\u1112\u1162", "\u1103\u116c", "\u1103\u116b")
"""하, 해, 되 and 돼 may follow a noun, as 이 does; any other verb must begin its eojeol."""
_HONOURING: Final = tuple(normalize("NFD", stem) for stem in ("드시", "드셔", "계시", "계셔", "잡수시", "주무시"))
"""Stems that honour the patient by themselves."""
_WORD: Final = 40
"""Longest eojeol that is read, in characters."""


class Form(NamedTuple):
    """A Korean verb form found in a text: the kind of its stem, its ending and tense."""

    sort: str
    """The kind of its stem; empty if only the ending is known."""
    ending: str
    past: bool
    honoured: bool
    at: int
    """Where in the eojeol the stem begins."""


class VerbTables(NamedTuple):
    """Korean verb stems and endings, as jamo."""

    stems: Mapping[str, str]
    infinitives: Mapping[str, str]
    plain: Mapping[str, tuple[str, bool, bool]]
    """Endings after a stem: class, past, honorific."""
    joined: Mapping[str, tuple[str, bool, bool]]
    """Endings after an infinitive."""
    only: Mapping[str, frozenset[str]]
    """Kinds of verbs that are read only with the listed endings."""
    clear: frozenset[str]
    """Classes of endings that show a verb even where its stem is unknown."""
    endings: frozenset[str]
    """All of `plain` and `joined`."""
    tails: tuple[str, ...]
    """Last jamo of the stems and infinitives that may follow a noun."""


@lru_cache(maxsize=1)
def load_korean_yaml() -> dict[str, Any]:
    """Load the bundled file on the Korean verbs and predicates of answers."""
    content: dict[str, Any] = read_yaml(LEXICON_FOLDER / "korean.yaml").value
    return content


@lru_cache(maxsize=1)
def _load_verb_tables() -> VerbTables:
    """Load all Korean verb stems and endings, with the forms in which they join."""
    content = load_korean_yaml()
    stems: dict[str, str] = {}
    infinitives: dict[str, str] = {}
    for sort, words in content["verbs"].items():
        for word in (form for given in words for form in expand(given)):
            stem, _, irregular = word.partition("/")
            stems.setdefault(_jamo(stem), sort)
            if irregular.endswith("워"):
                stems.setdefault(_jamo(irregular[:-1] + "우"), sort)  # 쉽다, 쉬워: 쉬우므로, 쉬운
            for form in [_jamo(irregular)] if irregular else infinitives_of(_jamo(stem)):
                infinitives.setdefault(form, sort)
    plain: dict[str, tuple[str, bool, bool]] = {}
    joined: dict[str, tuple[str, bool, bool]] = {}
    for name, given in content["endings"].items():
        for ending in given.get("stem", ()):
            for form, honoured in (
                (ending, False),
                ("으" + ending, False),
                ("시" + ending, True),
                ("으시" + ending, True),
            ):
                plain.setdefault(_jamo(form), (name, False, honoured or ending[0] in "세십시"))
            for past, honoured in (("ㅆ", False), ("ㅆ으", False), ("ㅆ었", False), ("ㅆ었으", False)):
                joined.setdefault(_jamo(past + ending), (name, True, honoured))
            for past in ("셨", "으셨", "셨으", "으셨으", "셨었", "으셨었", "셨었으", "으셨었으"):
                plain.setdefault(_jamo(past + ending), (name, True, True))
            plain.setdefault(_jamo("겠" + ending), ("order" if name == "state" else name, False, False))
            plain.setdefault(_jamo("시겠" + ending), (name, False, True))
        for ending in given.get("infinitive", ()):
            joined.setdefault(_jamo(ending), (name, False, False))
            plain.setdefault(_jamo("셔" + ending), (name, False, True))
            plain.setdefault(_jamo("겠어" + ending), ("order", False, False))
            plain.setdefault(_jamo("으셔" + ending), (name, False, True))
            for past in ("ㅆ어", "ㅆ었어"):
                joined.setdefault(_jamo(past + ending), (name, True, False))
            for past in ("셨어", "으셨어", "셨었어", "으셨었어"):
                plain.setdefault(_jamo(past + ending), (name, True, True))
    only = {sort: frozenset(given) for sort, given in content["only"].items()}
    behind = {stem[-2:] for table in (stems, infinitives) for stem, sort in table.items() if _follows(stem, sort)}
    endings = frozenset((*plain, *joined))
    return VerbTables(
        stems, infinitives, plain, joined, only, frozenset(content["clear"]), endings, tuple(sorted(behind))
    )


def read_form(word: str) -> Form | None:
    """Read an eojeol of an answer as a Korean verb: the longest stem before a known ending; None if it is none."""
    if len(word) > _WORD:
        return None
    known = _load_verb_tables()
    text = normalize("NFD", word)
    size = len(text)
    best = -2
    form: tuple[str, tuple[str, bool, bool], int] | None = None
    honoured = False
    for cut in range(max(1, size - _LONGEST_ENDING), size + 1):
        rest = text[cut:]
        if rest not in known.endings:
            continue
        for endings, stems in ((known.plain, known.stems), (known.joined, known.infinitives)):
            ending = endings.get(rest)
            if ending is None:
                continue
            length, sort = _stem(text, cut, stems, known.tails)
            if length <= best or (length < 0 and not (ending[0] in known.clear and endings is known.plain)):
                continue
            if sort in known.only and ending[0] not in known.only[sort]:
                continue
            best, form = length, (sort, ending, cut - max(length, 0))
            honoured = length > 0 and text.endswith(_HONOURING, 0, cut)
    if form is None:
        return None
    sort, (name, past, marked), at = form
    return Form(sort, name, past, marked or honoured, len(normalize("NFC", text[:at])))


def _read_told(given: tuple[str, int]) -> Form | None:
    word, place = given
    known = _load_verb_tables()
    text, end = normalize("NFD", word), len(normalize("NFD", word[:place]))
    if ord(text[end - 1]) in _FINALS.values():  # 떨린 ends in the ending ㄴ
        ending = known.plain.get(text[end - 1 :]) or known.joined.get(text[end - 1 :])
        if ending is not None:
            return Form("ail", *ending, 0)
    for helper in _HELPERS:  # 답답하면, 두근거리면, 가빠지면
        if text.startswith(helper, end):
            rest = text[end + len(helper) :]
            ending = known.plain.get(rest) or known.joined.get(rest)
            if ending is not None:
                return Form("ail", *ending, 0)
    return None


_told: Final = BoundedCache(_read_told, WORDS)


def read_told(word: str, place: int) -> Form | None:
    """Read an eojeol whose stem tells of a symptom (발목이 부으면); what is written of the stem ends at `place`."""
    return _told[word, place]


def _stem(text: str, cut: int, stems: Mapping[str, str], tails: tuple[str, ...]) -> tuple[int, str]:
    """Length and kind of the longest known stem that ends at `cut`; after a noun only certain stems may stand."""
    if cut <= _LONGEST_STEM and text[:cut] in stems:
        return cut, stems[text[:cut]]
    if text.endswith(tails, 0, cut):
        for start in range(max(1, cut - _LONGEST_STEM), cut):
            sort = stems.get(text[start:cut])
            if sort is not None and _follows(text[start:cut], sort):
                return cut - start, sort
    return -1, ""


def _follows(stem: str, sort: str) -> bool:
    """Whether a verb may follow a noun."""
    return sort in _SUFFIXED or stem.endswith(_COMPOUND)


def infinitives_of(stem: str) -> Iterator[str]:
    """피하 피해, 줄이 줄여, 먹 먹어, 낮추 낮춰: with and without contraction."""
    last = stem[-1]
    if stem.endswith("\u1112\u1161"):
        yield stem[:-1] + "\u1162"
        yield stem + _jamo("여")
    elif last in _CONTRACTED:
        yield stem[:-1] + _CONTRACTED[last]
        yield stem + _jamo("아" if last in _BRIGHT else "어")
    elif "\u1161" <= last <= "\u1175":
        yield stem + _jamo("어")
    else:
        yield stem + _jamo("아" if stem[-2] in _BRIGHT else "어")


def _jamo(text: str) -> str:
    return normalize("NFD", text).translate(_FINALS)
