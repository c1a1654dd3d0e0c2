"""Runs a parser over many documents: several at once, each within a time limit, resumed where it was stopped.

Beside the outputs `parse.jsonl` has one line a document:

    {"document": "a/paper", "seconds": 1.42, "pages": 12, "tool": "pdftotext", "version": "22.12.0", "status": "ok",
     "reason": "", "output": "a/paper.txt", "input_sha256": "…", "command": "pdftotext {input} {output}",
     "suffix": ".txt"}

A line is appended when its document is done, so a killed run loses at most what was being parsed; at the end the lines
are sorted. `status` is ok, failed (exit status, or no text but bytes), timeout, empty (nothing written) or not_started.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import orjson

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import near, os_problem, shown, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.writing import locked, write_atomically
from jatdae.corpus.pdf_pages import count_pages
from jatdae.run.input.encodings import Undecodable, decode, no_text

RECORD: Final = "parse.jsonl"
"""The file beside the outputs; a folder of predictions leaves it out."""
WORK: Final = ".parsing"
"""Folder for what is being written; nothing in it counts."""
INPUTS: Final = (".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff")
OUTPUTS: Final = (".md", ".markdown", ".txt", ".html", ".htm")
PLACES: Final = ("{input}", "{output}", "{folder}")
VERSION_TIMEOUT: Final = 60
"""Seconds that a parser has to tell its version: some load a model first."""
_BRACE: Final = re.compile(r"\{\{|\}\}|\{\w*\}?|\}")
"""Braces of a command: doubled, a place, or a slip of the pen."""
OK: Final = "ok"
_REASON: Final = 300
"""Characters kept of what a parser says when it fails."""

say = speaker(__name__)


@dataclass(frozen=True)
class Parser:
    """A command that parses one document."""

    command: tuple[str, ...]
    """Its words, with {input} and {output} or {folder}; without these two, what it prints is the output."""
    written: str
    """The command as it was given."""
    tool: str
    version: str = ""
    suffix: str = ".md"
    timeout: float = 600.0


@dataclass(frozen=True)
class Parsed:
    """What came of a document: a line of the record."""

    document: str
    seconds: float
    pages: int | None
    tool: str
    version: str
    status: str
    reason: str = ""
    output: str = ""
    input_sha256: str = ""
    command: str = ""
    suffix: str = ""


def read_command(written: str, tool: str, version: str, suffix: str, timeout: float) -> Parser:
    """A parser from its command line, which no shell sees."""
    try:
        words = tuple(shlex.split(written))
    except ValueError as error:
        raise UsageError(say("bad_command", command=written, problem=error)) from None
    for brace in (found for word in words for found in _BRACE.findall(word)):
        if brace not in (*PLACES, "{{", "}}"):
            raise UsageError(say("bad_place", command=written, place=brace, near=near(brace, PLACES)))
    if not words or not any("{input}" in _BRACE.findall(word) for word in words[1:]):
        raise UsageError(say("command_without_input", command=written))
    if shutil.which(words[0]) is None:
        raise UsageError(say("no_such_program", program=words[0]))
    if suffix not in OUTPUTS:
        raise UsageError(say("bad_suffix", value=suffix, near=near(suffix, OUTPUTS), known=", ".join(OUTPUTS)))
    if not 0 < timeout <= 7 * 86_400:
        raise UsageError(say("bad_timeout", value=timeout))
    return Parser(words, written.strip(), tool or Path(words[0]).name, version, suffix, timeout)


def read_version(written: str, timeout: float = VERSION_TIMEOUT) -> str:
    """The first line that a command prints, such as `pdftotext -v`; "" without a command."""
    if not written:
        return ""
    try:
        process = subprocess.Popen(  # noqa: S603 – the user's own command
            shlex.split(written), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError, IndexError) as error:
        problem = os_problem(error) if isinstance(error, OSError) else error
        raise UsageError(say("no_version", command=written, problem=problem)) from None
    try:
        printed, complained = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise UsageError(say("version_too_slow", command=written, seconds=f"{timeout:g}")) from None
    finally:
        _kill(process)  # also what it left running
        process.wait()
    said = (printed or complained).decode(errors="replace").strip()
    return said.splitlines()[0][:100] if said else ""


def find_inputs(given: Sequence[Path]) -> dict[str, Path]:
    """Documents by name: of a file its name without suffix, in a folder the path from there."""
    found: dict[str, Path] = {}
    for path in given:
        if path.is_dir():
            inner = [each for each in sorted(path.rglob("*")) if each.suffix.lower() in INPUTS and each.is_file()]
            named = [(each.relative_to(path).with_suffix("").as_posix(), each) for each in inner]
        elif path.is_file():
            named = [(path.stem, path)]
        else:
            raise UsageError(say_common("no_such_file", place=path))
        for name, each in named:
            if name in found:
                raise UsageError(say("same_name", name=shown(name), first=found[name], second=each))
            found[name] = each
    if not found:
        raise UsageError(say("nothing_to_parse", known=", ".join(INPUTS)))
    return found


@dataclass
class ParseRun:
    """A folder of outputs with its record."""

    parser: Parser
    out: Path
    known: dict[str, Parsed] = field(default_factory=dict)
    _running: set[subprocess.Popen[bytes]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stopped: bool = False

    def run(
        self,
        inputs: dict[str, Path],
        jobs: int,
        *,
        retry: bool = False,
        overwrite: bool = False,
        told: Callable[[Parsed], None] = lambda _: None,
    ) -> list[Parsed]:
        """Parse what is not yet done; returns the lines of all documents given, by name."""
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            with locked(self.out) as free:
                if free is False:
                    raise UsageError(say("folder_in_use", place=self.out))
                self._open(overwrite)
                waiting = {name: path for name, path in inputs.items() if not self._is_done(name, path, retry)}
                with _ending_as_interrupted():
                    self._parse_all(waiting, jobs, told)
                self._close()
        except OSError as error:
            raise DataError(say_common("cannot_write", place=self.out, problem=os_problem(error))) from None
        return [self.known[name] for name in sorted(inputs)]

    def _open(self, overwrite: bool) -> None:
        record = self.out / RECORD
        if overwrite:
            record.unlink(missing_ok=True)
        self.known = {line.document: line for line in _read_record(record)}
        now = self.parser.tool, self.parser.version, self.parser.written, self.parser.suffix
        for line in self.known.values():
            before = line.tool, line.version, line.command, line.suffix
            if before != now:
                raise UsageError(say("other_parser", place=self.out, before=_told(*before), now=_told(*now)))
        shutil.rmtree(self.out / WORK, ignore_errors=True)
        (self.out / WORK).mkdir()

    def _close(self) -> None:
        lines = [_line(self.known[name]) for name in sorted(self.known)]
        write_atomically(self.out / RECORD, b"".join(lines))
        shutil.rmtree(self.out / WORK, ignore_errors=True)

    def _is_done(self, name: str, path: Path, retry: bool) -> bool:
        """Whether a document was parsed before: its file is still the same, and its output is there if it had one."""
        line = self.known.get(name)
        if line is None or line.input_sha256 != _sha256(path):
            return False
        return (self.out / line.output).is_file() if line.status == OK else not retry

    def _parse_all(self, waiting: dict[str, Path], jobs: int, told: Callable[[Parsed], None]) -> None:
        with ThreadPoolExecutor(jobs) as pool, (self.out / RECORD).open("ab") as record:
            futures = [pool.submit(self._parse, name, path) for name, path in sorted(waiting.items())]
            try:
                for future in as_completed(futures):
                    line = future.result()
                    self.known[line.document] = line
                    record.write(_line(line))
                    record.flush()
                    told(line)
            except BaseException:
                self._stop()
                pool.shutdown(cancel_futures=True)
                raise

    def _stop(self) -> None:
        """Kill every parser that still runs, with all that it started."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                _kill(process)

    def _parse(self, name: str, path: Path) -> Parsed:
        work = Path(mkdtemp(dir=self.out / WORK))  # not one that a parser of a killed run may still write to
        target = work / f"output{self.parser.suffix}"
        inside = work / "folder"
        inside.mkdir()
        places = dict(zip(PLACES, (path.resolve(), target.resolve(), inside.resolve()), strict=True))
        words = [_filled(word, places) for word in self.parser.command]
        start = time.monotonic()
        status, reason = self._execute(words, work, target)
        seconds = round(time.monotonic() - start, 3)
        output = ""
        written = _written(target, inside) if status == OK else None
        if status == OK:
            status, reason = _judged(written)
        if status == OK and written is not None:
            output = f"{name}{self._suffix_of(written)}"
            (self.out / output).parent.mkdir(parents=True, exist_ok=True)
            written.replace(self.out / output)
        elif (before := self.known.get(name)) and before.output:
            (self.out / before.output).unlink(missing_ok=True)  # It would be scored in place of the failure.
        shutil.rmtree(work, ignore_errors=True)
        return Parsed(
            name, seconds, count_pages(path), self.parser.tool, self.parser.version, status, reason, output,
            _sha256(path), self.parser.written, self.parser.suffix,
        )  # fmt: skip

    def _suffix_of(self, written: Path) -> str:
        return written.suffix.lower() if written.parent.name == "folder" else self.parser.suffix

    def _execute(self, words: list[str], work: Path, target: Path) -> tuple[str, str]:
        """Run a parser; returns the status and the reason where it is not ok."""
        prints = not any(brace in PLACES[1:] for word in self.parser.command for brace in _BRACE.findall(word))
        with (work / "stderr").open("wb+") as errors, (target if prints else work / "stdout").open("wb") as printed:
            with self._lock:
                if self._stopped:
                    return "not_started", ""
                try:
                    process = subprocess.Popen(  # noqa: S603 – the user's own command, without a shell
                        words, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors, start_new_session=True
                    )  # fmt: skip
                except OSError as error:
                    return "not_started", str(error.strerror)
                self._running.add(process)
            try:
                ended = process.wait(self.parser.timeout)
            except subprocess.TimeoutExpired:
                return "timeout", f"not done after {self.parser.timeout:g} s"
            finally:
                _kill(process)  # also what it left running
                process.wait()
                with self._lock:
                    self._running.discard(process)
            if ended == 0:
                return OK, ""
            errors.seek(max(0, errors.tell() - 4 * _REASON) if errors.seek(0, os.SEEK_END) else 0)
            last = errors.read().decode(errors="replace").strip()[-_REASON:]
            how = f"exit status {ended}" if ended > 0 else f"killed by {signal.Signals(-ended).name}"
            return "failed", how + (f": {last}" if last else "")


