"""Event and script files of conversations: their schemas, checking them, and events written with metrics."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NoReturn

import orjson

from jatdae.core.configfile import DIALECT
from jatdae.core.errors import DataError
from jatdae.core.messages import near, os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.problems import schema_problem
from jatdae.core.writing import replacing
from jatdae.core.yamlfile import refuse_endless

SCHEMAS: Final = Path(__file__).parent / "schemas"
READ: Final = ("events_record.v1", "events_record.v2")
WRITTEN: Final = "events_record.v2"
SCRIPT: Final = "scripts_record.v1"
METRICS: Final = ("faithfulness", "answer_relevance", "perplexity", "CUS", "CUS_improved", "SFS", "CSP", "MCS", "ASS")
PASSED: Final = ("faithfulness", "answer_relevance", "perplexity", "CUS")
"""Scores of other tools, which are passed through."""
PERPLEXITY: Final = "perplexity"
CSP_JUDGED: Final = "CSP_judged"
CUS_EMBEDDED: Final = "CUS_embedded"
JUDGED: Final = ("faithfulness", "answer_relevance", PERPLEXITY, CSP_JUDGED, CUS_EMBEDDED)
"""Scores that a judge may give, under `judged`."""
STATUS_JUDGED: Final = "status"
"""What a judge may say of how spans are meant."""
EVENTS: Final = "events.jsonl"
MAX_PROBLEMS: Final = 20
"""How many problems of one line are printed."""

say = speaker(__name__)


BROUGHT: Final = (*PASSED, "tokens", "timing_ms")
"""Metrics that an event brings along and that stay where they are in it."""


def check_file(file: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Check each line of an event or script file; yields its place and its problems (JSON path, message)."""
    seen: dict[tuple[str, ...], int] = {}
    try:
        with Path(file).open("rb") as opened:
            for number, line in enumerate(opened, 1):
                if line.strip():
                    problems = check_line(line)
                    yield f"{file}:{number}", problems or _duplicates(line, number, seen)
    except OSError as error:
        raise DataError(say_common("cannot_read", place=file, problem=os_problem(error))) from None


def _duplicates(line: bytes, number: int, seen: dict[tuple[str, ...], int]) -> list[tuple[str, str]]:
    """The problem of a valid line that repeats a turn, or the script of a patient; `seen` has the lines before it."""
    row = _row(line)
    names = ("patient_id",) if "slots" in row else ("patient_id", "mode", "turn_id")
    if any(name not in row for name in names):
        return []  # a turn without a number is called after its place
    first = seen.setdefault(tuple(str(row[name]) for name in names), number)
    same = ", ".join(f"{name} {row[name]!r}" for name in names)
    return [] if first == number else [(names[-1], say("duplicate_line", first=first, same=same))]


def _row(line: bytes) -> Any:
    return orjson.loads(line.removeprefix(b"\xef\xbb\xbf").rstrip())


def check_line(line: bytes) -> list[tuple[str, str]]:
    """Problems of one line of a conversation's event or script file, each a JSON path and a message."""
    try:
        row = _row(line)
    except orjson.JSONDecodeError as error:
        return [("", say("line_not_json", column=error.colno))]
    if not isinstance(row, dict):
        return [("", say("line_not_object"))]
    if "slots" in row and "turns" in row and "answer" not in row:
        return _errors(SCRIPT, row)
    version = row.get("schema_version")
    if version not in READ:
        hint = near(str(version), READ)
        known = ", ".join(READ)
        return [("schema_version", say_common("config_choice", value=repr(version), near=hint, known=known))]
    return _errors(version, row)


def line_problem(place: str, where: str, problem: str) -> str:
    """One problem of a line as it is printed: place, JSON path, what is wrong."""
    return f"{place} ({where}): {problem}" if where else f"{place}: {problem}"


def event_schema() -> dict[str, Any]:
    """JSON Schema of an event of a conversation, in either version."""
    versions = [_schema(name) for name in READ]
    return {"$schema": DIALECT, "title": "One turn of a conversation", "anyOf": versions}


def script_schema() -> dict[str, Any]:
    """JSON Schema of the script of a conversation."""
    return _schema(SCRIPT)


