"""From the lists of a lexicon file to a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ahocorasick_rs import AhoCorasick, MatchKind

from jatdae.core.yamlfile import KeyPath
from jatdae.terms.checks import listed_words
from jatdae.terms.format import LexiconFile
from jatdae.terms.hangul import is_hangul
from jatdae.terms.latin import is_latin
from jatdae.terms.model import Atom
from jatdae.terms.spelling import Spell, character_map, one_of, speller, typo_pattern
from jatdae.terms.vocabulary import Vocabulary, Word

Heads = Mapping[str, tuple[str, bool]]
"""Heads with the region they open, and whether they do so only from inside the subject."""

_ROLES: Final[Mapping[KeyPath, str]] = {
    ("words", "negation", "list"): "not_list",
    ("words", "negation", "next"): "not_next",
    ("words", "negation", "back"): "not_back",
}


def compile_vocabulary(content: LexiconFile, atoms: Mapping[str, Atom]) -> Vocabulary:
    """The vocabulary of a lexicon that has passed its checks."""
    characters = character_map(content)
    spell = speller(content)
    heads: dict[str, tuple[str, bool]] = {}
    for name, region in content.regions.items():
        heads |= {spell(head): (name, False) for head in region.heads}
        heads |= {spell(head): (name, True) for head in region.inner}
    listed = (*_steering_words(content), *_state_words(content, atoms, heads, spell))
    words = {spell(word.text): word for word in listed}
    patterns = {spell(word.text): word for word in _pattern_words(content, atoms, heads, spell)}
    corrections = {spell(typo.wrong): spell(typo.right) for typo in content.typos}
    return Vocabulary(
        characters=characters,
        typos=typo_pattern(content.typos, spell),
        corrections=corrections,
        unusual=one_of([*map(chr, characters), *(wrong[0] for wrong in corrections)]),
        words=tuple(words.values()),
        ignored=frozenset(number for number, word in enumerate(words.values()) if word.role == "ignore"),
        finder=AhoCorasick(list(words), matchkind=MatchKind.LeftmostLongest),
        patterns=tuple(patterns.values()),
        pattern_finder=AhoCorasick(list(patterns), matchkind=MatchKind.LeftmostLongest),
        latin=any(map(is_latin, "".join([*words, *patterns]))),
    )


def _steering_words(content: LexiconFile) -> Iterator[Word]:
    for path, group in listed_words(content):
        role = _ROLES.get(path, str(path[-1]))
        for text in group:
            yield Word(role, text, _letters(text), weak=role == "endings" or _is_syllable(text))


def _state_words(content: LexiconFile, atoms: Mapping[str, Atom], heads: Heads, spell: Spell) -> Iterator[Word]:
    """Heads and surfaces. A surface that has a head of its region in it is a head too: 少苔, 红舌, 舌尖."""
    readings: dict[str, dict[str, tuple[Atom, ...]]] = {text: {} for text in heads}
    places: set[str] = set()
    for atom in atoms.values():
        written = content.atoms[atom.prefix][atom.value].surfaces.values()
        for text in (spell(surface) for group in written for surface in group):
            readings.setdefault(text, {})[atom.region] = (atom,)
            if atom.place:
                places.add(text)
    weak, bound = set(map(spell, content.weak)), set(map(spell, content.bound))
    for text, said in readings.items():
        if text in places:
            near = {head: opened for head, opened in heads.items() if text.startswith(head)}
        else:
            near = {head: opened for head, opened in heads.items() if opened[0] in said}
        region, inner = heads.get(text) or _head_in(text, near)
        yield Word(
            "atom" if not region else "headed" if said else "head",
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


def _pattern_words(content: LexiconFile, atoms: Mapping[str, Atom], heads: Heads, spell: Spell) -> Iterator[Word]:
    """Patterns. One that has a head in it (苔黄腻) opens the region of its last atom."""
    for text, names in content.patterns.items():
        stated = tuple(atoms[name] for name in names)
        opens = stated[-1].region if _head_in(spell(text), heads)[0] else ""
        yield Word("pattern", text, _letters(text), head=opens, only=stated)


def _head_in(text: str, heads: Heads) -> tuple[str, bool]:
    """What the longest head in a text opens."""
    found = [head for head in heads if head in text]
    return heads[max(found, key=len)] if found else ("", False)


def _is_syllable(text: str) -> bool:
    return len(text) == 1 and is_hangul(text)


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
