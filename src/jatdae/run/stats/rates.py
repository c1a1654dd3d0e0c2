"""Rates of the keys of count tables, such as the accuracy of a field or the recall of an atom: Σ above / Σ below.

A table is named as `missed`; `confused→` sums the keys `KEY→…` of the table `confused`, `→confused` its keys `…→KEY`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jatdae.core.contract import OTHER

ARROW: Final = "→"

RateEntry = Mapping[str, Any]
"""What a summary says of a rate: its tables `above` and `below`, and how it is shown."""
CountTables = Mapping[str, Mapping[str, int]]


def rate_of(rate: RateEntry, key: str, counts: CountTables) -> float | None:
    """Rate of one key: its counts above over its counts below.

    None if there are none below, or if a table has so many keys that this one may be pooled with others.
    """
    above, below = (_sum(_tallies(rate, side, counts), key) for side in ("above", "below"))
    return above / below if above is not None and below else None


def rate_keys(rate: RateEntry, summary: Mapping[str, Any]) -> list[str]:
    """Keys that any system has a rate of, by name."""
    found: set[str] = set()
    for system in summary["systems"].values():
        for table in rate["below"]:
            found.update(_tally(table, system["counts"], rate.get("group", "")))
    return sorted(found - {OTHER})


@dataclass(frozen=True, slots=True)
class KeyRates:
    """A key with its rates by system, how often it counts, and what stands in its place."""

    key: str
    grouped: bool
    """It stands for a group of keys: SHAPE for SHAPE_裂纹 and all others."""
    n: Mapping[str, Mapping[str, int | None]]
    """By rate and system: the count below."""
    values: Mapping[str, Mapping[str, float | None]]
    """By rate and system: the rate."""
    instead: Mapping[str, int]
    """What stands in its place, most frequent first, in all systems together."""

    @property
    def size(self) -> int:
        """The largest count below of its first rate: how often the references have it."""
        return max([n or 0 for n in next(iter(self.n.values())).values()], default=0)


def shown_rates(summary: Mapping[str, Any]) -> list[KeyRates]:
    """Rates that a report shows, key by key: groups first, then what is lost most often in any system."""
    rates = {name: rate for name, rate in summary.get("rates", {}).items() if rate.get("shown")}
    if not rates:
        return []
    keys = dict.fromkeys(key for rate in rates.values() for key in rate_keys(rate, summary))
    tallies = {
        (name, system): {side: _tallies(rate, side, described["counts"]) for side in ("above", "below")}
        for name, rate in rates.items()
        for system, described in summary["systems"].items()
    }
    made = [_key_rates(key, rates, summary["systems"], tallies) for key in keys]
    return [each for each, _ in sorted(made, key=lambda made: (not made[0].grouped, -made[1], made[0].key))]


def _key_rates(
    key: str,
    rates: Mapping[str, RateEntry],
    systems: Mapping[str, Any],
    tallies: Mapping[tuple[str, str], Mapping[str, Sequence[Counter[str]]]],
) -> tuple[KeyRates, int]:
    """The rates of a key, and how often it is lost by the first of them in the system that loses it most."""
    n: dict[str, dict[str, int | None]] = {name: {} for name in rates}
    values: dict[str, dict[str, float | None]] = {name: {} for name in rates}
    instead: Counter[str] = Counter()
    lost = 0
    for system, described in systems.items():
        counts = described["counts"]
        for name in rates:
            above, below = (_sum(tallies[name, system][side], key) for side in ("above", "below"))
            n[name][system] = below
            values[name][system] = above / below if above is not None and below else None
            if name == next(iter(rates)) and above is not None and below:
                lost = max(lost, below - above)
        for table in next(iter(rates.values())).get("instead", ()):
            for pair, times in counts.get(table, {}).items():
                meant, arrow, said = pair.partition(ARROW)
                if arrow and meant == key:
                    instead[said] += times
    group = next(iter(rates.values())).get("group", "")
    ordered = dict(sorted(instead.items(), key=lambda item: (-item[1], item[0])))
    return KeyRates(key, bool(group) and group not in key, n, values, ordered), lost


def _sum(tallies: Sequence[Counter[str]], key: str) -> int | None:
    """Sum of the counts of a key; None if a table has so many keys that this one may be pooled with others."""
    if any(OTHER in tally and key not in tally for tally in tallies):
        return None
    return sum(tally[key] for tally in tallies)


def _tallies(rate: RateEntry, side: str, counts: CountTables) -> list[Counter[str]]:
    return [_tally(table, counts, rate.get("group", "")) for table in rate[side]]


def _tally(table: str, counts: CountTables, group: str) -> Counter[str]:
    """Counts of a table by key, or by one side of its keys; with a separator of groups, of their groups too."""
    found = counts.get(table.strip(ARROW), {})
    if table.endswith(ARROW):
        pairs: Sequence[tuple[str, int]] = [(key.partition(ARROW)[0], times) for key, times in found.items()]
    elif table.startswith(ARROW):
        pairs = [(key.partition(ARROW)[2] or key, times) for key, times in found.items()]
    else:
        pairs = [*found.items()]
    tally: Counter[str] = Counter()
    for key, times in pairs:
        tally[key] += times
        name, separator, _ = key.partition(group) if group else (key, "", "")
        if separator and name.isalnum():
            tally[name] += times
    return tally
