"""Checks that the parts of a lexicon agree; the first contradiction raises an error that names its place."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from jatdae.core.evaluator import METRIC_NAME
from jatdae.core.messages import near
from jatdae.core.yamlfile import KeyPath
from jatdae.terms.lexicon_file import COMMON_METRICS, LexiconFile, LexiconSource, listed_words, speller

_TAG: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")


def check_lexicon(source: LexiconSource) -> None:
    """Raise a UsageError if a lexicon contradicts itself."""
    for check in (
        *(_check_weights, _check_axes, _check_regions, _check_atoms, _check_surfaces),
        *(_check_patterns, _check_synonyms, _check_words, _check_marks, _check_spelling),
    ):
        check(source)


def _atoms_of(content: LexiconFile) -> dict[str, str]:
    """Names of all atoms in a lexicon, each with its prefix."""
    return {f"{prefix}_{value}": prefix for prefix, values in content.atoms.items() for value in values}


def synonyms_of(source: LexiconSource) -> Iterator[tuple[KeyPath, str, str, float]]:
    """Synonyms listed in a lexicon: path, two atom names and similarity of each.

    Bare values count in each axis that has both.
    """
    for key, value in source.content.synonyms.items():
        if isinstance(value, dict):
            known = (*source.content.axes, *source.content.weights)
            if key not in known:
                source.refuse(("synonyms", key), f"no axis is called {key!r}.{near(key, known)}")
            for pair, number in value.items():
                yield from _resolved(source, ("synonyms", key, pair), pair, number, key)
        else:
            yield from _resolved(source, ("synonyms", key), key, value, "")


def _check_weights(source: LexiconSource) -> None:
    for category, weight in source.content.weights.items():
        if not (math.isfinite(weight) and weight >= 0):
            source.refuse(("weights", category), f"the weight {weight} must be a finite number of 0 or more")
    total = sum(source.content.weights.values())
    if not total:
        source.refuse(("weights",), "at least one category needs a weight above 0")
    if not math.isfinite(total):
        source.refuse(("weights",), "the sum of the weights is not finite; make them smaller")


def _check_axes(source: LexiconSource) -> None:
    content = source.content
    for prefix, axis in content.axes.items():
        at = ("axes", prefix)
        if "_" in prefix:
            source.refuse(at, f"the prefix {prefix!r} has an underscore, which ends a prefix; leave it out")
        if axis.category not in content.weights:
            hint = near(axis.category, content.weights)
            source.refuse((*at, "category"), f"the category {axis.category!r} has no weight.{hint} Add it to weights")
        if axis.region and axis.region not in content.regions:
            hint = near(axis.region, content.regions)
            source.refuse((*at, "region"), f"no region is called {axis.region!r}.{hint}")
    for at, name in [(("axes", p), p) for p in content.axes] + [(("weights", c), c) for c in content.weights]:
        if not METRIC_NAME.fullmatch(name):
            source.refuse(
                at, f"{name!r} is a metric too, whose name has no space, = or |, and does not end in .macro or .micro"
            )
        if name in COMMON_METRICS or (at[0] == "weights" and name in content.axes):
            source.refuse(at, f"{name!r} is the name of another metric; choose another name")


def _check_regions(source: LexiconSource) -> None:
    content = source.content
    if content.start and content.start not in content.regions:
        hint = near(content.start, content.regions)
        source.refuse(("start",), f"a text cannot begin in {content.start!r}: no such region.{hint}")
    if content.start and content.regions[content.start].outside:
        source.refuse(("start",), f"a text cannot begin in {content.start!r}: {content.start!r} is outside the subject")
    for name, region in content.regions.items():
        if region.absent:
            _check_known(source, ("regions", name, "absent"), [region.absent])


def _check_atoms(source: LexiconSource) -> None:
    content = source.content
    spoken = set(chain.from_iterable(content.patterns.values()))
    for prefix, values in content.atoms.items():
        if prefix not in content.axes:
            hint = near(prefix, content.axes)
            source.refuse(
                ("atoms", prefix), f"the prefix {prefix!r} has no axis.{hint} Known: {', '.join(content.axes)}"
            )
        for value, atom in values.items():
            at = ("atoms", prefix, value)
            for tag in atom.surfaces:
                if not _TAG.match(tag):
                    source.refuse((*at, tag), f"{tag!r} is not a language tag such as zh-Hans or ko")
            if not atom.surfaces and f"{prefix}_{value}" not in spoken:
                source.refuse(at, f"{prefix}_{value} cannot be written: it has no surface and no pattern yields it")


def _check_surfaces(source: LexiconSource) -> None:
    """Within a region, a surface means one atom, also after its characters are normalised."""
    content, spell = source.content, speller(source.content)
    taken: dict[tuple[str, str], str] = {}
    for prefix, values in content.atoms.items():
        for value, atom in values.items():
            for tag, surfaces in atom.surfaces.items():
                for number, surface in enumerate(surfaces):
                    at, name = ("atoms", prefix, value, tag, number), f"{prefix}_{value}"
                    if not any(map(str.isalnum, surface)):
                        source.refuse(at, f"{surface!r} has no letter; a surface needs at least one")
                    other = taken.setdefault((content.axes[prefix].region, spell(surface)), name)
                    if other != name:
                        source.refuse(at, f"{surface!r} is a surface of {other} already; one region, one meaning")


def _check_patterns(source: LexiconSource) -> None:
    for pattern, atoms in source.content.patterns.items():
        _check_known(source, ("patterns", pattern), atoms)
        if not atoms:
            source.refuse(("patterns", pattern), "a pattern yields at least one atom")
    for atom, implied in source.content.implies.items():
        _check_known(source, ("implies", atom), [atom, *implied])


def _check_synonyms(source: LexiconSource) -> None:
    given: dict[frozenset[str], tuple[KeyPath, float]] = {}
    for path, a, b, number in synonyms_of(source):
        if not 0 <= number <= 1:
            source.refuse(path, f"the similarity {number} is outside 0 to 1")
        first, before = given.setdefault(frozenset((a, b)), (path, number))
        if before != number:
            source.refuse(path, f"{a} and {b} have the similarity {before} already ({'.'.join(map(str, first))})")


def _resolved(
    source: LexiconSource, path: KeyPath, pair: str, number: float, axis: str
) -> Iterator[tuple[KeyPath, str, str, float]]:
    a, bar, b = (part.strip() for part in pair.partition("|"))
    if not (a and bar and b) or a == b:
        source.refuse(path, f"{pair!r} is not a pair of atoms; write it as 淡|淡白")
    atoms = source.content.atoms
    if axis and axis in atoms:
        homes = [axis] if a in atoms[axis] and b in atoms[axis] else []
    else:
        homes = [prefix for prefix, values in atoms.items() if a in values and b in values]
    if homes:
        for prefix in homes:
            yield path, f"{prefix}_{a}", f"{prefix}_{b}", number
        return
    known = _atoms_of(source.content)
    if a in known and b in known and known[a] == known[b]:
        yield path, a, b, number
        return
    bare = set(known) | set(chain.from_iterable(atoms.values()))
    for name in (a, b):
        if name not in bare:
            source.refuse(path, f"no atom is called {name!r}.{near(name, bare)}")
    source.refuse(path, f"{a!r} and {b!r} are of different prefixes; a synonym stays within one")


def _check_words(source: LexiconSource) -> None:
    """A steering word stands in one list, and is neither an atom nor a head."""
    content, spell = source.content, speller(source.content)
    surfaces = set(map(spell, _all_surfaces(content)))
    heads = {spell(head) for region in content.regions.values() for head in (*region.heads, *region.inner)}
    taken: dict[str, KeyPath] = {}
    for path, words in listed_words(content):
        for number, word in enumerate(words):
            spelt = spell(word)
            first = taken.setdefault(spelt, path)
            if first != path:
                source.refuse((*path, number), f"{word!r} is also under {'.'.join(map(str, first))}; keep one of them")
            if spelt in surfaces or spelt in heads:
                kind = "a surface of an atom" if spelt in surfaces else "a head"
                source.refuse((*path, number), f"{word!r} is {kind} too; keep one of them")
    opened: dict[str, str] = {}
    for name, region in content.regions.items():
        for key, group in (("heads", region.heads), ("inner", region.inner)):
            for number, head in enumerate(group):
                other = opened.setdefault(spell(head), name)
                if other != name:
                    source.refuse(("regions", name, key, number), f"{head!r} opens the region {other!r} already")


def _check_marks(source: LexiconSource) -> None:
    content = source.content
    surfaces = _all_surfaces(content)
    for key, group in (("weak", content.weak), ("bound", content.bound)):
        for number, surface in enumerate(group):
            if surface not in surfaces:
                source.refuse((key, number), f"{surface!r} is not a surface of any atom.{near(surface, surfaces)}")


def _check_spelling(source: LexiconSource) -> None:
    spell = speller(source.content)
    read: dict[str, str] = {}
    for number, pair in enumerate(source.content.characters):
        if read.setdefault(pair[0], pair[1]) != pair[1]:
            source.refuse(("characters", number), f"{pair[0]!r} is read as {read[pair[0]]!r} already")
    meant: dict[str, str] = {}
    for number, typo in enumerate(source.content.typos):
        if meant.setdefault(typo.wrong, typo.right) != typo.right:
            source.refuse(("typos", number), f"{typo.wrong!r} is read as {meant[typo.wrong]!r} already")
        if len(spell(typo.wrong)) != len(spell(typo.right)):
            source.refuse(
                ("typos", number), f"{typo.wrong!r} and {typo.right!r} differ in length; positions would shift"
            )


def _all_surfaces(content: LexiconFile) -> set[str]:
    atoms = (atom for values in content.atoms.values() for atom in values.values())
    return {surface for atom in atoms for group in atom.surfaces.values() for surface in group}


def _check_known(source: LexiconSource, path: KeyPath, atoms: Iterable[str]) -> None:
    known = _atoms_of(source.content)
    for atom in atoms:
        if atom not in known:
            source.refuse(path, f"no atom is called {atom!r}.{near(atom, known)}")
