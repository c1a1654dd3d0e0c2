"""The run folder: manifest, parts and summary, each written whole or not at all, and nothing outside it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from xxhash import xxh3_128

from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.core.messages import of_system, os_problem, say, shown
from jatdae.core.writing import locked, replacing
from jatdae.run.output.part import (
    PartFile,
    broken_part,
    part_name,
    part_number,
    read_file,
    read_part,
    refuse_other_kind,
)

MANIFEST: Final = "manifest.json"
SUMMARY: Final = "summary.json"
INDEX: Final = "parts.json"
PAGE: Final = "report.html"
NUMBERS_PAGE: Final = "report.numbers.html"
"""The page without texts, beside the run's own."""
FORMAT: Final = 1
"""The form of a run folder, in its manifest and summary. Runs that name none are of before and are read like these;
one of a later form is refused."""
LINED_LEVELS: Final = 4
"""Levels of a JSON file whose entries have a line each: down to a system's metrics and count tables."""


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

    def finish(self, kept: Iterable[PartFile], summary: Mapping[str, Any]) -> None:
        """Write the summary of the run and the index of its files, and remove parts of an earlier run that had more."""
        listed = {part.path.name: _entry(part) for part in kept}
        for path in self.parts():
            if path.name not in listed:
                path.unlink()
        manifest = read_file(self.path / MANIFEST)
        checksums = {MANIFEST: _checksum(manifest), SUMMARY: _checksum(_text(summary).encode())}
        self.write(INDEX, {"parts": listed, "files": checksums})  # first: a summary without one would be believed
        self.write(SUMMARY, summary)

    def checked_parts(self) -> list[Path]:
        """Parts of a finished run, each compared with the index; a damaged, lost or foreign one is an error."""
        self._refuse_altered(MANIFEST)
        manifest = self.manifest() or {}
        index, paths = self._index(), self.parts()
        if index is None and "source" in manifest["versions"]:  # as long as there are checksums
            raise self._lost(INDEX)
        planned = [self.part(number) for number in range(len(manifest["plan"]["shards"]))]
        listed = index["parts"] if index else {}
        for path in dict.fromkeys((*planned, *(self.path / "parts" / name for name in listed))):
            if not path.exists():
                raise EngineError(say("part_missing", place=path))
        if index is None:
            self._check_unlisted(paths)
            return paths
        for path in paths:
            if path.name not in listed:
                raise EngineError(say("part_stray", place=path, index=INDEX))
            if _entry(read_part(path)) != listed[path.name]:
                raise broken_part(path, say("part_not_as_listed", index=INDEX))
        return paths

    def _check_unlisted(self, paths: list[Path]) -> None:
        """Check the parts of a run of before, without index and checksums: all of one run, every sample there once."""
        named, stamps = [], set()
        for path in paths:
            part = read_part(path)
            if part.checksum:
                raise self._lost(INDEX)
            stamps.add(part.stamp)
            if len(stamps) > 1:
                raise broken_part(path, say("part_of_other_run"))
            named.append(part.table(["system", "id"]))
        self._refuse_twice(paths, named)
        summary, rows = self.summary(), sum(map(len, named))
        counted = sum(each["n"] for each in (*summary["systems"].values(), *summary.get("baselines", {}).values()))
        if rows != counted:
            raise EngineError(say("parts_not_as_counted", place=self.path, found=rows, counted=counted))

    def _refuse_twice(self, paths: list[Path], named: list[pa.Table]) -> None:
        """Refuse parts of which two rows are of one system and have one id, as after a part was copied."""
        if not named:
            return
        counted = pa.concat_tables(named).group_by(["system", "id"]).aggregate([([], "count_all")])
        for twice in counted.filter(pc.field("count_all") > 1).slice(0, 1).to_pylist():
            same = (pc.field("system") == twice["system"]) & (pc.field("id") == twice["id"])
            files = [path.name for path, table in zip(paths, named, strict=True) if len(table.filter(same))]
            about = {"id": shown(twice["id"]), "of_system": of_system(twice["system"]), "files": ", ".join(files)}
            raise EngineError(say("sample_twice", place=self.path, **about))

    def stamps(self) -> set[str]:
        """The runs that the sound parts in the folder were scored for."""
        return {part.stamp for path in self.parts() if (part := _sound(path))}

    def manifest(self) -> dict[str, Any] | None:
        """What is known of the run, or None where nothing has begun; of a foreign file, what it holds."""
        found = self._read(MANIFEST)
        if found is not None and "signature" in found and not self._is_sealed(MANIFEST):
            self._refuse_misshapen(MANIFEST, found)
        return found

    def summary(self) -> dict[str, Any]:
        """The summary of a finished run."""
        found = self._read(SUMMARY)
        if found is None:
            if not self.path.is_dir():
                raise UsageError(say("no_such_run", place=self.path))
            key = "run_unfinished" if self.manifest() else "not_a_run"
            raise UsageError(say(key, place=self.path))
        manifest = self.manifest()
        if not manifest and self._index():
            raise self._lost(MANIFEST) if manifest is None else self.damaged(MANIFEST, _key("signature"))
        if "signature" not in (manifest or {}):
            raise UsageError(say("not_a_run", place=self.path))
        self._refuse_altered(SUMMARY)
        if not self._is_sealed(SUMMARY):
            self._refuse_misshapen(SUMMARY, found)
        return found

    def write(self, name: str, value: Mapping[str, Any]) -> Path:
        """Write a JSON file of the run."""
        return self.write_text(name, _text(value))

    def write_text(self, name: str, text: str) -> Path:
        """Write a file of the run."""
        target = self.path / name
        try:
            with replacing(target) as file:
                file.write(text.encode())
        except OSError as error:
            raise not_written(target, error) from None
        return target

    def refuse_foreign(self) -> None:
        """A folder whose `parts` or `input` are somebody's own is not for us to write to, let alone to clear.

        The manifest is what makes a folder ours: it is the first thing written and stays to the last. Where it is
        lost, empty or damaged, our parts do.
        """
        self._refuse_other_kinds()
        try:
            manifest = self.manifest()
        except DamagedFile:
            manifest = None
        if "signature" not in manifest if manifest else not any(map(_sound, self.parts())):
            for name in (MANIFEST, SUMMARY, "parts", "input"):
                if os.path.lexists(self.path / name):
                    raise UsageError(say("not_ours", place=self.path, name=name))

    def _refuse_other_kinds(self) -> None:
        """Refuse a folder or a pipe where a file of the run belongs, and a file where a folder does."""
        for name in (MANIFEST, SUMMARY, INDEX, PAGE):
            refuse_other_kind(self.path / name)
        for path in (self.path / "parts", self.input):
            if os.path.lexists(path) and not path.is_dir():
                raise UsageError(say("not_a_folder_of_run", place=path))

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
            for name in (SUMMARY, INDEX, PAGE, NUMBERS_PAGE):
                (self.path / name).unlink(missing_ok=True)
        except OSError as error:
            raise DataError(say("cannot_write", place=self.path, problem=os_problem(error))) from None

    def _sweep(self) -> None:
        """Remove what a killed process left half-written."""
        for pattern in (".*.json.*.tmp", "parts/.part-*.tmp"):
            for leftover in self.path.glob(pattern):
                leftover.unlink(missing_ok=True)

    def _index(self) -> dict[str, Any] | None:
        """Checksums of the parts and files of a finished run; None in runs from before there was an index."""
        found = self._read(INDEX)
        if found is None:
            return None
        for key, names in (("parts", ()), ("files", (MANIFEST, SUMMARY))):
            inside = found.get(key)
            if not isinstance(inside, dict):
                raise self.damaged(INDEX, _key(key))
            for name in names:
                if not isinstance(inside.get(name), str):  # without its checksum an edited file would be believed
                    raise self.damaged(INDEX, _key(f"{key}[{name}]"))
        return found

    def _refuse_altered(self, name: str) -> None:
        """Refuse a file that is not the one whose checksum is in the index."""
        if self._index() and not self._is_sealed(name):
            raise self.damaged(name, say("part_not_as_listed", index=INDEX))

    def _is_sealed(self, name: str) -> bool:
        """Whether the index has the checksum of this very file."""
        try:
            index = self._index()
        except DamagedFile:
            return False
        return index is not None and index["files"].get(name) == _checksum(self._bytes(name) or b"")

    def _refuse_misshapen(self, name: str, found: dict[str, Any]) -> None:
        """Compare the keys and types in a file with what a run writes."""
        from pydantic import ValidationError

        from jatdae.run.output.shapes import SHAPES

        try:
            SHAPES[name].model_validate(found)
        except ValidationError as error:
            key = ".".join(map(str, error.errors()[0]["loc"]))
            raise self.damaged(name, _key(key)) from None

    def _read(self, name: str) -> dict[str, Any] | None:
        data = self._bytes(name)
        if data is None:
            return None
        try:
            found = json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
        except UnicodeDecodeError:
            raise self.damaged(name, say("row_not_utf8")) from None
        except (ValueError, RecursionError):
            raise self.damaged(name, say("json_invalid")) from None
        if not isinstance(found, dict):
            raise self.damaged(name, say("json_not_object"))
        form = found.get("format", 0)
        if type(form) is not int or form < 0:
            raise self.damaged(name, _key("format"))
        if form > FORMAT:
            raise UsageError(say("later_format", place=self.path, found=form, known=FORMAT))
        return found

    def _bytes(self, name: str) -> bytes | None:
        try:
            return read_file(self.path / name)
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            raise UsageError(say("run_is_a_file", place=str(self.path))) from None
        except OSError as error:
            raise DataError(say("cannot_read", place=self.path / name, problem=os_problem(error))) from None

    def damaged(self, name: str, problem: str) -> DamagedFile:
        """Error for a file of the run that is not as a run wrote it."""
        return DamagedFile(say("run_file_damaged", place=self.path / name, problem=problem))

    def _lost(self, name: str) -> DamagedFile:
        """Error for a file that the run wrote and that is not there."""
        return DamagedFile(say("run_file_lost", place=self.path / name))


