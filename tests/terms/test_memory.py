"""A memory keeps what comes again, and never too much of it."""

from __future__ import annotations

from jatdae.terms.memory import Memory


def test_a_result_is_kept_from_the_second_time_on() -> None:
    made: list[int] = []
    memory = Memory(lambda number: made.append(number) or [number], 4)
    first, second, third = memory(1), memory(1), memory(1)
    assert first == second == third == [1]
    assert second is third
    assert made == [1, 1]


def test_what_comes_once_is_not_kept() -> None:
    memory = Memory(str, 4)
    for number in range(1000):
        memory(number)
    assert len(memory) == 0


def test_it_never_holds_more_than_it_may() -> None:
    memory = Memory(str, 4)
    for number in [*range(10), *range(10)]:
        assert memory(number) == str(number)
        assert len(memory) <= 4


def test_arguments_are_told_apart() -> None:
    memory = Memory(lambda a, b: f"{a}|{b}", 4)
    for _ in range(3):
        assert (memory("x", "y"), memory("y", "x")) == ("x|y", "y|x")
