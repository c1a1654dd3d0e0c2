"""The medical lexicon: concepts, the words they are written in, and the YAML files they are read from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from jatdae.core.compiled import beside
from jatdae.core.configfile import ConfigFile, read_config
from jatdae.dialogue.reading.lexiconfile import LexiconFile
from jatdae.dialogue.reading.words import expand, fold

LEXICON_FOLDER: Final = beside(__name__, "lexicon")
GRAMMAR: Final = ("cues", "korean", "english")
"""Files of the folder that hold grammar, not concepts."""
VERSION: Final = 7
"""Raised when a change of the bundled concepts or grammar changes a score."""
MEASURED: Final = frozenset(("lab", "vital"))
"""Categories that have a value."""
CODES: Final = ("rxnorm", "snomed", "icd10", "loinc")
_SECTIONS: Final = {
    "drugs": ("drug", "drug"),
    "classes": ("class", "drug_class"),
    "conditions": ("condition", "condition"),
    "measures": ("measure", ""),
    "procedures": ("procedure", "procedure"),
    "lifestyle": ("lifestyle", ""),
    "demographics": ("demographic", ""),
    "hints": ("hint", "hint"),
}
"""First part of ids and category of each section; without a category, `kind` tells it."""
PRODUCTS: Final = "products"
"""The section of products, which are no concepts of their own."""
ANY_DRUG: Final = "drug:*"
"""What a hint at drugs in general points to."""
_POINTED: Final = ("conditions", "measures", "classes")
"""Sections in which a hint's names are looked up, in this order."""
_REFERENCES: Final[dict[str, tuple[str, ...]]] = {
    "classes": ("classes",),
    "isa": (),
    "pair": (),
    "to": _POINTED,
    "of": ("drugs",),
}
"""Fields that name other entries, and the sections of those; () is the section of the entry itself."""
_HANGUL: Final = re.compile("[가-힣]")


def load_lexicon(custom: Path | None = None) -> ConceptLexicon:
    """Load the concepts that answers may mention: bundled with `custom`, or `custom` alone (`replace: true`)."""
    return _loaded(custom, stamp_of(custom))


def stamp_of(path: Path | None) -> tuple[int, int]:
    """Modification time and size of a file, such as of concepts for answers; keys a cache that is never stale."""
    if path is None or not Path(path).exists():
        return 0, 0
    about = Path(path).stat()
    return about.st_mtime_ns, about.st_size


@dataclass(frozen=True, slots=True, eq=False)
class Concept:
    """A medical concept that a text can mention, such as a drug, condition or measurement."""

    id: str
    """Section and key: `drug:metformin`."""
    category: str
    """drug, drug_class, condition, symptom, lab, vital, procedure, food, activity, sex, age_group, age or hint."""
    name: str
    codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    above: frozenset[str] = frozenset()
    """Ids of all broader concepts, and its own."""
    broad: bool = False
    unit: str = ""
    units: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Factor and offset of the conversion to `unit`, by folded unit."""
    pair: tuple[str, ...] = ()
    ages: tuple[int, int] = (0, 0)
    to: frozenset[str] = frozenset()
    """What a hint may stand for."""
    korean: str = ""
    """What it is called in Korean."""
    key: str = field(init=False)
    """The id without its section."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", self.id.partition(":")[2])


@dataclass(frozen=True, slots=True)
class Surface:
    """One spelling of a medical concept; without a concept, a phrase that only looks like one."""

    text: str
    concept: Concept | None
    exact: str = ""
    """If set, the text must have the same capitals: MI, not mi."""
    also: tuple[Concept, ...] = ()
    """The other ingredients of a product."""
    needs: tuple[str, ...] = ()
    """Words of which one must stand in the same sentence."""
    figured: Concept | None = None
    """What it names if a number follows: "sodium 139" is a measurement, otherwise sodium is salt."""


