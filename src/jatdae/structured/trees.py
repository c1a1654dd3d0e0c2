"""Two documents as trees.

A container is a node labelled by its key or index, a leaf one labelled by key and written value; keys are sorted.

    ted        Zhang and Shasha (1989): least cost of relabelling, deleting and inserting nodes, by the shared kernel
    nted       ted / (|T₁| + |T₂|);   nted_max = ted / max(|T₁|, |T₂|)
    ted_keyed  the same where nodes may go together only if their keys do, all the way up (`edits`); never less than ted
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jatdae.kernels.tree import Tree, TreeTooLarge, tree_distance
from jatdae.structured.edits import Costs, Edits, label
from jatdae.structured.outcomes import MISSING

Key = str | int
Numbers = dict[tuple[Any, ...], int]
"""A number for each label, shared by two trees."""


class TreeScores(NamedTuple):
    """The distances of a prediction's tree to that of the reference, and their sizes."""

    ted: float | None
    ted_keyed: float
    predicted: int
    expected: int


def measure_trees(
    prediction: Any, reference: Any, edits: Edits, instead: Mapping[int, Any], costs: Costs, most_nodes: int
) -> TreeScores:
    """Both distances; `ted` is None where a tree has more than `most_nodes`, or takes the kernel too long.

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
    """The tree edit distance from one document to another."""
    numbers: Numbers = {}
    trees = _plant(a, numbers), _plant(b, numbers)
    return tree_distance(*trees, rename=costs.relabel, delete=costs.delete, insert=costs.insert)


def resolved(value: Any, instead: Mapping[int, Any]) -> Any:
    """A document with some of its containers, known by id, replaced."""
    if not instead:
        return value
    while id(value) in instead:
        value = instead[id(value)]
    if isinstance(value, dict):
        return {key: resolved(below, instead) for key, below in value.items()}
    return [resolved(below, instead) for below in value] if isinstance(value, list) else value


def _plant(value: Any, numbers: Numbers) -> Tree:
    """A document as the kernel takes it."""
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
