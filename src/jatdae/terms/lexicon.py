"""Lexicons of clinical terms, found, checked and compiled: atoms, similarities, and the scanner's vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Final

from ahocorasick_rs import AhoCorasick, MatchKind

from jatdae.core.yamlfile import KeyPath
from jatdae.terms.korean import is_dictionary_form, word_forms
from jatdae.terms.lexicon_checks import check_lexicon, loadable_part, synonyms_of
from jatdae.terms.lexicon_file import (
    DENIED,
    LexiconFile,
    LexiconSource,
    Spell,
    Typo,
    bundled_lexicons,
    character_map,
    listed_words,
    read_source,
    speller,
)
from jatdae.terms.scanner import LexiconWord, Vocabulary, WordFinder, has_hangul, is_hangul, is_latin
from jatdae.terms.term import Atom

Heads = Mapping[str, tuple[str, bool]]
"""Heads with the region they open, and whether they open it only inside the subject."""

_NEGATIONS: Final[Mapping[KeyPath, str]] = {
    ("words", "negation", "list"): "not_list",
    ("words", "negation", "next"): "not_next",
    ("words", "negation", "back"): "not_back",
    ("words", "negation", "answer"): "answer",
}
"""The roles of negations; other steering words have the name of their list as their role."""
_CONJUGATED: Final = ("not_back", "break", "degree", "emphasis", "to", "unknown", "against")
"""Roles of verbs: those given as a Korean dictionary has them (없다) stand for their forms."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Compiled lexicon of one kind of clinical description; another lexicon makes another domain."""

    name: str
    label: str
    """Its name and version in the signature."""
    normal: str
    """A normal description: the prediction of the constant baseline."""
    weights: Mapping[str, float]
    categories: Mapping[str, tuple[str, ...]]
    """The prefixes of each category."""
    axes: tuple[str, ...]
    """All prefixes, in the order of the file."""
    atoms: Mapping[str, Atom]
    synonyms: Mapping[tuple[str, str], float]
    """Listed similarities, each in both orders."""
    implies: Mapping[str, tuple[Atom, ...]]
    """Atoms implied by an atom."""
    start: str
    """The region at the start of a text."""
    opened: tuple[str, ...]
    """Open regions: an atom that belongs to only one of them switches to it."""
    outside: frozenset[str]
    """Regions of other subjects."""
    absent: Mapping[str, Atom]
    """By region, the atom stated by a head with a bare negation."""
    named: frozenset[Atom]
    """Atoms that a head states (舌下络脉): only if nothing else is said of its region."""
    vocabulary: Vocabulary
    dropped: tuple[str, ...] = ()
    """What a lenient reader left out: the place of each entry, and why."""


def find_lexicon(name: str | Path | Lexicon, *, lenient: bool = False) -> Lexicon:
    """Find a bundled lexicon by its name, or load that of a file; a loaded one is returned unchanged.

    A file that contradicts itself is refused with all its contradictions. With `lenient`, what can be loaded is, and
    `dropped` says what was left out.
    """
    if isinstance(name, Lexicon):
        return name
    if str(name) in bundled_lexicons():
        return _loaded(str(name), 0, 0, lenient=False)
    try:
        stat = Path(name).stat()
        return _loaded(str(name), stat.st_mtime_ns, stat.st_size, lenient=lenient)
    except OSError:
        return _compile_lexicon(read_source(name))  # raises an error that says why


@lru_cache(maxsize=16)
def _loaded(name: str, modified: int, size: int, *, lenient: bool) -> Lexicon:  # noqa: ARG001
    return _compile_lexicon(read_source(name), lenient=lenient)


