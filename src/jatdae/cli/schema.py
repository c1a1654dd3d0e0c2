"""`jatdae schema`: prints JSON Schemas for editors and validators."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from jatdae.cli.output import PLUGINS, lend_plugins
from jatdae.core.config import config_schema
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import near, say
from jatdae.core.registry import find, known_names, working
from jatdae.core.terminal import print_json

HELP = "`suite`, an evaluator (its settings), or a file of an evaluator as EVALUATOR.FILE, or FILE if only one has it."


def schema(name: Annotated[str, Parameter(help=HELP)], *, plugin: Annotated[tuple[str, ...], PLUGINS] = ()) -> None:
    """Print a JSON Schema."""
    lend_plugins(plugin)
    if name == "suite":
        from jatdae.run.suite import suite_schema

        print_json(suite_schema())
    elif name in known_names():
        print_json(config_schema(find(name)))
    elif (full := _full_name(name)) in (files := _files()):
        from jatdae.core.configfile import schema_of

        print_json(schema_of(files[full]))
    else:
        known = known_schemas()
        raise UsageError(say("unknown_schema", name=name, near=near(name, known), known=", ".join(known)))


def known_schemas() -> list[str]:
    """Names of all schemas that the command can print."""
    return ["suite", *known_names(), *_files()]


def _full_name(name: str) -> str:
    """`EVALUATOR.FILE` of a file that only one evaluator has; any other name as it is."""
    full = [each for each in _files() if each.partition(".")[2] == name]
    return full[0] if len(full) == 1 else name


def _files() -> dict[str, Any]:
    """What describes the files that evaluators declare, by `EVALUATOR.FILE`."""
    return {f"{name}.{file}": model for name, cls in working().items() for file, model in spec_of(cls).files.items()}
