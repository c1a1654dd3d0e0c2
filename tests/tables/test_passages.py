"""What a prediction has in the place of a table that it lacks."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.tables import TableEvaluator
from jatdae.tables.findings import say_findings
from jatdae.tables.passages import MAX_PASSAGE

REFERENCE = """
| Error | Value |
|---|---|
| Train mean | 0.121 |
| Test mean | 0.109 |
"""


def instead_of(prediction: str, reference: str = REFERENCE) -> str | None:
    evidence = TableEvaluator(structured="yes").score(Sample("s", prediction, reference)).evidence
    found: str | None = evidence["pairs"][0].get("instead")
    return found


@pytest.mark.parametrize(
    ("prediction", "passage"),
    [
        ("# Page\n\nA text before it.\n\nError Value\nTrain mean 0.121\n\nTest mean 0.109\n\nAnd one after.",
         "Error Value\nTrain mean 0.121\nTest mean 0.109"),
        (r"\[\text{Error} \quad \text{Value}\]" "\n" r"\[\text{Train mean} \quad 0.121\]" "\n\nMore.",
         r"\[\text{Error} \quad \text{Value}\]" "\n" r"\[\text{Train mean} \quad 0.121\]"),
        ("<p>Error</p>\n<p>Train mean 0.121</p>", "<p>Error</p>\n<p>Train mean 0.121</p>"),
        ("# Page\n\nSomething else altogether.", ""),
        ("A mean value.\n\nNo more of it here.", ""),
    ],
)  # fmt: skip
def test_a_missed_table_comes_with_the_lines_that_have_its_words(prediction: str, passage: str) -> None:
    assert instead_of(prediction) == passage


def test_a_table_that_is_there_comes_with_none() -> None:
    assert instead_of(REFERENCE) is None


def test_a_passage_is_of_bounded_length() -> None:
    rows = "\n".join(f"| row {at} | value {at} |" for at in range(400))
    found = instead_of(rows.replace("|", ""), f"| a | b |\n|---|---|\n{rows}")
    assert found is not None
    assert len(found) == MAX_PASSAGE


def test_it_is_told_in_words_too() -> None:
    evaluator = TableEvaluator(structured="yes")
    told = [
        " ".join(say_findings(evaluator.score(Sample("s", text, REFERENCE)).evidence))
        for text in ("Error Value\nTrain mean 0.121\nTest mean 0.109", "nothing of it")
    ]
    assert "Train mean 0.121" in told[0]
    assert "Nothing like it" in told[1]
