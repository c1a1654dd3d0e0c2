"""Every place in the JSON documents as a `Field`, with the settings that hold there.

Documents of a batch look alike, so a field is made when its place is first met, and then found by one lookup.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from jatdae.core.contract import OTHER
from jatdae.structured.comparators import Comparator, comparator_of
from jatdae.structured.field_settings import SETTINGS, ArrayMode, ByKey, FieldRule
from jatdae.structured.layouts import Grouping
from jatdae.structured.leaves import Ways
from jatdae.structured.normalisers import Normaliser
from jatdae.structured.paths import (
    ANY_DEPTH,
    ANY_INDEX,
    ANY_KEY,
    ROOT,
    Pattern,
    parse_pattern,
    specificity,
    written_key,
)

MAX_FIELDS: Final = 50_000
"""Places kept before all are dropped; only documents whose keys are data have so many."""
_OF_RULES: Final = (*SETTINGS, "comparator")

State = tuple[int, int]
"""A rule, and how many parts of its pattern have been matched."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """Settings of JSON fields that no rule matches."""

    tau: float = 0.1
    tolerance: float = 0.0


class FieldTree:
    """All fields of the JSON documents, from the root down, with the settings that hold at each."""

    def __init__(self, rules: Iterable[FieldRule] = (), defaults: Defaults | None = None) -> None:
        ordered = [(parse_pattern(rule.pattern), rule) for given in rules for rule in (given, *_keys_of(given))]
        ordered.sort(key=lambda pair: specificity(pair[0]))  # stable: of equals the last given wins
        self._patterns: list[Pattern] = [pattern for pattern, _ in ordered]
        self.rules = [rule for _, rule in ordered]
        self.defaults = defaults or Defaults()
        self.skips = any(rule.skip for rule in self.rules)
        self.indexed = any(type(part) is int for pattern in self._patterns for part in pattern)
        self.weighted = any(rule.weight is not None for rule in self.rules)
        self.met = 0
        """Number of places made so far."""
        self._named: dict[str, Field] = {}
        self.root = self._plant()

    def place(self, name: str) -> Field:
        """A place by its written path, or by its name, in which `[*]` stands for an array's items."""
        field = self._named.get(name)
        if field is None:
            field = self.root
            for part in parse_pattern(name):
                if part is ANY_INDEX:
                    field = field.item(-1)
                else:
                    field = field.item(part) if isinstance(part, int) else field.key(part)
            self._named[name] = field
        return field

    def weights(self, names: Collection[str]) -> list[float]:
        """The weights of fields by name; the pooled rest has weight 1."""
        if not self.weighted:
            return [1.0] * len(names)
        return [1.0 if name == OTHER else self.place(name).weight for name in names]

    def count_matched(self, leaves: Mapping[str, int], skipped: Mapping[str, int]) -> dict[str, int]:
        """Leaves by the pattern whose settings they have; 0 shows one that matches nothing."""
        matched = dict.fromkeys([rule.pattern for rule in self.rules], 0)
        for pattern, count in skipped.items():
            matched[pattern] += count
        for name, count in leaves.items():
            for pattern in self.place(name).applied:
                matched[pattern] += count
        return matched

    def trim(self) -> None:
        """Drop all places once there are too many."""
        if self.met + len(self._named) > MAX_FIELDS:
            self.met = 0
            self._named.clear()
            self.root = self._plant()

    def ended(self, states: Iterable[State]) -> list[FieldRule]:
        """The rules whose patterns are matched in full, the most specific last."""
        return [self.rules[rule] for rule in sorted({rule for rule, met in states if met == len(self._patterns[rule])})]

    def step(self, states: Iterable[State], part: str | int) -> frozenset[State]:
        """The states one key or index further down."""
        further: list[State] = []
        anything = ANY_INDEX if type(part) is int else ANY_KEY
        for rule, met in states:
            pattern = self._patterns[rule]
            if met < len(pattern):
                wanted = pattern[met]
                if wanted is ANY_DEPTH:
                    further.append((rule, met))
                elif wanted is anything or (type(wanted) is type(part) and wanted == part):
                    further.append((rule, met + 1))
        return self._spread(further)

    def _plant(self) -> Field:
        return Field(self, ROOT, -1, self._spread((number, 0) for number in range(len(self.rules))))

    def _spread(self, states: Iterable[State]) -> frozenset[State]:
        """The states, and those in which a `**` stands for no step."""
        found: set[State] = set()
        for rule, met in states:
            pattern = self._patterns[rule]
            found.add((rule, met))
            for further in range(met, len(pattern)):
                if pattern[further] is not ANY_DEPTH:
                    break
                found.add((rule, further + 1))
        return frozenset(found)


