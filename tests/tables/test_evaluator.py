"""The door: every row of the N/A-and-zero table, what is counted, what is evidence, what adds up."""

from __future__ import annotations

import json
from dataclasses import replace
from math import fsum

import pytest

from jatdae.core.contract import Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.tables import TableEvaluator

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
OTHER = "| x | y |\n|---|---|\n| 8 | 9 |\n"


def run(prediction: object, reference: object = TABLE, **options: object) -> Outcome:
    return TableEvaluator(**options).score(Sample("doc", prediction, reference))  # type: ignore[arg-type]


def codes(outcome: Outcome) -> list[str]:
    return [found.code for found in outcome.issues if found.code != "header_text"]


def is_na(outcome: Outcome) -> bool:
    return set(outcome.values.values()) == {None} and not outcome.stats and not outcome.units


# The table of N/A and zero, row by row.


def test_structure_but_no_table_is_zero_with_a_warning():
    outcome = run("# Heading\n\nprose")
    assert outcome.values["teds"] == outcome.values["teds_s"] == outcome.values["teds_f1"] == 0.0
    assert codes(outcome) == ["no_table"]
    assert outcome.issues[0].severity == "warning"
    assert outcome.units[0].values["teds"] == 0.0


@pytest.mark.parametrize("options", [{}, {"structured": "no"}])
def test_no_structure_and_no_table_is_na(options):
    outcome = run("only prose", **options)
    assert is_na(outcome)
    assert codes(outcome) == ["no_structure"]


def test_a_system_declared_unstructured_is_na_even_where_text_looks_like_structure():
    assert codes(run("# looks like a heading", structured="no")) == ["no_structure"]


def test_a_system_declared_unstructured_is_scored_where_a_table_is_found():
    assert run(TABLE, structured="no").values["teds"] == 1.0


def test_a_system_declared_structured_gets_zero_for_prose():
    outcome = run("only prose", structured="yes")
    assert outcome.values["teds"] == 0.0
    assert codes(outcome) == ["no_table"]


@pytest.mark.parametrize(
    ("prediction", "options", "cause"),
    [
        (None, {}, "NoneType"),
        (12, {}, "int"),
        (b"\xff\xfe", {}, "UTF-8"),
        ("x" * 101, {"max_chars": 100}, "limit of 100"),
    ],
)
def test_what_is_no_text_or_over_the_limit_is_na_with_the_cause(prediction, options, cause):
    outcome = run(prediction, TABLE[:100], **options)
    assert is_na(outcome)
    assert codes(outcome) == ["parse_error"]
    assert cause in outcome.issues[0].message


def test_html_the_parser_gives_up_on_is_na_with_the_cause():
    outcome = run(f"<table><tr><td>{'<b>' * 5000}</td></tr></table>")
    assert set(outcome.values.values()) == {None}
    assert codes(outcome) == ["parse_error"]
    assert "nest deeper" in outcome.issues[0].message


def test_a_table_the_parser_gives_up_on_does_not_void_the_others():
    outcome = run(f"<table><tr><td>{'<b>' * 5000}</td></tr></table>\n\n{OTHER}", f"{TABLE}\n{OTHER}")
    assert [unit.values["teds"] for unit in outcome.units] == [None, 1.0]
    assert outcome.values["teds"] == outcome.values["teds_f1"] == 1.0
    assert codes(outcome) == ["parse_error"]


def test_fewer_tables_than_the_reference_are_matched_in_part_and_the_rest_scores_zero():
    outcome = run(TABLE, f"{TABLE}\n{OTHER}")
    assert outcome.values["teds"] == 0.5
    assert outcome.values["teds_f1"] == pytest.approx(2 / 3)
    assert codes(outcome) == ["table_count_mismatch", "table_missed"]
    assert outcome.counts["tables"] == {"reference": 2, "predicted": 1, "missed": 1, "extra": 0}


def test_more_tables_than_the_reference_cost_nothing_but_in_f1():
    outcome = run(f"{TABLE}\n{OTHER}")
    assert outcome.values["teds"] == 1.0
    assert outcome.values["teds_f1"] == pytest.approx(2 / 3)
    assert codes(outcome) == ["table_count_mismatch", "table_extra"]
    assert outcome.counts["tables"] == {"reference": 1, "predicted": 2, "missed": 0, "extra": 1}


def test_a_header_alone_is_scored_with_its_text():
    outcome = run("| a | b |\n|---|---|\n", "| a | x |\n|---|---|\n")
    assert outcome.values["teds"] == pytest.approx(1 - 1 / 4)
    assert outcome.values["teds_s"] == 1.0
    assert codes(outcome) == []


@pytest.mark.parametrize("reference", ["", "prose", [], {"tables": []}])
def test_a_reference_without_a_table_is_na(reference):
    outcome = run(TABLE, reference)
    assert is_na(outcome)
    assert codes(outcome) == ["no_reference_table"]


@pytest.mark.parametrize("reference", [None, 5, {"tables": 3}, "<table>" + "<b>" * 5000])
def test_a_broken_reference_is_na_and_told_from_a_broken_prediction(reference):
    outcome = run(TABLE, reference)
    assert is_na(outcome)
    assert codes(outcome) == ["bad_reference"]


def test_a_bad_span_is_na():
    html = '<table><tr><td colspan="two">a</td></tr></table>'
    outcome = run(html)
    assert outcome.values["teds"] is None and outcome.values["teds_f1"] is None
    assert codes(outcome) == ["bad_span"]
    assert outcome.values["grits_top"] is not None  # a browser reads it as 1, and so does the grid


