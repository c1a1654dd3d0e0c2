"""How much of a run is not the evaluator: a trivial one on a million short rows, beside a bare pool with orjson.

The bare pool reads the same file in the same byte ranges, parses each row with orjson and compares two strings; it
keeps no results. What jatdae adds is the planning pass, samples and outcomes, Parquet parts, exact sums and intervals.

    python benchmarks/throughput.py [--rows 1000000] [--repeat 3] [--profile]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

PLUGIN = Path(__file__).parent.parent / "examples" / "exact_match.py"
WORDS = ("the", "quick", "brown", "fox", "over", "a", "dog", "안녕", "하세요", "표", "칸", "값", "舌红", "苔薄白")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="where the time of one process goes")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="jatdae-bench-"))
    try:
        data = write_rows(folder / "pairs.jsonl", options.rows)
        print(f"{options.rows:,} rows, {data.stat().st_size / 1e6:.0f} MB; best of {options.repeat}\n")
        print(f"{'':34}{'seconds':>9}{'rows/s':>12}{'per core':>12}")
        for jobs in (1, 2):
            bare = min(bare_pool(data, jobs) for _ in range(options.repeat))
            ours, memory = min(jatdae(data, folder / "run", jobs) for _ in range(options.repeat))
            show(f"bare pool with orjson, {jobs} process{'es'[: 2 * jobs - 2]}", bare, options.rows, jobs)
            show(f"jatdae run, {jobs} process{'es'[: 2 * jobs - 2]}", ours, options.rows, jobs)
            print(f"{'':4}ratio {ours / bare:.1f}, peak memory of the largest process {memory:.0f} MB\n")
        if options.profile:
            profile(data, folder / "profiled", options.rows)
    finally:
        shutil.rmtree(folder)


def write_rows(path: Path, rows: int) -> Path:
    draw = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for number in range(rows):
            reference = " ".join(draw.choices(WORDS, k=5))
            prediction = reference if draw.random() < 0.7 else " ".join(draw.choices(WORDS, k=5))
            row = {"id": f"row-{number:07d}", "prediction": prediction, "reference": reference}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def bare_pool(data: Path, jobs: int) -> float:
    """Seconds to parse every row and compare its two strings, results thrown away."""
    from jatdae.run.input.files import RowFile
    from jatdae.run.input.scan import byte_ranges

    ranges = list(byte_ranges(RowFile(str(data), data.name, "", data.stat().st_size)))
    start = time.perf_counter()
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("forkserver")) as pool:
        hits = sum(pool.map(count_equal, [str(data)] * len(ranges), *zip(*ranges, strict=True)))
    assert hits
    return time.perf_counter() - start


def count_equal(path: str, start: int, end: int) -> int:
    import orjson

    with Path(path).open("rb") as file:
        file.seek(start)
        rows = [orjson.loads(line) for line in file.read(end - start).splitlines()]
    return sum(row["prediction"] == row["reference"] for row in rows)


def jatdae(data: Path, out: Path, jobs: int) -> tuple[float, float]:
    """Seconds and megabytes of the whole command, start of the interpreter included."""
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "jatdae", "run", "--plugin", f"{PLUGIN}:ExactMatch", str(data), "--json"]
    start = time.perf_counter()
    subprocess.run([*command, "--out", str(out), "--jobs", str(jobs)], check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def show(label: str, seconds: float, rows: int, jobs: int) -> None:
    print(f"{label:34}{seconds:9.2f}{rows / seconds:12,.0f}{rows / seconds / jobs:12,.0f}")


def profile(data: Path, out: Path, rows: int) -> None:
    """CPU microseconds a row, by phase, in one process."""
    from jatdae.core.registry import load_class
    from jatdae.run import api as running
    from jatdae.run.input import plan
    from jatdae.run.input.model import Inputs
    from jatdae.run.output.tally import Tally
    from jatdae.run.work import score

    spent: dict[str, float] = {}

    def timed(module: object, name: str, label: str) -> None:
        inner = getattr(module, name)

        def outer(*args: object, **kwargs: object) -> object:
            start = time.process_time()
            try:
                return inner(*args, **kwargs)
            finally:
                spent[label] = spent.get(label, 0.0) + time.process_time() - start

        setattr(module, name, outer)

    timed(plan, "scan", "planning: parse, hash ids and references")
    timed(score, "score_samples", "scoring: parse, sample, score, outcome, columns")
    timed(score, "write_part", "writing parts")
    timed(Tally, "add", "adding up")
    timed(running, "summarise", "intervals, with 1,000 resamples")
    evaluator = load_class(f"{PLUGIN}:ExactMatch")()
    start = time.process_time()
    running.execute(evaluator, Inputs(pairs=(("", str(data)),)), out=out)
    total = time.process_time() - start
    print("where the time of one process goes, CPU µs a row:")
    for label, seconds in spent.items():
        print(f"    {label:52}{seconds / rows * 1e6:6.2f}")
    print(f"    {'all':52}{total / rows * 1e6:6.2f}")


if __name__ == "__main__":
    main()
