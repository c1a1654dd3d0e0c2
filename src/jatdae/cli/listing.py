"""`jatdae list`: lists the evaluators, or describes one: what its metrics, settings, issues, counts and rates mean."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from jatdae.cli.output import PLUGINS, lend_plugins
from jatdae.core.config import plain_value
from jatdae.core.contract import Count, IssueKind, Metric, Rate
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import EvaluatorSpec, Option, options_of, spec_of
from jatdae.core.meanings import Meanings, meanings_of
from jatdae.core.messages import COMMON, printable, say, shown
from jatdae.core.registry import find, known_names
from jatdae.core.terminal import print_json, terminal
from jatdae.report.console import show_sheet
from jatdae.report.sheets import Sheet, SheetCell, metric_label

TYPES: Final = {bool: "boolean", int: "integer", float: "number", str: "string", Path: "path"}
"""What the type of a setting is called; one of another type is a list or a mapping."""


def list_evaluators(
    evaluator: Annotated[
        str | None, Parameter(help="Evaluator to describe in full (default: a table of all evaluators).")
    ] = None,
    /,
    *,
    plugin: Annotated[tuple[str, ...], PLUGINS] = (),
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> None:
    """List the evaluators, or describe one: metrics, settings, issues and count tables with their meaning."""
    lend_plugins(plugin)
    language = "en" if json else ""
    if evaluator is not None:
        about = _describe(find(evaluator), language)
        if json:
            print_json(about)
        else:
            _show_one(evaluator, about)
        return
    described = {name: _describe_or_tell(name, language) for name in known_names()}
    if json:
        print_json(described)
    else:
        _show_all(described)


def _describe_or_tell(name: str, language: str) -> dict[str, Any]:
    """What an evaluator declares; of one that cannot be loaded the reason, so that it is not just absent."""
    try:
        return _describe(find(name), language)
    except UsageError as error:
        return {
            "doc": str(error),
            "broken": True,
            "metrics": [],
            "settings": {},
            "issues": [],
            "counts": [],
            "rates": [],
        }


def _describe(cls: type, language: str) -> dict[str, Any]:
    """What an evaluator declares, as JSON values; `language` is that of the meanings, "" for the chosen one."""
    spec, meanings = spec_of(cls), meanings_of(cls)
    return {
        "doc": meanings.of("evaluators", spec.name, language),
        "version": spec.version,
        "metrics": [_metric(each, spec, meanings, language) for each in spec.metrics],
        "settings": {each.name: _setting(each, spec, meanings, language) for each in options_of(cls)},
        "issues": [_issue(each, meanings, language) for each in spec.issues],
        "counts": [_count(each, meanings, language) for each in spec.counts],
        "rates": [_rate(each, meanings, language) for each in spec.rates],
    }


def _metric(metric: Metric, spec: EvaluatorSpec, meanings: Meanings, language: str) -> dict[str, Any]:
    return {
        "name": metric.name,
        "better": metric.better,
        "unit": metric.unit,
        "primary": metric == spec.primary,
        "family": metric in spec.family,
        "range": metric.ends,
        "worst": metric.worst,
        "help": meanings.of("metrics", metric.name, language),
        "formula": meanings.of("definitions", metric.name, language),
        "source": meanings.of("sources", metric.name, "en"),
    }


def _setting(option: Option, spec: EvaluatorSpec, meanings: Meanings, language: str) -> dict[str, Any]:
    try:
        default = plain_value(option.default)
    except ValueError as error:
        refused = say("option_not_plain", name=spec.name, key=option.name, value=shown(repr(error.args[0])))
        raise UsageError(refused) from None
    kinds = (option.type, *get_args(option.type))
    choices = [value for kind in kinds if get_origin(kind) is Literal for value in get_args(kind)]
    return {
        "type": _types(option.type),
        "default": default,
        **({"choices": choices} if choices else {}),
        "help": meanings.of("settings", option.name, language),
    }


def _types(kind: Any) -> list[str]:
    """Types that a value of a setting may have, besides None: in the words of JSON Schema, and `path`."""
    if kind in TYPES:
        return [TYPES[kind]]
    if (outer := get_origin(kind)) is Literal:
        return list(dict.fromkeys(TYPES.get(type(value), "string") for value in get_args(kind)))
    if kind is dict or outer in (dict, Mapping):
        return ["object"]
    if kind in (list, tuple, set, frozenset) or outer in (list, tuple, set, frozenset, Sequence):
        return ["array"]
    return list(dict.fromkeys(name for each in get_args(kind) for name in _types(each)))


def _issue(kind: IssueKind, meanings: Meanings, language: str) -> dict[str, Any]:
    return {"code": kind.code, "severity": kind.severity, "help": meanings.of("issues", kind.code, language)}


def _count(count: Count, meanings: Meanings, language: str) -> dict[str, Any]:
    return {"name": count.name, "error": count.error, "help": meanings.of("counts", count.name, language)}


def _rate(rate: Rate, meanings: Meanings, language: str) -> dict[str, Any]:
    return {"name": rate.name, "better": rate.better, "help": meanings.of("rates", rate.name, language)}


def _show_all(described: Mapping[str, dict[str, Any]]) -> None:
    rows = tuple(
        (
            SheetCell(name, True),
            SheetCell(about["doc"]),
            SheetCell(", ".join(metric_label(m["name"], m["better"]) for m in about["metrics"])),
        )
        for name, about in described.items()
    )
    header = (say("evaluator"), say("measures"), say("metrics"))
    show_sheet(Sheet(say("evaluators"), header, rows, say("list_more")), terminal())


def _show_one(name: str, about: Mapping[str, Any]) -> None:
    """Print what an evaluator declares: a table for each kind of name."""
    terminal().print(Text.assemble((name, "bold"), f": {printable(about['doc'])}\n"))
    _show(
        "metrics",
        ((metric_label(m["name"], m["better"]), _above(m["help"], *_about_metric(m))) for m in about["metrics"]),
    )
    _show("settings", ((key, _above(s["help"], _about_setting(s))) for key, s in about["settings"].items()))
    _show("issues", ((i["code"], say(f"severity_{i['severity']}"), i["help"]) for i in about["issues"]))
    _show("common_issues", COMMON.table("issues").items())
    _show(
        "counts",
        ((c["name"], say("count_error" if c["error"] else "count_neutral"), c["help"]) for c in about["counts"]),
    )
    _show("rates", ((metric_label(r["name"], r["better"]), r["help"]) for r in about["rates"]))


def _about_metric(metric: Mapping[str, Any]) -> list[list[str]]:
    """Lines on a metric: its formula, what it is declared as, its source."""
    low, high = (
        f"{end:g}" if end is not None else sign for end, sign in zip(metric["range"], ("−∞", "∞"), strict=True)
    )
    declared = [
        *([say("metric_primary")] if metric["primary"] else []),
        *([say("metric_family")] if metric["family"] else []),
        say(f"page_better_{metric['better']}"),
        say("metric_range", low=low, high=high),
        *([say("metric_unit", unit=metric["unit"])] if metric["unit"] else []),
    ]
    source = [say("page_source", source=metric["source"])] if metric["source"] else []
    return [[metric["formula"]], declared, source]


def _about_setting(setting: Mapping[str, Any]) -> list[str]:
    from jatdae.core.problems import KINDS

    default, choices = setting["default"], setting.get("choices")
    if not isinstance(default, str):
        default = jsonlib.dumps(default, ensure_ascii=False) if default not in (None, {}, []) else say("no_value")
    return [
        say("config_or").join(say(KINDS[each]) for each in setting["type"]),
        *([say("setting_choices", choices=", ".join(map(str, choices)))] if choices else []),
        say("setting_default", default=default),
    ]


def _above(meaning: str, *lines: Sequence[str]) -> Text:
    """A meaning, and on the next lines in grey what else is declared."""
    told = [Text(printable(meaning))] if meaning else []
    joined = (" · ".join(filter(None, facts)) for facts in lines)
    return Text("\n").join([*told, *(Text(printable(line), "dim") for line in joined if line)])


def _show(kind: str, rows: Iterable[Sequence[str | Text]]) -> None:
    """Print the names of one kind, each with what it means; nothing if there are none."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*(Text(printable(cell)) if isinstance(cell, str) else cell for cell in row))
    if table.row_count:
        for column in table.columns:
            column.overflow = "fold"  # else rich cuts a line that ends in a wide character
        terminal().print(Text(say(f"declared_{kind}"), "bold"), table, "", sep="\n")
