"""What goes wrong, on the report page of a run: ranked bars by system, each with the samples behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, zip_longest
from typing import Any, Final

from jatdae.report.samples import SampleValues, find_rows
from jatdae.run.stats.mistakes import Mistake, mistakes_of

MOST_SHOWN: Final = 8
"""Keys of a count table that are in view; the others unfold."""
MOST_LISTED: Final = 30
"""Keys of a count table on the page; CSV has the rest."""


@dataclass(frozen=True, slots=True)
class Bar:
    """How often a system made a mistake, and the samples in which it was worst."""

    number: int
    """Counted over all bars of the page."""
    system: int
    count: int | None
    width: float
    """In percent of the longest bar of the table."""
    samples: int
    rows: tuple[int, ...]
    """Rows of the run: the worst samples, the worst first."""
    times: tuple[int | None, ...]
    """How often in each; None if that is not known."""


@dataclass(frozen=True, slots=True)
class RankedMistake:
    """A mistake with a bar for each system."""

    mistake: Mistake
    bars: tuple[Bar, ...]
    rate: str = ""
    """The rate that a gate names for this key, such as `field`; "" if there is none."""


@dataclass(frozen=True, slots=True)
class MistakeTable:
    """The mistakes of one count table, the most frequent first."""

    table: str
    ranked: tuple[RankedMistake, ...]
    left_out: int

    @property
    def shown(self) -> tuple[RankedMistake, ...]:
        """Those in view."""
        return self.ranked[:MOST_SHOWN]

    @property
    def folded(self) -> tuple[RankedMistake, ...]:
        """Those that unfold."""
        return self.ranked[MOST_SHOWN:]


def mistake_tables(summary: Mapping[str, Any], values: SampleValues) -> list[MistakeTable]:
    """Rank what went wrong in a run for its page, table by table, with the rows behind each bar."""
    found = mistakes_of(summary)
    at = {name: number for number, name in enumerate(summary["systems"])}
    pairs = [
        (name, at[system])
        for ranked in found.values()
        for mistake in ranked[:MOST_LISTED]
        for system, names in mistake.worst.items()
        for name in names
    ]
    place = dict(zip(pairs, find_rows(values, pairs), strict=True))
    numbers = count()
    made = []
    for table, ranked in found.items():
        longest = max(times or 0 for mistake in ranked for times in mistake.counts.values())
        rate = _rate_of(table, summary)
        made.append(
            MistakeTable(
                table,
                tuple(replace(_ranked(each, at, longest, place, numbers), rate=rate) for each in ranked[:MOST_LISTED]),
                max(0, len(ranked) - MOST_LISTED),
            )
        )
    return made


def _rate_of(table: str, summary: Mapping[str, Any]) -> str:
    """The rate whose keys are those of a count table."""
    return next((name for name, of in summary.get("rates", {}).items() if table in (*of["above"], *of["below"])), "")


def _ranked(
    mistake: Mistake,
    at: Mapping[str, int],
    longest: int,
    place: Mapping[tuple[str, int], int | None],
    numbers: Iterator[int],
) -> RankedMistake:
    bars = []
    for system, times in mistake.counts.items():
        behind = zip_longest(mistake.worst[system], mistake.times.get(system, ()))
        found = [(row, often) for name, often in behind if (row := place[name, at[system]]) is not None]
        rows, each = tuple(row for row, _ in found), tuple(often for _, often in found)
        width = 100 * (times or 0) / max(1, longest)
        bars.append(Bar(next(numbers), at[system], times, width, mistake.samples[system], rows, each))
    return RankedMistake(mistake, tuple(bars))


def rows_behind(tables: Sequence[MistakeTable]) -> list[int]:
    """Rows behind all bars of a page: the worst of every bar first, then the second of every bar, and so on."""
    bars = [bar for table in tables for ranked in table.ranked for bar in ranked.bars]
    longest = max((len(bar.rows) for bar in bars), default=0)
    return [bar.rows[rank] for rank in range(longest) for bar in bars if rank < len(bar.rows)]
