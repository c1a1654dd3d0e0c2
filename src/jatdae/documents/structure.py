"""Structure F1: how much of a reference document's structure a prediction has.

    precision = matched / predicted      recall = matched / reference      F1 = 2 · matched / (predicted + reference)

over headings, list items, table rows and code blocks. A predicted element matches a reference element of its own kind
where 1 − Levenshtein / longer length is at least 0.8; each matches at most one, as many pairs as can be are made, and
among those choices the most similar is taken. Where neither side has any, there is nothing to measure: N/A.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from jatdae.core.contract import Issue, Outcome, Ratio
from jatdae.documents.headings import MICRO as LEVELS
from jatdae.documents.headings import Heading, compare_headings
from jatdae.documents.outline import KINDS, Outline, headings_of, outline_of, rows_of
from jatdae.tables.extraction import read, read_text
from jatdae.tables.table_issues import TableError

VERSION: Final = 2
SIMILAR: Final = 0.8
MAX_REFERENCE: Final = 2_000
"""Elements of one kind in a reference."""
MAX_PREDICTED: Final = 20_000
"""The same in a prediction."""
MAX_PAIRS: Final = 8_000_000
"""Pairs of elements of one kind: each is a similarity, and a slot of the assignment."""
MAX_CHARS: Final = 300_000
"""Characters of all elements of one kind in a reference."""
MAX_CHAR_PAIRS: Final = 200_000_000_000
"""The same, times those of the prediction."""
MOST_SHOWN: Final = 20
LONGEST_SHOWN: Final = 120

_NEARLY: Final = 1e-9  # 1 − 1/5 and 0.8 are not the same float everywhere
_COUNTS: Final = ("matched", "predicted", "reference")


@dataclass(frozen=True, slots=True)
class StructureMeasure:
    """Measures Structure F1 of a document on its body, as Body CER, since references may lack the bibliography."""

    body: Callable[[str], str]
    """Leaves the bibliography out."""
    clean: Callable[[str], str]
    """Makes the texts of elements comparable."""
    max_chars: int
    structured: bool | Literal["auto"]
    """Whether the system writes structure; `auto` asks the document itself."""

    def score(self, prediction: Any, text: Any, tables: Any) -> Outcome:
        """A prediction against the reference text, and the reference tables where they are given apart."""
        try:
            expected, _ = self._read(text)
            if tables is not None:
                expected.outline["table_row"] = rows_of(read(tables).tables)
        except TableError as error:
            return _not_applicable("bad_reference", f"the reference cannot be read: {error.issue.message}")
        if self.structured is False:
            return _without_structure()
        try:
            predicted, structured = self._read(prediction)
        except TableError as error:
            return self._nothing_of(expected, error.issue)
        return self._compare(predicted, expected) if structured or self.structured is True else _without_structure()

    def _compare(self, predicted: _Skeleton, expected: _Skeleton, *issues: Issue) -> Outcome:
        try:
            found = compare(predicted.outline, expected.outline, self.clean)
        except TooLarge as error:
            if error.side == "reference":
                return _not_applicable("too_large", str(error))
            return self._nothing_of(expected, Issue("too_large", str(error)))
        values, stats = values_of(found.counts), stats_of(found)
        issues = (*issues, *_not_there(found.counts))
        levels = compare_headings(predicted.headings, expected.headings, self.clean)
        if levels is None:
            issues = (*issues, Issue("no_reference_heading", "the reference has no heading"))
            return Outcome(values | {"heading_levels": None}, stats, evidence=found.evidence(), issues=issues)
        distance, number = levels
        values["heading_levels"] = 1.0 - distance / number
        stats |= {"headings.distance": distance, "headings.number": float(number)}
        return Outcome(values, stats, evidence=found.evidence(), issues=issues)

    def _nothing_of(self, expected: _Skeleton, issue: Issue) -> Outcome:
        """The outcome of a prediction that cannot be read: it has no element, so that no system gains by it."""
        return self._compare(_Skeleton({kind: [] for kind in KINDS}, []), expected, issue)

    def _read(self, text: Any) -> tuple[_Skeleton, bool]:
        if not isinstance(text, str):
            raise TableError("parse_error", "not_text", kind=type(text).__name__)
        body = self.body(text) if len(text) <= self.max_chars else text
        reading = read_text(body, max_chars=self.max_chars)
        return _Skeleton(outline_of(body, reading.tables), headings_of(body)), reading.shows_structure


class _Skeleton(NamedTuple):
    """What is compared of a document: its outline, and its headings with their levels."""

    outline: Outline
    headings: list[Heading]


class TooLarge(ValueError):
    """Error for a document with more elements than can be matched in bounded time; `side` has too many."""

    def __init__(self, side: str, cause: str) -> None:
        super().__init__(cause)
        self.side = side


class Counts(NamedTuple):
    """Numbers of predicted, reference and matched elements of a document's structure."""

    matched: int = 0
    predicted: int = 0
    reference: int = 0

    @property
    def precision(self) -> float | None:
        """The share of predicted elements that are right."""
        return self.matched / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """The share of reference elements that were found."""
        return self.matched / self.reference if self.reference else None

    @property
    def f1(self) -> float | None:
        """Their harmonic mean."""
        total = self.predicted + self.reference
        return 2 * self.matched / total if total else None

    def as_json(self) -> dict[str, float | None]:
        """Every number, as evidence and files have it."""
        return {"f1": self.f1, "precision": self.precision, "recall": self.recall, **self._asdict()}


