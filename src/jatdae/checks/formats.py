"""Files of tests as rows of a run: our YAML, olmOCR-bench and ParseBench.

| form | is known by | a document is |
|---|---|---|
| ours (`tests.yaml`) | `.yaml`, `.yml`, or a JSON object with `documents` | its key |
| olmOCR-bench (JSONL) | `pdf`, `type` | `PDF_pgP`: the name of the PDF without suffix, and its page |
| ParseBench (JSONL) | `pdf`, `type`, `rule` | the same; without a page, the name of the PDF |

A folder of JSONL files is read as one. Rows with `id` and `reference` are read as those of any evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import ValidationError

from jatdae.checks.page_tests import MAX_TESTS, PageTestsFile, problem_of, read_test
from jatdae.core.configfile import MOST_SHOWN, read_config
from jatdae.core.errors import DataError
from jatdae.core.messages import os_problem, shown, speaker

say = speaker(__name__)

_ROW_FILES: Final = (".jsonl", ".ndjson")
_OF_THE_ROW: Final = frozenset(["pdf", "page", "url", "category", "tags", "expected_markdown", "rule"])
"""Keys of a row that say where a test belongs, not what it asks."""
_NEIGHBOURS: Final = {f"table_adjacent_{side}": side for side in ("up", "down", "left", "right")}
_RULE_KEYS: Final = frozenset([
    "text", "before", "after", "cell", "up", "down", "left", "right", "top_heading", "left_heading", "max_diffs",
    "case_sensitive", "first_n", "last_n", "ignore_markdown_tables", "max_length", "max_length_skips_image_alt_tags",
    "max_repeats", "check_disallowed_characters",
])  # fmt: skip
"""What a rule of ParseBench may ask that is called so here too."""
_PLAIN_RULES: Final = frozenset(["present", "absent", "order", "table", "baseline"])

Documents = dict[str, tuple[int, list[dict[str, Any]]]]
"""By document the line of its first test, and its tests."""


def reference_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]] | None:
    """Rows with the tests of each document, with the line of its first test; None where the file holds no tests."""
    if path.is_dir():
        files = sorted(each for each in path.iterdir() if each.suffix.lower() in _ROW_FILES)
        return _rows(_read_lines(files)) if files and all(map(_holds_tests, files)) else None
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return _own_rows(path) if _is_ours(path) else None
    if path.suffix.lower() in _ROW_FILES and _holds_tests(path):
        return _rows(_read_lines([path]))
    return None


def _is_ours(path: Path) -> bool:
    """YAML is read by no one else; JSON may be an array of rows."""
    if path.suffix.lower() != ".json":
        return True
    with path.open("rb") as file:
        return file.read(1 << 16).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _own_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    file = read_config(path, PageTestsFile)
    if not file.content.documents:
        file.complain((), say("no_documents"))
    for document, tests in file.content.documents.items():
        seen: dict[str, int] = {}
        for number, test in enumerate(tests):
            if test.id is not None and seen.setdefault(test.id, number) != number:
                first = f"documents.{document}[{seen[test.id]}]"
                file.complain(("documents", document, number, "id"), say("id_twice", id=shown(test.id), first=first))
    file.finish()
    for document, tests in file.content.documents.items():
        line = file.source.line(("documents", document))
        yield line, _row(document, [test.model_dump(exclude_defaults=True, mode="json") for test in tests])


def _holds_tests(path: Path) -> bool:
    """Whether the first row of a file is a test of a benchmark."""
    with path.open("rb") as file:
        first = next((line for line in file if line.strip()), b"")
    try:
        row = orjson.loads(first)
    except orjson.JSONDecodeError:
        return False
    return isinstance(row, dict) and isinstance(row.get("pdf"), str) and isinstance(row.get("type"), str)


def _read_lines(files: list[Path]) -> Documents:
    documents: Documents = {}
    seen: dict[str, str] = {}
    problems: list[str] = []
    for path in files:
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            raise DataError(say("tests_unreadable", place=path, problem=os_problem(error))) from None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            place = f"{path}:{number}"
            try:
                document, test = _read_line(line)
                if (name := test.get("id")) and name in seen:
                    raise _BadTestError(say("id_twice", id=shown(name), first=seen[name]))
                if name:
                    seen[name] = place
            except _BadTestError as error:
                problems.append(f"{place}: {error}")
                if len(problems) == MOST_SHOWN:
                    raise DataError("\n".join([*problems, say("more_bad_tests", n=MOST_SHOWN)])) from None
                continue
            documents.setdefault(document, (number, []))[1].append(test)
    if problems:
        raise DataError("\n".join(problems))
    return documents


class _BadTestError(Exception):
    """A row that is no test."""


def _read_line(line: bytes) -> tuple[str, dict[str, Any]]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise _BadTestError(say("bad_test_json", problem=error.msg)) from None
    if not isinstance(row, dict) or not isinstance(row.get("pdf"), str) or not row["pdf"]:
        raise _BadTestError(say("no_pdf"))
    page = row.get("page")
    if page is not None and (not isinstance(page, int) or isinstance(page, bool)):
        raise _BadTestError(say("bad_page", value=shown(str(page))))
    is_rule = "rule" in row
    if page is None and not is_rule:
        raise _BadTestError(say("bad_page", value="–"))
    given = _of_rule(row) if is_rule else {key: value for key, value in row.items() if key not in _OF_THE_ROW}
    try:
        test = read_test(given)
    except ValidationError as error:
        raise _BadTestError(problem_of(error, given)) from None
    name = str(Path(row["pdf"]).with_suffix("").as_posix())
    return name if page is None else f"{name}_pg{page}", test.model_dump(exclude_defaults=True, mode="json")


def _of_rule(row: Mapping[str, Any]) -> dict[str, Any]:
    """A rule of ParseBench as a test; what is not known here is kept as unsupported, to be counted."""
    kind = row.get("type")
    rule = row["rule"]
    if isinstance(rule, str):
        try:
            rule = orjson.loads(rule)
        except orjson.JSONDecodeError as error:
            raise _BadTestError(say("bad_test_json", problem=error.msg)) from None
    if not isinstance(rule, Mapping) or not isinstance(kind, str):
        raise _BadTestError(say("bad_rule"))
    test: dict[str, Any] = {"id": row.get("id"), "type": kind}
    asked = {key: value for key, value in rule.items() if key in _RULE_KEYS and value is not None}
    if kind == "present" and rule.get("count"):
        return test | asked | {"type": "count", "count": rule["count"]}
    if kind in _PLAIN_RULES:
        return test | asked
    if kind in ("missing_specific_word", "missing_specific_sentence"):
        text = rule.get("word" if kind.endswith("word") else "sentence")
        return test | asked | {"type": "present", "text": text, "case_sensitive": False}
    if kind in _NEIGHBOURS:
        beside = {"cell": rule.get("anchor_cell"), _NEIGHBOURS[kind]: rule.get("expected_neighbor")}
        return test | asked | {"type": "table", **beside}
    if kind in ("table_top_header", "table_left_header"):
        side = "top_heading" if kind == "table_top_header" else "left_heading"
        return test | asked | {"type": "table", "cell": rule.get("data_cell"), side: rule.get("expected_header")}
    if kind == "is_latex":
        return test | {"type": "math", "math": rule.get("formula")}
    return {"id": row.get("id"), "type": "unsupported", "named": kind}


def _rows(documents: Documents) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for document, (line, tests) in documents.items():
        if len(tests) > MAX_TESTS:
            raise DataError(say("too_many_tests", document=shown(document), n=len(tests), most=MAX_TESTS))
        yield line, _row(document, tests)


def _row(document: str, tests: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": document, "reference": tests}
