"""A hundred real pages by seven parsers; the data lies beside the repository and is not part of it."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path

import pytest

from jatdae.core.contract import Sample
from jatdae.text import TextEvaluator, normalise

DATA = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
PAGES = DATA / "benchmarks" / "opendataloader"
pytestmark = pytest.mark.skipif(not PAGES.is_dir(), reason=f"no pages at {PAGES}: set JATDAE_DATA")


def pages_of(parser: str) -> list[tuple[str, str, str]]:
    found = []
    for gold in sorted((PAGES / "ground-truth" / "markdown").glob("*.md")):
        parsed = PAGES / "prediction" / parser / "markdown" / gold.name
        if parsed.is_file():
            found.append((gold.stem, parsed.read_text("utf-8"), gold.read_text("utf-8")))
    return found


def test_a_parser_is_not_charged_for_its_entities() -> None:
    pages = pages_of("docling")
    assert len(pages) == 100
    evaluator = TextEvaluator(bibliography="none")
    for page, parsed, gold in pages:
        escaped, plain = (
            evaluator.score(Sample(page, text, gold)).values["cer"] for text in (parsed, html.unescape(parsed))
        )
        assert escaped == plain or abs(escaped - plain) <= 0.001, page


def test_formulas_that_gold_writes_without_dollars_go_whole() -> None:
    left = {page for page, _, gold in pages_of("docling") if re.search(r"\\\\[A-Za-z]", normalise(gold))}
    assert left == set()
