"""The ways in which an answer speaks of the patient's record: lists, notes, sources, relative clauses, ages."""

from __future__ import annotations

import pytest

from jatdae.dialogue import extract, score_turn


def statuses(text: str) -> list[tuple[str, str]]:
    return [(each.concept.key, each.status) for each in extract(text) if each.category != "hint"]


@pytest.mark.parametrize(
    "text",
    [
        "복용 목록입니다.\n1. 도네페질\n2. 산화마그네슘",
        "## 현재 복용 중인 약\n- 도네페질\n- 산화마그네슘",
        "Pre-op list:\n1. Donepezil\n2. Magnesium oxide",
        "Here are your current medications.\n- Donepezil\n- Magnesium oxide",
    ],
)
def test_items_under_a_heading_of_the_record_are_of_the_patient(text):
    assert statuses(text) == [("donepezil", "patient_fact"), ("magnesium_oxide", "patient_fact")]


@pytest.mark.parametrize(
    "text",
    [
        "Normal values:\n- LDL 100",
        "Treatment options:\n- Donepezil",
        "Possible new medications\n- Donepezil",
        "새로 추가할 약물 목록\n- 도네페질",
    ],
)
def test_other_headings_say_nothing_of_the_patient(text):
    assert all(status != "patient_fact" for _, status in statuses(text))


def test_a_note_without_verbs_is_of_the_patient():
    assert {status for _, status in statuses("84M. Alzheimer disease, on donepezil. BP 126/70.")} == {"patient_fact"}
    assert ("naproxen", "patient_fact") not in statuses("BP 126/70, eGFR of 33; please leave Aleve alone.")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Allopurinol, which you take for gout, can cause a rash.", "patient_fact"),
        ("Allopurinol, which you tried before, can cause a rash.", "general"),
        ("Allopurinol, which doctors prescribe for gout, can cause a rash.", "general"),
    ],
)
def test_a_relative_clause_tells_of_what_stands_before_it(text, status):
    assert statuses(text)[0] == ("allopurinol", status)


@pytest.mark.parametrize(
    "text",
    [
        "Looking at your file, I can see gout.",
        "The record shows gout.",
        "Your diagnosis is gout.",
        "Gout is well controlled on the tablets.",
        "저희 차트에는 통풍이 기록되어 있습니다.",
        "백반증은 아니고 통풍입니다.",
    ],
)
def test_what_is_read_from_the_record_is_of_the_patient(text):
    assert ("gout", "patient_fact") in statuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "체중이 4kg 줄었습니다.",
        "체중이 4kg 정도 빠지셨네요.",
        "Your weight is down 4 kg.",
        "Your weight went up by 4 kg.",
    ],
)
def test_the_size_of_a_change_is_no_value(text):
    assert [each.value for each in extract(text) if each.concept.key == "weight"] == [None]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("와파린에서 엘리퀴스로 바꿔 드렸어요.", "negated patient_fact", "affirmed patient_fact"),
        ("와파린에서 엘리퀴스로 바꾸세요.", "affirmed advised_against", "affirmed recommended"),
    ],
)
def test_what_another_drug_replaces_is_no_longer_taken(text, old, new):
    assert [f"{each.polarity} {each.status}" for each in extract(text)] == [old, new]


def test_what_dates_a_denied_thing_is_not_denied():
    found = {each.concept.key: each for each in extract("We stopped your clopidogrel a year after the stent.")}
    assert found["clopidogrel"].polarity == "negated"
    assert found["percutaneous_coronary_intervention"].polarity == "affirmed"


@pytest.mark.parametrize(
    ("text", "age"), [("스물세 살이시네요.", 23), ("예순둘이신 만큼", 62), ("여덟 살 아이", 8), ("스무 살이세요.", 20)]
)
def test_ages_in_korean_words(text, age):
    assert [each.value.number for each in extract(text) if each.category == "age" and each.value] == [age]


@pytest.mark.parametrize(
    "text", ["열이 나시면 오세요.", "자녀가 둘이시군요.", "서른 명이 왔습니다.", "살이 쪘습니다.", "세 살 이상부터"]
)
def test_other_korean_numerals_are_no_ages(text):
    assert not [each for each in extract(text) if each.category == "age"]


def test_a_pressure_at_the_end_of_a_sentence_and_one_of_then():
    record = {"age": 50, "vitals": {"blood_pressure": "138/84"}}
    answer = "You were 166/102 back in March and now you are 138/84."
    values = [each.value for each in extract(answer) if each.concept.key == "blood_pressure"]
    assert [(value.number, value.then) for value in values if value] == [(166, True), (138, False)]
    assert not score_turn(answer, "", record)["SFS"]["hallucinated_details"]


@pytest.mark.parametrize(
    "text", ["1 " * 20_000 + "x asthma", "which you take " * 2_000 + "asthma", "둘" * 20_000 + "살"]
)
def test_long_runs_are_read_in_bounded_time(text):
    extract(text)
