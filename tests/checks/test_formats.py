"""Files of tests: our YAML, olmOCR-bench and ParseBench, and what is told of wrong ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jatdae.checks.formats import reference_rows
from jatdae.core.errors import JatdaeError

PRESENT = {"pdf": "a/report.pdf", "page": 2, "id": "r1", "type": "present", "text": "Harbour"}
ABSENT = {"pdf": "a/report.pdf", "page": 2, "id": "r2", "type": "absent", "text": "7", "last_n": 20, "url": "x"}
OTHER = {"pdf": "b.pdf", "page": 1, "id": "r3", "type": "table", "cell": "1", "up": "2", "checked": "verified"}


def rows_of(path: Path) -> list[tuple[int, dict[str, Any]]]:
    rows = reference_rows(path)
    assert rows is not None
    return [(line, dict(row)) for line, row in rows]


def written(path: Path, rows: list[Any]) -> Path:
    path.write_text("\n\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n", "utf-8")
    return path


def test_tests_of_olmocr_bench_are_joined_by_page_and_blank_lines_are_none(tmp_path: Path) -> None:
    assert rows_of(written(tmp_path / "t.jsonl", [PRESENT, OTHER, ABSENT])) == [
        (1, {"id": "a/report_pg2", "reference": [
            {"id": "r1", "type": "present", "text": "Harbour"},
            {"id": "r2", "type": "absent", "text": "7", "last_n": 20},
        ]}),
        (3, {"id": "b_pg1", "reference": [
            {"id": "r3", "checked": "verified", "type": "table", "cell": "1", "up": "2"}
        ]}),
    ]  # fmt: skip


def test_a_folder_of_files_is_one_set_of_tests(tmp_path: Path) -> None:
    written(tmp_path / "one.jsonl", [PRESENT])
    written(tmp_path / "two.jsonl", [OTHER, ABSENT])
    assert {row["id"]: len(row["reference"]) for _, row in rows_of(tmp_path)} == {"a/report_pg2": 2, "b_pg1": 1}


@pytest.mark.parametrize(
    ("kind", "rule", "test"),
    [
        ("present", {"text": "a", "count": None}, {"type": "present", "text": "a"}),
        ("present", {"text": "a", "count": 2}, {"type": "count", "text": "a", "count": 2}),
        ("order", {"before": "a", "after": "b", "max_diffs": 1, "layout_id": "x"},
         {"type": "order", "before": "a", "after": "b", "max_diffs": 1}),
        ("missing_specific_word", {"word": "Boat"}, {"type": "present", "text": "Boat", "case_sensitive": False}),
        ("missing_specific_sentence", {"sentence": "A boat."},
         {"type": "present", "text": "A boat.", "case_sensitive": False}),
        ("table_adjacent_left", {"anchor_cell": "1", "expected_neighbor": "2"},
         {"type": "table", "cell": "1", "left": "2"}),
        ("table_top_header", {"data_cell": "1", "expected_header": "h"},
         {"type": "table", "cell": "1", "top_heading": "h"}),
        ("is_latex", {"formula": "x"}, {"type": "math", "math": "x"}),
        ("is_bold", {"text": "x"}, {"type": "unsupported", "named": "is_bold"}),
        ("bag_of_digit_percent", {"bag_of_digit": {"1": 2}}, {"type": "unsupported", "named": "bag_of_digit_percent"}),
    ],
)  # fmt: skip
def test_rules_of_parsebench_become_tests(
    tmp_path: Path, kind: str, rule: dict[str, Any], test: dict[str, Any]
) -> None:
    row = {"pdf": "docs/text/p.pdf", "category": "text", "id": "i", "type": kind, "page": None, "tags": ["easy"]}
    for given in (rule, json.dumps(rule)):
        file = written(tmp_path / "rules.jsonl", [{**row, "rule": given}])
        assert rows_of(file) == [(1, {"id": "docs/text/p", "reference": [{"id": "i", **test}]})]


def test_our_yaml_is_read_with_the_line_of_each_document(tmp_path: Path) -> None:
    file = tmp_path / "tests.yaml"
    file.write_text(
        "documents:\n  report:\n  - {type: present, text: Harbour}\n  b/two:\n  - type: absent\n    text: no\n", "utf-8"
    )
    assert rows_of(file) == [
        (2, {"id": "report", "reference": [{"type": "present", "text": "Harbour"}]}),
        (4, {"id": "b/two", "reference": [{"type": "absent", "text": "no"}]}),
    ]


def test_rows_of_a_run_are_left_to_the_run(tmp_path: Path) -> None:
    assert reference_rows(written(tmp_path / "rows.jsonl", [{"id": "a", "reference": []}])) is None
    assert reference_rows(written(tmp_path / "rows.json", ["[]"])) is None
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "a.md").write_text("a", "utf-8")
    assert reference_rows(tmp_path / "gold") is None


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{not json", ":3: no valid JSON"),
        ({"type": "present", "text": "a"}, ":3: the row has no `pdf`"),
        ({**PRESENT, "id": "x", "page": "two"}, ":3: page: two is no page number"),
        ({**PRESENT, "id": "x", "page": None}, ":3: page: – is no page number"),
        ({**PRESENT, "id": "x", "type": "presnt"}, "Did you mean 'present'"),
        ({**PRESENT, "id": "x", "max_diffs": -1}, ":3: max_diffs: must be ≥ 0"),
        ({**PRESENT, "id": "x", "txet": 1}, "'txet'"),
        ({**PRESENT, "id": "r2"}, ":3: the id r2 was given before at"),
        ({**PRESENT, "id": "x", "type": "regex", "pattern": "(a"}, ":3: "),
        ({"pdf": "a.pdf", "id": "x", "type": "present", "rule": "{"}, "no valid JSON"),
        ({"pdf": "a.pdf", "id": "x", "type": "present", "rule": 5}, "type and rule of the test cannot be read"),
    ],
)
def test_a_wrong_row_is_told_with_its_line(tmp_path: Path, row: Any, told: str) -> None:
    with pytest.raises(JatdaeError) as error:
        rows_of(written(tmp_path / "t.jsonl", [ABSENT, row]))
    assert told in str(error.value)


def test_reading_stops_after_many_wrong_rows(tmp_path: Path) -> None:
    bad = [{**PRESENT, "id": f"x{n}", "max_diffs": -1} for n in range(30)]
    with pytest.raises(JatdaeError, match=r"Reading stopped after 20 errors\."):
        rows_of(written(tmp_path / "t.jsonl", [ABSENT, *bad]))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("documents: {}\n", "no document is given"),
        ("document: {a: []}\n", "documents"),
        ("documents:\n  a:\n  - {type: regex, pattern: '(a'}\n", "missing )"),
        ("documents:\n  a:\n  - {type: count, text: x}\n", "a count test needs count, at_least or at_most"),
        ("documents:\n  a:\n  - {type: prsent, text: x}\n", "tests.yaml:3"),
        ("documents:\n  a:\n  - {type: baseline, id: q}\n  - {type: baseline, id: q}\n", "documents.a[0]; ids"),
        ("documents: [", "tests.yaml"),
    ],
)
def test_a_wrong_file_of_ours_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "tests.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(JatdaeError) as error:
        rows_of(file)
    assert told in str(error.value)
