"""Rates of the keys of count tables, such as the accuracy of a field or the recall of an atom: Σ above / Σ below.

A table is named as `missed`; `confused→` sums the keys `KEY→…` of the table `confused`, `→confused` its keys `…→KEY`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jatdae.core.contract import OTHER

ARROW: Final = "→"
MILLION: Final = 1_000_000
SIDES: Final = ("above", "millionths", "below")
"""Where a table stands in a rate: its counts above and those added as millionths, over its counts below."""

RateEntry = Mapping[str, Any]
"""What a summary says of a rate: its tables `above` and `below`, and how it is shown."""
CountTables = Mapping[str, Mapping[str, int]]


def rate_of(rate: RateEntry, key: str, counts: CountTables) -> float | None:
    """Rate of one key: its counts above over its counts below; without tables below, the count itself.

    None if there are none below, or if a table has so many keys that this one may be pooled with others.
    """
    return _number(rate, {side: _tallies(rate, side, counts) for side in SIDES}, key)[0]


def rate_keys(rate: RateEntry, summary: Mapping[str, Any]) -> list[str]:
    """Keys that any system has a rate of, by name."""
    found: set[str] = set()
    for system in summary["systems"].values():
        for table in rate["below"] or rate["above"]:
            found.update(_tally(table, system["counts"], rate.get("group", "")))
    return sorted(found - {OTHER})


@dataclass(frozen=True, slots=True)
class KeyRates:
    """A key with its rates by system, how often it counts, and what stands in its place."""

    key: str
    grouped: bool
    """It stands for a group of keys: SHAPE for SHAPE_裂纹 and all others."""
    n: Mapping[str, Mapping[str, float | None]]
    """By rate and system: the count below."""
    values: Mapping[str, Mapping[str, float | None]]
    """By rate and system: the rate."""
    instead: Mapping[str, int]
    """What stands in its place, most frequent first, in all systems together."""

    @property
    def is_counted(self) -> bool:
        """Whether its rates are only counts, and of nothing: there is no n then."""
        return all(n is None for of in self.n.values() for n in of.values())

    @property
    def size(self) -> int:
        """The largest count below of its first rate: how often the references have it."""
        return int(max([n or 0 for n in next(iter(self.n.values())).values()], default=0))


def rate_tables(summary: Mapping[str, Any]) -> dict[str, list[KeyRates]]:
    """Rates that a report shows, by table and key by key: groups first, then what is lost most often in any system."""
    tables: dict[str, dict[str, RateEntry]] = {}
    for name, rate in summary.get("rates", {}).items():
        if rate.get("shown"):
            tables.setdefault(rate.get("table", ""), {})[name] = rate
    found = {table: _shown(rates, summary) for table, rates in tables.items()}
    return {table: keys for table, keys in found.items() if keys}


def _shown(rates: Mapping[str, RateEntry], summary: Mapping[str, Any]) -> list[KeyRates]:
    keys = dict.fromkeys(key for rate in rates.values() for key in rate_keys(rate, summary))
    tallies = {
        (name, system): {side: _tallies(rate, side, described["counts"]) for side in SIDES}
        for name, rate in rates.items()
        for system, described in summary["systems"].items()
    }
    made = [_key_rates(key, rates, summary["systems"], tallies) for key in keys]
    if all(each.key.replace(".", "", 1).isdecimal() for each, _ in made):  # such as depths
        return [each for each, _ in sorted(made, key=lambda made: float(made[0].key))]
    return [each for each, _ in sorted(made, key=lambda made: (not made[0].grouped, -made[1], made[0].key))]


def _key_rates(
    key: str,
    rates: Mapping[str, RateEntry],
    systems: Mapping[str, Any],
    tallies: Mapping[tuple[str, str], Mapping[str, Sequence[Counter[str]]]],
) -> tuple[KeyRates, float]:
    """The rates of a key, and how often it is lost by the first of them in the system that loses it most."""
    n: dict[str, dict[str, float | None]] = {name: {} for name in rates}
    values: dict[str, dict[str, float | None]] = {name: {} for name in rates}
    instead: Counter[str] = Counter()
    lost = 0.0
    for system, described in systems.items():
        counts = described["counts"]
        for name in rates:
            value, below = _number(rates[name], tallies[name, system], key)
            n[name][system], values[name][system] = below, value
            if name == next(iter(rates)) and value is not None:
                lost = max(lost, _lost(rates[name], value, below))
        for table in next(iter(rates.values())).get("instead", ()):
            for pair, times in counts.get(table, {}).items():
                meant, arrow, said = pair.partition(ARROW)
                if arrow and meant == key:
                    instead[said] += times
    group = next(iter(rates.values())).get("group", "")
    ordered = dict(sorted(instead.items(), key=lambda item: (-item[1], item[0])))
    return KeyRates(key, bool(group) and group not in key, n, values, ordered), lost


def _lost(rate: RateEntry, value: float, below: float | None) -> float:
    """How often a key is lost: what is missing of its rate, or the count itself where less of it is better."""
    if below:
        return below - value * below
    return value if rate.get("better") == "lower" and not rate["below"] else 0.0


def _number(
    rate: RateEntry, tallies: Mapping[str, Sequence[Counter[str]]], key: str
) -> tuple[float | None, float | None]:
    """A rate of one key, and what it is of; without tables below, the count above."""
    above, parts, below = (_sum(tallies[side], key) for side in SIDES)
    if above is None or parts is None:
        return None, below
    if not rate["below"]:
        return above, None
    return ((above + parts / MILLION) / below if below else None), below


def _sum(tallies: Sequence[Counter[str]], key: str) -> int | None:
    """Sum of the counts of a key; None if a table has so many keys that this one may be pooled with others."""
    if any(OTHER in tally and key not in tally for tally in tallies):
        return None
    return sum(tally[key] for tally in tallies)


def _tallies(rate: RateEntry, side: str, counts: CountTables) -> list[Counter[str]]:
    return [_tally(table, counts, rate.get("group", "")) for table in rate.get(side, ())]


def _tally(table: str, counts: CountTables, group: str) -> Counter[str]:
    """Counts of a table by key, or by one side of its keys; with a separator of groups, of their groups too."""
    tally: Counter[str] = Counter()
    for key, times in counts.get(table.strip(ARROW), {}).items():
        for each in keys_in(table, key, group):
            tally[each] += times
    return tally


def keys_in(table: str, key: str, group: str) -> Iterator[str]:
    """Keys of a rate that a key of one of its tables counts for: itself or one side of it, and its group."""
    if table.endswith(ARROW):
        key = key.partition(ARROW)[0]
    elif table.startswith(ARROW):
        key = key.partition(ARROW)[2] or key
    yield key
    name, separator, _ = key.partition(group) if group else (key, "", "")
    if separator and name.isalnum():
        yield name
