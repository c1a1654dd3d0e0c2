"""The text evaluator on whole papers and on short pairs: its numbers, and its time beside jiwer's.

Jiwer is given the texts ready normalised and counts characters and words of them, once for the whole and once for the
body. The evaluator starts from the raw texts and does everything: normalising, finding bibliographies, the same four
alignments, regions, confusions and evidence.

    python benchmarks/text_pipeline.py [--papers FOLDER] [--repeat 3]

FOLDER holds one folder per paper with `gold.md`, `gold_without_references.md` and texts by extractors (`*.txt`).
"""

from __future__ import annotations

import argparse
import random
from functools import partial
from pathlib import Path

import jiwer
from timing import best

from jatdae.core.contract import Outcome, Sample
from jatdae.text import TextEvaluator, normalise
from jatdae.text.bibliography import cut, find_bibliographies

GOLDS = ("gold_without_references.md", "gold.md")
CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
WORDS = jiwer.Compose([jiwer.ReduceToListOfListOfWords()])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=Path, help="folder of papers; without it only short pairs are timed")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many")
    options = parser.parse_args()
    if options.papers:
        papers = sorted(path for path in options.papers.iterdir() if path.is_dir())
        show_numbers(papers)
        show_times(papers, options.repeat)
    show_short_pairs(options.repeat)


def show_numbers(papers: list[Path]) -> None:
    """Full and Body CER by the literal rule and by ours."""
    titles = ("paper", "extractor", "gold", "literal: Full → Body", "ours: Full → Body", "bibliography CER")
    print(f"| {' | '.join(titles)} | bibliography found (ours) |")
    print("|---|---|---|---|---|---|---|")
    for paper in papers:
        for extractor in sorted(paper.glob("*.txt")):
            for gold in GOLDS:
                sample = Sample(paper.name, extractor.read_text("utf-8"), (paper / gold).read_text("utf-8"))
                literal = TextEvaluator(normaliser="seed", bibliography="heading").score(sample)
                ours = TextEvaluator().score(sample)
                with_bibliography = "with" if gold == "gold.md" else "without"
                of_itself = ours.values["bibliography_cer"]
                cited = "–" if of_itself is None else f"{100 * of_itself:.1f}"
                row = (
                    paper.name,
                    extractor.stem,
                    with_bibliography,
                    percent(literal),
                    percent(ours),
                    cited,
                    found(ours),
                )
                print(f"| {' | '.join(row)} |")
    print()


def percent(outcome: Outcome) -> str:
    cer, body_cer = outcome.values["cer"], outcome.values["body_cer"]
    return "–" if cer is None or body_cer is None else f"{100 * cer:.1f} → {100 * body_cer:.1f}"


def found(outcome: Outcome) -> str:
    sides = [(name, side) for name, side in outcome.evidence["bibliography"].items() if side["found"]]
    return ", ".join(f"{name} by {side['by']} ({side['characters']:,})" for name, side in sides) or "none"


def show_times(papers: list[Path], repeat: int) -> None:
    """Seconds for one paper, everything included, beside jiwer's for the alignments alone."""
    evaluator = TextEvaluator()
    print(f"{'paper':12}{'characters':>12}{'CER':>8}{'jiwer s':>10}{'jatdae s':>10}{'jiwer/jatdae':>14}")
    for paper in papers:
        sample = Sample(paper.name, *((paper / name).read_text("utf-8") for name in ("pymupdf.txt", "gold.md")))
        pairs = normalised_pairs(sample)
        theirs = best(partial(by_jiwer, pairs), repeat)
        ours = best(partial(evaluator.score, sample), repeat)
        cer = evaluator.score(sample).values["cer"]
        print(f"{paper.name:12}{len(pairs[0][1]):12,}{cer:8.2f}{theirs:10.2f}{ours:10.2f}{theirs / ours:14.1f}")
    print()


def show_short_pairs(repeat: int) -> None:
    """Pairs of forty characters a second, in one process."""
    draw = random.Random(0)
    words = ["the", "model", "reads", "small", "words", "and errs", "설태", "두께", "입니다", "舌红", "[1]", "**bold**"]
    samples = []
    for number in range(2_000):
        reference = " ".join(draw.choices(words, k=8))
        prediction = reference.replace(draw.choice("aeio두"), "x", 1) if number % 3 else reference
        samples.append(Sample(str(number), prediction, reference))
    evaluator = TextEvaluator()
    pairs = [pair for sample in samples for pair in normalised_pairs(sample)]
    theirs = best(partial(by_jiwer, pairs), repeat) / len(samples)
    ours = best(lambda: [evaluator.score(sample) for sample in samples], repeat) / len(samples)
    print(f"short pairs: jiwer {theirs * 1e6:.0f} µs, jatdae {ours * 1e6:.0f} µs a pair, ratio {theirs / ours:.1f}")


def normalised_pairs(sample: Sample) -> list[tuple[str, str]]:
    """What jiwer is given: the whole texts and, where bibliographies are cut, their bodies."""
    prediction, reference = sample.prediction, sample.reference
    pairs = [(normalise(prediction), normalise(reference))]
    if find_bibliographies(prediction) or find_bibliographies(reference):
        pairs.append((normalise(without_bibliography(prediction)), normalise(without_bibliography(reference))))
    return pairs


def without_bibliography(text: str) -> str:
    return cut(text, find_bibliographies(text))


def by_jiwer(pairs: list[tuple[str, str]]) -> None:
    for prediction, reference in pairs:
        if reference:
            jiwer.process_characters(reference, prediction, CHARACTERS, CHARACTERS)
            jiwer.process_words(reference, prediction, WORDS, WORDS)


if __name__ == "__main__":
    main()
