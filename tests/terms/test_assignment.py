"""The assignment: as good as trying everything, in every size it has a way of its own for."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.terms import assignment
from jatdae.terms.assignment import assign

WEIGHTS = st.integers(0, 10)


def matrices(most: int) -> st.SearchStrategy[list[list[int]]]:
    sizes = st.tuples(st.integers(1, most), st.integers(1, most))
    return sizes.flatmap(
        lambda size: st.lists(st.lists(WEIGHTS, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
    )


def brute(weights: list[list[int]]) -> int:
    """The best total of all one-to-one assignments."""
    rows, columns = len(weights), len(weights[0])
    if rows > columns:
        return brute([list(column) for column in zip(*weights, strict=True)])
    return max(
        sum(weights[row][column] for row, column in enumerate(chosen)) for chosen in permutations(range(columns), rows)
    )


def total(weights: list[list[int]]) -> int:
    return sum(weights[row][column] for row, column in assign(weights))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(matrices(5))
def test_no_assignment_is_better(weights: list[list[int]]) -> None:
    assert total(weights) == brute(weights)


@settings(derandomize=True, max_examples=50, deadline=None)
@given(matrices(5))
def test_scipy_finds_the_same_total(weights: list[list[int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "MOST_STATES", 0)
        assert total(weights) == brute(weights)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(matrices(5))
def test_pairs_are_one_to_one_and_weigh_something(weights: list[list[int]]) -> None:
    pairs = assign(weights)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert all(weights[row][column] > 0 for row, column in pairs)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(matrices(5))
def test_the_total_is_the_same_from_either_side(weights: list[list[int]]) -> None:
    assert total(weights) == total([list(column) for column in zip(*weights, strict=True)])


def test_nothing_is_assigned_to_nothing() -> None:
    assert assign([]) == assign([[]]) == assign([[0, 0], [0, 0]]) == []


def test_a_large_assignment_is_solved() -> None:
    size = 40
    weights = [[1 + (row * 7 + column * 3) % 11 for column in range(size)] for row in range(size)]
    assert len(assign(weights)) == size
