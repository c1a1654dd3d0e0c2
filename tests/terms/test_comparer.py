"""The cache of repeated texts and pairs: it keeps what comes again, up to its limit."""

from __future__ import annotations

from jatdae.terms.comparer import RepeatCache


def test_a_result_is_kept_from_the_second_time_on() -> None:
    made: list[int] = []
    cache = RepeatCache(lambda number: made.append(number) or [number], 4)
    first, second, third = cache(1), cache(1), cache(1)
    assert first == second == third == [1]
    assert second is third
    assert made == [1, 1]


def test_what_comes_once_is_not_kept() -> None:
    cache = RepeatCache(str, 4)
    for number in range(1000):
        cache(number)
    assert len(cache) == 0


def test_it_never_holds_more_than_it_may() -> None:
    cache = RepeatCache(str, 4)
    for number in [*range(10), *range(10)]:
        assert cache(number) == str(number)
        assert len(cache) <= 4


def test_arguments_are_told_apart() -> None:
    cache = RepeatCache(lambda a, b: f"{a}|{b}", 4)
    for _ in range(3):
        assert (cache("x", "y"), cache("y", "x")) == ("x|y", "y|x")