class DamagedFile(DataError):
    """Error for the manifest, the summary or the index of a run folder that is lost or not as a run wrote it."""


def not_written(place: Path, error: OSError) -> EngineError:
    """Error for a file of a run folder that cannot be written, perhaps in the midst of the run."""
    return EngineError(say("run_not_written", place=place, problem=os_problem(error)))


def _sound(path: Path) -> PartFile | None:
    """The part of some run in a file, if it is undamaged and has a checksum to tell that."""
    try:
        part = read_part(path)
    except EngineError:
        return None
    return part if part.checksum else None


def _key(name: str) -> str:
    """What is wrong with a file that lacks a key, or has something else there."""
    return say("run_file_key", key=shown(name))


def _refuse_constant(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are not JSON, and no run writes them


def _text(value: Mapping[str, Any]) -> str:
    return _lines(value, 0) + "\n"


def _lines(value: Any, depth: int) -> str:
    """JSON with a line for each entry of the outer levels.

    What lies deeper stays on its line: a summary has thousands of counts, and `json` indents ten times slower than it
    writes.
    """
    if depth == LINED_LEVELS or not value or not isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    indent = "\n" + " " * (depth + 1)
    entries = (
        f"{indent}{json.dumps(key, ensure_ascii=False)}: {_lines(inner, depth + 1)}" for key, inner in value.items()
    )
    return "{" + ",".join(entries) + indent[:-1] + "}"


def _checksum(data: bytes) -> str:
    return xxh3_128(data).hexdigest()


def _entry(part: PartFile) -> dict[str, Any]:
    """What the index says of a part."""
    return {"rows": part.rows, "xxh3_128": part.checksum}
