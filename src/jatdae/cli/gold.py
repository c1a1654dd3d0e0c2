"""`jatdae gold`: checks reference-tables files (DOC.tables.json) and writes templates for them."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.text import Text

from jatdae.cli.output import print_json
from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.core.writing import write_atomically
from jatdae.run.input.files import missing_or_unreadable


def gold_app() -> App:
    """Make the `jatdae gold` command with its subcommands, which check and begin reference-tables files."""
    app = App(name="gold", help=say("help_gold"))
    app.command(check)
    app.command(new)
    return app


def check(
    *files: Annotated[Path, Parameter(help="Reference files (DOC.tables.json).")],
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> int:
    """Check reference tables: schema, HTML, counts, spans, empty cells. Exit status 1 if there is a problem."""
    from jatdae.tables import gold_tables as gold

    if not files:
        raise UsageError(say("nothing_to_check"))
    for file in files:
        if error := missing_or_unreadable(str(file)):
            raise error
    problems = {str(path): gold.check(path) for path in files}
    if json:
        print_json({path: [str(problem) for problem in found] for path, found in problems.items()})
    else:
        console = Console(highlight=False)
        for path, found in problems.items():
            for problem in found:
                console.print(Text(str(problem)), soft_wrap=True)
            if not found:
                console.print(Text(say("gold_fine", place=path)), soft_wrap=True)
    return 1 if any(problems.values()) else 0


def new(
    document: Annotated[str, Parameter(help="Document id.")],
    *,
    tables: Annotated[int, Parameter(help="Number of tables.")] = 1,
    out: Annotated[Path | None, Parameter(alias="-o", help="Output file (default: standard output).")] = None,
) -> None:
    """Write a template for the reference tables of a document."""
    from jatdae.tables import gold_tables as gold

    if tables < 1:
        raise UsageError(say("bad_table_count", value=tables))
    text = jsonlib.dumps(gold.skeleton(document, tables), ensure_ascii=False, indent=2) + "\n"
    if out is None:
        print(text, end="")
    elif out.exists():
        raise UsageError(say("file_exists", place=out))
    else:
        write_atomically(out, text)
