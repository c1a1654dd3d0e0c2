"""Two texts to one Outcome, with what was seen before kept at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from jatdae.core.contract import Issue, Outcome
from jatdae.core.errors import DataError
from jatdae.terms.evidence import show_matches, show_terms, show_unread
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.memory import Memory
from jatdae.terms.model import Unread
from jatdae.terms.parser import parse_text
from jatdae.terms.scores import RUNGS, Scores, compare, ratios, weigh
from jatdae.terms.sides import Side, side_of
from jatdae.terms.similarity import ONE, Similarities

MAX_CHARS: Final = 10_000
MOST_TERMS: Final = 500
"""No description states more; an assignment of more would take long."""
MOST_TEXTS: Final = 8_192
MOST_PAIRS: Final = 16_384
"""How much is kept: descriptions repeat, and so do pairs of them."""

GROUPS: Final = (
    *("tongue", "coat", "location", "other"),
    *("LOCATION", "COLOR", "SHAPE", "COATCOLOR", "THICK", "NATURE", "SUBLINGUAL"),
)
"""Categories and prefixes that are metrics of their own; a lexicon that lacks one is empty there on both sides."""

RATES: Final = ("precision", "recall", "f1", *(f"{rung}_f1" for rung in RUNGS), "coverage")
METRICS: Final = ("score", *GROUPS, *RATES)

_LEFT_OUT: Final = Issue("empty_category", "neither side speaks of a category; it is left out", "info")
_UNREAD: Final = Issue("prediction_not_understood", "no term of the lexicon was found in the prediction", "warning")


class _TooLarge(Exception):
    """No description is as long as this text."""


class Description(NamedTuple):
    """A text as it is compared and shown; its terms themselves are not kept."""

    side: Side
    stated: int
    """How many terms it has."""
    shown: list[dict[str, Any]]
    unread: Sequence[Unread]
    understood: int
    letters: int
    bare: str


class Judge:
    """Compares descriptions by one lexicon under one set of rules."""

    def __init__(
        self, lexicon: Lexicon, *, skip_empty: bool = False, partial: bool = False, max_chars: int = MAX_CHARS
    ) -> None:
        self.lexicon = lexicon
        self.max_chars = max_chars
        self._skip_empty = skip_empty
        self._partial = partial
        self._others = [name for name in (*lexicon.weights, *lexicon.axes) if name not in GROUPS]
        self.read = Memory(self._read, MOST_TEXTS)
        self.outcome = Memory(self._outcome, MOST_PAIRS)

    @cached_property
    def alike(self) -> Similarities:
        """The similarity of atoms."""
        return Similarities(self.lexicon, partial=self._partial)

    def similarity(self, prediction: str, reference: str) -> float:
        """The score alone."""
        try:
            predicted, expected = self._take("prediction", prediction), self._take("reference", reference)
        except _TooLarge as error:
            raise DataError(f"{error}; a description is shorter") from None
        return self._weigh(self._compare(predicted, expected))

    def _outcome(self, prediction: str, reference: str) -> Outcome:
        try:
            expected = self._take("reference", reference)
        except _TooLarge as error:
            return not_applicable("too_large", str(error))
        if not expected.stated:
            return not_applicable("reference_not_understood", "no term of the lexicon was found in the reference")
        try:
            predicted = self._take("prediction", prediction)
        except _TooLarge as error:
            return worst(self.outcome("", reference), "too_large", str(error))
        if predicted.bare == expected.bare:
            predicted = expected
        scores = self._compare(predicted, expected)
        stats = _stats(scores, predicted, expected)
        values = {"score": self._weigh(scores), **self._groups(scores), **rates(stats)}
        issues = (_LEFT_OUT,) if None in values.values() else ()
        if predicted.letters and not predicted.stated:
            issues = (*issues, _UNREAD)
        return Outcome(values, stats, evidence=self._evidence(scores, predicted, expected), issues=issues)

    def _take(self, side: str, text: str) -> Description:
        if len(text) > self.max_chars:
            raise _TooLarge(f"the {side} has {len(text)} characters; max_chars is {self.max_chars}")
        read = self.read(text)
        if read.stated > MOST_TERMS:
            raise _TooLarge(f"the {side} states {read.stated} terms, more than {MOST_TERMS}")
        return read

    def _read(self, text: str) -> Description:
        parsed = parse_text(text, self.lexicon)
        terms, side = parsed.terms, side_of(parsed.terms, self.lexicon)
        return Description(side, len(terms), show_terms(terms), *parsed[1:])

    def _compare(self, predicted: Description, expected: Description) -> Scores:
        """Texts that differ in punctuation alone are the same description, read as the reference is written."""
        side = expected.side if predicted.bare == expected.bare else predicted.side
        return compare(side, expected.side, self.lexicon, self.alike)

    def _evidence(self, scores: Scores, predicted: Description, expected: Description) -> dict[str, Any]:
        """The bipartite view: terms of both sides, and [prediction term, reference term, similarity] by their numbers.

        Categories and prefixes stand here where they are not among the metrics.
        """
        shown: dict[str, Any] = {
            "prediction": predicted.shown,
            "reference": expected.shown,
            "matches": show_matches(scores.matches),
        }
        if predicted.unread or expected.unread:
            unread = {"prediction": show_unread(predicted.unread), "reference": show_unread(expected.unread)}
            shown["not_understood"] = unread
        if self._others:
            shown["groups"] = {name: scores.groups[name].similarity for name in self._others}
        return shown

    def _weigh(self, scores: Scores) -> float:
        return weigh(scores, self.lexicon.weights, skip_empty=self._skip_empty)

    def _groups(self, scores: Scores) -> dict[str, float | None]:
        empty = None if self._skip_empty else 1.0
        made: dict[str, float | None] = {}
        for name in GROUPS:
            group = scores.groups.get(name)
            made[name] = empty if group is None or group.similarity is None else group.similarity
        return made


@lru_cache(maxsize=8)
def judge_for(lexicon: Lexicon, skip_empty: bool = False, partial: bool = False, max_chars: int = MAX_CHARS) -> Judge:
    """The judge of these rules, with what it remembers."""
    return Judge(lexicon, skip_empty=skip_empty, partial=partial, max_chars=max_chars)


def rates(stats: Mapping[str, float]) -> dict[str, float | None]:
    """Precision, recall, the F1 scores and coverage, of one comparison or of the sums of many."""
    predicted, expected = stats["predicted"], stats["expected"]
    soft = ratios(stats["similarity"], predicted, expected)
    ladder = [ratios(stats[rung], predicted, expected)[2] for rung in RUNGS]
    coverage = stats["understood"] / stats["letters"] if stats["letters"] else 1.0
    return dict(zip(RATES, (*soft, *ladder, coverage), strict=True))


def worst(outcome: Outcome, code: str, message: str) -> Outcome:
    """0 for every metric, with the counts of an empty prediction."""
    return Outcome(dict.fromkeys(outcome.values, 0.0), outcome.stats, issues=(Issue(code, message, "error"),))


def not_applicable(code: str, message: str) -> Outcome:
    """No values: what is wrong is wrong with the reference."""
    nothing = dict.fromkeys(("predicted", "expected", "similarity", *RUNGS, "understood", "letters"), 0.0)
    return Outcome(dict.fromkeys(METRICS), nothing, issues=(Issue(code, message, "error"),))


def _stats(scores: Scores, predicted: Description, expected: Description) -> dict[str, float]:
    whole = scores.whole
    return {
        "predicted": float(whole.predicted),
        "expected": float(whole.expected),
        "similarity": whole.total / ONE,
        "exact": float(scores.hits[0]),
        "polarity": float(scores.hits[1]),
        "location": float(scores.hits[2]),
        "understood": float(predicted.understood + expected.understood),
        "letters": float(predicted.letters + expected.letters),
    }
