"""Dates as documents write them: what is read as which day, and what is not read as one."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.structured import compare
from jatdae.structured.dates import date_of, moment_of, moments_of
from jatdae.structured.kinds import kind_of

DAY = "2024-03-15"

READ = [
    # ISO and its kin
    *(
        "2024-03-15",
        "2024.03.15",
        "2024/03/15",
        "2024/3/15",
        "2024.3.15.",
        "2024. 3. 15.",
        "2024 - 03 - 15",
        "20240315",
    ),
    # Korean, Chinese, Japanese
    *("2024년 3월 15일", "2024년3월15일", "2024년 03월 15일", "2024年3月15日", "２０２４年３月１５日"),
    *("2024년 3월 15일 (금)", "2024년 3월 15일 금요일", "2024-03-15(금)", "24년 3월 15일"),
    # years of two digits
    *("24.03.15", "24/3/15", "24-03-15", "'24.03.15", "’24.3.15", "24. 3. 15."),
    # English
    *("March 15, 2024", "March 15 2024", "Mar 15, 2024", "Mar. 15, 2024", "MARCH 15, 2024", "March 15th, 2024"),
    *("15 March 2024", "15 Mar 2024", "15-Mar-2024", "15Mar2024", "15th of March, 2024", "2024-Mar-15", "2024 Mar 15"),
    *("Fri, 15 Mar 2024", "Friday, March 15, 2024", "2024-03-15 (Fri)"),
    # day and month told apart by their size
    *("15/03/2024", "03/15/2024", "15.03.2024", "15-03-2024"),
    # with a time
    *("2024-03-15T10:20:30Z", "2024-03-15T10:20:30.123+09:00", "2024-03-15 10:20", "2024.03.15 9:05"),
    *("2024년 3월 15일 오후 3시 20분", "2024년 3월 15일 15시", "March 15, 2024 3:20 PM", "20240315 10:20"),
    *("2024-03-15 (Fri) 10:20", "2024-03-15 오후 3:20", "  2024-03-15  "),
]

NOT_READ = [
    *("", "12.5", "1234567890", "20240315102030", "2024", "2024-03", "2024.03", "3월 15일", "15 March"),
    *("2024-02-30", "2024-13-01", "2024-00-10", "2023-02-29", "31.04.2024", "20240230", "18991231", "0000-00-00"),
    *("2024-03-15 ~ 2024-03-20", "2024-03-15 25:00", "2024-03-15 10:61", "2024-03/15", "2024--03--15"),
    *("1.2.3", "1.1.1", "192.168.0.1", "v24.03.15", "24.13.05", "2024.03.15.2", "010-1234-5678", "3/4", "10:30"),
    *("May", "Mayor 15, 2024", "in March 2024", "MAR152024", "99999999", "1,500,000"),
]


@pytest.mark.parametrize("text", READ)
def test_a_written_date_is_read_as_the_day_it_says(text: str) -> None:
    assert date_of(text)[0] == DAY


@pytest.mark.parametrize("text", NOT_READ)
def test_other_text_is_not_a_date(text: str) -> None:
    assert date_of(text) == ()


def test_the_tables_are_as_long_as_promised() -> None:
    assert len(set(READ)) >= 40
    assert len(set(NOT_READ)) >= 30


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("'24.03.15", ("2024-03-15", "1924-03-15")),
        ("24.03.31", ("2024-03-31", "1924-03-31", "2031-03-24", "1931-03-24")),  # the year may come last
        ("99.12.31", ("1999-12-31", "2099-12-31")),
        ("00.02.29", ("2000-02-29",)),  # 1900 was no leap year
        ("03/04/2024", ("2024-03-04", "2024-04-03")),
        ("03.04.2024", ("2024-04-03",)),  # with points, the day comes first
        ("2024년 3월", ("2024-03",)),
        ("05/05/2024", ("2024-05-05",)),
    ],
)
def test_what_the_writing_leaves_open_keeps_every_reading(text: str, days: tuple[str, ...]) -> None:
    assert date_of(text) == days


@pytest.mark.parametrize(
    ("reference", "prediction", "equal"),
    [
        ("2024-03-15", "2024년 3월 15일", True),
        ("2024-03-15", "24.03.15", True),
        ("1924-03-15", "24.03.15", True),  # the other side says which century
        ("2024-03-15", "March 15, 2024 3:20 PM", False),  # near: the time is extra
        ("2024-03-15", "2024-03-15T00:00:00", True),  # midnight is how programs write a day
        ("2024-03-15T10:00", "2024-03-15T11:00", False),
        ("2024-03-15T10:00Z", "2024-03-15T19:00+09:00", True),  # one instant
        ("2024-03-15T23:00Z", "2024-03-16T08:00+09:00", True),
        ("2024년 3월", "2024-03", True),
        ("March 2024", "03/2024", True),
        ("14:30", "오후 2시 30분", True),
        ("14.30", "2:30 pm", True),
        ("14:30", "14.30", True),
        ("9시 반", "09:30", True),
        ("12:30 AM", "00:30", True),
        ("12:30 PM", "12:30", True),
        ("03/04/2024", "04/03/2024", False),  # one layout
        ("03/04/2024", "04-03-2024", False),
        ("03/04/2024", "04.03.2024", True),
        ("2024-04-03", "03/04/2024", True),
        ("2024-03-15", "2024-03-16", False),
        ("2024-03-15", 20240315, True),
        ("20240315", 20240315, True),
        ("2024-02-30", "2024.02.30", False),  # no date, so its text counts
    ],
)
def test_dates_are_equal_as_days_whatever_their_writing(reference: Any, prediction: Any, equal: bool) -> None:
    report = compare({"day": prediction}, {"day": reference})
    assert report.exact_accuracy == float(equal)


def test_a_field_given_as_a_date_leaves_times_aside() -> None:
    report = compare({"day": "2024-03-15T10:00"}, {"day": "2024-03-15 11:00"}, types={"day": "date"})
    assert report.exact_accuracy == 1.0


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        ("2024-03-15 18:42:07", "2024-03-15"),
        ("2024-03-15", "2024-03-15T10:00"),
        ("2024-03-15 18:42:07", "2024-03-15 18:42"),
        ("2024-03-15T10:00Z", "2024-03-15T10:00"),
    ],
)
def test_a_time_that_one_side_lacks_is_near_and_an_issue(reference: str, prediction: str) -> None:
    report = compare({"at": prediction}, {"at": reference})
    assert (report.exact_accuracy, report.fuzzy_accuracy) == (0.0, 1.0)
    assert "time_missing" in {issue.code for issue in report.issues}


def test_another_date_of_the_document_says_which_part_comes_first() -> None:
    due = {"due": "12/05/24", "paid": "30/05/24"}
    assert compare({"due": "2024-05-12", "paid": "30/05/24"}, due).exact_accuracy == 1.0
    assert compare({"due": "2024-12-05", "paid": "30/05/24"}, due).exact_accuracy == 0.5


def test_an_ambiguous_date_is_an_issue() -> None:
    report = compare({"day": "2024-04-03"}, {"day": "03/04/2024"})
    assert report.exact_accuracy == 1.0
    assert "ambiguous_date" in {issue.code for issue in report.issues}


def test_a_day_off_by_one_is_not_near() -> None:
    report = compare({"day": "2024-03-16"}, {"day": "2024-03-15"}, tau=0.5)
    assert report.fuzzy_accuracy == 0.0
    assert report.similarity == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("2024-02-30", "string"), ("12.5", "number"), ("1234567890", "identifier"), ("20240230", "number")],
)
def test_what_is_no_date_is_something_else(value: str, kind: str) -> None:
    assert kind_of(value) == kind


@given(st.dates(min_value=date(1970, 1, 1), max_value=date(2068, 12, 31)))
@settings(derandomize=True, deadline=None, max_examples=150)
def test_every_day_reads_back_from_all_its_writings(day: date) -> None:
    writings = [
        f"{day:%Y.%m.%d}",
        f"{day:%Y%m%d}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
        f"{day.year}년 {day.month}월 {day.day}일",
        f"{day:%y.%m.%d}",
        f"{day:%d/%m/%Y}",
        f"{day:%m/%d/%Y}",
    ]
    for text in writings:
        assert day.isoformat() in date_of(text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        *(
            (text, "2024-Q1")
            for text in ("Q1 2024", "1Q24", "2024 Q1", "2024-Q1", "2024년 1분기", "1. Quartal 2024", "Triwulan I 2024")
        ),
        *((text, "2024-H2") for text in ("H2 2024", "2024년 하반기", "2. Halbjahr 2024", "Semester II 2024")),
        *((text, "2024-W12") for text in ("2024-W12", "KW 12/2024", "Week 12 of 2024", "2024년 12주차")),
        *((text, "--03-05") for text in ("3월 5일", "March 5", "5. März", "5 Maret", "3월 5일(화)")),
        *((text, "2024-03") for text in ("2024-03", "03/2024", "March '24")),
    ],
)
def test_parts_of_years_and_days_without_one_are_read_beside_their_like(text: str, day: str) -> None:
    assert moment_of(text, loosely=True).days[0][1] == day


@pytest.mark.parametrize("text", ["Q5 2024", "3H24", "W54 2024", "13월 5일", "2월 30일", "March 32"])
def test_parts_that_no_year_has_are_not_read(text: str) -> None:
    assert not moment_of(text, loosely=True).days


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        *(("noon", "12:00"), ("자정", "00:00"), ("Mitternacht", "00:00"), ("tengah hari", "12:00")),
        *(
            ("half past three", "03:30"),
            ("quarter to five", "04:45"),
            ("halb vier", "03:30"),
            ("setengah empat", "03:30"),
        ),
        *(
            ("밤 11시", "23:00"),
            ("새벽 2시", "02:00"),
            ("낮 12시", "12:00"),
            ("밤 12시", "00:00"),
            ("오후 세 시", "15:00"),
        ),
        *(("jam 3 sore", "15:00"), ("pukul 7 pagi", "07:00"), ("8 malam", "20:00"), ("acht Uhr", "08:00")),
        *(("15 h", "15:00"), ("1430 hrs", "14:30"), ("0800", "08:00"), ("8 in the evening", "20:00")),
    ],
)
def test_times_in_words_are_read_beside_a_time(text: str, clock: str) -> None:
    hours, minutes = map(int, clock.split(":"))
    time = moment_of(text, loosely=True).time
    assert time is not None and time.seconds == hours * 3600 + minutes * 60


@pytest.mark.parametrize("text", ["단기 4357년 3월 15일", "令和6年3月15日", "民國113年3月15日", "서기 2024년 3월 15일"])
def test_years_of_an_era_are_counted_as_is_usual_today(text: str) -> None:
    assert date_of(text) == (DAY,)


def test_figures_are_a_day_beside_a_day_and_a_time_beside_a_time() -> None:
    assert moments_of("19.05", "19:05")[0].time and moments_of("19.05", "19. Mai")[0].days


def test_times_in_two_zones_are_the_same_only_at_one_instant() -> None:
    statuses = [
        compare({"x": b}, {"x": "15:00 UTC"}).field_results[0].status for b in ("15:00 KST", "00:00 KST", "15:00")
    ]
    assert statuses == ["FAIL", "FUZZY", "OK"]
