"""`jatdae parse`: parsers that work, hang, crash or write nothing; resumed runs; what is recorded."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main
from jatdae.core.errors import JatdaeError
from jatdae.corpus.parsing import RECORD, ParseRun, _filled, find_inputs, read_command, read_version
from jatdae.corpus.pdf_pages import count_pages

COPY = "sed 1d {input}"
"""A parser: what it prints is the document without the line that marks it as a PDF."""
TREE = b"1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Count 2 >> endobj\n"
TRAILER = b"trailer << /Root 1 0 R >> startxref\n"
PDF = b"%PDF-1.4\n" + TREE + TRAILER + b"%%EOF\n"
ORPHANS = b"%PDF-1.4\n" + b"9 0 obj << /Type /Page >> endobj\n" * 21
UPDATE = b"2 0 obj << /Type /Pages /Count 3 >> endobj\n"


@pytest.fixture
def pdfs(tmp_path: Path) -> Path:
    folder = tmp_path / "pdf"
    (folder / "inner").mkdir(parents=True)
    for name in ("a", "b", "inner/c"):
        (folder / f"{name}.pdf").write_bytes(PDF + name.encode())
    return folder


def script(folder: Path, body: str) -> str:
    """A parser in shell; $1 is the document, $2 the output."""
    file = folder / "parser.sh"
    file.write_text(body, "utf-8")
    return f"sh {file} {{input}} {{output}}"


def parsed(pdfs: Path, command: str, out: Path, timeout: float = 30.0, **options: Any) -> dict[str, Any]:
    parser = read_command(command, "tool", "1.0", ".md", timeout)
    lines = ParseRun(parser, out).run(find_inputs([pdfs]), 2, **options)
    return {line.document: line for line in lines}


def recorded(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / RECORD).read_text("utf-8").splitlines()]


def test_each_document_is_parsed_and_recorded(pdfs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    parsed(pdfs, COPY, out)
    assert (out / "inner" / "c.md").read_bytes() == (pdfs / "inner" / "c.pdf").read_bytes().partition(b"\n")[2]
    rows = recorded(out)
    assert [row["document"] for row in rows] == ["a", "b", "inner/c"]
    assert rows[0] | {"seconds": 0, "input_sha256": ""} == {
        "document": "a", "seconds": 0, "pages": 2, "tool": "tool", "version": "1.0", "status": "ok", "reason": "",
        "output": "a.md", "input_sha256": "", "command": COPY, "suffix": ".md",
    }  # fmt: skip
    assert sorted(path.name for path in out.iterdir()) == ["a.md", "b.md", "inner", RECORD]


def test_a_parser_may_print_or_write_to_a_folder(pdfs: Path, tmp_path: Path) -> None:
    parsed(pdfs, "echo read {input}", tmp_path / "printed")
    assert (tmp_path / "printed" / "a.md").read_text("utf-8") == f"read {pdfs / 'a.pdf'}\n"
    parsed(pdfs, "sed -n 2w{folder}/page.html {input}", tmp_path / "folder")
    assert (tmp_path / "folder" / "a.html").exists()


def test_a_command_is_run_where_the_user_is(pdfs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path, 'sed 1d "$1" > "$2"\n')
    monkeypatch.chdir(tmp_path)
    assert parsed(Path("pdf"), "sh parser.sh {input} {output}", Path("out"))["a"].status == "ok"


def test_one_that_hangs_is_given_up_with_all_it_started(pdfs: Path, tmp_path: Path) -> None:
    command = script(
        tmp_path, f'case "$1" in *a.pdf) sleep 61 & echo $! > {tmp_path}/child; wait;; *) sed 1d "$1" > "$2";; esac\n'
    )
    lines = parsed(pdfs, command, tmp_path / "out", timeout=0.5)
    assert (lines["a"].status, lines["a"].reason) == ("timeout", "not done after 0.5 s")
    assert lines["b"].status == "ok"
    child = int((tmp_path / "child").read_text("utf-8"))
    assert not is_running(child)


def is_running(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_one_that_crashes_and_one_that_writes_nothing_are_kept_with_their_reason(pdfs: Path, tmp_path: Path) -> None:
    body = 'case "$1" in *a.pdf) echo no font >&2; exit 3;; *b.pdf) echo "  " > "$2";; *) sed 1d "$1" > "$2";; esac\n'
    out = tmp_path / "out"
    lines = parsed(pdfs, script(tmp_path, body), out)
    assert (lines["a"].status, lines["a"].reason) == ("failed", "exit status 3: no font")
    assert (lines["b"].status, lines["b"].reason) == ("empty", "exit status 0, but no text")
    assert lines["inner/c"].status == "ok"
    assert [row["status"] for row in recorded(out)] == ["failed", "empty", "ok"]
    assert not (out / "b.md").exists()
    killed = parsed(pdfs, script(tmp_path, "kill -SEGV $$\n"), tmp_path / "killed")
    assert killed["a"].reason == "killed by SIGSEGV"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (b"%PDF-1.4 text", "a PDF, an office file or an image instead of text"),
        (b"\x89PNG\r\n", "a PDF, an office file or an image instead of text"),
        (b"first\nab\xff\x81 bad", "neither UTF-8 nor CP949 at 2:3"),
    ],
)
def test_output_that_is_no_text_is_a_failure(pdfs: Path, tmp_path: Path, written: bytes, reason: str) -> None:
    (tmp_path / "binary").write_bytes(written)
    command = script(tmp_path, f'case "$1" in *a.pdf) cp {tmp_path}/binary "$2";; *) sed 1d "$1" > "$2";; esac\n')
    out = tmp_path / "out"
    line = parsed(pdfs, command, out)["a"]
    assert (line.status, line.reason, line.output) == ("failed", f"exit status 0, but {reason}", "")
    assert not (out / "a.md").exists()
    (tmp_path / "binary").write_text("표와 글", "cp949")
    assert parsed(pdfs, command, out)["a"].status == "failed"
    assert parsed(pdfs, command, out, retry=True)["a"].status == "ok"


def test_a_failure_leaves_no_output_of_before(pdfs: Path, tmp_path: Path) -> None:
    command, out = script(tmp_path, 'grep -q changed "$1" && exit 3; sed 1d "$1" > "$2"\n'), tmp_path / "out"
    parsed(pdfs, command, out)
    (pdfs / "a.pdf").write_bytes(PDF + b"changed")
    assert parsed(pdfs, command, out)["a"].status == "failed"
    assert sorted(path.name for path in out.iterdir()) == ["b.md", "inner", RECORD]


def test_what_is_done_is_not_done_again_and_failures_only_if_asked(pdfs: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    body = f'echo "$1" >> {log}; case "$1" in *a.pdf) exit 1;; *) sed 1d "$1" > "$2";; esac\n'
    command, out = script(tmp_path, body), tmp_path / "out"
    parsed(pdfs, command, out)
    assert len(log.read_text("utf-8").split()) == 3
    parsed(pdfs, command, out)
    assert len(log.read_text("utf-8").split()) == 3
    parsed(pdfs, command, out, retry=True)
    assert len(log.read_text("utf-8").split()) == 4
    (pdfs / "b.pdf").write_bytes(PDF + b"changed")
    (out / "inner" / "c.md").unlink()
    parsed(pdfs, command, out)
    assert len(log.read_text("utf-8").split()) == 6
    assert [row["document"] for row in recorded(out)] == ["a", "b", "inner/c"]


def test_a_torn_record_is_cut_off_and_its_document_done_again(pdfs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    parsed(pdfs, COPY, out)
    whole = (out / RECORD).read_bytes()
    (out / RECORD).write_bytes(whole[:-20])
    (out / ".parsing").mkdir()
    (out / ".parsing" / "left").write_text("half", "utf-8")
    parsed(pdfs, COPY, out)
    assert [row["status"] for row in recorded(out)] == ["ok"] * 3
    assert not (out / ".parsing").exists()


def test_no_run_is_given_the_place_of_another(pdfs: Path, tmp_path: Path) -> None:
    """A parser of a run that was killed may still be at work; what it writes must not reach the run that goes on."""
    places = tmp_path / "places"
    command = script(tmp_path, f'echo "$2" >> {places}; sed 1d "$1" > "$2"\n')
    for _ in range(2):
        assert all(line.status == "ok" for line in parsed(pdfs, command, tmp_path / "out", overwrite=True).values())
    assert len(set(places.read_text("utf-8").split())) == 6


def test_a_run_that_is_ended_kills_its_parsers_and_goes_on(pdfs: Path, tmp_path: Path) -> None:
    """A request to end comes while a parser sleeps: what was done stays done, and the next run does the rest."""
    go, pid, out = tmp_path / "go", tmp_path / "pid", tmp_path / "out"
    command = script(
        tmp_path,
        f'case "$1" in *c.pdf) test -e {go} || {{ echo $$ > {pid}; exec sleep 61; }};; esac; sed 1d "$1" > "$2"\n',
    )

    def end() -> None:
        for _ in range(600):
            if pid.exists() and pid.read_text("utf-8").strip() and len((out / RECORD).read_bytes().splitlines()) == 2:
                break
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=end)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        parsed(pdfs, command, out)
    thread.join()
    assert not is_running(int(pid.read_text("utf-8")))
    assert {row["document"] for row in recorded(out)} == {"a", "b"}
    go.touch()
    assert {line.status for line in parsed(pdfs, command, out).values()} == {"ok"}


def test_another_parser_does_not_go_on_in_the_same_folder(pdfs: Path, tmp_path: Path) -> None:
    parsed(pdfs, COPY, tmp_path / "out")
    other = read_command(COPY, "other", "2", ".md", 1)
    with pytest.raises(JatdaeError, match=r"was begun with tool 1\.0 · sed .* this is other 2 · sed .*--overwrite"):
        ParseRun(other, tmp_path / "out").run(find_inputs([pdfs]), 1)
    assert len(ParseRun(other, tmp_path / "out").run(find_inputs([pdfs]), 1, overwrite=True)) == 3


@pytest.mark.parametrize(
    ("command", "suffix"), [("sed 1,2d {input}", ".md"), (COPY, ".txt")], ids=["argument", "suffix"]
)
def test_another_command_or_suffix_does_not_go_on_in_the_same_folder(
    pdfs: Path, tmp_path: Path, command: str, suffix: str
) -> None:
    parsed(pdfs, COPY, tmp_path / "out")
    other = read_command(command, "tool", "1.0", suffix, 30)
    with pytest.raises(JatdaeError, match=r"was begun with tool 1\.0 · sed 1d \{input\} · \.md"):
        ParseRun(other, tmp_path / "out").run(find_inputs([pdfs]), 1)
    assert (tmp_path / "out" / "a.md").exists()


def test_a_record_without_its_command_is_not_taken_for_one_of_this_command(pdfs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    parsed(pdfs, COPY, out)
    rows = [{key: value for key, value in row.items() if key not in ("command", "suffix")} for row in recorded(out)]
    (out / RECORD).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with pytest.raises(JatdaeError, match=r"tool 1\.0 · – · –"):
        parsed(pdfs, COPY, out)


def test_doubled_braces_stand_for_themselves(tmp_path: Path) -> None:
    assert _filled("{{print}} {input}}}", {"{input}": Path("a")}) == "{print} a}"
    (tmp_path / "a.pdf").write_bytes(PDF)
    run = ParseRun(read_command("printf {{x}}%s {input}", "", "", ".md", 10), tmp_path / "out")
    assert run.run(find_inputs([tmp_path / "a.pdf"]), 1)[0].status == "ok"
    assert (tmp_path / "out" / "a.md").read_text("utf-8").startswith("{x}")


def test_a_name_is_no_part_of_the_command(tmp_path: Path) -> None:
    odd = tmp_path / "a; rm -rf {output} $(x) '.pdf"
    odd.write_bytes(PDF)
    lines = ParseRun(read_command(COPY, "", "", ".md", 10), tmp_path / "out").run(find_inputs([odd]), 1)
    assert lines[0].status == "ok"
    assert (tmp_path / "out" / f"{odd.stem}.md").exists()
    assert _filled("{input}:{output}", {"{input}": Path("{output}"), "{output}": Path("o")}) == "{output}:o"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--command", "cp x y"], "has no {input}"),
        (["--command", "cp '{input} {output}"], "Close every quote"),
        (["--command", "no-such-parser {input} {output}"], "there is no program no-such-parser"),
        (["--command", "cp {input} {output"], "{output is no place to fill in. Did you mean '{output}'?"),
        (["--command", "cp {input} {outptu}"], "{outptu} is no place"),
        (["--command", "cp {inptu} {output}"], "{inptu} is no place"),
        (["--command", "cp {input} output}"], "} is no place"),
        (["--command", "cp {{input}} {output}"], "has no {input}"),
        (["--command", COPY, "--suffix", "md"], "Did you mean '.md'?"),
        (["--command", COPY, "--suffix", ".pdf"], "--suffix .pdf"),
        (["--command", COPY, "--timeout", "0"], "--timeout"),
        (["--command", COPY, "--jobs", "0"], "--jobs 0"),
        (["--command", COPY, "--version-command", "no-such-parser -v"], "--version-command"),
    ],
)
def test_a_wrong_call_is_told(
    pdfs: Path, tmp_path: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parse", str(pdfs), "--out", str(tmp_path / "out"), *arguments]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_inputs_that_cannot_be_told_apart_or_are_not_there(pdfs: Path, tmp_path: Path) -> None:
    with pytest.raises(JatdaeError, match="Two documents are called a"):
        find_inputs([pdfs, pdfs / "a.pdf"])
    with pytest.raises(JatdaeError, match=r"none\.pdf"):
        find_inputs([tmp_path / "none.pdf"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(JatdaeError, match="No document is there"):
        find_inputs([tmp_path / "empty"])


def test_the_command_tells_what_failed(pdfs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = script(tmp_path, 'case "$1" in *a.pdf) exit 1;; *) sed 1d "$1" > "$2";; esac\n')
    call = ["parse", str(pdfs), "--command", command, "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main(call) == 1
    told = capsys.readouterr()
    assert "2 of 3 documents parsed, 4 pages" in told.out
    assert "failed: 1, the first is a" in told.out
    assert "a · 0" in told.err
    assert main([*call, "--json"]) == 1
    assert [row["status"] for row in json.loads(capsys.readouterr().out)] == ["failed", "ok", "ok"]


def test_the_version_is_the_first_line_that_is_printed() -> None:
    assert read_version(f"{sys.executable} -c 'print(5); print(6)'") == "5"
    assert read_version("") == ""


def test_a_version_command_that_hangs_is_given_up_with_all_it_started(tmp_path: Path) -> None:
    script(tmp_path, f"sleep 61 & echo $! > {tmp_path}/child; wait\n")
    with pytest.raises(JatdaeError, match=r"not done after 0\.5 s\. Give one that only prints the version"):
        read_version(f"sh {tmp_path}/parser.sh", timeout=0.5)
    assert not is_running(int((tmp_path / "child").read_text("utf-8")))


def test_the_record_is_no_document_of_a_run(pdfs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, gold = tmp_path / "out", tmp_path / "gold"
    parsed(pdfs, "echo A short text about {input}", out)
    shutil.copytree(out, gold)
    assert main(["run", "text", "--pred", str(out), "--ref", str(gold), "--out", str(tmp_path / "r"), "--jobs=1"]) == 0
    assert json.loads((tmp_path / "r" / "summary.json").read_text("utf-8"))["metrics"]
    assert "extra" not in capsys.readouterr().out


def test_a_pdf_where_text_is_expected_names_this_command(pdfs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "text", "--pred", str(pdfs), "--ref", str(pdfs), "--jobs=1"]) == 2
    assert "jatdae parse" in capsys.readouterr().err


def packed(members: bytes, pairs: bytes) -> bytes:
    """A PDF whose tree lies in an object stream and whose trailer is a stream."""
    body = zlib.compress(pairs + members)
    about = b"/Type /ObjStm /N 2 /First %d /Length %d" % (len(pairs), len(body))
    stream = b"5 0 obj << " + about + b" >> stream\n" + body + b"\nendstream endobj\n"
    return b"%PDF-1.5\n" + stream + b"6 0 obj << /Type /XRef /Root 1 0 R /Length 0 >> stream\n\nendstream endobj\n"


CATALOGUE = b"<< /Pages 2 0 R >>"


@pytest.mark.parametrize(
    ("data", "pages"),
    [
        (PDF, 2),
        (ORPHANS + TREE + TRAILER, 2),
        (PDF + UPDATE + TRAILER, 3),
        (PDF + b"8 0 obj << /Length %d >> stream\n" % len(UPDATE) + UPDATE + b"\nendstream endobj\n", 2),
        (packed(CATALOGUE + b" << /Count 7 >>", b"1 0 2 %d " % len(CATALOGUE)), 7),
        (packed(CATALOGUE + b" << /Count 7 >>", b"1 %d 2 0 " % len(CATALOGUE)), None),
        (packed(CATALOGUE, b"1 0 2 x "), None),
        (ORPHANS, None),
        (PDF.replace(b"/Count 2", b"/Count 0"), None),
        (PDF.replace(b"/Count 2", b"/Count 7 0 R"), None),
        (b"no pdf", None),
        (b"%PDF-1.4 /Type /Pages", None),
        (b"%PDF-1.5 1 0 obj /Type /ObjStm stream\nnot zlib", None),
    ],
)
def test_pages_are_counted(tmp_path: Path, data: bytes, pages: int | None) -> None:
    (tmp_path / "a.pdf").write_bytes(data)
    assert count_pages(tmp_path / "a.pdf") == pages
    (tmp_path / "a.png").write_bytes(data)
    assert count_pages(tmp_path / "a.png") == 1
