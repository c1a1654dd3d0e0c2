"""Two documents, leaf by leaf.

Objects are compared key by key, arrays by index or, in set mode, by assignment; every leaf of the reference gets one
result, every leaf only the prediction has is an extra.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from jatdae.structured.arrays import Memory, Pairs, pair_items
from jatdae.structured.containers import ANY, alternatives, count_leaves, is_filled, settle
from jatdae.structured.field_settings import Field
from jatdae.structured.kinds import kind_of, kind_of_plain_text, kind_of_text
from jatdae.structured.leaves import (
    CORRECT,
    MISSING,
    RIGHT,
    WRONG,
    Budget,
    LeafOutcome,
    Ways,
    compare_values,
    outcome_of_absence,
    state_of,
)
from jatdae.structured.onesided import OneSided
from jatdae.structured.paths import ROOT

_INSTEAD: Final[dict[str, LeafOutcome]] = {
    "value": "mismatch",
    "null": "null_instead",
    "empty": "empty_instead",
    "missing": "missing",
}
"""What becomes of the leaves of a container, by what stands in its place."""

_ALIKE: Final = {str: "string", int: "number", bool: "bool"}
"""Types whose equal values are written alike, and what such a value is."""
_LEAVES: Final = frozenset({int, bool, float, Decimal})


class Comparison(OneSided):
    """A walk through two documents, and what it finds."""

    __slots__ = ("inside", "kind_of_text", "memory")

    def __init__(self, ways: Ways, budget: Budget | None = None, memory: Memory | None = None, inside: int = 0) -> None:
        super().__init__(ways, budget)
        self.memory = memory or Memory()
        self.inside = inside
        """Trials that this one is a part of."""
        self.kind_of_text = kind_of_text if ways.identifiers else kind_of_plain_text

    def walk(self, field: Field, path: str, expected: Any, actual: Any) -> None:
        """Compare what stands at one place."""
        if isinstance(expected, dict) and expected:
            if len(expected) == 1 and ANY in expected:
                self._choose(field, path, expected, actual)
            elif isinstance(actual, dict) and actual:
                self._walk_objects(field, path, expected, actual)
            else:
                self._walk_unlike(field, path, expected, actual)
        elif isinstance(expected, list) and expected:
            if isinstance(actual, list) and actual:
                self._walk_arrays(field, path, expected, actual)
            else:
                self._walk_unlike(field, path, expected, actual)
        elif is_filled(actual):
            self._leaf_against_container(field, path, expected, actual)
        else:
            self._leaf(field, path, expected, actual)

    def _walk_objects(self, field: Field, path: str, expected: dict[str, Any], actual: dict[str, Any]) -> None:
        places, find, append, kind_of_text = field.keys, actual.get, self.rows.append, self.kind_of_text
        others = found = 0
        for key, want in expected.items():
            below = places.get(key) or field.key(key)
            got = find(key, MISSING)
            kind = _ALIKE.get(type(want))
            if kind and type(got) is type(want) and want == got and (kind != "string" or want.strip()):
                # By far the commonest case, and so on the shortest way: the same value on both sides.
                if below.kind:
                    kind = below.kind
                elif kind == "string":
                    kind = kind_of_text(want)
                append((path + below.step, kind, want, got, True, True, 1.0, below.depth, "match", below.name))
                continue
            others += 1
            found += got is not MISSING
            if _says(want) and _says(got):
                self._values(below, path + below.step, want, got)
            else:
                self.walk(below, path + below.step, want, got)
        equal = len(expected) - others
        self.common += equal
        self.edits.paired += equal + 1
        if equal + found < len(actual):
            for key, got in actual.items():
                if key not in expected:
                    below = field.key(key)
                    self._only_predicted(below, path + below.step, got)

    def _walk_arrays(self, field: Field, path: str, expected: list[Any], actual: list[Any]) -> None:
        if field.array == "set":
            partner = dict(self._pair(field, path, expected, actual))
            self._remember(path, expected, actual, partner)
        else:
            partner = {at: at for at in range(min(len(expected), len(actual)))}
        self.edits.paired += 1
        item = field.item(0)
        for at, want in enumerate(expected):
            got = actual[partner[at]] if at in partner else MISSING
            self.walk(field.item(at) if item.by_index else item, f"{path}[{at}]", want, got)
        if len(actual) > len(partner):
            taken = set(partner.values())
            for at, got in enumerate(actual):
                if at not in taken:
                    self._only_predicted(field.item(at), f"{path}[{at}]", got)

    def _pair(self, field: Field, path: str, expected: list[Any], actual: list[Any]) -> Pairs:
        """Who is whose partner; asked once, for a set in a set is met in every trial of the outer one."""
        key = id(field), id(expected), id(actual)
        found = self.memory.pairings.get(key)
        if found is None:
            before = len(self.unassigned)
            found = pair_items(self, field, path, expected, actual)
            if len(self.unassigned) == before:
                self.memory.pairings[key] = found
        return found

    def _remember(self, path: str, expected: list[Any], actual: list[Any], partner: dict[int, int]) -> None:
        """Keep who is whose partner, and both arrays with partners at the same index."""
        self.partners[path or ROOT] = [partner.get(at) for at in range(len(expected))]
        taken = set(partner.values())
        self.instead[id(actual)] = [actual[at] for at in partner.values()] + [
            got for at, got in enumerate(actual) if at not in taken
        ]
        if len(partner) < len(expected):
            self.instead[id(expected)] = [expected[at] for at in partner] + [
                want for at, want in enumerate(expected) if at not in partner
            ]

    def _leaf(self, field: Field, path: str, expected: Any, actual: Any) -> None:
        """Two leaves, or a leaf of the reference and nothing."""
        outcome = outcome_of_absence(expected, actual, self.ways.nulls)
        if outcome is None:
            self._values(field, path, expected, actual)
            return
        kind = field.kind or kind_of(expected, identifiers=self.ways.identifiers)
        if actual is not MISSING:
            self.common += 1
            self.edits.pair(field.label, actual, expected)
        else:
            self.edits.insert(field.label, expected)
            if outcome == "missing":
                self.missing += 1
                self.missing_fields.append(path or ROOT)
        self._add(field, path, kind, expected, actual, RIGHT if outcome in CORRECT else WRONG, outcome)

    def _values(self, field: Field, path: str, expected: Any, actual: Any) -> None:
        """Two leaves that both say something."""
        kind = field.kind or kind_of(expected, identifiers=self.ways.identifiers)
        verdict = compare_values(expected, actual, kind, field, self.ways, self.budget)
        self.common += 1
        self.edits.pair(field.label, actual, expected)
        self._add(field, path, kind, expected, actual, verdict, "match" if verdict[0] else "mismatch")

    def _leaf_against_container(self, field: Field, path: str, expected: Any, actual: Any) -> None:
        """A leaf was expected, and a container with leaves of its own is there."""
        self.edits.exchange(actual, expected)
        outcome: LeafOutcome = "mismatch" if state_of(expected) == "value" else "extra"
        leaves = count_leaves(actual)
        if outcome == "extra" and self.ways.nulls == "same":
            leaves = count_leaves(actual, lambda leaf: state_of(leaf) == "value")
            outcome = "extra" if leaves else "both_absent"
        else:
            self.missing += 1
        self.extra += leaves
        self.surplus += max(0, leaves - 1)
        kind = field.kind or kind_of(expected, identifiers=self.ways.identifiers)
        self._add(field, path, kind, expected, actual, RIGHT if outcome in CORRECT else WRONG, outcome)

    def _walk_unlike(self, field: Field, path: str, expected: Any, actual: Any) -> None:
        """A container was expected, and nothing, a leaf or a container of the other kind is there."""
        expected = settle(expected, self.instead)
        state = state_of(actual)
        outcome = _INSTEAD[state]
        if state == "missing":
            self.edits.insert(field.label, expected)
            self.missing_fields.append(path or ROOT)
        else:
            self.edits.exchange(actual, expected)
            if actual in ({}, []) and isinstance(actual, dict) == isinstance(expected, dict):
                outcome = "missing"  # an empty container of the right kind has everything missing
                steps = map(field.key, expected) if isinstance(expected, dict) else ()
                self.missing_fields += [path + below.step for below in steps] or [
                    f"{path}[{at}]" for at in range(len(expected))
                ]
        before = len(self.rows)
        self._instead(field, path, expected, actual, outcome)
        if state == "value":
            predicted = count_leaves(actual)
            self.extra += predicted
            self.surplus += predicted - (len(self.rows) - before)
        elif state != "missing" and self.ways.nulls == "distinct":
            self.extra += 1

    def _choose(self, field: Field, path: str, expected: dict[str, Any], actual: Any) -> None:
        """The best of several right answers; the first of equals."""
        best: Comparison | None = None
        for choice in alternatives(expected):
            trial = self.trial(self.inside)
            trial.walk(field, path, choice, actual)
            if best is None or trial.rank() > best.rank():
                best, self.instead[id(expected)] = trial, choice
        if best is not None:
            self.take(best)

    def trial(self, inside: int) -> Comparison:
        """A comparison to be thrown away or taken over, inside of so many sets."""
        return Comparison(self.ways, self.budget, self.memory, inside)


def _says(value: Any) -> bool:
    """Whether a value is a leaf that says something."""
    return bool(value.strip()) if type(value) is str else type(value) in _LEAVES
