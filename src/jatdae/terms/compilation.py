"""From the lists of a lexicon file to a vocabulary."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ahocorasick_rs import AhoCorasick, MatchKind

from jatdae.core.yamlfile import KeyPath
from jatdae.terms.checks import listed_words
from jatdae.terms.format import LexiconFile, Typo
from jatdae.terms.hangul import is_hangul
from jatdae.terms.vocabulary import Vocabulary, Word

Spell = Callable[[str], str]
Heads = Mapping[str, tuple[str, bool]]
"""Heads with the region they open, and whether they do so only from inside the subject."""

_ROLES: Final[Mapping[KeyPath, str]] = {
    ("words", "negation", "list"): "not_list",
    ("words", "negation", "next"): "not_next",
    ("words", "negation", "back"): "not_back",
}


def compile_vocabulary(content: LexiconFile) -> Vocabulary:
    """The vocabulary of a lexicon that has passed its checks."""
    characters = {ord(pair[0]): pair[1] for pair in content.characters}

    def spell(text: str) -> str:
        return unicodedata.normalize("NFC", text).translate(characters)

    heads: dict[str, tuple[str, bool]] = {}
    for name, region in content.regions.items():
        heads |= {spell(head): (name, False) for head in region.heads}
        heads |= {spell(head): (name, True) for head in region.inner}
    words = {spell(word.text): word for word in (*_steering_words(content), *_state_words(content, heads, spell))}
    patterns = {spell(word.text): word for word in _pattern_words(content, heads, spell)}
    corrections = {spell(typo.wrong): spell(typo.right) for typo in content.typos}
    return Vocabulary(
        characters=characters,
        typos=_typo_pattern(content.typos, spell),
        corrections=corrections,
        suspects=frozenset(wrong[0] for wrong in corrections),
        words=tuple(words.values()),
        finder=AhoCorasick(list(words), matchkind=MatchKind.LeftmostLongest),
        patterns=tuple(patterns.values()),
        pattern_finder=AhoCorasick(list(patterns), matchkind=MatchKind.LeftmostLongest),
    )


def _steering_words(content: LexiconFile) -> Iterator[Word]:
    for path, group in listed_words(content):
        role = _ROLES.get(path, str(path[-1]))
        for text in group:
            yield Word(role, text, _letters(text), weak=role == "endings" or _is_syllable(text))


def _state_words(content: LexiconFile, heads: Heads, spell: Spell) -> Iterator[Word]:
    """Heads and surfaces. A surface that has a head of its region in it is a head too: 少苔, 红舌, 舌尖."""
    readings: dict[str, dict[str, tuple[str, ...]]] = {text: {} for text in heads}
    places: set[str] = set()
    for prefix, values in content.atoms.items():
        axis = content.axes[prefix]
        for value, atom in values.items():
            for text in (spell(surface) for group in atom.surfaces.values() for surface in group):
                readings.setdefault(text, {})[axis.region] = (f"{prefix}_{value}",)
                if axis.place:
                    places.add(text)
    weak, bound = set(map(spell, content.weak)), set(map(spell, content.bound))
    for text, said in readings.items():
        if text in places:
            near = {head: opened for head, opened in heads.items() if text.startswith(head)}
        else:
            near = {head: opened for head, opened in heads.items() if opened[0] in said}
        region, inner = heads.get(text) or _head_in(text, near)
        yield Word(
            "state",
            text,
            _letters(text),
            head=region,
            inner=inner,
            mention=text in heads,
            readings=said,
            only=next(iter(said.values())) if len(said) == 1 and text not in bound else (),
            weak=text in weak or _is_syllable(text),
            bound=text in bound,
        )


def _pattern_words(content: LexiconFile, heads: Heads, spell: Spell) -> Iterator[Word]:
    """Patterns. One that has a head in it (苔黄腻) opens the region of its last atom."""
    for text, atoms in content.patterns.items():
        home = content.axes[atoms[-1].partition("_")[0]].region
        opens = home if _head_in(spell(text), heads)[0] else ""
        yield Word("pattern", text, _letters(text), head=opens, only=tuple(atoms))


def _head_in(text: str, heads: Heads) -> tuple[str, bool]:
    """What the longest head in a text opens."""
    found = [head for head in heads if head in text]
    return heads[max(found, key=len)] if found else ("", False)


def _typo_pattern(typos: Iterable[Typo], spell: Spell) -> re.Pattern[str] | None:
    """One expression for all slips. It is made of literals and fixed look-arounds alone, so it runs in linear time."""

    def each(form: str, texts: Iterable[str]) -> list[str]:
        return [form.format(re.escape(spell(text))) for text in texts]

    made = []
    for typo in typos:
        after = f"(?:{'|'.join(each('(?<={})', typo.after))})" if typo.after else ""
        not_after = "".join(each("(?<!{})", typo.not_after))
        before = f"(?={'|'.join(each('{}', typo.before))})" if typo.before else ""
        made.append(f"{after}{not_after}{re.escape(spell(typo.wrong))}{before}")
    return re.compile("|".join(made)) if made else None


def _is_syllable(text: str) -> bool:
    return len(text) == 1 and is_hangul(text)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
