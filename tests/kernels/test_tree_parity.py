"""Equal to the last bit to APTED: random tables and ragged trees against the `apted` package, on which TEDS is built.

`JATDAE_PARITY_PAIRS=20000` compares so many pairs of each sort; 1000 are enough to meet every path of the strategy.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest
from rapidfuzz.distance import Levenshtein

from jatdae.kernels.tree import Tree, tree_distance
from jatdae.kernels.tree_twin import Inner, Strategy, TreeShape

apted = pytest.importorskip("apted", reason="the reference implementation is not installed")
PAIRS = int(os.environ.get("JATDAE_PARITY_PAIRS", "1000"))


@dataclass(eq=False, slots=True)
class Node:
    """A node as the reference implementation walks it."""

    kind: str
    text: str = ""
    children: list[Node] = field(default_factory=list)


class TableCosts(apted.Config):  # type: ignore[misc]
    """The costs of TEDS: 1 for another kind, else the normalised Levenshtein distance of the texts."""

    def rename(self, a: Node, b: Node) -> float:
        if a.kind != b.kind:
            return 1.0
        if not (a.text or b.text):
            return 0.0
        return float(Levenshtein.distance(a.text, b.text)) / max(len(a.text), len(b.text))


@pytest.mark.parametrize("structure_only", [False, True], ids=["texts", "structure"])
@pytest.mark.parametrize("sort", ["tables", "trees"])
def test_random_pairs_are_equal_to_the_last_bit(
    sort: str, structure_only: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(f"{sort} {structure_only}")
    pairs = PAIRS // 5 if structure_only else PAIRS
    equal = 0
    for _ in range(pairs):
        a, b = pair_of(random, random_table if sort == "tables" else random_tree)
        if structure_only:
            a, b = bare(a), bare(b)
        expected = apted.APTED(a, b, TableCosts()).compute_edit_distance()
        found = distance(a, b)
        assert found == pytest.approx(expected, abs=1e-12)
        equal += found == expected
    with capsys.disabled():
        print(f"\n{sort}, {'structure' if structure_only else 'texts'}: {equal} of {pairs} equal to the last bit")
    assert equal == pairs


def test_the_random_pairs_meet_every_way_of_the_strategy() -> None:
    """Left, right and inner paths through either tree: else the comparison above would prove little."""
    random = Random(1)
    ways = set()
    for _ in range(200):
        a, b = pair_of(random, random_tree)
        for step in Strategy(TreeShape(parents_of(a)), TreeShape(parents_of(b))).steps():
            ways.add(("inner", step.tree) if isinstance(step, Inner) else ("side", step.side))
    assert ways == {("inner", 0), ("inner", 1), ("side", 0), ("side", 1)}


def test_of_two_equally_good_inner_paths_the_same_one_is_taken() -> None:
    """A pair whose last bit tells from which side APTED walks the trees."""
    a = Node("x", children=[Node("x", children=[chain("x", "y", "bbbcc"), Node("leaf")])])
    leaves = [Node("leaf", text) for text in ("cac", "caacac", "aaabab", "bbcbca", "caaa")]
    b = Node("z", children=[leaves[0], Node("x", children=leaves[1:4]), leaves[4]])
    assert distance(a, b) == apted.APTED(a, b, TableCosts()).compute_edit_distance()


def chain(first: str, second: str, text: str) -> Node:
    return Node(first, children=[Node(second, children=[Node("leaf", text)])])


def distance(a: Node, b: Node) -> float:
    kinds: dict[str, int] = {}
    texts: list[str] = []
    made = []
    for tree in (a, b):
        nodes = [node for node, _ in walk(tree)]
        places = range(len(texts), len(texts) + len(nodes))
        texts += [node.text for node in nodes]
        made.append(Tree(parents_of(tree), [kinds.setdefault(node.kind, len(kinds)) for node in nodes], places))
    return tree_distance(*made, texts)


def walk(tree: Node) -> list[tuple[Node, int]]:
    """The nodes in preorder, each with the number of its parent."""
    found: list[tuple[Node, int]] = []
    stack = [(tree, -1)]
    while stack:
        node, up = stack.pop()
        stack += [(child, len(found)) for child in reversed(node.children)]
        found.append((node, up))
    return found


def parents_of(tree: Node) -> list[int]:
    return [up for _, up in walk(tree)]


def pair_of(random: Random, make: Callable[[Random], Node]) -> tuple[Node, Node]:
    """Two of a sort: strangers, or one and an edited copy of it."""
    a = make(random)
    return a, make(random) if random.random() < 0.5 else edited(random, a)


def random_text(random: Random) -> str:
    return "".join(random.choices("abcd", k=random.randint(0, 9)))


def random_table(random: Random) -> Node:
    """Rows of cells, some ragged, some with spans, header cells and inline tags; with or without sections."""
    columns = random.randint(1, 6)

    def rows(count: int) -> list[Node]:
        return [
            Node("tr", children=[cell(random) for _ in range(columns + random.choice((0, 0, 0, -1, 1)))])
            for _ in range(count)
        ]

    layout = random.random()
    if layout < 0.2:
        return Node("table", children=rows(random.randint(1, 6)))
    sections = [Node("tbody", children=rows(random.randint(1, 6))) for _ in range(2 if layout < 0.3 else 1)]
    head = [Node("thead", children=rows(random.randint(1, 2)))] if layout < 0.7 else []
    return Node("table", children=[*head, *sections])


def cell(random: Random) -> Node:
    if random.random() < 0.1:
        return Node("th", children=[Node("b")] if random.random() < 0.5 else [])
    return Node(random.choice(("td", "td", "td", "td", "td 2×1", "td 1×2")), random_text(random))


def random_tree(random: Random) -> Node:
    """Ragged: any depth and width, texts at the leaves."""
    root = Node(random.choice("xyz"))
    nodes = [root]
    near = random.choice((1, 3, 100))  # small: deep trees
    for _ in range(random.randint(0, 22)):
        up = random.choice(nodes[-near:])
        nodes.append(Node(random.choice("xyz")))
        up.children.insert(random.randint(0, len(up.children)), nodes[-1])
    for node in nodes:
        if not node.children:
            node.kind, node.text = "leaf", random_text(random)
    return root


def edited(random: Random, tree: Node) -> Node:
    """A copy with some texts changed, some subtrees dropped, doubled or shuffled."""
    copy = copied(tree)
    for _ in range(random.randint(1, 6)):
        node = random.choice([node for node, _ in walk(copy)])
        if node.text:
            node.text = random_text(random)
        elif node.children:
            at = random.randrange(len(node.children))
            match random.randrange(4):
                case 0:
                    del node.children[at]
                case 1:
                    node.children.insert(at, copied(node.children[at]))
                case 2:
                    random.shuffle(node.children)
                case 3:
                    node.kind = random.choice("xyz")
    return copy


def copied(tree: Node) -> Node:
    return Node(tree.kind, tree.text, [copied(child) for child in tree.children])


def bare(tree: Node) -> Node:
    return Node(tree.kind, "", [bare(child) for child in tree.children])
