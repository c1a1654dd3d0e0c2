"""The text evaluator: character and word error rates, with and without the bibliography."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any, Final, Literal, NamedTuple

from jatdae.core.config import check_settings
from jatdae.core.contract import Count, Issue, IssueKind, Metric, Mix, Outcome, Sample
from jatdae.core.evaluator import evaluator, spec_of
from jatdae.kernels.edit import EditCounts, EditRun, TextsTooFar, edit_counts, edit_runs
from jatdae.text.bibliography import VERSION as BIBLIOGRAPHY_VERSION
from jatdae.text.bibliography import Bibliography, cut, find_bibliographies, text_of
from jatdae.text.error_rates import (
    METRICS,
    TextErrors,
    bag_errors,
    compare_words,
    counts_of,
    length,
    micro_average_of,
    rate,
    stats_of,
)
from jatdae.text.evidence import (
    BIBLIOGRAPHY,
    BODY,
    MOST_CONFUSIONS,
    PageRegion,
    RegionErrors,
    bounded,
    commonest,
    count_by_region,
    count_confusions,
    find_one_sided,
    find_regions,
    in_units,
    printable,
    project_regions,
    region_of,
    show_bibliographies,
    show_passages,
    show_runs,
    show_scope,
)
from jatdae.text.findings import say_findings
from jatdae.text.graphemes import VERSION as GRAPHEME_VERSION
from jatdae.text.graphemes import graphemes
from jatdae.text.normaliser import Normaliser, find_normaliser
from jatdae.text.passages import LEAST, Passage, count_passages, find_passages

RENAMED: Final = {
    "references": "bibliography",
    "delta_refs": "delta_bibliography",
    "bag_of_words_error": "order_free_error",
    "body_bag_of_words_error": "body_order_free_error",
}
"""Former names of settings and metrics."""

UNEQUAL_SHARE: Final = 0.8
UNEQUAL_LEAST: Final = 50
"""Bibliographies are of unequal length if one has less than this share of the other's characters, and so many fewer."""

_LONG: Final = 500
"""Characters from which a prepared text is kept for a moment: whole documents are asked for it twice."""
BibliographyRule = Literal["block", "heading", "none"]
CharacterUnit = Literal["char", "grapheme"]
Spaces = Literal["count", "ignore"]

_FULL_NAMES: Final = METRICS
_BODY_NAMES: Final = tuple(f"body_{name}" for name in METRICS)
_NO_BIBLIOGRAPHY: Final = Issue("no_bibliography", "no bibliography was found")


class PreparedText(NamedTuple):
    """A predicted or reference text in canonical characters, its bibliographies, and the text as it is compared."""

    text: str
    bibliographies: Sequence[Bibliography]
    normalised: str
    removed: Mapping[str, int]

    def body(self, normaliser: Normaliser) -> str:
        """The text without its bibliographies, normalised."""
        return normaliser(cut(self.text, self.bibliographies)) if self.bibliographies else self.normalised

    def bibliography(self, normaliser: Normaliser) -> str:
        """The bibliographies alone, normalised."""
        return normaliser(text_of(self.text, self.bibliographies))


Sides = tuple[PreparedText, PreparedText]
"""Prediction and reference."""
Regions = tuple[Sequence[PageRegion], Sequence[PageRegion]]
"""The parts of the page that are not body, of prediction and reference."""


_WHERE: Final = tuple(f"where.{sort}" for sort in RegionErrors._fields)
_OF_BIBLIOGRAPHY: Final = dict.fromkeys((f"{table}:{BIBLIOGRAPHY}" for table in _WHERE), 1.0)
_OF_BODY: Final = {**dict.fromkeys(_WHERE, 1.0), **dict.fromkeys(_OF_BIBLIOGRAPHY, 0.0)}
"""Errors that a metric counts. Confusions are counted over the whole text, so they explain no metric of a part."""


