"""What is shown of an alignment, and that it stays small."""

from __future__ import annotations

from collections import Counter

import orjson

from jatdae.core.contract import Sample
from jatdae.kernels.edit import edit_runs
from jatdae.text import TextEvaluator
from jatdae.text.evidence import (
    LONGEST_TEXT,
    MOST_CONFUSIONS,
    MOST_COUNTED,
    MOST_LARGEST,
    MOST_RUNS,
    bounded,
    commonest,
    confusions,
    one_sided,
    show_runs,
)


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
    reference = "ab" * 2000 + "x" * 500
    prediction = "ac" * 2000
    shown = show_runs(edit_runs(prediction, reference), prediction, reference)
    assert len(shown["runs"]) == MOST_RUNS
    assert shown["runs_left_out"] == 4001 - MOST_RUNS
    assert len(shown["largest"]) == MOST_LARGEST
    assert shown["largest"][-1]["at"][:2] == [4000, 4500]


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
    assert confusions(edit_runs(prediction, reference), prediction, reference)["1→l"] == 1
    assert confusions(edit_runs("abd", "abcd"), "abd", "abcd") == {"c→": 1}
    assert confusions(edit_runs("abcd", "abd"), "abcd", "abd") == {"→c": 1}
    assert confusions(edit_runs("", "a long passage"), "", "a long passage") == {}


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
        return bool(one_sided({"math": prediction}, {"math": reference}, (length, length)))

    assert flagged(0, 100)
    assert flagged(100, 0)
    assert flagged(10, 100)
    assert not flagged(11, 100)
    assert not flagged(0, 49, 100)
    assert not flagged(0, 99)
    assert not one_sided({}, {"markdown": 5_000}, (10_000, 10_000))


def test_citations_of_three_dresses_are_weighed_together() -> None:
    assert one_sided({"citation_numbers": 100}, {"citation_keys": 900}, (10_000, 10_000)) == []
    assert one_sided({}, {"citation_keys": 900}, (10_000, 10_000))
