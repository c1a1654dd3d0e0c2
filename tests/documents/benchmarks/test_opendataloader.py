"""opendataloader-bench: its numbers on its own pages, and on pages small enough to reckon by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from jatdae.documents.benchmarks.opendataloader import rows, score, systems, with_html_tables

PAGE = "# Title\n\nsome text\n\n## Part\n\nmore text\n"
NAMES = ("overall", "nid", "nid_s", "teds", "teds_s", "mhs", "mhs_s")
DOCS = (Path(__file__).parents[3] / "docs" / "benchmarks" / "opendataloader.md").read_text("utf-8")
_GOLD_THEN = re.compile(r"^\| (\d{14}) \| ([\d, ]+) \| `(.+)` \| `(.+)` \|$", re.MULTILINE)
GOLD_THEN = {
    page: (lines, now.replace("⏎", "\n"), then.replace("⏎", "\n"))
    for page, lines, now, then in _GOLD_THEN.findall(DOCS)
}
"""Lines, what the gold of a page has now, and had when pymupdf4llm was evaluated; the six other engines came later."""


def test_every_published_number_of_seven_engines(published: Callable[[str], Path]) -> None:
    folder = published("opendataloader")
    compared, other = 0, []
    means: dict[str, dict[str, list[float]]] = {}
    assert len(systems(folder)) == 7
    for engine in systems(folder):
        told = json.loads((folder / "prediction" / engine / "evaluation.json").read_text("utf-8"))["documents"]
        published_scores = {page["document_id"]: page["scores"] for page in told}
        for row in rows(folder, engine):
            for name, value in score(row.get("prediction", ""), row["reference"]).items():
                compared += 1
                if value is not None:
                    means.setdefault(engine, {}).setdefault(name, []).append(value)
                if value != pytest.approx(published_scores[row["id"]][name], abs=1e-9):
                    other.append((engine, row["id"]))
    assert compared == 7 * 100 * 7
    assert len(other) == 36
    assert set(other) == {("pymupdf4llm", page) for page in GOLD_THEN}
    for engine, found in means.items():
        assert f"| {engine} | {' | '.join(f'{mean(found[name]):.4f}' for name in NAMES)} |" in DOCS


def test_the_gold_of_that_day_gives_the_published_numbers(published: Callable[[str], Path]) -> None:
    """With the edits taken back as the docs tell, every value of the eleven pages is the published one."""
    folder = published("opendataloader")
    told = json.loads((folder / "prediction" / "pymupdf4llm" / "evaluation.json").read_text("utf-8"))["documents"]
    scores = {page["document_id"]: page["scores"] for page in told}
    edited = {row["id"]: row for row in rows(folder, "pymupdf4llm") if row["id"] in GOLD_THEN}
    assert len(edited) == len(GOLD_THEN) == 11
    for page, row in edited.items():
        lines, now, then = GOLD_THEN[page]
        gold = row["reference"]
        found = [
            gold.count("\n", 0, match.start()) + 1 + now.startswith("\n") for match in re.finditer(re.escape(now), gold)
        ]
        assert ", ".join(map(str, found)) == lines
        assert score(row["prediction"], gold.replace(now, then)) == pytest.approx(scores[page], abs=1e-9)


def test_a_page_as_it_should_be_is_perfect() -> None:
    assert score(PAGE, PAGE) == {name: None if "teds" in name else 1.0 for name in NAMES}


def test_levels_of_headings_do_not_count_but_headings_do() -> None:
    assert score(PAGE.replace("## ", "# "), PAGE)["mhs_s"] == 1.0
    without = score(PAGE.replace("## Part\n\n", ""), PAGE)
    assert without["mhs_s"] == pytest.approx(1 - 2 / 5)
    assert score("some text", PAGE)["mhs"] == score("some text", PAGE)["mhs_s"] == 0.0


def test_tables_are_left_out_of_nid_s() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    values = score("text\n", f"text\n{table}")
    assert values["nid_s"] == 1.0
    assert values["nid"] < 0.2
    assert values["teds"] == values["teds_s"] == 0.0


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("a | b\n- | -\n1 | 2", "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"),
        ("||\n|-|\n|x|", "<table><tr><th>x</th></tr></table>"),
        (
            "|a|b|c|\n|-|-|-|-|\n|1|",
            "<table><tr><th>a</th><th>b</th><th>b</th><th>c</th></tr>"
            "<tr><td>1</td><td></td><td></td><td></td></tr></table>",
        ),
        ("a < b | c\n-|-", "<table><tr><th>a &lt; b</th><th>c</th></tr></table>"),
        ("no | table\nhere", "no | table\nhere"),
        ("|", "|"),
        ("", ""),
    ],
)
def test_pipe_tables_become_html_by_the_rules_of_the_benchmark(source: str, html: str) -> None:
    assert with_html_tables(source).removesuffix("\n") == html


@pytest.mark.parametrize("given", [None, 7, "", "|" * 5000, "# " * 3000, "<table>" * 500, "\x00\ud800"])
def test_any_prediction_has_numbers(given: object) -> None:
    values = score(given, PAGE)
    assert all(value is None or 0.0 <= value <= 1.0 for value in values.values())


def test_a_page_that_an_engine_lacks_has_no_prediction(folder: Callable[..., Path]) -> None:
    place = folder({"ground-truth/markdown/a.md": PAGE, "prediction/x/markdown/b.md": PAGE, "prediction/y/z.md": ""})
    assert systems(place) == ["x"]
    assert list(rows(place, "x")) == [{"id": "a", "reference": PAGE}]


@pytest.mark.parametrize(
    ("told", "meta"),
    [({"summary": {"elapsed_per_doc": 0.5}}, {"seconds": 0.5, "pages": 1}), ({"summary": None}, None), ({}, None)],
)
def test_the_seconds_of_an_engine_are_those_of_each_page(folder: Callable[..., Path], told: Any, meta: Any) -> None:
    place = folder({"ground-truth/markdown/a.md": PAGE, "prediction/x/markdown/a.md": PAGE})
    folder({"prediction/x/evaluation.json": told})
    (row,) = rows(place, "x")
    assert row.get("meta") == meta