@dataclass(frozen=True)
class ConceptLexicon:
    """Medical lexicon: all concepts by id, their spellings, and a hash of the files they came from."""

    concepts: Mapping[str, Concept]
    surfaces: tuple[Surface, ...]
    codes: Mapping[tuple[str, str], Concept]
    hash: str

    def by_key(self, key: str, categories: Iterable[str] = ()) -> Concept | None:
        """The concept with a key, in any section."""
        wanted = tuple(categories)
        for prefix, _ in _SECTIONS.values():
            found = self.concepts.get(f"{prefix}:{key}")
            if found and (not wanted or found.category in wanted):
                return found
        return None

    def by_code(self, system: str, code: str) -> Concept | None:
        """The concept with a code; `system` may be a URL, as in FHIR."""
        return self.codes.get((_system(system), code.strip().upper()))

    def keys(self, *categories: str) -> list[str]:
        """The keys of all concepts of the given categories."""
        return [c.key for c in self.concepts.values() if c.category in categories]


def _system(text: str) -> str:
    lower = text.lower()
    return next((name for name in CODES if name in lower.replace("-", "")), "snomed" if "sct" in lower else lower)


Entries = dict[tuple[str, str], dict[str, Any]]
"""All entries of a lexicon by section and key."""


@lru_cache(maxsize=8)
def _loaded(custom: Path | None, _: tuple[int, int]) -> ConceptLexicon:
    entries: Entries = {}
    digest = hashlib.sha256(b"".join((LEXICON_FOLDER / f"{name}.yaml").read_bytes() for name in GRAMMAR))
    own: ConfigFile[LexiconFile] | None = None
    if custom is not None:
        own = read_config(custom, LexiconFile)
        digest.update(Path(custom).read_bytes())
    if own is None or not own.content.replace:
        for section in (*_SECTIONS, PRODUCTS):
            path = LEXICON_FOLDER / f"{section}.yaml"
            digest.update(path.read_bytes())
            entries |= _entries_of(read_config(path, LexiconFile, partial(_in_section, section)).content)
    if own is not None:
        entries |= _entries_of(own.content)
        _refuse_unknown_names(own, entries)
    return _built(entries, digest.hexdigest()[:8])


def _in_section(section: str, given: Any) -> dict[str, Any]:
    """The content of a bundled file, which is one section, as that of a lexicon."""
    return {section: given}


def _entries_of(content: LexiconFile) -> Entries:
    sections = (*_SECTIONS, PRODUCTS)
    return {(section, key): vars(entry) for section in sections for key, entry in getattr(content, section).items()}


def _refuse_unknown_names(own: ConfigFile[LexiconFile], entries: Entries) -> None:
    """Refuse names in the user's lexicon that no entry has. The bundled files refer only to each other."""
    for (section, key), entry in _entries_of(own.content).items():
        for label, sections in _REFERENCES.items():
            homes = sections or (section,)
            written = "class" if label == "classes" else label
            for at, name in enumerate(entry.get(label, ())):
                if (label, name) != ("to", ANY_DRUG) and not any((home, name) in entries for home in homes):
                    own.one_of((section, key, written, at), name, [other for home, other in entries if home in homes])
    own.finish()


def _built(entries: Entries, digest: str) -> ConceptLexicon:
    concepts: dict[str, Concept] = {}
    surfaces: dict[str, Surface] = {}
    blocked: dict[str, Surface] = {}
    figured: dict[str, Concept] = {}
    for (section, key), entry in entries.items():
        if section == PRODUCTS:
            continue
        concept = _concept(section, key, entry, entries)
        concepts[concept.id] = concept
        for written in _written(section, key, entry):
            text = fold(written)
            capitals = written if len(written) <= 5 and sum(map(str.isupper, written)) >= 2 else ""
            surfaces.setdefault(text, Surface(text, concept, capitals))
            if not capitals and surfaces[text].concept is concept:
                surfaces[text] = Surface(text, concept)  # written in lower case too: capitals do not matter
        for phrase in entry["blocked"]:
            blocked[fold(phrase)] = Surface(fold(phrase), None)
        figured |= {fold(word): concept for word in entry.get("figures", ())}
    codes: dict[tuple[str, str], Concept] = {}
    for concept in concepts.values():
        for system, given in concept.codes.items():
            for code in given:
                codes.setdefault((system, code.upper()), concept)
    _add_products(entries, concepts, surfaces)
    found = {**blocked, **surfaces}
    for text, concept in figured.items():
        found[text] = replace(found.get(text) or Surface(text, None), figured=concept)
    return ConceptLexicon(concepts, tuple(found.values()), codes, digest)