@contextmanager
def _ending_as_interrupted() -> Iterator[None]:
    """Let a request to end (SIGTERM) do what Ctrl-C does, so that no parser is left running."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may say so
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _filled(word: str, places: Mapping[str, Path]) -> str:
    """A word of the command with its places filled in once, and doubled braces as one."""
    return _BRACE.sub(lambda found: str(places.get(found[0], found[0][:1])), word)


def _told(tool: str, version: str, command: str, suffix: str) -> str:
    """A parser, for a message: what tells it from another."""
    return f"{f'{tool} {version}'.strip()} · {command or '–'} · {suffix or '–'}"


def _written(target: Path, inside: Path) -> Path | None:
    """What a parser wrote: the output file, else the largest text in the folder it was given; None if it is blank."""
    in_folder = [path for path in sorted(inside.rglob("*")) if path.suffix.lower() in OUTPUTS and path.is_file()]
    candidates = [target] if target.is_file() else sorted(in_folder, key=lambda path: -path.stat().st_size)[:1]
    return next((path for path in candidates if path.read_bytes().strip()), None)


def _judged(written: Path | None) -> tuple[str, str]:
    """The status of what was written, and the reason where it is not ok: a run has to be able to read it."""
    if written is None:
        return "empty", "exit status 0, but no text"
    data = written.read_bytes()
    if no_text(written.suffix, data):
        return "failed", "exit status 0, but a PDF, an office file or an image instead of text"
    try:
        decode(data)
    except Undecodable as bad:
        return "failed", f"exit status 0, but neither UTF-8 nor CP949 at {bad.place}"
    return OK, ""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all of its group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _line(parsed: Parsed) -> bytes:
    return orjson.dumps(asdict(parsed)) + b"\n"


def _read_record(file: Path) -> Iterable[Parsed]:
    """The lines of a record; a last line that was never finished is left out, and cut off so that the next is whole."""
    if not file.exists():
        return []
    data = file.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        write_atomically(file, whole)
    return [_read_row(line, f"{file}:{number}") for number, line in enumerate(whole.splitlines(), 1) if line.strip()]


def _read_row(line: bytes, place: str) -> Parsed:
    try:
        row: dict[str, Any] = orjson.loads(line)
        return Parsed(**row)
    except (orjson.JSONDecodeError, TypeError):
        raise DataError(say("bad_record", place=place)) from None
