"""First screen of the report page of a run: the verdict, a picture of the systems, the worst samples, the gates."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any
from urllib.parse import quote

from jatdae.core.errors import UsageError
from jatdae.core.messages import LANGUAGES, speaking
from jatdae.report.charts import LinearScale
from jatdae.report.differences import short_names
from jatdae.report.samples import SHOWN_FIRST, SampleValues, primary_at, worst_first
from jatdae.run.gates import UNDER, Gate, failed_gates
from jatdae.run.stats.compare import Comparison
from jatdae.run.stats.mistakes import Mistake, sample_mistake
from jatdae.run.stats.result import Result, columns_of_part, primary_metric
from jatdae.run.stats.shown import number, span
from jatdae.run.stats.verdict import verdict


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of the picture: a system or a baseline with its mean and interval, placed in percent of the width."""

    name: str
    system: int | None
    """Number of the system; None is a baseline."""
    value: str
    interval: str
    n: int
    x: float | None
    ends: tuple[float, float] | None
    beyond: str = ""
    """`left` or `right` if a baseline lies outside the axis, which is made for the systems."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Means of all systems with their intervals on the axis of the primary metric."""

    metric: str
    marks: list[Mark]
    ticks: list[tuple[float, str]]
    """Places in percent, with their values."""


@dataclass(frozen=True, slots=True)
class WorstSample:
    """One of the worst samples of a run: what it is, its value, and a reason."""

    id: str
    system: int
    owner: str
    """Short name of the system."""
    value: str
    address: str
    issue: str
    """Code of an issue, if that is the reason."""
    mistake: Mistake | None
    """The heaviest cause of its value, if that is the reason."""


@dataclass(frozen=True, slots=True)
class ShownGate:
    """A gate with the systems that fail it and their values."""

    name: str
    sign: str
    limit: str
    failures: list[tuple[str | None, str]]


def verdicts(summary: dict[str, Any], against_best: Sequence[Comparison]) -> dict[str, str]:
    """The verdict on a run in every language of its page, with the short names of systems."""
    cut = {name: short for name, short in short_names([*summary["systems"]]).items() if short != name}
    made = {}
    for language in LANGUAGES:
        with speaking(language):
            text = reduce(lambda said, name: said.replace(name, cut[name]), cut, verdict(summary, against_best))
            made[language] = isolated(unbroken(text), short_names([*summary["systems"]]).values())
    return {language: text for language, text in made.items() if text}


def unbroken(text: str) -> str:
    """A sentence of the page in which no line ends inside `p = .007`, `n = 200` or `0.69 pp`."""
    return re.sub(r"(?<=\b[pn]) (?=[=<≤] )|(?<=[=<≤]) (?=[.\d])|(?<=\d) (?=pp|%)", "\u00a0", text)


def isolated(text: str, names: Iterable[str]) -> str:
    """A sentence of the page whose direction no name of a system turns round."""
    turning = [name for name in names if re.search("[\u202a-\u202e\u2066-\u2069]", name)]
    return reduce(lambda said, name: said.replace(name, f"\u2068{name}\u2069"), turning, text)


def picture_of(summary: Mapping[str, Any]) -> Picture:
    """Place the means of the systems, then those of the baselines, on one axis of the page."""
    metric = primary_metric(summary)
    about = summary["metrics"][metric]
    entries = [described["metrics"][metric] for described in summary["systems"].values()]
    ends = [end for entry in entries for end in (entry["macro"], *(entry["ci"] or ())) if end is not None]
    if len(entries) == 1:  # alone, a value is placed by what the metric can be; below 0 only if it is there
        least = min(ends, default=0.0)
        ends += [max(end, 0.0) if least >= 0 else end for end in about.get("range", ()) if end is not None]
    scale = LinearScale.over(ends, 0.0, 100.0)
    unit = about["unit"]
    names = short_names([*summary["systems"]]).values()
    marks = [_mark(name, at, entry, unit, scale) for at, (name, entry) in enumerate(zip(names, entries, strict=True))]
    baselines = summary["baselines"].items()
    marks += [_mark(name, None, described["metrics"][metric], unit, scale) for name, described in baselines]
    return Picture(metric, marks, [(scale(tick), scale.label(tick, unit)) for tick in scale.ticks()])


def _mark(name: str, system: int | None, entry: Mapping[str, Any], unit: str, scale: LinearScale) -> Mark:
    value = entry["macro"]
    beyond = "" if value is None else "left" if value < scale.low else "right" if value > scale.high else ""
    return Mark(
        name,
        system,
        number(value, unit),
        span(entry["ci"], unit) if entry["ci"] else "",
        entry["n"],
        None if value is None else scale(value),
        (scale(entry["ci"][0]), scale(entry["ci"][1])) if entry["ci"] and not beyond else None,
        beyond,
    )


def worst_samples(result: Result, values: SampleValues) -> list[WorstSample]:
    """The worst samples on the primary metric, each of the system that is worst at it; none that is perfect."""
    metrics = result.metrics
    metric = metrics[primary_at(metrics)]
    column = values.values[primary_at(metrics)]
    perfect = metric.range[1] if metric.better == "higher" else metric.range[0]
    rows: dict[int, int] = {}
    for row in worst_first(values, metrics):
        if len(rows) == SHOWN_FIRST or math.isnan(column[row]) or column[row] == perfect:
            break
        rows.setdefault(int(values.samples[row]), int(row))
    return [_worst_sample(result, values, row, number(float(column[row]), metric.unit)) for row in rows.values()]


def _worst_sample(result: Result, values: SampleValues, row: int, value: str) -> WorstSample:
    name, system = values.ids[int(values.samples[row])].as_py(), int(values.systems[row])
    systems = list(result.summary["systems"])
    address = f"#sample={quote(name, safe='')}"
    if len(systems) > 1:
        address += f"&system={quote(systems[system], safe='')}"
    part = columns_of_part(result, int(values.tables[row]), ["issues", "counts"])
    found = part.slice(int(values.at[row]), 1).to_pylist(maps_as_pydicts="strict")[0]
    errors = [each["code"] for each in found["issues"] if each["severity"] == "error"]
    mistake = None if errors else sample_mistake(result.summary, primary_metric(result.summary), found["counts"])
    issues = errors or ([] if mistake else [each["code"] for each in found["issues"] if each["severity"] != "info"])
    owner = [*short_names(systems).values()][system]
    return WorstSample(name, system, owner, value, address, issues[0] if issues else "", mistake)


def shown_gates(summary: Mapping[str, Any], gates: Sequence[Gate]) -> Iterator[ShownGate]:
    """Gates of a run for its page, with what failed them.

    One on a key that no system has is left to the command, which ends with an error.
    """
    for gate in gates:
        try:
            failed = failed_gates(summary, [gate])
        except UsageError:
            continue
        metric = summary["metrics"].get(gate.name.removesuffix(".micro").removesuffix(".macro"))
        unit = "%" if metric is None else metric["unit"]
        failures = [(each.system, number(each.value, unit)) for each in failed]
        yield ShownGate(gate.name, "≥" if gate.sign == UNDER else "≤", number(gate.limit, unit), failures)
