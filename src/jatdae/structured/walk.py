"""Walks through two JSON documents and compares them leaf by leaf.

Objects are compared key by key, arrays by index or, in set mode, by assignment. Every leaf of the reference gets one
result; every leaf that only the prediction has is an extra.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from jatdae.core.contract import add_up
from jatdae.structured.comparison import UNKNOWN, Judgement, Sides, compare_values, says_nothing
from jatdae.structured.containers import ANY, alternatives, count_leaves, is_filled, settle
from jatdae.structured.field_tree import Field
from jatdae.structured.kinds import kind_of, kind_of_plain_text, kind_of_text
from jatdae.structured.leaves import (
    CORRECT,
    MISSING,
    RIGHT,
    WRONG,
    Budget,
    LeafOutcome,
    Row,
    Verdict,
    Ways,
    exact_of,
    fuzzy_of,
    outcome_of_absence,
    similarity_of,
    state_of,
)
from jatdae.structured.partners import PairingMemory, Pairs, pair_items
from jatdae.structured.paths import ROOT
from jatdae.structured.trees import Edits
from jatdae.structured.wording import MAX_READ, listed

_INSTEAD: Final[dict[str, LeafOutcome]] = {
    "value": "mismatch",
    "null": "null_instead",
    "empty": "empty_instead",
    "missing": "missing",
}
"""The outcome of the leaves of a container, by what stands in its place."""

MOST_WRAPPED: Final = 100
"""Items of the longest array that a single value is looked for in."""
_ALIKE: Final = {str: "string", int: "number", bool: "bool"}
"""Types whose equal values are written alike, and the kind of such a value."""
_LEAVES: Final = frozenset({int, bool, float, Decimal})


@dataclass(slots=True)
class Findings:
    """Results of a walk through two JSON documents, before any metric is computed."""

    rows: list[Row] = field(default_factory=list)
    """One for each leaf of the reference."""
    extra_rows: list[Row] = field(default_factory=list)
    """One for each leaf that only the prediction has."""
    missing_fields: list[str] = field(default_factory=list)
    extra_fields: list[str] = field(default_factory=list)
    """The highest paths that only one side has."""
    common: int = 0
    missing: int = 0
    extra: int = 0
    """Leaf paths of both sides, of the reference only, of the prediction only."""
    surplus: int = 0
    """Predicted leaves beyond one for each mismatch, where a container stands against something else."""
    edits: Edits = field(default_factory=Edits)
    """The edits of one tree into the other."""
    instead: dict[int, Any] = field(default_factory=dict)
    """By id of a choice: the alternative taken. By id of a set: its items in the order of their partners."""
    partners: dict[str, list[int | None]] = field(default_factory=dict)
    """Per set: the index of each reference item's partner."""
    unassigned: list[str] = field(default_factory=list)
    """Sets too large to be assigned."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """What was taken for granted, by code, and the path where."""
    budget: Budget = field(default_factory=Budget)

    def rank(self) -> tuple[float, float, float, int]:
        """Sort key by which one alternative is better than another."""
        n = max(1, len(self.rows))
        exact, fuzzy, similarity = (
            add_up(map(column, self.rows)) / n for column in (exact_of, fuzzy_of, similarity_of)
        )
        return exact, fuzzy, similarity, -self.extra

    def take(self, other: Findings) -> None:
        """Add the findings of another part of the documents."""
        self.rows += other.rows
        self.extra_rows += other.extra_rows
        self.missing_fields += other.missing_fields
        self.extra_fields += other.extra_fields
        self.common += other.common
        self.missing += other.missing
        self.extra += other.extra
        self.surplus += other.surplus
        self.edits.add(other.edits)
        self.instead |= other.instead
        self.partners |= other.partners
        self.unassigned += other.unassigned
        self.notes += other.notes


class Walk(Findings):
    """Walks through two JSON documents and compares them place by place."""

    __slots__ = ("inside", "memory", "sides", "ways")

    def __init__(
        self,
        ways: Ways,
        sides: Sides = UNKNOWN,
        budget: Budget | None = None,
        memory: PairingMemory | None = None,
        inside: int = 0,
    ) -> None:
        super().__init__(budget=budget or Budget())
        self.ways = ways
        self.sides = sides
        self.memory = memory or PairingMemory()
        self.inside = inside
        """Number of trials that this walk is a part of."""

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
        places, rows, identifiers = field.keys, self.rows, self.ways.identifiers
        others = found = 0
        for key, want in expected.items():
            below = places.get(key) or field.key(key)
            got = actual.get(key, MISSING)
            kind = _ALIKE.get(type(want))
            if kind and type(got) is type(want) and want == got and (kind != "string" or want.strip()):
                # By far the commonest case, so it has a path of its own: the same value on both sides.
                if below.kind:
                    kind = below.kind
                elif kind == "string":
                    kind = kind_of_text(want) if identifiers else kind_of_plain_text(want)
                rows.append((path + below.step, kind, want, got, True, True, 1.0, below.depth, "match", below.name))
                continue
            others += 1
            found += got is not MISSING
            if _has_value(want) and _has_value(got):
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
        """The partners of two arrays; kept, because a set in a set is met in every trial of the outer one."""
        key = id(field), id(expected), id(actual)
        found = self.memory.pairings.get(key)
        if found is None:
            before = len(self.unassigned)
            found = pair_items(self, field, path, expected, actual)
            if len(self.unassigned) == before:
                self.memory.pairings[key] = found
        return found

    def _remember(self, path: str, expected: list[Any], actual: list[Any], partner: dict[int, int]) -> None:
        """Record the partners, and both arrays reordered so that partners have the same index."""
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
        if outcome in ("null_instead", "extra") and says_nothing(expected, actual, field, self.ways):
            outcome = "both_absent" if expected is None else "match"
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
        """Two leaves that both hold a value."""
        kind, exact, fuzzy, similarity, note = compare_values(
            expected, actual, field, self.ways, self.sides, self.budget
        )
        self.common += 1
        self.edits.pair(field.label, actual, expected)
        if note:
            self.notes.append((note, path))
        self._add(field, path, kind, expected, actual, (exact, fuzzy, similarity), "match" if exact else "mismatch")

    def _leaf_against_container(self, field: Field, path: str, expected: Any, actual: Any) -> None:
        """A leaf was expected, and a container with leaves of its own is there."""
        self.edits.exchange(actual, expected)
        if isinstance(actual, list) and self._unwrap_prediction(field, path, expected, actual):
            return
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

    def _unwrap_prediction(self, field: Field, path: str, expected: Any, actual: list[Any]) -> bool:
        """A value was expected, and an array is there: if it holds the value, or one value only, that is compared.

        The others are extra. Returns whether it was so.
        """
        if not _has_value(expected):
            return False
        at, found = self._nearest([(expected, got, field) for got in actual], path)
        if found is None:
            return self._list_text(field, path, expected, actual)
        self._add_wrapped(field, path, expected, actual[at], found)
        self.missing += 1
        self.extra += len(actual)
        for number, got in enumerate(actual):
            if number != at:
                self._extras(field.item(number), f"{path}[{number}]", got)
                self.extra_fields.append(f"{path}[{number}]")
        return True

    def _unwrap_reference(self, field: Field, path: str, expected: list[Any], actual: Any) -> bool:
        """An array was expected, and a value is there: if the array holds it, or one value only, that is compared.

        The others are missing. Returns whether it was so.
        """
        items = [field.item(at) for at in range(len(expected))]
        at, found = self._nearest([(want, actual, item) for want, item in zip(expected, items, strict=True)], path)
        if found is None:
            return self._text_for_list(field, path, expected, actual)
        self.edits.exchange(actual, expected)
        self.missing += len(expected)
        self.extra += 1
        for number, want in enumerate(expected):
            place = f"{path}[{number}]"
            if number == at:
                self._add_wrapped(items[number], place, want, actual, found)
            else:
                self.missing_fields.append(place)
                kind = items[number].kind or kind_of(want, identifiers=self.ways.identifiers)
                self._add(items[number], place, kind, want, MISSING, WRONG, "missing")
        return True

    def _list_text(self, field: Field, path: str, expected: Any, actual: list[Any]) -> bool:
        """A text that lists values was expected, and an array of them is there. Returns whether it was so."""
        pairs = self._beside(field, expected, actual)
        found = self._judge_listed([(part, got, field) for part, got in pairs], path)
        if not found:
            return False
        exact, fuzzy = (all(column) for column in zip(*((one.exact, one.fuzzy) for one in found), strict=True))
        likeness = add_up(one.similarity for one in found) / len(found)
        self.missing += 1
        self.extra += len(actual)
        outcome: LeafOutcome = "wrapped" if exact else "mismatch"
        self._add(field, path, "string", expected, actual, (exact, fuzzy, likeness), outcome)
        return True

    def _text_for_list(self, field: Field, path: str, expected: list[Any], actual: Any) -> bool:
        """An array was expected, and a text is there that lists its values. Returns whether it was so."""
        parts = [part for part, _ in self._beside(field, actual, expected)]
        items = [field.item(at) for at in range(len(parts))]
        found = self._judge_listed(list(zip(expected, parts, items, strict=False)), path)
        if not found:
            return False
        self.edits.exchange(actual, expected)
        self.missing += len(expected)
        self.extra += 1
        for at, one in enumerate(found):
            self._add_wrapped(items[at], f"{path}[{at}]", expected[at], parts[at], one)
        return True

    def _beside(self, field: Field, text: Any, values: list[Any]) -> list[tuple[str, Any]]:
        """The parts of a text that lists as many values as an array holds, each with its value; else none.

        Only of a field that is read as it is printed.
        """
        if type(text) is not str or len(text) > MAX_READ or not 1 < len(values) <= MOST_WRAPPED:
            return []
        if field.kind or field.special or self.ways.normalise != "print":
            return []
        parts = listed(text)
        return list(zip(parts, values, strict=True)) if len(parts) == len(values) else []

    def _judge_listed(self, pairs: list[tuple[Any, Any, Field]], path: str) -> list[Judgement]:
        """How the values of two lists compare, one by one; none where two of them differ."""
        if not all(_has_value(want) and _has_value(got) for want, got, _ in pairs):
            return []
        judged = [compare_values(want, got, field, self.ways, self.sides, self.budget) for want, got, field in pairs]
        if not all(one.fuzzy for one in judged):
            return []
        self.notes += [(one.note, path) for one in judged if one.note]
        return judged

    def _nearest(self, pairs: list[tuple[Any, Any, Field]], path: str) -> tuple[int, Judgement | None]:
        """The first pair of values that are equal, or the only pair, and how they compare; None where there is none."""
        if len(pairs) > MOST_WRAPPED or not all(_has_value(want) and _has_value(got) for want, got, _ in pairs):
            return 0, None
        judged = [compare_values(want, got, field, self.ways, self.sides, self.budget) for want, got, field in pairs]
        at = next((number for number, found in enumerate(judged) if found.exact), 0)
        if not judged[at].exact and len(pairs) > 1:
            return 0, None
        if judged[at].note:
            self.notes.append((judged[at].note, path))
        return at, judged[at]

    def _add_wrapped(self, field: Field, path: str, expected: Any, actual: Any, found: Judgement) -> None:
        self._add(field, path, found.kind, expected, actual, found[1:4], "wrapped" if found.exact else "mismatch")

    def _walk_unlike(self, field: Field, path: str, expected: Any, actual: Any) -> None:
        """A container was expected, and there is nothing, a leaf or a container of the other kind."""
        expected = settle(expected, self.instead)
        if isinstance(expected, list) and _has_value(actual) and self._unwrap_reference(field, path, expected, actual):
            return
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
        """Compare with several right answers and keep the best; among equals the first."""
        best: Walk | None = None
        for choice in alternatives(expected):
            trial = self.trial(self.inside)
            trial.walk(field, path, choice, actual)
            if best is None or trial.rank() > best.rank():
                best, self.instead[id(expected)] = trial, choice
        if best is not None:
            self.take(best)

    def trial(self, inside: int) -> Walk:
        """A new walk inside so many trials, to be dropped or taken over."""
        return Walk(self.ways, self.sides, self.budget, self.memory, inside)

    def _only_predicted(self, field: Field, path: str, actual: Any) -> None:
        """Everything at and below a place that the reference does not have."""
        self.edits.delete(field.label, actual)
        before = len(self.extra_rows)
        self._extras(field, path, actual)
        if len(self.extra_rows) > before:
            self.extra_fields.append(path)
            self.extra += len(self.extra_rows) - before

    def _extras(self, field: Field, path: str, actual: Any) -> None:
        if isinstance(actual, dict) and actual:
            for key, got in actual.items():
                below = field.key(key)
                self._extras(below, path + below.step, got)
        elif isinstance(actual, list) and actual:
            for at, got in enumerate(actual):
                self._extras(field.item(at), f"{path}[{at}]", got)
        elif outcome_of_absence(MISSING, actual, self.ways.nulls) == "extra":
            kind = field.kind or kind_of(actual, identifiers=self.ways.identifiers)
            self.extra_rows.append((path, kind, None, actual, False, False, 0.0, field.depth, "extra", field.name))

    def _instead(self, field: Field, path: str, expected: Any, actual: Any, outcome: LeafOutcome) -> None:
        """Give every leaf below a place the same outcome."""
        if isinstance(expected, dict) and expected:
            for key, want in expected.items():
                below = field.key(key)
                self._instead(below, path + below.step, want, actual, outcome)
        elif isinstance(expected, list) and expected:
            for at, want in enumerate(expected):
                self._instead(field.item(at), f"{path}[{at}]", want, actual, outcome)
        else:
            absent = self.ways.nulls == "same" and outcome != "mismatch" and state_of(expected) != "value"
            self.missing += not absent
            kind = field.kind or kind_of(expected, identifiers=self.ways.identifiers)
            shown = MISSING if outcome == "missing" else actual
            found: LeafOutcome = "both_absent" if absent else outcome
            self._add(field, path, kind, expected, shown, RIGHT if absent else WRONG, found)

    def _add(
        self, field: Field, path: str, kind: str, expected: Any, actual: Any, verdict: Verdict, outcome: LeafOutcome
    ) -> None:
        shown = None if actual is MISSING else actual
        self.rows.append((path or ROOT, kind, expected, shown, *verdict, max(field.depth, 0), outcome, field.name))


def _has_value(value: Any) -> bool:
    """Whether a value is a leaf that is neither null nor empty."""
    return bool(value.strip()) if type(value) is str else type(value) in _LEAVES
