"""The lexicon as files: the bundled one and one's own, checked with their places and built into concepts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NoReturn

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.core.yamlfile import KeyPath, YamlFile, read_yaml
from jatdae.dialogue.vocabulary import CODES, PREFIXES, Concept, Lexicon, Surface, expand, fold, readings

BUNDLED: Final = Path(__file__).parent / "concepts"
GRAMMAR: Final = ("cues", "korean", "english")
"""What is no list of concepts, but tells how they are meant."""
VERSION: Final = 1
"""Bumped when a change of the bundled concepts or cues moves a score."""

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
MOST_READINGS: Final = 1_000
"""Words that one entry with braces may stand for."""
_HANGUL: Final = re.compile("[가-힣]")


def load_lexicon(custom: Path | None = None) -> Lexicon:
    """The bundled lexicon, extended by `custom` or, where that says `replace: true`, `custom` alone."""
    return _loaded(custom, stamp_of(custom))


def stamp_of(path: Path | None) -> tuple[int, int]:
    """What changes when a file does: a cache keyed by it never serves what was there before."""
    if path is None or not Path(path).exists():
        return 0, 0
    about = Path(path).stat()
    return about.st_mtime_ns, about.st_size


@lru_cache(maxsize=8)
def _loaded(custom: Path | None, _: tuple[int, int]) -> Lexicon:
    entries: dict[tuple[str, str], tuple[dict[str, Any], YamlFile, KeyPath]] = {}
    digest = hashlib.sha256(b"".join((BUNDLED / f"{name}.yaml").read_bytes() for name in GRAMMAR))
    own: dict[str, Any] = {}
    if custom is not None:
        file = read_yaml(custom)
        own = _custom(file)
        digest.update(Path(custom).read_bytes())
    if not own.get("replace", False):
        for section in _SECTIONS:
            path = BUNDLED / f"{section}.yaml"
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
    """An entry with the right keys, and lists where lists are due."""

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
        if key in ("ko", "en", "brands") and any(readings(word) > MOST_READINGS for word in value):
            refuse((*at, key), f"one of these stands for more than {MOST_READINGS:,} words; use fewer braces")
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


def _built(entries: Entries, digest: str) -> Lexicon:
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
    return Lexicon(concepts, tuple(found.values()), codes, digest)


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
    """Ids of a concept and of everything above it; an unknown name is an error with its place."""
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
    """Every way a concept is written: key and words, hyphens as spaces, Korean compounds with and without a space."""
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
