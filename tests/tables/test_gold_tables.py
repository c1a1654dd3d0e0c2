"""Ground truth 1.0: checked, begun, found beside its document, and three samples of our own."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import pytest

from jatdae.core.configfile import schema_of
from jatdae.core.errors import UsageError
from jatdae.core.messages import LANGUAGES, speaking
from jatdae.tables.gold_tables import GoldTables, check, skeleton

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
    path.write_text(json.dumps(gold, indent=1), "utf-8")
    found = [re.fullmatch(rf"{re.escape(str(path))}:\d+(?: \((.*?)\))?: (.*)", problem) for problem in check(path)]
    return [(match[1] or "", match[2]) for match in found if match]


def with_html(html: str, cells: int, rows: int, cols: int) -> dict[str, object]:
    return {**GOLD, "tables": [{**TABLE, "html": html, "cell_count": cells, "row_count": rows, "col_count": cols}]}


def test_good_ground_truth_has_no_problems(tmp_path):
    assert problems(tmp_path, GOLD) == []


def test_counts_that_disagree_with_the_html_are_named(tmp_path):
    example = {**GOLD, "tables": [{**TABLE, "cell_count": 12, "row_count": 4, "col_count": 4}], "total_tables": 2}
    assert problems(tmp_path, example) == [
        ("tables[0].cell_count", "says 12, but the HTML has 4 td and th"),
        ("tables[0].row_count", "says 4, but the HTML has 2 tr"),
        ("tables[0].col_count", "says 4, but the HTML has 2 columns"),
        ("total_tables", "says 2, but there are 1 tables"),
    ]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"schema_version": "2.0"}, "schema_version"),
        ({"created_at": "January"}, "created_at"),
        ({"tables": [{**TABLE, "page": 0}]}, "tables[0].page"),
        ({"tables": [{**TABLE, "html": 3}]}, "tables[0].html"),
        ({"tables": {}}, "tables"),
        ({"total_table": 1}, "total_table"),
        ({"tables": [{**TABLE, "page": True}]}, "tables[0].page"),
        ({"tables": [{**TABLE, "page": "5"}]}, "tables[0].page"),
    ],
)
def test_the_model_is_enforced_with_the_place(tmp_path, change, place):
    assert [found for found, _ in problems(tmp_path, {**GOLD, **change})] == [place]


def test_a_missing_field_is_named(tmp_path):
    ((place, message),) = problems(tmp_path, {key: value for key, value in GOLD.items() if key != "source"})
    assert (place, message) == ("source", "the key 'source' is missing")


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


def test_a_problem_is_told_with_its_line(tmp_path):
    path = tmp_path / "x.tables.json"
    path.write_text(json.dumps({**GOLD, "total_tables": 2}, indent=1), "utf-8")
    assert check(path) == [f"{path}:16 (total_tables): says 2, but there are 1 tables"]


def test_all_problems_are_told_at_once_those_of_the_model_and_those_of_the_html(tmp_path):
    tables = [{**TABLE, "row_count": 3}, {**TABLE, "page": 0}, {**TABLE, "html": "<p>"}, {**TABLE, "table_id": "t"}]
    found = problems(tmp_path, {**GOLD, "tables": tables, "created_at": "2026-02-30", "sauce": ""})
    assert [place for place, _ in found] == [
        "tables[0].row_count",
        "tables[1].page",
        "tables[2].table_id",
        "tables[2].html",
        "total_tables",
        "created_at",
        "sauce",
    ]
    assert "Did you mean 'source'?" in found[-1][1]


@pytest.mark.parametrize("gold", [[], 3, None, "text", {}, {"tables": None}, {"tables": [3, None, []]}])
def test_what_is_no_ground_truth_at_all_is_told_in_both_languages(tmp_path, gold):
    path = tmp_path / "x.tables.json"
    path.write_text(json.dumps(gold), "utf-8")
    for language in LANGUAGES:
        with speaking(language):
            assert check(path)


def test_problems_are_told_in_korean(tmp_path):
    tables = [
        {**TABLE, "table_id": str(number), "html": f"<table>{rows}</table>"}
        for number, rows in enumerate(
            (
                "<tr><td rowspan=2>a</td></tr>",
                "<tr><td>a</td><td rowspan=2>b</td></tr><tr><td colspan=2>c</td></tr>",
                "<tr><td colspan=x> </td></tr><tr></tr>",
                "<b>" * 3000,
            )
        )
    ]
    tables += [{**TABLE, "html": "<table>"}, {**TABLE, "html": "no"}, {**TABLE, "table_id": "0"}]
    path = tmp_path / "x.tables.json"
    path.write_text(json.dumps({**GOLD, "tables": tables, "created_at": "2026-02-30"}, indent=1), "utf-8")
    with speaking("ko"):
        found = check(path)
    assert len(found) > 20
    assert [problem for problem in found if not re.search("[가-힣]", problem)] == []


def test_a_file_that_is_no_json_is_a_problem_with_line_and_column(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"a":\n 1 "b"}', "utf-8")
    assert check(path) == [f"{path}:2:4: not valid JSON."]
    path.write_bytes(b"\xff")
    assert check(path) == [f"{path}:1: not valid UTF-8."]
    path.write_text("[" * 100_000, "utf-8")
    assert len(check(path)) == 1


def test_a_file_that_cannot_be_opened_is_an_error(tmp_path):
    for path in (tmp_path, tmp_path / "absent.json"):
        with pytest.raises(UsageError, match=re.escape(str(path))):
            check(path)


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
    made, schema = skeleton("doc", 1), schema_of(GoldTables)
    assert set(schema["properties"]) == set(made)
    assert set(schema["$defs"]["GoldTable"]["properties"]) == set(made["tables"][0])


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
