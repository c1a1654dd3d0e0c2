"""Two texts to one Outcome, with what was seen before kept at hand."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from jatdae.core.contract import Issue, Outcome
from jatdae.core.errors import DataError
from jatdae.terms.evidence import show_terms, show_unread
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.memory import Memory
from jatdae.terms.parser import parse_text
from jatdae.terms.scores import RATES, STATS, Scale, Scores, rates
from jatdae.terms.sides import Side, side_of

MAX_CHARS: Final = 10_000
MOST_TERMS: Final = 500
"""No description states more; an assignment of more would take long."""
MOST_TEXTS: Final = 8_192
MOST_PAIRS: Final = 16_384
"""How much is kept: descriptions repeat, and so do pairs of them."""

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
    unread: list[dict[str, Any]]
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
        self._groups = ("score", *lexicon.weights, *lexicon.axes)
        self.metrics = (*self._groups, *RATES)
        """The score, each category and each axis of the lexicon, and what every lexicon has."""
        self.read = Memory(self._read, MOST_TEXTS)
        self.outcome = Memory(self._outcome, MOST_PAIRS)

    @cached_property
    def scale(self) -> Scale:
        """What descriptions are compared by."""
        return Scale(self.lexicon, skip_empty=self._skip_empty, partial_match=self._partial)

    def similarity(self, prediction: str, reference: str) -> float:
        """The score alone."""
        try:
            predicted, expected = self._take("prediction", prediction), self._take("reference", reference)
        except _TooLarge as error:
            raise DataError(f"{error}; a description is shorter") from None
        return self.scale.weigh(self._compare(predicted, expected).categories)

    def not_applicable(self, code: str, message: str) -> Outcome:
        """No values: what is wrong is wrong with the reference."""
        return Outcome(dict.fromkeys(self.metrics), dict.fromkeys(STATS, 0.0), issues=(Issue(code, message, "error"),))

    def _outcome(self, prediction: str, reference: str) -> Outcome:
        try:
            expected = self._take("reference", reference)
        except _TooLarge as error:
            return self.not_applicable("too_large", str(error))
        if not expected.stated:
            return self.not_applicable("reference_not_understood", "no term of the lexicon was found in the reference")
        try:
            predicted = self._take("prediction", prediction)
        except _TooLarge as error:
            return worst(self.outcome("", reference), "too_large", str(error))
        if predicted.bare == expected.bare:
            predicted = expected
        scores = self._compare(predicted, expected)
        stats = _stats(scores, predicted, expected)
        groups = (self.scale.weigh(scores.categories), *scores.categories, *scores.axes)
        values = dict(zip(self._groups, groups, strict=True)) | rates(stats)
        issues = (_LEFT_OUT,) if None in groups else ()
        if predicted.letters and not predicted.stated:
            issues = (*issues, _UNREAD)
        return Outcome(values, stats, evidence=_evidence(scores, predicted, expected), issues=issues)

    def _take(self, side: str, text: str) -> Description:
        if len(text) > self.max_chars:
            raise _TooLarge(f"the {side} has {len(text)} characters; max_chars is {self.max_chars}")
        read = self.read(text)
        if read.stated > MOST_TERMS:
            raise _TooLarge(f"the {side} states {read.stated} terms, more than {MOST_TERMS}")
        return read

    def _read(self, text: str) -> Description:
        terms, unread, understood, letters, bare = parse_text(text, self.lexicon)
        side, shown = side_of(terms, self.lexicon), show_terms(terms)
        return Description(side, len(terms), shown, show_unread(unread), understood, letters, bare)

    def _compare(self, predicted: Description, expected: Description) -> Scores:
        """Texts that differ in punctuation alone are the same description, read as the reference is written."""
        side = expected.side if predicted.bare == expected.bare else predicted.side
        return self.scale.compare(side, expected.side)


@lru_cache(maxsize=8)
def judge_for(lexicon: Lexicon, skip_empty: bool = False, partial: bool = False, max_chars: int = MAX_CHARS) -> Judge:
    """The judge of these rules, with what it remembers."""
    return Judge(lexicon, skip_empty=skip_empty, partial=partial, max_chars=max_chars)


def worst(outcome: Outcome, code: str, message: str) -> Outcome:
    """0 for every metric, with the counts of an empty prediction."""
    return Outcome(dict.fromkeys(outcome.values, 0.0), outcome.stats, issues=(Issue(code, message, "error"),))


def _evidence(scores: Scores, predicted: Description, expected: Description) -> dict[str, Any]:
    """The bipartite view: terms of both sides, and (prediction term, reference term, similarity) by their numbers."""
    shown: dict[str, Any] = {
        "prediction": predicted.shown,
        "reference": expected.shown,
        "matches": scores.matches,
    }
    if predicted.unread or expected.unread:
        shown["not_understood"] = {"prediction": predicted.unread, "reference": expected.unread}
    return shown


def _stats(scores: Scores, predicted: Description, expected: Description) -> dict[str, float]:
    exact, polarity, location = scores.hits
    return {
        "predicted": float(scores.predicted),
        "expected": float(scores.expected),
        "similarity": scores.similarity,
        "exact": float(exact),
        "polarity": float(polarity),
        "location": float(location),
        "understood": float(predicted.understood + expected.understood),
        "letters": float(predicted.letters + expected.letters),
    }
