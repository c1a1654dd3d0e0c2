"""HTML page of chapters about a run, each with texts, tables and charts, for packages that say more of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jatdae.core.messages import LANGUAGES
from jatdae.report.figures import Figure
from jatdae.report.html import Names, facts_of, render
from jatdae.report.sheets import Sheet
from jatdae.run.stats.result import Result


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a page in one language: texts, then tables."""

    title: str
    texts: Sequence[str] = ()
    sheets: Sequence[Sheet] = ()


@dataclass(frozen=True, slots=True)
class ShownChapter:
    """A chapter in every language of the page, and its charts, which are the same in all."""

    said: Mapping[str, Chapter]
    figures: Sequence[Figure]


def in_each_language(made: Mapping[str, Sequence[Chapter]], figures: Sequence[Sequence[Figure]]) -> list[ShownChapter]:
    """Chapters for a page: those of each language, which are equally many, with the charts of each."""
    return [ShownChapter({each: made[each][at] for each in LANGUAGES}, charts) for at, charts in enumerate(figures)]


def to_chapters(result: Result, title: str, chapters: Sequence[ShownChapter], more: str = "") -> str:
    """HTML page of chapters about a run; `more` is the address of the run's own page."""
    summary = result.summary
    return render(
        "chapters.html.j2",
        facts_of(summary, list(summary["systems"])),
        [Names(summary["evaluator"], summary["metrics"])],
        title=title,
        chapters=chapters,
        summary=summary,
        more=more,
    )
