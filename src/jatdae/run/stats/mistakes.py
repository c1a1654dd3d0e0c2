"""What goes wrong: the counts that an evaluator declares as errors, ranked, with the samples behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jatdae.core.contract import OTHER


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something that went wrong, by system: how often, in how many samples, and in which it was worst."""

    table: str
    """The count table, such as `fields.missing`."""
    key: str
    name: str
    """What the key is known by, such as the name of a rule with this id; "" if it has no name."""
    counts: Mapping[str, int | None]
    """None where a system has so many keys that this one was pooled with others."""
    samples: Mapping[str, int]
    worst: Mapping[str, list[str]]
    """Ids of the worst samples, the worst first."""
    times: Mapping[str, list[int]] = field(default_factory=dict)
    """How often in each of these; empty in a run from before it was kept."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What is said in the place of the key, by language; empty if there is nothing."""

    @property
    def total(self) -> int:
        """How often, in all systems together."""
        return sum(count or 0 for count in self.counts.values())

    @property
    def worst_samples(self) -> list[str]:
        """Ids of the worst samples of the system that makes it most often, the first of equals."""
        return self.worst[max(self.counts, key=lambda name: self.counts[name] or 0)]


def mistakes_of(summary: Mapping[str, Any]) -> dict[str, list[Mistake]]:
    """What went wrong in a run by count table, in each the most frequent first; tables without any are left out."""
    ranked = {
        table: sorted(_mistakes(table, about, summary["systems"]), key=lambda m: (-m.total, m.key))
        for table, about in summary.get("counts", {}).items()
        if about["error"]
    }
    return {name: found for name, found in ranked.items() if found}


def _mistakes(table: str, about: Mapping[str, Any], systems: Mapping[str, Any]) -> Iterator[Mistake]:
    counted = {name: about["counts"].get(table, {}) for name, about in systems.items()}
    examples = {name: about.get("examples", {}).get(table, {}) for name, about in systems.items()}
    for key in dict.fromkeys(key for counts in counted.values() for key in counts if key != OTHER):
        behind = {name: found.get(key, {"samples": 0, "worst": []}) for name, found in examples.items()}
        yield Mistake(
            table,
            key,
            about.get("names", {}).get(key, ""),
            {name: counts.get(key, None if OTHER in counts else 0) for name, counts in counted.items()},
            {name: found["samples"] for name, found in behind.items()},
            {name: found["worst"] for name, found in behind.items()},
            {name: found.get("times", []) for name, found in behind.items()},
            about.get("labels", {}).get(key, {}),
        )


def sample_mistake(summary: Mapping[str, Any], metric: str, counts: Mapping[str, Mapping[str, int]]) -> Mistake | None:
    """The heaviest cause of a metric's value in one sample, by its counts (`Metric.causes`); None if it has none."""
    causes = summary["metrics"][metric].get("causes")
    found = [
        (count * _weight(causes, table, key), count, table, key)
        for table, about in summary.get("counts", {}).items()
        if about["error"]
        for key, count in counts.get(table, {}).items()
        if key != OTHER
    ]
    weight, count, table, key = max(found, key=lambda each: each[0], default=(0.0, 0, "", ""))
    if weight <= 0:
        return None
    about = summary["counts"][table]
    name, labels = about.get("names", {}).get(key, ""), about.get("labels", {}).get(key, {})
    return Mistake(table, key, name, {"": count}, {"": 1}, {"": []}, {"": []}, labels)


def _weight(causes: Mapping[str, float] | None, table: str, key: str) -> float:
    return 1.0 if causes is None else causes.get(f"{table}:{key}", causes.get(table, 0.0))
