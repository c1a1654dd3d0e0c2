"""Nothing outside a room knows its name: core, run, report and cli name no evaluator, metric or issue of one."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.core.evaluator import spec_of
from jatdae.core.meanings import meanings_of
from jatdae.core.messages import COMMON
from jatdae.core.registry import GROUP, load_class

PACKAGE = Path(jatdae.__file__).resolve().parent
COMMON_FOLDERS = ("core", "run", "report", "cli")
SUFFIXES = {".py", ".toml", ".js", ".css", ".html", ".j2", ".json"}
ORDINARY = {
    "text": "also an SVG element, a CSS class, and the key of a document's text beside its sidecars",
    "score": "also the method of every evaluator",
    "precision": "also a word of mathematics",
    "recall": "also a word of mathematics",
}
"""Names of evaluators, metrics and issues that are ordinary words as well: only imports of them can be told."""


def sources() -> list[Path]:
    return [p for folder in COMMON_FOLDERS for p in sorted((PACKAGE / folder).rglob("*")) if p.suffix in SUFFIXES]


@cache
def rooms() -> dict[str, Any]:
    """The bundled evaluators by name."""
    entries = [entry for entry in entry_points(group=GROUP) if entry.module.startswith("jatdae.")]
    return {entry.name: load_class(f"{entry.module}:{entry.attr}") for entry in entries}


@cache
def names() -> set[str]:
    """What belongs to a room: its evaluator, metrics and issues, but for what every run can have.

    Count tables are left out: their names are ordinary words, such as `right` and `settings`.
    """
    specs = [spec_of(cls) for cls in rooms().values()]
    owned = {spec.name for spec in specs} | {metric.name for spec in specs for metric in spec.metrics}
    owned |= {kind.code for spec in specs for kind in spec.issues}
    return owned - COMMON.table("issues", "en").keys() - ORDINARY.keys()


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_what_is_common_names_no_room(path: Path) -> None:
    text = path.read_text("utf-8")
    folders = "|".join(cls.__module__.split(".")[1] for cls in rooms().values())
    assert re.findall(rf"jatdae[./](?:{folders})\b", text) == []
    quoted = re.findall(r"""(["'`])([^"'`\s]+)\1""", text)
    assert {word.removesuffix(".micro") for _, word in quoted} & names() == set()


def test_every_metric_has_a_formula_in_both_languages_and_a_source() -> None:
    """The note on its name on a report page shows them: a reader of one file has no other place to look."""
    missing = [
        f"{spec_of(cls).name}.{metric.name}: {kind} ({language})"
        for cls in rooms().values()
        for metric in spec_of(cls).metrics
        for kind, language in (("definitions", "en"), ("definitions", "ko"), ("sources", "en"))
        if not meanings_of(cls).of(kind, metric.name, language)
    ]
    assert missing == []


def test_there_is_something_to_look_at() -> None:
    assert len(sources()) > 50
    assert len(rooms()) >= 6
    assert len(names()) > 50
