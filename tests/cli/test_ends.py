"""How the command line ends: statuses, tracebacks, pipes, and text that must not drive a terminal."""

from __future__ import annotations

import csv
import dataclasses
import errno
import fcntl
import io
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import app, main, output, run
from jatdae.core.evaluator import RESERVED
from jatdae.core.signature import Signature

EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'exact_match.py'}:ExactMatch"
HOSTILE = "\x1b[2J\x1b]0;owned\x07[bold]=1+1|<img src=x>\u202e\u009b31m`**@a_b_"


def controls(text: str) -> set[str]:
    return {c for c in text if not c.isprintable() and c != "\n"}


@pytest.fixture
def hostile(write: Callable[..., str]) -> str:
    """A row whose id, system and slice value try everything."""
    row = {"id": HOSTILE, "prediction": "a", "reference": "b", "system": HOSTILE, "lang": HOSTILE}
    return write("hostile.jsonl", [row, {**row, "id": "2", "system": "plain", "prediction": "b"}])


def test_no_name_drives_the_terminal(jatdae: Callable[..., Any], hostile: str) -> None:
    ended = jatdae("run", "marks", hostile, "--slice", "lang", "--fail-under", "exact=1", "--out", "out")
    assert ended.status == 1
    shown = jatdae("report", "out"), jatdae("compare", "out", "--systems", "plain", HOSTILE)
    for text in (ended.out, ended.err, *(end.out for end in shown)):
        assert controls(text) == set()
    assert "[bold]=1+1" in ended.err, "markup is shown, not obeyed"


