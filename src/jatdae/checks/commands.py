"""`jatdae checks draft`: proposes tests from gold documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final

import yaml
from cyclopts import App, Parameter

from jatdae.checks.drafts import draft as draft_tests
from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.terminal import print_line
from jatdae.core.writing import write_atomically

checks = App(name="checks", help="Draft unit tests for pages.")
say = speaker(__name__)
SUFFIXES: Final = (".md", ".markdown", ".txt", ".html")
_NUMBER: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+")
"""A number in YAML 1.2 (section 10.3.2)."""


@checks.command
def draft(
    gold: Annotated[Path, Parameter(help="Reference document in Markdown, or a folder of them.")],
    *,
    out: Annotated[Path, Parameter(alias="-o", help="Tests file to write (YAML).")],
    most: Annotated[int, Parameter(help="Maximum number of tests of each type and document.")] = 5,
) -> None:
    """Propose tests from reference documents, for a person to keep or drop."""
    if not 1 <= most <= 1_000:
        raise UsageError(say("draft_most", value=most))
    if out.exists():
        raise UsageError(say("draft_exists", place=out))
    documents: dict[str, list[dict[str, Any]]] = {}
    for name, path in _documents(gold):
        if tests := draft_tests(_text(path), most):
            documents[name] = tests
    if not any(len(tests) > 1 for tests in documents.values()):  # the baseline alone is nothing found
        raise DataError(say("draft_empty", place=gold))
    body = yaml.dump({"documents": documents}, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120)
    write_atomically(out, f"{say('draft_header')}\n{body}")
    number = sum(map(len, documents.values()))
    print_line(say("draft_written", place=out, tests=number, documents=len(documents)))


class _Dumper(yaml.SafeDumper):
    """Writes YAML that is read alike as version 1.1 (Python) and as 1.2 (editors), where 0109 is a number."""


def _text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="'" if _NUMBER.fullmatch(text) else None)


_Dumper.add_representer(str, _text_node)


def _documents(gold: Path) -> list[tuple[str, Path]]:
    """The documents with the names by which predictions are joined."""
    if gold.is_dir():
        found = [path for path in sorted(gold.rglob("*")) if path.suffix.lower() in SUFFIXES and path.is_file()]
        named = [(path.relative_to(gold).with_suffix("").as_posix(), path) for path in found]
    else:
        named = [(gold.stem, gold)]
    if not named:
        raise DataError(say("draft_none", place=gold))
    return named


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise DataError(say("tests_unreadable", place=path, problem=os_problem(error))) from None
    except UnicodeDecodeError:
        raise DataError(say("tests_unreadable", place=path, problem="UTF-8")) from None
