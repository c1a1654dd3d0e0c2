"""The types that go into an evaluator (samples) and come out of it (outcomes, issues, units, metrics)."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final, Literal

Direction = Literal["higher", "lower"]
Severity = Literal["info", "warning", "error"]

BASELINE: Final = "baseline:"
"""How the pseudo-systems of an evaluator's baselines begin; no system of the input may."""
OTHER: Final = "<other>"
"""Key under which a count table pools what is beyond the most keys that it keeps apart."""
MAX_SLICE_VALUES: Final = 1_000
"""A slice key with more values is refused: it is an id rather than a slice."""

MAX_SYSTEMS: Final = 1_000
"""More systems in one run are refused: many logs keep the system prompt under the name `system`."""


@dataclass(slots=True)
class Sample:
    """One document, conversation, record or description: what a system wrote and what it should have written.

    Never changed once made. Like Outcome it is not frozen, because a run makes one for every row and a frozen
    dataclass takes nearly twice as long to make.
    """

    id: str
    prediction: Any
    reference: Any
    meta: Mapping[str, str] = field(default_factory=dict)
    """Slice keys."""
    system: str = ""
    """Which model or parser wrote it; (system, id) is unique in a run."""
    cluster: str = ""
    """What belongs together when resampling (patient, book); "" is the sample itself."""