def read_scripts(file: Path) -> dict[str, Mapping[str, Any]]:
    """Read scripts, which go with event files, by patient; the first invalid line raises an error with its place."""
    scripts: dict[str, Mapping[str, Any]] = {}
    try:
        refuse_endless(Path(file))
        lines = Path(file).read_bytes().splitlines()
    except OSError as error:
        raise DataError(say_common("cannot_read", place=file, problem=os_problem(error))) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        problems = check_line(line)
        if problems:
            raise DataError(line_problem(f"{file}:{number}", *problems[0]))
        row = _row(line)
        if "slots" not in row:
            raise DataError(line_problem(f"{file}:{number}", "", say("event_not_script")))
        if str(row["patient_id"]) in scripts:
            raise DataError(line_problem(f"{file}:{number}", "", say("second_script", patient=row["patient_id"])))
        scripts[str(row["patient_id"])] = row
    return scripts


def read_judged(event: Mapping[str, Any], judge: str) -> dict[str, Mapping[str, Any]]:
    """Verdicts of a judge in a conversation event, by metric: {value, verdicts, malformed}, of `status` {spans, …}.

    Those of another judge are not read.
    """
    judged = event.get("judged")
    if not judge or not isinstance(judged, Mapping) or judged.get("judge") != judge:
        return {}
    verdicts = judged.get("verdicts")
    known = verdicts.items() if isinstance(verdicts, Mapping) else ()
    return {name: given for name, given in known if isinstance(given, Mapping)}


def read_given(event: Mapping[str, Any], judge: str = "") -> dict[str, float]:
    """Numbers that a conversation event brings along: scores of other tools, tokens used, and time in milliseconds.

    Where a `judge` is named, its verdicts stand in the place of such scores.

    `usage` is {total_tokens} or {prompt_tokens, completion_tokens} (input_tokens, output_tokens); `timing_ms` is a
    number, {total: …}, or parts that add up.
    """
    metrics, usage, timing = event.get("metrics"), event.get("usage"), event.get("timing_ms")
    found = {name: _number(metrics.get(name)) for name in PASSED} if isinstance(metrics, Mapping) else {}
    for name, given in read_judged(event, judge).items():
        if name in JUDGED:
            found[name] = _number(given.get("value"))
    if isinstance(usage, Mapping):
        found["tokens"] = _whole(usage, "total_tokens", lambda name: name.endswith("_tokens"))
    found["timing_ms"] = _whole(timing, "total") if isinstance(timing, Mapping) else _number(timing)
    return {name: value for name, value in found.items() if value is not None}


def _whole(parts: Mapping[str, Any], total: str, counts: Callable[[str], bool] = bool) -> float | None:
    """The total that is given, else the sum of the parts."""
    known = _number(parts.get(total))
    if known is not None:
        return known
    numbers = [number for name, value in parts.items() if counts(str(name)) and (number := _number(value)) is not None]
    return math.fsum(numbers) if numbers else None


def _number(value: Any) -> float | None:
    real = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
    return float(value) if real else None


def filled(event: Mapping[str, Any], metrics: Mapping[str, float | None], added: Mapping[str, Any]) -> dict[str, Any]:
    """Copy of a conversation event in version 2 with all metrics filled in; everything else is unchanged."""
    before = event.get("metrics") if isinstance(event.get("metrics"), Mapping) else {}
    merged = (
        dict.fromkeys(METRICS) | dict(before or {}) | {name: metrics[name] for name in metrics if name not in BROUGHT}
    )
    return {**event, "schema_version": WRITTEN, **added, "metrics": merged}


def export_events(parts: Iterable[Path], folder: Path) -> Path:
    """Write the conversation events of a finished run with their metrics, from the evidence in its parts."""
    import pyarrow.parquet as pq

    target = Path(folder) / EVENTS
    with replacing(target) as out:
        for part in parts:
            for text in pq.ParquetFile(part).read(columns=["evidence"]).column("evidence").to_pylist():
                evidence = json.loads(text) if text else {}
                for turn in evidence.get("turns", ()):
                    added = {**evidence["written"], "slots_truth": turn["slots_truth"]}
                    event = filled(turn["event"], turn["metrics"], added)
                    out.write(json.dumps(event, ensure_ascii=False, allow_nan=False).encode() + b"\n")
    return target


def _errors(name: str, row: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (".".join(str(part) for part in error.instance_path), schema_problem(error))
        for error in _validator(name).iter_errors(row)
    ]


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(_schema(name), retriever=_refuse)


def _schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    return schema


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri}: a schema refers to nothing outside itself")
