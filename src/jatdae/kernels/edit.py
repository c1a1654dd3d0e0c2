"""Edit distance of two sequences with its alignment, equal to jiwer's.

    distance = S + D + I = min over alignments of prediction and reference

A deletion is in the reference only, an insertion in the prediction only, as a recogniser's errors are counted. Of the
many optimal alignments the one rapidfuzz's `Levenshtein.opcodes(reference, prediction)` gives is taken, because jiwer
counts on it: S, D, I and hits are then the numbers people compare. Time grows with length times distance, memory with
length alone.

    edit_counts("kitten", "sitting")                 # EditCounts(hits=4, substitutions=2, deletions=1, insertions=0)
    edit_counts(["a", "cat"], ["the", "cat"])        # words, graphemes: any hashable items
    edit_runs("abd", "abcd")                         # equal ab, delete c, equal d
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from jatdae.core.errors import IssueError
from jatdae.core.messages import say
from jatdae.kernels import edit_twin, native

_loop = native("edit") or edit_twin

Text = str | Sequence[Hashable]
MAX_STEPS: Final = 250_000_000_000
"""Length of the shorter text times the distance, for one pair, both beside what the two begin and end with: any two
texts of 500,000 characters, or 5,000,000 characters with 50,000 errors. That takes some seconds."""
Kind = Literal["equal", "replace", "delete", "insert"]


class TextsTooFar(IssueError):
    """Error for two texts whose alignment would take more steps than the stated limit."""

    say = staticmethod(say)


@dataclass(frozen=True, slots=True)
class EditCounts:
    """Hits, substitutions, deletions and insertions of one optimal alignment.

    hits + S + D is the reference's length, hits + S + I the prediction's.
    """

    hits: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def distance(self) -> int:
        """S + D + I."""
        return self.substitutions + self.deletions + self.insertions


class EditRun(NamedTuple):
    """A longest stretch of one kind in an alignment; stretches follow each other without gap on both sides."""

    kind: Kind
    reference_start: int
    reference_end: int
    prediction_start: int
    prediction_end: int


def edit_counts(prediction: Text, reference: Text) -> EditCounts:
    """Edit distance, native or in Python: count hits, substitutions, deletions and insertions.

    Strings are compared by code points, other sequences by items.
    """
    return EditCounts(*_within_limits(_loop.counts, prediction, reference))


def edit_runs(prediction: Text, reference: Text) -> list[EditRun]:
    """Alignment by edit distance, native or in Python, as runs in order; `edit_counts` counts the same."""
    return list(map(EditRun._make, _within_limits(_loop.runs, prediction, reference)))


def _within_limits(align: Any, prediction: Text, reference: Text) -> Any:
    if len(prediction) * len(reference) <= MAX_STEPS:  # the distance is never more than the longer length
        return align(prediction, reference)
    found = align(prediction, reference, MAX_STEPS)
    if found is None:
        sizes = {"first": f"{len(prediction):,}", "second": f"{len(reference):,}"}
        raise TextsTooFar("too_large", "texts_too_far", **sizes, steps=f"{MAX_STEPS:,}")
    return found
