"""The numbers in the documentation are those of real runs."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest
from scipy.stats import pearsonr, spearmanr

from jatdae.core.contract import Sample
from jatdae.tables import TableEvaluator, extract, table_issues, teds
from jatdae.tables.evidence import MAX_CELLS, MAX_EDITS, MAX_EXTRA, MAX_TABLES, MAX_TEXT
from jatdae.tables.grid import grid_of
from jatdae.tables.metrics import METRICS
from jatdae.tables.profiles import PROFILES, profile_of
from jatdae.tables.table_issues import ISSUES

PAGE = Path(__file__).parents[2] / "docs" / "metrics" / "tables.md"


@pytest.fixture(scope="module")
def page() -> str:
    if not PAGE.is_file():
        pytest.skip(f"{PAGE} is not here: the documentation is not part of an installed package")
    return PAGE.read_text("utf-8")


def tables(page: str) -> list[list[list[str]]]:
    """The tables of the page, as rows of texts."""
    made = []
    for table in extract(page):
        grid = grid_of(table.html)
        made.append([[cell.text for cell in grid.cells if cell.row == row] for row in range(grid.rows)])
    return made


def test_the_five_pairs_score_what_the_page_says(page):
    pairs = next(table for table in tables(page) if table[0] == ["pair", "prediction", "reference"])
    scores = next(table for table in tables(page) if table[0][:2] == ["pair", "standard@2"])
    profiles = scores[0][1:]
    assert [profile_of(name) for name in profiles] == list({each.signed: each for each in PROFILES.values()}.values())
    assert len(scores) == 6
    for (name, *sides), (again, *written) in zip(pairs[1:], scores[1:], strict=True):
        assert name == again
        pages = [f"<html><body>{side}</body></html>" for side in sides]
        for profile, numbers in zip(profiles, written, strict=True):
            found = [teds(*pages, profile=profile, structure_only=only) for only in (False, True)]
            assert numbers == " / ".join(f"{score:.4f}" for score in found), f"{name}, {profile}"


def test_the_agreement_with_people_is_what_the_page_says(page, rows):
    told = next(table for table in tables(page) if table[0][:2] == ["metric", "r"])
    rated = rows("human_rated.jsonl")
    people = [mean(row["human"]) for row in rated]
    evaluator = TableEvaluator(structured="yes")
    found = [evaluator.score(Sample("x", row["prediction"], row["reference"])).values for row in rated]
    for name, r, rho, *_ in told[1:]:
        scores = [float(values[name]) for values in found]
        for written, correlate in ((r, pearsonr), (rho, spearmanr)):
            assert float(written.split()[0]) == pytest.approx(abs(correlate(scores, people)[0]), abs=0.0006), name


def test_every_metric_and_every_issue_is_described(page):
    for name in [*(metric.name for metric in METRICS), *(kind.code for kind in ISSUES)]:
        assert f"`{name}`" in page, name


def test_the_limits_are_the_stated_ones(page):
    for name, limit in vars(table_issues).items():
        if name.startswith("MAX_"):
            assert f"{limit:,}" in page, name


def test_the_limits_of_evidence_are_the_stated_ones(page):
    flat = " ".join(page.split())
    assert f"up to {MAX_TABLES} pairs and {MAX_EXTRA} extra tables, {MAX_CELLS} cells a table" in flat
    assert f"{MAX_TEXT} characters a cell, {MAX_EDITS:,} edits a pair" in flat
