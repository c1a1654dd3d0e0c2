"""HTML page of chapters about a run, each with texts, tables and charts, for packages that say more of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jatdae.report.figures import Figure
from jatdae.report.html import Names, facts_of, render
from jatdae.report.pages import NumberTable
from jatdae.report.sheets import Sheet
from jatdae.run.stats.result import Result


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a page in one language: texts, the numbers of all systems, tables, then charts."""

    title: str
    texts: Sequence[str] = ()
    sheets: Sequence[Sheet] = ()
    figures: Sequence[Figure] = ()
    numbers: NumberTable | None = None


def to_chapters(result: Result, title: str, chapters: Mapping[str, Sequence[Chapter]], more: str = "") -> str:
    """HTML page of chapters about a run, equally many in each language; `more` is the address of the run's own page."""
    summary = result.summary
    return render(
        "chapters.html.j2",
        facts_of(summary, list(summary["systems"])),
        [Names(summary["evaluator"], summary["metrics"])],
        title=title,
        chapters=[dict(zip(chapters, each, strict=True)) for each in zip(*chapters.values(), strict=True)],
        summary=summary,
        more=more,
    )
