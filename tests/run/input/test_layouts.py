"""Folders in a layout that the evaluator reads by itself: recognised, named, refused with what was expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jatdae import evaluate
from jatdae.cli import main
from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import speaking
from jatdae.dialogue import DialogueEvaluator
from jatdae.documents import DocumentEvaluator
from jatdae.report.paper import make_paper
from jatdae.run.api import execute
from jatdae.run.input.layouts import adapt
from jatdae.run.input.model import Inputs
from jatdae.run.work.engine import Engine
from jatdae.text import TextEvaluator

PAGE = "# Title\n\nSome words of a page, and more of them.\n"


def pairs(path: Path) -> Inputs:
    return Inputs(pairs=(("", str(path)),))


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """A folder of opendataloader-bench: two pages, two engines, one of which lacks a page."""
    texts = {"ground-truth/markdown/p1.md": PAGE, "ground-truth/markdown/p2.md": PAGE}
    texts |= {"prediction/good/markdown/p1.md": PAGE, "prediction/good/markdown/p2.md": PAGE}
    texts |= {"prediction/poor/markdown/p1.md": "Some words"}
    for name, text in texts.items():
        path = tmp_path / "bench" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "bench"


@pytest.mark.parametrize("page", ["", "stranger.md"], ids=["empty", "only others"])
def test_an_engine_without_any_page_is_refused_by_name(bench: Path, tmp_path: Path, page: str) -> None:
    void = bench / "prediction" / "void" / "markdown"
    void.mkdir(parents=True)
    if page:
        (void / page).write_text(PAGE, "utf-8")
    evaluator, inputs = adapt(DocumentEvaluator(), pairs(bench))
    with pytest.raises(DataError, match=r"\(system void\): none of the 2 documents"):
        execute(evaluator, inputs, out=tmp_path / "run", engine=Engine(1))


def test_an_engine_may_lack_the_first_pages(bench: Path, tmp_path: Path) -> None:
    """A layout has its fields whatever the first rows hold."""
    (bench / "prediction" / "poor" / "markdown" / "p1.md").rename(bench / "prediction" / "poor" / "markdown" / "p2.md")
    evaluator, inputs = adapt(DocumentEvaluator(), pairs(bench))
    done = execute(evaluator, inputs, out=tmp_path / "run", engine=Engine(1))
    assert done.summary["systems"]["poor"]["issues"]["missing_prediction"] == {"error": 1}


@pytest.mark.parametrize("benchmark", ["none", "opendataloader"])
def test_a_folder_is_recognised_or_named(bench: Path, benchmark: Any) -> None:
    evaluator, inputs = adapt(DocumentEvaluator(benchmark=benchmark), pairs(bench))
    assert evaluator.benchmark == inputs.layout == "opendataloader"
    assert inputs.pairs == (("good", str(bench)), ("poor", str(bench)))


def test_a_run_has_the_numbers_of_the_benchmark_beside_ours(bench: Path, tmp_path: Path) -> None:
    evaluator, inputs = adapt(DocumentEvaluator(), pairs(bench))
    done = execute(evaluator, inputs, out=tmp_path / "run", engine=Engine(1))
    good, poor = (done.summary["systems"][name]["metrics"] for name in ("good", "poor"))
    assert good["opendataloader_overall"]["macro"] == good["opendataloader_mhs"]["macro"] == 1.0
    assert good["opendataloader_teds"]["macro"] is None
    assert good["body_cer"]["macro"] == 0.0
    assert poor["opendataloader_nid"]["n"] == 2  # a page that is missing counts, as in the benchmark
    assert poor["opendataloader_mhs"]["macro"] == 0.0
    assert "docling_eval_bleu" not in done.summary["metrics"]
    first = list(done.summary["metrics"])[:7]
    assert all(name.startswith("opendataloader_") and done.summary["metrics"][name]["family"] for name in first)
    written = json.loads((done.folder / "evaluation" / "p1.json").read_text("utf-8"))["parsers"]["good"]
    assert written["benchmark"]["opendataloader_overall"] == written["block_recall"] == 1.0
    columns = [(column.group, column.title) for column in make_paper(done.folder, compared=False).columns]
    assert columns[:3] == [("opendataloader", "overall"), ("opendataloader", "NID"), ("opendataloader", "NID-S")]
    assert columns[7:9] == [("", "Body CER"), ("", "Full CER")]
    assert "benchmark:opendataloader@2025.12" in str(done.signature)
    again = execute(evaluator, inputs, out=tmp_path / "run", engine=Engine(1))
    assert again.resumed
    assert json.dumps(again.summary) == json.dumps(done.summary)


def test_python_takes_such_a_folder_too(bench: Path) -> None:
    result = evaluate(bench, "documents")
    assert result.value("opendataloader_nid", system="good") == 1.0


def test_its_numbers_need_no_folder_of_its_own() -> None:
    rows = [{"id": "a", "prediction": PAGE, "reference": PAGE}]
    result = evaluate(rows, DocumentEvaluator(benchmark="opendataloader"))
    assert result.value("opendataloader_nid") == 1.0


def test_an_unknown_folder_is_told_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"opendataloader: ground-truth.*omnidocbench.*docling-eval.*dp-bench"):
        adapt(DocumentEvaluator(), pairs(tmp_path))
    with pytest.raises(UsageError, match=r"Expected dp-bench: reference\.json"):
        adapt(DocumentEvaluator(benchmark="dp-bench"), pairs(tmp_path))


def test_a_folder_above_several_layouts_asks_for_one(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first that fits would be taken for what was meant."""
    above = bench.parent
    page = {"doc_id": "p1.pdf", "true_md": PAGE, "pred_md": PAGE}
    (above / "evaluation_x_markdown_text.json").write_text(json.dumps({"evaluations": [page]}), "utf-8")
    told = r"several layouts: opendataloader \(.*bench\), docling-eval \(.*\)\. Give the folder of one.*--benchmark"
    with pytest.raises(UsageError, match=told):
        adapt(DocumentEvaluator(), pairs(above))
    assert main(["run", "documents", str(above), "--out", str(above / "run")]) == 2
    assert "--benchmark" in capsys.readouterr().err
    evaluator, inputs = adapt(DocumentEvaluator(benchmark="docling-eval"), pairs(above))
    assert evaluator.benchmark == inputs.layout == "docling-eval"


