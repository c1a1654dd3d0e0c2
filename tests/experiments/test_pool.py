"""Asking several things at a time: failures are returned, and an endpoint that is down is left alone."""

from __future__ import annotations

import threading

import pytest

from jatdae.experiments.pool import MOST_IN_A_ROW, Course, ask_each
from jatdae.experiments.targets import TurnFailed


def test_what_fails_is_returned_and_the_rest_goes_on() -> None:
    done: list[int] = []

    def ask(item: int, _: threading.Event) -> None:
        if item % 2:
            raise TurnFailed(str(item))
        done.append(item)

    failures = ask_each(range(40), ask, 1)
    assert done == list(range(0, 40, 2))
    assert sorted(item for item, _ in failures) == list(range(1, 40, 2))


def test_after_failures_in_a_row_nothing_more_is_asked() -> None:
    asked: list[int] = []

    def ask(item: int, _: threading.Event) -> None:
        asked.append(item)
        raise TurnFailed("down")

    assert len(ask_each(range(1000), ask, 1)) == MOST_IN_A_ROW
    assert asked == list(range(MOST_IN_A_ROW))


def test_another_error_ends_it() -> None:
    def ask(item: int, _: threading.Event) -> None:
        raise RuntimeError(item)

    with pytest.raises(RuntimeError):
        ask_each(range(5), ask, 1)


def test_answers_on_the_way_show_that_the_endpoint_is_there() -> None:
    def ask(_: int, course: Course) -> None:
        course.answered()
        raise TurnFailed("too long")

    assert len(ask_each(range(20), ask, 1)) == 20
