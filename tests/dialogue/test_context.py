"""What reaches a mention from another clause, or from the line above a list."""

from __future__ import annotations

from jatdae.dialogue import extract

from .conftest import statuses


def test_a_topic_takes_the_advice_of_a_later_clause():
    assert statuses("바나나는 칼륨이 많지만 매일 드셔도 됩니다.")[0] == ("banana", "recommended", "affirmed")
    found = statuses("이부프로펜은 만성콩팥병이 있는 분에게는 금기입니다.")
    assert found[0] == ("ibuprofen", "advised_against", "affirmed")


def test_items_of_a_list_take_after_the_line_above():
    answer = "피해야 할 음식:\n- 바나나\n- 감자\n\n권장하는 음식:\n- 두부\n- 생선\n\n바나나는 과일입니다."
    read = [(mention.concept.key, mention.status) for mention in extract(answer)]
    assert read == [
        ("banana", "advised_against"),
        ("potato", "advised_against"),
        ("beans", "recommended"),
        ("fish", "recommended"),
        ("banana", "general"),
        ("fruit", "general"),
    ]


def test_an_effect_denied_on_a_drug_does_not_deny_the_drug():
    for answer in (
        "Neither interacts with your inhaler or the latanoprost drops.",
        "The vaccine does not interact with your latanoprost.",
        "You don't need to worry about your latanoprost.",
    ):
        assert statuses(answer)[-1][2] == "affirmed", answer
    assert statuses("You do not take latanoprost.") == [("latanoprost", "patient_fact", "negated")]


def test_what_is_named_as_the_lesser_choice_is_advised_against():
    assert statuses("Melatonin would be my next step, not a sleeping pill.")[-1][1] == "advised_against"
    assert statuses("Take acetaminophen, not ibuprofen.")[-1][1] == "advised_against"


def test_what_is_proposed_for_a_case_depends_on_it():
    for answer in (
        "If the pain keeps you awake, duloxetine might be an option.",
        "If readings stay high, we could consider adding chlorthalidone.",
        "If this fails, ask us about colchicine.",
    ):
        assert statuses(answer)[-1][1] == "conditional", answer


def test_a_value_that_fell_to_a_number_leads_no_verb():
    assert statuses("Your uric acid fell from 9.1 to 5.4 mg/dL after febuxostat was started.")[-1] == (
        "febuxostat",
        "patient_fact",
        "affirmed",
    )


def test_a_label_with_a_sentence_heads_no_list():
    answer = "**Short answer:** Good news, so nothing needs to change for now.\n\n- **Potassium:** 4.9, within range."
    assert [mention.status for mention in extract(answer)] == ["patient_fact"]


def test_what_your_drug_is_combined_with_is_advised_and_the_drug_is_taken():
    found = statuses("Never take sildenafil with your nitroglycerin.")
    assert [status for _, status, _ in found] == ["advised_against", "patient_fact"]


def test_what_is_explained_is_taken_as_given():
    found = statuses("Your ferritin is 9. Heavy periods may be behind the anemia.")
    assert found[-1][1] == "patient_fact"
    assert statuses("Your ferritin is 9. You may have anemia.")[-1][1] == "hedged"


def test_a_value_judged_in_the_comment_to_a_drug_does_not_recommend_the_drug():
    answer = "Your medicines:\n- **Losartan:** potassium 3.9 is fine."
    assert statuses(answer)[-2:] == [
        ("losartan", "patient_fact", "affirmed"),
        ("potassium", "patient_fact", "affirmed"),
    ]
    answer = "- Losartan: your potassium of 3.9 is fine, so I recommend starting it."
    assert statuses(answer)[0] == ("losartan", "recommended", "affirmed")
