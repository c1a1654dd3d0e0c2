"""Pairs of descriptions that a command scores again: the rows of a JSONL file, or the samples of a finished run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.contract import BASELINE
from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.terms.evidence import LONGEST

say = speaker(__name__)
PREDICTION_FIELDS: Final = ("prediction", "predict", "pred", "output", "hypothesis")
REFERENCE_FIELDS: Final = ("reference", "label", "gold", "target", "ground_truth", "text")
"""Fields of a JSONL row that hold descriptions."""


class ScoredPair(NamedTuple):
    """A sample that can be scored again: two descriptions."""

    system: str
    id: str
    prediction: str
    reference: str
    whole: bool = True
    """Whether both are as they were given; a run keeps the beginning of a long text, and none of what has no score."""


def read_pairs(path: Path, system: str = "") -> Iterator[ScoredPair]:
    """Read pairs of clinical descriptions, of a run folder or of JSONL rows (`system`: of rows that name none)."""
    if path.is_dir():
        yield from _run_pairs(path)
        return
    for number, row in enumerate(read_rows(path), 1):
        prediction, reference = (_first_text(row, fields) for fields in (PREDICTION_FIELDS, REFERENCE_FIELDS))
        if prediction is not None and reference is not None:
            named = row.get("system")
            name = named if isinstance(named, str) and named else system
            yield ScoredPair(name, str(row.get("id", number)), prediction, reference)


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of a JSONL file of clinical descriptions."""
    for number, line in read_lines(path):
        if line.strip():
            yield _row(line, f"{path}:{number}")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Read the lines of a file of clinical descriptions, with their numbers."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from enumerate(file, 1)
    except OSError as error:
        raise DataError(say_common("cannot_read", place=path, problem=os_problem(error))) from None
    except UnicodeDecodeError as error:
        raise DataError(say("corpus_not_utf8", place=path, byte=error.start)) from None


def _run_pairs(folder: Path) -> Iterator[ScoredPair]:
    """The samples of a run of this evaluator, without its baselines."""
    import pyarrow as pa  # a command that reads no run does without
    import pyarrow.parquet as pq

    _refuse_other_run(folder)
    for part in sorted((folder / "parts").glob("part-*.parquet")):
        try:
            table = pq.read_table(part, columns=["system", "id", "evidence"])
        except (OSError, pa.ArrowException):
            raise DataError(say("run_part_unread", place=part)) from None
        for system, name, evidence in zip(*(column.to_pylist() for column in table.columns), strict=True):
            if not system.startswith(BASELINE):
                shown = json.loads(evidence) if evidence else {}
                prediction, reference = (shown.get(side, {}).get("text", "") for side in ("prediction", "reference"))
                whole = bool(shown) and max(len(prediction), len(reference)) <= LONGEST
                yield ScoredPair(system, name, prediction, reference, whole)


def _refuse_other_run(folder: Path) -> None:
    try:
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    except (OSError, ValueError):
        raise DataError(say("not_a_run", place=folder)) from None
    if not isinstance(manifest, dict) or manifest.get("evaluator") != "terms":
        raise DataError(say("other_run", place=folder))


def _first_text(row: Mapping[str, Any], fields: tuple[str, ...]) -> str | None:
    return next((row[field] for field in fields if isinstance(row.get(field), str)), None)


def _row(line: str, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(say("corpus_not_json", place=f"{place}:{error.colno}")) from None
    except (ValueError, RecursionError):  # a number of too many digits, or nested too deep
        raise DataError(say("corpus_not_json", place=place)) from None
    if not isinstance(row, dict):
        fields = ", ".join((*PREDICTION_FIELDS, *REFERENCE_FIELDS))
        raise DataError(say("corpus_no_object", place=place, fields=fields))
    return row