@dataclass(frozen=True, slots=True)
class Structure:
    """Result of comparing the structures of two documents: counts by kind, and elements without a partner."""

    counts: Mapping[str, Counts]
    unmatched: Mapping[str, tuple[list[str], list[str]]]
    """Per kind: missed in the prediction, and too much in it."""

    def evidence(self) -> dict[str, Any]:
        """Per kind that occurs: its counts, and the first elements without a partner."""
        return {
            kind: {
                **counts.as_json(),
                "missed": _shown(self.unmatched[kind][0]),
                "extra": _shown(self.unmatched[kind][1]),
            }
            for kind, counts in self.counts.items()
            if counts.predicted or counts.reference
        }


def compare(prediction: Outline, reference: Outline, clean: Callable[[str], str]) -> Structure:
    """Match the structure elements of a predicted and a reference document, kind by kind.

    `clean` makes the texts of elements comparable. Code is compared but for its white space.
    """
    counts, unmatched = {}, {}
    for kind in KINDS:
        _check_number(kind, len(prediction[kind]), len(reference[kind]))
        tidy = _collapsed if kind == "code_block" else clean
        sides = [[_collapsed(tidy(text)) for text in side[kind]] for side in (prediction, reference)]
        predicted, expected = sides
        _check_length(kind, sum(map(len, predicted)), sum(map(len, expected)))
        pairs = match(predicted, expected)
        counts[kind] = Counts(len(pairs), len(predicted), len(expected))
        used, met = ({pair[side] for pair in pairs} for side in (0, 1))
        unmatched[kind] = (
            [text for at, text in enumerate(expected) if at not in met],
            [text for at, text in enumerate(predicted) if at not in used],
        )
    return Structure(counts, unmatched)


