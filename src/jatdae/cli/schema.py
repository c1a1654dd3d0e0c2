"""`jatdae schema`: JSON Schemas for editors and validators."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from jatdae.cli.output import print_json
from jatdae.core.config import config_schema
from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.core.registry import available, find


def schema(name: Annotated[str, Parameter(help="`suite`, or an evaluator for its settings.")]) -> None:
    """Print a JSON Schema."""
    if name == "suite":
        from jatdae.run.suite import suite_schema

        print_json(suite_schema())
    elif name in available():
        print_json(config_schema(find(name)))
    else:
        known = ["suite", *available()]
        raise UsageError(say("unknown_schema", name=name, near=near(name, known), known=", ".join(known)))
