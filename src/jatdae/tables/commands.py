"""`jatdae gold`: checks reference-tables files (DOC.tables.json) and writes templates for them."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker
from jatdae.core.terminal import print_json, print_line
from jatdae.core.writing import write_atomically
from jatdae.tables import gold_tables

gold = App(name="gold", help="Check and create reference files.")
say = speaker(__name__)


@gold.command
def check(
    *files: Annotated[Path, Parameter(help="Reference files (DOC.tables.json).")],
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> int:
    """Check reference tables: schema, HTML, counts, spans, empty cells. Exit status 1 if there is a problem."""
    if not files:
        raise UsageError(say("nothing_to_check"))
    problems = {str(path): gold_tables.check(path) for path in files}
    if json:
        print_json(problems)
    else:
        for path, found in problems.items():
            for problem in found:
                print_line(problem)
            if not found:
                print_line(say("gold_fine", place=path))
    return 1 if any(problems.values()) else 0


@gold.command
def new(
    document: Annotated[str, Parameter(help="Document id.")],
    *,
    tables: Annotated[int, Parameter(help="Number of tables.")] = 1,
    out: Annotated[Path | None, Parameter(alias="-o", help="Output file (default: standard output).")] = None,
) -> None:
    """Write a template for the reference tables of a document."""
    if tables < 1:
        raise UsageError(say("bad_table_count", value=tables))
    text = jsonlib.dumps(gold_tables.skeleton(document, tables), ensure_ascii=False, indent=2) + "\n"
    if out is None:
        print(text, end="")
    elif out.exists():
        raise UsageError(say("file_exists", place=out))
    else:
        write_atomically(out, text)


gold.command(  # by name: it stands above this room
    "jatdae.corpus.commands:from_latex",
    name="from-latex",
    help="Convert papers in LaTeX to reference documents in Markdown, with pandoc. Exit status 1 if a paper failed.",
)
