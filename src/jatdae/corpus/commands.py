"""`jatdae parse` and `jatdae gold from-latex`."""

from __future__ import annotations

import os
import threading
from collections import Counter
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import Annotated, Final

import orjson
from cyclopts import Parameter

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.core.terminal import print_json, print_line, terminal
from jatdae.core.writing import write_atomically
from jatdae.corpus.latex_gold import REPORT, Converted, convert_or_tell, find_pandoc
from jatdae.corpus.latex_source import find_main
from jatdae.corpus.parsing import (
    OK,
    RECORD,
    VERSION_TIMEOUT,
    Parsed,
    ParseRun,
    find_inputs,
    read_command,
    read_version,
)

say = speaker(__name__)

_PATIENCE: Final = 3.0
"""Seconds of silence before a person is told what is being waited for."""


def parse(
    *documents: Annotated[Path, Parameter(help="PDF files or page images, or folders of them.")],
    command: Annotated[
        str, Parameter(help="Parser for one document, with {input} and {output}; {folder} is a folder to write to.")
    ],
    out: Annotated[Path, Parameter(alias="-o", help="Folder for the outputs.")],
    suffix: Annotated[str, Parameter(help="Suffix of the outputs: .md, .txt or .html.")] = ".md",
    tool: Annotated[str, Parameter(help="Name of the parser (default: the program).")] = "",
    version_command: Annotated[str, Parameter(help="Command that prints the version of the parser.")] = "",
    timeout: Annotated[float, Parameter(help="Seconds after which a document is given up.")] = 600.0,
    jobs: Annotated[int | None, Parameter(alias="-j", help="Documents at once (default: all cores).")] = None,
    retry: Annotated[bool, Parameter(negative=(), help="Try again what failed before.")] = False,
    overwrite: Annotated[bool, Parameter(negative=(), help="Start anew in a folder that is there.")] = False,
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> int:
    """Run a parser over many documents, in parallel and resumed. Exit status 1 if a document failed."""
    if jobs is not None and jobs < 1:
        raise UsageError(say("bad_jobs", value=jobs))
    if not documents:
        raise UsageError(say("no_documents_given"))
    parser = read_command(command, tool, "", suffix, timeout)
    parser = replace(parser, version=_version(version_command))
    inputs = find_inputs(documents)
    done = 0

    def told(line: Parsed) -> None:
        nonlocal done
        done += 1
        status = say(f"status_{line.status}")
        text = say("parsed_one", n=done, document=line.document, seconds=f"{line.seconds:.1f}", status=status)
        _tell_progress(f"{text}: {line.reason}" if line.reason else text)

    lines = ParseRun(parser, out).run(inputs, jobs or os.cpu_count() or 1, retry=retry, overwrite=overwrite, told=told)
    failed = [line for line in lines if line.status != OK]
    if json:
        print_json([orjson.loads(orjson.dumps(line)) for line in lines])
    else:
        _tell_summary(lines, failed, out, len(lines) - done)
    return 1 if failed else 0


def _version(command: str) -> str:
    """The version that a parser tells; where that takes long, what is being waited for is said."""
    told = say("version_waiting", command=command, seconds=VERSION_TIMEOUT)
    waiting = threading.Timer(_PATIENCE, lambda: _tell_progress(told))
    waiting.start()
    try:
        return read_version(command)
    finally:
        waiting.cancel()


def _tell_progress(text: str) -> None:
    terminal(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)


def _tell_summary(lines: list[Parsed], failed: list[Parsed], out: Path, before: int) -> None:
    if before:
        print_line(say("parsed_before", n=before))
    parsed = [line for line in lines if line.status == OK]
    pages = sum(line.pages or 0 for line in parsed)
    seconds = fsum(line.seconds for line in parsed)
    rate = f"{seconds / pages:.2f}" if pages else "–"
    print_line(say("parsed_all", ok=len(parsed), all=len(lines), pages=pages, rate=rate, place=out / RECORD))
    for status, number in sorted(Counter(line.status for line in failed).items()):
        first = next(line for line in failed if line.status == status)
        print_line(say("parsed_failed", status=say(f"status_{status}"), n=number, document=first.document))


def from_latex(
    *sources: Annotated[Path, Parameter(help="Main files (.tex), or folders with one main file each.")],
    out: Annotated[Path, Parameter(alias="-o", help="Folder for the reference documents.")],
    csl: Annotated[
        Path | None, Parameter(help="Citation style (CSL file), where that of the paper is not known.")
    ] = None,
    overwrite: Annotated[bool, Parameter(negative=(), help="Overwrite documents that are there.")] = False,
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> int:
    """Convert papers in LaTeX to reference documents in Markdown, with pandoc. Exit status 1 if a paper failed."""
    if not sources:
        raise UsageError(say("no_sources"))
    if csl is not None and not csl.is_file():
        raise UsageError(say("no_csl", place=csl))
    named = _named(sources)
    if not overwrite and (there := next((n for n in named if (out / f"{n}.md").exists()), None)):
        raise UsageError(say("gold_exists", place=out / f"{there}.md"))
    find_pandoc()
    made = [convert_or_tell(main, name, csl) for name, main in named.items()]
    failed = [each for each in made if each.failure]
    out.mkdir(parents=True, exist_ok=True)
    for each in made:
        if not each.failure:
            write_atomically(out / f"{each.document}.md", each.markdown)
    write_atomically(out / REPORT, b"".join(orjson.dumps(each.row()) + b"\n" for each in made))
    if json:
        print_json([each.row() for each in made])
    else:
        for each in made:
            _tell_converted(each, out)
    return 1 if failed else 0


def _named(sources: tuple[Path, ...]) -> dict[str, Path]:
    """Main files by the name of their document: that of the folder given, or of the file."""
    named: dict[str, Path] = {}
    for given in sources:
        name = given.resolve().name if given.is_dir() else given.stem
        if name in named:
            raise UsageError(say("same_paper", name=name, first=named[name], second=given))
        named[name] = find_main(given)
    return named


def _tell_converted(made: Converted, out: Path) -> None:
    if made.failure:
        print_line(say("not_converted", place=made.source, problem=made.failure))
        return
    print_line(say("converted", place=out / f"{made.document}.md", **made.counts))
    for (kind, what), number in sorted(made.problems.items()):
        print_line("  " + say(f"latex_{kind}", what=what, n=number))
