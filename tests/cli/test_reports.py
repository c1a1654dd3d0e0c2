"""`jatdae report` and `jatdae compare`: finished runs as text, alone and against each other."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.report import samples
from jatdae.run import api


@pytest.fixture
def runs(jatdae: Callable[..., Any], write: Callable[..., str]) -> tuple[str, str]:
    """Two runs on the same references, the second with one prediction worse and one better."""
    refs = write("refs.jsonl", [{"id": str(at), "reference": "abcd"} for at in range(6)])
    for name, words in (("old", "abcd abcd abcd abcd abc abcd"), ("new", "abcd abcd abcd x abcd abcd")):
        preds = write(f"{name}.jsonl", [{"id": str(at), "prediction": word} for at, word in enumerate(words.split())])
        assert jatdae("run", "marks", "--pred", preds, "--ref", refs, "--out", name).status == 0
    return "old", "new"


@pytest.mark.parametrize("format", ["md", "csv", "json"])
def test_a_report_is_printed_or_written(jatdae: Callable[..., Any], runs: tuple[str, str], format: str) -> None:
    printed = jatdae("report", runs[0], "--format", format)
    assert (printed.status, printed.err) == (0, "")
    for flags in (["-f", format, "-o", "file"], ["--out", f"file.{format}"]):
        assert jatdae("report", runs[0], *flags) == (0, "", f"Report written to {flags[-1]}\n")
        assert Path(flags[-1]).read_text() == printed.out


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout here")
def test_a_report_may_be_written_to_standard_output_by_its_name(
    jatdae: Callable[..., Any], process: Callable[..., Any], runs: tuple[str, str]
) -> None:
    printed = jatdae("report", runs[0], "-f", "md")
    written = process("report", runs[0], "-f", "md", "-o", "/dev/stdout")
    assert (written.returncode, written.stdout, written.stderr) == (0, printed.out, "")


def test_reports_say_what_the_run_says(jatdae: Callable[..., Any], runs: tuple[str, str]) -> None:
    summary = json.loads(Path("old/summary.json").read_text())
    assert json.loads(jatdae("report", "old", "-f", "json").out) == summary
    rows = list(csv.DictReader(io.StringIO(jatdae("report", "old", "-f", "csv").out)))
    assert float(rows[0]["macro"]) == summary["systems"][""]["metrics"]["exact"]["macro"] == 5 / 6
    assert "exact ↑  83.33 %" in jatdae("report", "old").out


def test_a_run_of_any_size_has_a_page_that_says_what_it_is_made_of(
    jatdae: Callable[..., Any], write: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "MOST_VALUES", 20)
    monkeypatch.setattr(samples, "MOST_WORST", 10)
    rows = [{"id": str(at), "prediction": "a" * (at % 7), "reference": "aaa"} for at in range(100)]
    assert "report.html" in jatdae("run", "marks", write("many.jsonl", rows), "--out", "many").out
    page = Path("many/report.html").read_text()
    assert "This page has 20 of 100 rows: the 10 worst" in page
    assert "this page has 20 of 100 rows" in page.partition('id="verdict"')[0]
    assert jatdae("report", "many", "-f", "html", "-o", "again.html").status == 0
    assert Path("again.html").read_text() == page


def test_the_page_of_a_run_shows_its_gates(jatdae: Callable[..., Any], runs: tuple[str, str], pairs: str) -> None:
    assert jatdae("run", "marks", pairs, "--fail-under", "exact=99%", "--out", "gated").status == 1
    assert "exact ≥ 99.00 %" in " ".join(re.sub("<[^>]*>", "", Path("gated/report.html").read_text()).split())
    assert jatdae("report", "old", "-f", "html", "-o", "old.html", "--fail-over", "gap=0.5").status == 0
    assert "gap ≤ 0.5000: met" in " ".join(re.sub("<[^>]*>", "", Path("old.html").read_text()).split())


def test_systems_are_compared_once_for_page_and_terminal(
    jatdae: Callable[..., Any], write: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    monkeypatch.setattr(api, "compare_with_best", lambda *given: calls.append(given) or [])
    rows = [{"id": "1", "system": name, "prediction": "a", "reference": "a"} for name in "ab"]
    assert jatdae("run", "marks", write("two.jsonl", rows), "--out", "two").status == 0
    assert len(calls) == 1


def test_a_report_without_texts_has_numbers_for_ids(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    rows = [{"id": "Kim", "prediction": "secret one", "reference": "secret two"}]
    assert jatdae("run", "marks", write("people.jsonl", rows), "--out", "people").status == 0
    for format in ("console", "md", "csv", "json", "latex", "junit"):
        told = jatdae("report", "people", "-f", format, "--numbers-only")
        assert told.status == 0
        assert "0.00" in told.out or "0.0" in told.out
        assert "Kim" not in told.out
        assert "secret" not in told.out


def test_a_page_without_texts_leaves_the_page_of_the_run_as_it_is(
    jatdae: Callable[..., Any], write: Callable[..., str]
) -> None:
    rows = [{"id": "Kim", "prediction": "secret one", "reference": "secret two"}]
    assert jatdae("run", "marks", write("people.jsonl", rows), "--out", "people").status == 0
    before = Path("people/report.html").read_bytes()
    told = jatdae("report", "people", "-f", "html", "--numbers-only")
    assert told.status == 0
    assert "report.numbers.html" in told.err
    assert Path("people/report.html").read_bytes() == before
    page = Path("people/report.numbers.html").read_text()
    assert "Kim" not in page
    assert "secret" not in page


REPORTS = {
    "no such configuration folder": (["none"], "none: no such run folder"),
    "a file": (["refs.jsonl"], "refs.jsonl: a file, not a run folder"),
    "an empty folder": (["empty"], "empty: not a run folder"),
    "an unfinished run": (["unfinished"], "unfinished: the run is not finished"),
    "a broken summary": (["broken"], "summary.json: the file is damaged (not valid JSON)"),
    "no such format": (["old", "--format", "pdf"], "--format"),
    "a file of no format": (["old", "-o", "file.txt"], "file.txt: choose a format with --format: md, csv, json"),
    "a console in a file": (["old", "-f", "console", "-o", "file.md"], "choose a format"),
    "no place to write": (["old", "-o", "none/file.md"], "none/file.md: cannot be written"),
    "no run": ([], "RUN is missing"),
}


@pytest.mark.parametrize(("arguments", "told"), REPORTS.values(), ids=REPORTS)
def test_a_report_that_cannot_be_made_says_why(
    jatdae: Callable[..., Any], runs: tuple[str, str], write: Callable[..., str], arguments: list[str], told: str
) -> None:
    Path("empty").mkdir()
    write("unfinished/manifest.json", Path("old/manifest.json").read_text())
    write("broken/summary.json", '{"evaluator": ')
    ended = jatdae("report", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert told in ended.err


def test_two_runs_are_compared_sample_by_sample(jatdae: Callable[..., Any], runs: tuple[str, str]) -> None:
    ended = jatdae("compare", *runs)
    assert (ended.status, ended.err) == (0, "")
    assert "old → new" in ended.out
    assert "1/4/1" in ended.out
    assert "Worst regressions (exact)" in ended.out
    compared = json.loads(jatdae("compare", *runs, "--json").out)
    exact = next(each for each in compared["differences"] if each["metric"]["name"] == "exact")
    assert (exact["wins"], exact["ties"], exact["losses"], exact["delta"]) == (1, 4, 1, 0.0)
    assert exact["regressions"] == [{"id": "3", "unit": "", "a": 1.0, "b": 0.0}]


def test_a_comparison_says_where_it_was_written(
    jatdae: Callable[..., Any], runs: tuple[str, str], tmp_path: Path
) -> None:
    ended = jatdae("compare", *runs, "-o", str(tmp_path / "both.md"))
    assert (ended.out, ended.err) == ("", f"Report written to {tmp_path / 'both.md'}\n")


def test_two_systems_of_one_run_are_compared(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    first = write("first.jsonl", [{"id": "1", "prediction": "a", "reference": "b"}])
    second = write("second.jsonl", [{"id": "1", "prediction": "b", "reference": "b"}])
    jatdae("run", "marks", first, second, "--out", "both")
    ended = jatdae("compare", "both", "--systems", "first", "second")
    assert ended.status == 0
    assert "first → second" in ended.out
    assert jatdae("compare", "--systems", "first", "second", "both") == ended
    near = jatdae("compare", "both", "--systems", "first", "secnod")
    assert near.status == 2
    assert "Unknown system 'secnod'. Did you mean 'second'?" in near.err
    assert "The run has several systems: first, second" in jatdae("compare", "both", "both").err


def test_what_cannot_be_compared_is_refused(jatdae: Callable[..., Any], runs: tuple[str, str], pairs: str) -> None:
    jatdae("run", "marks", pairs, "--out", "other")
    for arguments, told in (
        (["old"], "Give at least two run folders"),
        (["old", "new", "old"], "Give at least two run folders"),
        (["old", "other"], "cannot be compared: refs: "),
        (["old", "none"], "none: no such run folder"),
    ):
        ended = jatdae("compare", *arguments)
        assert (ended.status, ended.out) == (2, "")
        assert told in ended.err


def test_one_of_systems_without_a_name_cannot_be_chosen(jatdae: Callable[..., Any], runs: tuple[str, str]) -> None:
    for flag in ("--only", "--skip"):
        ended = jatdae("paper", "old", flag, "x")
        assert (ended.status, ended.out) == (2, "")
        assert "the only system of the run has none. Leave them out, or run again with --system NAME=PATH." in ended.err


def test_a_page_of_a_comparison_has_evidence_for_as_many_samples_as_asked_for(
    jatdae: Callable[..., Any], runs: tuple[str, str]
) -> None:
    made = [jatdae("compare", *runs, "-f", "html", "--samples", given) for given in ("0", "all")]
    assert [each.status for each in made] == [0, 0]
    assert "Samples with evidence: 0" in made[0].out
    assert "Each has evidence." in made[1].out
    refused = jatdae("compare", *runs, "-f", "html", "--samples", "-1")
    assert refused.status == 2