class Field:
    """A field of the JSON documents (all values with its path), and its settings."""

    __slots__ = (
        *("_fields", "_items", "_states", "applied", "array", "by_index", "depth", "keys", "kind", "label", "name"),
        *(
            "array_key",
            "comparator",
            "grouping",
            "normalise",
            "own_ways",
            "skip",
            "skipping",
            "special",
            "step",
            "tau",
            "threshold",
            "tolerance",
            "weight",
        ),
    )

    def __init__(
        self,
        fields: FieldTree,
        name: str,
        depth: int,
        states: frozenset[State],
        *,
        above: frozenset[str] = frozenset(),
        label: str = "",
        step: str = "",
    ) -> None:
        self._fields, self._states = fields, states
        self._items: dict[int, Field] = {}
        self.keys: dict[str, Field] = {}
        """Places below, by key."""
        self.name, self.depth = name, depth
        self.by_index = fields.indexed
        """Whether another index may have other settings."""
        self.step = step
        """What this place adds to the written path of the one above."""
        self.label = label
        """Label of the node in the document's tree: its key; one label for all indices."""
        rules = fields.ended(states) if states else []
        self.applied: frozenset[str] = above | frozenset(rule.pattern for rule in rules if not rule.skip)
        fields.met += 1
        found: dict[str, Any] = {}
        for rule in rules:
            found |= {setting: said for setting in _OF_RULES if (said := getattr(rule, setting)) is not None}
        self.kind: str | None = found.get("type")
        self.weight: float = found.get("weight", 1.0)
        self.tau: float = found.get("tau", fields.defaults.tau)
        self.tolerance: float = found.get("tolerance", fields.defaults.tolerance)
        array = found.get("array", "order")
        self.array: ArrayMode = "set" if isinstance(array, ByKey) else array
        self.array_key: tuple[Pattern, ...] = tuple(map(parse_pattern, array.key)) if isinstance(array, ByKey) else ()
        """Fields of an item that its partner shares."""
        self.threshold: float = found.get("threshold", 0.0)
        self.normalise: Literal["print", "none"] | Normaliser | None = None
        """How texts are normalised here; None leaves it to the setting for all fields."""
        said = found.get("normalise")
        self.normalise = Normaliser(said) if isinstance(said, tuple) else said
        self.grouping: Grouping | None = found.get("grouping")
        self.comparator: Comparator | None = comparator_of(found["comparator"]) if "comparator" in found else None
        self.special = not (self.normalise is self.grouping is self.comparator is None)
        """Whether values are compared in another way than in other fields."""
        self.own_ways: Ways | None = None
        """How values are compared here, once that is known."""
        self.skip: bool = found.get("skip", False)
        self.skipping: tuple[str, ...] = tuple(rule.pattern for rule in rules if rule.skip)
        """Patterns that skip it."""

    def key(self, key: str) -> Field:
        """The place below a key."""
        below = self.keys.get(key)
        if below is None:
            step = written_key(key)
            if self.depth < 0:
                step = step.removeprefix(".")
            name = step if self.depth < 0 else self.name + step
            below = self.keys[key] = self._below(name, key, label=key, step=step)
        return below

    def item(self, index: int) -> Field:
        """The place of an array's item; one for all, unless a pattern names an index."""
        number = index if self.by_index else 0
        below = self._items.get(number)
        if below is None:
            name = "[*]" if self.depth < 0 else f"{self.name}[*]"
            below = self._items[number] = self._below(name, index, label="[]", step="")
        return below

    def _below(self, name: str, part: str | int, *, label: str, step: str) -> Field:
        states = self._fields.step(self._states, part) if self._states else self._states
        return Field(self._fields, name, self.depth + 1, states, above=self.applied, label=label, step=step)


def _keys_of(rule: FieldRule) -> list[FieldRule]:
    """The fields by which a rule pairs items, as rules that set nothing: one that no item has is told like any path."""
    if not isinstance(rule.array, ByKey):
        return []
    joined = [f"{rule.pattern}[*]{key if key[0] == '[' else f'.{key}'}" for key in rule.array.key if key != ROOT]
    return [FieldRule(pattern) for pattern in joined]
