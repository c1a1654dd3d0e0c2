"""Event and script files of conversations: their schemas, checking them, and events written with metrics."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NoReturn

import orjson

from jatdae.core.errors import DataError
from jatdae.core.writing import replacing
from jatdae.core.yamlfile import refuse_endless

SCHEMAS: Final = Path(__file__).parent / "schemas"
READ: Final = ("events_record.v1", "events_record.v2")
WRITTEN: Final = "events_record.v2"
SCRIPT: Final = "scripts_record.v1"
METRICS: Final = ("faithfulness", "answer_relevance", "perplexity", "CUS", "CUS_improved", "SFS", "CSP", "MCS", "ASS")
EVENTS: Final = "events.jsonl"
MAX_PROBLEMS: Final = 20
"""How many problems of one line `check` prints."""


def check(file: Path, /) -> int:
    """Check a file of events or scripts (JSONL) against its schema. Exit status 2 if a line does not fit.

    Parameters
    ----------
    file
        Events (events_record.v1 or v2) or scripts, one JSON object per line.
    """
    lines = problems = 0
    for place, found in _check_file(file):
        lines += 1
        for where, problem in found[:MAX_PROBLEMS]:
            problems += 1
            print(f"{place}{f' ({where})' if where else ''}: {problem}")
    print(f"{file}: {lines} lines, {problems} problems")
    return 2 if problems else 0


def _check_file(file: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Check each line of an event or script file; yields its place and its problems (JSON path, message)."""
    try:
        with Path(file).open("rb") as opened:
            for number, line in enumerate(opened, 1):
                if line.strip():
                    yield f"{file}:{number}", check_line(line)
    except OSError as error:
        raise DataError(f"{file}: cannot be read ({error.strerror or error}).") from None


def check_line(line: bytes) -> list[tuple[str, str]]:
    """Problems of one line of a conversation's event or script file, each a JSON path and a message."""
    try:
        row = orjson.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        return [("", f"not JSON: {error}")]
    if not isinstance(row, dict):
        return [("", "a line has to be a JSON object")]
    if "slots" in row and "turns" in row and "answer" not in row:
        return _errors(SCRIPT, row)
    version = row.get("schema_version")
    if version not in READ:
        return [("schema_version", f"{version!r} is not one of {', '.join(READ)}")]
    return _errors(version, row)


def read_scripts(file: Path) -> dict[str, Mapping[str, Any]]:
    """Read scripts, which go with event files, by patient; the first invalid line raises an error with its place."""
    scripts: dict[str, Mapping[str, Any]] = {}
    try:
        refuse_endless(Path(file))
        lines = Path(file).read_bytes().splitlines()
    except OSError as error:
        raise DataError(f"{file}: cannot be read ({error.strerror or error}).") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        problems = check_line(line)
        if problems:
            where, problem = problems[0]
            raise DataError(f"{file}:{number}{f' ({where})' if where else ''}: {problem}")
        row = orjson.loads(line.removeprefix(b"\xef\xbb\xbf"))
        if "slots" not in row:
            raise DataError(f"{file}:{number}: this is an event, not a script; a script has slots and turns")
        scripts[str(row["patient_id"])] = row
    return scripts


def filled(event: Mapping[str, Any], metrics: Mapping[str, float | None], added: Mapping[str, Any]) -> dict[str, Any]:
    """Copy of a conversation event in version 2 with all metrics filled in; everything else is unchanged."""
    before = event.get("metrics") if isinstance(event.get("metrics"), Mapping) else {}
    merged = dict.fromkeys(METRICS) | dict(before or {}) | dict(metrics)
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
        (".".join(str(part) for part in error.instance_path), error.message)
        for error in _validator(name).iter_errors(row)
    ]


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs

    schema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    return jsonschema_rs.Draft202012Validator(schema, retriever=_refuse)


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri}: a schema refers to nothing outside itself")
