"""Pairs the formulas of a document with those of its reference."""

from __future__ import annotations

import sys
from collections import defaultdict, deque
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from jatdae.formulas.formula_issues import MAX_FORMULA_PAIRS, MAX_TOKEN_PAIRS
from jatdae.formulas.tokens import Canonical, Token

Pairing = list[int | None]
"""For each reference formula the number of its predicted one, None for a missed one."""


def by_order(predictions: int, references: int) -> Pairing:
    """Pair the n-th reference formula with the n-th predicted one."""
    return [number if number < predictions else None for number in range(references)]


def by_assignment(predictions: Sequence[Canonical], references: Sequence[Canonical]) -> Pairing | None:
    """Pair equal formulas in order, and the rest one to one so that their total similarity is largest.

    Formulas that share no symbol are not paired. None where it would take too long.
    """
    pairing = equal_ones(predictions, references)
    taken = set(pairing)
    open_references = [at for at, number in enumerate(pairing) if number is None]
    open_predictions = [at for at in range(len(predictions)) if at not in taken]
    if not open_references or not open_predictions:
        return pairing
    sizes = [
        sum(len(side[at].tokens) for at in numbers)
        for side, numbers in ((predictions, open_predictions), (references, open_references))
    ]
    if sizes[0] * sizes[1] > MAX_TOKEN_PAIRS or len(open_references) * len(open_predictions) > MAX_FORMULA_PAIRS:
        return None
    codes = _Codes()
    written = [codes.text(predictions[at].tokens) for at in open_predictions]
    expected = [codes.text(references[at].tokens) for at in open_references]
    for row, column in _assigned(expected, written):
        pairing[open_references[row]] = open_predictions[column]
    return pairing


def equal_ones(predictions: Sequence[Canonical], references: Sequence[Canonical]) -> Pairing:
    """Pair formulas that are the same, in order."""
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for at, form in enumerate(predictions):
        waiting[form.outline].append(at)
    return [waiting[form.outline].popleft() if waiting[form.outline] else None for form in references]


def _assigned(expected: Sequence[str], written: Sequence[str]) -> list[tuple[int, int]]:
    if len(expected) == len(written) == 1:
        return [(0, 0)] if Levenshtein.normalized_similarity(expected[0], written[0]) > 0 else []
    from rapidfuzz.process import cdist  # with numpy and scipy, 0.3 s to import: needed for several formulas only
    from scipy.optimize import linear_sum_assignment

    scores = cdist(expected, written, scorer=Levenshtein.normalized_similarity)
    rows, columns = linear_sum_assignment(scores, maximize=True)
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True) if scores[row, column] > 0]


class _Codes:
    """Writes each distinct token as one character, so that lists of tokens are compared as texts."""

    def __init__(self) -> None:
        self.codes: dict[Token, str] = {}

    def text(self, tokens: Sequence[Token]) -> str:
        return "".join(
            [self.codes.setdefault(token, chr(min(len(self.codes) + 1, sys.maxunicode))) for token in tokens]
        )