def _causes(name: str) -> dict[str, float]:
    if "bibliography" in name:
        return _OF_BIBLIOGRAPHY
    return _OF_BODY if name.startswith("body_") else {"confusions": 1.0, **dict.fromkeys(_WHERE, 1.0)}


def _rate(
    name: str, *, most: float = inf, primary: bool = False, family: bool = False, absent: tuple[str, ...] = ()
) -> Metric:
    """An error rate. Insertions count, so only a normalised rate has an upper bound."""
    micro = micro_average_of(name)
    return Metric(
        name, "lower", 1.0, "%", primary, absent, micro, range=(0.0, most), family=family, causes=_causes(name)
    )


@evaluator(
    "text",
    of_text=True,
    metrics=[
        _rate("body_cer", primary=True, family=True),
        _rate("cer", family=True),
        Metric(
            "delta_bibliography",
            "lower",
            worst=0.0,
            unit="pp",
            micro=Mix({"cer": 1.0, "body_cer": -1.0}),
            range=(-inf, inf),
            causes=_OF_BIBLIOGRAPHY,
        ),
        _rate("bibliography_cer", absent=("no_bibliography", "bibliography_one_sided")),
        _rate("cer_normalised", most=1.0),
        _rate("wer", family=True),
        _rate("order_free_error"),
        _rate("body_cer_normalised", most=1.0),
        _rate("body_wer"),
        _rate("body_order_free_error"),
    ],
    issues=[
        IssueKind("empty_reference"),
        IssueKind("not_text", "error"),
        IssueKind("too_large", "error"),
        IssueKind("one_sided_step"),
        IssueKind("bare_math_one_sided"),
        IssueKind("bibliography_one_sided"),
        IssueKind("bibliography_unequal"),
        IssueKind("no_bibliography", "info"),
    ],
    counts=[
        Count("confusions", error=True),
        *(Count(f"where.{sort}", error=True, coded=True) for sort in RegionErrors._fields),
        Count("passages", error=True, coded=True),
        Count("passages.lost", error=True, coded=True),
        Count("scope.prediction", coded=True),
        Count("scope.reference", coded=True),
    ],
    pure=True,
    renamed=RENAMED,
)
class TextEvaluator:
    """Character and word error rate, with and without the bibliography, after the same clean-up on both sides."""

    normaliser: str = "fair"
    """Clean-up of both sides: a preset (fair, fair@2, seed, raw), or names joined by +, such as ligatures+fair."""
    bibliography: BibliographyRule = "block"
    """How to find the bibliography, which the body_ metrics leave out: block, heading (literal rule), none."""
    unit: CharacterUnit = "char"
    """What counts as one character: a code point (char), or what a reader sees as one (grapheme)."""
    spaces: Spaces = "count"
    """Whether spaces count as characters: count, ignore (for Korean, Chinese and Japanese). Words keep them."""
    max_chars: int = 5_000_000
    """Maximum text length on each side, in characters. Longer texts are not aligned (issue too_large)."""

    findings = staticmethod(say_findings)

    def __post_init__(self) -> None:
        """Refuse impossible settings before anything is scored."""
        check_settings(self, max_chars=(1, inf))
        find_normaliser(self.normaliser)

    def signature_parts(self) -> dict[str, str]:
        """Component versions in the signature."""
        rule = f"block@{BIBLIOGRAPHY_VERSION}" if self.bibliography == "block" else self.bibliography
        unit = f"grapheme@{GRAPHEME_VERSION}" if self.unit == "grapheme" else self.unit
        return {"normaliser": self._steps.signature, "bibliography": rule, "unit": unit}

    def score(self, sample: Sample) -> Outcome:
        """Compare the two texts of a sample, whole and without their bibliographies."""
        prediction, reference = sample.prediction, sample.reference
        if refused := self._refused(prediction, reference):
            return refused
        expected = self._side(reference)
        predicted = expected if prediction == reference else self._side(prediction)
        listed = bool(predicted.bibliographies or expected.bibliographies)
        if listed and predicted.normalised == expected.normalised:
            # One text has one bibliography, however the two sides mark it.
            found = expected if expected.bibliographies else predicted
            predicted = found._replace(removed=predicted.removed)
            expected = found._replace(removed=expected.removed)
        sides = predicted, expected
        try:
            runs, units = self._align(predicted.normalised, expected.normalised)
            full = TextErrors(counts_of(runs), *compare_words(predicted.normalised, expected.normalised))
            body, cited = full, None
            if listed:
                body = self._compare(predicted.body(self._steps), expected.body(self._steps))
                cited = self._compare_characters(*(side.bibliography(self._steps) for side in sides))
        except TextsTooFar as error:
            return self._without_order(self._as_empty(reference, error.code, error.issue.message), sides)
        values = _values(full, body, cited)
        regions = self._regions(units, sides) if full.characters.distance else ((), ())
        where = _where(full.characters, runs, regions)
        passages = find_passages(runs, *units) if full.characters.distance >= LEAST else []
        misread = count_confusions(runs, *units)
        return Outcome(
            values=values,
            stats=stats_of(full, body, cited),
            counts={
                **_counts(misread, where, sides),
                **_count_passages(passages, full.characters.distance, regions),
            },
            evidence={
                **show_runs(runs, *units, passages),
                "confusions": commonest(misread, MOST_CONFUSIONS),
                "where": {kind: found._asdict() for kind, found in where.items()},
                **({"passages": show_passages(passages, units, regions)} if passages else {}),
                "bibliography": {
                    "prediction": show_bibliographies(predicted.bibliographies),
                    "reference": show_bibliographies(expected.bibliographies),
                },
                "scope": show_scope(predicted.removed, expected.removed),
            },
            issues=_issues(values, sides, cited),
        )

    def applicable(self, sample: Sample) -> set[str]:
        """The metrics a missing prediction is given the worst of: `bibliography_cer` only where there is one."""
        reference = sample.reference
        several = isinstance(reference, Mapping) and list(reference) == ["$any"]
        texts = reference["$any"] if several else [reference]
        names = {metric.name for metric in spec_of(self).metrics}
        listed = any(isinstance(text, str) and self._side(text).bibliographies for text in texts)
        return names if listed else names - {"bibliography_cer"}

    @cached_property
    def _steps(self) -> Normaliser:
        return find_normaliser(self.normaliser)

    def normalised(self, text: str) -> str:
        """A text as it is compared; long ones of the last sample are still at hand."""
        return self._side(text).normalised

    def _side(self, text: str) -> PreparedText:
        if len(text) < _LONG:
            return self._prepare(text)
        if (known := self._last_sides.get(text)) is not None:
            return known
        while len(self._last_sides) > 1:
            del self._last_sides[next(iter(self._last_sides))]
        side = self._last_sides[text] = self._prepare(text)
        return side

    @cached_property
    def _last_sides(self) -> dict[str, PreparedText]:
        """The two long texts prepared last, the older first."""
        return {}

    def _prepare(self, text: str) -> PreparedText:
        normalised, removed = self._steps.with_scope(text)
        if "\n" in text:
            text = self._steps.canonical(text)
        return PreparedText(text, find_bibliographies(text, self.bibliography), normalised, removed)

    def _align(self, prediction: str, reference: str) -> tuple[list[EditRun], tuple[Any, Any]]:
        """The alignment of two normalised texts, and the two as what it was made of, fit to be shown."""
        prediction, reference = self._counted(prediction), self._counted(reference)
        if self.unit == "grapheme":
            units: tuple[Any, Any] = (list(graphemes(prediction)), list(graphemes(reference)))
            return edit_runs(*units), ([*map(printable, units[0])], [*map(printable, units[1])])
        runs = edit_runs(prediction, reference)
        return runs, (printable(prediction), printable(reference))

    def _compare(self, prediction: str, reference: str) -> TextErrors:
        return TextErrors(self._compare_characters(prediction, reference), *compare_words(prediction, reference))

    def _compare_characters(self, prediction: str, reference: str) -> EditCounts:
        prediction, reference = self._counted(prediction), self._counted(reference)
        if self.unit == "grapheme":
            return edit_counts(list(graphemes(prediction)), list(graphemes(reference)))
        return edit_counts(prediction, reference)

    def _counted(self, text: str) -> str:
        """What counts as characters of a normalised text."""
        return text if self.spaces == "count" else "".join(text.split())

    def _regions(self, units: tuple[Any, Any], sides: Sides) -> Regions:
        """The parts of the page of prediction and reference, as places in what was aligned."""
        found = [find_regions(side.text, side.bibliographies) for side in sides]
        if not any(found):
            return (), ()
        placed = [
            project_regions(side.text, regions, self._counted(side.normalised), self._normalise)
            for side, regions in zip(sides, found, strict=True)
        ]
        if self.unit == "grapheme":
            placed = [in_units(regions, parts) for regions, parts in zip(placed, units, strict=True)]
        return placed[0], placed[1]

    def _normalise(self, text: str) -> str:
        return self._counted(self._steps(text))

    def _refused(self, prediction: object, reference: object) -> Outcome | None:
        """A reference that cannot be used leaves the sample out; such a prediction takes the worst values."""
        if not isinstance(reference, str):
            return _not_applicable("not_text", f"the reference is not text but {type(reference).__name__}")
        if len(reference) > self.max_chars:
            unaligned = _not_applicable("too_large", self._too_long("reference", reference))
            return self._bags_only(unaligned, prediction, reference) if isinstance(prediction, str) else unaligned
        if not isinstance(prediction, str):
            return self._as_empty(reference, "not_text", f"the prediction is not text but {type(prediction).__name__}")
        if len(prediction) > self.max_chars:
            unaligned = self._as_empty(reference, "too_large", self._too_long("prediction", prediction))
            return self._bags_only(unaligned, prediction, reference)
        return None

    def _bags_only(self, unaligned: Outcome, prediction: str, reference: str) -> Outcome:
        return self._without_order(unaligned, (self._side(prediction), self._side(reference)))

    def _without_order(self, unaligned: Outcome, sides: Sides) -> Outcome:
        """What needs no alignment of two texts that are not aligned: their words as bags, in linear time."""
        values, stats = dict(unaligned.values), dict(unaligned.stats)
        bodies = [side.body(self._steps) for side in sides]
        for prefix, texts in (("", [side.normalised for side in sides]), ("body_", bodies)):
            predicted, expected = (text.split() for text in texts)
            errors = bag_errors(predicted, expected)
            values[f"{prefix}order_free_error"] = rate(errors, len(expected))
            if stats:  # Without them the sample is in no micro average: its words would be counted for the WER too.
                stats[f"{prefix}order_free.errors"] = errors
        return replace(unaligned, values=values, stats=stats)

    def _too_long(self, side: str, text: str) -> str:
        return f"the {side} has {len(text)} characters; max_chars is {self.max_chars}"

    def _as_empty(self, reference: str, code: str, message: str) -> Outcome:
        """The worst value of each metric, with the counts of an empty prediction."""
        empty = self.score(Sample("", "", reference))
        applicable = self.applicable(Sample("", "", reference))
        worst = {metric.name: metric.worst if metric.name in applicable else None for metric in spec_of(self).metrics}
        why = tuple(issue for issue in empty.issues if issue.code == "no_bibliography")
        return replace(empty, values=worst, issues=(Issue(code, message), *why))


