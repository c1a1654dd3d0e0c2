"""Presets, names and versions, the repeat until nothing changes, and the scope report."""

from __future__ import annotations

import pytest

from jatdae.core.errors import UsageError
from jatdae.text.normaliser import find_normaliser, normalise

PANDOC = """# Results {#sec:results}

The **best** model errs by 3 cm [@rat2018; @mole2019].[^1] It costs \\$5.

[^1]: A note."""
EXTRACTED = "[Page 2]\nResults\nThe best model errs by 3 cm [2,\n3]. It costs $5.\n---\n"


def test_two_writings_of_one_text_become_the_same_text() -> None:
    assert normalise(PANDOC) == normalise(EXTRACTED) == "Results The best model errs by 3 cm . It costs $5."


def test_raw_changes_nothing() -> None:
    assert normalise(EXTRACTED, "raw") == EXTRACTED


@pytest.mark.parametrize("names", ["nfc+fair", "nfc,fair", "nfc fair", ["nfc", "fair"], "nfc@1+fair@1"])
def test_names_may_be_joined_or_listed(names: str | list[str]) -> None:
    normaliser = find_normaliser(names)
    assert normaliser.signature == "nfc@1+fair@1"
    assert normaliser("**e\u0301**") == "é"


def test_steps_apply_in_the_order_given() -> None:
    assert normalise("exam-\nple", "hyphenation+whitespace") == "example"
    assert normalise("exam-\nple", "whitespace+hyphenation") == "exam- ple"


def test_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"'fiar'.*fair"):
        find_normaliser("fiar")


def test_unknown_version_is_refused_with_the_one_there_is() -> None:
    with pytest.raises(UsageError, match=r"fair@1, not fair@9"):
        find_normaliser("fair@9")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[[1]2]", ""),
        (r"\[12\] and [12]", "and"),
        ("[**1**] (*Smith*, 2020)", ""),
        ("![A [link](x) inside](y.png)", "A link inside"),
        ("- 1. > # deep", "1. > # deep"),
        ("> - # deep", "deep"),
    ],
)
def test_what_a_removal_lays_bare_goes_too(text: str, left: str) -> None:
    assert normalise(text) == left
    assert normalise(left) == left


def test_literal_preset_is_applied_once() -> None:
    assert normalise("[[1]2]", "seed") == "[2]"


def test_scope_adds_up_to_what_is_gone() -> None:
    text, removed = find_normaliser("fair").with_scope(PANDOC)
    assert sum(removed.values()) == len(PANDOC) - len(text)
    assert removed["citation_keys"] == len("[@rat2018; @mole2019]")
    assert removed["footnote_definitions"] == len("[^1]: A note.")
    assert "math" not in removed
