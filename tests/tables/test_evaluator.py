"""The door: what is measured, what is counted, what is evidence, what adds up."""

from __future__ import annotations

import json
from dataclasses import replace
from math import fsum

import pytest

from jatdae import compare, evaluate
from jatdae.core.contract import Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import micro_of, spec_of
from jatdae.core.meanings import missing_meanings
from jatdae.core.messages import speaking
from jatdae.tables import TableEvaluator

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
OTHER = "| x | y |\n|---|---|\n| 8 | 9 |\n"


def run(prediction: object, reference: object = TABLE, **options: object) -> Outcome:
    return TableEvaluator(**options).score(Sample("doc", prediction, reference))  # type: ignore[arg-type]


def codes(outcome: Outcome) -> list[str]:
    remarks = ("header_text", "no_complex_table", "no_numbers")
    return [found.code for found in outcome.issues if found.code not in remarks]


# What is measured.


def test_every_metric_has_a_value_and_a_perfect_table_has_the_best():
    outcome = run(TABLE)
    assert list(outcome.values) == [metric.name for metric in spec_of(TableEvaluator).metrics]
    best = {metric.name: float(metric.better == "higher") for metric in spec_of(TableEvaluator).metrics}
    assert outcome.values == {**best, "teds_complex": None}


def test_a_value_below_zero_is_within_the_declared_range():
    row = "<table><tr>" + "<td>x</td>" * 12 + "</tr></table>"
    column = "<table>" + "<tr><td>yyy</td></tr>" * 12 + "</table>"
    values = run(row, column, profile="docling").values
    assert values["teds"] < 0.0 and values["teds_pubtabnet"] < 0.0
    for metric in spec_of(TableEvaluator).metrics:
        value = values[metric.name]
        assert value is None or metric.range[0] <= value <= metric.range[1], metric.name


def test_pubtabnet_always_stands_beside():
    outcome = run("| A | B |\n|---|---|\n| 1 | 2 |", "| A | 1 |\n|---|---|\n| B | 2 |")
    assert (outcome.values["teds"], outcome.values["teds_pubtabnet"]) == (pytest.approx(2 / 3), 0.875)
    assert outcome.values["teds_s"] == outcome.values["teds_s_pubtabnet"] == 1.0


def test_through_the_door_pubtabnet_gives_the_official_numbers(rows):
    for row in rows("pubtabnet_demo.jsonl"):
        values = run(row["pred"], row["gt"], profile="standard@1").values
        assert values["teds_pubtabnet"] == values["teds"] == row["teds"], row["id"]


def test_simple_and_complex_tables_are_told_apart():
    spanned = "<table><tr><td colspan=2>a</td></tr><tr><td>b</td><td>c</td></tr></table>"
    outcome = run(f"{spanned}\n\n{OTHER}", f"{spanned}\n\n{TABLE}")
    assert outcome.values["teds_complex"] == 1.0
    assert outcome.values["teds_simple"] == outcome.units[1].values["teds"] < 1.0
    assert [unit.meta["complexity"] for unit in outcome.units] == ["complex", "simple"]
    assert not {found.code for found in outcome.issues} & {"no_simple_table", "no_complex_table"}


@pytest.mark.parametrize(
    ("table", "name", "code"),
    [
        ("<table><tr><td colspan=2>1</td></tr></table>", "teds_simple", "no_simple_table"),
        ("<table><tr><td>1</td></tr></table>", "teds_complex", "no_complex_table"),
    ],
)
def test_a_kind_of_table_the_reference_does_not_have_is_na_with_its_reason(table, name, code):
    outcome = run(table, table)
    assert outcome.values[name] is None
    assert [(found.code, name in found.message) for found in outcome.issues] == [(code, True)]


def test_row_and_column_differences_are_relative_and_counted_with_their_sign():
    outcome = run("| a | b | c |\n|---|---|---|\n", TABLE)
    assert outcome.values["row_diff"] == 0.5
    assert outcome.values["col_diff"] == pytest.approx(1 / 3)
    assert outcome.counts["row_difference"] == {"-1": 1}
    assert outcome.counts["col_difference"] == {"+1": 1}


def test_content_does_not_care_where_text_stands():
    outcome = run("| a | b | 1 | 2 |\n|---|---|---|---|\n")
    assert outcome.values["content"] == 1.0
    assert outcome.values["exact_match"] == 0.0


def test_an_exact_match_is_told_whatever_the_header_cells_are_called():
    html = "<table><tr><td>a</td><td> b</td></tr><tr><td>1</td><td><i>2</i></td></tr></table>"
    assert run(html).values["exact_match"] == 1.0


def test_header_text_is_pointed_out_once_where_there_are_header_cells():
    both = [found.code for found in run(f"{TABLE}\n{OTHER}", f"{TABLE}\n{OTHER}").issues]
    assert both == ["no_complex_table", "header_text"]
    plain = "<table><tr><td>1</td></tr></table>"
    for outcome in (run(plain, plain), run(TABLE, profile="pubtabnet")):
        assert [found.code for found in outcome.issues] == ["no_complex_table"]


