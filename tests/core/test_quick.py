"""Records made quickly are made like any other frozen dataclass."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from jatdae.core.contract import Outcome, Sample
from jatdae.core.quick import quick


def every() -> Any:
    """A record with every kind of default there is."""

    @dataclass(frozen=True, slots=True)
    class Every:
        first: int
        second: str = "b"
        third: dict[str, int] = field(default_factory=dict)
        fourth: list[int] = field(default_factory=lambda: [1])

    return Every


Plain, Quick = every(), quick(every())


@pytest.mark.parametrize(
    ("args", "named"),
    [((1,), {}), ((1, "x", {"k": 2}, []), {}), ((), {"first": 1, "fourth": [3]}), ((1,), {"third": {"k": 1}})],
)
def test_the_same_arguments_give_the_same_record(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    plain, made = Plain(*args, **named), Quick(*args, **named)
    assert [getattr(made, name) for name in Plain.__slots__] == [getattr(plain, name) for name in Plain.__slots__]


@pytest.mark.parametrize(
    ("args", "named"), [((), {}), ((1, "b", {}, [], 5), {}), ((1,), {"fifth": 5}), ((1,), {"first": 1})]
)
def test_wrong_arguments_are_refused(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Quick(*args, **named)


def test_defaults_are_each_records_own() -> None:
    assert Quick(1).third is not Quick(1).third
    assert Quick(1).fourth is not Quick(1).fourth


def test_samples_and_outcomes_are_frozen_equal_replaceable_and_can_be_sent() -> None:
    sample = Sample("1", "a", reference="b", cluster="c")
    assert sample == Sample("1", "a", "b", {}, "", "c")
    assert replace(sample, prediction="x") == Sample("1", "x", "b", cluster="c")
    assert pickle.loads(pickle.dumps(sample)) == sample
    with pytest.raises(FrozenInstanceError):
        sample.id = "2"  # type: ignore[misc]
    assert list(inspect.signature(Outcome).parameters) == ["values", "stats", "counts", "units", "evidence", "issues"]