@dataclass(frozen=True, slots=True)
class IssueKind:
    """Declares an issue that an evaluator may report. Its meaning stands in the messages beside the evaluator."""

    code: str
    severity: Severity = "warning"


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem of a sample that a reader of its score must know; summaries count issues by `code`."""

    code: str
    message: str = ""
    """What exactly, in English: a run writes the same bytes in every language."""
    severity: Severity | None = None
    """None is the severity that the evaluator declares for the code, or "warning" if it declares none."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Scores of a part of a sample, such as one table of a document or one turn of a conversation."""

    id: str
    kind: str
    meta: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float | None] = field(default_factory=dict)
    stats: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """The scores of one sample with statistics, issues and evidence. Never changed once made."""

    values: Mapping[str, float | None]
    """This sample's metrics; None is "not applicable", and an issue says why."""
    stats: Mapping[str, float] = field(default_factory=dict)
    """Additive numbers: summed over samples, then given to `reduce`."""
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Additive tables with open keys: fields, confusions, atoms."""
    units: tuple[Unit, ...] = ()
    evidence: Any = None
    """JSON-able: what a person needs to see why."""
    issues: tuple[Issue, ...] = ()


@dataclass(frozen=True, slots=True)
class Count:
    """Declares a table of `Outcome.counts`. Its meaning stands in the messages beside the evaluator."""

    name: str
    error: bool = False
    """Its keys are things that went wrong: reports rank them. A neutral table only describes the input."""
    coded: bool = False
    """Its keys are codes of the evaluator, its configuration or its schema, never words of a sample: a report without
    texts (`report --numbers-only`) may show them."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Declares a rate of every key of count tables, such as the accuracy of each field: Σ above / Σ below.

    A gate names one as `NAME:KEY`, such as `field:total_amount=0.9`. Its meaning stands in the messages beside the
    evaluator.
    """

    name: str
    above: tuple[str, ...]
    """Count tables. `TABLE→` sums its keys `KEY→…` by what stands before the arrow, `→TABLE` by what stands after."""
    below: tuple[str, ...] = ()
    """Count tables; a key that none of them has has no rate. Without any, the number is the count above itself, which
    reports show and no gate names."""
    better: Direction = "higher"
    shown: bool = False
    """Reports have a table of it, key by key."""
    group: str = ""
    """What ends the group of a key, such as _ in COLOR_红: groups have rates too."""
    instead: tuple[str, ...] = ()
    """Count tables with keys `KEY→OTHER` that say what stands in the place of a key."""
    millionths: tuple[str, ...] = ()
    """Count tables whose numbers are added above as millionths, for what is more than nothing and less than right."""
    table: str = ""
    """Name of the report table that it stands in: rates of other keys stand in another."""


WeightedSum = str | Mapping[str, float]
"""A statistic, or several with their weights."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Declares a micro average as the ratio of two weighted sums of statistics: Σ above / Σ below.

    Not applicable where only the lower sum is 0.
    """

    above: WeightedSum
    below: WeightedSum
    complement: bool = False
    """The average is 1 − Σ above / Σ below."""
    otherwise: float | Ratio | None = None
    """The average where both sums are 0."""
    needs: str = ""
    """A statistic without which the lower sum counts as 0."""

    def of(self, stats: Mapping[str, float]) -> float | None:
        """Its value for summed statistics."""
        above, below = _sum(self.above, stats), _sum(self.below, stats)
        if not below or (self.needs and not stats.get(self.needs)):
            if above:
                return None
            return self.otherwise.of(stats) if isinstance(self.otherwise, Ratio) else self.otherwise
        return 1.0 - above / below if self.complement else above / below

    def weights(self, names: Sequence[str]) -> tuple[list[float], list[float]]:
        """What each of the named statistics weighs above and below, for the plain quotient."""
        above, below = ([_weights(side).get(name, 0.0) for name in names] for side in (self.above, self.below))
        return ([b - a for a, b in zip(above, below, strict=True)] if self.complement else above), below


@dataclass(frozen=True, slots=True)
class Mix:
    """Declares a micro average as a weighted sum, or weighted mean, of other metrics: Σ weight · value."""

    weights: Mapping[str, float]
    """By metric; each has a `Ratio` of its own."""
    mean: bool = False
    """Divide by the weights of the metrics that apply. Otherwise all have to apply."""
    complements: tuple[str, ...] = ()
    """Metrics that enter as 1 − value."""

    def of(self, values: Mapping[str, float | None]) -> float | None:
        """Its value for those of its metrics."""
        total = summed = 0.0
        for name, weight in self.weights.items():
            value = values.get(name)
            if value is not None:
                summed += weight * (1.0 - value if name in self.complements else value)
                total += weight
            elif not self.mean:
                return None
        if self.mean:
            return summed / total if total else None
        return summed


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric that an evaluator reports: its name, better direction, worst value and unit.

    Values are fractions; `unit` ("%", or "pp" for percentage points) is only how they are shown. What a metric means
    stands in the messages beside the evaluator.
    """

    name: str
    better: Direction
    worst: float
    """What a missing prediction is given."""
    unit: str = ""
    primary: bool = False
    absent: tuple[str, ...] = ()
    """Codes of issues that explain a system without any value, the one to be told first."""
    micro: Ratio | Mix | None = None
    """How its micro average is made of summed statistics; what is neither a ratio nor a mix is left to `reduce`."""
    range: tuple[float, float] = (0.0, math.inf)
    """Least and greatest value it can have: a gate beyond them is refused."""
    family: bool = False
    """Whether it is compared and tested by default; if no metric of an evaluator says so, all are."""
    optional: bool = False
    """Whether a run in which no sample has a value says nothing of it."""
    margin: float | None = None
    """A mean that is not better than a baseline by more than this is warned of."""
    causes: Mapping[str, float] | None = None
    """What one count weighs as a cause of a bad value: `TABLE`, or `TABLE:KEY` for one key, with its weight. Reports
    name the heaviest cause of a sample. Other counts are no cause; None: every count of an error is, with weight 1."""
    effort: bool = False
    """Whether it is what a result costs, such as seconds or money: charts set the primary metric against it, and a
    missing prediction has what is told of it, not the worst."""
    told: tuple[str, ...] = ()
    """Meta keys that it is made of. They hold numbers of 0 or more and are nothing to slice or filter by."""
    counted: tuple[str, ...] = ()
    """Of these, what a document has of itself, such as pages: whole numbers of 1 or more. What the folder of one system
    tells of a document serves for the others."""

    @property
    def ends(self) -> list[float | None]:
        """Its range as JSON values: an end without limit is None."""
        return [end if math.isfinite(end) else None for end in self.range]


def is_amount(text: str) -> bool:
    """Whether a meta value that a metric is made of (`Metric.told`) is a number of 0 or more."""
    try:
        return 0 <= float(text) < math.inf
    except ValueError:
        return False


def is_count(text: str) -> bool:
    """Whether a meta value of `Metric.counted` is a whole number of 1 or more."""
    return is_amount(text) and float(text) >= 1 and float(text).is_integer()


def add_up(numbers: Iterable[float]) -> float:
    """Add numbers one after another, rounding each time.

    Python's `sum` does so up to 3.11; from 3.12 on it corrects the rounding of floats, so a score would depend on it.
    """
    return reduce(operator.add, numbers, 0)


def _weights(side: WeightedSum) -> Mapping[str, float]:
    return {side: 1.0} if isinstance(side, str) else side


def _sum(side: WeightedSum, stats: Mapping[str, float]) -> float:
    if isinstance(side, str):
        return stats.get(side, 0.0)
    return math.fsum(weight * stats.get(name, 0.0) for name, weight in side.items())
