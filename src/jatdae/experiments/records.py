"""The events of an experiment, read from its folder in one order whatever order they were answered in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.writing import write_atomically
from jatdae.dialogue.events import check_line, line_problem
from jatdae.experiments.arms import ARMS
from jatdae.experiments.eventlog import EVENTS

say = speaker(__name__)


def read_events(folder: Path) -> list[dict[str, Any]]:
    """Events of an experiment by arm, patient and turn; a line that is no event is refused with its place."""
    file = folder / EVENTS
    if not file.is_file():
        raise DataError(say("no_experiment", folder=folder, file=EVENTS))
    events: list[dict[str, Any]] = []
    for number, line in whole_lines(file):
        if problems := check_line(line):
            raise DataError(line_problem(f"{file}:{number}", *problems[0]))
        events.append(orjson.loads(line))
    if not events:
        raise DataError(say("no_events", file=file))
    if script := next((event for event in events if "mode" not in event), None):
        raise DataError(say("script_not_event", file=file, patient=script.get("patient_id")))
    return sorted(events, key=_order)


def whole_lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Lines of a file with their numbers; a last one that a killed process left unfinished is passed over."""
    data = file.read_bytes()
    lines = data.splitlines()
    if lines and not data.endswith(b"\n") and not _is_json(lines[-1]):
        lines.pop()
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield number, line


def _is_json(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except ValueError:
        return False
    return True


def write_rows(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write scripts or events, one to a line, whole or not at all; the folder is made if it is not there."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(say_common("cannot_write", place=file, problem=os_problem(error))) from None
    write_atomically(file, b"".join(orjson.dumps(row) + b"\n" for row in rows))


def _order(event: Mapping[str, Any]) -> tuple[Any, ...]:
    """Arms as they are listed, then others by name; patients by id; turns by number."""
    arms = list(ARMS)
    arm, turn = str(event["mode"]), str(event["turn_id"])
    return (
        arms.index(arm) if arm in ARMS else len(arms), arm, str(event["patient_id"]),
        int(turn) if turn.isdecimal() else 0, turn,
    )  # fmt: skip
