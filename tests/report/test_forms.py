"""Summaries as text: Markdown, CSV, JSON, and the console."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jatdae.report.console import show_sheet, show_summary
from jatdae.report.forms import FORMATS, format_of, json_text, to_csv, to_markdown
from jatdae.report.sheets import Sheet, SheetCell


def entry(macro: float | None, **given: Any) -> dict[str, Any]:
    return {"macro": macro, "micro": None, "n": 1, "na": 0, "ci": None, "micro_ci": None, **given}


def summary(names: list[str], slices: dict[str, Any] | None = None) -> dict[str, Any]:
    def described(at: int) -> dict[str, Any]:
        made = {"n": 1, "metrics": {"cer": entry(at / 8, ci=[0.0, 1 / 3], micro=0.1)}, "issues": {}, "units": {}}
        return {**made, **({"slices": slices} if slices else {})}

    return {
        "evaluator": "text",
        "signature": "jatdae 1 | text | steps:`a`",
        "metrics": {"cer": {"better": "lower", "unit": "%", "worst": 1.0, "primary": True}},
        "input": {"rows": 1, "bad_rows": 0, "bad_examples": [], "extra_predictions": {}},
        "systems": {name: described(at) for at, name in enumerate(names)},
        "baselines": {},
    }


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.html", "html"), ("a.HTM", "html"), ("b/a.md", "md"), ("a.markdown", "md"), ("a.tex", "latex"),
     ("a.csv", "csv"), ("a.json", "json"), ("a.xml", "junit"), ("a.txt", None), ("html", None), (".html", None)],
)  # fmt: skip
def test_the_suffix_of_a_file_asks_for_a_format(name: str, format: str | None) -> None:
    assert format_of(Path(name)) == format


def test_markdown_is_a_table_with_the_best_in_bold() -> None:
    assert to_markdown(summary(["a", "b"])) == (
        "## text\n\n| metric | a | b |\n| --- | --- | --- |\n| **cer ↓** | **0.00 %** | 12.50 % |\n"
        "| 95 % interval | 0.00 – 33.33 | 0.00 – 33.33 |\n| samples | 1 | 1 |\n\n`jatdae 1 | text | steps:a`\n"
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a|b", r"a\|b"), ("a\\|b", r"a\\\|b"), ("*a*", r"\*a\*"), ("_a_b_", r"\_a_b\_"), ("__a__", r"\_\_a\_\_"),
        ("![x](http://y.z)", r"!\[x\](http\://y.z)"), ("www.x.y", r"www\.x.y"), ("<b>&amp;", "&lt;b>&amp;amp;"),
        ("`a`", r"\`a\`"), ("a\r\nb\x1b[0m", "a b�\\[0m"), ("$x$ ~~y~~ #1 @me", r"\$x\$ \~\~y\~\~ \#1 \@me"),
        ("한글 é", "한글 é"),
    ],
)  # fmt: skip
def test_a_name_is_text_in_markdown(name: str, written: str) -> None:
    header = to_markdown(summary([name, "plain"])).splitlines()[2]
    assert header == f"| metric | {written} | plain |"


def test_csv_has_one_line_for_each_system_slice_and_metric_in_full_precision() -> None:
    slices = {"lang": {"ko": {"n": 1, "metrics": {"cer": entry(None, n=0, na=1)}}}}
    rows = list(csv.reader(io.StringIO(to_csv(summary(["a", "=b"], slices)))))
    assert rows[0] == ["system", "slice", "value", "metric", "macro", "ci_low", "ci_high", "micro", "micro_ci_low",
                       "micro_ci_high", "n", "na", "mistake", "key", "count", "samples", "worst"]  # fmt: skip
    assert {tuple(row[12:]) for row in rows[1:]} == {("",) * 5}
    assert [row[:12] for row in rows[1:]] == [
        ["a", "", "", "cer", "0.0", "0.0", "0.3333333333333333", "0.1", "", "", "1", "0"],
        ["a", "lang", "ko", "cer", "", "", "", "", "", "", "0", "1"],
        ["'=b", "", "", "cer", "0.125", "0.0", "0.3333333333333333", "0.1", "", "", "1", "0"],
        ["'=b", "lang", "ko", "cer", "", "", "", "", "", "", "0", "1"],
    ]


@pytest.mark.parametrize(
    ("name", "written"),
    [("=1", "'=1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\t=1", "'�=1"), ("\r=1", "'�=1"), ("\n=1", "'�=1"),
     ("a,\"b\"", 'a,"b"'), ("a=1", "a=1"), ("", "")],
)  # fmt: skip
def test_a_name_is_no_formula_in_csv(name: str, written: str) -> None:
    rows = list(csv.reader(io.StringIO(to_csv(summary([name])))))
    assert (len(rows), len(rows[1]), rows[1][0]) == (2, 17, written)


def test_json_is_the_summary_itself() -> None:
    given = summary(["한글 \x9b\u2028\ud800 é"])
    text = FORMATS["json"](given)
    assert json.loads(text) == given
    assert text.encode().decode() == text
    assert "한글 \\u009b\\u2028\\ud800 é" in text


def test_json_knows_no_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"value": float("nan")})


def shown(sheet: Sheet, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    show_sheet(sheet, console)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]


def sheet_of(*rows: list[str], header: tuple[str, ...] = ("name", "meaning", "n"), note: str = "") -> Sheet:
    return Sheet("title", header, tuple(tuple(map(SheetCell, row)) for row in rows), note)


def test_words_stand_left_and_numbers_right() -> None:
    assert shown(sheet_of(["a", "short", "1"], ["bb", "a longer text", "100"], note="note"), 80) == [
        "title", "name  meaning          n", "a     short            1", "bb    a longer text  100", "note", "",
    ]  # fmt: skip


def test_words_are_folded_and_numbers_never() -> None:
    lines = shown(sheet_of(["a", "words that do not fit on one line", "1234567"]), 32)
    assert lines[1:] == [
        "name  meaning                  n",
        "a     words that do not  1234567",
        "      fit on one line",
        "",
    ]


def test_what_is_too_wide_goes_below() -> None:
    assert shown(sheet_of(["a row", "12.5", "7"], ["b row", "3", "10"], header=("metric", "one", "two")), 13) == [
        "title", "metric   one", "a row   12.5", "b row      3", "metric  two", "a row     7", "b row    10", "",
    ]  # fmt: skip


def test_an_empty_sheet_shows_its_header() -> None:
    assert shown(Sheet("title", ("a", "b"), ()), 40) == ["title", "a  b", ""]


def test_wide_characters_count_as_they_are_seen() -> None:
    lines = shown(sheet_of(["가나다", "1", "2"], ["a", "10", "20"], header=("이름", "하나", "둘")), 40)
    assert lines[2:4] == ["가나다     1   2", "a         10  20"]


def test_markup_is_shown_as_it_is() -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=True, highlight=False)
    show_summary(summary(["[red]x[/red] :smile:", "b"]), console)
    assert "[red]x[/red] :smile:" in console.file.getvalue()  # type: ignore[attr-defined]


def test_hundreds_of_slices_are_cut_on_a_terminal_and_counted() -> None:
    slices = {"page": {f"p{at:03}": {"n": 1, "metrics": {"cer": entry(0.1)}} for at in range(100)}}
    console = Console(file=io.StringIO(), width=80, highlight=False)
    show_summary(summary(["a"], slices), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert ("p039" in text, "p040" in text) == (True, False)
    assert "More rows: 60. To see all: jatdae report RUN -f csv" in text
    assert "p099" in to_markdown(summary(["a"], slices))
