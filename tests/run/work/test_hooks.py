"""What a hook of an evaluator raises is told as its own fault, with the name of the hook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jatdae.core.errors import DataError, EngineError

HOOKS = ("export", "informed", "baseline_predictions", "signature_parts", "key_names")
ERRORS = {"key": "KeyError: 'gone'", "exit": "SystemExit: 0", "disk": "OSError: .*No space left"}


@pytest.fixture
def start(write: Any, run: Any, plugin: Any) -> Callable[..., Any]:
    """`start(hook=…, error=…)`: a run of two samples, one of them without a prediction."""
    file = write("p.jsonl", [{"id": "a", "pred": "x", "gold": "x"}, {"id": "b", "pred": None, "gold": "x"}])
    return lambda **config: run(file, evaluator=plugin("failing:Failing", **config))


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("error", ERRORS)
def test_a_hook_that_fails_is_named(hook: str, error: str, start: Callable[..., Any]) -> None:
    with pytest.raises(EngineError, match=rf"^failing failed in {hook}\(\): {ERRORS[error]}") as told:
        start(hook=hook, error=error)
    assert told.value.exit_status == 3
    assert told.value.__cause__ is not None


def test_a_hook_that_fails_on_a_sample_is_told_with_the_sample(start: Callable[..., Any]) -> None:
    with pytest.raises(EngineError, match="failing failed on sample 'b': KeyError: 'gone'"):
        start(hook="applicable")


@pytest.mark.parametrize("hook", HOOKS)
def test_what_a_hook_says_in_our_own_words_stays_as_it_is(hook: str, start: Callable[..., Any]) -> None:
    with pytest.raises(DataError, match=r"^no$"):
        start(hook=hook, error="ours")


def test_hooks_that_work_are_not_in_the_way(start: Callable[..., Any]) -> None:
    assert start().summary["systems"][""]["metrics"]["hit"]["macro"] == 0.5
