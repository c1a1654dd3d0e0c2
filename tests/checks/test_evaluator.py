"""The checks evaluator: what a document scores, what is counted, told and compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jatdae import CheckEvaluator, Sample, compare, evaluate
from jatdae.checks import evaluator as module
from jatdae.checks.evidence import MAX_SHOWN
from jatdae.checks.page_tests import MAX_TESTS
from jatdae.cli import main
from jatdae.core.contract import Outcome
from jatdae.core.evaluator import micro_of
from jatdae.core.meanings import missing_meanings
from jatdae.core.messages import choose_language
from jatdae.core.signature import sign
from jatdae.run.stats.result import Result
from jatdae.tables.extraction import VERSION as READING_VERSION

PAGE = "# Harbour\n\nThe pier was closed in March.\n\nIt opened in May.\n"
TESTS = [
    {"id": "closed", "type": "present", "text": "closed in March"},
    {"id": "open", "type": "present", "text": "open in June"},
    {"id": "footer", "type": "absent", "text": "Page 1"},
    {"id": "months", "type": "order", "before": "March", "after": "May"},
]


def scored(prediction: Any, reference: Any, **config: Any) -> Outcome:
    return CheckEvaluator(**config).score(Sample("1", prediction, reference))


def codes(outcome: Outcome) -> list[str]:
    return [issue.code for issue in outcome.issues]


def test_the_share_of_tests_that_pass_overall_and_by_type() -> None:
    outcome = scored(PAGE, TESTS)
    given = {name: value for name, value in outcome.values.items() if value is not None}
    assert given == {"pass_rate": 0.75, "pass_present": 0.5, "pass_absent": 1.0, "pass_order": 1.0}
    assert codes(outcome) == ["type_not_asked"]
    assert outcome.counts == {
        "check_types": {"absent": 1, "order": 1, "present": 2},
        "check_passes": {"absent": 1, "order": 1, "present": 1},
        "check_failures": {"present_missing": 1},
    }
    assert [(unit.id, unit.kind, unit.values["pass_rate"]) for unit in outcome.units] == [
        ("closed", "test", 1.0), ("open", "test", 0.0), ("footer", "test", 1.0), ("months", "test", 1.0),
    ]  # fmt: skip
    assert micro_of(CheckEvaluator(), outcome.stats)["pass_rate"] == 0.75


def test_failed_tests_come_first_with_reason_and_nearest_place() -> None:
    first = scored(PAGE, TESTS).evidence["checks"][0]
    assert (first["id"], first["passed"], first["reason"]) == ("open", 0.0, "present_missing")
    assert first["asked"] == {"text": "open in June"}
    assert "opened in" in "".join(first["place"])


def test_evidence_is_bounded() -> None:
    evidence = scored(PAGE, [{"type": "present", "text": "x" * 5_000}] * (MAX_SHOWN + 5)).evidence
    assert len(evidence["checks"]) == MAX_SHOWN
    assert evidence["checks_left_out"] == 5
    assert len(json.dumps(evidence)) < 200_000


def test_repetitions_are_averaged() -> None:
    outcome = scored([PAGE, "nothing of the sort is here", PAGE, PAGE], TESTS[:1])
    assert outcome.values["pass_rate"] == 0.75
    assert outcome.counts["check_failures"] == {"present_missing": 1}


def test_without_a_page_every_test_fails_in_either_mode() -> None:
    for published in (False, True):
        outcome = scored(None, TESTS, as_published=published)
        assert outcome.values["pass_rate"] == 0.0
        assert outcome.counts["check_failures"] == {"no_prediction": 4}


def test_an_empty_page_passes_no_absent_unless_it_is_published_or_to_be_blank() -> None:
    absent = {"type": "absent", "text": "Page 1"}
    empty = scored("", [absent])
    assert empty.values["pass_rate"] == 0.0
    assert "page_empty" in codes(empty)
    assert scored("", [absent], as_published=True).values["pass_rate"] == 1.0
    assert scored("", [absent, {"type": "baseline", "max_length": 5}]).values["pass_rate"] == 1.0


def test_a_rejected_test_is_left_out_unless_as_published() -> None:
    rejected = [{**TESTS[1], "checked": "rejected"}, TESTS[0]]
    outcome = scored(PAGE, rejected)
    assert outcome.values["pass_rate"] == 1.0
    assert "rejected_tests" in codes(outcome)
    assert scored(PAGE, rejected, as_published=True).values["pass_rate"] == 0.5


def test_unsupported_tests_are_counted_and_not_scored() -> None:
    outcome = scored(PAGE, [TESTS[0], {"type": "unsupported", "named": "is_bold"}])
    assert outcome.values["pass_rate"] == 1.0
    assert outcome.counts["unsupported_types"] == {"is_bold": 1}
    assert "unsupported_tests" in codes(outcome)
    nothing = scored(PAGE, [{"type": "unsupported", "named": "is_bold"}])
    assert nothing.values["pass_rate"] is None
    assert nothing.counts == {"unsupported_types": {"is_bold": 1}}
    assert codes(nothing) == ["unsupported_tests", "no_tests"]


@pytest.mark.parametrize("reference", [None, 5, "tests", [3], [{"type": "x"}], [{}], [{"type": "count", "text": "a"}]])
def test_a_reference_that_is_no_list_of_tests_is_not_applicable(reference: Any) -> None:
    choose_language("ko")
    outcome = scored(PAGE, reference)
    assert codes(outcome) == ["bad_reference"]
    assert outcome.issues[0].message.isascii()
    assert set(outcome.values.values()) == {None}


def test_too_many_tests_are_refused() -> None:
    assert codes(scored(PAGE, TESTS[:1] * (MAX_TESTS + 1))) == ["bad_reference"]


@pytest.mark.parametrize("prediction", [5, {}, [], [1], [PAGE] * 101])
def test_a_prediction_that_is_no_text_fails_every_test(prediction: Any) -> None:
    outcome = scored(prediction, TESTS)
    assert outcome.values["pass_rate"] == 0.0
    assert codes(outcome)[0] in ("not_text", "too_large")


def test_a_page_beyond_the_limit_fails_every_test() -> None:
    assert codes(scored(PAGE, TESTS, max_chars=10))[0] == "too_large"


def test_ids_are_made_where_they_lack_or_come_twice() -> None:
    twice = [TESTS[0], TESTS[0], {"type": "absent", "text": "x1"}]
    assert [unit.id for unit in scored(PAGE, twice).units] == ["closed", "closed#2", "absent_3"]


def test_the_mode_is_in_the_signature() -> None:
    given = {"refs": "", "preds": "", "kernel": "python"}
    assert "text:plain@1" in str(sign(CheckEvaluator(), **given))
    assert "text:olmocr-bench@0.4" in str(sign(CheckEvaluator(as_published=True), **given))


def test_how_tables_are_read_is_in_the_signature() -> None:
    given = {"refs": "", "preds": "", "kernel": "python"}
    assert f"reading:tables@{READING_VERSION}" in str(sign(CheckEvaluator(), **given))
    assert "reading:olmocr-bench@0.4" in str(sign(CheckEvaluator(as_published=True), **given))


def test_every_name_has_a_meaning() -> None:
    assert missing_meanings(CheckEvaluator) == []
    assert CheckEvaluator().max_chars == module.MAX_CHARS


def test_systems_are_compared_test_by_test() -> None:
    rows = [
        {"id": f"d{n}", "system": system, "prediction": PAGE if system == "a" else PAGE[:30], "reference": TESTS}
        for n in range(3)
        for system in ("a", "b")
    ]
    result = evaluate(rows, "checks")
    difference = compare(result, result, system_a="a", system_b="b")["pass_rate"]
    assert (difference.by, difference.n) == ("test", 12)


def test_a_document_without_a_prediction_fails_all_its_tests_in_every_number() -> None:
    rows = [
        {"id": f"d{n}", "system": system, "prediction": None if system == "b" and n else PAGE, "reference": TESTS[:2]}
        for n in range(4)
        for system in ("a", "b")
    ]
    result = evaluate(rows, "checks")
    summary = result.summary["systems"]["b"]
    rate = summary["metrics"]["pass_rate"]
    assert (rate["macro"], rate["micro"]) == (0.125, 0.125)
    assert "pass_order" not in summary["metrics"]  # nobody asked for an order
    assert summary["counts"]["check_failures"] == {"present_missing": 1, "no_prediction": 6}
    assert summary["issues"]["missing_prediction"] == {"error": 3}
    difference = compare(result, result, system_a="a", system_b="b")["pass_rate"]
    assert (difference.n, difference.unpaired) == (8, 0)
    assert difference.delta == pytest.approx(-0.375)


def test_n_workers_give_what_one_gives() -> None:
    rows = [{"id": n, "prediction": PAGE[n:], "reference": TESTS} for n in range(20)]
    one, two = (evaluate(rows, "checks", jobs=jobs) for jobs in (1, 2))
    assert one.summary == two.summary


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small benchmark in the layout of olmOCR-bench: two pages, two systems, one of which repeats itself."""
    tests = [{"pdf": "a/b.pdf", "page": 1, **test} for test in TESTS] + [
        {"pdf": "c.pdf", "page": 3, **TESTS[0], "id": "c"}
    ]
    (tmp_path / "tests.jsonl").write_text("\n\n".join(map(json.dumps, tests)) + "\n", "utf-8")
    for name, text in (
        ("good/a/b_pg1_repeat1.md", PAGE),
        ("good/a/b_pg1_repeat2.md", PAGE.replace("closed", "shut")),
        ("good/c_pg3_repeat1.md", PAGE),
        ("bad/a/b_pg1_repeat1.md", "It was empty there."),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_a_benchmark_is_run_as_it_lies(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    systems = [f"--system={name}={folder / name}" for name in ("good", "bad")]
    assert (
        main(
            ["run", "checks", "--ref", str(folder / "tests.jsonl"), *systems, "--out", str(folder / "run"), "--jobs=1"]
        )
        == 0
    )
    assert "page_empty" not in capsys.readouterr().out
    result = Result.load(folder / "run")
    assert result.value("pass_rate", system="good") == pytest.approx((0.625 + 1.0) / 2)
    assert result.value("pass_rate", system="bad") == pytest.approx((0.25 + 0.0) / 2)


def test_tests_of_ours_and_a_folder_of_documents(folder: Path) -> None:
    (folder / "tests.yaml").write_text("documents:\n  a/b_pg1:\n  - {type: present, text: closed in March}\n", "utf-8")
    call = ["run", "checks", "--ref", str(folder / "tests.yaml"), "--pred", str(folder / "good")]
    assert main([*call, "--out", str(folder / "run"), "--jobs=1", "--fail-under", "check:present=1"]) == 1
    assert Result.load(folder / "run").value("pass_rate") == 0.5


def test_the_schema_of_a_tests_file_describes_its_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "checks.tests"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert "present" in json.dumps(schema)
    assert schema["$defs"]["OrderTest"]["properties"]["before"]["description"] == "The text that comes first."


def test_a_formula_that_is_no_sound_latex_is_told() -> None:
    broken = {"id": "energy", "type": "math", "math": "E = mc^{2"}
    outcome = scored("$$E = mc^2$$", [broken, {"type": "math", "math": "E = mc^2"}])
    (issue,) = [issue for issue in outcome.issues if issue.code == "faulty_math"]
    assert issue.message.startswith("energy: unbalanced")
    assert outcome.values["pass_math"] == 1.0


def test_an_error_offers_only_types_that_a_person_may_write() -> None:
    (issue,) = scored(PAGE, [{"type": "presnt", "text": "x"}]).issues
    assert "Did you mean 'present'" in issue.message
    assert "unsupported" not in issue.message
