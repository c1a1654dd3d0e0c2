"""JSON documents as trees, and the edits that turn one tree into the other.

A container is a node labelled by its key or index, a leaf one labelled by key and written value; keys are sorted.

    ted        Zhang and Shasha (1989): least cost of relabelling, deleting and inserting nodes, by the shared kernel
    nted       ted / (|T₁| + |T₂|);   nted_max = ted / max(|T₁|, |T₂|)
    ted_keyed  the same where nodes may be paired only if their keys are, all the way up; never less than ted

`Edits` counts the edits of ted_keyed while two documents are walked. Often their number is ted as well, and the kernel
need not be asked: see `Edits.are_least`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jatdae.kernels.tree import Tree, TreeTooLarge, tree_distance
from jatdae.structured.containers import count_nodes, is_filled
from jatdae.structured.kinds import written
from jatdae.structured.leaves import MISSING

Key = str | int
Numbers = dict[tuple[Any, ...], int]
"""A number for each label, shared by two trees."""
Label = tuple[str | int, str | tuple[str]]
"""Key and written value of a leaf; null, bools and empty containers are no text."""


class Costs(NamedTuple):
    """Costs of relabelling, deleting and inserting a node of a JSON tree."""

    relabel: float = 1.0
    delete: float = 1.0
    insert: float = 1.0


class TreeScores(NamedTuple):
    """Edit distances from the predicted JSON tree to the reference's, and the sizes of both in nodes."""

    ted: float | None
    ted_keyed: float
    predicted: int
    expected: int


def measure_trees(
    prediction: Any, reference: Any, edits: Edits, instead: Mapping[int, Any], costs: Costs, most_nodes: int
) -> TreeScores:
    """Both tree edit distances of two JSON documents, free and by key, and the sizes of their trees.

    `ted` is None where a tree has more than `most_nodes`, or takes the kernel too long.

    `edits` are those by key; `instead` maps the id of a container to what is compared in its place.
    """
    keyed = edits.cost(costs)
    ted: float | None = None
    if max(edits.predicted, edits.expected) <= most_nodes:
        if edits.are_least(costs):
            ted = keyed
        else:
            try:
                ted = distance(resolved(prediction, instead), resolved(reference, instead), costs)
            except TreeTooLarge:
                ted = None
    return TreeScores(ted, keyed, edits.predicted, edits.expected)


def distance(a: Any, b: Any, costs: Costs) -> float:
    """Tree edit distance from one JSON document to another."""
    numbers: Numbers = {}
    trees = _plant(a, numbers), _plant(b, numbers)
    return tree_distance(*trees, rename=costs.relabel, delete=costs.delete, insert=costs.insert)


def resolved(value: Any, instead: Mapping[int, Any]) -> Any:
    """Copy of a JSON document, to be made a tree, with some of its containers, given by id, replaced."""
    if not instead:
        return value
    while id(value) in instead:
        value = instead[id(value)]
    if isinstance(value, dict):
        return {key: resolved(below, instead) for key, below in value.items()}
    return [resolved(below, instead) for below in value] if isinstance(value, list) else value


def _plant(value: Any, numbers: Numbers) -> Tree:
    """A document as the tree kernel takes it."""
    parents: list[int] = []
    kinds: list[int] = []
    for parent, name in _nodes(value):
        parents.append(parent)
        kinds.append(numbers.setdefault(name, len(numbers)))
    return Tree(parents, kinds)


def _nodes(value: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Nodes in preorder: the number of the parent, and the label."""
    stack: list[tuple[int, Key, Any]] = [] if value is MISSING else [(-1, "$", value)]
    number = 0
    while stack:
        parent, key, value = stack.pop()
        if isinstance(value, dict) and value:
            yield parent, (key,)
            stack += [(number, below, value[below]) for below in sorted(value, reverse=True)]
        elif isinstance(value, list) and value:
            yield parent, (key,)
            stack += [(number, at, value[at]) for at in range(len(value) - 1, -1, -1)]
        else:
            yield parent, label(key, value)
        number += 1


@dataclass(slots=True)
class Edits:
    """Tree edits by key, counted while two JSON documents are walked."""

    paired: int = 0
    """Nodes that have a partner, with the same label or not."""
    relabelled: int = 0
    deleted: int = 0
    inserted: int = 0
    exchanged: int = 0
    """Containers whose partner is a leaf or a container of the other kind."""
    gone: set[Label] = field(default_factory=set)
    come: set[Label] = field(default_factory=set)
    """Labels of leaves that only the prediction (`gone`) or only the reference (`come`) has at their place."""

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
        """Whether no other edits can cost less, so that the tree edit distance is known without the kernel.

        A mapping of m nodes, e of them with equal labels, costs r·(m − e) + d·(|T₁| − m) + i·(|T₂| − m).
        With r ≤ d + i that is least for the largest m and e. These edits have both if they map the
        smaller tree as a whole and no two labels that are left over are equal.
        """
        if self.exchanged or (self.deleted and self.inserted) or costs.relabel > costs.delete + costs.insert:
            return False
        return self.gone.isdisjoint(self.come)

    def pair(self, key: str, actual: Any, expected: Any) -> None:
        """Count two leaves at one place."""
        self.paired += 1
        ours, theirs = label(key, expected), label(key, actual)
        if ours != theirs:
            self.relabelled += 1
            self.come.add(ours)
            self.gone.add(theirs)

    def exchange(self, actual: Any, expected: Any) -> None:
        """Count a container and what stands in its place."""
        self.paired += 1
        self.exchanged += 1
        self.relabelled += is_filled(actual) != is_filled(expected)
        self.deleted += count_nodes(actual) - 1
        self.inserted += count_nodes(expected) - 1

    def delete(self, key: str, actual: Any) -> None:
        """Count everything at and below a place that only the prediction has."""
        self.deleted += _collect(key, actual, self.gone)

    def insert(self, key: str, expected: Any) -> None:
        """Count everything at and below a place that only the reference has."""
        self.inserted += _collect(key, expected, self.come)

    def add(self, other: Edits) -> None:
        """Add the edits of another part of the walk."""
        self.paired += other.paired
        self.relabelled += other.relabelled
        self.deleted += other.deleted
        self.inserted += other.inserted
        self.exchanged += other.exchanged
        self.gone |= other.gone
        self.come |= other.come


def label(key: str | int, leaf: Any) -> Label:
    """Label of a leaf in the tree of a JSON document; a number and its text have the same."""
    if type(leaf) is str:
        return key, leaf
    if type(leaf) is not int and (leaf is None or isinstance(leaf, (bool, dict, list))):
        return key, (written(leaf),)
    return key, written(leaf)


def _collect(key: str, value: Any, labels: set[Label]) -> int:
    """Add the labels of all leaves to `labels` and return the number of nodes."""
    if not is_filled(value):
        labels.add(label(key, value))
        return 1
    if isinstance(value, dict):
        return 1 + sum(_collect(below, item, labels) for below, item in value.items())
    return 1 + sum(_collect("[]", item, labels) for item in value)
