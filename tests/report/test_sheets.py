"""The tables of a summary: what is shown of one system and of several, what is best, what went wrong."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae.core.contract import Metric, Sample
from jatdae.core.meanings import meanings_of
from jatdae.core.messages import choose_language, printable
from jatdae.core.registry import find
from jatdae.report.differences import change, difference_sheets
from jatdae.report.sheets import (
    Sheet,
    SheetCell,
    issue_text,
    key_label,
    metric_label,
    near_baselines,
    number,
    sheets,
    span,
    system_label,
)
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import Comparison, Difference, PairedValues
from jatdae.run.stats.mistakes import Mistake


def entry(macro: float | None, **given: Any) -> dict[str, Any]:
    n = 0 if macro is None else 4
    return {"macro": macro, "micro": None, "n": n, "na": 4 - n, "ci": None, "micro_ci": None, **given}


def system(teds: dict[str, Any], cer: dict[str, Any], **given: Any) -> dict[str, Any]:
    return {"n": 4, "metrics": {"teds": teds, "cer": cer}, "issues": {}, "units": {}, **given}


def summary(**systems: dict[str, Any]) -> dict[str, Any]:
    return {
        "evaluator": "tables",
        "signature": "jatdae 1 | tables",
        "metrics": {
            "teds": {"better": "higher", "unit": "", "worst": 0.0, "primary": True},
            "cer": {"better": "lower", "unit": "%", "worst": 1.0, "primary": False},
        },
        "input": {"rows": 4, "bad_rows": 0, "bad_examples": [], "extra_predictions": {}},
        "systems": {name.replace("_", ""): described for name, described in systems.items()},
        "baselines": {},
    }


def texts(sheet: Sheet) -> list[list[str]]:
    return [[cell.text for cell in row] for row in sheet.rows]


def best(sheet: Sheet) -> list[list[str]]:
    return [[cell.text for cell in row if cell.best] for row in sheet.rows]


def test_one_system_is_shown_with_intervals_micro_and_counts() -> None:
    one = system(entry(0.5, ci=[0.25, 0.75], micro=0.4), entry(0.05, ci=[0.0, 0.1], na=2))
    (sheet,) = sheets(summary(_=one))
    assert (sheet.title, sheet.note) == ("tables", "jatdae 1 | tables")
    assert sheet.header == ("metric", "mean", "95 % interval", "micro", "n", "N/A")
    assert texts(sheet) == [
        ["teds ↑", "0.5000", "0.2500 – 0.7500", "0.4000", "4", "–"],
        ["cer ↓", "5.00 %", "0.00 – 10.00", "–", "4", "2"],
    ]
    assert best(sheet) == [["teds ↑", "0.5000"], []]
    assert sheets(summary(named=one))[0].title == "tables · named"


def test_what_has_no_value_says_why_where_the_metric_knows_and_how_often_where_not() -> None:
    none, few = entry(None, n=0, na=4), entry(0.5, n=1, na=3)
    told = {
        "one": {"no_structure": {"info": 4}, "no_reference_table": {"info": 4}},
        "two": {"no_reference_table": {"info": 3}, "no_structure": {"info": 1}},
        "three": {"no_reference_table": {"info": 3}},
        "four": {"unheard_of": {"info": 4}},
    }
    made = summary(**{name: system(none, few, issues=issues) for name, issues in told.items()})
    made["metrics"]["teds"]["absent"] = made["metrics"]["cer"]["absent"] = ["no_structure", "no_reference_table"]
    assert texts(sheets(made)[0])[0:3:2] == [
        ["teds ↑", "N/A (no structure)", "N/A (no structure, no table in the reference)", "N/A (4 N/A)", "N/A (4 N/A)"],
        ["cer ↓", *["50.00 % (3 N/A)"] * 4],
    ]
    made["systems"] = {"one": made["systems"]["one"]}
    assert texts(sheets(made)[0])[0] == ["teds ↑", "N/A (no structure)", "–", "–", "0", "4"]
    choose_language("ko")
    assert texts(sheets(made)[0])[0][1] == "N/A (구조 없음)"


def test_several_systems_stand_side_by_side_and_the_best_is_strong_in_its_direction() -> None:
    a = system(entry(0.9, ci=[0.85, 0.95]), entry(0.10))
    b = system(entry(0.8, ci=[0.5, 1.0]), entry(0.05, na=1))
    c = system(entry(None), entry(0.05))
    (sheet,) = sheets(summary(a=a, b=b, c=c))
    assert sheet.header == ("metric", "a", "b", "c")
    assert texts(sheet) == [
        ["teds ↑", "0.9000", "0.8000", "N/A (4 N/A)"],
        ["95 % interval", "0.8500 – 0.9500", "0.5000 – 1.0000", "–"],
        ["cer ↓", "10.00 %", "5.00 % (1 N/A)", "5.00 %"],
        ["samples", "4", "4", "4"],
    ]
    assert best(sheet) == [["teds ↑", "0.9000"], [], ["5.00 % (1 N/A)", "5.00 %"], []]


def test_where_no_system_has_a_value_none_is_best() -> None:
    (sheet,) = sheets(summary(a=system(entry(None), entry(0.1)), b=system(entry(None), entry(0.1))))
    assert best(sheet)[0] == ["teds ↑"]


def sliced(value: float) -> dict[str, Any]:
    inside = {"n": 4, "metrics": {"teds": entry(value, n=3, na=1, ci=[0.0, 1.0]), "cer": entry(0.1)}}
    return {"lang": {"": inside, "ko": inside}}


def test_slices_show_the_primary_metric() -> None:
    one = system(entry(0.5), entry(0.1), slices=sliced(0.5))
    _, sheet = sheets(summary(_=one))
    assert (sheet.title, sheet.header) == ("By lang", ("lang", "teds ↑", "95 % interval", "n", "N/A"))
    assert texts(sheet) == [[label, "0.5000", "0.0000 – 1.0000", "3", "1"] for label in ("(none)", "ko")]
    _, sheet = sheets(summary(a=one, b=system(entry(0.5), entry(0.1), slices=sliced(0.25))))
    assert sheet.header == ("lang", "system", "teds ↑", "95 % interval", "n", "N/A")
    assert [row[:3] for row in texts(sheet)] == [
        ["(none)", "a", "0.5000"], ["ko", "a", "0.5000"], ["(none)", "b", "0.2500"], ["ko", "b", "0.2500"],
    ]  # fmt: skip


def test_units_have_a_sheet_for_each_kind() -> None:
    metrics = {"teds": entry(0.5, n=9, na=0), "cells": entry(0.25, na=5)}
    units = {"table": {"n": 9, "metrics": metrics, "slices": {}}}
    _, sheet = sheets(summary(a=system(entry(0.5), entry(0.1), units=units), b=system(entry(0.5), entry(0.1))))
    assert sheet.title == "Per table"
    assert texts(sheet) == [
        ["teds ↑", "a", "0.5000", "–", "9", "–"],
        ["cells", "a", "0.2500", "–", "4", "5"],
    ]


@pytest.mark.parametrize(("kind", "title"), [("table", "Per table, by shape"), ("shape", "By shape")])
def test_units_are_shown_by_their_labels(kind: str, title: str) -> None:
    by_label = {
        "shape": {"simple": {"n": 2, "metrics": {"teds": entry(0.75, n=2, na=0)}}, "odd": {"n": 1, "metrics": {}}}
    }
    units = {kind: {"n": 3, "metrics": {}, "slices": by_label}}
    _, sheet, _ = sheets(summary(a=system(entry(0.5), entry(0.1), units=units), b=system(entry(0.5), entry(0.1))))
    assert (sheet.title, texts(sheet)) == (title, [["simple", "a", "0.7500", "–", "2", "–"]])
    units[kind]["slices"] = {"shape": {"odd": {"n": 1, "metrics": {}}}}
    assert len(sheets(summary(a=system(entry(0.5), entry(0.1), units=units)))) == 2


def test_baselines_have_a_sheet_of_their_own() -> None:
    given = summary(a=system(entry(0.5), entry(0.1)))
    given["baselines"] = {"empty": system(entry(0.0), entry(1.0)), "copy": system(entry(None), entry(0.5))}
    _, sheet = sheets(given)
    assert sheet.header == ("metric", "empty", "copy")
    assert texts(sheet) == [["teds ↑", "0.0000", "N/A"], ["cer ↓", "100.00 %", "50.00 %"]]


def test_whatever_went_wrong_is_counted_and_explained() -> None:
    given = summary(_=system(entry(0.5), entry(0.1), issues={
        "missing_prediction": {"error": 2}, "own_code": {"info": 1, "warning": 2},
    }))  # fmt: skip
    given["input"] |= {"bad_rows": 3, "bad_examples": ["f:2:1: bad"], "extra_predictions": {"": 7, "other": 0}}
    _, sheet = sheets(given)
    assert texts(sheet) == [
        ["bad_row", "error", "–", "3", "f:2:1: bad"],
        ["extra_prediction", "warning", "all", "7", "predictions without a reference"],
        ["missing_prediction", "error", "all", "2", "no prediction; scored as the worst value"],
        ["own_code", "warning", "all", "2", ""],
        ["own_code", "info", "all", "1", ""],
    ]


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (None, "%", "N/A"), (0.0521, "%", "5.21 %"), (1.0, "%", "100.00 %"), (0.123456, "", "0.1235"),
        (-0.0125, "pp", "-1.25 pp"), (12.0, "", "12.0000"),
    ],
)  # fmt: skip
def test_numbers_are_shown_in_their_unit(value: float | None, unit: str, shown: str) -> None:
    assert number(value, unit) == shown


def test_intervals_are_shown_in_the_same_unit() -> None:
    assert span([0.01, 0.025], "%") == "1.00 – 2.50"
    assert span((0.01, 0.025), "") == "0.0100 – 0.0250"
    assert span(None, "%") == "–"


def test_labels() -> None:
    assert (metric_label("a", "higher"), metric_label("a", "lower"), metric_label("a", None)) == ("a ↑", "a ↓", "a")
    assert (system_label(""), system_label("x")) == ("all", "x")
    assert issue_text("missing_reference", "none of that name")
    assert issue_text("of nobody", "none of that name") == ""
    assert printable("a\x1b\x9b\u202e\n한 é") == "a����한 é"


@pytest.mark.parametrize(
    ("key", "shown"),
    [("a→b", "a→b"), ('"→', '"→∅'), ("→ 1", "∅→␣1"), (" → ", "␣→␣"), ("unit price", "unit price"), ("", "∅")],
)
def test_nothing_and_spaces_in_keys_can_be_seen(key: str, shown: str) -> None:
    assert key_label(Mistake("confusions", key, "", {}, {}, {}), meanings_of(find("text"))) == shown


def test_tables_speak_korean() -> None:
    choose_language("ko")
    (sheet,) = sheets(summary(_=system(entry(0.5), entry(0.1))))
    assert sheet.header[:3] == ("지표", "평균", "95 % 신뢰구간")


def difference(better: Any, a: float | None, b: float | None, **given: Any) -> Difference:
    delta = None if a is None or b is None else b - a
    filled: dict[str, Any] = {
        "n": 4, "unpaired": 0, "a": a, "b": b, "delta": delta, "ci": None, "p": None, "p_holm": None, "wins": 1,
        "ties": 2, "losses": 1, "regressions": (), **given,
    }  # fmt: skip
    return Difference(Metric("m", better, 0.0, "%", True), **filled)


@pytest.mark.parametrize(
    ("row", "strong"),
    [
        (difference("higher", 0.5, 0.75), ["m ↑", "75.00 %"]),
        (difference("higher", 0.75, 0.5), ["m ↑", "75.00 %"]),
        (difference("lower", 0.5, 0.75), ["m ↓", "50.00 %"]),
        (difference("lower", 0.5, 0.5), ["m ↓"]),
        (difference("lower", None, 0.5), ["m ↓"]),
    ],
)
def test_the_better_side_of_a_comparison_is_strong(row: Difference, strong: list[str]) -> None:
    (sheet,) = difference_sheets(Comparison("old", "new", "signature", (row,)))
    assert best(sheet) == [strong]


def test_a_comparison_shows_what_is_known_of_each_metric() -> None:
    row = difference(
        "lower", 0.5, 0.75, ci=(0.1, 0.4), p=0.0043, p_holm=0.0123, regressions=(PairedValues("id 7", "", 0.1, 0.9),)
    )
    sheet, worst = difference_sheets(Comparison("old", "new", "signature", (row, difference("lower", None, None, n=0))))
    assert sheet.title == "old → new"
    assert texts(sheet) == [
        ["m ↓", "50.00 %", "75.00 %", "+25.00 pp", "10.00 – 40.00", ".004", ".012", "1/2/1", "4"],
        ["m ↓", "–", "–", "no pairs", "–", "–", "–", "–", "0"],
    ]
    assert worst.rows == ((SheetCell("id 7"), SheetCell("10.00 %"), SheetCell("90.00 %")),)


@pytest.mark.parametrize(("unit", "shown"), [("%", "-1.20 pp"), ("pp", "-1.20 pp"), ("", "-0.0120"), ("s", "-0.0120")])
def test_a_difference_is_shown_on_the_scale_of_its_values(unit: str, shown: str) -> None:
    assert change(-0.012, unit) == shown


def test_a_comparison_says_what_its_pairs_are_where_they_are_not_plain_samples() -> None:
    lost = (PairedValues("p2", "1", 0.5, 0.3),)
    turns = difference("higher", 0.5, 0.25, n=9, by="turn", clusters=3, unpaired=2, regressions=lost)
    whole = difference("higher", 0.5, 0.25, n=3, clusters=3)
    sheet, worst = difference_sheets(Comparison("old", "new", "signature", (turns, whole)))
    assert sheet.header[8:] == ("n", "paired by", "clusters", "unpaired")
    assert [row[8:] for row in texts(sheet)] == [["9", "turn", "3", "2"], ["3", "sample", "3", "0"]]
    assert sheet.hint == "No p-values: 3 clusters, and at least 20 are needed."
    assert (worst.header[0], worst.rows[0][0].text) == ("id · turn", "p2 · 1")


def test_where_all_are_alike_none_is_best() -> None:
    alike = summary(
        a=system(entry(0.5), entry(0.1)), b=system(entry(0.5), entry(0.2)), c=system(entry(None), entry(0.3))
    )
    assert best(sheets(alike)[0]) == [["teds ↑"], [], ["10.00 %"], []]


def test_kinds_of_units_are_called_in_the_readers_language() -> None:
    merged = "<table><tr><td colspan=2>a</td></tr><tr><td>1</td><td>2</td></tr></table>"
    result = evaluate(
        [Sample("x", merged, merged), Sample("y", "| a |\n|---|\n| 1 |", "| a |\n|---|\n| 2 |")], "tables"
    )
    choose_language("ko")
    titles = [sheet.title for sheet in sheets(result.summary)]
    assert "표별 수치" in titles
    assert "표의 복잡도별 수치" in titles
    choose_language("en")
    assert "Per table" in [sheet.title for sheet in sheets(result.summary)]


def test_systems_not_clearly_better_than_a_baseline_are_named_in_one_warning_a_metric() -> None:
    def mean(value: float | None) -> dict[str, Any]:
        return {"metrics": {"score": {"macro": value}}}

    summary = {
        "evaluator": "any",
        "metrics": {"score": {"better": "higher", "unit": "", "margin": 0.1}},
        "systems": {"near": mean(0.5), "far": mean(0.6), "none": mean(None), "below": mean(0.2)},
        "baselines": {"empty": mean(0.1), "constant": mean(0.45)},
    }
    (warning,) = near_baselines(summary)
    assert warning == "Not clearly better than the baseline constant (0.4500) in score: near (0.5000), below (0.2000)."
    summary["metrics"] = {"score": {"better": "higher", "unit": ""}}
    assert [*near_baselines(summary)] == []


def test_a_word_for_a_key_of_one_table_comes_before_that_for_any() -> None:
    meanings = meanings_of(find("documents"))
    told = {
        table: key_label(Mistake(table, "missed", "", {"": 1}, {"": 1}, {"": []}), meanings)
        for table in ("table_errors", "formula_errors")
    }
    assert told == {"table_errors": "table missing", "formula_errors": "formula missing"}
