"""The formulas evaluator: compares LaTeX formulas, alone or in a document, by their canonical forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum, inf
from typing import Final, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from jatdae.core.config import check_settings
from jatdae.core.contract import Count, Issue, Outcome, Sample, Unit
from jatdae.core.evaluator import evaluator
from jatdae.formulas.displays import regroup
from jatdae.formulas.errors import count_confusions, count_errors
from jatdae.formulas.evidence import show_pairs
from jatdae.formulas.extraction import Found, extract, read_formulas, without_signs
from jatdae.formulas.findings import say_findings
from jatdae.formulas.formula_issues import ISSUES, MAX_CHARS, MAX_FORMULA, gathered
from jatdae.formulas.metrics import METRICS, MISSED
from jatdae.formulas.pairs import Pairing, by_assignment, by_order
from jatdae.formulas.similarity import VERSION, Likeness, compare
from jatdae.formulas.tokens import Canonical, canonical_form

COUNTS: Final = (
    Count("formulas", coded=True),
    Count("formula_errors", error=True, coded=True),
    Count("formula_confusions", error=True),
)


class ReadFormula(NamedTuple):
    """A formula of a text, as it stands there and as it is compared."""

    found: Found
    form: Canonical


class FormulaPair(NamedTuple):
    """A reference formula with its predicted partner, and what was measured on the two."""

    reference: ReadFormula
    prediction: ReadFormula | None
    likeness: Likeness | None
    values: Mapping[str, float]


@evaluator("formulas", metrics=METRICS, issues=ISSUES, counts=COUNTS, pure=True, of_text=True)
class FormulaEvaluator:
    """Agreement of LaTeX formulas, alone or in Markdown: score, match, similarity, edit rate."""

    reading: Literal["auto", "formula", "markdown"] = "auto"
    """What a text is: one formula (formula), a document with formulas in it (markdown), or as the reference has it."""
    matching: Literal["hungarian", "order"] = "hungarian"
    """How predicted and reference formulas are paired: by the best assignment (hungarian), n-th with n-th (order)."""
    max_chars: int = MAX_CHARS
    """Maximum text length on each side, in characters."""

    findings = staticmethod(say_findings)

    def __post_init__(self) -> None:
        """Refuse impossible settings before anything is scored."""
        check_settings(self, max_chars=(1, inf))

    def score(self, sample: Sample) -> Outcome:
        """Measure the formulas of a sample."""
        try:
            single, wanted = self._wanted(sample.reference)
        except _Unreadable as error:
            return _not_applicable(Issue("bad_reference", f"the reference cannot be used: {error.issue.message}"))
        references, faults = _read(wanted)
        if not references:
            return _not_applicable(Issue("no_reference_formula", self._no_formula(sample.reference)))
        issues = [Issue("reference_faulty", f"{fault.code}: {fault.message}") for fault in faults]
        try:
            found = self._found(sample.prediction, single)
        except _Unreadable as error:
            found = []
            issues.append(error.issue)
        else:
            if not found:
                issues.append(Issue("no_formula", "no formula was found in the prediction"))
        within = list(_within_limit(found, issues))
        predictions, faults = _read(within if single else regroup(within, wanted))
        issues += faults
        pairing = by_order(len(predictions), 1) if single else self._pairing(predictions, references, issues)
        return _outcome(predictions, references, pairing, issues)

    def applicable(self, sample: Sample) -> frozenset[str]:
        """The metrics a missing prediction is given the worst of: none where the reference has no formula."""
        several = isinstance(sample.reference, Mapping) and list(sample.reference) == ["$any"]
        outcomes = [
            self.score(replace(sample, prediction="", reference=reference))
            for reference in (sample.reference["$any"] if several else [sample.reference])
        ]
        return frozenset(name for outcome in outcomes for name, value in outcome.values.items() if value is not None)

    def signature_parts(self) -> dict[str, str]:
        """The version of the canonical form and its weights."""
        return {"formula": f"canonical@{VERSION}"}

    def _wanted(self, reference: object) -> tuple[bool, list[Found]]:
        """Whether a reference is one formula, and its formulas."""
        texts = self._texts(reference, "reference")
        if isinstance(reference, str):
            single, formulas = self._of_text(reference)
        else:
            formulas = [Found(without_signs(text)) for text in texts if text.strip()]
            single = len(formulas) == 1
        if any(len(each.latex) > MAX_FORMULA for each in formulas):
            raise _Unreadable("too_large", f"a formula is longer than {MAX_FORMULA:,} characters")
        return single, formulas

    def _no_formula(self, reference: object) -> str:
        if self.reading == "auto" and isinstance(reference, str) and reference.strip():
            return "the reference reads as a page and has no formula; reading: formula takes the whole of it for one"
        return "the reference has no formula"

    def _of_text(self, text: str) -> tuple[bool, list[Found]]:
        if self.reading == "auto":
            return read_formulas(text)
        if self.reading == "markdown":
            return False, extract(text)
        bare = without_signs(text)
        return True, [Found(bare)] if bare else []

    def _found(self, prediction: object, single: bool) -> list[Found]:
        texts = self._texts(prediction, "prediction")
        if isinstance(prediction, str) and not single:
            return extract(prediction)
        bare = [without_signs(text) for text in texts]
        return [Found(latex) for latex in bare if latex]

    def _texts(self, value: object, side: str) -> Sequence[str]:
        texts = [value] if isinstance(value, str) else value
        if (
            not isinstance(texts, Sequence)
            or isinstance(texts, bytes)
            or not all(isinstance(text, str) for text in texts)
        ):
            raise _Unreadable(
                "not_text", f"the {side} is neither a text nor a list of texts but {type(value).__name__}"
            )
        if (length := sum(map(len, texts))) > self.max_chars:
            raise _Unreadable("too_large", f"the {side} has {length} characters; max_chars is {self.max_chars}")
        return texts

    def _pairing(
        self, predictions: Sequence[ReadFormula], references: Sequence[ReadFormula], issues: list[Issue]
    ) -> Pairing:
        if self.matching == "hungarian":
            pairing = by_assignment([each.form for each in predictions], [each.form for each in references])
            if pairing is not None:
                return pairing
            issues.append(Issue("too_large", "too many formulas to assign; the n-th was paired with the n-th"))
        return by_order(len(predictions), len(references))


class _Unreadable(Exception):
    """A prediction or reference that has no formulas to read; with the issue it becomes."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.issue = Issue(code, message)


