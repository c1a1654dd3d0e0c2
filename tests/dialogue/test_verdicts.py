"""Verdicts of a judge in events: read only if the judge is named, with what is malformed or absent counted."""

from __future__ import annotations

from typing import Any

import pytest

import jatdae
from jatdae.dialogue.evaluator import DialogueEvaluator
from jatdae.dialogue.events import read_given, read_judged

JUDGE = "m@1.abc*3"
ANSWER = "You take metformin. Take warfarin if you like."


def event(judged: Any, turn: int = 1) -> dict[str, Any]:
    return {
        "patient_id": "p", "mode": "llm", "turn_id": turn, "question": {"text": "?"}, "answer": ANSWER,
        "slots_truth": {"active_meds": ["metformin"]}, "judged": judged,
    }  # fmt: skip


def judged(**verdicts: Any) -> dict[str, Any]:
    return {"judge": JUDGE, "verdicts": verdicts}


def values(events: list[dict[str, Any]], judge: str = JUDGE) -> jatdae.Result:
    return jatdae.evaluate(events, DialogueEvaluator(judge=judge))


def test_verdicts_are_scores_only_of_the_judge_that_is_named() -> None:
    given = [event(judged(faithfulness={"value": 0.25, "verdicts": 3, "malformed": 0}))]
    assert values(given).value("faithfulness") == 0.25
    for other in ("", "other"):
        assert "faithfulness" not in values(given, other).summary["metrics"]


def test_the_judge_stands_in_the_signature_and_runs_without_one_keep_theirs() -> None:
    with_judge, without = DialogueEvaluator(judge=JUDGE), DialogueEvaluator()
    assert with_judge.signature_parts()["judge"] == JUDGE
    assert "judge" not in without.signature_parts()
    assert f"judge:{JUDGE}" in str(values([event(judged())]).signature)
    assert "judge" not in str(values([event(judged())], "").signature)


def test_what_is_malformed_or_absent_is_counted_and_no_value() -> None:
    verdicts = judged(answer_relevance={"value": None, "verdicts": 3, "malformed": 3})
    found = values([event(verdicts), event(None, 2)])
    assert "answer_relevance" not in found.summary["metrics"]
    issues = found.summary["systems"]["llm"]["issues"]
    assert {code: sum(issues[code].values()) for code in ("malformed_verdict", "no_verdict")} == {
        "malformed_verdict": 1,
        "no_verdict": 1,
    }


def test_a_status_takes_the_place_of_the_extractors() -> None:
    start = ANSWER.index("warfarin")
    span = {"start": start, "end": start + len("warfarin"), "status": "patient_fact"}
    assert values([event(judged())]).value("SFS") == pytest.approx(1.0)
    assert values([event(judged(status={"spans": [span]}))]).value("SFS") == pytest.approx(0.5)


@pytest.mark.parametrize(
    "hostile",
    [
        7, "x", [], {}, {"judge": JUDGE}, {"judge": JUDGE, "verdicts": [1]}, judged(faithfulness=3),
        judged(faithfulness={"value": "high"}), judged(faithfulness={"value": True}),
        judged(faithfulness={"value": -1}),
        judged(status={"spans": 3}), judged(status={"spans": [1, {}, {"start": [], "end": 2, "status": "general"}]}),
        judged(status={"spans": [{"start": 0, "end": 2, "status": []}]}),
    ],
)  # fmt: skip
def test_a_hostile_verdict_is_no_value(hostile: Any) -> None:
    assert "faithfulness" not in read_given(event(hostile), JUDGE)
    assert isinstance(read_judged(event(hostile), JUDGE), dict)
    assert values([event(hostile)]).value("SFS") == pytest.approx(1.0)
