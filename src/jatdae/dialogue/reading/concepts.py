"""The medical lexicon: concepts, the words they are written in, and the YAML files they are read from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NoReturn

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.core.yamlfile import KeyPath, YamlFile, read_yaml
from jatdae.dialogue.reading.words import count_expansions, expand, fold

LEXICON_FOLDER: Final = Path(__file__).parent / "lexicon"
GRAMMAR: Final = ("cues", "korean", "english")
"""Files of the folder that hold grammar, not concepts."""
VERSION: Final = 1
"""Raised when a change of the bundled concepts or grammar changes a score."""
PREFIXES: Final = ("drug", "class", "condition", "measure", "procedure", "lifestyle", "demographic", "hint")
"""First parts of ids, in the order in which a bare key is looked up."""
MEASURED: Final = frozenset(("lab", "vital"))
"""Categories that have a value."""
CODES: Final = ("rxnorm", "snomed", "icd10", "loinc")
_WORDS: Final = frozenset(("name", "ko", "en", "not", "bare"))
_SECTIONS: Final[dict[str, tuple[str, frozenset[str]]]] = {
    "drugs": ("drug", frozenset(("rxnorm", "class", "brands"))),
    "classes": ("drug_class", frozenset(("isa",))),
    "conditions": ("condition", frozenset(("snomed", "icd10", "isa", "symptom", "broad"))),
    "measures": ("measure", frozenset(("loinc", "kind", "unit", "units", "isa", "pair", "figures"))),
    "procedures": ("procedure", frozenset(("snomed",))),
    "lifestyle": ("lifestyle", frozenset(("kind",))),
    "demographics": ("demographic", frozenset(("kind", "from", "to"))),
    "hints": ("hint", frozenset(("to",))),
}
_KINDS: Final = {
    "measures": ("lab", "vital"),
    "lifestyle": ("food", "activity"),
    "demographics": ("sex", "age_group"),
}
_LISTS: Final = frozenset(("ko", "en", "not", "brands", "class", "isa", "pair", "to", "loinc", "figures"))
MOST_WORDS: Final = 1_000
"""How many words one entry with braces may stand for."""
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
        for prefix in PREFIXES:
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


@lru_cache(maxsize=8)
def _loaded(custom: Path | None, _: tuple[int, int]) -> ConceptLexicon:
    entries: dict[tuple[str, str], tuple[dict[str, Any], YamlFile, KeyPath]] = {}
    digest = hashlib.sha256(b"".join((LEXICON_FOLDER / f"{name}.yaml").read_bytes() for name in GRAMMAR))
    own: dict[str, Any] = {}
    if custom is not None:
        file = read_yaml(custom)
        own = _custom(file)
        digest.update(Path(custom).read_bytes())
    if not own.get("replace", False):
        for section in _SECTIONS:
            path = LEXICON_FOLDER / f"{section}.yaml"
            digest.update(path.read_bytes())
            bundled = read_yaml(path)
            for key, entry in bundled.value.items():
                entries[section, key] = (_checked(bundled, (key,), section, entry), bundled, (key,))
    for section in _SECTIONS:
        for key, entry in (own.get(section) or {}).items():
            at: KeyPath = (section, key)
            entries[section, key] = (_checked(file, at, section, entry), file, at)
    return _built(entries, digest.hexdigest()[:8])


def _custom(file: YamlFile) -> dict[str, Any]:
    if not isinstance(file.value, dict):
        raise UsageError(f"{file.place(())}: a lexicon is a mapping of sections: {', '.join(_SECTIONS)}")
    for key, value in file.value.items():
        if key not in (*_SECTIONS, "replace"):
            raise UsageError(f"{file.place((key,))}: no section is called {key!r}.{near(key, _SECTIONS)}")
        if key == "replace" and not isinstance(value, bool):
            raise UsageError(f"{file.place((key,))}: replace is true or false")
        if key != "replace" and not isinstance(value, dict):
            raise UsageError(f"{file.place((key,))}: a section is a mapping of concepts")
    return dict(file.value)


def _checked(file: YamlFile, at: KeyPath, section: str, entry: Any) -> dict[str, Any]:
    """The entry, once its keys are known and its lists are lists."""

    def refuse(path: KeyPath, problem: str) -> NoReturn:
        raise UsageError(f"{file.place(path)}: {problem}")

    if not isinstance(entry, dict):
        refuse(at, "a concept is a mapping such as {ko: […], en: […]}")
    known = _WORDS | _SECTIONS[section][1]
    for key, value in entry.items():
        if key not in known:
            refuse((*at, key), f"{section} have no field {key!r}.{near(key, known)}")
        if key in _LISTS and section != "demographics" and not _is_words(value):
            refuse((*at, key), f"{key} is a list of words, not {value!r}")
        if key in ("ko", "en", "brands") and any(count_expansions(word) > MOST_WORDS for word in value):
            refuse((*at, key), f"one of these expands to more than {MOST_WORDS:,} words; use fewer braces")
    if section in _KINDS and entry.get("kind") not in _KINDS[section]:
        refuse((*at, "kind"), f"kind is one of {', '.join(_KINDS[section])}, not {entry.get('kind')!r}")
    if section == "measures":
        _check_units(refuse, at, entry)
    return entry


def _check_units(refuse: Any, at: KeyPath, entry: Mapping[str, Any]) -> None:
    if not isinstance(entry.get("unit", ""), str) or not isinstance(entry.get("units", {}), dict):
        refuse(at, "unit is text, units a mapping of units to factors")
    for unit, value in entry.get("units", {}).items():
        pair = value if isinstance(value, list) else [value, 0]
        if len(pair) != 2 or not all(type(n) in (int, float) for n in pair) or not pair[0]:
            refuse((*at, "units", unit), "a factor is a number other than 0, or [factor, offset]")


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) and word.strip() for word in value)


Entries = Mapping[tuple[str, str], tuple[dict[str, Any], YamlFile, KeyPath]]


def _built(entries: Entries, digest: str) -> ConceptLexicon:
    concepts: dict[str, Concept] = {}
    surfaces: dict[str, Surface] = {}
    blocked: dict[str, Surface] = {}
    figured: dict[str, Concept] = {}
    for (section, key), (entry, file, at) in entries.items():
        concept = _concept(section, key, entry, file, at, entries)
        concepts[concept.id] = concept
        for written in _written(section, key, entry):
            text = fold(written)
            capitals = written if len(written) <= 5 and sum(map(str.isupper, written)) >= 2 else ""
            surfaces.setdefault(text, Surface(text, concept, capitals))
            if not capitals and surfaces[text].concept is concept:
                surfaces[text] = Surface(text, concept)  # written in lower case too: capitals do not matter
        for phrase in entry.get("not", ()):
            blocked[fold(phrase)] = Surface(fold(phrase), None)
        figured |= {fold(word): concept for word in entry.get("figures", ())}
    codes: dict[tuple[str, str], Concept] = {}
    for concept in concepts.values():
        for system, given in concept.codes.items():
            for code in given:
                codes.setdefault((system, code.upper()), concept)
    found = {**blocked, **surfaces}
    for text, concept in figured.items():
        found[text] = replace(found.get(text) or Surface(text, None), figured=concept)
    return ConceptLexicon(concepts, tuple(found.values()), codes, digest)


def _concept(
    section: str, key: str, entry: Mapping[str, Any], file: YamlFile, at: KeyPath, entries: Entries
) -> Concept:
    category = _SECTIONS[section][0]
    if section in _KINDS:
        category = str(entry["kind"])
    elif entry.get("symptom"):
        category = "symptom"
    codes = {}
    for system in CODES:
        if system in entry:
            given = entry[system] if isinstance(entry[system], list) else [entry[system]]
            codes[system] = tuple(str(code) for code in given)
    unit = fold(str(entry.get("unit", "")))
    units = {fold(u): tuple(v) if isinstance(v, list) else (float(v), 0.0) for u, v in entry.get("units", {}).items()}
    if section == "measures":
        units[unit] = (1.0, 0.0)
    return Concept(
        f"{PREFIXES[list(_SECTIONS).index(section)]}:{key}",
        category,
        str(entry.get("name") or key.replace("_", " ")),
        codes,
        frozenset(_above(section, key, entries)),
        bool(entry.get("broad")),
        unit,
        units,
        tuple(entry.get("pair", ())),
        (int(entry["from"]), int(entry["to"])) if category == "age_group" else (0, 0),
        frozenset(_pointed(entry["to"], file, at, entries)) if section == "hints" else frozenset(),
    )


def _above(section: str, key: str, entries: Entries) -> Iterator[str]:
    """Ids of a concept and of all broader ones; an unknown name is an error with its place."""
    seen: set[str] = set()
    waiting = [(section, key)]
    while waiting:
        home, name = waiting.pop()
        identity = f"{PREFIXES[list(_SECTIONS).index(home)]}:{name}"
        if identity in seen:
            continue
        seen.add(identity)
        yield identity
        entry, file, at = entries[home, name]
        for label, inside in (("isa", home), ("class", "classes")):
            for number, parent in enumerate(entry.get(label, ())):
                if (inside, parent) not in entries:
                    known = [other for where, other in entries if where == inside]
                    place = file.place((*at, label, number))
                    raise UsageError(f"{place}: {inside} have no {parent!r}.{near(parent, known)}")
                waiting.append((inside, parent))


def _pointed(names: Iterable[str], file: YamlFile, at: KeyPath, entries: Entries) -> Iterator[str]:
    for number, name in enumerate(names):
        if name == "drug:*":
            yield name
            continue
        homes = [section for section in ("conditions", "measures", "classes") if (section, name) in entries]
        if not homes:
            known = [other for where, other in entries if where != "hints"]
            raise UsageError(f"{file.place((*at, 'to', number))}: nothing is called {name!r}.{near(name, known)}")
        yield f"{PREFIXES[list(_SECTIONS).index(homes[0])]}:{name}"


def _written(section: str, key: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """All spellings of a concept: key and words, hyphens as spaces, Korean compounds with and without a space."""
    given = [*entry.get("en", ()), *entry.get("ko", ()), *entry.get("brands", ())]
    if entry.get("bare", True) and section != "hints":
        given.insert(0, key.replace("_", " "))
    for words in given:
        for text in expand(words):
            yield text
            if "-" in text.strip("-"):
                yield text.replace("-", " ")
            if " " in text and _HANGUL.search(text) and not text.startswith(" "):
                yield text.replace(" ", "")
