"""MLflow and Weights & Biases get the numbers of a result, and texts only when asked."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import jatdae
from jatdae.core.errors import UsageError
from jatdae.doors.tracking import log_mlflow, log_wandb, numbers_of

ROWS = [{"prediction": "a" * at, "reference": "aa"} for at in range(5)]


def test_numbers_have_the_names_of_gates_and_the_ends_of_their_interval() -> None:
    result = jatdae.evaluate(ROWS, "text")
    found = numbers_of(result, "val/")
    assert found["val/cer"] == result.value("cer")
    assert found["val/cer.micro"] == result.value("cer.micro")
    assert (found["val/cer.ci_low"], found["val/cer.ci_high"]) == result.interval("cer")


def test_several_systems_are_told_apart_and_odd_names_are_made_harmless() -> None:
    found = numbers_of(jatdae.evaluate({"small": ROWS, "큰 모델 <b>": ROWS}, "text"))
    assert found["small/cer"] == found["큰 모델 _b_/cer"]


def test_systems_whose_names_become_the_same_are_numbered() -> None:
    worse = [{**row, "prediction": "b"} for row in ROWS]
    result = jatdae.evaluate({"m@1": ROWS, "m:1": worse, "m_1-2": ROWS}, "text")
    found = {name: value for name, value in numbers_of(result).items() if name.endswith("/cer")}
    assert list(found) == ["m_1/cer", "m_1-3/cer", "m_1-2/cer"]
    assert list(found.values()) == [result.value("cer", system) for system in result.systems]


def test_doors_are_reached_from_the_package_as_the_guide_writes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert jatdae.doors.tracking.log_mlflow is log_mlflow
    for package, door, extra in (("evaluate", "hf_evaluate", "evaluate"), ("inspect_ai", "inspect_scorer", "inspect")):
        monkeypatch.setitem(sys.modules, package, None)
        monkeypatch.setitem(sys.modules, f"{package}.scorer", None)
        monkeypatch.delitem(sys.modules, f"jatdae.doors.{door}", raising=False)
        monkeypatch.delitem(vars(jatdae.doors), door, raising=False)
        with pytest.raises(UsageError, match=rf"pip install 'jatdae\[{extra}\]'"):
            getattr(jatdae.doors, door)
    with pytest.raises(AttributeError):
        jatdae.doors.nothing  # noqa: B018


def test_a_metric_that_is_na_is_not_logged() -> None:
    result = jatdae.evaluate([{"prediction": {"a": 1}, "reference": {"a": 1}}], "structured")
    assert result.value("schema_compliance") is None
    assert "schema_compliance" not in numbers_of(result)
    assert "exact_accuracy.ci_low" not in numbers_of(result)  # one sample has no interval


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, log in (("mlflow", log_mlflow), ("wandb", log_wandb)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(UsageError, match=rf"pip install 'jatdae\[{name}\]'"):
            log(jatdae.evaluate(ROWS, "text"))


def test_mlflow_keeps_numbers_signature_and_on_demand_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow = pytest.importorskip("mlflow")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    try:
        result = jatdae.evaluate(ROWS, "text")
        for with_report in (False, True):
            with mlflow.start_run() as run:
                log_mlflow(result, with_report=with_report)
            kept = mlflow.get_run(run.info.run_id)
            assert kept.data.metrics == pytest.approx(numbers_of(result))
            assert kept.data.tags["jatdae.signature"] == str(result.signature)
            pages = [each.name for each in (tmp_path / "mlruns").rglob("report.html")]
            assert pages == (["report.html"] if with_report else [])
    finally:
        mlflow.set_tracking_uri(before)


def test_wandb_without_a_run_says_how_to_begin_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(run=None))
    with pytest.raises(UsageError, match=r"wandb\.init\(\)"):
        log_wandb(jatdae.evaluate(ROWS, "text"))


def test_wandb_keeps_numbers_signature_and_on_demand_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wandb: Any = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    result = jatdae.evaluate(ROWS, "text")
    with wandb.init(mode="offline", dir=tmp_path, project="test") as run:
        log_wandb(result, with_report=True)
        assert run.config["jatdae.signature"] == str(result.signature)
        assert run.summary["cer"] == pytest.approx(result.value("cer"))