def test_no_message_drives_the_terminal(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    for arguments in ([f"x{HOSTILE}"], ["run", f"x{HOSTILE}"], ["report", f"x{HOSTILE}"], ["schema", f"x{HOSTILE}"],
                      ["--lang", f"x{HOSTILE}"], ["run", "marks", f"--x{HOSTILE}"]):  # fmt: skip
        ended = jatdae(*arguments)
        assert (ended.status, ended.out) == (2, "")
        assert controls(ended.err) == set()


def test_json_stays_json_and_drives_nothing(jatdae: Callable[..., Any], hostile: str) -> None:
    ended = jatdae("run", "marks", hostile, "--json")
    assert HOSTILE in json.loads(ended.out)["systems"]
    assert controls(ended.out) == set()


def test_csv_holds_no_formula_and_markdown_no_markup(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    names = [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "a|b",
        "![x](http://x.test/y.png)",
        "<script>",
        "*a*",
        "a\nb",
        "`x`",
    ]
    rows = [{"id": "1", "prediction": "a", "reference": "a", "system": name} for name in names]
    jatdae("run", "marks", write("p.jsonl", rows), "--out", "out")
    table = list(csv.reader(io.StringIO(jatdae("report", "out", "-f", "csv").out)))
    assert {len(row) for row in table} == {17}
    assert not [cell for row in table[1:] for cell in row[:4] if cell[:1] in tuple("=+-@\t\r\n")]
    markdown = jatdae("report", "out", "-f", "md").out
    header = next(line for line in markdown.splitlines() if line.startswith("| metric"))
    assert header.replace("\\|", "").count("|") == len(names) + 2
    for forbidden in ("[x](", "<script", " *a* ", " `x` "):
        assert forbidden not in markdown


@pytest.mark.parametrize("width", [30, 40, 60, 80, 200])
def test_every_column_is_shown_at_any_width(
    jatdae: Callable[..., Any], write: Callable[..., str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    names = [f"system-{at}" for at in range(9)]
    rows = [{"id": "1", "prediction": "a", "reference": "a", "system": name} for name in names]
    monkeypatch.setenv("COLUMNS", str(width))
    shown = jatdae("run", "marks", write("p.jsonl", rows)).out
    assert [name for name in names if name not in shown] == []
    _verdict, _, shown = shown.partition("\n\n")
    assert shown.count("100.00 %") == len(names)
    tables = shown.partition("jatdae ")[0].splitlines()
    assert max(len(line.rstrip()) for line in tables) <= width


def test_an_interruption_ends_with_130(jatdae: Callable[..., Any], pairs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "execute", interrupted)
    ended = jatdae("run", "marks", pairs)
    assert (ended.status, ended.out) == (130, "")
    assert "To resume, run the same command again." in ended.err


def test_an_interrupted_report_promises_no_resuming(
    jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(app.BUILT_IN, "report", interrupted)
    ended = jatdae("report", "run")  # a folder of that name is not the command
    assert (ended.status, ended.err) == (130, "Interrupted.\n")


@pytest.mark.parametrize("error", [RuntimeError("no luck"), SystemExit(0), SystemExit("gone")])
def test_a_fault_of_ours_ends_with_3_and_a_traceback_only_where_asked_for(
    jatdae: Callable[..., Any], pairs: str, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def broken(*given: object, **named: object) -> None:
        raise error

    monkeypatch.setattr(run, "execute", broken)
    quiet, loud = jatdae("run", "marks", pairs), jatdae("run", "marks", pairs, "--debug")
    assert quiet.status == loud.status == 3
    assert f"error: {type(error).__name__}: {error}" in quiet.err
    assert "Traceback" not in quiet.err
    assert "Traceback (most recent call last)" in loud.err


@pytest.mark.parametrize(("language", "said"), [("en", "error: Memory ran out."), ("ko", "메모리가 부족합니다.")])
def test_memory_that_runs_out_anywhere_is_told_as_that(
    jatdae: Callable[..., Any], pairs: str, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    def broken(*given: object, **named: object) -> None:
        raise MemoryError

    monkeypatch.setattr(run, "write_page", broken)
    ended = jatdae("run", "marks", pairs, "--lang", language)
    assert ended.status == 3
    assert said in ended.err
    assert "Traceback" not in ended.err


LACKING = {
    "a library": (ImportError("x.so: failed to map segment from shared object"), "Memory ran out."),
    "pyarrow": (
        OSError("Unknown error: Failed to launch worker thread: Resource temporarily unavailable"),
        "No further",
    ),
    "a thread": (RuntimeError("can't start new thread"), "No further thread or process could be started"),
    "the system": (OSError(errno.ENOMEM, "Cannot allocate memory"), "Memory ran out."),
}


@pytest.mark.parametrize(("error", "said"), LACKING.values(), ids=LACKING)
def test_what_the_machine_lacks_is_no_bug_whatever_raises_it(
    jatdae: Callable[..., Any], pairs: str, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def broken(*given: object, **named: object) -> None:
        try:
            raise error
        finally:
            raise RuntimeError("cannot join thread before it is started")

    monkeypatch.setattr(run, "write_page", broken)
    ended = jatdae("run", "marks", pairs)
    assert ended.status == 3
    assert said in ended.err
    assert "bug" not in ended.err


@pytest.mark.parametrize("error", [MemoryError(), ImportError("x.so: failed to map segment from shared object")])
def test_memory_that_runs_out_before_the_command_begins_is_told(
    jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def starved(_: list[str]) -> int:
        raise error

    monkeypatch.setattr("jatdae.cli.app.run", starved)
    ended = jatdae("list")
    assert (ended.status, ended.out) == (3, "")
    assert ended.err.startswith("error: Memory ran out.")


def test_a_plug_in_that_memory_is_too_small_for_is_not_called_broken(
    jatdae: Callable[..., Any], pairs: str, tmp_path: Path
) -> None:
    (tmp_path / "large.py").write_text("raise MemoryError")
    ended = jatdae("run", "--plugin", "large.py:Large", pairs)
    assert ended.status == 3
    assert "Memory ran out." in ended.err


def test_debug_shows_where_a_refusal_came_from(jatdae: Callable[..., Any]) -> None:
    assert "Traceback" in jatdae("--debug", "run", "makrs").err
    assert "Traceback" not in jatdae("run", "makrs").err


def test_every_flag_and_signature_part_is_a_reserved_name() -> None:
    flags = {
        field.name for kind in (run.InputFlags, run.RunFlags, run.OutputFlags) for field in dataclasses.fields(kind)
    }
    parts = {field.name for field in dataclasses.fields(Signature)} - {"evaluator", "parts"}
    assert (flags | parts | {"help", "version", "lang", "debug", "source", "slices"}) == RESERVED


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose report is larger than the pipe holds."""
    folder = tmp_path_factory.mktemp("wide")
    rows = [{"id": str(at), "prediction": "a", "reference": "b", "k": f"value {at}"} for at in range(90)]
    (folder / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert (
        main(["run", "--plugin", EXAMPLE, str(folder / "p.jsonl"), "--slice", "k", "--out", str(folder / "run")]) == 0
    )
    return folder / "run"


PIPES = {
    "console": ["report", "{run}"],
    "md": ["report", "{run}", "-f", "md"],
    "json": ["report", "{run}", "-f", "json"],
    "run": ["run", "--plugin", EXAMPLE, "{run}/../p.jsonl", "--slice", "k", "--out", "{run}"],
}


@pytest.mark.parametrize("arguments", PIPES.values(), ids=PIPES)
def test_a_reader_that_leaves_is_not_worth_a_word(wide: Path, arguments: list[str]) -> None:
    assert piped(wide, arguments) == (0, "")


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_gate_decides_even_where_nobody_reads(wide: Path, more: list[str]) -> None:
    status, err = piped(wide, [*PIPES["run"], "--fail-under", "exact=1", *more])
    assert status == 1
    assert err.startswith("Gate failed: all: exact")


def piped(wide: Path, arguments: list[str]) -> tuple[int, str]:
    """Status and messages of a command whose output nobody reads on."""
    command = [sys.executable, "-m", "jatdae", *(argument.format(run=wide) for argument in arguments)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    reader, writer = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):  # Linux: as small as it can be, so that a small run fills it
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    with subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE, env=env) as process:
        os.close(writer)
        assert process.stderr
        assert len(os.read(reader, 1)) == 1
        os.close(reader)
        err = process.stderr.read().decode()
    return process.returncode, err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_example_runs_from_the_shell(process: Callable[..., Any], pairs: str, jobs: str) -> None:
    ended = process("run", "--plugin", EXAMPLE, pairs, "--casefold", "--jobs", jobs, "--json", "--slice", "lang")
    assert (ended.returncode, ended.stderr) == (0, "")
    printed = json.loads(ended.stdout)
    assert printed["systems"][""]["metrics"]["exact"]["micro"] == pytest.approx(2 / 3)
    assert "| exact-match | casefold:yes | source:" in printed["signature"]


def test_one_job_and_two_give_the_same_run(process: Callable[..., Any], write: Callable[..., str]) -> None:
    files = [write(f"s{at}.jsonl", [{"id": str(i), "prediction": "ab"[i % 2], "reference": "a"} for i in range(50)])
             for at in range(3)]  # fmt: skip
    assert main(["run", "--plugin", EXAMPLE, *files, "--jobs", "1", "--out", "jobs1"]) == 0
    assert process("run", "--plugin", EXAMPLE, *files, "--jobs", "2", "--out", "jobs2").returncode == 0
    names = ["summary.json", "manifest.json", *(f"parts/part-{at:05d}.parquet" for at in range(3))]
    assert [(Path("jobs1") / name).read_bytes() for name in names] == [
        (Path("jobs2") / name).read_bytes() for name in names
    ]


@pytest.mark.parametrize("encoding", ["ascii", "cp949", "latin-1"])
def test_a_poor_locale_is_no_reason_to_stop(
    process: Callable[..., Any], write: Callable[..., str], encoding: str
) -> None:
    path = write("p.jsonl", [{"id": "한", "prediction": "a", "reference": "a", "system": "시스템 é 😀"}])
    env = {"PYTHONIOENCODING": encoding}
    shown = process("run", "--plugin", EXAMPLE, path, "--out", "out", env=env, encoding=encoding)
    assert (shown.returncode, shown.stderr) == (0, "")


def test_json_is_utf_8_in_a_poor_locale(process: Callable[..., Any], write: Callable[..., str]) -> None:
    path = write("p.jsonl", [{"id": "한", "prediction": "a", "reference": "a", "system": "시스템 é 😀"}])
    env = {"PYTHONIOENCODING": "ascii"}
    printed = process("run", "--plugin", EXAMPLE, path, "--out", "out", "--json", env=env, encoding="utf-8")
    assert list(json.loads(printed.stdout)["systems"]) == ["시스템 é 😀"]


def test_a_name_that_is_not_utf_8_is_refused(jatdae: Callable[..., Any], pairs: str) -> None:
    name = os.fsdecode(b"\xff")
    for flags in (["--system", f"{name}={pairs}", "--ref", pairs], [f"{name}.jsonl"], [pairs, "--out", name]):
        ended = jatdae("run", "marks", *flags)
        assert (ended.status, ended.out) == (2, "")
        assert "\\udcff" in ended.err
        assert "is not valid UTF-8" in ended.err


def test_an_interruption_before_the_command_begins_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("jatdae.cli.app.run", interrupted)
    assert main(["list"]) == 130


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_a_process_with_130(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time, pathlib\nfrom jatdae import *\n@evaluator('slow', metrics=[Metric('m', 'higher', 0.0)])\n"
        "class Slow:\n  def score(self, sample):\n    pathlib.Path('began').touch(); time.sleep(60)\n"
    )
    (tmp_path / "p.jsonl").write_text('{"prediction": "a", "reference": "a"}\n')
    command = [sys.executable, "-m", "jatdae", "run", "--plugin", "slow.py:Slow", "p.jsonl"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not (tmp_path / "began").exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert err.decode().startswith("Interrupted.")


def test_the_bar_shows_phases_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for forced, shown in ((False, False), (True, True)):
        monkeypatch.setenv("FORCE_COLOR", "1") if forced else monkeypatch.delenv("FORCE_COLOR", raising=False)
        with output.progress_bar() as told:
            told("plan", 1, 2)
            told("score", 50, 100)
            told("score", 100, 100)
        err = capsys.readouterr().err
        assert ("Scoring" in err, "100/100" in err) == (shown, shown)


def test_output_that_is_no_file_is_written_too(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    assert app.run(["list", "--json"]) == 0
    assert json.loads(written.getvalue())


@pytest.mark.parametrize(("language", "head"), [("en", "warning"), ("ko", "경고")])
def test_a_warning_is_printed_as_a_message_without_its_line_of_code(monkeypatch, jatdae, language, head):
    monkeypatch.setitem(app.BUILT_IN, "doctor", lambda: warnings.warn("no rule uses these names: dizzy", stacklevel=1))
    assert jatdae("doctor", "--lang", language).err.strip() == f"{head}: no rule uses these names: dizzy"
