"""Approximate search: equal to the plain algorithm on any two texts, and bounded on hostile ones."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from jatdae.checks.near_matches import Match, count_apart, find_exact, find_near, nearest

letters = st.text("ab c", min_size=1, max_size=12)
pages = st.text("ab c", max_size=40)


def least_distance(wanted: str, page: str) -> int:
    """The least edit distance of a text to any part of a page (Sellers), cell by cell."""
    row = [0] * (len(page) + 1)
    for number, letter in enumerate(wanted, 1):
        above, row = row, [number]
        for at, other in enumerate(page, 1):
            row.append(min(above[at - 1] + (letter != other), above[at] + 1, row[-1] + 1))
    return min(row)


@given(letters, pages, st.integers(0, 4))
def test_a_text_is_found_if_and_only_if_it_is_there_within_the_edits(wanted: str, page: str, most: int) -> None:
    assume(most < len(wanted))
    found = find_near(wanted, page, most)
    assert bool(found) == (least_distance(wanted, page) <= most)


@given(letters, pages, st.integers(1, 4))
def test_a_place_has_the_distance_that_is_told(wanted: str, page: str, most: int) -> None:
    for match in find_near(wanted, page, most):
        assert match.distance == Levenshtein.distance(wanted, page[match.start : match.end]) <= most


@given(letters, pages)
def test_without_edits_it_is_plain_search(wanted: str, page: str) -> None:
    assert [match.start for match in find_near(wanted, page, 0)] == [
        at for at in range(len(page)) if page.startswith(wanted, at)
    ]


@given(letters, pages, st.integers(1, 4))
def test_places_do_not_overlap(wanted: str, page: str, most: int) -> None:
    found = find_near(wanted, page, most)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


def test_the_best_of_overlapping_places_is_kept() -> None:
    assert find_near("harbour", "the habour, the harbour", 2) == [Match(4, 10, 1), Match(16, 23, 0)]


def test_matches_are_counted_where_they_do_not_overlap() -> None:
    assert count_apart(find_exact("aa", "aaaaa")) == 2


def test_the_nearest_place_is_told_and_nothing_where_nothing_is_alike() -> None:
    page = "It was closed in spring."
    place = nearest("was closd in", page)
    assert place is not None
    assert "closed" in page[place.start : place.end]
    assert nearest("zzzzzzzz", page) is None
    assert nearest("abc", "") is None
    assert nearest("a longer text than the page", "page") in (None, Match(0, 4))


@pytest.mark.parametrize(
    ("wanted", "page"),
    [
        ("a" * 200, "a" * 100_000),
        ("ab" * 100, "ba" * 50_000),
        ("x" * 200, "y" * 1_000_000),
        ("a" * 200 + "b" * 200, ("a" * 199 + "c") * 500),
    ],
)
def test_hostile_texts_come_to_an_end(wanted: str, page: str) -> None:
    assert len(find_near(wanted, page, 3)) <= len(page) // 100
