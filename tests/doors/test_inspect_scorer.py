"""An evaluator as a scorer of Inspect AI gives each sample the value that `evaluate` gives it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.core.errors import UsageError

inspect_ai = pytest.importorskip("inspect_ai")

PAIRS = [("the cat", "the bat"), ("a dog", "a dog"), ("uno", ["one", "uno"])]


def run(scorer: Any, folder: Path, pairs: Any = PAIRS) -> Any:
    """Log of a task whose answers are given: no model is asked, because even a mock counts tokens over the network."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    @solver
    def canned() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            state.output = ModelOutput.from_content("mockllm/model", state.metadata["answer"])
            return state

        return solve

    samples = [
        Sample(id=at, input="?", target=target, metadata={"answer": answer})
        for at, (answer, target) in enumerate(pairs, 1)
    ]
    task = Task(dataset=samples, solver=canned(), scorer=scorer)
    (log,) = eval(task, model="mockllm/model", log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return log


def test_samples_have_the_values_of_evaluate_and_the_evidence_as_explanation(tmp_path: Path) -> None:
    from jatdae.doors.inspect_scorer import yardstick

    log = run(yardstick("text", metric="cer"), tmp_path)
    scores = [sample.scores["yardstick"] for sample in log.samples]
    rows = [
        {"prediction": answer, "reference": {"$any": target} if isinstance(target, list) else target}
        for answer, target in PAIRS
    ]
    result = jatdae.evaluate(rows, "text")
    assert [score.value for score in scores] == pytest.approx(result.table().column("cer").to_pylist())
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(result.value("cer"))
    assert "the [-b-]{+c+}at" in scores[0].explanation
    assert scores[0].metadata["signature"].startswith("jatdae ")


def test_the_headline_metric_is_the_default_and_settings_are_passed_on(tmp_path: Path) -> None:
    from jatdae.doors.inspect_scorer import yardstick

    pairs = [('{"a": 1, "b": 2}', '{"a": 1, "b": 3}')]
    log = run(yardstick("structured", tau=0.2), tmp_path, pairs)
    assert log.samples[0].scores["yardstick"].value == 0.5


def test_a_slip_is_told_before_any_model_is_asked() -> None:
    from jatdae.doors.inspect_scorer import yardstick

    with pytest.raises(UsageError, match="Did you mean 'normaliser'"):
        yardstick("text", normalizer="fair")
    with pytest.raises(UsageError, match="Did you mean 'cer'"):
        yardstick("text", metric="cerr")


def test_a_log_of_inspect_is_loaded_with_the_values_of_its_samples(tmp_path: Path) -> None:
    from jatdae.doors.inspect_scorer import yardstick

    log = run(yardstick("text", metric="cer"), tmp_path)
    loaded = jatdae.load(Path(log.location))
    assert [(metric.name, metric.better) for metric in loaded.metrics] == [("cer", "lower")]
    expected = [sample.scores["yardstick"].value for sample in log.samples]
    assert [row["values"]["cer"] for row in loaded.rows()] == expected
