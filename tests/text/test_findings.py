"""Where two texts differ, in words."""

from __future__ import annotations

from jatdae import TextEvaluator
from jatdae.core.contract import Sample


def lines(prediction: str, reference: str) -> list[str]:
    return list(TextEvaluator.findings(TextEvaluator().score(Sample("1", prediction, reference)).evidence))


def test_errors_by_part_of_the_page_and_confusions_that_can_be_seen() -> None:
    assert lines("the batsat", "the cat sat") == ["body: substituted 1, missing 1", "Confusions: ␣→∅, c→b"]


def test_an_arrow_may_be_misread_too() -> None:
    assert lines("a-b", "a→b")[-1] == "Confusions: →→-"


def test_equal_texts_are_told_in_one_line() -> None:
    assert lines("the cat", "the cat") == ["The two texts agree."]
