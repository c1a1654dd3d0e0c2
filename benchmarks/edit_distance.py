"""Edit distance with S, D, I and hits: jatdae beside jiwer, on the same pairs in the same run.

jiwer is called with identity transforms. Times are CPU time, the best of several calls; memory is what one call adds
to the peak of a fresh process; "ratio" is jiwer's time by jatdae's; "twin" is what serves where nothing was compiled.
Counts that differ from jiwer's stop the benchmark.

    python benchmarks/edit_distance.py [--quick]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import jiwer

from jatdae.kernels import edit_twin, kernel
from jatdae.kernels.edit import EditCounts, edit_counts

CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
WORDS = (
    "the of and to in a is that for as with on by we this from are be it which model table figure section result "
    "측정 결과 표 그림 모델 데이터 방법 논문 값은 위에서 平均 结果 方法 数据"
)
SIZES = [5_000, 50_000, 200_000]
RATES = [0.05, 0.10, 0.40, 0.90]
LINES = [20, 60, 200]

Pairs = list[tuple[str, str]]
"""Predictions with their references."""
Count = Callable[[Pairs], EditCounts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="up to 50,000 characters, two repeats, one paper")
    quick = parser.parse_args().quick
    repeats = 2 if quick else 5

    print(f"kernel: {kernel()}; best of {repeats}\n")
    titles = ["jiwer ms", "twin ms", "jatdae ms", "ratio", "jiwer MB", "jatdae MB"]
    print(f"{'':34}" + "".join(f"{title:>11}" for title in titles))
    for label, pairs in cases(quick):
        (theirs, expected), (twin, _), (ours, counts) = timed([by_jiwer, by_twin, by_jatdae], pairs, repeats)
        if counts != expected:
            sys.exit(f"{label}: {counts}, but jiwer has {expected}")
        times = f"{theirs * 1e3:11.2f}{twin * 1e3:11.2f}{ours * 1e3:11.2f}{theirs / ours:11.1f}"
        print(f"{label:34}{times}{peak(by_jiwer, pairs):11.1f}{peak(by_jatdae, pairs):11.1f}", flush=True)


def cases(quick: bool) -> Iterator[tuple[str, Pairs]]:
    for size in SIZES[: 2 if quick else None]:
        reference = prose(size, random.Random(size))
        for rate in RATES:
            yield f"{size:,} characters, {rate:.0%} errors", [(corrupted(reference, rate), reference)]
    for size in LINES:
        draw = random.Random(size)
        lines = [prose(size, draw) for _ in range(1_000)]
        yield f"1,000 lines of {size}, 10% errors", [(corrupted(line, 0.10, draw), line) for line in lines]
    data = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[2] / "shared" / "data"))
    papers = sorted((data / "papers").glob("*/gold.md"))
    for gold in papers[-1:] if quick else papers:
        yield f"paper {gold.parent.name}", [((gold.parent / "pymupdf.txt").read_text("utf-8"), gold.read_text("utf-8"))]


def prose(size: int, draw: random.Random) -> str:
    """Words as often as their place in the list makes them, in lines, cut to size."""
    words = WORDS.split()
    drawn = draw.choices(words, [1 / place for place in range(1, len(words) + 1)], k=size)
    return "".join(word + draw.choices(" \n.,", [90, 5, 3, 2])[0] for word in drawn)[:size]


def corrupted(text: str, rate: float, draw: random.Random | None = None) -> str:
    """Every character with probability `rate` replaced, dropped, or followed by another of the text."""
    draw = draw or random.Random(1)
    out = []
    for character in text:
        if draw.random() >= rate:
            out.append(character)
        else:
            out.append(draw.choice([draw.choice(text), "", character + draw.choice(text)]))
    return "".join(out)


def by_jiwer(pairs: Pairs) -> EditCounts:
    """All pairs in one call, which is jiwer's fastest way."""
    predictions, references = map(list, zip(*pairs, strict=True))
    output = jiwer.process_characters(references, predictions, CHARACTERS, CHARACTERS)
    return EditCounts(output.hits, output.substitutions, output.deletions, output.insertions)


def by_jatdae(pairs: Pairs) -> EditCounts:
    return summed([edit_counts(*pair) for pair in pairs])


def by_twin(pairs: Pairs) -> EditCounts:
    return summed([EditCounts(*edit_twin.counts(*pair)) for pair in pairs])


def summed(counts: list[EditCounts]) -> EditCounts:
    return EditCounts(
        sum(c.hits for c in counts),
        sum(c.substitutions for c in counts),
        sum(c.deletions for c in counts),
        sum(c.insertions for c in counts),
    )


def timed(contenders: list[Count], pairs: Pairs, repeats: int) -> list[tuple[float, EditCounts]]:
    """For each the least CPU seconds and its result; they take turns, so that a disturbance meets all of them."""
    best: list[tuple[float, EditCounts]] = []
    for _ in range(repeats):
        turn = []
        for count in contenders:
            start = time.process_time()
            result = count(pairs)
            turn.append((time.process_time() - start, result))
        best = [min(pair, key=lambda timing: timing[0]) for pair in zip(best or turn, turn, strict=True)]
    return best


def peak(count: Count, pairs: Pairs) -> float:
    """Megabytes one call adds to the peak memory of a fresh process; not a number where /proc does not tell."""
    fresh = multiprocessing.get_context("spawn")
    here, there = fresh.Pipe(duplex=False)
    child = fresh.Process(target=_measure, args=(count, pairs, there))
    child.start()
    megabytes: float = here.recv()
    child.join()
    return megabytes


def _measure(count: Count, pairs: Pairs, out: Connection) -> None:
    before = _highest_megabytes()
    count(pairs)
    out.send(_highest_megabytes() - before)


def _highest_megabytes() -> float:
    """`ru_maxrss` will not do: a child starts with that of its parent."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), float("nan"))


if __name__ == "__main__":
    main()
