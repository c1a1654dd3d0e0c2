"""What a text can name: concepts, the words they are written in, and how words are compared."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

PREFIXES: Final = ("drug", "class", "condition", "measure", "procedure", "lifestyle", "demographic", "hint")
"""What ids begin with, in the order in which a bare key is looked up."""
CODES: Final = ("rxnorm", "snomed", "icd10", "loinc")
_CHOICE: Final = re.compile(r"\{([^{}]*\|[^{}]*)\}")


@dataclass(frozen=True, slots=True, eq=False)
class Concept:
    """Something a text can name."""

    id: str
    """Section and key: `drug:metformin`."""
    category: str
    """drug, drug_class, condition, symptom, lab, vital, procedure, food, activity, sex, age_group, age or hint."""
    name: str
    codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    above: frozenset[str] = frozenset()
    """Ids of what it is a kind of, itself included."""
    broad: bool = False
    unit: str = ""
    units: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Factor and offset towards `unit`, by the unit as it is folded."""
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
    """A way a concept is written; no concept: a phrase that only looks like one."""

    text: str
    concept: Concept | None
    exact: str = ""
    """Where set, the capitals have to agree: MI, but not mi."""
    figured: Concept | None = None
    """What it names where a figure follows: "sodium 139" is a measurement, sodium else is salt."""


@dataclass(frozen=True)
class Lexicon:
    """Concepts by id, what they are called, and a hash of what was read."""

    concepts: Mapping[str, Concept]
    surfaces: tuple[Surface, ...]
    codes: Mapping[tuple[str, str], Concept]
    hash: str

    def by_key(self, key: str, categories: Iterable[str] = ()) -> Concept | None:
        """The concept of a key, whatever its section."""
        wanted = tuple(categories)
        for prefix in PREFIXES:
            found = self.concepts.get(f"{prefix}:{key}")
            if found and (not wanted or found.category in wanted):
                return found
        return None

    def by_code(self, system: str, code: str) -> Concept | None:
        """The concept of a code; `system` may be a URL such as FHIR has."""
        return self.codes.get((_system(system), code.strip().upper()))

    def keys(self, *categories: str) -> list[str]:
        """Keys of the concepts of some categories."""
        return [c.key for c in self.concepts.values() if c.category in categories]


def expand(text: str) -> Iterator[str]:
    """`a {b|c}` stands for `a b` and `a c`."""
    for chosen in product(*_choices(text)):
        yield "".join(chosen)


def readings(text: str) -> int:
    """How many words `expand` makes of a text."""
    return math.prod(len(choice) for choice in _choices(text))


def _choices(text: str) -> list[list[str]]:
    return [part.split("|") if at % 2 else [part] for at, part in enumerate(_CHOICE.split(text))]


def fold(text: str) -> str:
    """As texts are compared: lower case, straight apostrophes, plain spaces; positions stay."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    return lower.replace("’", "'").replace("\u00a0", " ")


def _system(text: str) -> str:
    lower = text.lower()
    return next((name for name in CODES if name in lower.replace("-", "")), "snomed" if "sct" in lower else lower)
