"""How often a 95 % interval holds what it should: ours beside the percentile, expanded percentile and BCa intervals.

    python benchmarks/intervals.py [TRIALS]

Each line is a shape that scores take; each number is the share of simulated runs whose interval holds the true value,
in per cent. The table stands in docs/statistics.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri
from scipy.stats import t as student

from jatdae.run.stats import bootstrap

Numbers = NDArray[np.float64]
Random = np.random.Generator
Size = tuple[int, int]

HEIGHTS: Final = (100, 300, 1000)
AT_ONCE: Final = 500
SEED: Final = 2015
"""Not the stream on which the method and its least spread were chosen: that one would flatter them."""
TAIL: Final = (1 - bootstrap.LEVEL) / 2


class Shape(NamedTuple):
    """How clusters are drawn, as sums and what they are divided by, and what their ratio is in truth."""

    draw: Callable[[Random, Size], tuple[Numbers, Numbers]]
    truth: float


def single(draw: Callable[[Random, Size], Numbers], truth: float) -> Shape:
    """Samples by themselves: a mean."""
    return Shape(lambda random, size: (draw(random, size), np.ones(size)), truth)


def right(share: float) -> Shape:
    """Right or wrong."""
    return single(lambda random, size: (random.random(size) < share).astype(np.float64), share)


def log_normal(sigma: float) -> Shape:
    """Above 0, with a tail that is the heavier the greater sigma is."""
    return single(lambda random, size: random.lognormal(0, sigma, size), float(np.exp(sigma**2 / 2)))


def pages(random: Random, size: Size) -> tuple[Numbers, Numbers]:
    """Books of one to eight pages that are alike."""
    count = random.integers(1, 9, size)
    book = random.normal(0.5, 0.1, size)
    return count * book + np.sqrt(count) * random.normal(0, 0.1, size), count.astype(np.float64)


def errors(random: Random, size: Size) -> tuple[Numbers, Numbers]:
    """Errors and characters of documents of very different length."""
    length = np.round(random.lognormal(5, 1, size)) + 1
    return random.binomial(length.astype(np.int64), random.beta(0.5, 9.5, size)).astype(np.float64), length


def worst_long(random: Random, size: Size) -> tuple[Numbers, Numbers]:
    """The same where long documents are also the worst, so that a few of them carry most errors."""
    length = random.lognormal(5, 1, size)
    return 0.02 * length * np.sqrt(length / 150) * random.lognormal(0, 0.8, size), length


SHAPES: Final = {
    "right or wrong, 5 %": right(0.05),
    "right or wrong, 50 %": right(0.5),
    "right or wrong, 95 %": right(0.95),
    "normal": single(lambda random, size: random.normal(0.5, 0.1, size), 0.5),
    "beta(0.3, 0.3), all or nothing": single(lambda random, size: random.beta(0.3, 0.3, size), 0.5),
    "beta(2, 8), skewed": single(lambda random, size: random.beta(2, 8, size), 0.2),
    "beta(0.5, 9.5), near 0": single(lambda random, size: random.beta(0.5, 9.5, size), 0.05),
    "60 % zeros, else beta(1, 4)": single(
        lambda random, size: np.where(random.random(size) < 0.6, 0, random.beta(1, 4, size)), 0.08
    ),
    "90 % zeros, else exponential": single(
        lambda random, size: np.where(random.random(size) < 0.9, 0, random.exponential(1, size)), 0.1
    ),
    "exponential": single(lambda random, size: random.exponential(0.3, size), 0.3),
    "log-normal, σ 0.5": log_normal(0.5),
    "log-normal, σ 0.8": log_normal(0.8),
    "log-normal, σ 1.2": log_normal(1.2),
    "pages by book": Shape(pages, 0.5),
    "micro error rate, uneven lengths": Shape(errors, 0.05),
    "micro error rate, the longest worst": Shape(worst_long, float(0.02 / np.sqrt(150) * np.exp(8.625 + 0.32 - 5.5))),
}


def main() -> None:
    """Print the table."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(
        f"95 % intervals, {trials:,} runs each of n = {', '.join(map(str, HEIGHTS))}: how many hold the truth, in %\n"
    )
    print("| shape | percentile | expanded | BCa | bootstrap-t |\n|---|---|---|---|---|")
    for name, shape in SHAPES.items():
        shares = 100 * np.transpose([covered(shape, n, trials) for n in HEIGHTS])
        print(f"| {name} | " + " | ".join(", ".join(f"{share:.1f}" for share in method) for method in shares) + " |")


def covered(shape: Shape, n: int, trials: int) -> Numbers:
    """For each method the share of trials whose interval holds the truth."""
    random = np.random.default_rng(SEED)
    held = []
    for _ in range(0, trials, AT_ONCE):
        sums, counts = shape.draw(random, (n, AT_ONCE))
        held.append([(low <= shape.truth) & (shape.truth <= high) for low, high in methods(sums, counts)])
    return np.asarray(np.array(held).mean(axis=(0, 2)), np.float64)


def methods(sums: Numbers, counts: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """The ends of each method's intervals, a column for a trial; rounded alike, so that ties are ties."""
    n = len(sums)
    ratio = sums.sum(axis=0) / counts.sum(axis=0)
    draws = np.sort(bootstrap.resample(sums) / bootstrap.resample(counts), axis=0)
    expanded = float(ndtr(-np.sqrt(n / (n - 1)) * student.ppf(1 - TAIL, n - 1)))
    ends = [quantile(draws, share) for tail in (TAIL, expanded) for share in (tail, 1 - tail)]
    influence = sums - ratio * counts
    acceleration = (influence**3).sum(axis=0) / (6 * (influence**2).sum(axis=0).clip(1e-99) ** 1.5)
    below = ((draws < ratio).mean(axis=0) + (draws <= ratio).mean(axis=0)) / 2
    bias = ndtri(below.clip(1 / len(draws), 1 - 1 / len(draws)))
    for tail in (TAIL, 1 - TAIL):
        moved = bias + ndtri(tail)
        ends.append(quantile(draws, ndtr(bias + moved / (1 - acceleration * moved))))
    low, high = np.transpose([found or (np.nan, np.nan) for found in bootstrap.intervals(sums, counts)])
    ends += [low, high]
    for lower, upper in zip(ends[::2], ends[1::2], strict=True):
        yield np.round(lower, 9), np.round(upper, 9)


def quantile(ordered: Numbers, share: Numbers | float) -> Numbers:
    """The value at a share of each ordered column, between two values in proportion."""
    place = np.broadcast_to(share, ordered.shape[1:]) * (len(ordered) - 1)
    before = np.clip(place.astype(np.int64), 0, len(ordered) - 2)
    low, high = (np.take_along_axis(ordered, (before + step)[None], axis=0)[0] for step in (0, 1))
    return np.asarray(low + (high - low) * (place - before))


if __name__ == "__main__":
    main()
