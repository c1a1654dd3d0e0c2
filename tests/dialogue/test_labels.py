"""What contradicting statements are about, as reports say it."""

from __future__ import annotations

import pytest

from jatdae.core.messages import speaking
from jatdae.dialogue import DialogueEvaluator
from jatdae.dialogue.labels import SubjectLabels
from jatdae.report.sheets import sheets
from jatdae.run.api import evaluate

LABELS = DialogueEvaluator().key_names()["contradicted"]


@pytest.mark.parametrize(
    ("key", "english", "korean"),
    [
        ("advice on class:supplement", "advice on supplement", "건강기능식품에 대한 권고"),
        ("has drug:metformin", "whether metformin is taken", "메트포르민 복용 여부"),
        ("has condition:diabetes", "whether there is diabetes", "당뇨 여부"),
        ("measure:hba1c", "hba1c", "당화혈색소"),
        ("advice on class:antacid", "advice on antacid", "antacid에 대한 권고"),
    ],
)
def test_a_subject_is_said_in_words_of_both_languages(key: str, english: str, korean: str) -> None:
    assert LABELS[key] == {"en": english, "ko": korean}


def test_what_is_no_concept_has_no_label() -> None:
    assert isinstance(LABELS, SubjectLabels)
    assert "age" not in LABELS
    assert "advice on class:nothing" not in LABELS
    assert len(LABELS) == len(list(LABELS))


def test_reports_have_no_codes_of_subjects() -> None:
    answers = ["영양제를 드시는 것이 좋습니다.", "영양제는 드시지 마세요."]
    rows = [
        {
            "mode": "a",
            "patient_id": "p",
            "turn_id": at,
            "question": {"text": "?"},
            "answer": answer,
            "slots_truth": {"age": 60},
        }
        for at, answer in enumerate(answers, 1)
    ]
    summary = evaluate(rows, "dialogue").summary
    for language, label in (("en", "advice on supplement"), ("ko", "건강기능식품에 대한 권고")):
        with speaking(language):
            texts = [cell.text for sheet in sheets(summary) for row in sheet.rows for cell in row]
        assert label in texts
        assert not any("class:" in text for text in texts)
