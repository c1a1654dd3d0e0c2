"""Sample logs of the LM Evaluation Harness: `samples_TASK_TIME.jsonl`, beside `results_TIME.json`.

A line is one document under one filter of the task. A metric under another filter than `none` is called
METRIC/FILTER. Values that are no numbers, such as the pairs from which a corpus score is made, are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from jatdae.core.contract import Direction
from jatdae.doors.logs.scores import Log, LoggedSample, number, parsed, text

SUFFIXES: Final = (".jsonl",)
NAME: Final = re.compile(r"samples_(?P<task>.+?)_(?P<time>\d{4}-\d\d-\d\dT.*)")
OWN: Final = frozenset((
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
))  # fmt: skip
"""Keys of a line that are no metrics, for versions that do not list them."""


def read_lm_eval(path: Path) -> Log | None:
    """The log in a file; None if it is none of this harness."""
    lines = _lines(path)
    first = next(lines, None)
    if not isinstance(first, dict) or not {"doc_id", "resps", "filtered_resps"} <= first.keys():
        return None
    documents: dict[str, LoggedSample] = {}
    left_out: dict[str, None] = {}
    for line in (first, *lines):
        values = dict(_values(line))
        left_out |= {name: None for name, value in values.items() if value is None and line.get(name) is not None}
        name = str(line["doc_id"])
        before = documents[name].values if name in documents else {}
        documents[name] = _document(name, line, {**before, **values})
    numbers = {name for each in documents.values() for name, value in each.values.items() if value is not None}
    samples = [_kept(each, numbers) for each in documents.values()]
    named = NAME.fullmatch(path.stem)
    task = named["task"] if named else path.stem
    about = _results(path, named["time"]) if named else {}
    better = {metric: _better(about, task, metric) for metric in numbers}
    return Log(
        "lm-eval",
        task,
        str(about.get("model_name") or path.parent.name),
        samples,
        {metric: end for metric, end in better.items() if end},
        [name for name in left_out if name not in numbers],
    )


def _lines(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:
        for at, line in enumerate(file, 1):
            if line.strip():
                yield parsed(line, f"{path}:{at}")


def _values(line: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    named: Iterable[str] = line.get("metrics") or (key for key in line if key not in OWN)
    chosen = line.get("filter") or "none"
    for metric in named:
        yield metric if chosen == "none" else f"{metric}/{chosen}", number(line.get(metric))


def _document(name: str, line: Mapping[str, Any], values: Mapping[str, float | None]) -> LoggedSample:
    return LoggedSample(name, _question(line), text(line.get("target")), text(line.get("filtered_resps")), values)


def _question(line: Mapping[str, Any]) -> str:
    """The document that was asked about; what the prompt made of it may differ between models."""
    doc = line.get("doc")
    return json.dumps(doc, ensure_ascii=False, sort_keys=True) if isinstance(doc, dict) else text(doc)


def _kept(sample: LoggedSample, numbers: Iterable[str]) -> LoggedSample:
    """A sample with those metrics that are numbers."""
    values = {name: sample.values.get(name) for name in sorted(numbers)}
    return LoggedSample(sample.id, sample.question, sample.target, sample.answer, values)


def _results(path: Path, time: str) -> Mapping[str, Any]:
    """What the harness wrote of the same run beside the samples, if it is still there."""
    beside = path.with_name(f"results_{time}.json")
    found = parsed(beside.read_bytes(), beside) if beside.is_file() else {}
    return found if isinstance(found, dict) else {}


def _better(about: Mapping[str, Any], task: str, metric: str) -> Direction | None:
    told = (about.get("higher_is_better") or {}).get(task) or {}
    higher = told.get(metric.partition("/")[0])
    return None if higher is None else "higher" if higher else "lower"
