"""How well each formula metric agrees with people: `python benchmarks/formula_agreement.py [human_rated.jsonl]`.

Each row of the file has an `id` (document, `_`, number), a `prediction`, a `reference`, the scores of its raters
(`human`) and what CDM gave (`cdm`). Printed are Pearson's r and Spearman's rho with the mean rating, with 95 %
percentile intervals from resampling whole documents (10,000 times, seed 0), and the difference to CDM; then how each
rater agrees with the mean of the others.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from table_agreement import DATA, ROUNDS, agreement, shown

from jatdae import FormulaEvaluator, Sample

OURS, PUBLISHED = "formula_score", "cdm"


def main(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    marks = np.array([row["human"] for row in rows], dtype=np.float64)
    people = marks.mean(axis=1)
    names = [row["id"].partition("_")[0] for row in rows]
    documents = [np.flatnonzero([name == each for name in names]) for each in sorted(set(names))]
    source = np.random.default_rng(0)
    picks = [
        np.concatenate([documents[at] for at in source.integers(len(documents), size=len(documents))])
        for _ in range(ROUNDS)
    ]
    print(f"{len(rows)} pairs of {len(documents)} documents; r and rho with 95 % intervals by document")
    columns = measure(rows)
    drawn = {
        name: np.array([agreement(scores[pick], people[pick]) for pick in picks]) for name, scores in columns.items()
    }
    for name, scores in columns.items():
        print(f"{name:22s}", *map(shown, agreement(scores, people), drawn[name].T))
    apart = np.subtract(agreement(columns[OURS], people), agreement(columns[PUBLISHED], people))
    print(f"{OURS} − {PUBLISHED}   ", *map(shown, apart, (drawn[OURS] - drawn[PUBLISHED]).T))
    raters = range(marks.shape[1])
    print(
        "raters:", *(f"{agreement(marks[:, at], np.delete(marks, at, axis=1).mean(axis=1))[0]:+.3f}" for at in raters)
    )


def measure(rows: list[dict[str, str]]) -> dict[str, np.ndarray]:
    """Each metric on each row, and CDM; the edit rate is turned round."""
    evaluator = FormulaEvaluator()
    found = [evaluator.score(Sample("x", row["prediction"], row["reference"])).values for row in rows]
    names = [name for name in found[0] if name != "formula_f1"]
    columns = {name: np.array([values[name] for values in found], dtype=np.float64) for name in names}
    columns["formula_edit_rate"] = -columns["formula_edit_rate"]
    return columns | {PUBLISHED: np.array([row["cdm"] for row in rows], dtype=np.float64)}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "formulas" / "human_rated.jsonl")
