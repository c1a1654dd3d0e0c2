"""One answer from Python: what is refused, and that it is scored as a run scores it."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaking
from jatdae.dialogue import DialogueEvaluator, compute_advanced_metrics, extract, score_turn

PATIENT = {"age": 67, "sex": "female", "labs": {"eGFR": 24}, "active_meds": ["metformin"]}


def codes(result):
    return [issue["code"] for issue in result["issues"]]


@pytest.mark.parametrize("answer", ["", "  \n"])
@pytest.mark.parametrize("turn", [1, 2, 3, 7])
def test_an_empty_answer_gets_the_worst_values_as_in_a_run(answer, turn):
    result = score_turn(answer, "", PATIENT, turn)
    row = {"patient_id": "a", "mode": "m", "turn_id": turn, "answer": answer, "slots_truth": PATIENT}
    values = DialogueEvaluator().score(Sample("a", [row], None, system="m")).values
    for name in ("SFS", "CSP", "CUS_improved", "ASS", "overall"):
        assert result[name]["score"] == values[name], name
    assert result["CSP"]["any_violation"] == values["any_violation"] == 1.0
    assert codes(result) == ["missing_answer"]


def test_a_violation_is_told_beside_the_score():
    careless = compute_advanced_metrics("Start metformin and ibuprofen.", "", PATIENT, 2)["CSP"]
    assert careless["any_violation"] == careless["critical_violation"] == 1.0
    careful = score_turn("Avoid ibuprofen.", "", PATIENT, 2)["CSP"]
    assert careful["any_violation"] == careful["critical_violation"] == 0.0
    nobody = score_turn("Avoid ibuprofen.")["CSP"]
    assert nobody["any_violation"] is None and nobody["critical_violation"] is None


@pytest.mark.parametrize("given", [None, 123, b"aspirin", ["aspirin"]])
def test_an_answer_that_is_no_text_is_refused(given):
    for call in (lambda: score_turn(given, "", PATIENT), lambda: extract(given), lambda: score_turn("a", given)):
        with pytest.raises(UsageError, match=f"is of type {type(given).__name__}. Give text"):
            call()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"slots": ["metformin"]}, "slots is of type list. Give a dictionary"),
        ({"slots": "age 67"}, "slots is of type str"),
        ({"slots": PATIENT, "history": "one text"}, "history is of type str. Give a list of texts"),
        ({"slots": PATIENT, "history": ["a", None]}, r"history\[1\] is of type NoneType"),
        ({"slots": PATIENT, "earlier_questions": 3}, "earlier_questions is of type int"),
        ({"slots": PATIENT, "on_empty": "zero"}, "on_empty is 'zero'. Give one of: na, formula"),
        ({"slots": PATIENT, "slots_truth": {"age": 12}}, "slots and slots_truth are two names"),
        ({"slots": PATIENT, "turn": 1, "turn_id": 2}, "turn and turn_id are two names"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused(given, told):
    with speaking("en"), pytest.raises(UsageError, match=told):
        score_turn("You are 67.", **given)


def test_the_same_under_both_names_is_taken():
    assert score_turn("You are 67.", slots=PATIENT, slots_truth=dict(PATIENT), turn=1, turn_id=1)["SFS"]["score"] == 1


@pytest.mark.parametrize(
    ("slots", "issue"),
    [
        ({"age": "old"}, ("unreadable_slot", "age")),
        ({"age": 67, "zzz": 3}, ("unknown_slot", "zzz")),
        ({"age": 67, "labs": "x"}, ("unreadable_slot", "labs")),
    ],
)
def test_slots_that_are_not_known_or_not_read_are_issues(slots, issue):
    issues = score_turn("You are 67.", slots=slots, turn=1)["issues"]
    assert {"code": issue[0], "message": issue[1]} in issues
