"""Other ways to compute TEDS, each a function of two HTML strings, for `teds.py` to run beside jatdae.

Three are packages (`apted`, `zss`, `table-recognition-metric`), fed as their users feed them. The official algorithm is
written here anew on `apted` with a Levenshtein distance in Python, which is what the published implementation is made
of. The last is Zhang and Shasha's algorithm under numba.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from lxml import etree, html

Teds = Callable[[str, str], float]


@dataclass(eq=False, slots=True)
class Node:
    """An element of a table; a cell has spans and content, other elements have neither."""

    tag: str
    spans: tuple[int, int] | None = None
    content: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)


def official() -> Teds:
    """The published algorithm: APTED in Python, Levenshtein in Python."""
    from apted import APTED, Config

    class Costs(Config):  # type: ignore[misc]
        def rename(self, a: Node, b: Node) -> float:
            return rename_cost(a, b, levenshtein)

    def teds(prediction: str, reference: str) -> float:
        (a, size_a), (b, size_b) = parse(prediction), parse(reference)
        return 1.0 - float(APTED(a, b, Costs()).compute_edit_distance()) / max(size_a, size_b)

    return teds


def table_recognition_metric() -> Teds:
    """APTED in Python, Levenshtein in C."""
    from table_recognition_metric import TEDS

    metric = TEDS()
    return lambda prediction, reference: float(metric(prediction, reference))


def zss() -> Teds:
    """Zhang and Shasha in Python, Levenshtein in C++."""
    from rapidfuzz.distance import Levenshtein
    from zss import distance

    def teds(prediction: str, reference: str) -> float:
        (a, size_a), (b, size_b) = parse(prediction), parse(reference)
        found = distance(
            a,
            b,
            get_children=lambda node: node.children,
            insert_cost=lambda _: 1.0,
            remove_cost=lambda _: 1.0,
            update_cost=lambda x, y: rename_cost(x, y, Levenshtein.distance),
        )
        return 1.0 - float(found) / max(size_a, size_b)

    return teds


def numba() -> Teds:
    """Zhang and Shasha and Levenshtein, compiled by numba at the first call."""
    import numba as jit

    levenshtein_jit = jit.njit(nogil=True)(levenshtein_array)
    renames_jit = jit.njit(nogil=True)(make_renames(levenshtein_jit))
    zhang_shasha_jit = jit.njit(nogil=True)(zhang_shasha)

    def teds(prediction: str, reference: str) -> float:
        (a, size_a), (b, size_b) = parse(prediction), parse(reference)
        numbers: dict[Any, int] = {}
        flat_a, flat_b = flatten(a, numbers), flatten(b, numbers)
        renames = renames_jit(*flat_a[2:], *flat_b[2:])
        return 1.0 - zhang_shasha_jit(*flat_a[:2], *flat_b[:2], renames) / max(size_a, size_b)

    return teds


def parse(text: str) -> tuple[Node, int]:
    """The first table of a page as a tree, and the number of elements below it."""
    page = html.fromstring(text, parser=html.HTMLParser(remove_comments=True, encoding="utf-8"))
    table = page.xpath("body/table")[0]
    return planted(table), len(table.xpath(".//*"))


def planted(element: etree._Element) -> Node:
    if element.tag == "td":
        spans = int(element.get("colspan", "1")), int(element.get("rowspan", "1"))
        return Node("td", spans, tokens(element)[1:-1])
    return Node(element.tag, children=[planted(child) for child in element])


def tokens(element: etree._Element) -> list[str]:
    inside = [token for child in element for token in tokens(child)]
    tail = [] if element.tag == "td" else list(element.tail or "")
    return [f"<{element.tag}>", *(element.text or ""), *inside, f"</{element.tag}>", *tail]


def rename_cost(a: Node, b: Node, distance: Callable[[list[str], list[str]], int]) -> float:
    if a.tag != b.tag or a.spans != b.spans:
        return 1.0
    if not (a.content or b.content):
        return 0.0
    return float(distance(a.content, b.content)) / max(len(a.content), len(b.content))


def levenshtein(a: Sequence[str], b: Sequence[str]) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


def flatten(tree: Node, numbers: dict[Any, int]) -> tuple[np.ndarray, ...]:
    """Postorder arrays: first leaf, keyroots, kind, and the tokens of node i in tokens[start[i]:start[i + 1]]."""
    first: list[int] = []
    kinds: list[int] = []
    start = [0]
    flat: list[int] = []

    def visit(node: Node) -> int:
        below = [visit(child) for child in node.children]
        first.append(below[0] if below else len(first))
        kinds.append(numbers.setdefault((node.tag, node.spans), len(numbers)))
        flat.extend(numbers.setdefault(token, len(numbers)) for token in node.content)
        start.append(len(flat))
        return first[-1]

    visit(tree)
    keyroots = sorted({leaf: node for node, leaf in enumerate(first)}.values())
    return tuple(np.array(part, dtype=np.int64) for part in (first, keyroots, kinds, start, flat))


def levenshtein_array(a: np.ndarray, b: np.ndarray) -> int:
    row = np.arange(len(b) + 1)
    for i in range(len(a)):
        corner = row[0]
        row[0] = i + 1
        for j in range(len(b)):
            above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, corner + (a[i] != b[j]))
            corner = above
    return int(row[-1])


def make_renames(distance: Callable[[np.ndarray, np.ndarray], int]) -> Callable[..., np.ndarray]:
    def renames(
        kinds_a: np.ndarray,
        start_a: np.ndarray,
        flat_a: np.ndarray,
        kinds_b: np.ndarray,
        start_b: np.ndarray,
        flat_b: np.ndarray,
    ) -> np.ndarray:
        costs = np.ones((len(kinds_a), len(kinds_b)))
        for i in range(len(kinds_a)):
            for j in range(len(kinds_b)):
                if kinds_a[i] == kinds_b[j]:
                    a, b = flat_a[start_a[i] : start_a[i + 1]], flat_b[start_b[j] : start_b[j + 1]]
                    longer = max(len(a), len(b))
                    costs[i, j] = distance(a, b) / longer if longer else 0.0
        return costs

    return renames


def zhang_shasha(
    first_a: np.ndarray, keyroots_a: np.ndarray, first_b: np.ndarray, keyroots_b: np.ndarray, renames: np.ndarray
) -> float:
    trees = np.zeros((len(first_a), len(first_b)))
    forests = np.zeros((len(first_a) + 1, len(first_b) + 1))
    for v in keyroots_a:
        for w in keyroots_b:
            low, low_b = first_a[v], first_b[w]
            forests[low, low_b] = 0.0
            for i in range(low, v + 1):
                forests[i + 1, low_b] = forests[i, low_b] + 1.0
            for j in range(low_b, w + 1):
                forests[low, j + 1] = forests[low, j] + 1.0
            for i in range(low, v + 1):
                for j in range(low_b, w + 1):
                    best = min(forests[i, j + 1], forests[i + 1, j]) + 1.0
                    if first_a[i] == low and first_b[j] == low_b:
                        best = min(best, forests[i, j] + renames[i, j])
                        trees[i, j] = best
                    else:
                        best = min(best, forests[first_a[i], first_b[j]] + trees[i, j])
                    forests[i + 1, j + 1] = best
    return float(trees[-1, -1])
