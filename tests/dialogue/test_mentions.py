"""Precision and recall of the extractor on sentences annotated by hand: else SFS would measure the extractor."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from jatdae.dialogue import extract
from jatdae.dialogue.reading.concepts import load_lexicon

from .conftest import Expected, read_gold

LEAST = 0.92
DOCS = Path(__file__).parents[2] / "docs" / "metrics" / "dialogue.md"
SETS = ("gold.txt", "heldout.txt", "unseen.txt", "fresh.txt")


class Tally:
    """Hits, what was found too much, and what was missed."""

    def __init__(self) -> None:
        self.hits: Counter[str] = Counter()
        self.extra: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()

    def precision(self, key: str) -> float:
        return self.hits[key] / max(1, self.hits[key] + self.extra[key])

    def recall(self, key: str) -> float:
        return self.hits[key] / max(1, self.hits[key] + self.missed[key])

    def labels(self) -> list[str]:
        return sorted({*self.hits, *self.extra, *self.missed})


def measured(name: str) -> dict[str, Tally]:
    """Tallies by category (was the concept found) and by status (was it found and read so)."""
    categories = {c.key: c.category for c in reversed(list(load_lexicon().concepts.values()))} | {"age": "age"}
    by = {"category": Tally(), "status": Tally(), "polarity": Tally(), "value": Tally()}
    for text, expected in read_gold(name):
        found = [
            Expected(m.concept.key, m.value.number if m.value and m.category != "drug" else None, m.status, m.polarity)
            for m in extract(text)
            if m.category not in ("hint", "age_group")
        ]
        for sort, label in (
            ("category", lambda m: (m.key, categories[m.key])),
            ("status", lambda m: (m.key, m.status)),
            ("polarity", lambda m: (m.key, m.polarity)),
            ("value", lambda m: (f"{m.key} {m.value}", "value") if m.value is not None else None),
        ):
            wanted = Counter(filter(None, map(label, expected)))
            got = Counter(filter(None, map(label, found)))
            for table, items in (
                (by[sort].hits, wanted & got),
                (by[sort].extra, got - wanted),
                (by[sort].missed, wanted - got),
            ):
                for (_, key), count in items.items():
                    table[key] += count
    return by


@pytest.fixture(scope="module")
def gold() -> dict[str, Tally]:
    return measured("gold.txt")


def test_the_gold_set_is_large_enough_and_half_korean():
    texts = [text for text, _ in read_gold("gold.txt")]
    korean = sum(bool(re.search("[가-힣]", text)) for text in texts)
    assert len(texts) >= 300 and len(set(texts)) == len(texts)
    assert 0.4 <= korean / len(texts) <= 0.6


def test_every_annotated_concept_is_in_the_lexicon():
    keys = {concept.key for concept in load_lexicon().concepts.values()} | {"age"}
    for name in SETS:
        for text, expected in read_gold(name):
            assert {mention.key for mention in expected} <= keys, text


@pytest.mark.parametrize("sort", ["category", "status", "polarity", "value"])
def test_precision_and_recall_reach_the_bar(gold, sort):
    tally = gold[sort]
    low = {
        k: (tally.precision(k), tally.recall(k))
        for k in tally.labels()
        if min(tally.precision(k), tally.recall(k)) < LEAST
    }
    assert not low


def test_all_statuses_and_both_polarities_occur(gold):
    assert len(gold["status"].labels()) == 8 and gold["polarity"].labels() == ["affirmed", "negated"]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("sort", ["category", "status"])
def test_the_documentation_publishes_these_numbers(name, sort):
    if not DOCS.is_file():
        pytest.skip(f"{DOCS} is not here: the documentation is not part of an installed package")
    page = DOCS.read_text("utf-8")
    section = page.partition(f"<!-- {name} {sort} -->")[2].partition("<!-- end -->")[0]
    written = {
        cells[1].strip(" `"): [cell.strip() for cell in cells[2:5]]
        for cells in (line.split("|") for line in section.splitlines() if line.startswith("| `"))
    }
    tally = measured(name)[sort]
    expected = {
        key: [str(tally.hits[key] + tally.missed[key]), f"{tally.precision(key):.3f}", f"{tally.recall(key):.3f}"]
        for key in tally.labels()
    }
    assert written == expected


@pytest.mark.parametrize("name", SETS)
def test_the_documentation_sums_each_set_up_apart(name):
    if not DOCS.is_file():
        pytest.skip(f"{DOCS} is not here: the documentation is not part of an installed package")
    tallies = measured(name)
    cells = " | ".join(", ".join(f"{share:.3f}" for share in _shares(tallies[sort])) for sort in ("category", "status"))
    assert f"| `{name}` | {len(list(read_gold(name)))} | {cells} |" in DOCS.read_text("utf-8")


def _shares(tally: Tally) -> tuple[float, float]:
    """Precision and recall over all labels together."""
    hits = tally.hits.total()
    return hits / (hits + tally.extra.total()), hits / (hits + tally.missed.total())
