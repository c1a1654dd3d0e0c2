"""`jatdae schema`: prints JSON Schemas for editors and validators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import Parameter

from jatdae.cli.output import print_json
from jatdae.core.config import config_schema
from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.core.registry import available, find, working

HELP = "`suite`, an evaluator (its settings), or a file of an evaluator: `terms.lexicon`, `documents.evaluation`."


def schema(name: Annotated[str, Parameter(help=HELP)]) -> None:
    """Print a JSON Schema."""
    if name == "suite":
        from jatdae.run.suite import suite_schema

        print_json(suite_schema())
    elif name in available():
        print_json(config_schema(find(name)))
    elif name in (files := _files()):
        print_json(files[name]())
    else:
        known = ["suite", *available(), *files]
        raise UsageError(say("unknown_schema", name=name, near=near(name, known), known=", ".join(known)))


def _files() -> dict[str, Callable[[], Any]]:
    """Schemas of the files that evaluators read or write, as they give them in `schemas`: `terms.lexicon`."""
    given = {name: getattr(cls, "schemas", {}) for name, cls in working().items()}
    return {f"{name}.{file}": make for name, schemas in given.items() for file, make in schemas.items()}
