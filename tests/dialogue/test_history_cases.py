"""Claims about what a patient had or took once, against a record whose entries have dates."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae.dialogue import score_turn

from .readings import read_cases

RECORD = {
    "primary_condition": {"name": "Hypertension", "start": "1996-10-14"},
    "comorbidities": [],
    "active_meds": ["Lisinopril 10 MG"],
    "past_conditions": [
        {"name": "Viral sinusitis (disorder)", "start": "2020-10-05", "end": "2020-10-26"},
        {"name": "Acute bronchitis (disorder)", "start": "2019-06-03", "end": "2019-06-17"},
    ],
    "past_meds": [{"name": "Amoxicillin 250 MG", "start": "2020-10-05"}],
}
FRESH = {
    "age": 58,
    "sex": "male",
    "primary_condition": {"name": "Type 2 diabetes", "start": "2011-04-02"},
    "comorbidities": ["Asthma"],
    "active_meds": [{"name": "Metformin 500 MG", "start": "2011-04-02"}],
    "past_conditions": [
        {"name": "Pneumonia", "start": "2016-01-20", "end": "2016-02-14"},
        {"name": "Gout", "start": "2009-08", "end": "2009-09"},
        {"name": "Kidney stone", "start": "2013-12-28", "end": "2014-01-09"},
        "Shingles",
    ],
    "past_meds": [
        {"name": "Prednisone 20 MG", "start": "2016-01-22", "end": "2016-02-01"},
        {"name": "Allopurinol 100 MG", "start": "2009-08-15"},
    ],
}


def facts(answer: str, record: dict[str, Any]) -> float | None:
    score: float | None = score_turn(answer, slots_truth=record)["SFS"]["score"]
    return score


def is_judged(case: dict[str, Any], record: dict[str, Any]) -> bool:
    score = facts(case["answer"], record)
    return score is not None and (score > 0.99) == case["right"]


@pytest.mark.parametrize(("name", "record", "floor"), [("record", RECORD, 0.98), ("fresh", FRESH, 0.94)])
def test_history_is_right_or_wrong_as_the_record_has_it(name, record, floor):
    cases = read_cases("history", name)
    missed = [case["answer"] for case in cases if not is_judged(case, record)]
    assert 1 - len(missed) / len(cases) >= floor, missed


def test_what_the_record_cannot_tell_is_not_counted():
    assert facts("You took amoxicillin in 2023.", RECORD) is None  # began in 2020, and no end on record


@pytest.mark.parametrize("date", ["", "soon", 20, ["2020"], {"year": 2020}, "9999-99-99", None])
def test_a_date_that_cannot_be_read_makes_an_entry_undated(date):
    record = {"comorbidities": [], "past_conditions": [{"name": "Gout", "start": date, "end": date}]}
    assert facts("You had gout in 2010.", record) == pytest.approx(1.0)


def test_a_sentence_full_of_dates_is_read():
    assert facts("You had acute bronchitis in June 2019 and " * 500, RECORD) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("You started allopurinol in August 2009.", 1.0),
        ("You started allopurinol in 2012.", 0.0),
        ("You were first prescribed allopurinol in 2013.", 0.0),
        ("알로푸리놀은 2009년 8월에 시작하셨습니다.", 1.0),
        ("알로푸리놀은 2012년에 시작하셨습니다.", 0.0),
    ],
)
def test_a_beginning_is_compared_with_the_start_on_record(answer, score):
    assert facts(answer, FRESH) == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize("answer", ["You had pneumonia last year.", "작년에 폐렴을 앓으셨습니다."])
def test_what_is_dated_by_today_is_not_counted(answer):
    assert facts(answer, FRESH) is None
