"""One document of one system: composed of text, structure and tables; what applies, and what does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jatdae import Sample, evaluate
from jatdae.core.config import build, plain
from jatdae.core.contract import Outcome
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import micro_of, spec_of
from jatdae.core.meanings import missing_meanings
from jatdae.core.messages import speaking
from jatdae.core.registry import find_meanings
from jatdae.core.signature import sign
from jatdae.documents import DocumentEvaluator
from jatdae.documents.metrics import METRICS, OF_BLOCKS, OF_EFFORT, OF_FORMULAS, OF_STRUCTURE, OF_TABLES, OF_TEXT
from jatdae.formulas import FormulaEvaluator
from jatdae.report.sheets import absence
from jatdae.run.work.score import Scorer
from jatdae.tables import TableEvaluator
from jatdae.text import TextEvaluator

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
GOLD = f"# Title\n\nSome text $a^2$ of a paragraph.\n\n- first item\n- second item\n\n{TABLE}"
PLAIN = "Title\nSome text of a paragraph.\nfirst item\nsecond item\na b\n1 2\n"
HTML = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>3</td></tr></tbody></table>"
TABLES = {"tables": [{"table_id": "t", "html": HTML}]}
ENTRIES = "".join(f"[{n}] Author, A. ({2000 + n}). A title of some length. Journal, {n}, 1-9.\n" for n in range(1, 7))
NAMES = {metric.name for metric in METRICS}
UNTOLD = {metric.name for metric in OF_EFFORT}
"""What only files beside the documents tell."""
APART = {m.name for m in (*OF_STRUCTURE, *OF_TABLES, *OF_FORMULAS)} | {"bibliography_cer"} | UNTOLD
"""What has no value for a text without structure; the documents here have no bibliography either."""


def scored(prediction: Any, reference: Any, **config: Any) -> Outcome:
    return DocumentEvaluator(**config).score(Sample("d", prediction, reference, system="s"))


def codes(outcome: Outcome) -> list[str]:
    return [issue.code for issue in outcome.issues]


@pytest.mark.parametrize("prediction", [GOLD, PLAIN, "# Titel\n\nSome txt.\n", "", TABLE + TABLE])
@pytest.mark.parametrize("unit", ["char", "grapheme"])
def test_text_and_tables_are_what_their_own_evaluators_say(prediction: str, unit: Any) -> None:
    sample = Sample("d", prediction, GOLD)
    text = TextEvaluator(unit=unit).score(sample)
    tables = TableEvaluator(matching="hungarian").score(sample)
    outcome = DocumentEvaluator(unit=unit, matching="hungarian").score(sample)
    assert set(outcome.values) == NAMES
    for metrics, room in ((OF_TEXT, text), (OF_TABLES, tables)):
        assert {m.name: outcome.values[m.name] for m in metrics} == {m.name: room.values[m.name] for m in metrics}
    for room in (text, tables):
        assert room.stats.items() <= outcome.stats.items()
        assert room.counts.items() <= outcome.counts.items()
    assert outcome.evidence["text"] == text.evidence
    assert outcome.evidence["tables"] == tables.evidence
    assert [unit.id for unit in outcome.units] == [unit.id for unit in tables.units]
    assert outcome.stats["content_length"] == len(prediction)


def test_a_perfect_document() -> None:
    values = scored(GOLD, GOLD).values
    absent = {"code_block_f1", "bibliography_cer"} | UNTOLD
    assert all(values[m.name] == (0.0 if m.better == "lower" else 1.0) for m in METRICS if m.name not in absent)
    assert {name for name, value in values.items() if value is None} == absent


def test_formulas_are_what_their_own_evaluator_says() -> None:
    gold = "# Title\n\nWith $a^2$ and\n\n$$b=\\frac{1}{2}$$\n\nfor \\$5.\n"
    parsed = gold.replace("a^2", "a_2").replace("1}{2}", "1}{3}")
    outcome, formulas = scored(parsed, gold), FormulaEvaluator("markdown").score(Sample("d", parsed, gold))
    assert {m.name: outcome.values[m.name] for m in OF_FORMULAS} == {
        m.name: formulas.values[m.name] for m in OF_FORMULAS
    }
    assert 0 < (outcome.values["formula_score"] or 0) < 1 and outcome.values["formula_match"] == 0.0
    assert outcome.evidence["formulas"] == formulas.evidence
    assert formulas.counts.items() <= outcome.counts.items() and formulas.stats.items() <= outcome.stats.items()


def test_a_document_without_formulas_has_no_score_for_them() -> None:
    outcome = scored("# Title\n\nSome $x$.\n", "# Title\n\nSome text.\n")
    assert outcome.values["formula_score"] is outcome.values["formula_f1"] is None
    assert "no_reference_formula" in codes(outcome)


def test_gold_tables_come_from_beside_the_text_where_they_are_given() -> None:
    apart = scored(GOLD, {"text": GOLD, "tables": TABLES})
    inside = scored(GOLD, {"text": GOLD, "tables": None})
    assert inside.values == scored(GOLD, GOLD).values
    assert apart.values["teds"] == TableEvaluator().score(Sample("d", GOLD, TABLES)).values["teds"] != 1.0
    assert apart.values["cer"] == 0.0
    assert apart.units[0].id == "t"
    none = scored(GOLD, {"text": GOLD, "tables": {"tables": []}})
    assert (none.values["teds"], none.values["table_row_f1"], none.stats["structure.table_row.predicted"]) == (
        None,
        0,
        2,
    )
    assert "no_reference_table" in codes(none)


def test_rows_of_gold_tables_are_the_rows_of_the_structure_too() -> None:
    prose = "# Title\n\nwhat the table says\n"
    outcome = scored(f"# Title\n\n{TABLE}", {"text": prose, "tables": TABLES})
    assert outcome.values["table_row_f1"] == pytest.approx(0.5)  # "a b" is there, "1 3" is not


def test_structure_is_measured_without_the_bibliography() -> None:
    gold = "# Title\n\nSome text.\n"
    parsed = f"{gold}\n## References\n\n" + "".join(f"- {line}\n" for line in ENTRIES.splitlines())
    assert scored(parsed, gold).values["structure_f1"] == 1.0
    assert scored(parsed, gold, bibliography="none").values["structure_f1"] == pytest.approx(2 / (1 + 8))


@pytest.mark.parametrize("structured", [{}, {"s": "auto"}, {"s": False}, {"*": False}, {"s": False, "*": True}])
def test_a_system_without_structure_is_never_given_0(structured: Any) -> None:
    outcome = scored(PLAIN, GOLD, structured=structured)
    assert {name for name, value in outcome.values.items() if value is None} == APART
    assert codes(outcome).count("no_structure") == 1


@pytest.mark.parametrize("structured", [{"s": True}, {"*": True}, {"*": False, "s": True}])
def test_a_system_said_to_write_structure_is_charged_for_its_absence(structured: Any) -> None:
    values = scored(PLAIN, GOLD, structured=structured).values
    assert (values["structure_f1"], values["teds"], values["teds_s"]) == (0.0, 0.0, 0.0)
    assert values["structure_precision"] is None


def test_whether_a_system_writes_structure_is_told_by_all_its_documents() -> None:
    given = [
        {"id": id, "system": system, "prediction": prediction, "reference": GOLD}
        for system, predictions in {"markdown": (GOLD, PLAIN), "text": (PLAIN, PLAIN)}.items()
        for id, prediction in zip("ab", predictions, strict=True)
    ]
    found = {(row["system"], row["id"]): row["values"]["teds"] for row in evaluate(given, "documents").rows()}
    assert found == {("markdown", "a"): 1.0, ("markdown", "b"): 0.0, ("text", "a"): None, ("text", "b"): None}
    declared = evaluate(given, DocumentEvaluator(structured={"markdown": False, "text": True}))
    assert {(r["system"], r["id"]): r["values"]["structure_f1"] for r in declared.rows()} == {
        ("markdown", "a"): None, ("markdown", "b"): None, ("text", "a"): 0.0, ("text", "b"): 0.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "meant"), [("yes", True), ("no", False), ("true", True), ("auto", "auto"), (False, False)]
)
def test_structured_is_said_in_the_words_of_flags_and_of_yaml(word: Any, meant: Any) -> None:
    made = build(DocumentEvaluator, {"structured": {"s": word}})
    assert made.structured == {"s": meant}
    assert build(DocumentEvaluator, plain(made)) == made


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"structured": {"s": "perhaps"}}, "documents: structured.s = 'perhaps': unknown value."),
        ({"normaliser": "fiar"}, "Did you mean 'fair'?"),
        ({"bibliography": "blok"}, "documents: bibliography = 'blok': unknown value. Did you mean 'block'?"),
        ({"profile": "pubtabnt"}, "documents: profile = 'pubtabnt': unknown value. Did you mean 'pubtabnet'?"),
        ({"max_chars": 0}, "documents: max_chars = 0: must be 1 or more."),
    ],
)
def test_settings_that_cannot_be_are_refused(config: Any, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        DocumentEvaluator(**config)
    assert said in str(refused.value)
    with pytest.raises(UsageError):
        build(DocumentEvaluator, config)
    with speaking("ko"), pytest.raises(UsageError, match=r"[가-힣]"):
        DocumentEvaluator(**config)


def test_every_name_has_a_meaning_in_both_languages() -> None:
    assert missing_meanings(DocumentEvaluator) == []


def test_what_it_is_composed_of_is_declared_with_it() -> None:
    spec = spec_of(DocumentEvaluator)
    for part in (TextEvaluator, TableEvaluator):
        assert set(spec_of(part).counts) <= set(spec.counts)
        assert spec_of(part).severities.items() <= spec.severities.items()
    assert [metric.name for metric in spec.family] == [
        "body_cer",
        "cer",
        "order_free_error",
        "structure_f1",
        "teds",
        "teds_s",
        "cell_f1",
        "grits_con",
        "formula_score",
    ]
    assert spec.primary.name == "body_cer"


def test_what_a_run_keeps_is_english_in_every_language() -> None:
    for reference in (7, "# Title"):
        with speaking("ko"):
            outcome = DocumentEvaluator(structured={"*": True}).score(Sample("d", 7, reference))
        assert outcome.issues
        assert all(issue.message.isascii() for issue in outcome.issues)


def missing(reference: Any, **config: Any) -> Outcome:
    return Scorer(DocumentEvaluator(**config)).score(Sample("d", None, reference, system="s"))


def test_a_missing_document_takes_the_worst_of_what_its_reference_has() -> None:
    values = missing(GOLD).values
    absent = {"code_block_f1", "bibliography_cer"} | UNTOLD
    assert values == {m.name: None if m.name in absent else m.worst for m in METRICS}
    assert missing(GOLD).stats["cer.deletions"] > 0
    only_text = missing("Just text.").values
    assert {name for name, value in only_text.items() if value is not None} == {
        m.name for m in (*OF_TEXT, *OF_BLOCKS)
    } - absent


def test_a_missing_document_of_a_system_without_structure_has_none_to_lack() -> None:
    values = missing(GOLD, structured={"s": False}).values
    assert {name for name, value in values.items() if value is None} == APART
    assert missing({"$any": [GOLD, "Just text."]}).values["teds"] == 0.0


def test_the_best_of_several_gold_texts_counts() -> None:
    sample = Sample("d", GOLD, {"$any": ["something else", {"text": GOLD, "tables": None}]})
    assert Scorer(DocumentEvaluator()).score(sample).values["body_cer"] == 0.0


@pytest.mark.parametrize("prediction", [7, ["x"], {"text": GOLD}, "x" * 2000])
def test_a_document_that_cannot_be_read_gains_nothing(prediction: Any) -> None:
    outcome = scored(prediction, GOLD, max_chars=1000, structured={"*": True})
    assert (outcome.values["cer"], outcome.values["structure_f1"], outcome.values["heading_f1"]) == (1.0, 0.0, 0.0)
    assert outcome.values["teds"] in (None, 0.0)
    assert {"not_text", "too_large"} & set(codes(outcome))


@pytest.mark.parametrize("prediction", [7, "x" * 2000])
def test_a_document_that_cannot_be_read_gives_no_0_to_a_system_without_structure(prediction: Any) -> None:
    outcome = scored(prediction, GOLD, max_chars=1000, structured={"s": False})
    assert {name for name, value in outcome.values.items() if value is None} == APART
    assert "no_structure" in codes(outcome)


@pytest.mark.parametrize("reference", [7, {"tables": TABLES}, {"text": None}, {}, "x" * 2000])
def test_a_gold_text_that_cannot_be_used_leaves_the_document_out(reference: Any) -> None:
    outcome = scored(GOLD, reference, max_chars=1000)
    assert outcome.values["cer"] is outcome.values["structure_f1"] is None
    assert {"not_text", "too_large"} & set(codes(outcome))


@pytest.mark.parametrize(
    "tables", [{}, {"tables": 3}, {"tables": [{}]}, {"tables": [{"html": "none"}]}, {"tables": [7]}]
)
def test_gold_tables_that_cannot_be_read_leave_tables_and_structure_out(tables: Any) -> None:
    outcome = scored(GOLD, {"text": GOLD, "tables": tables})
    assert {name for name, value in outcome.values.items() if value is None} >= {
        m.name for m in (*OF_STRUCTURE, *OF_TABLES)
    }
    assert "bad_reference" in codes(outcome)
    assert outcome.values["cer"] == 0.0


def test_more_elements_than_can_be_matched() -> None:
    many = "- item\n" * 2_001
    by_prediction = scored(many * 12, "- item\n", structured={"s": True})
    assert (by_prediction.values["structure_f1"], "too_large" in codes(by_prediction)) == (0.0, True)
    by_reference = scored("- item\n", many, structured={"s": True})
    assert (by_reference.values["structure_f1"], "too_large" in codes(by_reference)) == (None, True)


BODY = "The body of it is short."
CUT = f"{BODY}\n\n# References\n\n{ENTRIES}"
UNCUT = f"{BODY} {' '.join(ENTRIES.split())}"
"""The same with its bibliography in running text, where none is found."""


@pytest.mark.parametrize(
    ("prediction", "reference", "side", "why"),
    [
        (UNCUT, CUT, "prediction", "no bibliography was found in the prediction"),
        (CUT, UNCUT, "reference", "no bibliography was found in the reference"),
        (CUT.replace("body", "b0dy"), CUT, "better", "a bibliography was found on both sides"),
    ],
)
def test_where_leaving_the_bibliography_out_makes_it_worse_the_side_is_named(
    prediction: str, reference: str, side: str, why: str
) -> None:
    outcome = scored(prediction, reference)
    assert outcome.values["body_cer"] > outcome.values["cer"]  # type: ignore[operator]
    assert outcome.counts["body_above_full"] == {side: 1}
    (told,) = [issue.message for issue in outcome.issues if issue.code == "body_above_full"]
    assert told.startswith(why)


@pytest.mark.parametrize(("prediction", "reference"), [(CUT, CUT), (CUT, BODY), (BODY, BODY.replace("body", "text"))])
def test_where_it_makes_nothing_worse_nothing_is_said(prediction: str, reference: str) -> None:
    outcome = scored(prediction, reference)
    assert outcome.values["body_cer"] <= outcome.values["cer"]  # type: ignore[operator]
    assert "body_above_full" not in codes(outcome)
    assert "body_above_full" not in outcome.counts


def test_micro_averages_of_one_document_are_its_values() -> None:
    outcome = scored("# Titel\n\nSome txt.\n\n- first item\n" + TABLE.replace("2", "3"), GOLD)
    reduced = micro_of(DocumentEvaluator(), outcome.stats)
    assert reduced == {name: pytest.approx(value) for name, value in outcome.values.items()}


def test_the_signature_names_every_component() -> None:
    line = str(sign(DocumentEvaluator(structured={"s": False}), refs="r", preds="p", kernel="native"))
    for part in (
        "normaliser:fair@2",
        "bibliography:block@4",
        "spaces:count",
        "profile:standard@2",
        "structure:f1@2",
        "formula:canonical@4",
        'structured:{"s":false}',
    ):
        assert part in line


def test_a_text_scores_the_same_whatever_it_is_called() -> None:
    sample = Sample("a/b", GOLD, GOLD, system="s")
    evaluator = DocumentEvaluator()
    assert evaluator.score(sample).values == evaluator.score(replace(sample, id="c", system="other")).values


def test_a_run_without_any_prediction_is_scored() -> None:
    result = evaluate([Sample(str(number), None, "# Title\n\ntext") for number in range(3)], "documents")
    entry = result.summary["systems"][""]["metrics"]
    assert (entry["cer"]["macro"], entry["cer"]["micro"]) == (1.0, 1.0)
    assert entry["structure_f1"]["macro"] is None


def reason(result: Any, metric: str) -> str:
    summary = result.summary
    described = summary["systems"][""]
    about = summary["metrics"][metric]
    return absence(described["metrics"][metric], about, described["issues"], find_meanings("documents"))


@pytest.mark.parametrize(
    ("prediction", "structured", "why"),
    [(None, {}, "no output"), ("Title\ntext\n", {}, "no structure"), (None, {"*": False}, "no output")],
    ids=["without output", "plain", "declared"],
)
def test_a_system_without_structure_has_no_zero_and_its_reason_is_told(
    prediction: str | None, structured: Any, why: str
) -> None:
    """What the reference lacks is told first; else whether nothing was written, or no structure."""
    samples = [Sample(str(number), prediction, "# Title\n\ntext\n") for number in range(3)]
    result = evaluate(samples, DocumentEvaluator(structured=structured))
    metrics = result.summary["systems"][""]["metrics"]
    assert [metrics[name]["macro"] for name in ("structure_f1", "teds", "formula_score")] == [None] * 3
    assert reason(result, "structure_f1") == reason(result, "heading_levels") == why
    assert reason(result, "teds") == "no table in the reference"
    assert reason(result, "formula_score") == "no formula in the reference"


def test_a_system_that_is_declared_to_write_structure_is_charged_for_writing_nothing() -> None:
    samples = [Sample(str(number), None, GOLD) for number in range(3)]
    metrics = evaluate(samples, DocumentEvaluator(structured={"*": True})).summary["systems"][""]["metrics"]
    assert [metrics[name]["macro"] for name in ("structure_f1", "teds", "formula_score")] == [0.0] * 3


def test_kinds_of_elements_that_neither_side_has_are_told_and_are_no_warning() -> None:
    text = "# Title\n\n- an item\n"
    result = evaluate([Sample("a", text, text)], "documents")
    assert reason(result, "code_block_f1") == "none on either side"
    assert reason(result, "table_row_f1") == "no table in the reference"
    assert result.summary["systems"][""]["issues"]["no_code_block"] == {"info": 1}
    assert "no_list_item" not in result.summary["systems"][""]["issues"]


@pytest.mark.parametrize(
    ("meta", "values", "bad"),
    [
        ({"seconds": "6", "pages": "4"}, {"seconds_per_page": 1.5, "seconds": 6.0}, False),
        ({"seconds": "6", "pages": "0"}, {"seconds": 6.0}, False),
        ({"seconds": "6", "cost": "0.5"}, {"seconds": 6.0, "cost": 0.5}, False),
        ({"seconds": "abc", "cost": "-3", "pages": "2"}, {}, True),
        ({"pages": "2"}, {}, False),
    ],
)
def test_seconds_are_by_page_where_pages_are_told(meta: dict[str, str], values: dict[str, float], bad: bool) -> None:
    outcome = DocumentEvaluator().score(Sample("d", GOLD, GOLD, meta))
    assert {name: value for name in UNTOLD if (value := outcome.values[name]) is not None} == values
    assert ("bad_effort" in codes(outcome)) is bad


def test_a_missing_document_has_the_seconds_that_were_spent_on_it() -> None:
    meta = {"seconds": "6", "pages": "4"}
    outcome = Scorer(DocumentEvaluator()).score(Sample("d", None, GOLD, meta))
    assert (outcome.values["seconds_per_page"], outcome.values["cer"]) == (1.5, 1.0)
