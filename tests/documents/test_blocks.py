"""Blocks and their order: moved columns and misread text are two things, paragraphs are none."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.documents.blocks import find_blocks, score
from jatdae.text.normaliser import find_normaliser

PAGES = (
    Path(os.environ.get("JATDAE_DATA") or Path(__file__).parents[3] / "shared" / "data") / "benchmarks/opendataloader"
)
WORDS = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnrst"]
LEFT = " ".join(WORDS[:60])
RIGHT = " ".join(WORDS[60:150])


def values(prediction: str, reference: str) -> tuple[float, float]:
    found = find_blocks(prediction, reference)
    return found.recall, found.order_error


def test_a_moved_column_is_out_of_order_and_found() -> None:
    recall, order = values(f"{RIGHT}\n\n{LEFT}", f"{LEFT}\n\n{RIGHT}")
    assert recall == 1.0
    assert order == pytest.approx(60 / 150)


def test_misread_text_is_not_found_and_in_order() -> None:
    blurred = RIGHT.replace("a", "o").replace("e", "u").replace("t", "f")
    recall, order = values(f"{LEFT}\n\n{blurred}", f"{LEFT}\n\n{RIGHT}")
    assert 0.6 < recall < 0.95
    assert order == 0.0


def test_missing_text_is_not_found_wherever_it_stood() -> None:
    for kept in (LEFT, RIGHT):
        recall, order = values(kept, f"{LEFT}\n\n{RIGHT}")
        assert recall == pytest.approx(len(kept.split()) / 150)
        assert order == 0.0


def test_nothing_found_is_the_worst() -> None:
    assert values("", LEFT) == values("something else altogether", LEFT) == (0.0, 1.0)


def test_a_passage_that_is_repeated_is_found_once_each() -> None:
    assert values(f"{LEFT} {LEFT}", f"{LEFT} {LEFT}") == (1.0, 0.0)
    recall, _ = values(LEFT, f"{LEFT} {LEFT}")
    assert recall == 0.5


def test_chinese_without_spaces_has_blocks_too() -> None:
    first, second = "天地玄黄宇宙洪荒日月盈昃", "辰宿列张寒来暑往秋收冬藏闰余成岁"
    recall, order = values(second + first, first + second)
    assert recall == 1.0
    assert order == pytest.approx(12 / 28)


def test_the_evidence_names_what_was_moved_and_what_is_missing() -> None:
    gone = "these seven words are nowhere to be found"
    evidence = score(f"{RIGHT} {LEFT}", f"{LEFT} {gone} {RIGHT}").evidence
    assert [text.split()[0] for text in evidence["out_of_order"]] == [WORDS[0]]
    assert evidence["missed"] == [gone]
    inside = score(f"{LEFT} {RIGHT}", f"{LEFT} {gone} {RIGHT}").evidence
    assert (inside["out_of_order"], inside["missed"]) == ([], [gone])


def test_a_reference_without_text_is_not_applicable() -> None:
    outcome = score("text", " \n ")
    assert outcome.values == {"block_recall": None, "order_error": None}
    assert [issue.code for issue in outcome.issues] == ["empty_reference"]


@settings(max_examples=50)
@given(st.lists(st.sampled_from(WORDS[:9]), max_size=12), st.lists(st.sampled_from(WORDS[:9]), max_size=12))
def test_values_are_shares_and_a_text_finds_itself(first: list[str], second: list[str]) -> None:
    one, other = " ".join(first), " ".join(second)
    if second:
        recall, order = values(one, other)
        assert 0.0 <= recall <= 1.0
        assert 0.0 <= order <= 1.0
    if len(first) > 2:
        assert values(one, one) == (1.0, 0.0)


@settings(max_examples=50)
@given(st.lists(st.sampled_from(WORDS), min_size=3, max_size=12), st.randoms(use_true_random=False))
def test_paragraphs_do_not_count(words: list[str], chance: random.Random) -> None:
    cut = "".join(word + chance.choice((" ", "\n", "\n\n")) for word in words)
    assert values(cut, " ".join(words[::-1])) == values(" ".join(words), " ".join(words[::-1]))


@pytest.fixture(scope="module")
def gold() -> list[str]:
    """Every third page of a benchmark with at least six paragraphs."""
    if not PAGES.is_dir():
        pytest.skip(f"no pages at {PAGES}: set JATDAE_DATA")
    texts = (path.read_text("utf-8") for path in sorted((PAGES / "ground-truth" / "markdown").glob("*.md"))[::3])
    return [text for text in texts if len(paragraphs(text)) >= 6]


def paragraphs(text: str) -> list[str]:
    return [part for part in text.split("\n\n") if part.strip()]


def swapped(text: str) -> str:
    parts = paragraphs(text)
    return "\n\n".join([*parts[len(parts) // 2 :], *parts[: len(parts) // 2]])


def misread(text: str) -> str:
    chance = random.Random(0)
    return "".join(c if c.isspace() or chance.random() > 0.1 else chance.choice("abcdefghij") for c in text)


@pytest.mark.parametrize(
    ("change", "recall", "order"), [(swapped, (0.99, 1.0), (0.25, 1.0)), (misread, (0.0, 0.95), (0.0, 0.02))]
)
def test_real_pages_with_swapped_columns_and_with_reading_errors(
    gold: list[str], change: Callable[[str], str], recall: tuple[float, float], order: tuple[float, float]
) -> None:
    clean = find_normaliser("fair")
    found = [values(clean(change(text)), clean(text)) for text in gold]
    recalls, orders = zip(*found, strict=True)
    assert recall[0] <= mean(recalls) <= recall[1]
    assert order[0] <= mean(orders) <= order[1]
    assert all((change is swapped) == (each > 0.99) for each in recalls)


def test_real_pages_with_split_and_joined_paragraphs(gold: list[str]) -> None:
    clean = find_normaliser("fair")
    for text in gold:
        before = values(clean(swapped(text)), clean(text))
        for change in (swapped(text).replace("\n\n", "\n"), swapped(text).replace(". ", ".\n\n")):
            assert values(clean(change), clean(text)) == pytest.approx(before, abs=0.02)


@pytest.mark.parametrize("text", ["a " * 30_000, "a b " * 15_000, "x" * 100_000, "가" * 50_000])
def test_hostile_text_takes_no_long(text: str) -> None:
    recall, order = values(text, text)
    assert recall > 0.99 or len(text.split()) < 3
    assert order in (0.0, 1.0)
