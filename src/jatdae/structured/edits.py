"""The edits that turn one document's tree into the other's where nodes go together by key.

Their number is the key-anchored distance. It is also the tree edit distance itself, if nothing left over on one side
has a like among what is left over on the other: then no mapping of nodes costs less.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jatdae.structured.containers import count_nodes, is_filled
from jatdae.structured.kinds import written

Label = tuple[str | int, str | tuple[str]]
"""Key and written value of a leaf; null, bools and empty containers are no text."""


class Costs(NamedTuple):
    """What an edit of one node costs."""

    relabel: float = 1.0
    delete: float = 1.0
    insert: float = 1.0


@dataclass(slots=True)
class Edits:
    """A tally of edits, made while two documents are walked."""

    paired: int = 0
    """Nodes that have a partner, with the same label or not."""
    relabelled: int = 0
    deleted: int = 0
    inserted: int = 0
    exchanged: int = 0
    """Containers whose partner is a leaf or a container of the other kind."""
    gone: set[Label] = field(default_factory=set)
    come: set[Label] = field(default_factory=set)
    """Labels of leaves that only the prediction, only the reference has at their place."""

    @property
    def predicted(self) -> int:
        """Nodes of the prediction's tree."""
        return self.paired + self.deleted

    @property
    def expected(self) -> int:
        """Nodes of the reference's tree."""
        return self.paired + self.inserted

    def cost(self, costs: Costs) -> float:
        """The key-anchored distance."""
        return self.relabelled * costs.relabel + self.deleted * costs.delete + self.inserted * costs.insert

    def are_least(self, costs: Costs) -> bool:
        """Whether no other edits can cost less.

        A mapping of m nodes, e of them with equal labels, costs r·(m − e) + d·(|T₁| − m) + i·(|T₂| − m).
        With r ≤ d + i that is least for the largest m and e. These edits have both if they map the
        smaller tree as a whole and no two labels that are left over are equal.
        """
        if self.exchanged or (self.deleted and self.inserted) or costs.relabel > costs.delete + costs.insert:
            return False
        return self.gone.isdisjoint(self.come)

    def pair(self, key: str, actual: Any, expected: Any) -> None:
        """Two leaves at one place."""
        self.paired += 1
        ours, theirs = label(key, expected), label(key, actual)
        if ours != theirs:
            self.relabelled += 1
            self.come.add(ours)
            self.gone.add(theirs)

    def exchange(self, actual: Any, expected: Any) -> None:
        """A container and what stands in its place."""
        self.paired += 1
        self.exchanged += 1
        self.relabelled += is_filled(actual) != is_filled(expected)
        self.deleted += count_nodes(actual) - 1
        self.inserted += count_nodes(expected) - 1

    def delete(self, key: str, actual: Any) -> None:
        """Everything below a place only the prediction has."""
        self.deleted += _collect(key, actual, self.gone)

    def insert(self, key: str, expected: Any) -> None:
        """Everything below a place only the reference has."""
        self.inserted += _collect(key, expected, self.come)

    def add(self, other: Edits) -> None:
        """Take over the edits of another part of the walk."""
        self.paired += other.paired
        self.relabelled += other.relabelled
        self.deleted += other.deleted
        self.inserted += other.inserted
        self.exchanged += other.exchanged
        self.gone |= other.gone
        self.come |= other.come


def label(key: str | int, leaf: Any) -> Label:
    """What a leaf is called in a tree; a number and its text are one."""
    if type(leaf) is str:
        return key, leaf
    if type(leaf) is not int and (leaf is None or isinstance(leaf, (bool, dict, list))):
        return key, (written(leaf),)
    return key, written(leaf)


def _collect(key: str, value: Any, labels: set[Label]) -> int:
    """Add the labels of all leaves to `labels`; the number of nodes."""
    if not is_filled(value):
        labels.add(label(key, value))
        return 1
    if isinstance(value, dict):
        return 1 + sum(_collect(below, item, labels) for below, item in value.items())
    return 1 + sum(_collect("[]", item, labels) for item in value)
