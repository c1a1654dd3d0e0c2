"""Every evaluator's page in a real browser: its own view of the evidence, hostile texts among it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module, resources
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result

from .conftest import HOSTILE, Opened

STRUCTURED = {"name": "Kim", "items": [{"cost": 3}, {"cost": 4}], "total": 7}
MARKDOWN = "# Title\n\nSome text of a page.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
SAMPLES: Mapping[str, list[dict[str, Any]]] = {
    "structured": [
        {"id": "1", "prediction": {**STRUCTURED, "total": 8, "extra": HOSTILE}, "reference": STRUCTURED},
        {"id": "2", "prediction": json.dumps(STRUCTURED), "reference": STRUCTURED},
    ],
    "terms": [
        {"id": "1", "prediction": f"舌淡红，苔薄白，{HOSTILE}", "reference": "舌红，苔黄腻"},
        {"id": "2", "prediction": "舌红", "reference": "舌红"},
    ],
    "documents": [
        {"id": "1", "prediction": MARKDOWN.replace("1", HOSTILE), "reference": MARKDOWN},
        {"id": "2", "prediction": MARKDOWN, "reference": MARKDOWN},
    ],
}
EVALUATORS = {
    "text": "jatdae.text.evaluator:TextEvaluator",
    "tables": "jatdae.tables.evaluator:TableEvaluator",
    "structured": "jatdae.structured.evaluator:StructuredEvaluator",
    "terms": "jatdae.terms.evaluator:TermsEvaluator",
    "dialogue": "jatdae.dialogue.evaluator:DialogueEvaluator",
    "documents": "jatdae.documents.evaluator:DocumentEvaluator",
}
VIEWS = {
    "text": ".run",
    "tables": ".grid",
    "structured": ".field-table",
    "terms": ".atom",
    "dialogue": ".answer mark.span",
    "documents": ".grid",
}
"""What only the view of an evaluator draws."""


TRUTH = {
    "age": 67,
    "sex": "female",
    "active_meds": ["Metformin 500 MG"],
    "labs": {"eGFR": {"value": 45, "unit": "mL/min"}},
}
ANSWERS = ("😀 67세이시고 와파린을 복용 중이시니 이부프로펜을 드셔도 됩니다.", HOSTILE)


def run_of(name: str) -> Result:
    """An evaluator on samples of two systems: its bundled ones where it has some, and hostile ones."""
    module, _, cls = EVALUATORS[name].partition(":")
    evaluator = getattr(import_module(module), cls)()
    if name == "dialogue":
        return evaluate(
            [conversation(f"{patient}", mode) for patient in (1, 2) for mode in ("llm", "agent")], evaluator
        )
    given = SAMPLES.get(name) or [
        *map(
            json.loads, (resources.files(f"jatdae.{name}") / "samples" / "pairs.jsonl").read_text("utf-8").splitlines()
        ),
        {
            "id": HOSTILE,
            "prediction": f"<table><tr><td>{HOSTILE}</td></tr></table>",
            "reference": "| a |\n|---|\n| b |",
        },
    ]
    samples = [Sample(row["id"], row["prediction"], row["reference"], row.get("meta", {}), "first") for row in given]
    swapped = [Sample(s.id, s.reference if at % 2 else s.prediction, s.reference, s.meta, "second")
               for at, s in enumerate(samples)]  # fmt: skip
    return evaluate([*samples, *swapped], evaluator)


def conversation(patient: str, mode: str) -> Sample:
    turns = [
        {
            "patient_id": patient,
            "mode": mode,
            "turn_id": turn,
            "question": {"question_id": "q", "text": HOSTILE},
            "answer": answer,
            "slots_truth": TRUTH,
        }
        for turn, answer in enumerate(ANSWERS, 1)
    ]
    return Sample(patient, turns, turns, system=mode)


@pytest.mark.parametrize("name", VIEWS)
def test_every_evaluator_shows_its_evidence(
    name: str, opened: Callable[..., Opened], keep: Callable[[Opened, str], None]
) -> None:
    html = to_html(run_of(name))
    for width in (400, 1600):
        shown = opened(html, width=width, name=name)
        keep(shown, f"{name}-{width}")
        assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        shown.page.locator("#rows tbody a").first.click()
        assert shown.page.locator(f"#detail .evidence {VIEWS[name]}").count() > 0
        keep(shown, f"{name}-open-{width}")
        for _ in range(len(shown.ids())):
            shown.page.keyboard.press("j")
            assert shown.page.locator("#detail .panel").count() == 2
        assert shown.page.evaluate("window.hacked") is None
        shown.page.keyboard.press("Escape")
        assert not shown.page.locator("#detail").is_visible()
        assert shown.serious() == []


def test_issues_and_outcomes_are_said_in_the_language_of_the_page(opened: Callable[..., Opened]) -> None:
    """Messages were written in the language of the run; what their codes mean is known in both."""
    shown = opened(to_html(run_of("structured")), at="#sample=1")
    shown.page.evaluate("document.getElementById('language').click()")
    shown.page.locator("#detail .issues summary").first.click()
    text = shown.page.locator("#detail").first.inner_text()
    assert "일치" in text
    assert "스키마" in text


def test_a_passage_that_moved_is_told_first_and_shown_as_one(opened: Callable[..., Opened]) -> None:
    """Letters that the alignment finds in it by chance would be taken for what is right."""
    first = "The influence of the Arabian medicine was first on the Greek physicians, who wrote of henna."
    second = "A volume with recipes for various afflictions was printed in London by a bookseller in 1744."
    told = "Both of them were shown in the same room of the museum, and nobody asked for them before."
    sample = Sample("x", f"{told} {second} {first}", f"{told} {first} {second}")
    shown = opened(to_html(evaluate([sample], "text")), at="#sample=x")
    parts = shown.page.locator("#detail .evidence > *").all()
    assert parts[0].locator("li .chip").all_inner_texts() == ["moved passages"] * parts[0].locator("li").count()
    moved = shown.page.locator("#detail .prose .run.moved").all_inner_texts()
    assert any(first[:60] in text for text in moved)
    assert shown.page.locator("#detail .prose .run.changed").count() == 0


def test_passages_have_the_colour_of_the_legend_and_both_sides(opened: Callable[..., Opened]) -> None:
    told = "Both of them were shown in the same room of the museum, and nobody asked for them before."
    more = "A volume with recipes for various afflictions was printed in London by a bookseller in 1744."
    other = "three foxes jumped over high fences into my small yard; quite a zigzag by hungry wolves came next, too."
    samples = [
        Sample("added", f"{told} {more}", told),
        Sample("moved", f"{more} {told} {other} It ends.", f"{told} {other} {more} It ends."),
        Sample("replaced", f"{told} {other} {told}", f"{told} {more} {told}"),
    ]
    page = to_html(evaluate(samples, "text"))
    lines = {}
    for sample in samples:
        listed = opened(page, at=f"#sample={sample.id}").page.locator("#detail .evidence .problems li")
        assert listed.count() == 1
        lines[sample.id] = (listed.locator(".chip").get_attribute("class"), listed.inner_text())
    assert lines["added"][0] == "chip run added"
    assert lines["replaced"][0] == "chip run changed"
    assert " → " in lines["replaced"][1]
    assert "after “by hungry wolves came next, too.” → Prediction: at the beginning" in lines["moved"][1]


@pytest.mark.parametrize("name", ["text", "documents"])
def test_a_side_without_text_says_so(name: str, opened: Callable[..., Opened]) -> None:
    shown = opened(to_html(evaluate([Sample("1", "<!-- image -->", "A page of text.")], name)), at="#sample=1")
    sides = shown.page.locator("#detail .prose").all_inner_texts()
    assert sides == ["A page of text.", "no text"]
    assert shown.findings("#detail") == []


def test_metrics_that_do_not_apply_and_units_do_not_stand_before_the_evidence(opened: Callable[..., Opened]) -> None:
    sample = Sample("x", "# Title\n\nA word.", "# Title\n\nA world.")
    page = opened(to_html(evaluate([sample], "documents")), at="#sample=x").page
    absent = page.locator("#detail .measures").first.locator("li.faint")
    assert absent.inner_text().startswith("N/A: ")
    assert "teds" in absent.inner_text()
    assert page.locator("#detail .measures b", has_text="N/A").count() == 0
    assert page.locator(".document-parts dd", has_text="none in the reference").count() == 1
    units = opened(to_html(run_of("tables"))).page
    units.locator(".worst a").first.click()
    folded = units.locator("#detail details", has_text="Units of this sample").first
    assert not folded.locator("table").first.is_visible()
