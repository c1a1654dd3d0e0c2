"""Whether something is said of the past: "You had …", "… 앓으셨습니다", a history of it."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.english_verbs import (
    BE,
    DO,
    HAVE,
    ING,
    LINK,
    NOT,
    PAST,
    WAS,
    EnglishWord,
    load_english_words,
)

_NOW: Final = re.compile(r"지금|현재|요즘|오늘|\b(?:now|today|currently|still|at present|at the moment)\b")
_MARK: Final = re.compile(
    r"\b(?:history of|previous|previously|prior|past|former|formerly|once|earlier|recovered|resolved|used to)\b"
    r"|과거|예전|이전|한때|병력|기왕력|완치|앓은|걸린|복용한 적"
)
_LINK: Final = re.compile(r"[,;]|\b(?:and|but)\b|[고며만] ")
_NEAR: Final = 32
_WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|[;:]")
_HANGUL: Final = re.compile("[가-힣]")
_PRESENT: Final = re.compile(
    r"계십|계세|계시|있습|있으[시십세]|있어요|드십|드시[는고]|합니다|하십|하시는|중이[시십에며고]|중인|입니다"
)
_EVER: Final = re.compile(r"적[이은도]?")
_SS: Final = 20
"""Number of the final consonant ㅆ, the mark of the Korean past, among those of a syllable."""
_NO_PAST: Final = "있겠"
"""Syllables that end in ㅆ and are no past."""


def is_past(text: str, start: int, end: int, bounds: tuple[int, int]) -> bool:
    """Whether a folded sentence, which stands at `bounds` of a text, says of the past what it names at start:end."""
    first, last = bounds
    if is_of_now(text, start, end, bounds):
        return False
    if _MARK.search(text, max(first, start - _NEAR), min(last, end + _NEAR)):
        return True
    if _HANGUL.search(text, end, last):
        return _is_korean_past(text[end:last])
    return _is_english_past(text[first:start], text[end:last])


def is_of_now(text: str, start: int, end: int, bounds: tuple[int, int]) -> bool:
    """Whether the clause of what is named at start:end says that it is so today: currently, 현재."""
    links = [found.end() for found in _LINK.finditer(text, bounds[0], start)]
    return bool(_NOW.search(text, links[-1] if links else bounds[0], start) or _NOW.match(text, end + 1))


def _is_korean_past(behind: str) -> bool:
    """Whether the first predicate with a tense, behind what is named, has -었-, -던 or is of experience (-ㄴ 적)."""
    now = _PRESENT.search(behind)
    for at, syllable in enumerate(behind[: now.end() if now else None]):
        if "가" <= syllable <= "힣" and (ord(syllable) - ord("가")) % 28 == _SS and syllable not in _NO_PAST:
            return True
        if syllable == "던" or (syllable == "적" and at > 1 and behind[at - 1] == " " and _EVER.match(behind, at)):
            return True
    return False


def _is_english_past(before: str, behind: str) -> bool:
    """Whether the verb next before what is named is in the past; without any, the first one behind it."""
    known = load_english_words()
    chain: list[tuple[str, EnglishWord | None]] = []
    words: list[str] = _WORD.findall(before)
    for word in reversed(words):
        entry = known.get(word)
        if chain and not _continues(entry):
            break
        if chain or _is_verb(word, entry):
            chain.append((word, entry))
    if not chain:
        for word in _WORD.findall(behind):
            entry = known.get(word)
            if chain and not (_is_verb(word, entry) or (entry and entry.flags & NOT)):
                break
            if chain or _is_verb(word, entry):
                chain.insert(0, (word, entry))
    return bool(chain) and _chain_is_past(chain)


def _is_verb(word: str, entry: EnglishWord | None) -> bool:
    if entry is None:
        return len(word) > 4 and word.endswith("ed")
    return bool(entry.forms or entry.flags & (BE | HAVE | DO)) and not entry.flags & LINK


def _continues(entry: EnglishWord | None) -> bool:
    """Whether a word before a verb belongs to it: have been taking, did not take, have also had."""
    return entry is not None and bool(entry.flags & (BE | HAVE | DO | NOT) or entry.idle)


def _chain_is_past(chain: list[tuple[str, EnglishWord | None]]) -> bool:
    """Whether a verb with its auxiliaries, the last word first, is in the past: took, had been taking, have taken."""
    words = {word for word, _ in chain}
    if words & {"had", "was", "were", "did", "wasn't", "weren't", "didn't", "hadn't", "you'd"}:
        return True
    _, main = chain[0]
    forms = main.forms if main else PAST
    if forms & ING:  # have been taking: still so
        return False
    present = any(entry and entry.flags & BE and not entry.flags & WAS for _, entry in chain)
    return bool(forms & PAST) and not present
