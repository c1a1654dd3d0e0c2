"""A missing prediction is the worst there can be, and no worse: what reference or system rules out stays N/A."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.run.api import evaluate

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
PROSE = "Nothing but words.\n"


def values(samples: list[Sample]) -> dict[str, dict[str, float | None]]:
    return {row["id"]: row["values"] for row in evaluate(samples, "tables").rows()}


def test_a_missing_prediction_of_a_system_with_structure_is_worst() -> None:
    found = values([Sample("written", TABLE, TABLE), Sample("missing", None, TABLE)])
    assert found["missing"]["teds"] == 0.0
    assert found["missing"]["row_diff"] == 1.0
    assert found["missing"]["teds_complex"] is None, "the reference has no table with spans"


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [(TABLE, PROSE), (PROSE, TABLE)],
    ids=["the reference has no table", "the system writes no structure"],
)
def test_what_no_prediction_could_have_stays_not_applicable(prediction: str, reference: str) -> None:
    found = values([Sample("written", prediction, TABLE), Sample("missing", None, reference)])
    assert set(found["missing"].values()) == {None}


def test_a_missing_prediction_is_worst_where_several_answers_are_right() -> None:
    several = {"$any": [TABLE, PROSE]}
    found = values([Sample("written", TABLE, several), Sample("missing", None, several)])
    assert found["written"]["teds"] == 1.0
    assert found["missing"]["teds"] == 0.0


def test_a_system_of_which_nothing_is_there_is_worst() -> None:
    assert values([Sample("missing", None, TABLE)])["missing"]["teds"] == 0.0
