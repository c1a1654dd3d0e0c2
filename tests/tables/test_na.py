"""The table of N/A and zero, row by row."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Outcome, Sample
from jatdae.core.evaluator import spec_of
from jatdae.tables import TableEvaluator
from jatdae.tables.metrics import METRICS, MISSED

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
OTHER = "| x | y |\n|---|---|\n| 8 | 9 |\n"
DEEP = f"<table><tr><td>{'<b>' * 5000}</td></tr></table>"
BAD_SPAN = '<table><tr><td colspan="two">a</td></tr></table>'
BOMB = "<table>" + '<tr><td rowspan="65534" colspan="1000">a</td></tr>' * 1500 + "</table>"
TEDS = ("teds", "teds_s", "teds_pubtabnet", "teds_s_pubtabnet")
REMARKS = {"header_text", "no_complex_table", "no_numbers", "no_simple_table"}


def run(prediction: object, reference: object = TABLE, **options: object) -> Outcome:
    return TableEvaluator(**options).score(Sample("doc", prediction, reference))  # type: ignore[arg-type]


def codes(outcome: Outcome) -> list[str]:
    return [found.code for found in outcome.issues if found.code not in REMARKS]


def is_na(outcome: Outcome) -> bool:
    return set(outcome.values.values()) == {None} and not outcome.stats and not outcome.units


def is_worst(outcome: Outcome) -> bool:
    worst = {metric.name: metric.worst for metric in METRICS}
    return outcome.values == {**worst, "teds_complex": None}


def test_structure_but_no_table_is_zero_with_a_warning():
    outcome = run("# Heading\n\nprose")
    assert is_worst(outcome)
    assert codes(outcome) == ["no_table"]
    assert spec_of(TableEvaluator).severities["no_table"] == "warning"
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
    assert is_worst(outcome)
    assert codes(outcome) == ["no_table"]


UNREADABLE = [
    (12, {}, "parse_error", "int"),
    (b"\xff\xfe", {}, "parse_error", "UTF-8"),
    ("x" * 101, {"max_chars": 100}, "parse_error", "limit of 100"),
    ("<table></table>" * 10_001, {}, "too_large", "10,001 tables"),
    ({"tables": 3}, {}, "parse_error", "list `tables`"),
]


@pytest.mark.parametrize("structured", ["auto", "yes"])
@pytest.mark.parametrize(("prediction", "options", "code", "cause"), UNREADABLE)
def test_a_prediction_that_cannot_be_read_is_zero_with_the_cause(prediction, options, code, cause, structured):
    outcome = run(prediction, TABLE[:100], structured=structured, **options)
    assert is_worst(outcome)
    assert codes(outcome) == [code]
    assert cause in outcome.issues[0].message


@pytest.mark.parametrize(("prediction", "options", "code", "cause"), UNREADABLE)
def test_of_a_system_without_structure_it_is_na_as_everything_else_is(prediction, options, code, cause):
    outcome = run(prediction, TABLE[:100], structured="no", **options)
    assert is_na(outcome)
    assert codes(outcome) == [code]


def test_a_table_the_parser_gives_up_on_is_zero_with_the_cause():
    outcome = run(DEEP)
    assert is_worst(outcome)
    assert codes(outcome) == ["parse_error"]
    assert "nest deeper" in outcome.issues[0].message


def test_a_table_the_parser_gives_up_on_leaves_the_others_alone():
    outcome = run(f"{DEEP}\n\n{OTHER}", f"{TABLE}\n{OTHER}")
    assert [unit.values["teds"] for unit in outcome.units] == [0.0, 1.0]
    assert outcome.values["teds"] == outcome.values["teds_f1"] == 0.5
    assert codes(outcome) == ["parse_error"]


@pytest.mark.parametrize("broken", [DEEP, BAD_SPAN])
def test_where_all_tables_give_one_score_a_broken_one_makes_it_zero(broken):
    outcome = run(f"{TABLE}\n\n{broken}", f"{TABLE}\n{OTHER}", profile="opendataloader")
    assert outcome.values["teds"] == outcome.values["teds_s"] == 0.0
    assert outcome.units[0].values["teds"] == 1.0


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
    assert outcome.values["teds"] == pytest.approx(1 - 1 / 3)
    assert outcome.values["teds_s"] == 1.0
    assert codes(outcome) == []


def test_bullets_are_no_structure_and_emphasis_is_where_many_documents_have_it():
    def asked(*predictions: str) -> str:
        evaluator = TableEvaluator()
        surveys = [evaluator.survey(Sample(str(at), text, "")) for at, text in enumerate(predictions)]
        return evaluator.informed({name: sum(each[name] for each in surveys) for name in surveys[0]}).structured

    assert asked("- a\n- b", "* c\n* d", "1. e\n2. f") == "no"
    assert asked("**a** b", "c", "d") == "yes"
    assert asked("**a** b", "c", "d", "e") == "no"
    assert asked("# a", "c", "d", "e") == "yes"
    assert asked("0.5** 0.6**", "a ** b ** c") == "no"


@pytest.mark.parametrize("reference", ["", "prose", [], {"tables": []}])
def test_a_reference_without_a_table_is_na(reference):
    outcome = run(TABLE, reference)
    assert is_na(outcome)
    assert codes(outcome) == ["no_reference_table"]


@pytest.mark.parametrize("reference", [None, 5, {"tables": 3}, "<table>" + "<b>" * 5000, BOMB])
@pytest.mark.parametrize("prediction", [TABLE, DEEP, 12])
def test_a_broken_reference_is_na_and_told_from_a_broken_prediction(reference, prediction):
    outcome = run(prediction, reference)
    assert is_na(outcome)
    assert codes(outcome) == ["bad_reference"]


def test_a_bad_span_of_the_prediction_is_zero_for_teds():
    outcome = run(BAD_SPAN)
    assert [outcome.values[name] for name in (*TEDS, "teds_f1", "teds_simple")] == [0.0] * 6
    assert codes(outcome) == ["bad_span"]
    assert outcome.values["grits_top"] > 0.0  # a browser reads it as 1, and so does the grid


@pytest.mark.parametrize("prediction", [TABLE, BAD_SPAN, DEEP, "# no table"])
def test_a_bad_span_of_the_reference_is_na_for_teds_whatever_is_predicted(prediction):
    outcome = run(prediction, f"{BAD_SPAN}\n\n{TABLE}")
    assert [outcome.units[0].values[name] for name in TEDS] == [None] * 4
    assert outcome.units[0].values["grits_top"] is not None
    assert outcome.values["teds"] == outcome.units[1].values["teds"] == 0.0
    assert "bad_reference" in codes(outcome)


def test_neither_a_table_without_a_score_nor_its_partner_counts_in_f1():
    assert run(f"{TABLE}\n{TABLE}", f"{BAD_SPAN}\n\n{TABLE}").values["teds_f1"] == 1.0
    assert run("# no table", f"{BAD_SPAN}\n\n{TABLE}").values["teds_f1"] == 0.0
    assert run(f"{TABLE}\n{TABLE}", BAD_SPAN).values["teds_f1"] is None


def test_empty_tables_are_na_for_pubtabnet_only():
    outcome = run("<table></table>", "<table></table>")
    assert outcome.values["teds"] == 1.0 and outcome.values["teds_pubtabnet"] is None
    assert codes(outcome) == ["empty_table"]


def test_a_prediction_too_large_for_a_grid_is_zero_for_what_is_measured_on_grids():
    outcome = run(BOMB)
    assert {name: outcome.values[name] for name in MISSED if name not in TEDS} == {
        name: worst for name, worst in MISSED.items() if name not in TEDS
    }
    assert codes(outcome) == ["too_large"]


@pytest.mark.parametrize("prediction", [TABLE, BOMB, DEEP])
def test_a_reference_too_large_for_a_measure_is_na_for_it_whatever_is_predicted(prediction):
    wide = "<table>" + ("<tr>" + "<td>a</td>" * 110 + "</tr>") * 100 + "</table>"
    outcome = run(prediction, wide)
    assert outcome.values["grits_top"] is None and outcome.values["grits_con"] is None
    assert outcome.values["adjacency_f1"] == 0.0
    assert "reference_too_large" in codes(outcome)


def test_a_pair_too_large_for_teds_is_zero_where_a_copy_of_the_reference_is_not(monkeypatch):
    monkeypatch.setattr("jatdae.kernels.tree.MAX_PAIRS", 100)
    outcome = run(TABLE, "<table><tr><td>a</td></tr></table>")
    assert outcome.values["teds"] > 0.0
    outcome = run("<table>" + "<tr><td>a</td></tr>" * 40 + "</table>", "<table><tr><td>a</td></tr></table>")
    assert outcome.values["teds"] == 0.0
    assert codes(outcome) == ["too_large"]


def test_a_reference_too_large_for_teds_is_na_whatever_is_predicted(monkeypatch):
    monkeypatch.setattr("jatdae.kernels.tree.MAX_PAIRS", 4_000_000)
    large = "<table>" + "<tr><td>a</td></tr>" * 1100 + "</table>"
    for prediction in (large, TABLE, DEEP, "# no table"):
        outcome = run(prediction, large)
        assert [outcome.values[name] for name in TEDS] == [None] * 4
        assert "reference_too_large" in codes(outcome)


def test_too_many_tables_to_assign_are_paired_by_order():
    tables = "".join(f"<table><tr><td>{number}</td></tr></table>" for number in range(101))
    outcome = run(tables, tables, matching="hungarian")
    assert outcome.values["teds"] == 1.0
    assert codes(outcome) == ["too_large"]
    assert "paired by order" in outcome.issues[0].message


def test_too_large_tables_to_assign_are_paired_by_order(monkeypatch):
    monkeypatch.setattr("jatdae.tables.pairs.MAX_NODE_PAIRS", 100)
    outcome = run(f"{OTHER}\n{TABLE}", f"{TABLE}\n{OTHER}", matching="hungarian")
    assert [pair["number"] for pair in outcome.evidence["pairs"]] == [0, 1]
    assert codes(outcome) == ["too_large"]