def test_empty_tables_are_na_for_pubtabnet_only():
    outcome = run("<table></table>", "<table></table>")
    assert outcome.values["teds"] == 1.0 and outcome.values["teds_pubtabnet"] is None
    assert codes(outcome) == ["empty_table"]


# N/A is decided per system.


def informed(predictions: list[str], **options: object) -> TableEvaluator:
    evaluator = TableEvaluator(**options)  # type: ignore[arg-type]
    surveys = [evaluator.survey(Sample(str(at), text, TABLE)) for at, text in enumerate(predictions)]
    sums = {name: fsum(survey[name] for survey in surveys) for name in surveys[0]}
    return evaluator.informed(sums)


def test_one_structured_document_makes_prose_elsewhere_a_zero():
    evaluator = informed(["prose", "# Heading", "more prose"])
    assert evaluator.structured == "yes"
    assert evaluator.score(Sample("x", "prose", TABLE)).values["teds"] == 0.0


def test_a_system_without_any_structure_is_na_throughout():
    evaluator = informed(["prose", "more prose", ""])
    assert evaluator.structured == "no"
    assert is_na(evaluator.score(Sample("x", "prose", TABLE)))


def test_what_was_declared_is_not_surveyed_away():
    assert informed(["# Heading"], structured="no").structured == "no"
    assert informed(["prose"], structured="yes").structured == "yes"
    assert TableEvaluator(structured="no").survey(Sample("x", "# Heading", TABLE)) == {}


def test_a_prediction_that_cannot_be_read_shows_no_structure():
    assert TableEvaluator().survey(Sample("x", None, TABLE)) == {"structured": 0.0}


def test_an_empty_prediction_of_a_structured_system_has_the_statistics_of_zero():
    outcome = TableEvaluator(structured="yes").score(Sample("x", spec_of(TableEvaluator).empty, TABLE))
    worst = {metric.name: metric.worst for metric in spec_of(TableEvaluator).metrics}
    assert {name: value for name, value in outcome.values.items() if value is not None} == {
        name: value for name, value in worst.items() if name != "teds_complex"
    }
    assert TableEvaluator().reduce(outcome.stats)["teds"] == 0.0


# What is measured.


def test_every_metric_has_a_value_and_a_perfect_table_has_the_best():
    outcome = run(TABLE)
    assert list(outcome.values) == [metric.name for metric in spec_of(TableEvaluator).metrics]
    best = {metric.name: float(metric.better == "higher") for metric in spec_of(TableEvaluator).metrics}
    assert outcome.values == {**best, "teds_complex": None}


def test_pubtabnet_always_stands_beside():
    outcome = run("| A | B |\n|---|---|\n| 1 | 2 |", "| A | 1 |\n|---|---|\n| B | 2 |")
    assert (outcome.values["teds"], outcome.values["teds_pubtabnet"]) == (0.75, 0.875)
    assert outcome.values["teds_s"] == outcome.values["teds_s_pubtabnet"] == 1.0


def test_through_the_door_pubtabnet_gives_the_official_numbers(rows):
    for row in rows("pubtabnet_demo.jsonl"):
        values = run(row["pred"], row["gt"]).values
        assert values["teds_pubtabnet"] == values["teds"] == row["teds"], row["id"]


def test_simple_and_complex_tables_are_told_apart():
    spanned = "<table><tr><td colspan=2>a</td></tr><tr><td>b</td><td>c</td></tr></table>"
    outcome = run(f"{spanned}\n\n{OTHER}", f"{spanned}\n\n{TABLE}")
    assert outcome.values["teds_complex"] == 1.0
    assert outcome.values["teds_simple"] == outcome.units[1].values["teds"] < 1.0
    assert [unit.meta["complexity"] for unit in outcome.units] == ["complex", "simple"]


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
    assert [found.code for found in run(f"{TABLE}\n{OTHER}", f"{TABLE}\n{OTHER}").issues] == ["header_text"]
    plain = "<table><tr><td>a</td></tr></table>"
    assert run(plain, plain).issues == ()
    assert run(TABLE, profile="pubtabnet").issues == ()


def test_repairs_of_the_prediction_are_issues():
    ragged = "| a | b |\n|---|\n| 1 | 2 |"
    assert codes(run(ragged)) == ["table_repaired"]
    assert codes(run(TABLE, ragged)) == ["reference_repaired"]


# What adds up.


def test_statistics_of_two_documents_give_the_mean_per_table():
    first, second = run(TABLE), run(TABLE, f"{OTHER}\n{TABLE}")
    sums = {name: first.stats.get(name, 0.0) + second.stats.get(name, 0.0) for name in first.stats | second.stats}
    units = [unit.values["teds"] for outcome in (first, second) for unit in outcome.units]
    micro = TableEvaluator().reduce(sums)
    assert micro["teds"] == pytest.approx(fsum(units) / 3)
    assert micro["teds_f1"] == pytest.approx(2 * fsum(units) / 5)
    assert micro["teds_complex"] is None
    assert set(micro) == set(first.values)


def test_statistics_of_nothing_reduce_to_nothing():
    assert set(TableEvaluator().reduce({}).values()) == {None}


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


# How it is configured.


def test_the_signature_names_the_profile_with_its_version():
    from jatdae.core.signature import sign

    assert "profile:standard@1" in str(sign(TableEvaluator(), refs="r", preds="p", kernel="native"))


def test_every_option_has_help():
    assert all(option.help for option in options_of(TableEvaluator))


@pytest.mark.parametrize(
    ("option", "value"), [("profile", "x"), ("matching", "greedy"), ("structured", "maybe"), ("max_chars", 0)]
)
def test_an_unknown_value_is_refused(option, value):
    with pytest.raises(UsageError):
        replace(TableEvaluator(), **{option: value})
