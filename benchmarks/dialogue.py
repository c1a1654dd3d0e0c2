"""The dialogue evaluator on answers of 900 characters, all five scores, beside the bare search for the lexicon's words.

The peer is ahocorasick_rs itself: one pass over the same texts for the same surfaces, which is the least any extractor
of this kind has to do. Ratios hold on a busy machine, where answers per second do not. What has been read is remembered
by sentence and by word, so there are two numbers: of answers that share their sentences, as those of one model do in
part, and of answers in which no sentence ever comes again, though words do.

    python benchmarks/dialogue.py [--conversations 40] [--repeat 5]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from ahocorasick_rs import AhoCorasick, MatchKind
from timing import best

from jatdae.core.contract import Sample
from jatdae.dialogue import DialogueEvaluator
from jatdae.dialogue.reading.concepts import load_lexicon
from jatdae.dialogue.reading.words import count_expansions, expand, fold
from jatdae.run.input.batches import rare_garbage_collection

SIZE = 900
TURNS = 5
MOST = 10
"""How often the answers of one conversation have a sentence, at most."""
PATIENT: dict[str, Any] = {
    "age": 67,
    "sex": "female",
    "primary_condition": "Type 2 diabetes mellitus",
    "comorbidities": ["Hypertension", "Chronic kidney disease stage 3"],
    "active_meds": ["Metformin 500 MG Oral Tablet", "Lisinopril 10 MG Oral Tablet"],
    "vitals": {"blood_pressure": "152/94"},
    "labs": {"HbA1c": {"value": 7.8, "unit": "%"}, "eGFR": 48},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=5, help="the best of so many")
    options = parser.parse_args()
    for language, code in (("Korean", "ko"), ("English", "en")):
        lines = (Path(__file__).parent / f"dialogue.{code}.txt").read_text("utf-8").splitlines()
        sentences = [line for line in lines if not line.startswith("#")]
        if min(map(count_expansions, sentences)) < options.conversations * options.repeat * MOST:
            parser.error("there are not so many different sentences; give fewer conversations or repeats")
        measure(language, sentences, options.conversations, options.repeat)


@rare_garbage_collection()
def measure(language: str, sentences: list[str], conversations: int, repeat: int) -> None:
    """Print a line of numbers; the garbage collector rests as it does in a run."""
    evaluator = DialogueEvaluator()
    same = [cycle([next(expand(sentence))]) for sentence in sentences]
    shared = [conversation(number, same) for number in range(conversations)]
    texts = [fold(row["answer"]) for sample in shared for row in sample.prediction]
    finder = AhoCorasick([s.text for s in load_lexicon().surfaces], matchkind=MatchKind.LeftmostLongest)
    bare = best(lambda: [finder.find_matches_as_indexes(text) for text in texts], repeat)
    ours = best(lambda: [evaluator.score(sample) for sample in shared], repeat)
    forms = [expand(sentence) for sentence in sentences]
    new = min(
        best(lambda: [evaluator.score(sample) for sample in unique], 1)  # noqa: B023
        for _ in range(repeat)
        for unique in [[conversation(number, forms) for number in range(conversations)]]
    )
    print(
        f"{language:8} {len(texts) / ours:8,.0f} answers/s with all scores, "
        f"{len(texts) / new:,.0f} of new sentences, "
        f"{len(texts) / bare:9,.0f} searched only, ratios {ours / bare:.0f} and {new / bare:.0f}"
    )


def conversation(number: int, forms: list[Iterator[str]]) -> Sample:
    """Five answers of 900 characters, each beginning at another sentence and taking the next form of each."""
    rows = []
    for turn in range(1, TURNS + 1):
        start = (number * TURNS + turn) % len(forms)
        answer = ""
        for form in islice(cycle(forms), start, None):
            answer += next(form) + " "
            if len(answer) >= SIZE:
                break
        rows.append(
            {"turn_id": turn, "question": {"text": "How am I doing?"}, "answer": answer[:SIZE], "slots_truth": PATIENT}
        )
    return Sample(f"patient-{number}", rows, None, system="llm")


if __name__ == "__main__":
    main()
