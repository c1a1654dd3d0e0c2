"""Pairs of descriptions a minute, from the file to the summary, beside merely parsing the same file as JSON.

Two files: one where descriptions repeat as they do in clinical records, one where no description occurs twice.

    python benchmarks/terms.py [--repeated 2000000] [--distinct 300000] [--jobs 2] [--repeat 3] [--profile]
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import accumulate, islice
from pathlib import Path

import orjson

# How often a property is stated in a hundred clinical descriptions; what is not listed is left unsaid.
COLOURS = {
    "红": 46,
    "暗红": 23,
    "淡红": 17,
    "淡": 13,
    "暗": 9,
    "紫": 7,
    "紫暗": 2,
    "绛": 1,
    "淡暗": 1,
    "青紫": 1,
    "": 5,
}
SHAPES = {"胖大": 8, "有齿痕": 6, "有裂纹": 2, "有瘀斑": 2, "嫩": 1, "有芒刺": 1, "无裂纹": 2, "": 80}
PLACES = {"，尖红": 5, "，边尖红": 2, "，边有齿痕": 3, "，中有裂纹": 2, "，根部腻": 3, "": 85}
THICKNESS = {"薄": 85, "少": 7, "厚": 6, "": 5}
COAT_COLOURS = {"白": 55, "黄": 30, "淡黄": 7, "微黄": 7, "灰": 1, "白略黄": 3}
NATURES = {"腻": 48, "燥": 5, "少津": 5, "滑": 1, "润": 1, "略腻": 4, "": 45}
VESSELS = {"，舌下络脉迂曲": 3, "，舌下络脉紫暗": 2, "，舌下络脉无异常": 8, "": 87}
HEADS = ("舌", "舌质", "舌体", "舌色", "质")
DEGREES = {"": 80, "略": 5, "偏": 5, "稍": 5, "微": 5}
SEPARATORS = ("", "，", "、", "；", ",", " ")
COAT_HEADS = ("苔", "舌苔", "苔质", "苔色")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeated", type=int, default=2_000_000)
    parser.add_argument("--distinct", type=int, default=300_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="CPU microseconds of one comparison, by step")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="jatdae-bench-"))
    try:
        for label, rows, pairs in (
            ("descriptions that repeat", options.repeated, repeated_pairs()),
            ("no description twice", options.distinct, distinct_pairs()),
        ):
            data = write_rows(folder / "pairs.jsonl", rows, pairs)
            print(f"{label}: {rows:,} pairs, {data.stat().st_size / 1e6:.0f} MB; best of {options.repeat}")
            print(f"{'':34}{'seconds':>9}{'M pairs/min':>13}")
            best = {
                "json.loads, one process": min(parsed(data, json.loads) for _ in range(options.repeat)),
                "orjson.loads, one process": min(parsed(data, orjson.loads) for _ in range(options.repeat)),
                f"jatdae run terms, {options.jobs} processes": min(
                    jatdae(data, folder / "run", options.jobs) for _ in range(options.repeat)
                ),
            }
            for name, seconds in best.items():
                print(f"{name:34}{seconds:9.2f}{rows / seconds * 60 / 1e6:13.2f}")
            plain, ours = best["json.loads, one process"], list(best.values())[-1]
            print(f"{'':4}{ours / plain:.1f} times json.loads of the file\n")
        if options.profile:
            profile()
    finally:
        shutil.rmtree(folder)


def descriptions(draw: random.Random) -> Iterator[str]:
    """Descriptions as they are written, of about five terms."""

    def some(shares: dict[str, int]) -> str:
        return draw.choices(list(shares), list(shares.values()))[0]

    while True:
        body = draw.choice(HEADS) + some(DEGREES) + some(COLOURS) + some(SHAPES) + some(PLACES)
        coat = draw.choice(COAT_HEADS) + some(THICKNESS) + some(COAT_COLOURS) + some(NATURES)
        yield body + draw.choice(SEPARATORS) + coat + some(VESSELS)


def repeated_pairs() -> Iterator[tuple[str, str]]:
    """100 descriptions, a few of them very common; the prediction is right in four of ten."""
    draw = random.Random(0)
    pool = list(islice(descriptions(draw), 100))
    weights = list(accumulate(1 / (rank + 1) for rank in range(len(pool))))
    while True:
        prediction, reference = draw.choices(pool, cum_weights=weights, k=2)
        yield (reference if draw.random() < 0.4 else prediction), reference


def distinct_pairs() -> Iterator[tuple[str, str]]:
    """Every description once."""
    seen: set[str] = set()
    new = (text for text in descriptions(random.Random(1)) if text not in seen and not seen.add(text))
    while True:
        yield next(new), next(new)


def write_rows(path: Path, rows: int, pairs: Iterator[tuple[str, str]]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for number, (prediction, reference) in enumerate(islice(pairs, rows)):
            row = {"id": f"row-{number:07d}", "predict": prediction, "label": reference}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def parsed(data: Path, loads: Callable[[bytes], object]) -> float:
    """Seconds to parse every line and keep nothing."""
    start = time.perf_counter()
    with data.open("rb") as file:
        for line in file:
            loads(line)
    return time.perf_counter() - start


def jatdae(data: Path, out: Path, jobs: int) -> float:
    """Seconds of a whole run: plan, score, write parts, add up, baselines."""
    from jatdae.run.api import execute
    from jatdae.run.input.model import Inputs
    from jatdae.run.work.engine import Engine
    from jatdae.terms import TermsEvaluator

    shutil.rmtree(out, ignore_errors=True)
    start = time.perf_counter()
    execute(TermsEvaluator(), Inputs(pairs=(("", str(data)),)), out=out, engine=Engine(jobs))
    return time.perf_counter() - start


def profile() -> None:
    """CPU microseconds of a comparison, by step: of new texts, of a new pair of known ones, of a known pair."""
    from jatdae.core.contract import Sample
    from jatdae.run.input.batches import columns_of
    from jatdae.run.work.score import score_samples
    from jatdae.terms import TermsEvaluator, find_lexicon
    from jatdae.terms.comparer import DescriptionComparer
    from jatdae.terms.metrics import SlotComparer
    from jatdae.terms.parser import parse_text
    from jatdae.terms.slots import slots_of

    gc.disable()
    lexicon, evaluator, comparer = find_lexicon("tongue"), TermsEvaluator(), DescriptionComparer(find_lexicon("tongue"))
    slot_comparer = SlotComparer(lexicon)
    pairs = list(islice(distinct_pairs(), 5000))
    texts = [text for pair in pairs for text in pair]
    stated = [parse_text(text, lexicon).drafts for text in texts]
    slots = [slots_of(terms, lexicon) for terms in stated]
    again = [columns_of([Sample("", *pair) for pair in pairs[:1000]])] * 20
    for _ in range(2):  # what comes twice is kept
        score_samples(evaluator, again[:1], "worst", {})
    known = list(dict.fromkeys(texts[:2000]))
    new_pairs = list(zip(known, reversed(known), strict=True))
    steps: dict[str, tuple[int, Callable[[], object]]] = {
        "parse one description": (len(texts), lambda: [parse_text(text, lexicon) for text in texts]),
        "lay out its slots": (len(texts), lambda: [slots_of(terms, lexicon) for terms in stated]),
        "compare two": (
            len(pairs),
            lambda: [slot_comparer.compare(*each) for each in zip(slots[::2], slots[1::2], strict=True)],
        ),
        "two new texts to an outcome": (len(pairs), lambda: [comparer.outcome(*pair) for pair in pairs]),
        "two known texts to an outcome": (len(new_pairs), lambda: [evaluator.score(Sample("", *p)) for p in new_pairs]),
        "a pair seen before, in a run": (20_000, lambda: score_samples(evaluator, again, "worst", {})),
    }
    for name, (count, step) in steps.items():
        start = time.process_time()
        step()
        print(f"    {name:34}{(time.process_time() - start) / count * 1e6:8.2f} µs")


if __name__ == "__main__":
    main()