def test_what_was_expected_is_told_in_korean(tmp_path: Path) -> None:
    told = r"ground-truth/markdown/쪽\.md와.*\[\{layout_dets.*시스템마다.*evaluation_이름_markdown"
    with speaking("ko"), pytest.raises(UsageError, match=told):
        adapt(DocumentEvaluator(), pairs(tmp_path))


def test_a_folder_without_systems_and_one_that_is_not_there(bench: Path, tmp_path: Path) -> None:
    for path in (bench / "prediction").iterdir():
        (path / "markdown").rename(path / "text")
    with pytest.raises(UsageError, match="no system in it"):
        adapt(DocumentEvaluator(), pairs(bench))
    with pytest.raises(UsageError, match="nowhere"):
        adapt(DocumentEvaluator(benchmark="dp-bench"), pairs(tmp_path / "nowhere"))


def test_other_evaluators_and_other_input_stay_as_they_are(bench: Path, tmp_path: Path) -> None:
    for evaluator, inputs in (
        (TextEvaluator(), pairs(bench)),
        (DocumentEvaluator(), pairs(tmp_path / "rows.jsonl")),
        (DocumentEvaluator(), Inputs(pairs=(("a", "x"), ("b", "y")))),
        (DocumentEvaluator(), Inputs(reference="gold", predictions=(("", "out"),))),
    ):
        assert adapt(evaluator, inputs) == (evaluator, inputs)


@pytest.mark.parametrize(
    ("held", "read"),
    [(("events.jsonl",), "events.jsonl"), (("events.jsonl", "conversations.jsonl"), "conversations.jsonl"), ((), "")],
)
def test_a_folder_stands_for_its_file_of_rows(tmp_path: Path, held: tuple[str, ...], read: str) -> None:
    for name in held:
        (tmp_path / name).write_text("{}", "utf-8")
    ((_, path),) = adapt(DialogueEvaluator(), pairs(tmp_path))[1].pairs
    assert path == str(tmp_path / read if read else tmp_path)
    assert adapt(TextEvaluator(), pairs(tmp_path))[1] == pairs(tmp_path), "which names none"
