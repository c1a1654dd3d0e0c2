"""Errors are found where they are."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.kernels.edit import edit_runs
from jatdae.text import TextEvaluator
from jatdae.text.normaliser import find_normaliser
from jatdae.text.references import Block
from jatdae.text.regions import Region, Where, find_regions, in_units, project, tally

FAIR = find_normaliser("fair")


def where(prediction: str, reference: str, **config: object) -> dict[str, dict[str, int]]:
    found = TextEvaluator(**config).score(Sample("x", prediction, reference)).evidence["where"]
    return {kind: {sort: n for sort, n in errors.items() if n} for kind, errors in found.items()}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("# A heading", "headings"),
        ("2.1 Basic Usage", "headings"),
        ("3. INTRODUCTION AND SCOPE", "headings"),
        ("SUMMARY", "headings"),
        ("**A bold line**", "headings"),
        ("[Page 3]", "page_numbers"),
        ("Figure 3. What it shows.", "captions"),
        ("표 2. 결과", "captions"),
        ("![A caption](a.png)", "captions"),
        ("| a | b |", "tables"),
        ("+---+---+", "tables"),
        ("<table><tr><td>a</td></tr></table>", "tables"),
    ],
)
def test_line_is_of_its_kind(line: str, kind: str) -> None:
    text = f"some text before\n\n{line}\n\nand after it"
    (region,) = find_regions(text, None)
    assert (text[region.start : region.end].strip(), region.kind) == (line, kind)


@pytest.mark.parametrize("line", ["plain text", "3 apples were red.", "a | b", "Figure it out", "NO", "12", "#tag"])
def test_line_is_body(line: str) -> None:
    assert find_regions(f"before\n{line}\nafter", None) == []


@pytest.mark.parametrize("page", ["[Page 7]\n7\ntext", "text\n7\n[Page 8]\ntext", "text\n\f7\ntext", "text\n7/21\n"])
def test_a_number_at_the_edge_of_a_page_is_its_number(page: str) -> None:
    kinds = {region.kind for region in find_regions(page, None)}
    assert kinds == {"page_numbers"}


def test_references_take_what_lies_in_them() -> None:
    text = "# One\ntext\n# References\n# inside\nx\n# Two\n"
    start, end = text.index("# References"), text.index("# Two")
    found = find_regions(text, Block(start, end, "heading"))
    assert [region.kind for region in found] == ["headings", "references", "headings"]


def test_regions_are_laid_along_the_normalised_text() -> None:
    text = "**Words** before [1].\n\n# A *heading* {#id}\n\nText $x$ here.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nlast"
    normalised = FAIR(text)
    placed = project(text, find_regions(text, None), normalised, FAIR)
    assert [(normalised[r.start : r.end].strip(), r.kind) for r in placed] == [
        ("A heading", "headings"),
        ("a b 1 2", "tables"),
    ]


def test_a_mark_across_the_edge_of_a_region_does_not_lose_the_rest() -> None:
    text = "An *unfinished\n\n# heading* here\n\n" + "Some words follow it. " * 30 + "\n\n# Another heading\n\nlast"
    normalised = FAIR(text)
    placed = project(text, find_regions(text, None), normalised, FAIR)
    assert normalised[placed[-1].start : placed[-1].end].strip() == "Another heading"


def test_each_error_is_counted_in_its_region() -> None:
    reference = "# A heading\n\nThe body of it.\n\n| cell | other |\n\nFigure 1. A caption."
    prediction = "# A heeding\n\nThe bdy of it.\n\n| call | other |\n\nFigure 1. A captions.\n\n[Page 2]\n2\n"
    # The space between two regions belongs to the first.
    assert where(prediction, reference) == {
        "headings": {"substitutions": 1},
        "body": {"deletions": 1},
        "tables": {"substitutions": 1},
        "captions": {"insertions": 2},
        "page_numbers": {"insertions": 1},
    }


def test_regions_agree_for_both_units() -> None:
    reference, prediction = "# 한\u0301글 heading\n\nbody e\u0301 text", "# 한\u0301글 heeding\n\nbody e\u0301 tixt"
    expected = {"headings": {"substitutions": 1}, "body": {"substitutions": 1}}
    assert where(prediction, reference) == where(prediction, reference, unit="grapheme") == expected


def test_a_run_across_regions_is_shared_out() -> None:
    runs = edit_runs("", "x" * 10)
    assert tally(runs, [Region(2, 5, "tables"), Region(5, 6, "headings")], []) == {
        "body": Where(0, 6, 0),
        "headings": Where(0, 1, 0),
        "tables": Where(0, 3, 0),
    }


def test_regions_can_be_counted_in_graphemes() -> None:
    assert in_units([Region(1, 3, "tables")], ["a", "e\u0301", "b"]) == [Region(1, 2, "tables")]