def _compile_lexicon(source: LexiconSource, *, lenient: bool = False) -> Lexicon:
    """Check the content of a lexicon file and compile it."""
    dropped: list[str] = []
    if lenient:
        source, dropped = loadable_part(source)
    else:
        check_lexicon(source)
    content = source.content
    regions = content.regions
    atoms = _make_atoms(content)
    synonyms = {pair: number for _, a, b, number in synonyms_of(source) for pair in ((a, b), (b, a))}
    vocabulary = _compile_vocabulary(content, atoms)
    return Lexicon(
        name=content.name,
        label=source.label,
        normal=content.normal,
        weights=dict(content.weights),
        categories={
            name: tuple(prefix for prefix, axis in content.axes.items() if axis.category == name)
            for name in content.weights
        },
        axes=tuple(content.axes),
        atoms=atoms,
        synonyms=synonyms,
        implies={atom: tuple(atoms[name] for name in implied) for atom, implied in content.implies.items()},
        start=content.start,
        opened=tuple(name for name, region in regions.items() if region.open),
        outside=frozenset(name for name, region in regions.items() if region.outside),
        absent={name: atoms[region.absent] for name, region in regions.items() if region.absent},
        named=frozenset(atom for word in vocabulary.words.words if word.mention for atom in word.stated),
        vocabulary=vocabulary,
        dropped=tuple(dropped),
    )


def _make_atoms(content: LexiconFile) -> dict[str, Atom]:
    made = {}
    for prefix, values in content.atoms.items():
        axis = content.axes[prefix]
        for value, about in values.items():
            name = f"{prefix}_{value}"
            korean = [surface for tag, surfaces in about.surfaces.items() if tag == "ko" for surface in surfaces]
            glosses = {tag: text for tag, text in (("en", about.gloss), ("ko", next(iter(korean), ""))) if text}
            made[name] = Atom(name, prefix, value, axis.category, axis.region, axis.place, about.gloss, glosses)
    return made


def _compile_vocabulary(content: LexiconFile, atoms: Mapping[str, Atom]) -> Vocabulary:
    """Compile the words of a checked lexicon for scanning texts."""
    characters = character_map(content)
    spell = speller(content)
    heads: dict[str, tuple[str, bool]] = {}
    for name, region in content.regions.items():
        heads |= {spell(head): (name, False) for head in region.heads}
        heads |= {spell(head): (name, True) for head in region.inner}
    listed = (*_steering_words(content), *_content_words(content, atoms, heads, spell))
    words = {spell(word.text): word for word in listed}
    patterns = {spell(word.text): word for word in _pattern_words(content, atoms, heads, spell)}
    corrections = {spell(typo.wrong): spell(typo.right) for typo in content.typos}
    return Vocabulary(
        characters=characters,
        typos=_typo_pattern(content.typos, spell),
        corrections=corrections,
        unusual=_one_of([*map(chr, characters), *(wrong[0] for wrong in corrections)]),
        words=WordFinder(words),
        plain_words=WordFinder({text: word for text, word in words.items() if not _is_alphabetic(text)}),
        patterns=tuple(patterns.values()),
        pattern_finder=AhoCorasick(list(patterns), matchkind=MatchKind.LeftmostLongest),
        latin=any(map(is_latin, "".join([*words, *patterns]))),
    )


def _steering_words(content: LexiconFile) -> Iterator[LexiconWord]:
    for path, group in listed_words(content):
        role = _NEGATIONS.get(path, str(path[-1]))
        for word in group:
            conjugated = role in _CONJUGATED and is_dictionary_form(word)
            weak = role in ("endings", "either") or (role != "answer" and not conjugated and _is_syllable(word))
            for text in word_forms(word) if conjugated else (word,):
                yield LexiconWord(role, text, _count_letters(text), weak=weak)


