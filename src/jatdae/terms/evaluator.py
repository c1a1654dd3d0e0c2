"""The door of the terms room: free text as atomic properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from jatdae.core.contract import Metric, Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import evaluator
from jatdae.terms.baselines import baselines
from jatdae.terms.commands import lint_command, parse_command
from jatdae.terms.format import lexicon_schema
from jatdae.terms.judge import MAX_CHARS, Judge, judge_for, worst
from jatdae.terms.lexicon import find_lexicon
from jatdae.terms.scores import MICRO, RATES

_TONGUE: Final = (
    *("tongue", "coat", "location", "other"),
    *("LOCATION", "COLOR", "SHAPE", "COATCOLOR", "THICK", "NATURE", "SUBLINGUAL"),
)
"""Categories and axes of the default lexicon, known before any lexicon is read."""


def _metrics(names: Iterable[str]) -> list[Metric]:
    return [Metric(name, "higher", worst=0.0, primary=name == "score", micro=MICRO.get(name)) for name in names]


@evaluator("terms", metrics=_metrics(("score", *_TONGUE, *RATES)), pure=True)
class TermsEvaluator:
    """Similarity of clinical descriptions, term by term."""

    lexicon: str | Path = "tongue"
    """A bundled lexicon (tongue, pulse), or the path to one (YAML, or token_config.json format)."""
    empty_category: Literal["match", "skip"] = "match"
    """How a category that neither side mentions counts: as agreement (match), or not at all (skip)."""
    partial_match: bool = False
    """Compare atoms without a listed similarity by the characters they share."""
    max_chars: int = MAX_CHARS
    """Maximum text length on each side, in characters. Longer texts get the issue too_large."""

    commands: ClassVar[Mapping[str, Callable[..., None]]] = {"parse": parse_command, "lint": lint_command}
    schemas: ClassVar[Mapping[str, Callable[[], dict[str, Any]]]] = {"lexicon": lexicon_schema}

    def __post_init__(self) -> None:
        """Refuse a lexicon or a limit that cannot be, before anything is scored."""
        if self.empty_category not in ("match", "skip"):
            raise UsageError(f"terms: empty_category is {self.empty_category!r}; it has to be match or skip")
        if self.max_chars < 1:
            raise UsageError(f"terms: max_chars is {self.max_chars}; it has to be at least 1")
        find_lexicon(self.lexicon)

    def own_metrics(self) -> list[Metric]:
        """Categories and axes are those of the lexicon."""
        return _metrics(self._judge.metrics)

    def signature_parts(self) -> dict[str, str]:
        """The lexicon enters by its version, or by its content where it is a file."""
        return {"lexicon": self._judge.lexicon.label}

    def score(self, sample: Sample) -> Outcome:
        """Compare the two descriptions of a sample."""
        prediction, reference = sample.prediction, sample.reference
        if type(prediction) is str and type(reference) is str:
            return self._outcome(prediction, reference)
        if not isinstance(reference, str):
            return self._judge.not_applicable("not_text", f"the reference is not text but {type(reference).__name__}")
        if isinstance(prediction, str):
            return self._outcome(str(prediction), str(reference))
        empty = self._outcome("", reference)
        return worst(empty, "not_text", f"the prediction is not text but {type(prediction).__name__}")

    def baseline_predictions(self, references: Sequence[Any]) -> dict[str, list[str]]:
        """An empty answer, the normal description, and shuffled references."""
        return baselines(references, self._judge.lexicon.normal)

    @cached_property
    def _judge(self) -> Judge:
        skip = self.empty_category == "skip"
        return judge_for(find_lexicon(self.lexicon), skip, self.partial_match, self.max_chars)

    @cached_property
    def _outcome(self) -> Callable[[str, str], Outcome]:
        return self._judge.outcome
