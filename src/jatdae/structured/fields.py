"""Which settings hold where: path patterns resolved once for each place in the documents.

Documents of a batch look alike, so every place is a `Field` that is made when it is first met and found by one lookup
from then on. A setting given for several matching patterns is that of the most specific one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

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

ArrayMode = Literal["order", "set"]
OTHER: Final = "<other>"
"""Fields beyond the most that are told apart, as one."""
MAX_FIELDS: Final = 50_000
"""Places remembered before all are forgotten; only documents whose keys are data have so many."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Settings for the places a pattern matches; None leaves a setting to other rules."""

    pattern: str
    type: str | None = None
    weight: float | None = None
    tau: float | None = None
    tolerance: float | None = None
    array: ArrayMode | None = None
    skip: bool | None = None


SETTINGS: Final = ("type", "weight", "tau", "tolerance", "array", "skip")


@dataclass(frozen=True, slots=True)
class Defaults:
    """Settings of a place that no rule matches."""

    tau: float = 0.1
    tolerance: float = 0.0


State = tuple[int, int]
"""A rule, and how many parts of its pattern have been met."""


class Fields:
    """All places, from the root down."""

    def __init__(self, rules: Iterable[Rule] = (), defaults: Defaults | None = None) -> None:
        ordered = [(parse_pattern(rule.pattern), rule) for rule in rules]
        ordered.sort(key=lambda pair: specificity(pair[0]))  # stable: of equals the last given wins
        self._patterns: list[Pattern] = [pattern for pattern, _ in ordered]
        self.rules = [rule for _, rule in ordered]
        self.defaults = defaults or Defaults()
        self.skips = any(rule.skip for rule in self.rules)
        self.indexed = any(type(part) is int for pattern in self._patterns for part in pattern)
        self.weighted = any(rule.weight is not None for rule in self.rules)
        self.met = 0
        """Places made so far."""
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
        """The weights of fields by their names; what is pooled has none of its own."""
        if not self.weighted:
            return [1.0] * len(names)
        return [1.0 if name == OTHER else self.place(name).weight for name in names]

    def trim(self) -> None:
        """Forget all places where too many have been met."""
        if self.met + len(self._named) > MAX_FIELDS:
            self.met = 0
            self._named.clear()
            self.root = self._plant()

    def ended(self, states: Iterable[State]) -> list[Rule]:
        """The rules whose patterns are met in full, the most specific last."""
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
        """`**` may stand for no step at all."""
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
    """A place in the documents, and the settings that hold there."""

    __slots__ = (
        *("_fields", "_items", "_states", "applied", "array", "by_index", "depth", "keys", "kind", "label", "name"),
        *("skip", "step", "tau", "tolerance", "weight"),
    )

    def __init__(
        self,
        fields: Fields,
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
        """What the written path grows by from the place above."""
        self.label = label
        """What a node of the tree is called here: its key; one name for all indices."""
        rules = fields.ended(states) if states else []
        self.applied: frozenset[str] = above | frozenset(rule.pattern for rule in rules if not rule.skip)
        fields.met += 1
        found: dict[str, Any] = {}
        for rule in rules:
            found |= {setting: said for setting in SETTINGS if (said := getattr(rule, setting)) is not None}
        self.kind: str | None = found.get("type")
        self.weight: float = found.get("weight", 1.0)
        self.tau: float = found.get("tau", fields.defaults.tau)
        self.tolerance: float = found.get("tolerance", fields.defaults.tolerance)
        self.array: ArrayMode = found.get("array", "order")
        self.skip: bool = found.get("skip", False)

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
