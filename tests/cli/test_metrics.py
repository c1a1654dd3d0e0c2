"""`--metrics` on run, report, compare and paper: selects what is shown and tested, and moves no byte of a run."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest


@pytest.fixture
def runs(jatdae: Callable[..., Any], write: Callable[..., str]) -> tuple[str, str]:
    """Two runs of 24 samples on the same references, the second worse in both metrics."""
    refs = write("refs.jsonl", [{"id": str(at), "reference": "abcd"} for at in range(24)])
    for name, kept in (("old", 4), ("new", 3)):
        rows = [{"id": str(at), "prediction": "abcd"[: 4 if at % 3 else kept]} for at in range(24)]
        assert jatdae("run", "marks", "--pred", write(f"{name}.jsonl", rows), "--ref", refs, "--out", name).status == 0
    return "old", "new"


def bytes_of(folder: str) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


def test_a_run_shows_the_metrics_asked_for_and_writes_the_same_bytes(jatdae: Callable[..., Any], pairs: str) -> None:
    plain = jatdae("run", "marks", pairs, "--out", "plain")
    asked = jatdae("run", "marks", pairs, "--out", "asked", "--metrics", "gap")
    assert "exact ↑" in plain.out
    assert "gap is " in asked.out
    assert "exact ↑" not in asked.out
    assert "1 more metrics with --metrics all: exact" in asked.out
    one, other = bytes_of("plain"), bytes_of("asked")
    assert one.keys() == other.keys()
    for name in (each for each in one if each.startswith("parts/") or each in ("summary.json", "report.html")):
        assert one[name] == other[name], name
    signatures = [json.loads(files["manifest.json"])["signature"] for files in (one, other)]
    assert signatures[0] == signatures[1]


def test_json_of_a_run_is_whole_unless_metrics_are_asked_for(jatdae: Callable[..., Any], pairs: str) -> None:
    told = json.loads(jatdae("run", "marks", pairs, "--out", "run", "--json").out)
    assert list(told["metrics"]) == ["exact", "gap"]
    told = json.loads(jatdae("run", "marks", pairs, "--out", "run", "--metrics", "gap", "--json").out)
    assert list(told["metrics"]) == ["gap"]


@pytest.mark.parametrize("asked", ["gpa", "exact,gpa", "", ",", "gap.micro"])
def test_an_unknown_metric_is_refused_before_the_work(jatdae: Callable[..., Any], pairs: str, asked: str) -> None:
    ended = jatdae("run", "marks", pairs, "--out", "run", "--metrics", asked)
    assert (ended.status, ended.out) == (2, "")
    assert "exact, gap" in ended.err
    assert "gpa" not in asked or "Did you mean 'gap'?" in ended.err
    assert not Path("run").exists()


@pytest.mark.parametrize("command", [["report", "old"], ["compare", "old", "new"], ["paper", "old"]])
def test_an_unknown_metric_is_refused_by_every_command(
    jatdae: Callable[..., Any], runs: tuple[str, str], command: list[str]
) -> None:
    ended = jatdae(*command, "--metrics", "gpa")
    assert (ended.status, ended.out) == (2, "")
    assert "Did you mean 'gap'?" in ended.err


@pytest.mark.parametrize("format", ["console", "md", "latex"])
def test_a_report_shows_the_metrics_asked_for(jatdae: Callable[..., Any], runs: tuple[str, str], format: str) -> None:
    text = jatdae("report", "new", "-f", format, "--metrics", "gap").out
    assert "gap is 0.0833" in text
    assert "exact" not in text.replace("all: exact", "")
    assert "exact is 66.67" in jatdae("report", "new", "-f", format, "--metrics", " exact , gap ").out


def test_data_for_other_programs_is_whole_unless_metrics_are_asked_for(
    jatdae: Callable[..., Any], runs: tuple[str, str]
) -> None:
    def names(*flags: str) -> list[list[str]]:
        rows = csv.DictReader(io.StringIO(jatdae("report", "new", "-f", "csv", *flags).out))
        told = json.loads(jatdae("report", "new", "-f", "json", *flags).out)
        tests = ElementTree.fromstring(jatdae("report", "new", "-f", "junit", *flags).out)
        cases = [case.attrib["name"] for case in tests.iter("testcase")]
        return [[row["metric"] for row in rows], list(told["metrics"]), cases]

    assert names() == [["exact", "gap"]] * 3
    assert names("--metrics", "gap") == [["gap"]] * 3


def test_a_page_of_some_metrics(jatdae: Callable[..., Any], runs: tuple[str, str]) -> None:
    assert jatdae("report", "new", "-o", "all.html").status == 0
    assert jatdae("report", "new", "-o", "some.html", "--metrics", "gap").status == 0
    assert "exact ↑" in Path("all.html").read_text()
    assert "exact ↑" not in Path("some.html").read_text()


def test_a_metric_with_a_gate_is_shown_too(jatdae: Callable[..., Any], runs: tuple[str, str]) -> None:
    for format in ("console", "md", "junit"):
        ended = jatdae("report", "new", "-f", format, "--metrics", "gap", "--fail-under", "exact=90%")
        assert (ended.status, ended.err) == (1, "Gate failed: all: exact = 66.67 % < 90.00 %\n")
        assert "exact" in ended.out


def test_holm_corrects_over_the_metrics_asked_for(jatdae: Callable[..., Any], runs: tuple[str, str]) -> None:
    def found(*flags: str) -> dict[str, Any]:
        told = json.loads(jatdae("compare", *runs, "--json", *flags).out)
        return {row["metric"]["name"]: row for row in told["differences"]}

    both, one = found(), found("--metrics", "gap")
    assert list(both) == ["exact", "gap"]
    assert list(one) == ["gap"]
    assert one["gap"]["p"] == both["gap"]["p"] == one["gap"]["p_holm"]
    assert both["gap"]["p_holm"] == pytest.approx(2 * both["gap"]["p"])
    assert "exact" not in jatdae("compare", *runs, "--metrics", "gap").out


def test_a_paper_has_the_columns_asked_for(jatdae: Callable[..., Any], runs: tuple[str, str]) -> None:
    for format in ("console", "md", "latex", "csv"):
        assert "exact" in jatdae("paper", "new", "-f", format).out
        told = jatdae("paper", "new", "-f", format, "--metrics", "gap").out
        assert "gap" in told
        assert "exact" not in told
