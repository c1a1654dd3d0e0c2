"""Tree edit distance of ordered, labelled trees, equal to the last bit to what APTED computes.

    d(A, B) = min over edit mappings of  Σ rename + Σ delete + Σ insert

A caller makes two `Tree`s over one shared list of token sequences and asks for their distance or a cheapest mapping:

    texts = ["total", "totals"]                      # each a str or a sequence of ints; `Tree.texts` points into it
    a = Tree(parents=[-1, 0], kinds=[0, 1], texts=[-1, 0])
    b = Tree(parents=[-1, 0], kinds=[0, 1], texts=[-1, 1])
    tree_distance(a, b, texts)                       # 1/6
    tree_mapping(a, b, texts)                        # [(0, 0), (1, 1)]; -1 on one side: deleted or inserted

Renaming a node costs `rename` where the kinds differ, else Levenshtein(tokens) / max(len) where either node has tokens,
else 0. No text (-1) is an empty one. A pair that would take too long raises `TreeTooLarge`; parents that are no tree in
preorder, or texts that are not in the list, raise ValueError.

Sources: Zhang and Shasha (1989); Pawlik and Augsten, APTED (2015, 2016). The order of the sums is APTED's as the PyPI
package `apted` has it, on which the official TEDS is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final, cast

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import say
from jatdae.kernels import native, tree_twin

Tokens = str | Sequence[int]

MAX_PAIRS: Final = 500_000_000
"""Nodes of one tree times nodes of the other: about two tables of 22,000 cells."""
MAX_STEPS: Final = 1_000_000_000
"""Work for one pair, at most some seconds of it. A step fills in one distance, or compares 64 tokens with one. The
compiled kernel counts the steps it takes (for eight texts, where it compares eight at once): few where the trees are
alike, whatever their size. The Python twin leaves nothing out; it counts what lies ahead, and twenty steps for a
distance, because it is slower by more than that."""


class TreeTooLarge(DataError):
    """Error for a pair of trees whose edit distance would take longer than the stated limit."""


@dataclass(frozen=True, slots=True)
class Tree:
    """An ordered, labelled tree, with its nodes in preorder."""

    parents: Sequence[int]
    """Per node, the number of its parent; -1 for the root, which comes first."""
    kinds: Sequence[int]
    """Per node, a number for what it is; nodes of different kinds have nothing in common."""
    texts: Sequence[int] = ()
    """Per node, the place of its tokens in the shared list of texts; -1 for none. Left out: no node has any."""


def tree_distance(
    a: Tree, b: Tree, texts: Sequence[Tokens] = (), *, rename: float = 1.0, insert: float = 1.0, delete: float = 1.0
) -> float:
    """Tree edit distance: the least cost of turning tree `a` into tree `b`."""
    _check(a, b, rename, insert, delete)
    if not a.parents or not b.parents:
        return len(a.parents) * delete + len(b.parents) * insert
    kernel = native("tree") or tree_twin
    found = kernel.distance(a, b, texts, rename, insert, delete, MAX_STEPS)
    return cast(float, _finished(found, a, b))


def tree_mapping(
    a: Tree, b: Tree, texts: Sequence[Tokens] = (), *, rename: float = 1.0, insert: float = 1.0, delete: float = 1.0
) -> list[tuple[int, int]]:
    """Tree distance, native or in Python: the cheapest edit mapping of tree `a` to tree `b`.

    It has every node of `a` with its partner, or -1; then (-1, node) for what is inserted.
    """
    _check(a, b, rename, insert, delete)
    if not a.parents or not b.parents:
        return [(node, -1) for node in range(len(a.parents))] + [(-1, node) for node in range(len(b.parents))]
    kernel = native("tree") or tree_twin
    found = kernel.mapping(a, b, texts, rename, insert, delete, MAX_STEPS)
    return cast(list[tuple[int, int]], _finished(found, a, b))


def _check(a: Tree, b: Tree, *costs: float) -> None:
    for cost in costs:
        if not (isfinite(cost) and cost >= 0):
            raise UsageError(say("tree_cost", cost=cost))
    if len(a.parents) * len(b.parents) > MAX_PAIRS:
        raise _too_large(a, b)


def _finished(found: object, a: Tree, b: Tree) -> object:
    if found is None:
        raise _too_large(a, b)
    return found


def _too_large(a: Tree, b: Tree) -> TreeTooLarge:
    nodes = {"first": f"{len(a.parents):,}", "second": f"{len(b.parents):,}"}
    return TreeTooLarge(say("trees_too_large", **nodes, steps=f"{MAX_STEPS:,}", pairs=f"{MAX_PAIRS:,}"))
