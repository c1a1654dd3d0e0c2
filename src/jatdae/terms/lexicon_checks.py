"""Checks that the parts of a lexicon agree; all contradictions are reported together, each with its place."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import chain
from typing import Final

from jatdae.core.configfile import ConfigFile, validated
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import METRIC_NAME
from jatdae.core.messages import near, speaker
from jatdae.core.yamlfile import KeyPath
from jatdae.terms.korean import word_forms
from jatdae.terms.lexicon_file import COMMON_METRICS, DENIED, LexiconFile, LexiconSource, listed_words, speller

ALL: Final = 1_000
"""How many problems of a lexicon are listed."""
MOST_ROUNDS: Final = 20
DROPPABLE: Final = (
    "atoms",
    "patterns",
    "implies",
    "synonyms",
    "weak",
    "bound",
    "manner",
    "words",
    "characters",
    "typos",
)
"""Keys whose entries can be left out."""
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")
say = speaker(__name__)


def check_lexicon(source: LexiconSource) -> None:
    """Raise a UsageError that names every place where a lexicon contradicts itself."""
    _note_problems(source)
    try:
        source.file.finish(ALL)
    except UsageError as error:
        if source.adopted:
            raise UsageError(f"{error}\n{say('lexicon_lenient')}") from error
        raise


def loadable_part(source: LexiconSource) -> tuple[LexiconSource, list[str]]:
    """What can be loaded of a lexicon, and what was dropped: the place of each entry, and why.

    Entries that contradict others are dropped until none is left: a surface, then an atom without any, then a pattern
    that states it. Keys that a lexicon cannot do without, such as its weights, raise the error that lists all.
    """
    dropped: list[str] = []
    for _ in range(MOST_ROUNDS):
        _note_problems(source)
        problems = list(dict.fromkeys(source.file.problems))
        ordered = sorted(problems, key=lambda each: source.file.source.line(each[0]))
        dropped += [f"{source.file.place(path)}: {problem}" for path, problem in ordered]
        wrong = [path for path, problem in problems if (path, problem) not in source.twice]
        if not wrong:
            return source, dropped
        if any(len(path) < 2 or path[0] not in DROPPABLE for path in wrong):
            break
        source = _without(source, wrong)
    source.file.finish(ALL)
    return source, dropped


def _without(source: LexiconSource, paths: Iterable[KeyPath]) -> LexiconSource:
    """A lexicon without the entries at these paths."""
    whole = source.file.source
    value = deepcopy(whole.value)
    for path in sorted(set(paths), key=_place_in_lists, reverse=True):  # the last of a list first
        parents = [value]
        for part in path[:-1]:
            parents.append(parents[-1][part])
        del parents[-1][path[-1]]
        if parents[-1] == []:  # an atom without surfaces has no list of them either
            del parents[-2][path[-2]]
    left = replace(whole, value=value)
    return LexiconSource(ConfigFile(validated(LexiconFile, value, left), left, source.file.sha256), source.label)


def _place_in_lists(path: KeyPath) -> tuple[str, ...]:
    return tuple(f"{part:09}" if isinstance(part, int) else part for part in path)


def _note_problems(source: LexiconSource) -> None:
    for check in (
        *(_check_weights, _check_axes, _check_regions, _check_atoms, _check_surfaces),
        *(_check_patterns, _check_synonyms, _check_words, _check_heads, _check_marks, _check_spelling),
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
        if not isinstance(value, dict):
            yield from _resolved(source, ("synonyms", key), key, value, "")
        elif _are_full_names(value, source.content) or source.one_of(
            ("synonyms", key), key, (*source.content.axes, *source.content.weights), "lexicon_unknown_axis"
        ):
            for pair, number in value.items():
                yield from _resolved(source, ("synonyms", key, pair), pair, number, key)


def _are_full_names(pairs: Iterable[str], content: LexiconFile) -> bool:
    """Whether all pairs of a group name their prefixes (COLOR_暗|COLOR_紫): the name of the group says nothing."""
    names = [name.strip() for pair in pairs for name in pair.split("|")]
    return bool(names) and all(name.partition("_")[0] in content.axes for name in names)


def _check_weights(source: LexiconSource) -> None:
    weights = source.content.weights
    wrong = [category for category, weight in weights.items() if not (math.isfinite(weight) and weight >= 0)]
    for category in wrong:
        source.complain(("weights", category), say("lexicon_weight", weight=weights[category]))
    total = sum(weights.values())
    if not total and not wrong:
        source.complain(("weights",), say("lexicon_no_weight"))
    if not math.isfinite(total) and not wrong:
        source.complain(("weights",), say("lexicon_weights_vast"))


def _check_axes(source: LexiconSource) -> None:
    content = source.content
    for prefix, axis in content.axes.items():
        at = ("axes", prefix)
        if "_" in prefix:
            source.complain(at, say("lexicon_underscore", prefix=prefix))
        source.one_of((*at, "category"), axis.category, content.weights, "lexicon_category_without_weight")
        if axis.region:
            source.one_of((*at, "region"), axis.region, content.regions, "lexicon_unknown_region")
    for at, name in [(("axes", p), p) for p in content.axes] + [(("weights", c), c) for c in content.weights]:
        if not METRIC_NAME.fullmatch(name):
            source.complain(at, say("lexicon_metric_name", name=name))
        if name in COMMON_METRICS or (at[0] == "weights" and name in content.axes):
            source.complain(at, say("lexicon_metric_taken", name=name))


def _check_regions(source: LexiconSource) -> None:
    content, start = source.content, source.content.start
    if start and source.one_of(("start",), start, content.regions, "lexicon_start_unknown"):
        outside = ("regions", start, "outside")
        if content.regions[start].outside:
            source.complain(("start",), say("lexicon_start_outside", name=start), outside)
    for name, region in content.regions.items():
        if region.absent:
            _check_known(source, ("regions", name, "absent"), [region.absent])


def _check_atoms(source: LexiconSource) -> None:
    content = source.content
    spoken = set(chain.from_iterable(content.patterns.values()))
    for prefix, values in content.atoms.items():
        source.one_of(("atoms", prefix), prefix, content.axes, "lexicon_prefix_without_axis")
        for value, atom in values.items():
            at = ("atoms", prefix, value)
            for tag in atom.surfaces:
                if not _TAG.match(tag):
                    source.complain((*at, tag), say("lexicon_language_tag", tag=tag))
            if not atom.surfaces and f"{prefix}_{value}" not in spoken:
                source.complain(at, say("lexicon_atom_unwritable", atom=f"{prefix}_{value}"))


def _check_surfaces(source: LexiconSource) -> None:
    """Within a region, a surface means one atom, also after its characters are normalised."""
    content, spell = source.content, speller(source.content)
    taken: dict[tuple[str, str], tuple[str, KeyPath]] = {}
    for at, atom, surface in _surfaces_of(content):
        if not any(map(str.isalnum, surface)):
            source.complain(at, say("lexicon_surface_without_letter", surface=surface))
        axis = content.axes.get(str(at[1]))
        other, first = taken.setdefault((axis.region if axis else "", spell(surface)), (atom, at))
        if other != atom:
            source.complain(at, say("lexicon_surface_taken", surface=surface, atom=other), first)


def _check_patterns(source: LexiconSource) -> None:
    for pattern, atoms in source.content.patterns.items():
        _check_known(source, ("patterns", pattern), [atom.removeprefix(DENIED) for atom in atoms])
        if not atoms:
            source.complain(("patterns", pattern), say("lexicon_pattern_empty"))
    for atom, implied in source.content.implies.items():
        _check_known(source, ("implies", atom), [atom, *implied])


def _check_synonyms(source: LexiconSource) -> None:
    given: dict[frozenset[str], tuple[KeyPath, float]] = {}
    for path, a, b, number in synonyms_of(source):
        if not 0 <= number <= 1:
            source.complain(path, say("lexicon_similarity", number=number))
        first, before = given.setdefault(frozenset((a, b)), (path, number))
        if before != number:
            key = ".".join(map(str, first))
            source.complain(path, say("lexicon_similarity_twice", a=a, b=b, number=before, key=key), first)


def _resolved(
    source: LexiconSource, path: KeyPath, pair: str, number: float, axis: str
) -> Iterator[tuple[KeyPath, str, str, float]]:
    a, bar, b = (part.strip() for part in pair.partition("|"))
    if not (a and bar and b) or a == b:
        source.complain(path, say("lexicon_no_pair", pair=pair))
        return
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
    bare = {*known, *chain.from_iterable(atoms.values())}
    unknown = [name for name in (a, b) if not source.one_of(path, name, bare, "lexicon_unknown_atom")]
    if not unknown:
        source.complain(path, say("lexicon_pair_of_prefixes", a=a, b=b))


def _check_words(source: LexiconSource) -> None:
    """A steering word stands in one list, and is neither an atom nor a head."""
    content, spell = source.content, speller(source.content)
    surfaces = {spell(surface): at for at, _, surface in _surfaces_of(content)}
    heads = {spell(head): at for at, _, head in _heads_of(content)}
    taken: dict[str, tuple[KeyPath, int]] = {}
    for path, words in listed_words(content):
        for number, word in enumerate(words):
            at, spelt = (*path, number), spell(word)
            first, place = taken.setdefault(spelt, (path, number))
            if first != path:
                key = ".".join(map(str, first))
                source.complain(at, say("lexicon_word_twice", word=word, key=key), (*first, place))
            if spelt in surfaces:
                source.complain(at, say("lexicon_word_is_surface", word=word), surfaces[spelt])
            elif spelt in heads:
                source.complain(at, say("lexicon_word_is_head", word=word), heads[spelt])


def _check_heads(source: LexiconSource) -> None:
    spell = speller(source.content)
    opened: dict[str, tuple[str, KeyPath]] = {}
    for at, region, head in _heads_of(source.content):
        other, first = opened.setdefault(spell(head), (region, at))
        if other != region:
            source.complain(at, say("lexicon_head_taken", head=head, region=other), first)


def _check_marks(source: LexiconSource) -> None:
    content = source.content
    listed = {surface for _, _, surface in _surfaces_of(content)}
    surfaces = listed.union(*map(word_forms, listed))
    for key, group in (("weak", content.weak), ("bound", content.bound), ("manner", content.manner)):
        for number, surface in enumerate(group):
            if surface not in surfaces:
                hint = near(surface, surfaces)
                source.complain((key, number), say("lexicon_no_surface", surface=surface, near=hint))


def _check_spelling(source: LexiconSource) -> None:
    spell = speller(source.content)
    read: dict[str, tuple[str, KeyPath]] = {}
    for number, pair in enumerate(source.content.characters):
        _check_meant(source, ("characters", number), pair[0], pair[1], read)
    meant: dict[str, tuple[str, KeyPath]] = {}
    for number, typo in enumerate(source.content.typos):
        _check_meant(source, ("typos", number), typo.wrong, typo.right, meant)
        if len(spell(typo.wrong)) != len(spell(typo.right)):
            source.complain(("typos", number), say("lexicon_typo_length", wrong=typo.wrong, right=typo.right))


def _check_meant(
    source: LexiconSource, at: KeyPath, written: str, meant: str, known: dict[str, tuple[str, KeyPath]]
) -> None:
    other, first = known.setdefault(written, (meant, at))
    if other != meant:
        source.complain(at, say("lexicon_read_twice", written=written, meant=other), first)


def _surfaces_of(content: LexiconFile) -> Iterator[tuple[KeyPath, str, str]]:
    """Path, atom and text of every surface."""
    for prefix, values in content.atoms.items():
        for value, atom in values.items():
            for tag, surfaces in atom.surfaces.items():
                for number, surface in enumerate(surfaces):
                    yield ("atoms", prefix, value, tag, number), f"{prefix}_{value}", surface


def _heads_of(content: LexiconFile) -> Iterator[tuple[KeyPath, str, str]]:
    """Path, region and text of every head."""
    for name, region in content.regions.items():
        for key, group in (("heads", region.heads), ("inner", region.inner)):
            for number, head in enumerate(group):
                yield ("regions", name, key, number), name, head


def _check_known(source: LexiconSource, path: KeyPath, atoms: Iterable[str]) -> None:
    known = _atoms_of(source.content)
    for atom in atoms:
        source.one_of(path, atom, known, "lexicon_unknown_atom")
