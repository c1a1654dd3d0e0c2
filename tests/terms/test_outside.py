"""Lexicons as suites, gates and editors meet them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from jatdae import Sample, TermsEvaluator
from jatdae.cli import main
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import LANGUAGES, choose_language, says
from jatdae.run.api import execute
from jatdae.run.suite import read_suite

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
    assert [metric.name for metric in spec_of(judge).metrics][:3] == ["score", "hue", "HUE"]


def test_every_issue_has_a_meaning_in_every_language() -> None:
    pairs = [("舌红", "?!"), ("hello", "舌红"), (3, "舌红"), ("红" * 20, "舌红"), ("舌红", "舌红")]
    judge = TermsEvaluator(empty_category="skip", max_chars=10)
    found = {each.code for said, meant in pairs for each in judge.score(Sample("x", said, meant)).issues}
    assert found == {
        "reference_not_understood",
        "prediction_not_understood",
        "not_text",
        "too_large",
        "empty_category",
    }
    for language in LANGUAGES:
        choose_language(language)
        assert [code for code in sorted(found) if not says(f"issue_{code}")] == []


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
