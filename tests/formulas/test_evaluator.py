"""The formulas evaluator: what a sample is, what it scores, what is counted and told."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from jatdae import FormulaEvaluator, Sample, evaluate
from jatdae.core.contract import Outcome
from jatdae.core.evaluator import micro_of
from jatdae.core.meanings import missing_meanings
from jatdae.core.signature import sign
from jatdae.formulas import evaluator as module
from jatdae.formulas.evidence import MAX_EXTRA, MAX_PAIRS
from jatdae.formulas.formula_issues import MAX_FORMULA
from jatdae.formulas.metrics import METRICS
from jatdae.formulas.similarity import VERSION

DOCUMENT = "Let $a=b$ and\n\n$$c^2+d=e$$\n\nthen $f$.\n"
WORST = {metric.name: metric.worst for metric in METRICS}


def scored(prediction: Any, reference: Any, **config: Any) -> Outcome:
    return FormulaEvaluator(**config).score(Sample("1", prediction, reference))


def codes(outcome: Outcome) -> list[str]:
    return [issue.code for issue in outcome.issues]


@pytest.mark.parametrize("prediction", ["$a=b$", "a=b", "$$a = b.$$", r"\[a=b\]", "The formula is $a=b$.", ["a=b"]])
@pytest.mark.parametrize("reference", ["$a=b$", "a=b", r"\begin{equation}a=b\end{equation}"])
def test_a_pair_is_one_formula_whatever_encloses_it(prediction: Any, reference: str) -> None:
    assert scored(prediction, reference).values["formula_score"] == 1.0


def test_a_document_is_scored_formula_by_formula() -> None:
    outcome = scored(DOCUMENT.replace("d=e", "d=g").replace("$f$", "f"), DOCUMENT)
    values = outcome.values
    assert values["formula_match"] == pytest.approx(1 / 3)
    assert values["formula_score"] == pytest.approx((1 + (5 / 6) / 2) / 3)
    assert values["formula_f1"] == pytest.approx(2 * (1 + (5 / 6) / 2) / 5)
    assert [(unit.id, unit.meta["kind"]) for unit in outcome.units] == [
        ("formula_1", "inline"), ("formula_2", "display"), ("formula_3", "inline"),
    ]  # fmt: skip
    assert outcome.counts == {
        "formulas": {"reference": 3, "predicted": 2, "matched": 1},
        "formula_errors": {"missed": 1, "symbols": 1},
        "formula_confusions": {"e→g": 1},
    }
    assert codes(outcome) == ["formula_missed"]


def test_what_nobody_asked_for_lowers_f1_alone() -> None:
    more = scored(DOCUMENT + "Also $q$ and $r$.\n", DOCUMENT)
    assert more.values["formula_score"] == 1.0
    assert more.values["formula_f1"] == pytest.approx(6 / 8)
    assert codes(more) == ["formula_extra"]


def test_a_list_of_formulas() -> None:
    assert scored("a=b", ["a=b"]).values["formula_score"] == 1.0
    outcome = scored(["$a$", "b+c"], ["b+c", "a"])
    assert outcome.values["formula_score"] == 1.0
    assert scored(["a", "b+c"], ["b+c", "a"], matching="order").values["formula_match"] == 0.0


@pytest.mark.parametrize(
    ("prediction", "code"),
    [
        ("", "no_formula"),
        ("no formula here", "no_formula"),
        (7, "not_text"),
        (["a", 7], "not_text"),
        (b"a", "not_text"),
        ("x" * 200, "too_large"),
    ],
)
def test_a_prediction_without_formulas_gets_the_worst(prediction: Any, code: str) -> None:
    outcome = scored(prediction, DOCUMENT, max_chars=100)
    assert outcome.values == WORST
    assert code in codes(outcome)
    assert outcome.counts["formulas"] == {"reference": 3}


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("", "no_reference_formula"),
        ("$$ $$", "no_reference_formula"),
        (r"\quad", "no_reference_formula"),
        ([], "no_reference_formula"),
        (7, "bad_reference"),
        ({"a": 1}, "bad_reference"),
        ("x" * 200, "bad_reference"),
        (None, "bad_reference"),
    ],
)
def test_a_reference_without_formulas_leaves_the_sample_out(reference: Any, code: str) -> None:
    outcome = scored("$x$", reference, max_chars=100)
    assert set(outcome.values.values()) == {None}
    assert codes(outcome) == [code]


def test_a_document_without_formulas_is_left_out_when_read_as_one() -> None:
    assert codes(scored("$x$", "only words", reading="markdown")) == ["no_reference_formula"]
    assert scored("only words", "only words", reading="formula").values["formula_score"] == 1.0


PAGES = {
    "sentences": "The train leaves at noon. It is late.\n\nNobody waits for it.",
    "one sentence": "x is the speed of the train",
    "a heading": "# Results\n",
    "a title": "Introduction",
    "a list": "- first item\n- second item",
    "numbers": "1. 서론\n2. 본론",
    "Korean": "본 연구는 환자 120명을 대상으로 하였다.",
    "Korean title": "서론",
    "a table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "HTML": "<p>Words</p>",
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_is_not_taken_for_a_formula(page: str) -> None:
    outcome = scored(page, page)
    assert set(outcome.values.values()) == {None}
    assert codes(outcome) == ["no_reference_formula"] and "reading: formula" in outcome.issues[0].message


@pytest.mark.parametrize(
    "formula",
    [
        "x", "E=mc^2", "a+b", "abc", "sin x", "if x", "1,000", "P(rain)=1", "accuracy = correct / total",
        "속도 = 거리 / 시간", r"\text{if it rains tomorrow or the day after that, then}", r"\mathrm{rate} = k [A]",
        "a = 1 \\\\\nb = 2", r"\begin{cases} 1 & x>0 \\ 0 & \text{otherwise} \end{cases}",
    ],
)  # fmt: skip
def test_a_formula_without_signs_is_one(formula: str) -> None:
    assert scored(f"$${formula}$$", formula).values["formula_match"] == 1.0


def test_letters_in_another_unicode_form_are_the_same() -> None:
    written = r"\text{속도}=v"
    decomposed = unicodedata.normalize("NFD", written)
    for prediction, reference in ((decomposed, written), (written, decomposed), (f"${decomposed}$", f"x ${written}$")):
        values = scored(prediction, reference).values
        assert (values["formula_match"], values["formula_edit_rate"]) == (1.0, 0.0)
    assert scored("a\u200b+\u2060b", "a+b").values["formula_match"] == 1.0


def test_reading_as_one_formula_takes_the_whole_text() -> None:
    assert scored("$a$ b", "ab", reading="formula").values["formula_match"] == 0.0
    assert scored("ab", "$a$ $b$", reading="formula").values["formula_match"] == 1.0


def test_a_formula_beyond_the_limit() -> None:
    long = "x+" * MAX_FORMULA
    assert scored(long, "x").values == WORST and codes(scored(long, "x")) == ["too_large"]
    assert codes(scored("x", long)) == ["bad_reference"]


def test_too_many_to_assign_are_paired_in_order_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "by_assignment", lambda *_: None)
    outcome = scored(DOCUMENT, DOCUMENT)
    assert outcome.values["formula_score"] == 1.0 and "too_large" in codes(outcome)


def test_faults_of_either_side_are_told_once_with_their_number() -> None:
    outcome = scored(r"See $\foo$ and $\bar{$ and $\baz x$", r"See $\qux$ and $y$")
    told = {issue.code: issue.message for issue in outcome.issues}
    assert told["unknown_latex"] == "\\foo (and 1 more)"
    assert "\\qux" in told["reference_faulty"]
    assert "unbalanced" in told


def test_kinds_of_errors_are_counted() -> None:
    outcome = scored(r"\mathbf{a}+\hat{b}+c2+x=q", r"a+b+c^2=r+d")
    errors = outcome.counts["formula_errors"]
    assert (errors["fonts"], errors["marks"], errors["places"]) == (1, 1, 1)
    assert scored("a/b+c", r"\frac{a}{b}+c").counts["formula_errors"] == {"slashes": 1}


def test_a_missing_prediction_gets_the_worst_only_where_there_are_formulas() -> None:
    evaluator = FormulaEvaluator(reading="markdown")
    assert evaluator.applicable(Sample("1", None, DOCUMENT)) == WORST.keys()
    assert evaluator.applicable(Sample("1", None, "words")) == frozenset()
    assert evaluator.applicable(Sample("1", None, {"$any": ["words", DOCUMENT]})) == WORST.keys()


def test_micro_averages_of_one_sample_are_its_values() -> None:
    outcome = scored(DOCUMENT.replace("a=b", "a=c") + "$q$", DOCUMENT)
    assert micro_of(FormulaEvaluator(), outcome.stats) == {n: pytest.approx(v) for n, v in outcome.values.items()}


def test_every_name_has_a_meaning_in_both_languages() -> None:
    assert missing_meanings(FormulaEvaluator) == []


def test_evidence_is_bounded_and_shows_what_differs_first() -> None:
    reference = "Text " + " ".join(f"$x_{{{n}}}+1$" for n in range(100))
    outcome = scored(
        reference.replace("$x_{99}+1$", "$y_{99}-z$") + " $" + "$ $".join("pqrstuvwxyz" * 2) + "$", reference
    )
    shown = outcome.evidence
    assert len(shown["formula_pairs"]) == MAX_PAIRS and len(shown["formula_extra"]) == MAX_EXTRA
    assert shown["formula_pairs"][0]["number"] == 100
    assert shown["formulas_left_out"] == 100 - MAX_PAIRS + 22 - MAX_EXTRA


def test_one_worker_or_several_give_the_same() -> None:
    rows = [{"id": str(n), "prediction": f"$x^{n % 3}$", "reference": f"$x^{n % 2}$"} for n in range(40)]
    one, two = (evaluate(rows, "formulas", jobs=jobs) for jobs in (1, 2))
    assert one.summary == two.summary


def test_runs_of_two_versions_are_not_comparable_and_both_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    old = sign(FormulaEvaluator(), refs="r", preds="p", kernel="native")
    monkeypatch.setattr(module, "VERSION", "next")
    new = sign(FormulaEvaluator(), refs="r", preds="p", kernel="native")
    assert old.differences(new) == [f"formula: canonical@{VERSION} ≠ canonical@next"]
