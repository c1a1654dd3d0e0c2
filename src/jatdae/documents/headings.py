"""Heading hierarchy: whether headings are there and hang below the right ones.

    heading_levels = 1 − 2 · TED(prediction, reference) / (predicted + reference headings)

TED is the edit distance of the two trees of headings. A heading hangs below the last one of a lower level, so a
document whose first level is written `##` has the same tree as one with `#`. Inserting or deleting a heading costs ½,
renaming one Levenshtein / longer length of its text: where headings are only missing or too many, the number is their
F1. The texts that stand below headings are no part of it: CER has them. MHS of opendataloader-bench has those texts
and no levels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from jatdae.core.contract import Ratio
from jatdae.kernels.tree import Tree, TreeTooLarge, tree_distance

VERSION: Final = 1
MICRO: Final = Ratio("headings.distance", "headings.number", complement=True)

Heading = tuple[int, str]
"""Level, from 1, and text."""


def compare_headings(
    prediction: Sequence[Heading], reference: Sequence[Heading], clean: Callable[[str], str]
) -> tuple[float, int] | None:
    """Twice the edit distance of the heading trees of two documents, and the number of headings of both.

    None where the reference has no heading. `clean` makes their texts comparable.
    """
    if not reference:
        return None
    number = len(prediction) + len(reference)
    texts: list[str] = []
    found, expected = (_tree(side, texts, clean) for side in (prediction, reference))
    try:
        return 2 * tree_distance(found, expected, texts, insert=0.5, delete=0.5), number
    except TreeTooLarge:
        return float(number), number


def _tree(headings: Sequence[Heading], texts: list[str], clean: Callable[[str], str]) -> Tree:
    """Headings below a root; their texts are added to `texts`."""
    parents, places = [-1], [-1]
    above: list[tuple[int, int]] = [(0, 0)]  # level and number of the headings that the next may hang below
    for level, text in headings:
        while above[-1][0] >= level:
            above.pop()
        parents.append(above[-1][1])
        places.append(len(texts))
        texts.append(" ".join(clean(text).split()))
        above.append((level, len(parents) - 1))
    return Tree(parents, [0] + [1] * len(headings), places)
