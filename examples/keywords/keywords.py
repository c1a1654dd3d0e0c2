"""Keyword recall: an evaluator with issues, counts, a settings file and an evidence view, in two languages.

jatdae run --plugin examples/keywords/keywords.py:Keywords examples/keywords/pairs.jsonl \\
    --keywords examples/keywords/keywords.yaml

What its names mean stands in `messages.en.toml` and `messages.ko.toml` beside this file, how its evidence is drawn in
`evidence.js`.
"""

from __future__ import annotations

import re
from functools import cached_property
from math import fsum
from pathlib import Path
from typing import Annotated

from pydantic import Field

from jatdae import Count, Issue, IssueKind, Metric, Outcome, Ratio, Sample, evaluator
from jatdae.core.configfile import Part, read_config
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker

say = speaker(__name__)


class Keyword(Part):
    """How a keyword may be written, and how much it counts."""

    spellings: Annotated[list[str], Field(min_length=1)]
    """Each of these stands for the keyword."""
    weight: Annotated[float, Field(gt=0)] = 1.0
    """How much it counts."""


class KeywordFile(Part):
    """Keywords that an answer should contain where the reference does."""

    keywords: dict[str, Keyword]
    """By name."""


@evaluator(
    "keywords",
    metrics=[
        Metric("recall", "higher", worst=0.0, unit="%", primary=True, range=(0.0, 1.0), micro=Ratio("hit", "all")),
    ],
    issues=[IssueKind("no_keyword", "info"), IssueKind("shouting", "warning")],
    counts=[Count("missed", error=True), Count("found")],
    files={"keywords": KeywordFile},
)
class Keywords:
    """Share of the reference's keywords that the prediction contains."""

    keywords: Path | None = None
    """YAML file with the keywords (see `jatdae schema keywords.keywords`)."""

    def __post_init__(self) -> None:
        _ = self._keywords  # a file that is missing or does not fit is refused before anything is scored

    def score(self, sample: Sample) -> Outcome:
        prediction, reference = str(sample.prediction), str(sample.reference)
        wanted = {name for name in self._keywords if self._find(name, reference)}
        if not wanted:
            return Outcome({"recall": None}, issues=(Issue("no_keyword"),))
        places = {name: self._find(name, prediction) for name in sorted(wanted)}
        hit = fsum(self._keywords[name].weight for name, found in places.items() if found)
        total = fsum(self._keywords[name].weight for name in sorted(wanted))
        return Outcome(
            {"recall": hit / total},
            stats={"hit": hit, "all": total},
            counts={
                "missed": {name: 1 for name, found in places.items() if not found},
                "found": {name: 1 for name, found in places.items() if found},
            },
            evidence={"answer": prediction, "keywords": places},
            issues=(Issue("shouting"),) if prediction.isupper() else (),
        )

    @cached_property
    def _keywords(self) -> dict[str, Keyword]:
        if self.keywords is None:
            raise UsageError(say("file_needed"))
        file = read_config(self.keywords, KeywordFile)
        owners: dict[str, str] = {}
        for name, keyword in file.content.keywords.items():
            for at, spelling in enumerate(keyword.spellings):
                owner = owners.setdefault(spelling.casefold(), name)
                if owner != name:
                    file.complain(("keywords", name, "spellings", at), say("taken", spelling=spelling, owner=owner))
        file.finish()
        return file.content.keywords

    def _find(self, name: str, text: str) -> list[tuple[int, int]]:
        """Where a keyword stands in a text."""
        spellings = "|".join(map(re.escape, self._keywords[name].spellings))
        return [found.span() for found in re.finditer(spellings, text, re.IGNORECASE)]