def _read(formulas: Iterable[Found]) -> tuple[list[ReadFormula], list[Issue]]:
    """The formulas that print something, and what is wrong with any."""
    read = [ReadFormula(found, canonical_form(_encodable(found.latex))) for found in formulas]
    faults = [Issue(code, at) for each in read for code, at in each.form.formula.faults.items()]
    return [each for each in read if each.form.tokens], faults


def _encodable(text: str) -> str:
    """A text without lone surrogates, which JSON cannot hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _within_limit(formulas: Iterable[Found], issues: list[Issue]) -> Iterator[Found]:
    for found in formulas:
        if len(found.latex) > MAX_FORMULA:
            issues.append(Issue("too_large", f"a formula of {len(found.latex):,} characters is beyond {MAX_FORMULA:,}"))
        else:
            yield found


def _not_applicable(issue: Issue) -> Outcome:
    return Outcome(values=dict.fromkeys(metric.name for metric in METRICS), issues=(issue,))


def _outcome(
    predictions: Sequence[ReadFormula], references: Sequence[ReadFormula], pairing: Pairing, issues: list[Issue]
) -> Outcome:
    pairs = [
        _pair(None if number is None else predictions[number], reference)
        for reference, number in zip(references, pairing, strict=True)
    ]
    partners = {number for number in pairing if number is not None}
    extra = [each for number, each in enumerate(predictions) if number not in partners]
    missed = len(references) - len(partners)
    if missed and predictions:
        issues.append(Issue("formula_missed", f"{missed} of {len(references)} reference formulas have no match"))
    if extra:
        issues.append(Issue("formula_extra", f"{len(extra)} of {len(predictions)} predicted formulas have no match"))
    sums = {name: (fsum(pair.values[name] for pair in pairs), float(len(pairs))) for name in MISSED}
    sums["formula_f1"] = 2.0 * sums["formula_score"][0], float(len(references) + len(predictions))
    return Outcome(
        values={metric.name: sums[metric.name][0] / sums[metric.name][1] for metric in METRICS},
        stats={
            key: value
            for name, (total, number) in sums.items()
            for key, value in ((f"{name}_sum", total), (f"{name}_n", number))
        },
        counts=_counts(pairs, len(predictions), len(extra)),
        units=tuple(_units(pairs)),
        evidence=show_pairs(pairs, extra),
        issues=tuple(gathered(issues)),
    )


def _pair(prediction: ReadFormula | None, reference: ReadFormula) -> FormulaPair:
    if prediction is None:
        return FormulaPair(reference, None, None, MISSED)
    likeness = compare(prediction.form, reference.form)
    values = {
        "formula_score": likeness.score,
        "formula_match": likeness.match,
        "formula_similarity": likeness.similarity,
        "formula_edit_rate": Levenshtein.normalized_distance(prediction.found.latex, reference.found.latex),
    }
    return FormulaPair(reference, prediction, likeness, values)


def _counts(pairs: Sequence[FormulaPair], predicted: int, extra: int) -> dict[str, Mapping[str, int]]:
    matched = sum(pair.values["formula_match"] == 1.0 for pair in pairs)
    missed = sum(pair.prediction is None for pair in pairs)
    tables: dict[str, dict[str, int]] = {
        "formulas": {"reference": len(pairs), "predicted": predicted, "matched": matched},
        "formula_errors": {"missed": missed, "extra": extra},
    }
    differing = [pair.likeness for pair in pairs if pair.likeness and not pair.likeness.match]
    if differing:
        errors, confusions = Counter(tables["formula_errors"]), Counter[str]()
        for likeness in differing:
            errors.update(count_errors(likeness))
            confusions.update(count_confusions(likeness))
        tables |= {"formula_errors": errors, "formula_confusions": confusions}
    kept = {name: {key: count for key, count in table.items() if count} for name, table in tables.items()}
    return {name: table for name, table in kept.items() if table}


def _units(pairs: Sequence[FormulaPair]) -> Iterator[Unit]:
    for number, pair in enumerate(pairs, 1):
        kind = "display" if pair.reference.found.display else "inline"
        yield Unit(
            f"formula_{number}",
            "formula",
            {"kind": kind},
            pair.values,
            {"symbols": float(len(pair.reference.form.tokens))},
        )
