"""Prints the outcomes of the labelled cases of a room, `python twins.py ROOM`: once compiled and once from source."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from jatdae.core.compiled import are_compiled
from jatdae.core.contract import Outcome, Sample
from jatdae.core.registry import find

MOST = 400
"""Cases of one room, from all of its files."""


def main(room: str) -> None:
    print(are_compiled())
    files = sorted((Path(__file__).parents[1] / room / "cases").glob("*.jsonl"))
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    evaluator = find(room)()
    for sample in samples(room, rows[:: max(1, len(rows) // MOST)]):
        print(shown(evaluator.score(sample)))


def samples(room: str, rows: list[dict[str, Any]]) -> Iterator[Sample]:
    if room == "dialogue":
        for row in rows:
            turn = {"turn_id": 1, "question": {"text": row.get("question") or ""}, "answer": row["answer"]}
            yield Sample("", [turn | {"slots_truth": row.get("truth") or {}}], None)
    elif room == "terms":
        for row, other in pairwise(rows):
            yield Sample("", row["text"], other["text"])
    elif room == "structured":
        for row in rows:
            yield Sample("", {"value": row["prediction"]}, {"value": row["reference"]})
    else:
        for row in rows:
            prediction = next((row[key] for key in ("prediction", "latex", "a") if key in row), None)
            yield Sample("", prediction, row.get("reference", prediction))


def shown(outcome: Outcome) -> str:
    parts = (outcome.values, outcome.stats, outcome.counts, outcome.evidence, outcome.issues)
    return json.dumps(parts, ensure_ascii=False, default=repr)


if __name__ == "__main__":
    main(sys.argv[1])