def _add_products(entries: Entries, concepts: Mapping[str, Concept], surfaces: dict[str, Surface]) -> None:
    """Add the names of products of several drugs, and what words need that have other meanings as well."""
    for (section, key), entry in entries.items():
        for word, needed in entry["context"].items():
            if fold(word) in surfaces:
                surfaces[fold(word)] = replace(surfaces[fold(word)], needs=tuple(map(fold, needed)))
        if section == PRODUCTS:
            first, *others = [concepts[f"drug:{name}"] for name in entry["of"]]
            for written in _written(section, key, entry):
                surfaces[fold(written)] = Surface(fold(written), first, also=tuple(others))


def _concept(section: str, key: str, entry: Mapping[str, Any], entries: Entries) -> Concept:
    prefix, category = _SECTIONS[section]
    unit = fold(entry.get("unit", ""))
    given = entry.get("units", {}).items()
    units = {fold(name): to if isinstance(to, tuple) else (to, 0.0) for name, to in given}
    if section == "measures":
        units[unit] = (1.0, 0.0)
    return Concept(
        f"{prefix}:{key}",
        "symptom" if entry.get("symptom", False) else category or entry["kind"],
        entry["name"] or key.replace("_", " "),
        {system: codes for system in CODES if (codes := _codes(entry, system))},
        frozenset(_above(section, key, entries)),
        entry.get("broad", False),
        unit,
        units,
        entry.get("pair", ()),
        (entry["youngest"], entry["oldest"]) if entry.get("kind", "") == "age_group" else (0, 0),
        frozenset(_pointed(entry["to"], entries)) if section == "hints" else frozenset(),
        next((text for words in entry["ko"] for text in expand(words)), "").strip(),
    )


def _codes(entry: Mapping[str, Any], system: str) -> tuple[str, ...]:
    given: str | tuple[str, ...] = entry.get(system, ())
    return (given,) if isinstance(given, str) else given


def _above(section: str, key: str, entries: Entries) -> Iterator[str]:
    """Ids of a concept and of all broader ones."""
    seen: set[str] = set()
    waiting = [(section, key)]
    while waiting:
        home, name = waiting.pop()
        identity = f"{_SECTIONS[home][0]}:{name}"
        if identity in seen:
            continue
        seen.add(identity)
        yield identity
        entry = entries[home, name]
        waiting += [(home, parent) for parent in entry.get("isa", ())]
        waiting += [("classes", parent) for parent in entry.get("classes", ())]


def _pointed(names: Iterable[str], entries: Entries) -> Iterator[str]:
    """Ids of what a hint may stand for."""
    for name in names:
        if name == ANY_DRUG:
            yield name
        else:
            home = next(section for section in _POINTED if (section, name) in entries)
            yield f"{_SECTIONS[home][0]}:{name}"


def _written(section: str, key: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """All spellings of a concept: key and words, hyphens as spaces, Korean compounds with and without a space."""
    given = [*entry["en"], *entry["ko"], *entry.get("brands", ())]
    if entry["bare"] and section not in ("hints", PRODUCTS):
        given.insert(0, key.replace("_", " "))
    for words in given:
        for text in expand(words):
            yield text
            if "-" in text.strip("-"):
                yield text.replace("-", " ")
            if " " in text and _HANGUL.search(text) and not text.startswith(" "):
                yield text.replace(" ", "")