def _content_words(
    content: LexiconFile, atoms: Mapping[str, Atom], heads: Heads, spell: Spell
) -> Iterator[LexiconWord]:
    """Heads and surfaces. A surface that contains a head of its region is a head too: 少苔, 红舌, 舌尖."""
    readings: dict[str, dict[str, tuple[Atom, ...]]] = {text: {} for text in heads}
    places, verbs = set[str](), set[str]()
    for atom in atoms.values():
        written = content.atoms[atom.prefix][atom.value].surfaces.values()
        for text in (each for group in written for surface in group for each in _spellings(spell(surface))):
            readings.setdefault(text, {})[atom.region] = (atom,)
            if atom.place:
                places.add(text)
            if len(text) == 1 and text not in map(spell, chain(*written)):
                verbs.add(text)
    weak, bound, manner = (
        {each for text in listed for each in _spellings(spell(text))}
        for listed in (content.weak, content.bound, content.manner)
    )
    inner = {head for head, (_, only_inside) in heads.items() if only_inside}
    for text, said in readings.items():
        if text in places:
            near = {head: opened for head, opened in heads.items() if text.startswith(head)}
        else:
            near = {head: opened for head, opened in heads.items() if opened[0] in said}
        region, only_inside = heads.get(text) or _head_in(text, near)
        yield LexiconWord(
            "atom" if not region else "headed" if said else "head",
            text,
            _count_letters(text),
            head=region,
            outside=bool(region) and content.regions[region].outside,
            inner=only_inside,
            mention=text in heads,
            readings=said,
            only=next(iter(said.values())) if len(said) == 1 and text not in bound else (),
            weak=has_hangul(text) and (text in weak or (len(text) == 1 and text not in verbs)),
            stray=not has_hangul(text)
            and (text in inner or text in weak or (not region and (text in places or len(text) == 1))),
            bound=text in bound,
            manner=text in manner,
        )


def _pattern_words(
    content: LexiconFile, atoms: Mapping[str, Atom], heads: Heads, spell: Spell
) -> Iterator[LexiconWord]:
    """Patterns. One that contains a head (苔黄腻) opens the region of its last atom."""
    for text, names in content.patterns.items():
        stated = tuple(atoms[name.removeprefix(DENIED)] for name in names)
        denied = frozenset(name.removeprefix(DENIED) for name in names if name.startswith(DENIED))
        opens = stated[-1].region if _head_in(spell(text), heads)[0] else ""
        yield LexiconWord("pattern", text, _count_letters(text), head=opens, only=stated, denied=denied)


def _head_in(text: str, heads: Heads) -> tuple[str, bool]:
    """The region that the longest head in a text opens, and whether only inside the subject."""
    found = [head for head in heads if head in text]
    return heads[max(found, key=len)] if found else ("", False)


def _spellings(surface: str) -> tuple[str, ...]:
    """A surface as it may stand in a text.

    In Latin letters also with hyphens for its spaces (dark-red), with a space after a colon (津液: 不足), and a Korean
    verb in its forms (붉다: 붉은, 붉어 …).
    """
    if is_latin(surface[0]):
        return tuple(dict.fromkeys((surface, surface.replace(" ", "-"))))
    if ":" in surface:
        return (surface, surface.replace(":", ": "))
    return word_forms(surface)


def _is_alphabetic(text: str) -> bool:
    return has_hangul(text) or any(map(is_latin, text))


def _is_syllable(text: str) -> bool:
    return len(text) == 1 and is_hangul(text)


def _count_letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _typo_pattern(typos: Iterable[Typo], spell: Spell) -> re.Pattern[str] | None:
    """One expression for all typos: literals and fixed look-arounds alone, so it runs in linear time."""

    def each(form: str, texts: Iterable[str]) -> list[str]:
        return [form.format(re.escape(spell(text))) for text in texts]

    made = []
    for typo in typos:
        after = f"(?:{'|'.join(each('(?<={})', typo.after))})" if typo.after else ""
        not_after = "".join(each("(?<!{})", typo.not_after))
        before = f"(?={'|'.join(each('{}', typo.before))})" if typo.before else ""
        not_before = "".join(each("(?!{})", typo.not_before))
        made.append(f"{after}{not_after}{re.escape(spell(typo.wrong))}{before}{not_before}")
    return re.compile("|".join(made)) if made else None


def _one_of(characters: Iterable[str]) -> re.Pattern[str] | None:
    """An expression that finds any of these characters."""
    escaped = "".join(map(re.escape, characters))
    return re.compile(f"[{escaped}]") if escaped else None
