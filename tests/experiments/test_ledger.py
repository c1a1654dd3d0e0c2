"""What an experiment took: tokens, cost and time by arm; what is not known is not 0."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae.experiments.findings import ledger_sheet
from jatdae.experiments.ledger import Prices, read_accounts, told_cost


def event(**more: Any) -> dict[str, Any]:
    return {"mode": "llm", "patient_id": "p#2", "cluster": "p", **more}


USED = {"prompt_tokens": 1000, "completion_tokens": 100}


def test_an_arm_is_added_up() -> None:
    calls = {"tool_calls": [{}, {}]}
    events = [event(usage=USED, timing_ms={"total": ms}, metadata=calls) for ms in range(0, 1100, 100)]
    account = read_accounts(events)["llm"]
    assert (account.turns, account.asked, account.answered, account.tool_calls) == (11, 11_000, 1_100, 22)
    assert account.patients == {"p"}
    assert (account.median_ms, account.p90_ms) == (500, 900)
    assert account.cost(Prices(2.0, 10.0)) == pytest.approx(0.033)
    assert account.cost(None) is None


@pytest.mark.parametrize(
    "usage",
    [None, {}, "much", {"prompt_tokens": 5}, {"prompt_tokens": -1, "completion_tokens": True}],
)
def test_tokens_that_are_not_known_make_no_cost(usage: Any) -> None:
    accounts = read_accounts([event(usage=USED), event(usage=usage, timing_ms="soon", metadata="x")])
    assert accounts["llm"].unmetered == 1
    assert accounts["llm"].cost(Prices(1, 1)) is None
    sheet = ledger_sheet(accounts, Prices(1, 1))
    assert [cell.text for cell in sheet.rows[0]] == ["llm", "2", "0", "1,000", "100", "–", "–", "–", "–"]
    assert "Turns without a count of tokens: 1." in sheet.hint


def test_a_cost_in_words() -> None:
    assert told_cost(None, 1, 1) == "unknown"
    assert told_cost(Prices(2.5, 10), 1_000_000, 100_000) == "3.5000"
