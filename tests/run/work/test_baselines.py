"""Pseudo-systems to beat: chosen by id alone, scored like any other, kept apart from the systems."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from jatdae import Sample, TextEvaluator
from jatdae.core.errors import DataError, UsageError
from jatdae.run.api import evaluate, execute
from jatdae.run.input import scan as ranges
from jatdae.run.input.model import Inputs
from jatdae.run.stats.result import Result
from jatdae.run.work import baselines
from jatdae.run.work import baselines as choice
from jatdae.run.work.engine import Engine

ROWS = [
    {"id": f"r{n}", "system": s, "pred": "a", "gold": "ab"[n % 2] * 40, "pad": "x" * 100}
    for s in "ST"
    for n in range(300)
]


@pytest.mark.parametrize("most", [40, 10_000])
def test_baselines_are_scored_on_the_references_with_the_smallest_hashes(
    most: int, write: Any, run: Any, plugin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "MOST", most)
    done = run(write("p.jsonl", ROWS), evaluator=plugin("beaten:Beaten"))
    assert list(done.summary["systems"]) == ["S", "T"]
    assert {name: b["n"] for name, b in done.summary["baselines"].items()} == dict.fromkeys(
        ["copy", "empty"], min(most, 300)
    )
    assert done.summary["baselines"]["copy"]["metrics"]["exact"]["macro"] == 1.0
    wanted = sorted({r["id"] for r in ROWS}, key=lambda id: hashlib.sha256(id.encode()).digest())[:most]
    rows = [r["id"] for r in Result.load(done.folder).rows() if r["system"] == "baseline:copy"]
    assert rows == wanted


def test_baselines_are_the_same_in_memory_and_with_two_workers(write: Any, run: Any, plugin: Any) -> None:
    file = write("p.jsonl", ROWS)
    one, two = (run(file, evaluator=plugin("beaten:Beaten"), engine=Engine(jobs)) for jobs in (1, 2))
    samples = [Sample(r["id"], r["pred"], r["gold"], system=r["system"]) for r in ROWS]
    assert one.summary == two.summary
    assert evaluate(samples, plugin("beaten:Beaten")).summary["baselines"] == one.summary["baselines"]


@pytest.mark.parametrize(("ids", "passes"), [(600, 0), (60, 1)])
def test_the_smallest_hashes_are_found_however_often_ids_repeat(
    ids: int, passes: int, write: Any, run: Any, plugin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "MOST", 40)
    bounds, keyed = set[bytes](), baselines.candidates
    monkeypatch.setattr(baselines, "candidates", lambda samples, bound: bounds.add(bound) or keyed(samples, bound))
    rows = [{"id": f"r{n % ids}", "system": str(n // ids), "pred": "a", "gold": "a"} for n in range(600)]
    done = run(write("p.jsonl", rows), evaluator=plugin("beaten:Beaten"))
    found = [r["id"] for r in Result.load(done.folder).rows() if r["system"] == "baseline:copy"]
    assert found == sorted({r["id"] for r in rows}, key=lambda id: hashlib.sha256(id.encode()).digest())[:40]
    assert len(bounds) == passes


def test_a_run_that_goes_on_scores_its_baselines_on_the_same_references(
    write: Any, run: Any, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "MOST", 40)
    monkeypatch.setattr(ranges, "SMALLEST_SHARD", 1000)
    file = write("p.jsonl", ROWS)
    whole = run(file, evaluator=plugin("beaten:Beaten"), out=tmp_path / "out")
    parts = sorted((whole.folder / "parts").iterdir())
    before = [part.read_bytes() for part in parts]
    assert len(parts) > 20
    for lost in (*parts[::3], parts[-1]):
        lost.unlink()
    again = run(file, evaluator=plugin("beaten:Beaten"), out=tmp_path / "out")
    assert 0 < again.resumed < len(parts)
    assert [part.read_bytes() for part in parts] == before
    assert again.summary == whole.summary


@pytest.mark.parametrize("reference", [None, {"$any": ["x", "y"]}, {"$any": []}, {"$any": 5}, {"$any": [None, "x"]}])
def test_odd_references_make_no_trouble(reference: Any, write: Any, run: Any, plugin: Any) -> None:
    file = write("p.jsonl", [{"id": "1", "pred": "x", "gold": reference}, {"id": "2", "pred": "x", "gold": "x"}])
    baseline = run(file, evaluator=plugin("beaten:Beaten")).summary["baselines"]["copy"]
    assert baseline["metrics"]["exact"]["macro"] == 1.0


@pytest.mark.parametrize("given", ["row", "label", "sample"])
def test_no_system_of_the_input_may_pass_for_a_baseline(given: str, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    row = {"id": "1", "prediction": "a", "reference": "a"} | ({"system": "baseline:x"} if given == "row" else {})
    file.write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises((DataError, UsageError), match="baseline:x"):
        if given == "sample":
            evaluate([Sample("1", "a", "a", system="baseline:x")], "text")
        else:
            label = "baseline:x" if given == "label" else ""
            execute(TextEvaluator(), Inputs(pairs=((label, str(file)),)), out=tmp_path / "run")
