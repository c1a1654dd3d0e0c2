"""S, D, I, hits and the alignment itself are jiwer's, with identity transforms and a reference that is not empty."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import jiwer
import pytest

from jatdae.kernels.edit import EditCounts, EditRun, edit_counts, edit_runs

CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
WORDS = jiwer.Compose([jiwer.ReduceToListOfListOfWords()])
KINDS = {"equal": "equal", "substitute": "replace", "delete": "delete", "insert": "insert"}

ALPHABETS = {
    "letters": "etaoin shrdlu,.\n",
    "korean": "가나다라마바사아자차카타파하 측정하는잣대",
    "chinese": "的一是不了人我在有他这中大来上国，。",
    "emoji": "😀👩‍👩‍👧🇰🇷❤️🏽",
    "combining": "e\u0301o\u0308a\u030a\u0323n\u0303",
    "surrogates": "a\ud800\udc00\udfff",
    "two": "ab",
}
SIZES = [(9_700, 0, 120), (240, 120, 1_500), (60, 1_500, 6_000)]
"""How many pairs with a reference of how many characters; rapidfuzz cuts texts from about 2,000 characters on."""


def test_ten_thousand_random_pairs_are_counted_as_jiwer_counts_them() -> None:
    pairs = list(_random_pairs(random.Random(2_267)))
    assert len(pairs) == 10_000
    wrong = [i for i, (p, r) in enumerate(pairs) if edit_counts(p, r) != _jiwer_counts(p, r)]
    assert wrong == []


def test_the_runs_are_jiwers_alignment() -> None:
    for prediction, reference in list(_random_pairs(random.Random(4)))[::20]:
        output = jiwer.process_characters(reference, prediction, CHARACTERS, CHARACTERS)
        chunks = [
            EditRun(KINDS[c.type], c.ref_start_idx, c.ref_end_idx, c.hyp_start_idx, c.hyp_end_idx)  # type: ignore[arg-type]
            for c in output.alignments[0]
        ]
        assert edit_runs(prediction, reference) == chunks


def test_words_are_counted_as_jiwer_counts_them() -> None:
    draw = random.Random(11)
    vocabulary = ["그", "the", "a", "측정", "𝛼", "-1", "-2", "e\u0301"]
    for size in [1, 2, 5, 30, 300, 3_000]:
        for _ in range(10):
            reference = draw.choices(vocabulary, k=size)
            prediction = _edited(reference, vocabulary, draw.choice([0.05, 0.3, 0.9]), draw)
            output = jiwer.process_words(" ".join(reference), " ".join(prediction), WORDS, WORDS)
            assert edit_counts(prediction, reference) == _counts(output)


@pytest.mark.parametrize("paper", ["araa", "cyb", "msd", "sympy"])
def test_real_papers_are_counted_as_jiwer_counts_them(paper: str) -> None:
    root = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    folder = root / "papers" / paper
    if not folder.is_dir():
        pytest.skip(f"real data is not at {root}; set JATDAE_DATA")
    prediction = (folder / "pymupdf.txt").read_text("utf-8")
    reference = (folder / "gold.md").read_text("utf-8")
    assert edit_counts(prediction, reference) == _jiwer_counts(prediction, reference)


def _random_pairs(draw: random.Random) -> Iterator[tuple[str, str]]:
    for many, shortest, longest in SIZES:
        for _ in range(many):
            alphabet = ALPHABETS[draw.choice(list(ALPHABETS))]
            reference = draw.choices(alphabet, k=max(1, draw.randint(shortest, longest)))
            prediction = _edited(reference, alphabet, draw.choice([0.0, 0.02, 0.1, 0.4, 0.9]), draw)
            shape = draw.random()
            if shape < 0.02:
                prediction = []
            elif shape < 0.1:  # a block missing, as where a column or the references were lost
                at = draw.randrange(len(reference))
                prediction = prediction[:at] + prediction[at + draw.randrange(len(reference)) :]
            elif shape < 0.15:  # a block moved
                at = draw.randrange(len(reference))
                prediction = prediction[at:] + prediction[:at]
            yield "".join(prediction), "".join(reference)


def _edited(items: list[str], alphabet: str | list[str], rate: float, draw: random.Random) -> list[str]:
    """Every item with probability `rate` replaced, dropped, or followed by a random one."""
    out: list[str] = []
    for item in items:
        if draw.random() >= rate:
            out.append(item)
        else:
            out.extend(draw.choice([[draw.choice(alphabet)], [], [item, draw.choice(alphabet)]]))
    return out


def _jiwer_counts(prediction: str, reference: str) -> EditCounts:
    return _counts(jiwer.process_characters(reference, prediction, CHARACTERS, CHARACTERS))


def _counts(output: jiwer.CharacterOutput | jiwer.WordOutput) -> EditCounts:
    return EditCounts(output.hits, output.substitutions, output.deletions, output.insertions)
