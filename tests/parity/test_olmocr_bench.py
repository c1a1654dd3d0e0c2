"""Verdicts of olmOCR-bench (wheel olmocr 0.4.27) on its own sample tests and one system's pages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jatdae import CheckEvaluator, Sample
from jatdae.checks.formats import reference_rows

DATA = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "benchmarks" / "olmocr"
FAILED = {
    "building_notes_02", "discoverworld_crazy_table4_02", "earnings_table00",
    "ff3d6e051903fe5ca9bc172ece14964c5632_01a", "lincoln_letter_minediff_00", "mathfuncscol_01",
    "mattsnotes_minediff_03",
    "olmo2-discoverworld_crazy_table4_t02", "olmo2-pg4_table08", "test_graphical_text_00", "test_graphical_text_01",
}  # fmt: skip
"""Tests without formulas that the wheel fails; it passes all others."""
FAILED_MATH = {"mathfuncs_06"}
"""Those with formulas, compared by the wheel in a browser."""
MATH_APART = {"math_2503_04086_00"}
"""Passes there, where a font is no difference; the page has I for 𝓘."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"the sample tests of olmOCR-bench are not at {DATA}")


def verdicts(*, as_published: bool) -> dict[str, tuple[str, bool]]:
    """Type and verdict of each test by its id."""
    evaluator = CheckEvaluator(as_published=as_published)
    found = {}
    for file in ("dataset.jsonl", "blanks.jsonl"):
        for _, row in reference_rows(DATA / file) or ():
            pages = sorted((DATA / "olmocr_pipeline").glob(f"{row['id']}_repeat*.md"))
            texts = [page.read_text("utf-8") for page in pages]
            for unit in evaluator.score(Sample(row["id"], texts, row["reference"])).units:
                found[unit.id] = unit.meta["type"], unit.values["pass_rate"] == 1.0
    return found


def test_as_published_every_verdict_without_formulas_is_that_of_the_wheel() -> None:
    found = verdicts(as_published=True)
    judged = {name for name, (kind, _) in found.items() if kind != "math"}
    assert len(judged) == 88
    assert {name for name in judged if not found[name][1]} == FAILED


def test_formulas_agree_but_for_a_lost_font() -> None:
    found = verdicts(as_published=True)
    math = {name for name, (kind, _) in found.items() if kind == "math"}
    assert len(math) == 12
    assert {name for name in math if not found[name][1]} == FAILED_MATH | MATH_APART


def test_the_default_differs_only_on_the_page_that_is_nearly_empty() -> None:
    published, own = verdicts(as_published=True), verdicts(as_published=False)
    assert {name for name in own if own[name] != published[name]} == {
        "ffaac214730d2b8c2ec842e3618ccb9c4259_01a",
        "ffaac214730d2b8c2ec842e3618ccb9c4259_01b",
    }
