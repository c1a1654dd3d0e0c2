"""The cache of repeated input: it keeps what comes again, up to its limit."""

from __future__ import annotations

from jatdae.core.repeats import RepeatCache


def test_a_result_is_kept_from_the_second_time_on() -> None:
    cache = RepeatCache[str](4)
    cache.add("a", "first")
    assert cache.get("a") is None
    cache.add("a", "second")
    assert cache.get("a") == "second"


def test_what_comes_once_is_not_kept() -> None:
    cache = RepeatCache[int](4)
    for number in range(1000):
        cache.add(number, number)
    assert len(cache) == 0


def test_it_never_holds_more_than_it_may() -> None:
    cache = RepeatCache[int](4)
    for number in [*range(10), *range(10)]:
        cache.add(number, number)
        assert cache.get(number) in (None, number)
        assert len(cache) <= 4


def test_keys_are_told_apart() -> None:
    cache = RepeatCache[str](4)
    for key in [("x", "y"), ("y", "x")] * 2:
        cache.add(key, "|".join(key))
    assert (cache.get(("x", "y")), cache.get(("y", "x"))) == ("x|y", "y|x")
