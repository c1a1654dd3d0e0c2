"""`jatdae list`: lists the evaluators with their metrics and settings."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from jatdae.cli.output import PLUGINS, lend_plugins
from jatdae.core.config import plain_value
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.meanings import meanings_of
from jatdae.core.messages import say
from jatdae.core.registry import find, known_names
from jatdae.core.terminal import print_json, terminal
from jatdae.report.console import show_sheet
from jatdae.report.sheets import Sheet, SheetCell, metric_label


def list_evaluators(
    *,
    plugin: Annotated[tuple[str, ...], PLUGINS] = (),
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> None:
    """List the evaluators with their metrics and settings."""
    lend_plugins(plugin)
    described = {name: _describe(name, "en" if json else "") for name in known_names()}
    if json:
        print_json(described)
        return
    rows = tuple(
        (
            SheetCell(name, True),
            SheetCell(about["doc"]),
            SheetCell(", ".join(metric_label(m["name"], m["better"]) for m in about["metrics"])),
        )
        for name, about in described.items()
    )
    header = (say("evaluator"), say("measures"), say("metrics"))
    show_sheet(Sheet(say("evaluators"), header, rows), terminal())


def _describe(name: str, language: str) -> dict[str, Any]:
    try:
        cls = find(name)
        meanings = meanings_of(cls)
        doc = meanings.of("evaluators", name, language)
    except UsageError as error:  # told of here, so that a broken package is not just absent
        return {"doc": str(error), "broken": True, "metrics": [], "settings": {}}
    spec = spec_of(cls)
    return {
        "doc": doc,
        "version": spec.version,
        "metrics": [
            {"name": m.name, "better": m.better, "unit": m.unit, "primary": m == spec.primary} for m in spec.metrics
        ],
        "settings": {
            o.name: {"default": plain_value(o.default), "help": meanings.of("settings", o.name, language)}
            for o in options_of(cls)
        },
    }
