"""Ground truth 1.0: checked, begun, found beside its document, and three samples of our own."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from jatdae.tables.gold_tables import check, schema, skeleton

TABLE = {
    "table_id": "table_1",
    "page": 5,
    "description": "Layers",
    "html": "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td></td></tr></tbody></table>",
    "cell_count": 4,
    "row_count": 2,
    "col_count": 2,
}
GOLD = {
    "schema_version": "1.0",
    "document_id": "paper",
    "source": "A paper",
    "tables": [TABLE],
    "total_tables": 1,
    "created_at": "2026-01-29",
    "created_by": "A person",
}


def problems(folder: Path, gold: object) -> list[tuple[str, str]]:
    path = folder / "x.tables.json"
    path.write_text(json.dumps(gold), "utf-8")
    return [(problem.place.removeprefix(f"{path}: "), problem.message) for problem in check(path)]


def with_html(html: str, cells: int, rows: int, cols: int) -> dict[str, object]:
    return {**GOLD, "tables": [{**TABLE, "html": html, "cell_count": cells, "row_count": rows, "col_count": cols}]}


def test_good_ground_truth_has_no_problems(tmp_path):
    assert problems(tmp_path, GOLD) == []


def test_counts_that_disagree_with_the_html_are_named(tmp_path):
    example = {**GOLD, "tables": [{**TABLE, "cell_count": 12, "row_count": 4, "col_count": 4}], "total_tables": 2}
    assert problems(tmp_path, example) == [
        ("total_tables", "says 2, but there are 1 tables"),
        ("tables[0].cell_count", "says 12, but the HTML has 4 td and th"),
        ("tables[0].row_count", "says 4, but the HTML has 2 tr"),
        ("tables[0].col_count", "says 4, but the HTML has 2 columns"),
    ]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"schema_version": "2.0"}, "schema_version"),
        ({"created_at": "January"}, "created_at"),
        ({"tables": [{**TABLE, "page": 0}]}, "tables[0].page"),
        ({"tables": [{**TABLE, "html": 3}]}, "tables[0].html"),
        ({"tables": {}}, "tables"),
        ({"total_table": 1}, "the whole file"),
    ],
)
def test_the_schema_is_enforced_with_the_place(tmp_path, change, place):
    assert [found for found, _ in problems(tmp_path, {**GOLD, **change})] == [place]


def test_a_missing_field_is_named(tmp_path):
    ((place, message),) = problems(tmp_path, {key: value for key, value in GOLD.items() if key != "source"})
    assert place == "the whole file" and "source" in message


@pytest.mark.parametrize(
    ("html", "shape", "message"),
    [
        ("<p>none</p>", (0, 0, 0), "must be one table and nothing else"),
        ("Table 1 <table><tr><td>a</td></tr></table>", (1, 1, 1), "must be one table and nothing else"),
        ("<table><tr><td>a</td></tr></table>" * 2, (1, 1, 1), "must be one table and nothing else"),
        ("<table><tr><td>a</td></tr>", (1, 1, 1), "never closed"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", (3, 2, 2), "row 2 fills 1 of 2 columns"),
        ('<table><tr><td rowspan="2">a</td></tr></table>', (1, 1, 1), "rowspan 2 reaches beyond"),
        ('<table><tr><td colspan="two">a</td></tr></table>', (1, 1, 1), 'colspan="two" is no positive whole number'),
        ('<table><tr><td colspan="0">a</td></tr></table>', (1, 1, 1), "no positive whole number"),
        ("<table><tr><td> </td></tr></table>", (1, 1, 1), "an empty cell is written <td></td>"),
        ("<table><tr><td>&nbsp;</td></tr></table>", (1, 1, 1), "an empty cell is written <td></td>"),
        ("<table><tr><td><br></td></tr></table>", (1, 1, 1), "an empty cell is written <td></td>"),
        (
            '<table><tr><td>a</td><td rowspan="2">b</td></tr><tr><td colspan="2">c</td></tr></table>',
            (3, 2, 2),
            "overlaps",
        ),
        ("<table><tr><td>" + "<b>" * 3000 + "</td></tr></table>", (1, 1, 1), "nest deeper"),
    ],
)
def test_html_that_is_unfit_is_told(tmp_path, html, shape, message):
    found = problems(tmp_path, with_html(html, *shape))
    assert [place for place, _ in found] == ["tables[0].html"]
    assert message in found[0][1]


def test_two_tables_with_one_id_are_told(tmp_path):
    ((place, message),) = problems(tmp_path, {**GOLD, "tables": [TABLE, TABLE], "total_tables": 2})
    assert place == "tables[1].table_id" and "tables[0]" in message


@pytest.mark.parametrize("date", ["2026-13-01", "2026-02-30", "0000-01-01"])
def test_a_day_that_no_calendar_has_is_told(tmp_path, date):
    assert problems(tmp_path, {**GOLD, "created_at": date}) == [("created_at", f"there is no day {date}")]


def test_a_file_that_is_no_json_is_told_with_line_and_column(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"a":\n 1,}', "utf-8")
    (problem,) = check(path)
    assert problem.place == f"{path}:2:4"
    path.write_bytes(b"\xff")
    assert "not UTF-8 at byte 0" in str(check(path)[0])
    path.write_text("[" * 100_000, "utf-8")
    assert len(check(path)) == 1
    assert "cannot be read" in str(check(tmp_path / "absent.json")[0])


def test_a_byte_order_mark_is_no_fault(tmp_path):
    path = tmp_path / "x.tables.json"
    path.write_text(json.dumps(GOLD), "utf-8-sig")
    assert check(path) == []


def test_a_skeleton_lacks_only_what_its_author_has_to_write(tmp_path):
    gold = skeleton("doc", 2)
    assert [place for place, _ in problems(tmp_path, gold)] == ["source", "created_at", "created_by"]
    gold |= {"source": "s", "created_at": "2026-01-29", "created_by": "me"}
    assert problems(tmp_path, gold) == []


def test_the_schema_names_every_field_of_the_skeleton():
    made = skeleton("doc", 1)
    assert set(schema()["properties"]) == set(made)
    assert set(schema()["properties"]["tables"]["items"]["properties"]) == set(made["tables"][0])


def test_the_bundled_samples_are_fit_for_use():
    from jatdae.core.contract import Sample
    from jatdae.tables import TableEvaluator

    folder = resources.files("jatdae.tables") / "samples"
    pairs = [json.loads(line) for line in (folder / "pairs.jsonl").read_text("utf-8").splitlines()]
    assert [pair["id"] for pair in pairs] == ["notice", "receipt", "paper"]
    for pair in pairs:
        with resources.as_file(folder / f"{pair['id']}.tables.json") as path:
            assert check(path) == []
            assert json.loads(path.read_text("utf-8")) == pair["reference"]
        values = TableEvaluator().score(Sample(pair["id"], pair["prediction"], pair["reference"])).values
        assert 0.5 < values["teds"] < 1.0
