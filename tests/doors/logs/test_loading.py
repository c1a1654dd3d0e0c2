"""Sample logs of other harnesses: their values are taken as they are, and compared as runs are."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import jatdae
from jatdae.cli import main
from jatdae.core.errors import DataError, UsageError


def inspect_sample(at: int, value: Any, *, epoch: int = 1, answer: str = "4") -> dict[str, Any]:
    return {
        "id": at,
        "epoch": epoch,
        "input": [{"role": "user", "content": [{"type": "text", "text": f"{at} + 1?"}]}],
        "target": [str(at + 1)],
        "output": {"choices": [{"message": {"content": answer}}]},
        "scores": {"match": {"value": value, "explanation": "looked at the end"}},
        "metadata": {"level": "easy" if at % 2 else "hard", "tokens": 3},
    }


def inspect_json(place: Path, samples: Sequence[Any], model: str = "m/one", task: str = "sums") -> Path:
    place.write_text(json.dumps({"version": 2, "eval": {"task": task, "model": model}, "samples": samples}))
    return place


def inspect_eval(place: Path, samples: Sequence[Any], *, zstandard: bool, head: str = "header.json") -> Path:
    files = {head: {"eval": {"task": "sums", "model": "m/two"}}, "summaries.json": []}
    files |= {f"samples/{each['id']}_epoch_{each['epoch']}.json": each for each in samples}
    with zipfile.ZipFile(place, "w", zipfile.ZIP_STORED if zstandard else zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            plain = json.dumps(value).encode()
            archive.writestr(name, pa.compress(plain, "zstd", asbytes=True) if zstandard else plain)
            if zstandard:  # what the archive says of its files is written when it is closed
                archive.infolist()[-1].compress_type = 93
                archive.infolist()[-1].file_size = len(plain)
    return place


def lm_eval_line(at: int, filter: str = "none", **values: Any) -> dict[str, Any]:
    fixed = {"doc_id": at, "doc": {"q": f"{at} + 1?"}, "target": str(at + 1), "resps": [["4"]], "filtered_resps": ["4"]}
    return {**fixed, "filter": filter, "metrics": list(values), "doc_hash": "x", **values}


def lm_eval_log(folder: Path, lines: Sequence[Any], higher: dict[str, bool] | None = None) -> Path:
    folder.mkdir()
    time = "2026-01-02T03-04-05.6"
    place = folder / f"samples_gsm_8k_{time}.jsonl"
    place.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    if higher is not None:
        about = {"model_name": "org/model", "higher_is_better": {"gsm_8k": higher}}
        (folder / f"results_{time}.json").write_text(json.dumps(about))
    return place


def test_letters_words_and_numbers_of_inspect_are_values(tmp_path: Path) -> None:
    given = ["C", "P", "I", "N", True, 0.25, "yes", "0.5", "what?", float("nan")]
    log = inspect_json(tmp_path / "a.json", [inspect_sample(at, value) for at, value in enumerate(given)])
    result = jatdae.load(log)
    found = [row["values"]["match"] for row in result.rows()]
    assert found == [1, 0.5, 0, 0, 1, 0.25, 1, 0.5, None, None]
    assert result.systems == ["m/one"]
    assert result.sample("8").issues[0]["code"] == "no_score"
    shown = {"question": "3 + 1?", "answer": "4", "target": "4", "explanation": "looked at the end"}
    assert result.sample("3").evidence == shown
    assert set(result.summary["systems"]["m/one"]["slices"]) == {"level"}


@pytest.mark.parametrize("zstandard", [False, True])
@pytest.mark.parametrize("head", ["header.json", "_journal/start.json"])
def test_an_archive_holds_what_the_one_file_holds(tmp_path: Path, zstandard: bool, head: str) -> None:
    samples = [inspect_sample(at, {"precision": at / 4, "recall at 5": 1}) for at in range(4)]
    whole = jatdae.load(inspect_json(tmp_path / "a.json", samples))
    packed = jatdae.load(inspect_eval(tmp_path / "a.eval", samples, zstandard=zstandard, head=head))
    assert [metric.name for metric in packed.metrics] == ["match/precision", "match/recall_at_5"]
    assert [row["values"] for row in packed.rows()] == [row["values"] for row in whole.rows()]
    assert jatdae.compare(whole, packed)["match/precision"].delta == 0


def test_epochs_of_a_sample_are_one_cluster(tmp_path: Path) -> None:
    samples = [inspect_sample(at, "C", epoch=epoch) for at in range(3) for epoch in (1, 2)]
    result = jatdae.load(inspect_json(tmp_path / "a.json", samples))
    assert [(row["id"], row["cluster"]) for row in result.rows()][:3] == [("0", "0"), ("0#2", "0"), ("1", "1")]


def test_lines_of_lm_eval_are_joined_over_filters(tmp_path: Path) -> None:
    lines = [
        lm_eval_line(at, chosen, exact_match=float(at % 2), ter=1.0, bleu=["a", "b"])
        for chosen in ("none", "strict")
        for at in (0, 1)
    ]
    place = lm_eval_log(tmp_path / "log", lines, {"exact_match": True, "ter": False})
    result = jatdae.load(place)
    assert {metric.name: metric.better for metric in result.metrics} == {
        "exact_match": "higher",
        "exact_match/strict": "higher",
        "ter": "lower",
        "ter/strict": "lower",
    }
    assert result.value("exact_match") == 0.5
    assert result.systems == ["org/model"]
    assert "bleu" in result.notes[-1]
    assert result.signature.parts["task"] == "gsm_8k"


def test_a_log_without_its_results_is_called_by_its_folder_and_older_lines_do_not_list_metrics(tmp_path: Path) -> None:
    line = lm_eval_line(0, acc=1.0, perplexity=3.0)
    del line["metrics"]
    result = jatdae.load(lm_eval_log(tmp_path / "model", [line]))
    assert result.systems == ["model"]
    assert {metric.name: metric.better for metric in result.metrics} == {"acc": "higher", "perplexity": "lower"}


def test_logs_are_compared_by_their_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = inspect_json(tmp_path / "a.json", [inspect_sample(at, "I" if at % 3 else "C") for at in range(24)])
    second = inspect_eval(tmp_path / "b.eval", [inspect_sample(at, "C") for at in range(24)], zstandard=True)
    assert main(["compare", str(first), str(second)]) == 0
    assert "m/two is better than m/one by 0.6667" in capsys.readouterr().out
    page = tmp_path / "page.html"
    assert main(["compare", str(first), str(second), "--systems", "m/one", "m/two", "-o", str(page)]) == 0
    assert "m/two" in page.read_text()
    run = jatdae.load(first).save(tmp_path / "run")
    assert jatdae.load(run).value("match") == jatdae.load(first).value("match")


def test_logs_of_other_tasks_or_questions_are_not_compared(tmp_path: Path) -> None:
    one = jatdae.load(inspect_json(tmp_path / "a.json", [inspect_sample(1, "C")]))
    other_task = jatdae.load(inspect_json(tmp_path / "b.json", [inspect_sample(1, "C")], task="products"))
    other_sample = jatdae.load(inspect_json(tmp_path / "c.json", [inspect_sample(2, "C")]))
    with pytest.raises(UsageError, match="task: sums ≠ products"):
        jatdae.compare(one, other_task)
    with pytest.raises(UsageError, match="refs"):
        jatdae.compare(one, other_sample)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.eval", "no archive", "not a log archive"),
        ("a.json", "{", "not JSON"),
        ("a.json", "[" * 100_000, "not JSON"),
        ("a.json", "[1]", "neither a run folder nor a sample log"),
        ("a.json", '{"eval": {}, "samples": [{}]}', "has another form"),
        ("a.json", '{"eval": {}, "samples": [7]}', "has another form"),
        ("a.json", '{"eval": {}, "samples": []}', "no scores of samples"),
        ("a.jsonl", '{"id": 1}', "neither a run folder nor a sample log"),
        ("a.jsonl", '{"doc_id": 1, "resps": [], "filtered_resps": [], "acc": 1}\n{"doc', "a.jsonl:2"),
        ("a.txt", "", "neither a run folder nor a sample log"),
    ],
)
def test_what_is_no_log_is_told_with_its_place(tmp_path: Path, name: str, content: str, told: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises((DataError, UsageError), match=told):
        jatdae.load(tmp_path / name)


def test_a_file_of_an_archive_that_says_it_is_huge_is_not_unpacked(tmp_path: Path) -> None:
    place = inspect_eval(tmp_path / "a.eval", [inspect_sample(1, "C")], zstandard=False)
    with zipfile.ZipFile(place, "a") as archive:
        archive.infolist()[-1].file_size = 1 << 31
        archive.writestr("x", b"")  # so that the directory is written anew
    with pytest.raises(DataError, match=r"samples/1_epoch_1\.json holds more than"):
        jatdae.load(place)


def test_a_scorer_of_ours_leaves_its_metric_and_direction_in_the_log(tmp_path: Path) -> None:
    samples = [inspect_sample(at, at / 10) for at in range(3)]
    for each in samples:
        each["scores"]["yardstick"] = {"value": 0.5, "metadata": {"yardstick": {"metric": "cer", "better": "lower"}}}
    result = jatdae.load(inspect_json(tmp_path / "a.json", samples))
    assert {metric.name: metric.better for metric in result.metrics} == {"match": "higher", "cer": "lower"}
    assert "match" in result.notes[-1] and "cer" not in result.notes[-1]


def test_logs_of_one_model_are_called_by_their_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        logs.append(inspect_json(tmp_path / name / "log.json", [inspect_sample(1, "C")]))
    assert main(["compare", *map(str, logs)]) == 0
    told = capsys.readouterr()
    assert "old" in told.out and str(tmp_path) not in told.out
    assert "which end of a metric is good" in " ".join(told.err.split())


def test_a_folder_of_logs_says_which_logs_it_holds(tmp_path: Path) -> None:
    lm_eval_log(tmp_path / "model", [lm_eval_line(0, acc=1.0)])
    with pytest.raises(UsageError, match=r"give one of them: model/samples_gsm_8k"):
        jatdae.load(tmp_path)
