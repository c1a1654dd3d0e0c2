"""How alike two formulas are, on their canonical forms.

    formula_match       1 where the canonical forms are equal, else 0
    formula_similarity  1 − wrong symbols / symbols of the longer formula; and no more than the share of the reference
                        that is right, so that light symbols added in great number do not thin out what is wrong
    formula_score       formula_similarity / (1 + errors)
    formula_edit_rate   Levenshtein distance of the LaTeX as written / length of the longer one

Symbols are aligned by a shortest edit script, where a symbol in another place is another symbol. A wrong symbol weighs
1, with the exceptions below, and so does an error. Symbols lost or added in one stretch are one error, as heavy as the
heaviest of them. An error that comes again (the same stretch, or the same two symbols, places or marks) is half an
error; a font, sign of multiplication or separator that is lost throughout is one.

People judge a formula by how many errors they find rather than by the share of it that is right: the quotient by
1 + errors says so. The share keeps a formula of which little or nothing is right near 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from jatdae.formulas.alignment import Edit, pair_symbols
from jatdae.formulas.reader import Formula
from jatdae.formulas.slashes import MAX_SLASHES, SLASH, as_fractions
from jatdae.formulas.symbols import LIGHT, LOOKALIKES, OPPOSITES, VARIANTS
from jatdae.formulas.tokens import FRACTION, Canonical, Token, canonical_tree

VERSION: Final = 4
"""Of reading, canonical form, weights and pairing: in the signature. 2 reads MathML, and joins and splits displays; 3
reads characters as they are seen, formulas without signs and answers in fences, and no page as a formula; 4 reads what
prints alike alike (x² and x^2, ½, 90°, ...), and what stands beside a matrix without signs."""

OPPOSITE: Final = 1.5
"""A relation or sign turned round, as < for >."""
LOOKALIKE: Final = 0.25
VARIANT: Final = 0.1
"""Another shape of the same letter, as ϵ for ε."""
FONT: Final = 0.25
MARK: Final = 0.5
"""A hat, bar or dot lost, added or changed."""
LIGHT_SYMBOL: Final = 0.25
"""A sign of multiplication, or what parts cells and lines, lost or added."""
REPEATED: Final = 0.5
"""Share of its weight, as an error, for an error that comes again."""
ALL_ALONG: Final = 0.0
"""The same for a font, a sign of multiplication or a separator: lost throughout, it is one error."""
SLASHED: Final = 0.25
"""A fraction written with a slash on one side only."""
GROUPED: Final = 0.5
"""All symbols agree, and something stands in another part of the formula."""


class Likeness(NamedTuple):
    """What was measured on two formulas."""

    match: float
    similarity: float
    score: float
    prediction: Canonical
    reference: Canonical
    """The two as they were compared: with slashes as fractions where that makes them more alike."""
    edits: Sequence[Edit] = ()
    """What differs, by place in the tokens of both; equal symbols pair first."""
    slashes: int = 0
    """Fractions that one side alone writes with a slash."""


def compare(prediction: Canonical, reference: Canonical) -> Likeness:
    """Measure a formula against its reference. One that prints nothing agrees with nothing but another such."""
    if prediction.outline == reference.outline:
        return Likeness(1.0, 1.0, 1.0, prediction, reference)
    edits = edits_of(prediction.tokens, reference.tokens)
    if not prediction.tokens or not reference.tokens:
        return Likeness(0.0, 0.0, 0.0, prediction, reference, edits)
    found = _judged(prediction, reference, edits)
    if _differ_in_slashes(prediction.tokens, reference.tokens):
        found = max(found, _with_fractions(prediction, reference), key=lambda each: each.score)
    return found._replace(edits=pair_symbols(found.edits, found.prediction.tokens, found.reference.tokens))


def _judged(prediction: Canonical, reference: Canonical, edits: Sequence[Edit], slashes: int = 0) -> Likeness:
    misread, added, errors = weigh(edits, prediction.tokens, reference.tokens)
    more = SLASHED * slashes if edits or slashes else GROUPED
    longer = max(len(prediction.tokens), len(reference.tokens))
    share = max((misread + added + more) / longer, (misread + more) / len(reference.tokens))
    similarity = max(0.0, 1.0 - share)
    return Likeness(0.0, similarity, similarity / (1.0 + errors + more), prediction, reference, edits, slashes)


def edits_of(prediction: Sequence[Token], reference: Sequence[Token]) -> list[Edit]:
    """The stretches of a shortest edit script that are not equal."""
    return [
        (found.tag, found.src_start, found.src_end, found.dest_start, found.dest_end)
        for found in Levenshtein.opcodes(reference, prediction)
        if found.tag != "equal"
    ]


def weigh(edits: Sequence[Edit], prediction: Sequence[Token], reference: Sequence[Token]) -> tuple[float, float, float]:
    """Symbols of the reference that are wrong or lost, symbols that are added, and errors, all by weight."""
    misread: list[float] = []
    added: list[float] = []
    errors: list[float] = []
    seen: set[tuple[str, str]] = set()

    def add(error: tuple[str, str], weight: float, again: float) -> None:
        errors.append(weight * again if error in seen else weight)
        seen.add(error)

    for kind, start, end, predicted_start, predicted_end in edits:
        if kind == "replace":
            for a, b in zip(reference[start:end], prediction[predicted_start:predicted_end], strict=True):
                weight = _substitution(a, b)
                misread.append(weight)
                add(_confusion(a, b), weight, ALL_ALONG if weight == FONT and a.symbol == b.symbol else REPEATED)
        else:
            tokens = reference[start:end] if kind == "delete" else prediction[predicted_start:predicted_end]
            weights = [LIGHT_SYMBOL if token.symbol in LIGHT else 1.0 for token in tokens]
            (misread if kind == "delete" else added).extend(weights)
            heaviest = max(weights)
            stretch = kind, " ".join([token.symbol for token in tokens])
            add(stretch, heaviest, ALL_ALONG if heaviest == LIGHT_SYMBOL else REPEATED)
    return fsum(misread), fsum(added), fsum(errors)


def _confusion(a: Token, b: Token) -> tuple[str, str]:
    """What is taken for what: a symbol, a place, a font or marks."""
    return next((x, y) for x, y in zip(a[:1] + a[:0:-1], b[:1] + b[:0:-1], strict=True) if x != y)


def _substitution(a: Token, b: Token) -> float:
    if a.place != b.place:
        return 1.0
    if a.symbol == b.symbol:
        return FONT if a.marks == b.marks else MARK
    pair = a.symbol, b.symbol
    if pair in VARIANTS:
        return VARIANT
    if pair in LOOKALIKES:
        return LOOKALIKE
    return OPPOSITE if pair in OPPOSITES else 1.0


def _differ_in_slashes(prediction: Sequence[Token], reference: Sequence[Token]) -> bool:
    """Whether one side has more slashes and the other more fractions, and neither too many."""
    slashes, fractions = (
        [sum(token.symbol == symbol for token in side) for side in (prediction, reference)]
        for symbol in (SLASH, FRACTION)
    )
    return max(slashes) <= MAX_SLASHES and (slashes[0] - slashes[1]) * (fractions[0] - fractions[1]) < 0


def _with_fractions(prediction: Canonical, reference: Canonical) -> Likeness:
    """The two with all slashes read as fractions; those that one side alone has count."""
    given = prediction, reference
    sides = [canonical_tree(Formula(as_fractions(side.formula.row), side.formula.faults)) for side in given]
    made = [_count_fractions(now) - _count_fractions(before) for now, before in zip(sides, given, strict=True)]
    return _judged(sides[0], sides[1], edits_of(sides[0].tokens, sides[1].tokens), abs(made[0] - made[1]))


def _count_fractions(form: Canonical) -> int:
    return sum(token.symbol == FRACTION for token in form.tokens)
