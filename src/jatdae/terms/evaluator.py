"""The terms evaluator: its settings, metrics, baselines and commands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from jatdae.core.config import check_settings
from jatdae.core.contract import Issue, IssueKind, Metric, Outcome, Sample
from jatdae.core.evaluator import UNSIGNED, evaluator
from jatdae.terms.commands import tell_dropped
from jatdae.terms.comparer import MAX_CHARS, DescriptionComparer, comparer_of, worst_outcome
from jatdae.terms.counts import COUNTS
from jatdae.terms.counts import RATES as ATOM_RATES
from jatdae.terms.findings import say_findings
from jatdae.terms.labels import AtomLabels
from jatdae.terms.lexicon import Lexicon, find_lexicon
from jatdae.terms.lexicon_file import LexiconFile, TokenConfig
from jatdae.terms.metrics import RATES, SCORES, metrics_of

_TONGUE: Final = (
    *("tongue", "coat", "location", "other"),
    *("LOCATION", "COLOR", "SHAPE", "COATCOLOR", "THICK", "NATURE", "SUBLINGUAL"),
)
"""Categories and axes of the default lexicon, declared without reading it."""


@evaluator(
    "terms",
    of_text=True,
    version=7,
    metrics=metrics_of((*SCORES, *_TONGUE, *RATES)),
    issues=[
        IssueKind("empty_category", "info"),
        IssueKind("prediction_not_understood"),
        IssueKind("reference_not_understood", "error"),
        IssueKind("too_large", "error"),
        IssueKind("not_text", "error"),
    ],
    counts=COUNTS,
    rates=ATOM_RATES,
    pure=True,
    files={"lexicon": LexiconFile, "token_config": TokenConfig},
)
class TermsEvaluator:
    """Similarity of clinical descriptions, term by term."""

    lexicon: str | Path = "tongue"
    """A bundled lexicon (tongue, pulse), or the path to one (YAML, or token_config.json format)."""
    empty_category: Literal["match", "skip"] = "match"
    """How a category that neither side mentions counts in score: as agreement (match), or not at all (skip)."""
    lenient: bool = field(default=False, metadata=UNSIGNED)
    """Load what can be loaded of a lexicon that contradicts itself, and say what was left out."""
    partial_match: bool = False
    """Compare atoms without a listed similarity by the characters they share."""
    max_chars: int = MAX_CHARS
    """Maximum text length on each side, in characters. Longer texts get the issue too_large."""

    findings = staticmethod(say_findings)

    def __post_init__(self) -> None:
        """Check the settings and the lexicon before anything is scored."""
        check_settings(self, max_chars=(1, math.inf))
        tell_dropped(self._lexicon)

    def own_metrics(self) -> list[Metric]:
        """The metrics of this lexicon, with its categories and axes."""
        return metrics_of(self._comparer.metrics)

    def signature_parts(self) -> dict[str, str]:
        """The lexicon with its version, or with the hash of its file."""
        return {"lexicon": self._comparer.lexicon.label}

    def score(self, sample: Sample) -> Outcome:
        """Compare the two descriptions of a sample."""
        prediction, reference = sample.prediction, sample.reference
        if type(prediction) is str and type(reference) is str:
            return self._outcome(prediction, reference)
        if not isinstance(reference, str):
            return self._comparer.not_applicable(_not_text("reference", reference))
        if isinstance(prediction, str):
            return self._outcome(str(prediction), str(reference))
        return worst_outcome(self._outcome("", reference), _not_text("prediction", prediction))

    def applicable(self, sample: Sample) -> list[str]:
        """The metrics that a missing prediction gets the worst value of: those that the reference speaks of."""
        reference = sample.reference
        values = self._outcome("", reference).values if isinstance(reference, str) else {}
        return [name for name, value in values.items() if value is not None]

    def baseline_predictions(self, references: Sequence[Any]) -> dict[str, list[str]]:
        """Three baselines: an empty text, the normal description, and the references shuffled among the samples."""
        made = {"empty": [""] * len(references)}
        if normal := self._comparer.lexicon.normal:
            made["constant"] = [normal] * len(references)
        made["shuffled"] = _shuffled(references)
        return made

    def key_names(self) -> dict[str, AtomLabels]:
        """Labels of atoms and axes in the languages of the reader, in the place of their codes."""
        labels = AtomLabels(self._comparer.lexicon)
        return {each.name: labels for each in (*COUNTS, *ATOM_RATES)}

    @cached_property
    def _comparer(self) -> DescriptionComparer:
        skip = self.empty_category == "skip"
        return comparer_of(self._lexicon, skip, self.partial_match, self.max_chars)

    @property
    def _lexicon(self) -> Lexicon:
        return find_lexicon(self.lexicon, lenient=self.lenient)

    def _outcome(self, prediction: str, reference: str) -> Outcome:
        return self._comparer.outcome(prediction, reference)


def _not_text(side: str, value: Any) -> Issue:
    return Issue("not_text", f"the {side} is not text but {type(value).__name__}")


def _shuffled(references: Sequence[Any]) -> list[str]:
    """The references in another order, always the same: one cycle (Sattolo, 1986), so no sample gets its own."""
    texts = [reference if isinstance(reference, str) else "" for reference in references]
    random = Random(0)  # noqa: S311 - the same order every time, and no secret
    for at in range(len(texts) - 1, 0, -1):
        other = random.randrange(at)
        texts[at], texts[other] = texts[other], texts[at]
    return texts
