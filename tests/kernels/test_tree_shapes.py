"""Large tables and extreme shapes: the compiled kernel against its twin, without recursion, without the lock."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from jatdae.kernels import native, tree_twin
from jatdae.kernels.tree import MAX_STEPS, Tree, tree_distance, tree_mapping

compiled: Any = native("tree")
pytestmark = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")

TEXTS = ["", "a", "ab", "abc", "bca", "abcabca", "cbacbacba", "ab" * 40]
UNIT = (1.0, 1.0, 1.0)
Parents = Callable[[int], list[int]]


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
    a, b = coloured(chain(1500), 3), coloured(star(1500), 3)
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
        rows = [[random.randrange(len(TEXTS)) for _ in range(columns)] for _ in range(random.randint(3, 9))]
        moved = [list(row) for row in rows]
        for _ in range(moves):
            moved.insert(random.randrange(len(rows)), moved.pop(random.randrange(len(rows))))
            source, target = random.randrange(columns), random.randrange(columns)
            for row in moved:
                row.insert(target, row.pop(source))
        a, b = table(rows), table(moved)
        found = compiled.distance(a, b, TEXTS, *UNIT, MAX_STEPS)
        assert found == tree_twin.distance(a, b, TEXTS, *UNIT, MAX_STEPS)
        assert compiled.mapping(a, b, TEXTS, *UNIT, MAX_STEPS) == tree_twin.mapping(a, b, TEXTS, *UNIT, MAX_STEPS)


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
