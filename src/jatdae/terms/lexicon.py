"""A lexicon ready for use: its axes, atoms, weights and similarities, and the vocabulary of its parser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from jatdae.terms.checks import check, pairs_of
from jatdae.terms.compilation import compile_vocabulary
from jatdae.terms.format import LexiconFile
from jatdae.terms.model import Atom
from jatdae.terms.source import Source, bundled, read_source
from jatdae.terms.vocabulary import Vocabulary


class AxisInfo(NamedTuple):
    """What is known of a prefix."""

    category: str
    region: str
    place: bool


@dataclass(frozen=True, eq=False)
class Lexicon:
    """What makes the engine a domain."""

    name: str
    label: str
    """How it stands in the signature."""
    normal: str
    weights: Mapping[str, float]
    categories: Mapping[str, tuple[str, ...]]
    """The prefixes of each category."""
    axes: Mapping[str, AxisInfo]
    atoms: Mapping[str, Atom]
    synonyms: Mapping[tuple[str, str], float]
    """Listed similarities, each in both orders."""
    implies: Mapping[str, tuple[Atom, ...]]
    start: str
    opened: tuple[str, ...]
    outside: frozenset[str]
    absent: Mapping[str, Atom]
    vocabulary: Vocabulary


def find_lexicon(name: str | Path | Lexicon) -> Lexicon:
    """A bundled lexicon by its name, or the one in a file."""
    if isinstance(name, Lexicon):
        return name
    if str(name) in bundled():
        return _loaded(str(name), 0, 0)
    try:
        stat = Path(name).stat()
        return _loaded(str(name), stat.st_mtime_ns, stat.st_size)
    except OSError:
        return compile_lexicon(read_source(name))  # which says what is wrong


@lru_cache(maxsize=16)
def _loaded(name: str, modified: int, size: int) -> Lexicon:  # noqa: ARG001
    return compile_lexicon(read_source(name))


def compile_lexicon(source: Source) -> Lexicon:
    """The lexicon of a source, checked."""
    check(source)
    content = source.content
    regions = content.regions
    atoms = _atoms(content)
    synonyms = {pair: number for _, a, b, number in pairs_of(source) for pair in ((a, b), (b, a))}
    return Lexicon(
        name=content.name,
        label=source.label,
        normal=content.normal,
        weights=dict(content.weights),
        categories={
            name: tuple(prefix for prefix, axis in content.axes.items() if axis.category == name)
            for name in content.weights
        },
        axes={prefix: AxisInfo(axis.category, axis.region, axis.place) for prefix, axis in content.axes.items()},
        atoms=atoms,
        synonyms=synonyms,
        implies={atom: tuple(atoms[name] for name in implied) for atom, implied in content.implies.items()},
        start=content.start,
        opened=tuple(name for name, region in regions.items() if region.open),
        outside=frozenset(name for name, region in regions.items() if region.outside),
        absent={name: atoms[region.absent] for name, region in regions.items() if region.absent},
        vocabulary=compile_vocabulary(content, atoms),
    )


def _atoms(content: LexiconFile) -> dict[str, Atom]:
    made = {}
    for prefix, values in content.atoms.items():
        axis = content.axes[prefix]
        for value, about in values.items():
            name = f"{prefix}_{value}"
            made[name] = Atom(name, prefix, value, axis.category, axis.region, axis.place, about.gloss)
    return made
