"""Error rates of a predicted text against its reference, from the counts of their alignments.

    cer                = (S + D + I) / N                  N: characters of the reference
    cer_normalised     = (S + D + I) / (S + D + I + hits)
    wer                = (S + D + I) / N                  over words, split at white space
    order_free_error   = max(missing, extra) / N          over words, order forgotten

S, D, I and hits belong to one optimal alignment. `missing` and `extra` are the words the multisets of the two sides do
not share; a missing and an extra word together are one error, as a substitution is. That is the bWER of Vidal et al.,
"End-to-End Page-Level Assessment of Handwritten Text Recognition" (2023), and never more than the WER.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from jatdae.core.contract import Ratio
from jatdae.kernels.edit import EditCounts, EditRun, edit_counts

METRICS: Final = ("cer", "cer_normalised", "wer", "order_free_error")
_COUNTS: Final = ("hits", "substitutions", "deletions", "insertions", "length")
_BAG: Final = "order_free.errors"
_STATS: Final = tuple(
    prefix + name
    for prefix in ("", "body_")
    for name in (*(f"{rate}.{count}" for rate in ("cer", "wer") for count in _COUNTS), _BAG)
)


def micro_average_of(metric: str) -> Ratio:
    """Micro average of an error rate of texts, such as `cer` or `body_cer`, as a ratio of summed statistics."""
    prefix = next((each for each in ("body_", "bibliography_") if metric.startswith(each)), "")
    name = metric.removeprefix(prefix)
    if name == "order_free_error":
        return Ratio(prefix + _BAG, f"{prefix}wer.length", otherwise=0.0)
    counts = f"{prefix}{'wer' if name == 'wer' else 'cer'}"
    errors = {f"{counts}.{kind}": 1.0 for kind in ("substitutions", "deletions", "insertions")}
    below = {**errors, f"{counts}.hits": 1.0} if name == "cer_normalised" else f"{counts}.length"
    otherwise = None if prefix == "bibliography_" else 0.0
    return Ratio(errors, below, otherwise=otherwise, needs=f"{counts}.length")


class TextErrors(NamedTuple):
    """Errors of a predicted text, counted over characters, words, and words without order."""

    characters: EditCounts
    words: EditCounts
    bag: int

    def values(self) -> tuple[float | None, ...]:
        """The metrics in the order of `METRICS`; None throughout for text where the reference has none."""
        characters, words = self.characters, self.words
        return (
            rate(characters.distance, length(characters)),
            normalised_rate(characters),
            rate(words.distance, length(words)),
            rate(self.bag, length(words)),
        )


def compare_words(prediction: str, reference: str) -> tuple[EditCounts, int]:
    """Count the word errors of a predicted text: in order, and as bags of words."""
    if prediction == reference:
        words = len(reference.split())
        return EditCounts(words, 0, 0, 0), 0
    predicted, expected = prediction.split(), reference.split()
    return edit_counts(predicted, expected), bag_errors(predicted, expected)


def bag_errors(prediction: Sequence[str], reference: Sequence[str]) -> int:
    """Count the word errors of two texts as bags of words: max(missing, extra)."""
    left = Counter(reference)
    shared = 0
    for word in prediction:
        if count := left.get(word, 0):
            left[word] = count - 1
            shared += 1
    return max(len(prediction), len(reference)) - shared


def counts_of(runs: Iterable[EditRun]) -> EditCounts:
    """Counts for the error rate of a text: hits, substitutions, deletions and insertions of aligned runs."""
    hits = substitutions = deletions = insertions = 0
    for kind, start, end, predicted_start, predicted_end in runs:
        if kind == "equal":
            hits += end - start
        elif kind == "replace":
            substitutions += end - start
        elif kind == "delete":
            deletions += end - start
        else:
            insertions += predicted_end - predicted_start
    return EditCounts(hits, substitutions, deletions, insertions)


def length(counts: EditCounts) -> int:
    """Length N of the reference text, by which an error rate divides, from the counts of an alignment."""
    return counts.hits + counts.substitutions + counts.deletions


def rate(errors: float, length: float) -> float | None:
    """Error rate of a text, errors / N.

    Without a reference: 0 if there is nothing wrong, else not applicable.
    """
    if length:
        return errors / length
    return None if errors else 0.0


def normalised_rate(counts: EditCounts) -> float | None:
    """Normalised error rate of a text: errors / (errors + hits), the share of aligned positions."""
    if not length(counts):
        return rate(counts.distance, 0)
    return counts.distance / (counts.distance + counts.hits)


def stats_of(full: TextErrors, body: TextErrors, bibliography: EditCounts | None = None) -> dict[str, float]:
    """Additive statistics for the error rates of a text: `cer.hits`, `body_wer.length` and so on.

    Those of the bibliography are left out where there is none on either side.
    """
    numbers = _numbers(full)
    stats: dict[str, float] = dict(zip(_STATS, numbers + (numbers if body is full else _numbers(body)), strict=True))
    if bibliography is not None:
        stats |= zip((f"bibliography_cer.{count}" for count in _COUNTS), _edits(bibliography), strict=True)
    return stats


def _edits(counts: EditCounts) -> tuple[int, ...]:
    return counts.hits, counts.substitutions, counts.deletions, counts.insertions, length(counts)


def _numbers(made: TextErrors) -> tuple[int, ...]:
    characters, words = made.characters, made.words
    return (
        characters.hits,
        characters.substitutions,
        characters.deletions,
        characters.insertions,
        length(characters),
        words.hits,
        words.substitutions,
        words.deletions,
        words.insertions,
        length(words),
        made.bag,
    )
