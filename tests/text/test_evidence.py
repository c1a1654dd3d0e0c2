"""What is shown of an alignment stays small, and errors are found in the region they are in."""

from __future__ import annotations

from collections import Counter

import orjson
import pytest

from jatdae.core.contract import Sample
from jatdae.kernels.edit import edit_runs
from jatdae.text import TextEvaluator
from jatdae.text.bibliography import Bibliography
from jatdae.text.evidence import (
    LONGEST_TEXT,
    MOST_CONFUSIONS,
    MOST_COUNTED,
    MOST_LARGEST,
    MOST_RUNS,
    PageRegion,
    RegionErrors,
    bounded,
    commonest,
    count_by_region,
    count_confusions,
    find_one_sided,
    find_regions,
    in_units,
    project_regions,
    show_runs,
)
from jatdae.text.normaliser import find_normaliser

FAIR = find_normaliser("fair")


def test_runs_carry_positions_and_both_readings() -> None:
    shown = show_runs(edit_runs("abXde", "abcdef"), "abXde", "abcdef")
    assert shown == {
        "runs": [
            {"kind": "equal", "at": [0, 2, 0, 2], "reference": "ab"},
            {"kind": "replace", "at": [2, 3, 2, 3], "reference": "c", "prediction": "X"},
            {"kind": "equal", "at": [3, 5, 3, 5], "reference": "de"},
            {"kind": "delete", "at": [5, 6, 5, 5], "reference": "f"},
        ]
    }


def test_runs_cover_both_texts_without_gap() -> None:
    runs = show_runs(edit_runs("one too three", "on two threes"), "one too three", "on two threes")["runs"]
    for side in (0, 2):
        edges = [edge for run in runs for edge in run["at"][side : side + 2]]
        assert edges == sorted(edges)
        assert edges[0] == 0
        assert edges[-1] == 13
        assert edges[1:-1:2] == edges[2::2]


def test_many_runs_are_bounded_and_the_largest_still_shown() -> None:
    reference = "aaaab" * 2000 + "x" * 500
    prediction = "aaaac" * 2000
    shown = show_runs(edit_runs(prediction, reference), prediction, reference)
    assert len(shown["runs"]) == MOST_RUNS
    assert shown["runs_left_out"] == 4001 - MOST_RUNS
    assert len(shown["largest"]) == MOST_LARGEST
    assert shown["largest"][-1]["at"][:2] == [10_000, 10_500]


def test_letters_equal_by_chance_are_no_runs() -> None:
    """A stretch with hardly anything in common is one replacement; single misread letters stay what they are."""
    reference = "They came home. Quinquagesimal lamplighters wander along dusky boulevards. It rained in the night."
    prediction = "They came home. Three foxes jumped over high fences into my yard. It rained in thc nighl."
    runs = edit_runs(prediction, reference)
    shown = show_runs(runs, prediction, reference)["runs"]
    assert len(shown) < len(runs)
    (long,) = [run for run in shown if run["kind"] != "equal" and len(run.get("reference", "")) > 20]
    assert long["kind"] == "replace"
    assert reference[slice(*long["at"][:2])] == long["reference"]
    assert prediction[slice(*long["at"][2:])] == long["prediction"]
    assert [(run["reference"], run["prediction"]) for run in shown if run["kind"] == "replace"][-2:] == [
        ("e", "c"),
        ("t", "l"),
    ]
    for side in (0, 2):
        edges = [edge for run in shown for edge in run["at"][side : side + 2]]
        assert edges[1:-1:2] == edges[2::2]