def _not_applicable(code: str, message: str) -> Outcome:
    values = dict.fromkeys((*_FULL_NAMES, *_BODY_NAMES, "delta_bibliography", "bibliography_cer"))
    return Outcome(values, issues=(Issue(code, message),))


def _values(full: TextErrors, body: TextErrors, cited: EditCounts | None) -> dict[str, float | None]:
    rates = full.values()
    body_rates = rates if body is full else body.values()
    values = dict(zip((*_FULL_NAMES, *_BODY_NAMES), rates + body_rates, strict=True))
    cer, body_cer = values["cer"], values["body_cer"]
    values["delta_bibliography"] = None if cer is None or body_cer is None else cer - body_cer
    values["bibliography_cer"] = None if cited is None else rate(cited.distance, length(cited))
    return values


def _counts(
    misread: Mapping[str, int], where: Mapping[str, RegionErrors], sides: Sides
) -> dict[str, Mapping[str, int]]:
    counts: dict[str, Mapping[str, int]] = {
        "confusions": bounded(misread),
        "scope.prediction": sides[0].removed,
        "scope.reference": sides[1].removed,
    }
    for at, sort in enumerate(RegionErrors._fields):
        counts[f"where.{sort}"] = {kind: found[at] for kind, found in where.items() if found[at]}
    return {name: table for name, table in counts.items() if table}


