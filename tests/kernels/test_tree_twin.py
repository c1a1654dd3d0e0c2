"""The compiled kernel against its twin, which leaves nothing out: every shortcut is shown to change no bit.

Random trees first, then large tables and extreme shapes, which neither of the two may recurse on.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from math import fsum
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from jatdae.kernels import native, tree_twin
from jatdae.kernels.tree import MAX_STEPS, Tree, tree_distance, tree_mapping

compiled: Any = native("tree")
pytestmark = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
few = settings(derandomize=True, deadline=None, max_examples=150)

TEXTS = ["", "a", "b", "ab", "abc", "bca", "abcabca", "cbacbacba", "ab" * 40, "ba" * 45]
CELL_TEXTS = ["", "a", "ab", "abc", "bca", "abcabca", "cbacbacba", "ab" * 40]
UNIT = (1.0, 1.0, 1.0)
Parents = Callable[[int], list[int]]
costs = st.sampled_from(
    [UNIT, UNIT, (0.7, 0.3, 1.1), (2.0, 0.1, 0.1), (1.0, 0.0, 1.0), (0.5, 0.0, 0.0), (0.0, 1.0, 1.0)]
)
Costs = tuple[float, float, float]


@st.composite
def trees(draw: st.DrawFn, most: int = 16) -> Tree:
    """Any shape: each node hangs on the last one or on one of those above it. Only leaves have texts."""
    parents = [-1]
    for up in draw(st.lists(st.integers(0, 4), max_size=most - 1)):
        parent = len(parents) - 1
        for _ in range(up):
            parent = max(parents[parent], 0)
        parents.append(parent)
    count = len(parents)
    leaves = set(range(count)).difference(parents)
    kinds = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    texts = draw(st.lists(st.integers(-1, len(TEXTS) - 1), min_size=count, max_size=count))
    return Tree(parents, kinds, [text if node in leaves else -1 for node, text in enumerate(texts)])


@st.composite
def near_pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """Two trees that differ in a few labels and one subtree: the band is narrow here."""
    a = draw(trees(24))
    kinds, texts = list(a.kinds), list(a.texts)
    for node in draw(st.lists(st.integers(0, len(kinds) - 1), max_size=3)):
        kinds[node] = draw(st.integers(0, 2))
        if texts[node] >= 0:
            texts[node] = draw(st.integers(-1, len(TEXTS) - 1))
    gone = draw(st.integers(1, len(kinds)))
    end = next((node for node in range(gone + 1, len(kinds)) if a.parents[node] < gone), len(kinds))
    parents = [up if up < gone else up - (end - gone) for up in a.parents]
    keep = [*range(gone), *range(end, len(kinds))]
    b = Tree([parents[node] for node in keep], [kinds[node] for node in keep], [texts[node] for node in keep])
    return (a, b) if draw(st.booleans()) else (b, a)


def mirrored(tree: Tree) -> Tree:
    children: list[list[int]] = [[] for _ in tree.parents]
    for node, up in enumerate(tree.parents[1:], 1):
        children[up].append(node)
    order, parents, stack = [], [], [(0, -1)]
    while stack:
        node, up = stack.pop()
        stack += [(child, len(order)) for child in children[node]]
        order.append(node)
        parents.append(up)
    return Tree(parents, [tree.kinds[node] for node in order], [tree.texts[node] for node in order])


def rename_cost(a: Tree, v: int, b: Tree, w: int, rename: float) -> float:
    if a.kinds[v] != b.kinds[w]:
        return rename
    s, t = (TEXTS[tree.texts[node]] if tree.texts[node] >= 0 else "" for tree, node in ((a, v), (b, w)))
    return Levenshtein.distance(s, t) / max(len(s), len(t)) if s or t else 0.0


def is_above(tree: Tree, high: int, low: int) -> bool:
    while low > high:
        low = tree.parents[low]
    return low == high


@few
@given(trees(), trees(), costs)
def test_the_kernels_agree_to_the_last_bit(a: Tree, b: Tree, cost: Costs) -> None:
    assert compiled.distance(a, b, TEXTS, *cost, MAX_STEPS) == tree_twin.distance(a, b, TEXTS, *cost, MAX_STEPS)


@few
@given(near_pairs(), costs)
def test_the_kernels_agree_to_the_last_bit_on_near_trees(pair: tuple[Tree, Tree], cost: Costs) -> None:
    a, b = pair
    assert compiled.distance(a, b, TEXTS, *cost, MAX_STEPS) == tree_twin.distance(a, b, TEXTS, *cost, MAX_STEPS)


@few
@given(st.one_of(st.tuples(trees(), trees()), near_pairs()), costs)
def test_the_kernels_give_the_same_mapping(pair: tuple[Tree, Tree], cost: Costs) -> None:
    a, b = pair
    assert compiled.mapping(a, b, TEXTS, *cost, MAX_STEPS) == tree_twin.mapping(a, b, TEXTS, *cost, MAX_STEPS)


@few
@given(st.one_of(st.tuples(trees(), trees()), near_pairs()), costs)
def test_a_mapping_is_one_and_costs_the_distance(pair: tuple[Tree, Tree], cost: Costs) -> None:
    a, b = pair
    rename, insert, delete = cost
    found = tree_mapping(a, b, TEXTS, rename=rename, insert=insert, delete=delete)
    assert [v for v, _ in found if v >= 0] == list(range(len(a.parents)))
    assert sorted(w for _, w in found if w >= 0) == list(range(len(b.parents)))
    pairs = [(v, w) for v, w in found if v >= 0 and w >= 0]
    for (v, w), (x, y) in pairwise(pairs):
        assert v < x and w < y
    for v, w in pairs:
        for x, y in pairs:
            assert is_above(a, v, x) == is_above(b, w, y)
    paid = [insert if v < 0 else delete if w < 0 else rename_cost(a, v, b, w, rename) for v, w in found]
    assert fsum(paid) == pytest.approx(
        tree_distance(a, b, TEXTS, rename=rename, insert=insert, delete=delete), abs=1e-9
    )


@few
@given(trees(), trees())
def test_a_mirror_changes_nothing(a: Tree, b: Tree) -> None:
    assert mirrored(mirrored(a)) == a
    assert tree_distance(mirrored(a), mirrored(b), TEXTS) == pytest.approx(tree_distance(a, b, TEXTS), abs=1e-12)


@few
@given(trees(), trees())
def test_the_distance_is_symmetric(a: Tree, b: Tree) -> None:
    assert tree_distance(b, a, TEXTS) == pytest.approx(tree_distance(a, b, TEXTS), abs=1e-12)


@few
@given(trees(12), trees(12))
def test_the_distance_is_bounded_by_the_sizes_and_zero_only_for_the_same(a: Tree, b: Tree) -> None:
    distance = tree_distance(a, b, TEXTS)
    assert abs(len(a.parents) - len(b.parents)) <= distance <= len(a.parents) + len(b.parents)
    assert tree_distance(a, a, TEXTS) == 0.0
    assert (distance == 0.0) == same(a, b)


def same(a: Tree, b: Tree) -> bool:
    shown = [[TEXTS[text] if text >= 0 else "" for text in tree.texts] for tree in (a, b)]
    return (list(a.parents), list(a.kinds), shown[0]) == (list(b.parents), list(b.kinds), shown[1])


@few
@given(trees(10), trees(10), trees(10))
def test_the_triangle_inequality_holds_for_kinds(a: Tree, b: Tree, c: Tree) -> None:
    """For kinds alone: the normalised Levenshtein distance is no metric."""
    bare = [Tree(tree.parents, tree.kinds) for tree in (a, b, c)]
    assert tree_distance(bare[0], bare[2]) <= tree_distance(bare[0], bare[1]) + tree_distance(bare[1], bare[2])


@pytest.mark.parametrize("alphabet", ["ab", "abcdefghijkl", "가나다라마바사아자차카타파하0123456789"])
@pytest.mark.parametrize("lengths", [(0, 1, 2, 3), (7, 8, 15, 16, 16), (0, 5, 15, 16, 17, 18, 63, 64, 65, 130)])
def test_texts_measured_eight_at_once_change_no_bit(alphabet: str, lengths: tuple[int, ...]) -> None:
    source = Random(f"{alphabet} {lengths}")
    texts: list[Any] = ["".join(source.choices(alphabet, k=source.choice(lengths))) for _ in range(120)]
    texts[3], texts[70] = [5, 0x110000, 7, 2**32 - 1], [7, 0x110000, 5]
    a, b = (Tree([-1] + [0] * 60, [0] + [1] * 60, [-1, *range(first, first + 60)]) for first in (0, 60))
    for one, other in ((a, b), (b, a), (a, a)):
        assert compiled.distance(one, other, texts, *UNIT, MAX_STEPS) == tree_twin.distance(
            one, other, texts, *UNIT, MAX_STEPS
        )


def test_a_text_too_long_for_two_bytes_among_many_short_ones() -> None:
    long = "x" * 70_000
    texts = [long, "x", *(f"{number:x}" for number in range(40))]
    a = Tree([-1] + [0] * 41, [0] + [1] * 41, [-1, 0, *range(2, 42)])
    b = Tree([-1] + [0] * 41, [0] + [1] * 41, [-1, *range(2, 42), 1])
    assert compiled.distance(a, b, texts, *UNIT, MAX_STEPS) == tree_twin.distance(a, b, texts, *UNIT, MAX_STEPS)


def test_an_alphabet_too_large_to_prepare_for_changes_no_bit() -> None:
    source = Random(3)
    texts = [[source.randrange(2**32) for _ in range(12)] for _ in range(2600)]
    flat = Tree([-1] + [0] * 60, [0] + [1] * 60, [-1, *range(60)])
    wide = Tree([-1] + [0] * 2500, [0] + [1] * 2500, [-1, *range(100, 2600)])
    assert compiled.distance(flat, wide, texts, *UNIT, MAX_STEPS) == tree_twin.distance(
        flat, wide, texts, *UNIT, MAX_STEPS
    )


def chain(count: int) -> list[int]:
    return list(range(-1, count - 1))


def star(count: int) -> list[int]:
    return [-1, *[0] * (count - 1)]


def comb(count: int) -> list[int]:
    """Each node of the spine has a leaf, then the rest of the spine."""
    parents = [-1]
    while len(parents) + 2 <= count:
        parents += [(len(parents) - 1) if len(parents) > 1 else 0] * 2
    return parents


def coloured(parents: list[int], step: int) -> Tree:
    return Tree(parents, [node * step % 7 for node in range(len(parents))])


@pytest.mark.parametrize("shape", [chain, star, comb])
def test_extreme_shapes_agree_with_the_twin(shape: Parents) -> None:
    a, b = coloured(shape(60), 3), coloured(shape(47), 5)
    assert compiled.distance(a, b, [], *UNIT, MAX_STEPS) == tree_twin.distance(a, b, [], *UNIT, MAX_STEPS)
    assert compiled.mapping(a, b, [], *UNIT, MAX_STEPS) == tree_twin.mapping(a, b, [], *UNIT, MAX_STEPS)


@pytest.mark.parametrize("shape", [star, comb])
def test_five_thousand_nodes_need_no_recursion(shape: Parents) -> None:
    a, b = coloured(shape(5000), 3), coloured(shape(4900), 5)
    distance = tree_distance(a, b)
    assert 100 <= distance <= 9900
    found = tree_mapping(a, b)
    paid = sum(1 if min(pair) < 0 else int(a.kinds[pair[0]] != b.kinds[pair[1]]) for pair in found)
    assert paid == distance


def test_a_chain_of_five_thousand_nodes_needs_no_recursion() -> None:
    a = coloured(chain(5000), 3)
    b = coloured(chain(5000)[:-1], 3)
    assert tree_distance(a, b) == 1.0
    assert tree_distance(a, coloured(star(5000), 3)) >= 4998


def test_the_twin_does_not_recurse_either() -> None:
    a, b = coloured(chain(1100), 3), coloured(star(1100), 3)
    assert tree_twin.distance(a, b, [], *UNIT, 10**10) == compiled.distance(a, b, [], *UNIT, MAX_STEPS)


def test_large_tables_agree_with_the_twin() -> None:
    """A table of 240 cells and one with a row less, a column more and a tenth of its cells changed."""
    texts = [f"{row * 31 % 17}.{column * row % 13} {'±' * (column % 3)}" for row in range(20) for column in range(12)]
    a = table([[row * 12 + column for column in range(12)] for row in range(20)])
    rows = [
        [row * 12 + (column * 7 % 12 if (row + column) % 10 == 0 else column) for column in range(12)]
        for row in range(20)
    ]
    b = table([row[:5] + row[4:] for row in rows[:13] + rows[14:]])
    found = compiled.distance(a, b, texts, *UNIT, MAX_STEPS)
    assert found == tree_twin.distance(a, b, texts, *UNIT, MAX_STEPS)
    assert compiled.mapping(a, b, texts, *UNIT, MAX_STEPS) == tree_twin.mapping(a, b, texts, *UNIT, MAX_STEPS)
    assert 20 < found < 60


@pytest.mark.parametrize("moves", [1, 2, 4])
def test_tables_with_rows_and_columns_moved_agree_with_the_twin(moves: int) -> None:
    """The sizes are equal, so the first band is narrow, but the best mapping lies outside it."""
    random = Random(moves)
    for _ in range(60):
        columns = random.randint(2, 6)
        rows = [[random.randrange(len(CELL_TEXTS)) for _ in range(columns)] for _ in range(random.randint(3, 9))]
        moved = [list(row) for row in rows]
        for _ in range(moves):
            moved.insert(random.randrange(len(rows)), moved.pop(random.randrange(len(rows))))
            source, target = random.randrange(columns), random.randrange(columns)
            for row in moved:
                row.insert(target, row.pop(source))
        a, b = table(rows), table(moved)
        found = compiled.distance(a, b, CELL_TEXTS, *UNIT, MAX_STEPS)
        assert found == tree_twin.distance(a, b, CELL_TEXTS, *UNIT, MAX_STEPS)
        assert compiled.mapping(a, b, CELL_TEXTS, *UNIT, MAX_STEPS) == tree_twin.mapping(
            a, b, CELL_TEXTS, *UNIT, MAX_STEPS
        )


def table(rows: list[list[int]]) -> Tree:
    parents, texts = [-1], [-1]
    for row in rows:
        up = len(parents)
        parents += [0, *[up] * len(row)]
        texts += [-1, *row]
    return Tree(parents, [0 if text < 0 else 1 for text in texts], texts)


def test_other_threads_go_on_while_trees_are_compared() -> None:
    """The kernel gives the interpreter's lock away: with switching turned off, nothing else lets another thread in."""
    texts = [f"{number * 7919 % 100_003:x}" * 3 for number in range(2 * 1600)]
    a = table([[row * 40 + column for column in range(40)] for row in range(40)])
    b = table([[1600 + row * 40 + column for column in range(40)] for row in range(40)])

    def meets_another_thread() -> bool:
        started, done = threading.Event(), threading.Event()

        def compare() -> None:
            started.set()
            tree_distance(a, b, texts)
            done.set()

        thread = threading.Thread(target=compare)
        thread.start()
        started.wait()
        met = not done.is_set()
        thread.join()
        return met

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        # A loaded machine may wake the waiting thread too late; a kernel that keeps the lock never lets it in.
        assert any(meets_another_thread() for _ in range(10))
    finally:
        sys.setswitchinterval(interval)
