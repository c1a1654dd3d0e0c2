"""How well each table metric agrees with people: `python benchmarks/table_agreement.py [human_rated.jsonl]`.

Each row of the file has a `table`, a `prediction`, a `reference` and the scores of its raters (`human`). Printed are
Pearson's r and Spearman's rho with the mean rating, and 95 % percentile intervals from resampling whole tables
(10,000 times, seed 0), since extractions of one table are not independent. The last lines are paired differences.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from jatdae import Sample
from jatdae.tables import TableEvaluator

DATA = Path(os.environ.get("JATDAE_DATA") or Path(__file__).parents[2] / "shared" / "data")
ROUNDS = 10_000
OURS, OTHERS = "cell_f1", ("teds", "grits_con")
BETTER_WHEN_LOWER = ("row_diff", "col_diff")
NOT_OF_EVERY_TABLE = ("teds_simple", "teds_complex", "teds_f1")
Numbers = np.ndarray


def main(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    people = np.array([np.mean(row["human"]) for row in rows])
    tables = [np.flatnonzero([row["table"] == name for row in rows]) for name in sorted({row["table"] for row in rows})]
    columns = measure(rows)
    source = np.random.default_rng(0)
    picks = [
        np.concatenate([tables[at] for at in source.integers(len(tables), size=len(tables))]) for _ in range(ROUNDS)
    ]
    print(f"{len(rows)} extractions of {len(tables)} tables; r and rho with 95 % intervals by table")
    drawn = {}
    for name, scores in columns.items():
        drawn[name] = np.array([agreement(scores[pick], people[pick]) for pick in picks])
        print(f"{name:20s}", *map(shown, agreement(scores, people), drawn[name].T))
    for name in OTHERS:
        apart = np.subtract(agreement(columns[OURS], people), agreement(columns[name], people))
        print(f"{OURS} − {name:10s}", *map(shown, apart, (drawn[OURS] - drawn[name]).T))


def measure(rows: list[dict[str, str]]) -> dict[str, Numbers]:
    """Each metric on each row; one that is better when lower is turned round."""
    evaluator = TableEvaluator(structured="yes")
    found = [evaluator.score(Sample("x", row["prediction"], row["reference"])).values for row in rows]
    names = [name for name in found[0] if name not in NOT_OF_EVERY_TABLE]
    columns = {name: np.array([values[name] for values in found], dtype=np.float64) for name in names}
    return {name: -column if name in BETTER_WHEN_LOWER else column for name, column in columns.items()}


def agreement(scores: Numbers, people: Numbers) -> tuple[float, float]:
    """Pearson's r and Spearman's rho over the rows that have a score."""
    there = ~np.isnan(scores)
    scores, people = scores[there], people[there]
    return float(np.corrcoef(scores, people)[0, 1]), float(np.corrcoef(rankdata(scores), rankdata(people))[0, 1])


def shown(value: float, drawn: Numbers) -> str:
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return f"{value:+.3f} [{low:+.3f}, {high:+.3f}]"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "tables" / "human_rated.jsonl")