def test_long_runs_show_beginning_and_end() -> None:
    reference = "a" * 300 + "z" * 300
    (run,) = show_runs(edit_runs("", reference), "", reference)["runs"]
    assert run["reference"] == "a" * (LONGEST_TEXT // 2) + " … " + "z" * (LONGEST_TEXT // 2)


def test_evidence_of_a_long_document_stays_small() -> None:
    prediction, reference = "The model is ba d. " * 4_000, "The model is good. " * 4_000
    outcome = TextEvaluator().score(Sample("x", prediction, reference))
    assert len(orjson.dumps(outcome.evidence)) < 100_000


def test_confusions_are_misreadings_not_missing_text() -> None:
    reference, prediction = "a1b2 rn long passage", "alb2 m"
    assert count_confusions(edit_runs(prediction, reference), prediction, reference)["1→l"] == 1
    assert count_confusions(edit_runs("abd", "abcd"), "abd", "abcd") == {"c→": 1}
    assert count_confusions(edit_runs("abcd", "abd"), "abcd", "abd") == {"→c": 1}
    assert count_confusions(edit_runs("", "a long passage"), "", "a long passage") == {}


def test_commonest_confusions_come_first_and_ties_by_name() -> None:
    assert commonest(Counter({"b→c": 1, "a→b": 1, "z→y": 2}), 2) == [("z→y", 2), ("a→b", 1)]


def test_confusion_counts_are_bounded_without_losing_any() -> None:
    found = Counter({f"{n}→x": n for n in range(1, MOST_COUNTED + 100)})
    kept = bounded(found)
    assert len(kept) == MOST_COUNTED + 1
    assert sum(kept.values()) == found.total()
    assert len(commonest(found, MOST_CONFUSIONS)) == MOST_CONFUSIONS


def test_one_sided_needs_much_a_share_and_a_difference() -> None:
    def flagged(prediction: int, reference: int, length: int = 10_000) -> bool:
        return bool(find_one_sided({"math": prediction}, {"math": reference}, (length, length)))

    assert flagged(0, 100)
    assert flagged(100, 0)
    assert flagged(10, 100)
    assert not flagged(11, 100)
    assert not flagged(0, 49, 100)
    assert not flagged(0, 99)
    assert not find_one_sided({}, {"markdown": 5_000}, (10_000, 10_000))


def test_citations_of_three_dresses_are_weighed_together() -> None:
    assert find_one_sided({"citation_numbers": 100}, {"citation_keys": 900}, (10_000, 10_000)) == []
    assert find_one_sided({}, {"citation_keys": 900}, (10_000, 10_000))


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
    (region,) = find_regions(text, [])
    assert (text[region.start : region.end].strip(), region.kind) == (line, kind)


@pytest.mark.parametrize("line", ["plain text", "3 apples were red.", "a | b", "Figure it out", "NO", "12", "#tag"])
def test_line_is_body(line: str) -> None:
    assert find_regions(f"before\n{line}\nafter", []) == []


@pytest.mark.parametrize("page", ["[Page 7]\n7\ntext", "text\n7\n[Page 8]\ntext", "text\n\f7\ntext", "text\n7/21\n"])
def test_a_number_at_the_edge_of_a_page_is_its_number(page: str) -> None:
    kinds = {region.kind for region in find_regions(page, [])}
    assert kinds == {"page_numbers"}


def test_the_bibliography_takes_what_lies_in_them() -> None:
    text = "# One\ntext\n# References\n# inside\nx\n# Two\n"
    start, end = text.index("# References"), text.index("# Two")
    found = find_regions(text, [Bibliography(start, end, "heading")])
    assert [region.kind for region in found] == ["headings", "bibliography", "headings"]


def test_regions_are_laid_along_the_normalised_text() -> None:
    text = "**Words** before [1].\n\n# A *heading* {#id}\n\nText $x$ here.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nlast"
    normalised = FAIR(text)
    placed = project_regions(text, find_regions(text, []), normalised, FAIR)
    assert [(normalised[r.start : r.end].strip(), r.kind) for r in placed] == [
        ("A heading", "headings"),
        ("a b 1 2", "tables"),
    ]


def test_a_mark_across_the_edge_of_a_region_does_not_lose_the_rest() -> None:
    text = "An *unfinished\n\n# heading* here\n\n" + "Some words follow it. " * 30 + "\n\n# Another heading\n\nlast"
    normalised = FAIR(text)
    placed = project_regions(text, find_regions(text, []), normalised, FAIR)
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
    assert count_by_region(runs, [PageRegion(2, 5, "tables"), PageRegion(5, 6, "headings")], []) == {
        "body": RegionErrors(0, 6, 0),
        "headings": RegionErrors(0, 1, 0),
        "tables": RegionErrors(0, 3, 0),
    }


def test_regions_can_be_counted_in_graphemes() -> None:
    assert in_units([PageRegion(1, 3, "tables")], ["a", "e\u0301", "b"]) == [PageRegion(1, 2, "tables")]
