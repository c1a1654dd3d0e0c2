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
