"""A drug named as an allergen is an allergy, compared with the allergies of the record, and never taken."""

from __future__ import annotations

import pytest

from jatdae.dialogue import extract, score_turn

RECORD = {
    "age": 50,
    "active_meds": ["Metformin"],
    "allergies": ["Penicillin", "Sulfamethoxazole"],
}


@pytest.mark.parametrize(
    "text",
    [
        "You are allergic to penicillin.",
        "Because of your penicillin allergy, tell every doctor.",
        "Allergies: penicillin",
        "페니실린 알레르기가 있으십니다.",
        "페니실린에 과민반응이 있으시므로 말씀해 주세요.",
    ],
)
def test_an_allergen_is_an_allergy_of_the_patient(text):
    (mention,) = [each for each in extract(text) if each.concept.key == "penicillin"]
    assert (mention.category, mention.status, mention.polarity) == ("allergy", "patient_fact", "affirmed")


def test_in_a_list_all_are_allergens():
    found = {
        each.concept.id for each in extract("You are allergic to penicillin, aspirin and codeine; take metformin.")
    }
    assert {"allergy:penicillin", "allergy:aspirin", "allergy:codeine", "drug:metformin"} <= found
    found = {each.concept.id for each in extract("페니실린과 아스피린 알레르기가 있으시고 메트포르민을 드십니다.")}
    assert found == {"allergy:penicillin", "allergy:aspirin", "drug:metformin"}


@pytest.mark.parametrize(
    "text", ["People with a penicillin allergy wear a bracelet.", "알레르기가 흔한 약은 페니실린입니다."]
)
def test_talk_of_allergies_is_not_of_the_patient(text):
    assert all(each.status != "patient_fact" for each in extract(text))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("You are allergic to penicillin.", None),
        ("You are allergic to amoxicillin.", None),  # of the class on record
        ("You have a sulfa allergy.", None),  # the class of a drug on record
        ("You have no penicillin allergy.", "negates_truth"),
        ("You have a codeine allergy.", "not_in_truth"),
        ("You have no codeine allergy.", None),
    ],
)
def test_allergies_are_compared_with_the_record(answer, why):
    details = score_turn(answer, "", RECORD)["SFS"]["hallucinated_details"]
    assert [each["why"] for each in details] == ([why] if why else [])


def test_a_record_that_does_not_list_all_allergies_says_nothing_of_others():
    for record in ({"age": 50}, {**RECORD, "allergies": ["a blue pill"]}):
        assert not score_turn("You have a codeine allergy.", "", record)["SFS"]["hallucinated_details"]


def test_an_allergy_stated_and_then_denied_is_a_contradiction():
    earlier = ["You are allergic to penicillin."]
    result = score_turn("You have no penicillin allergy.", "Sure?", RECORD, history=earlier)["MCS"]
    assert result["score"] == 0.0


def test_an_allergy_uses_its_slot_and_no_drug():
    record = {"age": 50, "active_meds": ["Aspirin"], "allergies": ["Penicillin"]}
    said = score_turn("You are allergic to aspirin.", "", record, turn=2)["CUS_improved"]["used_detail"]
    assert not said["active_meds"]["used"]