def _where(counts: EditCounts, runs: Sequence[EditRun], regions: Regions) -> dict[str, RegionErrors]:
    if not counts.distance:
        return {}
    if not any(regions):
        return {BODY: RegionErrors(counts.substitutions, counts.deletions, counts.insertions)}
    return count_by_region(runs, regions[1], regions[0])


def _count_passages(passages: Sequence[Passage], distance: int, regions: Regions) -> dict[str, Mapping[str, int]]:
    """Characters in passages and outside, and those of lost passages by the part of the page they are in."""
    if not passages:
        return {"passages": {"scattered": distance}} if distance else {}
    lost: Counter[str] = Counter()
    for each in passages:
        if each.kind == "lost":
            lost[region_of(each.run, *regions)] += each.characters
    counts: dict[str, Mapping[str, int]] = {"passages": count_passages(passages, distance), "passages.lost": lost}
    return {name: table for name, table in counts.items() if table}


def _issues(values: Mapping[str, float | None], sides: Sides, cited: EditCounts | None) -> tuple[Issue, ...]:
    predicted, expected = sides
    issues = []
    if values["cer"] is None:
        issues.append(Issue("empty_reference", "the reference is empty after normalisation, the prediction is not"))
    elif values["body_cer"] is None:
        issues.append(Issue("empty_reference", "the reference is only a bibliography; body_ metrics do not apply"))
    if cited is not None:
        issues += _about_bibliographies(cited, sides)
    if ("bare_math" in predicted.removed) != ("bare_math" in expected.removed):
        side, removed = ("reference", expected) if "bare_math" in expected.removed else ("prediction", predicted)
        size = removed.removed["bare_math"]
        message = f"formulas without math delimiters in the {side} only ({size} characters)"
        issues.append(Issue("bare_math_one_sided", message))
    lengths = len(predicted.text), len(expected.text)
    unfair = find_one_sided(predicted.removed, expected.removed, lengths)
    issues += [Issue("one_sided_step", message) for message in unfair]
    return (*issues, _NO_BIBLIOGRAPHY) if cited is None else tuple(issues)


def _about_bibliographies(cited: EditCounts, sides: Sides) -> Iterator[Issue]:
    """Found on one side only, or of unequal length after normalisation."""
    predicted, expected = sides
    if bool(predicted.bibliographies) != bool(expected.bibliographies):
        side, found = ("prediction", predicted) if predicted.bibliographies else ("reference", expected)
        size = sum(block.characters for block in found.bibliographies)
        yield Issue("bibliography_one_sided", f"bibliography found in the {side} only ({size} characters)")
        return
    sizes = cited.hits + cited.substitutions + cited.insertions, length(cited)
    if min(sizes) < UNEQUAL_SHARE * max(sizes) and max(sizes) - min(sizes) >= UNEQUAL_LEAST:
        message = f"bibliography of {sizes[0]} characters in the prediction, of {sizes[1]} in the reference"
        yield Issue("bibliography_unequal", message)
