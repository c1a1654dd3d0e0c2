"""Forms of Korean verbs and adjectives, so that a lexicon lists 두껍다 and not 두꺼운, 두꺼워, 두꺼웠 … one by one.

The forms are those that endings attach to: the stem, its adnominal and nominal forms, and the forms with 아/어 and with
the past tense. Classes follow from the last syllable of the stem, as in any grammar of Korean: ㅂ 두껍다 → 두꺼운,
ㅎ 누렇다 → 누런, ㅅ 붓다 → 부은, 르 마르다 → 말라, ㄹ 거칠다 → 거친, 으 크다 → 커. A stem of another class gets a form
too many, which nobody writes.
"""

from __future__ import annotations

from typing import Final

VERB_NEGATIONS: Final = ("않", "못")
"""Negations that stand after a verb."""
VERB_ALTERNATIVES: Final = ("거나", "하거나")
"""Endings that join verbs as alternatives."""
ADVERB_ENDINGS: Final = ("게", "히", "쯤", "씩", "로", "정도", "하며", "하고")
"""Endings of adverbs, and of verbs that go on with the same subject."""
ADNOMINAL_ENDINGS: Final = ("는", "은", "던")
"""Endings of verbs before a noun."""
CONNECTIVES: Final = "워아어해여져"
"""Last syllables of verbs that something else follows from."""
SUBJECT_PARTICLES: Final = ("은", "는", "이", "가", "도")
"""Particles of the topic or subject."""

_FIRST: Final = ord("가")
_VOWELS: Final = 21
_FINALS: Final = 28
_A, _AE, _YA, _YAE, _EO, _E, _YEO, _O, _WA, _U, _WO, _EU, _I = 0, 1, 2, 3, 4, 5, 6, 8, 9, 13, 14, 18, 20
_N, _L, _M, _B, _S, _SS, _H = 4, 8, 16, 17, 19, 20, 27
_R: Final = 5
"""Number of the first consonant ㄹ."""
_CONTRACTED: Final = {_I: _YEO, _O: _WA, _U: _WO, _EU: _EO, _A: _A, _EO: _EO, _AE: _AE, _E: _E, _YEO: _YEO}
"""The vowel of a stem, and what it becomes with 아/어."""


def word_forms(word: str) -> tuple[str, ...]:
    """Forms of a Korean word given as a dictionary has it (붉다); any other word is its only form."""
    if not is_dictionary_form(word):
        return (word,)
    stem = word[:-1]
    head, last = stem[:-1], stem[-1]
    consonant, vowel, final = _parts(last)
    if last == "하":
        forms = [head + each for each in ("한", "함", "할", "해", "했")]
    elif final == _B:
        forms = [head + _syllable(consonant, vowel) + each for each in ("우", "운", "움", "울", "워", "웠")]
    elif final == _H:
        forms = [head + _syllable(consonant, each, end) for each, end in ((vowel, _N), (_AE, 0), (_AE, _SS), (_YAE, 0))]
    elif final == _S:
        forms = [head + _syllable(consonant, vowel) + each for each in ("은", "음", "으", *_open_vowels(vowel))]
    elif final == _L:
        forms = [head + _syllable(consonant, vowel, end) for end in (_N, _B, 0)]
        forms += [stem + each for each in _open_vowels(vowel)]
    elif final:
        forms = [stem + each for each in ("은", "음", "을", *_open_vowels(vowel))]
    else:
        forms = [head + _syllable(consonant, vowel, end) for end in (_N, _M, _L, _B)]
        forms += _with_vowel(head, last)
    return (stem, *forms)


def is_dictionary_form(word: str) -> bool:
    """Whether a word is given as a Korean dictionary has it: a stem of Hangul and 다."""
    return len(word) > 1 and word[-1] == "다" and "가" <= word[-2] <= "힣"


def is_adnominal(word: str) -> bool:
    """Whether a Korean word may be the form of an adjective before a noun: it ends in ㄴ (흰, 누런, 마른)."""
    return "가" <= word[-1:] <= "힣" and _parts(word[-1])[2] == _N


def is_past(syllable: str) -> bool:
    """Whether a syllable is one of the past tense: it ends in ㅆ (였, 꺼웠, 컸), and is not 있 or 겠."""
    return "가" <= syllable <= "힣" and syllable not in "있겠" and _parts(syllable)[2] == _SS


def _with_vowel(head: str, last: str) -> list[str]:
    """Forms with 아/어 and with the past tense of a stem that ends in a vowel: 벗겨져, 말라, 컸."""
    consonant, vowel, _ = _parts(last)
    if consonant == _R and vowel == _EU and head:  # 마르다: 말라
        first, before, _ = _parts(head[-1])
        doubled = head[:-1] + _syllable(first, before, _L)
        open_vowel = _A if before in (_A, _YA, _O) else _EO
        return [doubled + _syllable(_R, open_vowel, end) for end in (0, _SS)]
    if vowel in _CONTRACTED:
        return [head + _syllable(consonant, _CONTRACTED[vowel], end) for end in (0, _SS)]
    return [head + last + each for each in _open_vowels(vowel)]


def _open_vowels(vowel: int) -> tuple[str, str]:
    """아/어 and the past tense after a vowel, by vowel harmony."""
    return ("아", "았") if vowel in (_A, _YA, _O) else ("어", "었")


def _parts(syllable: str) -> tuple[int, int, int]:
    """Numbers of the first consonant, the vowel and the final consonant; 0 for no final consonant."""
    rest, final = divmod(ord(syllable) - _FIRST, _FINALS)
    return (*divmod(rest, _VOWELS), final)


def _syllable(consonant: int, vowel: int, final: int = 0) -> str:
    return chr(_FIRST + (consonant * _VOWELS + vowel) * _FINALS + final)
