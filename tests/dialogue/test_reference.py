"""What an English answer refers to without naming it is spelled out with the name of the drug."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.rules.reference import spell_out

PATIENT = {"age": 57, "sex": "male", "primary_condition": "Hypertension", "active_meds": ["Amlodipine 5 MG"]}


def spelled(answer, question=""):
    read = load_extractor().read
    found = spell_out(read(answer), read(question) if question else None)
    return found.text if found else None


def test_a_pronoun_stands_for_the_one_drug_of_the_question_where_the_answer_has_named_nothing():
    assert spelled("Great numbers! You could drop it.", "Do I need the amlodipine?") == (
        "Great numbers! You could drop amlodipine."
    )


def test_a_quantity_stands_for_the_drug_named_last():
    assert spelled("Lisinopril is fine. Nothing speaks against it. Stay on your 10 mg for now.") == (
        "Lisinopril is fine. Nothing speaks against it. Stay on your Lisinopril 10 mg for now."
    )


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("Great numbers! Take it easy.", "Do I need the amlodipine?"),
        ("Great numbers! You could drop it.", "Do I need the amlodipine and the atorvastatin?"),
        ("Great numbers! You could drop it.", "How am I doing?"),
        ("Coffee is fine. Sleep matters too. You could drop it.", "Do I need the amlodipine?"),
        ("Keep the amlodipine.\n\nRest a little. Sleep well. You could drop it.", "What now?"),
    ],
)
def test_what_may_be_meant_otherwise_is_left_alone(answer, question):
    assert spelled(answer, question) is None


def test_a_violation_has_the_words_of_the_answer():
    answer = "Two good months! If it stays so, you can drop it altogether. Keep walking."
    result = score_turn(answer, "Do I still need the amlodipine?", PATIENT, 1)["CSP"]
    (rule,) = result["violated_rules"]
    assert (rule["id"], rule["text"]) == ("CSP_MED_013", "it")
    assert answer[slice(*rule["span"])] == "it"


@pytest.mark.parametrize(
    "answer",
    [
        "Two good months! That is what the tablet does, so don't drop it.",
        "Two good months! If your doctor agrees you can drop it one day.",
        "Two good months! I know it is tempting to drop it.",
    ],
)
def test_what_keeps_the_drug_violates_nothing(answer):
    assert score_turn(answer, "Do I still need the amlodipine?", PATIENT, 1)["CSP"]["violated_rules"] == []
