"""Arms that cannot be compared are refused before they are scored, and what lacks a partner is named."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae.core.errors import DataError
from jatdae.experiments.fairness import MOST_NAMED, find_unequal, only_shared, refuse_unequal


def event(mode: str, patient: str, turn: int, text: str = "?", **more: Any) -> dict[str, Any]:
    return {"mode": mode, "patient_id": patient, "turn_id": turn, "question": {"text": text}, **more}


EVEN = [event(mode, patient, turn) for mode in ("llm", "agent") for patient in "pq" for turn in (1, 2)]


def test_equal_arms_pass_in_any_order() -> None:
    assert find_unequal(EVEN) == find_unequal(EVEN[::-1]) == find_unequal([]) == find_unequal(EVEN[:4]) == []
    refuse_unequal(EVEN)


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([*EVEN, event("llm", "r", 1)], "patient 'r' is missing in agent"),
        (EVEN[:-1], "patient 'q' lacks turns 2 in agent"),
        ([*EVEN[:-1], event("agent", "q", 2, "!")], "turn 2 of patient 'q' is asked in other words"),
        ([*EVEN[:-1], event("agent", "q", 2, slots_truth={"age": 7})], "turn 2 of patient 'q' has another truth"),
        ([*EVEN, EVEN[0]], "turn 1 of patient 'p' stands twice in llm"),
        ([*EVEN, event("other", "p", 1)], "patient 'q' is missing in other"),
    ],
)
def test_what_lacks_a_partner_is_named(events: list[dict[str, Any]], said: str) -> None:
    assert any(said in problem for problem in find_unequal(events))
    with pytest.raises(DataError, match="--allow-unequal"):
        refuse_unequal(events)


def test_many_problems_are_not_all_named() -> None:
    events = [event("llm", f"p{at}", 1) for at in range(100)] + [event("agent", "p0", 1)]
    with pytest.raises(DataError) as refused:
        refuse_unequal(events)
    assert len(str(refused.value).splitlines()) == MOST_NAMED + 2
    assert "… and 79 more" in str(refused.value)


@pytest.mark.parametrize("at", range(len(EVEN)))
def test_any_event_taken_away_is_missed(at: int) -> None:
    assert len(find_unequal([each for place, each in enumerate(EVEN) if place != at])) == 1


def test_turns_that_one_arm_lacks_are_not_compared() -> None:
    assert only_shared(EVEN, "llm", "agent") is None
    assert only_shared([*EVEN, event("llm", "r", 1)], "llm", "agent") is None, "patients are paired anyway"
    kept = only_shared([*EVEN[:-1], event("third", "p", 1)], "llm", "agent")
    assert kept == [EVEN[0], EVEN[1], EVEN[2], EVEN[4], EVEN[5], EVEN[6]]
