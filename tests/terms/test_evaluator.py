"""The evaluator: contract, issues, baselines, evidence, configuration, several systems, suites and gates."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from jatdae.cli import main
from jatdae.core.config import build, plain
from jatdae.core.contract import Outcome, Sample
from jatdae.core.errors import DataError, UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.meanings import meanings_of, missing_meanings
from jatdae.core.messages import LANGUAGES, speaking, texts_beside
from jatdae.core.signature import sign
from jatdae.run.api import evaluate, execute
from jatdae.run.input.model import Inputs
from jatdae.run.stats.result import Result
from jatdae.run.suite import read_suite
from jatdae.run.work.engine import Engine
from jatdae.terms import TermsEvaluator, similarity
from jatdae.terms.lexicon_file import bundled_lexicons

NORMAL = "舌淡红，苔薄白"
MINE = """
name: mine
weights: {hue: 1}
axes: {HUE: {category: hue}}
atoms: {HUE: {red: {zh: [红]}}}
"""
SUITE = """
name: nightly
datasets: {all: {pairs: {one: pairs.jsonl}}}
evaluators:
  terms:
    config: {lexicon: %s}
    fail_under: {%s: 0.5}
"""


def score(prediction: Any, reference: Any, **config: Any) -> Outcome:
    return TermsEvaluator(**config).score(Sample("x", prediction, reference))


def codes(outcome: Outcome) -> list[str]:
    return [issue.code for issue in outcome.issues]


def test_every_metric_has_a_value_and_score_is_primary() -> None:
    spec = spec_of(TermsEvaluator)
    assert spec.primary.name == "score"
    assert {metric.name for metric in spec.metrics} == score("舌红", "舌绛，苔黄").values.keys()


def test_the_metrics_of_a_run_are_those_of_its_lexicon() -> None:
    assert spec_of(TermsEvaluator()) == spec_of(TermsEvaluator)
    names = [metric.name for metric in spec_of(TermsEvaluator(lexicon="pulse")).metrics]
    assert names[:8] == ["score", "score_spoken", "depth", "rate", "force", "form", "rhythm", "location"]
    assert not {"tongue", "coat", "COLOR"} & set(names)
    assert names == list(score("脉弦", "脉紧", lexicon="pulse").values)
    assert score("脉弦", "脉紧", lexicon="pulse").values["form"] == 0.7


def test_every_setting_is_explained() -> None:
    assert all(option.help for option in options_of(TermsEvaluator))
    assert [option.name for option in options_of(TermsEvaluator)] == [
        "lexicon",
        "empty_category",
        "lenient",
        "partial_match",
        "max_chars",
    ]


@pytest.mark.parametrize("lexicon", ["tongue", "pulse"])
def test_outcomes_have_the_same_keys_whatever_happens(lexicon: str) -> None:
    judge = TermsEvaluator(lexicon=lexicon, max_chars=30)
    usual = judge.score(Sample("", "舌红，脉弦", "舌红，脉弦"))
    for pair in (
        ("", "舌红脉弦"),
        ("x" * 31, "舌红脉弦"),
        (5, "舌红脉弦"),
        ("舌红", "x" * 31),
        ("舌红", 5),
        ("舌红", ""),
        ("哈", "舌红脉弦"),
    ):
        outcome = judge.score(Sample("", *pair))
        assert (outcome.values.keys(), outcome.stats.keys()) == (usual.values.keys(), usual.stats.keys())


def test_a_reference_without_terms_is_left_out_and_counted() -> None:
    for reference in ("", "神疲乏力", "，。"):
        outcome = score("舌红", reference)
        assert codes(outcome) == ["reference_not_understood"]
        assert set(outcome.values.values()) == {None}
        assert set(outcome.stats.values()) == {0.0}


def test_a_prediction_that_is_not_understood_scores_as_empty_and_is_counted() -> None:
    outcome = score("神疲乏力", "舌红，苔黄")
    assert codes(outcome) == ["empty_category", "prediction_not_understood"]
    assert outcome.values["score"] == score("", "舌红，苔黄").values["score"]
    assert outcome.values["coverage"] == pytest.approx(4 / 8)


@pytest.mark.parametrize("prediction", [5, ["舌红"], {"text": "舌红"}, True])
def test_a_prediction_that_is_no_text_takes_the_worst_values(prediction: Any) -> None:
    outcome = score(prediction, "舌红")
    assert codes(outcome) == ["not_text", "empty_category"]
    assert set(outcome.values.values()) == {0.0, None}
    assert outcome.values["COLOR"] == 0.0
    assert outcome.values["SHAPE"] is None
    assert outcome.stats == score("", "舌红").stats


def test_a_reference_that_is_no_text_leaves_the_sample_out() -> None:
    assert codes(score("舌红", 5)) == ["not_text"]


def test_texts_beyond_the_limit_are_too_large() -> None:
    assert codes(score("舌红" * 10, "舌红", max_chars=10)) == ["too_large", "empty_category"]
    assert set(score("舌红" * 10, "舌红", max_chars=10).values.values()) == {0.0, None}
    assert set(score("舌红", "舌红" * 10, max_chars=10).values.values()) == {None}


def test_more_terms_than_any_description_has_are_too_large() -> None:
    assert codes(score("红，" * 501, "舌红")) == ["too_large", "empty_category"]
    with pytest.raises(DataError, match="states 501 terms"):
        similarity("红，" * 501, "舌红")


def test_hostile_text_scores() -> None:
    for text in ("\ud800舌红", "\0", "或" * 9000, "설" * 9000, "舌红\r\n\t苔黄"):
        assert json.dumps(score(text, "舌红").values)


def test_a_pair_that_comes_again_has_the_same_outcome() -> None:
    judge, other = TermsEvaluator(), TermsEvaluator(empty_category="skip")
    first, second, third = (judge.score(Sample(str(at), "舌红", "舌绛")) for at in range(3))
    assert first == second == third
    assert other.score(Sample("1", "舌红", "舌绛")) != third


def test_bad_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="no lexicon is called 'tonge'"):
        TermsEvaluator(lexicon="tonge")
    with pytest.raises(UsageError, match="max_chars = 0: must be 1 or more"):
        TermsEvaluator(max_chars=0)
    with pytest.raises(UsageError, match="empty_category"):
        build(TermsEvaluator, {"empty_category": "maybe"})
    with pytest.raises(UsageError, match="empty_category = 'maybe'"):
        TermsEvaluator(empty_category="maybe")  # type: ignore[arg-type]


def test_the_signature_names_the_lexicon_with_its_version_or_content(write: Callable[[str, str], str]) -> None:
    def signature(lexicon: str) -> str:
        return str(sign(TermsEvaluator(lexicon=lexicon), refs="0" * 8, preds="0" * 8, kernel="native"))

    assert "| lexicon:tongue@7 |" in signature("tongue")
    path = write("mine.yaml", "name: mine\nextends: tongue\n")
    before = signature(path)
    assert "lexicon:mine.yaml@" in before
    write("mine.yaml", "name: mine\nextends: tongue\nversion: 2\n")
    assert signature(path) != before


def test_settings_survive_the_way_to_a_worker() -> None:
    judge = TermsEvaluator(lexicon="pulse", empty_category="skip")
    assert build(TermsEvaluator, plain(judge)) == judge


def test_baselines_are_empty_constant_and_shuffled() -> None:
    references = [f"舌红，苔黄{number}" for number in range(20)]
    found = TermsEvaluator().baseline_predictions(references)
    assert list(found) == ["empty", "constant", "shuffled"]
    assert found["empty"] == [""] * 20
    assert found["constant"] == [NORMAL] * 20
    assert sorted(found["shuffled"]) == sorted(references)
    assert all(dealt != own for dealt, own in zip(found["shuffled"], references, strict=True))
    assert TermsEvaluator().baseline_predictions(references) == found


@pytest.mark.parametrize("references", [[], ["舌红"], [None, 5, "舌红"]])
def test_baselines_take_any_references(references: list[Any]) -> None:
    found = TermsEvaluator().baseline_predictions(references)
    assert all(len(predictions) == len(references) for predictions in found.values())
    assert all(isinstance(text, str) for predictions in found.values() for text in predictions)


def test_micro_averages_add_up_over_samples() -> None:
    pairs = [("舌红", "舌绛"), ("舌红，苔黄腻", "舌红，苔黄"), ("舌淡", "舌红，无裂纹")]
    result = evaluate([Sample(str(at), *pair) for at, pair in enumerate(pairs)], TermsEvaluator())
    assert result.value("f1.micro") == pytest.approx(2 * (0.75 + 2 + 0) / (2 + 5 + 2))
    assert result.value("exact_f1.micro") == pytest.approx(2 * (0 + 2 + 0) / 9)
    assert result.value("coverage.micro") == 1.0


def test_the_best_of_several_references_counts() -> None:
    result = evaluate([Sample("1", "舌红", {"$any": ["舌青", "舌红"]})], TermsEvaluator())
    assert result.value("score") == 1.0


def test_several_files_give_a_table_of_means_with_intervals_and_baselines(
    write: Callable[[str, Any], str], tmp_path: Path
) -> None:
    references = ["舌尖红苔黄腻", "舌边红苔白滑", "舌根暗苔黑燥", "舌淡胖，边有齿痕，苔白"]
    same = [{"predict": text, "label": text} for text in references]
    other = [{"predict": "舌尖红苔黄腻", "label": text} for text in references]
    pairs = (("same", write("same.jsonl", same)), ("other", write("other.jsonl", other)))
    finished = execute(TermsEvaluator(), Inputs(pairs=pairs), out=tmp_path / "run", engine=Engine(1))
    scores = {name: system["metrics"]["score"] for name, system in finished.summary["systems"].items()}
    assert scores["same"]["macro"] == 1.0
    assert scores["other"]["macro"] == pytest.approx(sum(similarity("舌尖红苔黄腻", text) for text in references) / 4)
    assert all(len(entry["ci"]) == 2 for entry in scores.values())
    assert set(finished.summary["baselines"]) == {"empty", "constant", "shuffled"}
    rows = list(Result.load(finished.folder).rows())
    assert all("findings" in row["evidence"] for row in rows if not row["system"].startswith("baseline:"))


def test_the_bundled_samples_score() -> None:
    lines = (resources.files("jatdae.terms") / "samples" / "pairs.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {row["meta"]["language"] for row in rows} == {"zh", "zh-Hant", "ko"}
    for row in rows:
        outcome = score(row["prediction"], row["reference"])
        assert set(codes(outcome)) <= {"empty_category"}
        assert outcome.values["coverage"] > 0.9


@pytest.fixture
def suite(tmp_path: Path) -> Callable[[str, str], str]:
    """A suite with this lexicon and a gate on this metric, in a folder that is not the working directory."""

    def written(lexicon: str, gate: str) -> str:
        (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
        (tmp_path / "mine").write_text(MINE, encoding="utf-8")
        (tmp_path / "pairs.jsonl").write_text('{"predict": "红", "label": "红"}\n', encoding="utf-8")
        path = tmp_path / "suite.yaml"
        path.write_text(SUITE % (lexicon, gate), encoding="utf-8")
        return str(path)

    return written


@pytest.mark.parametrize("lexicon", ["mine.yaml", "./mine.yaml", "mine"])
def test_the_lexicon_of_a_suite_lies_beside_it(lexicon: str, suite: Any, tmp_path: Path) -> None:
    (run,) = read_suite(suite(lexicon, "hue"), out=tmp_path / "runs")
    assert Path(run.evaluator.lexicon) == tmp_path / lexicon
    finished = execute(run.evaluator, run.inputs, out=run.folder)
    assert finished.summary["systems"]["one"]["metrics"]["hue"]["macro"] == 1.0


def test_a_suite_may_name_a_bundled_lexicon(suite: Any, tmp_path: Path) -> None:
    (run,) = read_suite(suite("pulse", "rhythm.macro"), out=tmp_path / "runs")
    assert run.evaluator.lexicon == "pulse"


@pytest.mark.parametrize(("lexicon", "gate"), [("pulse", "coat"), ("mine.yaml", "rhythm"), ("tongue", "hue")])
def test_a_gate_on_a_category_of_another_lexicon_is_refused(lexicon: str, gate: str, suite: Any) -> None:
    with pytest.raises(UsageError, match=rf"suite\.yaml:7.*{gate}"):
        read_suite(suite(lexicon, gate))


def test_a_lexicon_that_is_not_beside_the_suite_is_named_where_it_should_be(suite: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=rf"{tmp_path}/yours\.yaml: cannot be read"):
        read_suite(suite("yours.yaml", "score"))


def test_own_categories_are_columns(write: Callable[[str, str], str]) -> None:
    judge = TermsEvaluator(lexicon=Path(write("mine.yaml", MINE)))
    assert [metric.name for metric in spec_of(judge).metrics][:4] == ["score", "score_spoken", "hue", "HUE"]


def test_every_name_has_a_meaning_in_every_language() -> None:
    assert missing_meanings(TermsEvaluator) == []


@pytest.mark.parametrize("lexicon", bundled_lexicons())
def test_categories_and_axes_of_bundled_lexicons_have_meanings_of_their_own(lexicon: str) -> None:
    texts = texts_beside("jatdae.terms.evaluator")
    for language in LANGUAGES:
        listed = texts.table("metrics", language)
        assert [m.name for m in spec_of(TermsEvaluator(lexicon=lexicon)).metrics if m.name not in listed] == []


def test_a_category_of_an_own_lexicon_has_a_meaning() -> None:
    assert (
        meanings_of(TermsEvaluator).of("metrics", "hue")
        == "similarity of the terms of this category or axis of the lexicon"
    )


def test_every_issue_is_declared_with_its_severity() -> None:
    pairs = [("舌红", "?!"), ("hello", "舌红"), (3, "舌红"), ("红" * 20, "舌红"), ("舌红", "舌红")]
    judge = TermsEvaluator(empty_category="skip", max_chars=10)
    found = {each.code for said, meant in pairs for each in judge.score(Sample("x", said, meant)).issues}
    assert spec_of(judge).severities == {
        "empty_category": "info",
        "prediction_not_understood": "warning",
        "reference_not_understood": "error",
        "too_large": "error",
        "not_text": "error",
    }
    assert found == spec_of(judge).severities.keys()


def test_messages_in_parts_are_english_and_errors_are_in_the_language_of_the_user() -> None:
    with speaking("ko"):
        issue, _ = score("舌红" * 10, "舌红", max_chars=10).issues
        assert issue.message == "the prediction has 20 characters; max_chars is 10"
        with pytest.raises(DataError, match="예측의 용어가 501개"):
            similarity("红，" * 501, "舌红")
        with pytest.raises(UsageError, match="용어집이 없습니다"):
            TermsEvaluator(lexicon="tonge")


def test_the_schema_of_a_lexicon_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "terms.lexicon"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema_rs.meta.validate(schema)
    mine = yaml.safe_load(MINE)
    assert jsonschema_rs.is_valid(schema, mine)
    assert jsonschema_rs.is_valid(schema, {"name": "ours", "extends": "tongue"})
    assert not jsonschema_rs.is_valid(schema, {**mine, "wieghts": {}})
    assert not jsonschema_rs.is_valid(schema, {"name": "ours"})
    assert main(["schema", "terms.lexikon"]) == 2
    assert "Did you mean 'terms.lexicon'?" in capsys.readouterr().err
