"""Compares two clinical descriptions, from texts to an outcome, with a cache of repeated texts."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from jatdae.core.contract import Issue, Outcome
from jatdae.core.errors import IssueError
from jatdae.core.messages import speaker
from jatdae.core.repeats import RepeatCache
from jatdae.terms.evidence import show_description, show_pair, show_text
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.metrics import RATES, SCORES, STATS, Scores, SlotComparer, rates
from jatdae.terms.parser import parse_text
from jatdae.terms.slots import slots_of
from jatdae.terms.term import Parsed

MAX_CHARS: Final = 10_000
"""The longest text that is compared, unless an evaluator is configured otherwise."""
MOST_TERMS: Final = 500
"""The most terms that are compared; no real description has more, and assigning them would take long."""
MOST_TEXTS: Final = 8_192
"""How many texts are cached: they repeat in clinical records. Pairs that repeat are cached by the run."""

_LEFT_OUT: Final = Issue("empty_category", "neither side speaks of a category or axis; it has no value")
_SOME_LEFT_OUT: Final = (_LEFT_OUT,)
_UNREAD: Final = Issue("prediction_not_understood", "no term of the lexicon was found in the prediction")
_REFERENCE_UNREAD: Final = Issue("reference_not_understood", "no term of the lexicon was found in the reference")


class TooLargeError(IssueError):
    """A text has more characters or terms than are compared."""

    say = staticmethod(speaker(__name__))


class DescriptionComparer:
    """Compares clinical descriptions by one lexicon, with one set of options."""

    def __init__(
        self, lexicon: Lexicon, *, skip_empty: bool = False, partial: bool = False, max_chars: int = MAX_CHARS
    ) -> None:
        self.lexicon = lexicon
        self.max_chars = max_chars
        self._skip_empty = skip_empty
        self._partial = partial
        self._groups = (*SCORES, *lexicon.weights, *lexicon.axes)
        self.metrics = (*self._groups, *RATES)
        """Names: the scores, each category and each axis of the lexicon, and RATES."""
        self._texts = RepeatCache[DescriptionRecord](MOST_TEXTS)
        self._slot_comparer: SlotComparer | None = None

    @property
    def slot_comparer(self) -> SlotComparer:
        """Compares the slots of two descriptions; made when first needed."""
        if self._slot_comparer is None:
            self._slot_comparer = SlotComparer(
                self.lexicon, skip_empty=self._skip_empty, partial_match=self._partial
            )  # fmt: skip
        return self._slot_comparer

    def similarity(self, prediction: str, reference: str) -> float:
        """The `score` of two texts, without an Outcome; a text too large to compare raises a DataError."""
        predicted, expected = self._take("prediction", prediction), self._take("reference", reference)
        return self.slot_comparer.score(self._compare(predicted, expected).categories)

    def not_applicable(self, issue: Issue, evidence: Any = None) -> Outcome:
        """An Outcome without values, for a reference that cannot be used."""
        return Outcome(dict.fromkeys(self.metrics), dict.fromkeys(STATS, 0.0), evidence=evidence, issues=(issue,))

    def outcome(self, prediction: str, reference: str) -> Outcome:
        """Compare two texts."""
        try:
            expected = self._take("reference", reference)
        except TooLargeError as error:
            return self.not_applicable(error.issue)
        if not expected.stated:
            return self.not_applicable(_REFERENCE_UNREAD, show_pair(show_text(prediction), expected.shown, ()))
        try:
            predicted = self._take("prediction", prediction)
        except TooLargeError as error:
            return worst_outcome(self.outcome("", reference), error.issue)
        if predicted.bare == expected.bare:
            predicted = expected
        scores = self._compare(predicted, expected)
        stats = _stats(scores, predicted, expected)
        weigh, categories = self.slot_comparer, scores.categories
        score = weigh.score(categories)
        spoken = weigh.score_spoken(categories) if None in categories else score
        groups = (score, spoken, *categories, *scores.axes)
        values: dict[str, float | None] = dict(zip(self._groups, groups, strict=True))
        values.update(rates(stats))
        issues: tuple[Issue, ...] = _SOME_LEFT_OUT if None in groups else ()
        if predicted.letters and not predicted.stated:
            issues = (*issues, _UNREAD)
        evidence = show_pair(predicted.shown, expected.shown, scores.findings)
        return Outcome(values, stats, scores.counts, evidence=evidence, issues=issues)

    def _take(self, side: str, text: str) -> DescriptionRecord:
        if len(text) > self.max_chars:
            raise TooLargeError("too_large", f"{side}_too_long", n=len(text), most=self.max_chars)
        read = self._texts.get(text)
        if read is None:
            read = DescriptionRecord(parse_text(text, self.lexicon), self.lexicon)
            self._texts.add(text, read)
        if read.stated > MOST_TERMS:
            raise TooLargeError("too_large", f"{side}_too_many_terms", n=read.stated, most=MOST_TERMS)
        return read

    def _compare(self, predicted: DescriptionRecord, expected: DescriptionRecord) -> Scores:
        """Compare slots. Texts that differ in punctuation alone are equal: both take the reference's slots."""
        slots = expected.slots if predicted.bare == expected.bare else predicted.slots
        return self.slot_comparer.compare(slots, expected.slots)


@lru_cache(maxsize=8)
def comparer_of(
    lexicon: Lexicon, skip_empty: bool = False, partial: bool = False, max_chars: int = MAX_CHARS
) -> DescriptionComparer:
    """Comparer of clinical descriptions with these options; equal options share one and its caches."""
    return DescriptionComparer(lexicon, skip_empty=skip_empty, partial=partial, max_chars=max_chars)


def worst_outcome(outcome: Outcome, issue: Issue) -> Outcome:
    """Worst outcome of comparing clinical descriptions, with the sums and counts of `outcome`.

    0 for every metric, except those that do not apply because the reference does not speak of them.
    """
    values = {name: None if value is None else 0.0 for name, value in outcome.values.items()}
    return Outcome(values, outcome.stats, outcome.counts, issues=(issue, *outcome.issues))


def _stats(scores: Scores, predicted: DescriptionRecord, expected: DescriptionRecord) -> dict[str, float]:
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


class DescriptionRecord:
    """What is kept of a parsed description: its slots, its evidence and its counts, not its terms."""

    def __init__(self, parsed: Parsed, lexicon: Lexicon) -> None:
        self.slots = slots_of(parsed.drafts, lexicon)
        self.stated = len(parsed.drafts)
        """Number of its terms."""
        self.shown = show_description(parsed)
        self.understood, self.letters, self.bare = parsed.understood, parsed.letters, parsed.bare
