"""The run folder: manifest, parts and summary, each written whole or not at all, and nothing outside it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.core.messages import os_problem, say
from jatdae.core.writing import locked, write_atomically
from jatdae.run.output.part import PartFile, broken_part, part_name, part_number, read_part

MANIFEST: Final = "manifest.json"
SUMMARY: Final = "summary.json"
INDEX: Final = "parts.json"
PAGE: Final = "report.html"
FORMAT: Final = 1
"""The form of a run folder, in its manifest and summary. Runs that name none are of before and are read like these;
one of a later form is refused."""


class RunFolder:
    """Folder of one run with its manifest, parts and summary."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def input(self) -> Path:
        """Spools and indexes."""
        return self.path / "input"

    def part(self, number: int) -> Path:
        """Where a part goes."""
        return self.path / "parts" / part_name(number)

    def parts(self) -> list[Path]:
        """Finished parts in the order of the plan; files of other names are ignored."""
        found = (self.path / "parts").glob("part-*.parquet")
        return sorted((path for path in found if part_number(path) >= 0), key=part_number)

    def keep_parts(self, kept: Iterable[PartFile]) -> None:
        """Write the index of the run's parts, and remove those of an earlier run that had more."""
        listed = {part.path.name: _entry(part) for part in kept}
        for path in self.parts():
            if path.name not in listed:
                try:
                    path.unlink()
                except OSError as error:
                    raise DataError(say("cannot_write", place=path, problem=os_problem(error))) from None
        self.write(INDEX, {"parts": listed})

    def checked_parts(self) -> list[Path]:
        """Parts of a finished run, each compared with the index; a damaged, lost or foreign one is an error."""
        planned = len((self.manifest() or {})["plan"]["shards"])
        paths = self.parts()
        if not {self.part(number) for number in range(planned)} <= set(paths):
            raise UsageError(say("run_unfinished", place=self.path))
        index = self._read(INDEX)
        if index is None:
            self._check_unlisted(paths)
            return paths
        listed = index.get("parts", {})
        for path in dict.fromkeys((*paths, *(self.path / "parts" / name for name in listed))):
            if path.name not in listed:
                raise broken_part(path, say("part_not_listed", index=INDEX))
            if not path.exists():
                raise broken_part(path, say("part_lost", index=INDEX))
            if _entry(read_part(path)) != listed[path.name]:
                raise broken_part(path, say("part_not_as_listed", index=INDEX))
        return paths

    def _check_unlisted(self, paths: list[Path]) -> None:
        """Runs of before have neither index nor checksums: their parts are of one run, and all rows are there."""
        rows, stamps = 0, set()
        for path in paths:
            part = read_part(path)
            rows += part.rows
            stamps.add(part.stamp)
            if part.checksum:
                raise broken_part(path, say("part_not_listed", index=INDEX))
            if len(stamps) > 1:
                raise broken_part(path, say("part_of_other_run"))
        summary = self.summary()
        counted = sum(each["n"] for each in (*summary["systems"].values(), *summary.get("baselines", {}).values()))
        if rows != counted:
            raise EngineError(say("parts_not_as_counted", place=self.path, found=rows, counted=counted))

    def manifest(self) -> dict[str, Any] | None:
        """What is known of the run, or None where nothing has begun."""
        return self._read(MANIFEST)

    def summary(self) -> dict[str, Any]:
        """The summary of a finished run."""
        found = self._read(SUMMARY)
        if found is None:
            if not self.path.is_dir():
                raise UsageError(say("no_such_run", place=self.path))
            key = "run_unfinished" if self.manifest() else "not_a_run"
            raise UsageError(say(key, place=self.path))
        return found

    def write(self, name: str, value: Mapping[str, Any]) -> Path:
        """Write a JSON file of the run."""
        target = self.path / name
        write_atomically(target, json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
        return target

    def refuse_foreign(self) -> None:
        """A folder whose `parts` or `input` are somebody's own is not for us to write to, let alone to clear.

        The manifest is what makes a folder ours: it is the first thing written and stays to the last.
        """
        if "signature" not in (self.manifest() or {}):
            for name in (MANIFEST, SUMMARY, "parts", "input"):
                if os.path.lexists(self.path / name):
                    raise UsageError(say("not_ours", place=self.path, name=name))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes' runs out of the folder; a process that dies lets go of it."""
        self.path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                ours = stack.enter_context(locked(self.path))
            except OSError as error:
                raise DataError(say("cannot_read", place=self.path, problem=os_problem(error))) from None
            if ours is False:
                raise UsageError(say("run_busy", place=self.path))
            yield

    def begin(self, manifest: Mapping[str, Any], staging: Path) -> None:
        """Make the folder ours, take over what planning left in `staging` and make room for parts."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.write(MANIFEST, manifest)
        (self.path / "parts").mkdir(exist_ok=True)
        if self.input.exists():
            shutil.rmtree(self.input)
        staging.replace(self.input)
        self._sweep()

    def clear(self) -> None:
        """Forget an earlier run, but for its manifest, which the next one replaces."""
        try:
            for name in ("parts", "input"):
                with suppress(FileNotFoundError):
                    shutil.rmtree(self.path / name)
            for name in (SUMMARY, INDEX, PAGE):
                (self.path / name).unlink(missing_ok=True)
        except OSError as error:
            raise DataError(say("cannot_write", place=self.path, problem=os_problem(error))) from None

    def _sweep(self) -> None:
        """Remove what a killed process left half-written."""
        for pattern in (".*.json.*.tmp", "parts/.part-*.tmp"):
            for leftover in self.path.glob(pattern):
                leftover.unlink(missing_ok=True)

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            found = dict(json.loads((self.path / name).read_text("utf-8")))
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            raise UsageError(say("not_a_run", place=self.path)) from None
        except OSError as error:
            raise DataError(say("cannot_read", place=self.path / name, problem=os_problem(error))) from None
        except (ValueError, TypeError):
            raise DataError(say("cannot_read", place=self.path / name, problem=say("json_invalid"))) from None
        if found.get("format", 0) not in range(FORMAT + 1):
            raise UsageError(say("later_format", place=self.path, found=found["format"], known=FORMAT))
        return found


def _entry(part: PartFile) -> dict[str, Any]:
    """What the index says of a part."""
    return {"rows": part.rows, "xxh3_128": part.checksum}
