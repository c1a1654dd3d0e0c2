"""What an experiment was told, on disk: one line per answer or verdict, appended when it comes, never asked for again.

A line counts once it is whole. A process killed while it writes leaves a torn last line; the next start cuts it off.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.writing import locked, write_atomically

EVENTS: Final = "events.jsonl"
SETTINGS: Final = "experiment.json"

say = speaker(__name__)


def read_settings(folder: Path) -> dict[str, Any]:
    """What is remembered of an experiment in its folder; nothing if it has not begun."""
    file = folder / SETTINGS
    if not file.exists():
        return {}
    try:
        found = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DataError(say("bad_settings", file=file))
    return found


def remember(folder: Path, **settings: Any) -> None:
    """Write settings of an experiment down, beside those that are remembered already."""
    told = json.dumps(read_settings(folder) | settings, ensure_ascii=False, indent=1)
    write_atomically(folder / SETTINGS, told + "\n")


class KeyedLog:
    """A file of an experiment: its lines so far by key, and the settings that the folder was begun with, if given."""

    def __init__(self, folder: Path, name: str = EVENTS, settings: Mapping[str, Any] | None = None) -> None:
        self.file = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = locked(folder)
            if self._lock.__enter__() is False:
                raise UsageError(say("folder_in_use", folder=folder))
            if settings is not None:
                self._settle(folder, settings)
            self.rows = self._read()
            self._opened = self.file.open("ab")
        except OSError as error:
            raise DataError(say_common("cannot_write", place=folder, problem=os_problem(error))) from None
        self._writing = threading.Lock()

    def _settle(self, folder: Path, settings: Mapping[str, Any]) -> None:
        """Write the settings down, or refuse others than those that the folder was begun with."""
        before = read_settings(folder)
        for name, value in settings.items():
            if before.get(name, value) != value:
                said = {"name": name, "before": before[name], "now": value}
                raise UsageError(say("other_experiment", folder=folder, **said))
        if not settings.keys() <= before.keys():
            remember(folder, **settings)

    def _read(self) -> dict[str, dict[str, Any]]:
        """Lines by key; the rest of a line that was never finished is cut off."""
        if not self.file.exists():
            return {}
        data = self.file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            with self.file.open("r+b") as opened:
                opened.truncate(whole)
        rows = {}
        for number, line in enumerate(data[:whole].splitlines(), 1):
            try:
                row = orjson.loads(line)
                rows[str(row["metadata"]["key"])] = row
            except (ValueError, LookupError, TypeError):
                raise DataError(say("bad_event", place=f"{self.file}:{number}")) from None
        return rows

    def append(self, row: dict[str, Any]) -> None:
        """Write a line down for good."""
        line = orjson.dumps(row) + b"\n"
        with self._writing:
            self._opened.write(line)
            self._opened.flush()
            os.fsync(self._opened.fileno())
            self.rows[str(row["metadata"]["key"])] = row

    def close(self) -> None:
        """Let go of the folder."""
        self._opened.close()
        self._lock.__exit__(None, None, None)
