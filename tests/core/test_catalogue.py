"""Texts in two languages, of core and of every room: nothing missing, nothing unused, the same blanks."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.messages import ANY, LANGUAGES, TABLES, texts_beside, texts_in
from jatdae.core.registry import GROUP, load_class

PACKAGE = Path(jatdae.__file__).resolve().parent
CORE = PACKAGE / "core"
FOLDERS = {path.parent.name: path.parent for path in sorted(PACKAGE.rglob("messages.en.toml"))}
IN_BOTH = ("metrics", "issues", "absent", "counts", "words", "messages")
"""Tables with the same names in both languages; English settings and help stand in the code."""
PREFIXES = {"declared_*", "kernel_*", "os_*", "phase_*"}
"""How keys of core begin that are put together when they are said."""

room = pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@room
def test_both_languages_have_the_same_names_with_the_same_blanks(folder: Path) -> None:
    texts = texts_in(folder)
    for kind in IN_BOTH:
        english, korean = (texts.table(kind, language) for language in LANGUAGES)
        assert {name: blanks(text) for name, text in english.items()} == {n: blanks(t) for n, t in korean.items()}, kind


@room
def test_no_text_is_empty_or_left_in_the_other_language(folder: Path) -> None:
    texts = texts_in(folder)
    tables = {language: {kind: texts.table(kind, language) for kind in TABLES} for language in LANGUAGES}
    everything = [
        (kind, name, text) for found in tables.values() for kind in TABLES for name, text in found[kind].items()
    ]
    assert [(kind, name) for kind, name, text in everything if not text.strip()] == []
    same = [
        name
        for kind in IN_BOTH
        for name, text in tables["en"][kind].items()
        if text == tables["ko"][kind][name] and any(c.isalpha() for c in without_blanks(text))
    ]
    assert same == []
    assert [n for k in ("settings", "evaluators", "help") for n, t in tables["ko"][k].items() if not is_korean(t)] == []


def without_blanks(text: str) -> str:
    return "".join(literal for literal, *_ in string.Formatter().parse(text))


def is_korean(text: str) -> bool:
    return any("가" <= character <= "힣" for character in text)


@cache
def modules() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def written_in(folder: Path) -> set[str]:
    """Every text that is written in the modules of a folder."""
    return set().union(*(texts for path, texts in constants().items() if path.is_relative_to(folder)))


@cache
def constants() -> dict[Path, set[str]]:
    return {
        path: {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        for path, tree in modules().items()
    }


def folder_of(path: Path) -> Path:
    """The folder whose texts are beside a module."""
    while not (path / "messages.en.toml").is_file() and path != PACKAGE:
        path = path.parent
    return path


def speaks_for_itself(path: Path) -> bool:
    """Whether the `say` of a module is `speaker(__name__)` rather than that of core."""
    return any(
        isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "say"
        for node in modules()[path].body
    )


def errors_that_say() -> dict[str, Path]:
    """Error classes with a `say` of their own, and the folder of their texts."""
    return {
        node.name: folder_of(path)
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for line in node.body
        if isinstance(line, ast.Assign) and ast.unparse(line) == "say = staticmethod(speaker(__name__))"
    }


@cache
def said() -> list[tuple[str, Path, str, set[str] | None]]:
    return list(find_said())


def find_said() -> Iterator[tuple[str, Path, str, set[str] | None]]:
    """(place, folder of its texts, key, names of blanks filled) of every message in the package.

    A key put together has a *. The names are None if they are not all written out.
    """
    raised = errors_that_say()
    for path, tree in modules().items():
        own = folder_of(path) if speaks_for_itself(path) else CORE
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = f"{path.relative_to(PACKAGE)}:{node.lineno}"
            filled = {word.arg or "**" for word in node.keywords}
            if name == "say" and isinstance(node.func, ast.Name) and node.args:
                yield from ((place, own, key, None if "**" in filled else filled) for key in keys_of(node.args[0]))
            elif name in raised and len(node.args) > 1:
                known = None if "**" in filled else filled
                yield from ((place, raised[name], key, known) for key in keys_of(node.args[1]))


def keys_of(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(key)):
            return [key]
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
            return [f"{start}*"]
        case ast.JoinedStr(values=[*_, ast.Constant(value=str(end))]):
            return [f"*{end}"]
        case ast.IfExp(body=first, orelse=second):
            return [*keys_of(first), *keys_of(second)]
    return []


def test_every_message_that_is_said_is_beside_its_module_and_its_blanks_are_filled() -> None:
    wrong = []
    for place, folder, key, filled in said():
        known = texts_in(folder).table("messages", "en")
        if "*" in key:
            fits = any(fnmatch(name, key) for name in known)
        else:
            fits = key in known and (filled is None or blanks(known[key]) <= filled)
        if not fits:
            wrong.append(f"{place} {folder.name}: {key}")
    assert wrong == []


@room
def test_every_message_is_said_somewhere(folder: Path) -> None:
    written = written_in(PACKAGE if folder == CORE else folder)
    written |= {key for _, where, key, _ in said() if where == folder}  # other rooms may raise its errors
    patterns = {key for _, where, key, _ in said() if "*" in key and where == folder}
    patterns |= PREFIXES if folder == CORE else set()
    known = texts_in(folder).table("messages", "en")
    assert [key for key in known if key not in written and not any(fnmatch(key, each) for each in patterns)] == []


def bundled() -> list[Any]:
    entries = [entry for entry in entry_points(group=GROUP) if entry.module.startswith("jatdae.")]
    return [load_class(f"{entry.module}:{entry.attr}") for entry in entries]


@room
def test_every_meaning_is_of_a_name_that_is_declared(folder: Path) -> None:
    classes = [cls for cls in bundled() if texts_beside(cls.__module__).folder == folder]
    specs = [spec_of(cls) for cls in classes]
    declared = {
        "evaluators": {spec.name for spec in specs},
        "metrics": {metric.name for spec in specs for metric in spec.metrics},
        "settings": {option.name for cls in classes for option in options_of(cls)},
        "issues": {kind.code for spec in specs for kind in spec.issues},
        "absent": {code for spec in specs for metric in spec.metrics for code in metric.absent},
        "counts": {count.name for spec in specs for count in spec.counts},
        "rates": {rate.name for spec in specs for rate in spec.rates},
    }
    if folder == CORE:  # issues that every run can have
        declared["issues"] = written_in(PACKAGE)
    if any(hasattr(cls, "own_metrics") for cls in classes):  # depend on the configuration
        declared.pop("metrics")
    for kind, names in declared.items():
        for language in LANGUAGES:
            assert texts_in(folder).table(kind, language).keys() - names - {ANY} == set(), f"{language}.{kind}"


@room
def test_every_word_of_evidence_is_used(folder: Path) -> None:
    """By the view in the browser, or by what makes the evidence."""
    view = folder / "evidence.js"
    source = view.read_text("utf-8") if view.is_file() else ""
    source += "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    prefixes = (
        "count.",
        "key.",
        "kind.",
        "rate.",
        *re.findall(r"`(\w+_)\$\{", source),
    )  # put together: word(`span_${kind}`)
    words = texts_in(folder).table("words", "en")
    assert [word for word in words if word not in source and not word.startswith(prefixes)] == []


@room
def test_texts_of_pages_have_no_marks_of_markdown(folder: Path) -> None:
    for kind in ("metrics", "definitions", "issues", "counts", "rates", "words"):
        for language in LANGUAGES:
            marked = [name for name, text in texts_in(folder).table(kind, language).items() if "`" in text]
            assert marked == [], f"{language}.{kind}"


def test_every_reason_a_metric_gives_for_being_absent_is_an_issue_with_a_short_name() -> None:
    for cls in bundled():
        texts = texts_beside(cls.__module__)
        codes = {code for metric in spec_of(cls).metrics for code in metric.absent}
        declared = {kind.code for kind in spec_of(cls).issues} | {"missing_prediction"}  # that one is of every run
        assert codes <= declared, spec_of(cls).name
        assert all(texts.table("absent", language).keys() <= codes for language in LANGUAGES), spec_of(cls).name
