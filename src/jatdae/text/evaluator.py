"""The door of the text room: character error rate, scoped fairly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple, get_args

from jatdae.core.contract import Issue, Metric, Mix, Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import evaluator, spec_of
from jatdae.kernels.edit import EditCounts, edit_counts, edit_runs
from jatdae.kernels.edit import EditRun as Run
from jatdae.text import references as blocks
from jatdae.text.evidence import (
    MOST_CONFUSIONS,
    bounded,
    commonest,
    confusions,
    one_sided,
    printable,
    show_references,
    show_runs,
    show_scope,
)
from jatdae.text.graphemes import graphemes
from jatdae.text.normaliser import Normaliser, find_normaliser
from jatdae.text.references import Block, find_references
from jatdae.text.regions import BODY, Where, find_regions, in_units, project, tally
from jatdae.text.scoring import METRICS, Comparison, compare_words, counts_of, micro, stats_of

How = Literal["block", "heading", "none"]
Unit = Literal["char", "grapheme"]

_FULL_NAMES: Final = METRICS
_BODY_NAMES: Final = tuple(f"body_{name}" for name in METRICS)


class Side(NamedTuple):
    """One side of a comparison: the text as it came, its references block, and the text as it is compared."""

    text: str
    block: Block | None
    normalised: str
    removed: Mapping[str, int]

    def body(self, normaliser: Normaliser) -> str:
        """The text without its references, normalised."""
        return self.normalised if self.block is None else normaliser(self.block.cut(self.text))


Sides = tuple[Side, Side]
"""Prediction and reference."""


def _rate(name: str, *, primary: bool = False) -> Metric:
    return Metric(name, "lower", worst=1.0, unit="%", primary=primary, micro=micro(name))


@evaluator(
    "text",
    metrics=[
        _rate("body_cer", primary=True),
        _rate("cer"),
        Metric("delta_refs", "lower", worst=0.0, unit="pp", micro=Mix({"cer": 1.0, "body_cer": -1.0})),
        _rate("cer_normalised"),
        _rate("wer"),
        _rate("bag_of_words_error"),
        _rate("body_cer_normalised"),
        _rate("body_wer"),
        _rate("body_bag_of_words_error"),
    ],
    pure=True,
)
class TextEvaluator:
    """Character error rate, scoped fairly: with and without references, after the same steps on both sides."""

    normaliser: str = "fair"
    """Named steps applied to both sides: a preset (fair, seed, raw), or names joined by + such as nfc+fair."""
    references: How = "block"
    """How references are found and cut for the body_ metrics: block, heading (the literal rule), none."""
    unit: Unit = "char"
    """What a character is: a code point (char) or what a reader sees as one (grapheme)."""
    max_chars: int = 5_000_000
    """The longest text taken on either side; longer ones are not aligned and raise the issue too_large."""

    def __post_init__(self) -> None:
        """Refuse what cannot be before anything is scored."""
        find_normaliser(self.normaliser)
        for name, value, known in (("references", self.references, How), ("unit", self.unit, Unit)):
            if value not in get_args(known):
                raise UsageError(f"text: {name} is {value!r}; it has to be one of {', '.join(get_args(known))}")
        if self.max_chars < 1:
            raise UsageError(f"text: max_chars is {self.max_chars}; it has to be at least 1")

    def signature_parts(self) -> dict[str, str]:
        """Component versions in the signature."""
        found = f"block@{blocks.VERSION}" if self.references == "block" else self.references
        return {"normaliser": self._steps.signature, "references": found}

    def score(self, sample: Sample) -> Outcome:
        """Compare the two texts of a sample, whole and without their references."""
        prediction, reference = sample.prediction, sample.reference
        if refused := self._refused(prediction, reference):
            return refused
        expected = self._side(reference)
        predicted = expected if prediction == reference else self._side(prediction)
        sides = predicted, expected
        runs, units = self._align(predicted.normalised, expected.normalised)
        full = Comparison(counts_of(runs), *compare_words(predicted.normalised, expected.normalised))
        body = full
        if predicted.block or expected.block:
            body = self._compare(predicted.body(self._steps), expected.body(self._steps))
        values = _values(full, body)
        where = self._where(full.characters, runs, units, sides)
        misread = confusions(runs, *units)
        return Outcome(
            values=values,
            stats=stats_of(full, body),
            counts=_counts(misread, where, sides),
            evidence={
                **show_runs(runs, *units),
                "confusions": commonest(misread, MOST_CONFUSIONS),
                "where": {kind: found._asdict() for kind, found in where.items()},
                "references": {
                    "prediction": show_references(predicted.block),
                    "reference": show_references(expected.block),
                },
                "scope": show_scope(predicted.removed, expected.removed),
            },
            issues=_issues(values, sides),
        )

    @cached_property
    def _steps(self) -> Normaliser:
        return find_normaliser(self.normaliser)

    def _side(self, text: str) -> Side:
        normalised, removed = self._steps.with_scope(text)
        return Side(text, find_references(text, self.references), normalised, removed)

    def _align(self, prediction: str, reference: str) -> tuple[list[Run], tuple[Any, Any]]:
        """The alignment of two texts, and the two as what it was made of, fit to be shown."""
        if self.unit == "grapheme":
            units: tuple[Any, Any] = (list(graphemes(prediction)), list(graphemes(reference)))
            return edit_runs(*units), ([*map(printable, units[0])], [*map(printable, units[1])])
        runs = edit_runs(prediction, reference)
        return runs, (printable(prediction), printable(reference))

    def _compare(self, prediction: str, reference: str) -> Comparison:
        words = compare_words(prediction, reference)
        if self.unit == "grapheme":
            return Comparison(edit_counts(list(graphemes(prediction)), list(graphemes(reference))), *words)
        return Comparison(edit_counts(prediction, reference), *words)

    def _where(self, counts: EditCounts, runs: list[Run], units: tuple[Any, Any], sides: Sides) -> dict[str, Where]:
        if not counts.distance:
            return {}
        found = [find_regions(side.text, side.block) for side in sides]
        if not any(found):
            return {BODY: Where(counts.substitutions, counts.deletions, counts.insertions)}
        placed = [
            project(side.text, regions, side.normalised, self._steps)
            for side, regions in zip(sides, found, strict=True)
        ]
        if self.unit == "grapheme":
            placed = [in_units(regions, parts) for regions, parts in zip(placed, units, strict=True)]
        return tally(runs, placed[1], placed[0])

    def _refused(self, prediction: object, reference: object) -> Outcome | None:
        """A reference that cannot be used leaves the sample out; such a prediction takes the worst values."""
        if not isinstance(reference, str):
            return _not_applicable("not_text", f"the reference is not text but {type(reference).__name__}")
        if len(reference) > self.max_chars:
            return _not_applicable("too_large", self._too_long("reference", reference))
        if not isinstance(prediction, str):
            return self._as_empty(reference, "not_text", f"the prediction is not text but {type(prediction).__name__}")
        if len(prediction) > self.max_chars:
            return self._as_empty(reference, "too_large", self._too_long("prediction", prediction))
        return None

    def _too_long(self, side: str, text: str) -> str:
        return f"the {side} has {len(text)} characters; max_chars is {self.max_chars}"

    def _as_empty(self, reference: str, code: str, message: str) -> Outcome:
        """The worst value of each metric, with the counts of an empty prediction."""
        empty = self.score(Sample("", "", reference))
        worst = {metric.name: metric.worst for metric in spec_of(self).metrics}
        return replace(empty, values=worst, issues=(Issue(code, message, "error"),))


def _not_applicable(code: str, message: str) -> Outcome:
    values = dict.fromkeys((*_FULL_NAMES, *_BODY_NAMES, "delta_refs"))
    return Outcome(values, issues=(Issue(code, message, "error"),))


def _values(full: Comparison, body: Comparison) -> dict[str, float | None]:
    rates = full.values()
    body_rates = rates if body is full else body.values()
    values = dict(zip((*_FULL_NAMES, *_BODY_NAMES), rates + body_rates, strict=True))
    cer, body_cer = values["cer"], values["body_cer"]
    values["delta_refs"] = None if cer is None or body_cer is None else cer - body_cer
    return values


def _counts(misread: Counter[str], where: Mapping[str, Where], sides: Sides) -> dict[str, Mapping[str, int]]:
    counts: dict[str, Mapping[str, int]] = {
        "confusions": bounded(misread),
        "scope.prediction": sides[0].removed,
        "scope.reference": sides[1].removed,
    }
    for sort in Where._fields:
        counts[f"where.{sort}"] = {kind: count for kind, found in where.items() if (count := getattr(found, sort))}
    return {name: table for name, table in counts.items() if table}


def _issues(values: Mapping[str, float | None], sides: Sides) -> tuple[Issue, ...]:
    predicted, expected = sides
    issues = []
    if values["cer"] is None:
        issues.append(Issue("empty_reference", "the reference is empty after normalisation, the prediction is not"))
    elif values["body_cer"] is None:
        issues.append(Issue("empty_reference", "the reference has nothing but references; body_ metrics do not apply"))
    if (predicted.block is None) != (expected.block is None):
        side = "prediction" if expected.block is None else "reference"
        found = predicted.block or expected.block
        size = found.characters if found else 0
        issues.append(Issue("references_one_sided", f"references found in the {side} only ({size} characters)"))
    lengths = len(predicted.text), len(expected.text)
    unfair = one_sided(predicted.removed, expected.removed, lengths)
    return (*issues, *(Issue("one_sided_step", message) for message in unfair))
