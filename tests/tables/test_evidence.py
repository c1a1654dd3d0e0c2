"""The edit script: its cost is the distance, and every cell has its place."""

from __future__ import annotations

from math import fsum

import pytest

from jatdae.core.contract import Sample
from jatdae.tables import TableEvaluator
from jatdae.tables.elements import find_tables
from jatdae.tables.evidence import MAX_CELLS, Edit, Node, edit_script
from jatdae.tables.findings import say_findings
from jatdae.tables.profiles import PROFILES, profile_of
from jatdae.tables.tree_similarity import distance, plant

REFERENCE = (
    "<table><thead><tr><th colspan=2>head</th></tr></thead>"
    "<tbody><tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td><td>e</td></tr></tbody></table>"
)
PREDICTION = (
    "<table><thead><tr><th>head</th><th></th></tr></thead>"
    "<tbody><tr><td>a</td><td>bx</td></tr><tr><td>d</td><td><b>e</b></td></tr></tbody></table>"
)


@pytest.mark.parametrize("profile", PROFILES)
def test_costs_add_up_to_the_distance(profile):
    chosen = profile_of(profile)
    trees = [plant(find_tables(html), chosen) for html in (PREDICTION, REFERENCE)]
    script = edit_script(PREDICTION, REFERENCE, profile=profile)
    assert fsum(edit.cost for edit in script) == pytest.approx(distance(*trees, structure_only=False), abs=1e-12)


def test_costs_add_up_to_the_distance_on_real_tables(rows):
    for row in rows("pubtabnet_demo.jsonl")[:8]:
        sides = [find_tables(row[side]) for side in ("pred", "gt")]
        trees = [plant(side, profile_of("pubtabnet")) for side in sides]
        script = edit_script(row["pred"], row["gt"], profile="pubtabnet")
        assert fsum(edit.cost for edit in script) == pytest.approx(distance(*trees, structure_only=False), abs=1e-9)


def test_every_node_occurs_exactly_once_and_every_cell_has_its_place():
    script = edit_script(PREDICTION, REFERENCE)
    predicted = [edit.prediction for edit in script if edit.prediction]
    wanted = [edit.reference for edit in script if edit.reference]
    assert sum(node.tag in ("td", "th") for node in predicted) == 6
    assert sorted((node.row, node.col) for node in wanted if node.col is not None) == [
        (0, 0),
        (1, 0),
        (1, 1),
        (2, 1),
        (3, 0),
        (3, 1),
    ]
    assert all((node.col is None) == (node.tag not in ("td", "th")) for node in predicted + wanted)
    assert sorted(node.row for node in wanted if node.tag == "tr") == [0, 1, 2, 3]
    assert all((node.row is None) == (node.tag not in ("td", "th", "tr")) for node in predicted + wanted)


def test_a_typo_is_a_rename_with_its_share_and_a_missing_row_is_inserted():
    right = "<table><tr><td>abcd</td></tr><tr><td>z</td></tr></table>"
    wrong = "<table><tr><td>abxd</td></tr></table>"
    script = [edit for edit in edit_script(wrong, right) if edit.op != "match"]
    assert Edit("rename", 0.25, Node("td", 0, 0), Node("td", 0, 0)) in script
    assert [edit for edit in script if edit.op == "insert"] == [
        Edit("insert", 1.0, None, Node("tr", 1)),
        Edit("insert", 1.0, None, Node("td", 1, 0)),
    ]
    assert len(script) == 3


def test_equal_tables_match_throughout():
    assert {edit.op for edit in edit_script(REFERENCE, REFERENCE)} == {"match"}


def test_the_script_is_evidence_where_it_is_asked_for():
    sample = Sample("x", PREDICTION, REFERENCE)
    assert "script" not in TableEvaluator().score(sample).evidence["pairs"][0]
    script = TableEvaluator(explain=True).score(sample).evidence["pairs"][0]["script"]
    assert sum(script["counts"].values()) == len(edit_script(PREDICTION, REFERENCE))
    assert all(edit["op"] != "match" for edit in script["edits"])
    assert {"op", "cost", "prediction", "reference"} >= set().union(*script["edits"])


def shown(prediction, reference):
    """The evidence of the first pair of tables."""
    return TableEvaluator().score(Sample("x", prediction, reference)).evidence["pairs"][0]


def wrong(side):
    return {(cell["row"], cell["col"]): cell["wrong"] for cell in side["cells"] if "wrong" in cell}


def test_every_wrong_cell_says_what_is_wrong_with_it():
    found = shown(PREDICTION, REFERENCE)
    assert wrong(found["reference"]) == {(0, 0): ["spans"], (1, 1): ["text"], (2, 1): ["missed"]}
    assert wrong(found["prediction"]) == {(0, 0): ["spans"], (1, 1): ["text"]}
    assert found["errors"] == {"spans": 1, "text": 1, "cells_missed": 1}
    assert found["rows"] == [(0, 0), (1, 1), (2, 3)]


def test_a_changed_cell_knows_its_partner():
    found = shown(PREDICTION, REFERENCE.replace("<tr><td>d", "<tr><td>x</td><td>y</td></tr><tr><td>d"))
    partners = {cell["text"]: cell["partner"] for cell in found["prediction"]["cells"] if "partner" in cell}
    assert partners["bx"] == [1, 1]


def test_sections_are_shown_where_a_table_has_any():
    bare = "<table><tr><td>a</td></tr></table>"
    found = shown(bare, "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>")
    assert found["reference"]["sections"] == (("thead", 1), ("tbody", 1))
    assert "sections" not in found["prediction"]


def test_of_a_large_table_the_rows_with_errors_are_kept():
    lines = [f"<tr><td>{at}</td><td>a</td></tr>" for at in range(MAX_CELLS)]
    changed = [*lines[:-1], "<tr><td>last</td><td>b</td></tr>"]
    found = shown(f"<table>{''.join(changed)}</table>", f"<table>{''.join(lines)}</table>")
    for side in (found["prediction"], found["reference"]):
        assert len(side["cells"]) == MAX_CELLS
        assert side["left_out"] == MAX_CELLS
        assert side["shown_rows"] == [*range(MAX_CELLS // 2 - 1), MAX_CELLS - 1]
        assert wrong(side) == {(MAX_CELLS - 1, 0): ["text"], (MAX_CELLS - 1, 1): ["text"]}


def test_of_a_row_that_is_too_long_the_first_cells_are_kept():
    long = f"<table><tr>{'<td>a</td>' * (MAX_CELLS + 5)}</tr></table>"
    side = shown(long, long)["reference"]
    assert (len(side["cells"]), side["left_out"]) == (MAX_CELLS, 5)


def test_tables_in_another_order_say_that_they_were_paired_by_order():
    first, second = "| a | b |\n|---|---|\n| 1 | 2 |\n\n", "| x | y |\n|---|---|\n| 8 | 9 |\n\n"
    cases = {
        (second + first, first + second, "order"): True,
        (second, first + second, "order"): True,  # the first is lost
        (second + first, first + second, "hungarian"): False,
        (first + second, first + second, "order"): False,
        (first.replace("1", "7") + second, first + second, "order"): False,
        ("", first + second, "order"): False,
        (first + first, first + first, "order"): False,
    }
    for (prediction, reference, matching), told in cases.items():
        evidence = (
            TableEvaluator(matching=matching, structured="yes").score(Sample("x", prediction, reference)).evidence
        )
        assert evidence.get("misordered", False) == told, (prediction, reference, matching)
        assert any("--matching hungarian" in line for line in say_findings(evidence)) == told