def match(predictions: Sequence[str], references: Sequence[str]) -> list[tuple[int, int]]:
    """Pair the structure elements of two documents one to one: as many pairs, then as similar, as can be."""
    if not predictions or not references:
        return []
    if predictions == references:
        return [(at, at) for at in range(len(references))]
    import numpy as np
    from rapidfuzz.process import cdist
    from scipy.optimize import linear_sum_assignment  # 0.3 s to import, needed here only

    similar = cdist(
        predictions, references, scorer=Levenshtein.normalized_similarity, score_cutoff=SIMILAR - 0.01, dtype=np.float64
    )
    # A pair is worth 1 and a little: the similarities of all pairs together are worth less than one pair more.
    worth = np.where(similar >= SIMILAR - _NEARLY, 1.0 + similar / (min(similar.shape) + 1), 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [(int(a), int(b)) for a, b in zip(rows, columns, strict=True) if worth[a, b]]


def stats_of(structure: Structure) -> dict[str, float]:
    """Additive statistics of a document's structure, for micro averages: `structure.heading.matched` and so on."""
    return {
        f"structure.{kind}.{name}": float(number)
        for kind, counts in structure.counts.items()
        for name, number in counts._asdict().items()
        if counts.predicted or counts.reference
    }


def counts_from(stats: Mapping[str, float]) -> dict[str, Counts]:
    """Read the counts of a document's structure (headings, list items, …) from statistics, single or summed."""
    return {kind: Counts(*(int(stats.get(f"structure.{kind}.{name}", 0)) for name in _COUNTS)) for kind in KINDS}


def total(counts: Mapping[str, Counts]) -> Counts:
    """Add up the counts of all kinds of structure elements of a document."""
    return Counts(*(sum(numbers) for numbers in zip(*counts.values(), strict=True)))


def micro_averages() -> dict[str, Ratio]:
    """Micro averages of the metrics of document structure, declared as ratios of summed statistics."""

    def counted(name: str, *kinds: str) -> dict[str, float]:
        return {f"structure.{kind}.{name}": 1.0 for kind in kinds}

    def f1(*kinds: str) -> Ratio:
        matched = dict.fromkeys(counted("matched", *kinds), 2.0)
        return Ratio(matched, counted("predicted", *kinds) | counted("reference", *kinds))

    return {
        "structure_f1": f1(*KINDS),
        "structure_precision": Ratio(counted("matched", *KINDS), counted("predicted", *KINDS)),
        "structure_recall": Ratio(counted("matched", *KINDS), counted("reference", *KINDS)),
        **{f"{kind}_f1": f1(kind) for kind in KINDS},
        "heading_levels": LEVELS,
    }


def values_of(counts: Mapping[str, Counts]) -> dict[str, float | None]:
    """Structure metrics of one document from its counts: F1, precision and recall, and F1 of each kind."""
    whole = total(counts)
    return {
        "structure_f1": whole.f1,
        "structure_precision": whole.precision,
        "structure_recall": whole.recall,
        **{f"{kind}_f1": counts[kind].f1 for kind in KINDS},
    }


def _check_number(kind: str, predicted: int, expected: int) -> None:
    if expected > MAX_REFERENCE:
        raise TooLarge("reference", f"the reference has {expected:,} elements of kind {kind}: too many to match")
    if predicted > MAX_PREDICTED or predicted * expected > MAX_PAIRS:
        raise TooLarge("prediction", f"the prediction has {predicted:,} elements of kind {kind}: too many to match")


def _check_length(kind: str, predicted: int, expected: int) -> None:
    if expected > MAX_CHARS:
        raise TooLarge("reference", f"the reference has {expected:,} characters of kind {kind}: too many to match")
    if predicted * expected > MAX_CHAR_PAIRS:
        raise TooLarge("prediction", f"the prediction has {predicted:,} characters of kind {kind}: too many to match")


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def _shown(texts: Sequence[str]) -> list[str]:
    shown = [text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…" for text in texts[:MOST_SHOWN]]
    return shown + ([f"… {len(texts) - MOST_SHOWN} more"] if len(texts) > MOST_SHOWN else [])


def _not_there(counts: Mapping[str, Counts]) -> Iterator[Issue]:
    """Kinds of elements that neither side has; of headings and tables it is told that the reference has none."""
    if total(counts).f1 is None:
        yield Issue("no_reference_structure", "neither side has any structure")
    for kind in ("list_item", "code_block"):
        if counts[kind].f1 is None:
            yield Issue(f"no_{kind}", f"neither side has an element of kind {kind}")


def _without_structure() -> Outcome:
    return _not_applicable("no_structure", "the system writes no structure")


def _not_applicable(code: str, message: str) -> Outcome:
    return Outcome(dict.fromkeys(micro_averages()), issues=(Issue(code, message),))