def test_repairs_of_the_prediction_are_issues():
    ragged = "| a | b |\n|---|\n| 1 | 2 |"
    assert codes(run(ragged)) == ["table_repaired"]
    assert codes(run(TABLE, ragged)) == ["reference_repaired"]


# What adds up.


def test_statistics_of_two_documents_give_the_mean_per_table():
    first, second = run(TABLE), run(TABLE, f"{OTHER}\n{TABLE}")
    sums = {name: first.stats.get(name, 0.0) + second.stats.get(name, 0.0) for name in first.stats | second.stats}
    units = [unit.values["teds"] for outcome in (first, second) for unit in outcome.units]
    micro = micro_of(TableEvaluator(), sums)
    assert micro["teds"] == pytest.approx(fsum(units) / 3)
    assert micro["teds_f1"] == pytest.approx(2 * fsum(units) / 5)
    assert micro["teds_complex"] is None
    assert set(micro) == set(first.values)


def test_statistics_of_nothing_reduce_to_nothing():
    assert set(micro_of(TableEvaluator(), {}).values()) == {None}


def test_units_are_named_by_the_reference():
    gold = {"tables": [{"table_id": name, "html": "<table><tr><td>a</td></tr></table>"} for name in ("t", "t", "")]}
    assert [unit.id for unit in run(TABLE, gold).units] == ["t", "t#2", "table_3"]
    assert all(unit.kind == "table" for unit in run(TABLE, gold).units)


# What is evidence.


def test_evidence_is_plain_json_with_both_grids_and_the_pairing():
    outcome = run(f"{TABLE}\n{OTHER}", TABLE)
    evidence = json.loads(json.dumps(outcome.evidence))
    (pair,) = evidence["pairs"]
    assert pair["number"] == 0 and pair["prediction"] == pair["reference"]
    assert pair["reference"]["cells"][0] == {
        "row": 0,
        "col": 0,
        "rowspan": 1,
        "colspan": 1,
        "header": True,
        "text": "a",
    }
    assert [extra["number"] for extra in evidence["extra"]] == [1]


def test_evidence_stays_small_and_says_what_it_leaves_out():
    long = "| " + "x" * 5000 + " |\n|---|\n" + "| y |\n" * 700
    outcome = run(long + ("\n" + TABLE) * 40, long + ("\n" + TABLE) * 30)
    assert len(json.dumps(outcome.evidence)) < 500_000
    assert outcome.evidence["left_out"] > 0
    assert outcome.evidence["pairs"][0]["reference"]["left_out"] == 701 - 600


def test_of_very_many_edits_the_dearest_are_kept_in_order():
    cells = [f"<td>{'x' * (at % 7)}y</td>" for at in range(1500)]
    wrong, right = (f"<table><tr>{''.join(cells).replace('y', last)}</tr></table>" for last in "zy")
    script = run(wrong, right, explain=True).evidence["pairs"][0]["script"]
    columns = [edit["reference"]["col"] for edit in script["edits"] if "row" in edit.get("reference", {})]
    assert len(script["edits"]) == 1200 and script["left_out"] == 300
    assert columns == sorted(columns)
    assert min(edit["cost"] for edit in script["edits"]) > 1 / 7


def test_the_same_input_gives_the_same_outcome():
    assert run(OTHER, f"{TABLE}\n{OTHER}", explain=True) == run(OTHER, f"{TABLE}\n{OTHER}", explain=True)


def test_what_a_run_keeps_is_english_in_every_language():
    deep = "<table><tr><td>" + "<b>" * 2000
    for prediction, reference in ((deep, TABLE), (TABLE, deep), (5, TABLE), ("<table><tr><td colspan=x>a", TABLE)):
        with speaking("ko"):
            korean = run(prediction, reference, explain=True)
        assert korean == run(prediction, reference, explain=True)


# How it is configured.


def test_the_signature_names_the_profile_with_its_version():
    from jatdae.core.signature import sign

    def signed(**settings):
        return str(sign(TableEvaluator(**settings), refs="r", preds="p", kernel="native"))

    assert "profile:standard@2 " in signed() == signed(profile="standard@2")
    assert "profile:standard@1 " in signed(profile="standard@1")
    assert "profile:omnidocbench@1.5 " in signed(profile="omnidocbench") == signed(profile="omnidocbench@1.5")


def test_every_name_has_a_meaning_in_both_languages():
    assert missing_meanings(TableEvaluator) == []


@pytest.mark.parametrize(
    ("option", "value"), [("profile", "x"), ("matching", "greedy"), ("structured", "maybe"), ("max_chars", 0)]
)
def test_an_unknown_value_is_refused(option, value):
    with pytest.raises(UsageError):
        replace(TableEvaluator(), **{option: value})


def test_runs_of_two_versions_of_a_profile_are_not_compared():
    rows = [{"id": str(at), "prediction": TABLE, "reference": TABLE} for at in range(3)]
    old, new = (evaluate(rows, TableEvaluator(profile=name)) for name in ("standard@1", "standard"))
    with pytest.raises(UsageError, match="standard@1 ≠ standard@2"):
        compare(old, new)
