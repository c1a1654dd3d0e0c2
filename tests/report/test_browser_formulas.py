"""Formulas side by side in a real browser: drawn in MathML, what differs is marked, nothing is fetched or executed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.documents.evaluator import DocumentEvaluator
from jatdae.formulas.evaluator import FormulaEvaluator
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate

from .conftest import HOSTILE, Opened

Show = Callable[..., Any]


@pytest.fixture
def show(opened: Callable[..., Opened]) -> Show:
    """`show(prediction, reference)`: the evidence of two formulas or documents, as the reader sees it."""

    def of(prediction: str, reference: str, **options: Any) -> Any:
        result = evaluate([Sample("1", prediction, reference)], FormulaEvaluator(**options))
        shown = opened(to_html(result), at="#sample=1")
        assert shown.serious() == []
        assert shown.complaints == []
        return shown.page.locator("#detail .evidence")

    return of


def differing(evidence: Any, side: int) -> list[str]:
    found = evidence.locator(".formula").nth(side).locator(".differs")
    return [text.strip() for text in found.evaluate_all("nodes => nodes.map((node) => node.textContent)")]


def test_both_formulas_are_drawn_and_what_differs_is_marked(show: Show) -> None:
    evidence = show(r"$x_{j}^{2}=\frac{a}{c}$", r"$x_{i}^{2}=\frac{a}{b}$")
    assert evidence.locator("math").count() == 2
    assert evidence.locator("math msubsup").count() == evidence.locator("math mfrac").count() == 2
    assert (differing(evidence, 0), differing(evidence, 1)) == (["i", "b"], ["j", "c"])
    assert evidence.locator("math").first.bounding_box()["height"] > 20


def test_what_differs_is_said_in_words(show: Show) -> None:
    said = show(r"$\mu^{\circ}(aX) = a\mu^{\circ}(X)$", r"$\mu^{*}(aX) = a\mu^{*}(X) + 1$").locator(".formula-errors")
    assert said.inner_text() == "symbol missing 2 (1, +) · another symbol 2 (∗ → ∘ ×2)"
    assert show("$a$", "$a$").locator(".formula-errors").count() == 0


def test_marks_are_no_bars_and_lines_span_what_they_stand_over(show: Show) -> None:
    """A line below a marked symbol would be read as a minus sign or a bar, and so would a short one above."""
    evidence = show(r"$\frac{x_2-y_2}{}$", r"$\overline{x_2-y_2}$")
    style = "each => [getComputedStyle(each).boxShadow, getComputedStyle(each).outlineStyle]"
    assert evidence.locator(".differs").first.evaluate(style) == ["none", "solid"]
    line = evidence.locator(".over").first
    assert line.bounding_box()["width"] > 40
    assert line.evaluate("each => getComputedStyle(each).borderTopWidth") == "1px"


def test_every_kind_of_node_is_drawn_and_its_symbols_are_counted_as_they_are_compared(show: Show) -> None:
    built = (
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}+\binom{n}{k}\sqrt[3]{x}\hat{y}\overline{uv}\mathbb{R}\mathbf{z}"
        r"\sum_{i=1}^{n}\lim_{t\to 0}\begin{aligned}p&=1\\q&=2\end{aligned}\text{if }\mathcal{L}f''"
    )
    evidence = show(f"${built}+w$", f"${built}+v$")
    assert (differing(evidence, 0), differing(evidence, 1)) == (["v"], ["w"])
    drawn = evidence.locator("math").first
    for tag in ("mtable", "mroot", "mover", "munderover", "munder", "msup"):
        assert drawn.locator(tag).count() > 0, tag
    assert "ℝ" in drawn.text_content() and "𝐳" in drawn.text_content()


def test_formulas_of_a_document_are_numbered_and_a_missing_one_is_named(show: Show) -> None:
    evidence = show("One $a$ and $$q$$ here.", "One $a$ and $b+c+d$ and $x=1$ here.")
    assert "missing in the prediction" in evidence.inner_text()
    assert "Formulas that only the prediction has" in evidence.inner_text()
    assert evidence.locator(".formula-pair").count() == 3


def test_hostile_latex_is_text(show: Show) -> None:
    evidence = show(f"\\[{HOSTILE}\\]", r"\[x\]", reading="formula")
    assert evidence.locator("img, script, svg").count() == 0
    assert "onerror" in evidence.inner_text()


def test_formulas_of_a_document_stand_beside_its_text_and_tables(opened: Callable[..., Opened]) -> None:
    gold = "# Title\n\nWith $a^2$ and $b=1$ and $q+r$.\n"
    parsed = gold.replace("a^2", "a_2").replace("$q+r$", "")
    shown = opened(to_html(evaluate([Sample("1", parsed, gold)], DocumentEvaluator())), at="#sample=1")
    assert shown.serious() == [] and shown.complaints == []
    parts = shown.page.locator("#detail .document-parts")
    assert "missing formulas: 1 · formulas that differ: 1" in parts.inner_text()
    assert shown.page.locator("#detail .formula-pair").count() == 3
