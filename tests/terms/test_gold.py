"""The parser against descriptions labelled by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from jatdae.core.yamlfile import read_yaml
from jatdae.terms import find_lexicon
from jatdae.terms.parser import parse_text

GOLD = read_yaml(Path(__file__).parent / "gold.yaml").value
DESCRIPTIONS = [(text, label.split()) for group in GOLD.values() for text, label in group.items()]
PAGE = Path(__file__).parents[2] / "docs" / "metrics" / "terms.md"

Marked = Callable[[str], list[str]]


def bare(mark: str) -> str:
    """An atom with its polarity, without degree, places and choice."""
    return re.split("[/@#]", mark)[0]


def quality(marked: Marked, part: Callable[[str], str]) -> tuple[float, float]:
    """Precision and recall over all descriptions, of marks or a part of them."""
    hits = found = wanted = 0
    for text, label in DESCRIPTIONS:
        got, gold = Counter(map(part, marked(text))), Counter(map(part, label))
        hits += (got & gold).total()
        found += got.total()
        wanted += gold.total()
    return hits / found, hits / wanted


def test_there_are_at_least_two_hundred_labelled_descriptions() -> None:
    assert len(DESCRIPTIONS) >= 200


def test_every_label_names_atoms_of_the_lexicon() -> None:
    atoms = find_lexicon("tongue").atoms
    unknown = {bare(mark).lstrip("¬") for _, label in DESCRIPTIONS for mark in label} - set(atoms)
    assert not unknown


@pytest.mark.parametrize("part", [bare, str], ids=["atoms and polarity", "with degree, places and alternatives"])
def test_precision_and_recall_are_at_least_97_percent(marked: Marked, part: Callable[[str], str]) -> None:
    precision, recall = quality(marked, part)
    assert precision >= 0.97
    assert recall >= 0.97


@pytest.mark.parametrize("group", GOLD)
def test_no_group_of_phenomena_falls_behind(group: str, marked: Marked) -> None:
    right = [marked(text) == label.split() for text, label in GOLD[group].items()]
    assert sum(right) / len(right) >= 0.9


def test_the_page_publishes_what_the_parser_reaches(marked: Marked) -> None:
    precision, recall = quality(marked, bare)
    page = PAGE.read_text("utf-8")
    assert f"{len(DESCRIPTIONS)} descriptions" in page
    assert f"precision {precision:.3f}, recall {recall:.3f}" in page


def test_labelled_descriptions_are_covered_to_97_percent() -> None:
    lexicon = find_lexicon("tongue")
    parsed = [parse_text(text, lexicon) for text, _ in DESCRIPTIONS]
    assert sum(p.understood for p in parsed) / sum(p.letters for p in parsed) >= 0.97
