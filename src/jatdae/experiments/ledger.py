"""What an experiment took, by arm: turns, tool calls, tokens, cost and time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from jatdae.core.errors import DataError
from jatdae.core.messages import speaker
from jatdae.dialogue.events import read_given
from jatdae.experiments.eventlog import SETTINGS, read_settings, remember
from jatdae.experiments.targets import tool_calls_of

PRICED: Final = ("input", "output")
"""What has a price."""

say = speaker(__name__)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a million tokens, as the user gives them."""

    input: float
    output: float

    def of(self, asked: int, answered: int) -> float:
        """What tokens cost."""
        return (asked * self.input + answered * self.output) / 1e6


def settle_prices(folder: Path, given: Prices | None) -> Prices | None:
    """The prices of an experiment: given ones are remembered in its folder, else those that were given before."""
    if given is not None:
        if read_settings(folder).get("prices") != asdict(given):
            remember(folder, prices=asdict(given))
        return given
    before = read_settings(folder).get("prices")
    try:
        return Prices(float(before["input"]), float(before["output"])) if before else None
    except (LookupError, TypeError, ValueError):
        raise DataError(say("bad_settings", file=folder / SETTINGS)) from None


@dataclass
class Account:
    """What the turns of one arm took; a turn of which something is not known adds nothing to it, and is counted."""

    turns: int = 0
    patients: set[str] = field(default_factory=set)
    asked: int = 0
    answered: int = 0
    unmetered: int = 0
    """Turns whose tokens are not known."""
    empty: int = 0
    """Turns with an answer that says nothing."""
    tool_calls: int = 0
    times: list[float] = field(default_factory=list)
    """Milliseconds of each turn, where known."""

    def cost(self, prices: Prices | None) -> float | None:
        """What the arm cost; None where prices, or the tokens of a turn, are not known."""
        return None if prices is None or self.unmetered else prices.of(self.asked, self.answered)

    @property
    def median_ms(self) -> float | None:
        """Time within which half of the turns were answered."""
        return median(self.times) if self.times else None

    @property
    def p90_ms(self) -> float | None:
        """Time within which nine of ten turns were answered."""
        return quantiles(self.times, n=10, method="inclusive")[-1] if len(self.times) > 1 else self.median_ms


def read_accounts(events: Iterable[Mapping[str, Any]]) -> dict[str, Account]:
    """What the arms of an experiment took."""
    accounts: dict[str, Account] = {}
    for event in events:
        account = accounts.setdefault(str(event["mode"]), Account())
        account.turns += 1
        account.empty += is_empty(event)
        account.patients.add(str(event.get("cluster") or event["patient_id"]))
        account.tool_calls += len(tool_calls_of(event))
        usage = event.get("usage")
        tokens = [_count(usage, name) for name in ("prompt_tokens", "completion_tokens")]
        if None in tokens:
            account.unmetered += 1
        else:
            account.asked += tokens[0] or 0
            account.answered += tokens[1] or 0
        if (took := read_given(event).get("timing_ms")) is not None:
            account.times.append(took)
    return accounts


def is_empty(event: Mapping[str, Any]) -> bool:
    """Whether the answer of an event says nothing."""
    return not str(event.get("answer") or "").strip()


def told_tokens(asked: int, answered: int, *, known: bool = True) -> dict[str, str]:
    """Tokens in words; those of which not all are counted are unknown."""
    return {
        "asked": f"{asked:,}" if known else say("unknown"),
        "answered": f"{answered:,}" if known else say("unknown"),
    }


def told_cost(prices: Prices | None, asked: int, answered: int, *, known: bool = True) -> str:
    """What tokens cost, in words; unknown where no price is given, or not all tokens are counted."""
    return say("unknown") if prices is None or not known else f"{prices.of(asked, answered):,.4f}"


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        return None
    return int(value)
