"""Calls that a data scientist would guess, each with what happens: a number, or a message that says what to write."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jatdae
from jatdae.core.errors import JatdaeError, UsageError

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

ROWS = [
    {"id": "a", "prediction": "the cat", "reference": "the cat", "lang": "en"},
    {"id": "b", "prediction": "고양", "reference": "고양이", "lang": "ko"},
]
SIDES = ("prediction", "reference")
COLUMNS = {key: [row[key] for row in ROWS] for key in ROWS[0]}
CER = (0 + 1 / 3) / 2


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the calls."""
    monkeypatch.chdir(tmp_path)
    Path("pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    pd.DataFrame(ROWS).to_csv("pairs.csv", index=False)
    for side in ("prediction", "reference"):
        kept = [{"id": row["id"], side: row[side]} for row in ROWS]
        Path(f"{side}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in kept), "utf-8")
        Path(side).mkdir()
        for row in ROWS:
            Path(side, f"{row['id']}.txt").write_text(row[side], "utf-8")
    return tmp_path


WORKS = {
    "a pandas frame": lambda: jatdae.evaluate(pd.DataFrame(ROWS), "text"),
    "a polars frame": lambda: jatdae.evaluate(pl.DataFrame(ROWS), "text"),
    "a lazy polars frame": lambda: jatdae.evaluate(pl.LazyFrame(ROWS), "text"),
    "an Arrow table": lambda: jatdae.evaluate(pa.Table.from_pylist(ROWS), "text"),
    "a list of dicts": lambda: jatdae.evaluate(ROWS, "text"),
    "a dict of columns": lambda: jatdae.evaluate(COLUMNS, "text"),
    "a generator": lambda: jatdae.evaluate((row for row in ROWS), "text"),
    "Samples": lambda: jatdae.evaluate(
        [jatdae.Sample(row["id"], row["prediction"], row["reference"]) for row in ROWS], "text"
    ),
    "other column names": lambda: jatdae.evaluate(
        pd.DataFrame(ROWS).rename(columns={"prediction": "output", "reference": "label"}), "text"
    ),
    "named columns": lambda: jatdae.evaluate(
        pd.DataFrame(ROWS).rename(columns={"prediction": "mine", "reference": "theirs"}),
        "text",
        prediction_field="mine",
        reference_field="theirs",
    ),
    "rows of iterrows": lambda: jatdae.evaluate((row for _, row in pd.DataFrame(ROWS).iterrows()), "text"),
    "rows of itertuples": lambda: jatdae.evaluate(pd.DataFrame(ROWS).itertuples(), "text"),
    "ids of numpy": lambda: jatdae.evaluate([{**row, "id": np.int64(at)} for at, row in enumerate(ROWS)], "text"),
    "numbered columns": lambda: jatdae.evaluate(
        pd.DataFrame([[row["prediction"], row["reference"]] for row in ROWS]),
        "text",
        prediction_field=0,  # type: ignore[arg-type]
        reference_field=1,  # type: ignore[arg-type]
    ),
    "ids in the index": lambda: jatdae.evaluate(pd.DataFrame(ROWS).set_index("id"), "text"),
    "a frame of objects beside the texts": lambda: jatdae.evaluate(
        pd.DataFrame(ROWS).assign(image=[b"\x89PNG", b"\x89PNG"], when=pd.Timestamp("2026-01-01"), score=0.5), "text"
    ),
    "a path as text": lambda: jatdae.evaluate("pairs.jsonl", "text"),
    "a Path": lambda: jatdae.evaluate(Path("pairs.csv"), "text"),
    "two files": lambda: jatdae.evaluate("prediction.jsonl", "text", reference="reference.jsonl"),
    "two folders": lambda: jatdae.evaluate("prediction", "text", reference="reference"),
    "a class": lambda: jatdae.evaluate(ROWS, jatdae.TextEvaluator),
    "an instance": lambda: jatdae.evaluate(ROWS, jatdae.TextEvaluator(normaliser="fair")),
    "a setting": lambda: jatdae.evaluate(ROWS, "text", normaliser="fair"),
    "columns of pandas": lambda: jatdae.evaluate({side: pd.Series(COLUMNS[side]) for side in SIDES}, "text"),
    "columns of polars": lambda: jatdae.evaluate({side: pl.Series(COLUMNS[side]) for side in SIDES}, "text"),
    "columns of numpy": lambda: jatdae.evaluate({side: np.array(COLUMNS[side]) for side in SIDES}, "text"),
    "columns of Arrow": lambda: jatdae.evaluate(
        {"prediction": pa.array(COLUMNS["prediction"]), "reference": pa.chunked_array([COLUMNS["reference"]])}, "text"
    ),
    "columns as tuples": lambda: jatdae.evaluate({side: tuple(COLUMNS[side]) for side in SIDES}, "text"),
    "columns as generators": lambda: jatdae.evaluate({side: iter(COLUMNS[side]) for side in SIDES}, "text"),
    "y_pred and y_true": lambda: jatdae.evaluate(
        pd.DataFrame({"y_pred": COLUMNS["prediction"], "y_true": COLUMNS["reference"]}), "text"
    ),
    "a structured array": lambda: jatdae.evaluate(pd.DataFrame(ROWS).to_records(), "text"),
    "rows by id": lambda: jatdae.evaluate(pd.DataFrame(ROWS).set_index("id").to_dict("index"), "text"),
    "columns by system": lambda: jatdae.evaluate({"mine": COLUMNS}, "text"),
    "a record batch": lambda: jatdae.evaluate(pa.RecordBatch.from_pylist(ROWS), "text"),
    "an Arrow stream": lambda: jatdae.evaluate(pa.Table.from_pylist(ROWS).to_reader(), "text"),
    "an index of several levels": lambda: jatdae.evaluate(pd.DataFrame(ROWS).set_index(["lang", "id"]), "text"),
    "categories": lambda: jatdae.evaluate(pd.DataFrame(ROWS).astype({"lang": "category"}), "text"),
    "strings of Arrow in pandas": lambda: jatdae.evaluate(
        pd.DataFrame(ROWS).convert_dtypes(dtype_backend="pyarrow"), "text"
    ),
    "a saved result": lambda: jatdae.load(jatdae.evaluate(ROWS, "text").save("runs/mine")),
}


@pytest.mark.parametrize("call", WORKS.values(), ids=WORKS)
def test_a_guessed_call_gives_the_same_number(call: Any, place: Path) -> None:
    assert call().value("cer") == pytest.approx(CER)


TOLD = {
    "evaluator first": (lambda: jatdae.evaluate("text", ROWS), "The data come first"),
    "no such file": (lambda: jatdae.evaluate("pears.jsonl", "text"), r"pears\.jsonl: no such file"),
    "a run to evaluate": (
        lambda: jatdae.evaluate(jatdae.evaluate(ROWS, "text").save("runs/mine"), "text"),
        r"a finished run.*jatdae\.load",
    ),
    "pairs as tuples": (
        lambda: jatdae.evaluate(list(zip(COLUMNS["prediction"], COLUMNS["reference"], strict=True)), "text"),
        r"samples\[0\]: a sample must be .*\"prediction\".* not tuple",
    ),
    "two lists": (lambda: jatdae.evaluate(COLUMNS["prediction"], COLUMNS["reference"]), "come together, as the data"),
    "two lists and a metric": (
        lambda: jatdae.evaluate(COLUMNS["prediction"], COLUMNS["reference"], metric="cer"),
        r"evaluate\(\{\"prediction\": predictions",
    ),
    "two columns and an evaluator": (
        lambda: jatdae.evaluate(pd.Series(COLUMNS["prediction"]), pd.Series(COLUMNS["reference"]), "text"),
        r"evaluate\(\{\"prediction\": predictions",
    ),
    "predictions and references by name": (
        lambda: jatdae.evaluate(predictions=["a"], references=["a"], evaluator="text"),
        r"evaluate\(\{\"prediction\": predictions",
    ),
    "no evaluator": (lambda: jatdae.evaluate(pd.DataFrame(ROWS)), "name an evaluator: .*text"),
    "several evaluators": (lambda: jatdae.evaluate(ROWS, ["text", "structured"]), "the evaluator must be"),
    "a metric as evaluator": (
        lambda: jatdae.evaluate(ROWS, "wer"),
        r"'wer' is a metric of text.*evaluate\(data, \"text\"\)\.value",
    ),
    "one metric": (lambda: jatdae.evaluate(ROWS, "text", metrics=["cer"]), r"\.value\(\"cer\"\)"),
    "n_jobs": (lambda: jatdae.evaluate(ROWS, "text", n_jobs=2), "jobs="),
    "an array of pairs": (
        lambda: jatdae.evaluate(np.array([["a", "b"], ["c", "d"]]), "text"),
        r"samples\[0\]: .*not ndarray",
    ),
    "an open file": (lambda: jatdae.evaluate(io.StringIO("{}"), "text"), "Give its path"),
    "a text of JSON": (lambda: jatdae.evaluate(json.dumps(ROWS), "text"), r"json\.loads"),
    "a list of paths": (lambda: jatdae.evaluate(["pairs.jsonl"], "text"), r'\{"small": "pairs\.jsonl"'),
    "two columns of one name": (
        lambda: jatdae.evaluate(pd.concat([pd.DataFrame(ROWS), pd.DataFrame(ROWS)], axis=1), "text"),
        "Rename one",
    ),
    "columns of several levels": (
        lambda: jatdae.evaluate(pd.concat({"mine": pd.DataFrame(ROWS)}, axis=1), "text"),
        "prediction_field=",
    ),
    "a column twice": (
        lambda: jatdae.evaluate(ROWS, "text", prediction_field="reference", reference_field="reference"),
        "name two",
    ),
    "texts for conversations": (
        lambda: jatdae.evaluate({side: COLUMNS[side] for side in SIDES}, "dialogue"),
        "list of rows.*patient_id",
    ),
    "summary as a method": (lambda: jatdae.evaluate(ROWS, "text").summary(), r"to_pandas\(\"summary\"\)"),  # type: ignore[operator]
    "a sample by number": (lambda: jatdae.evaluate(ROWS, "text").sample(0), "Ids: a, b"),  # type: ignore[arg-type]
    "compare one": (lambda: jatdae.compare(jatdae.evaluate(ROWS, "text")), "give a second result"),
    "saved to a file": (lambda: jatdae.evaluate(ROWS, "text").save("pairs.jsonl"), "choose another name"),
    "a column of texts": (
        lambda: jatdae.evaluate(pd.DataFrame(ROWS)["prediction"], "text"),
        r"samples\[0\]: .*not str",
    ),
    "no reference": (
        lambda: jatdae.evaluate(pd.DataFrame(ROWS).drop(columns="reference"), "text"),
        r"no field is called reference .*reference_field=",
    ),
    "columns of unlike length": (
        lambda: jatdae.evaluate({"prediction": ["a", "b"], "reference": ["a"]}, "text"),
        r"prediction \(2\), reference \(1\)",
    ),
    "a field that is not there": (
        lambda: jatdae.evaluate(pd.DataFrame(ROWS), "text", prediction_field="predicton"),
        r"no field is called 'predicton' \(prediction_field=\).*Did you mean 'prediction'",
    ),
    "a field that is no name": (
        lambda: jatdae.evaluate(ROWS, "text", prediction_field=["mine"]),  # type: ignore[arg-type]
        r"prediction_field=\['mine'\]: must be the name of a column",
    ),
    "an unknown evaluator": (lambda: jatdae.evaluate(ROWS, "txet"), "Did you mean 'text'"),
    "an unknown setting": (lambda: jatdae.evaluate(ROWS, "text", normalizer="fair"), "Did you mean 'normaliser'"),
    "a setting of another type": (lambda: jatdae.evaluate(ROWS, "text", normaliser=5), "text: normaliser"),
    "an instance of another type": (
        lambda: jatdae.evaluate(ROWS, jatdae.StructuredEvaluator(types=5)),  # type: ignore[arg-type]
        "structured: types",
    ),
    "a metric by number": (lambda: jatdae.evaluate(ROWS, "text").value(5), "Unknown metric '5'"),  # type: ignore[arg-type]
    "a system by number": (lambda: jatdae.evaluate(ROWS, "text").value("cer", 5), "'5'"),  # type: ignore[arg-type]
    "three names": (
        lambda: jatdae.compare(jatdae.evaluate(ROWS, "text"), jatdae.evaluate(ROWS, "text"), names=("a", "b", "c")),  # type: ignore[arg-type]
        "two names are expected",
    ),
    "a metric as a text": (
        lambda: jatdae.compare(jatdae.evaluate(ROWS, "text"), jatdae.evaluate(ROWS, "text"), metrics="cerr"),
        "Did you mean 'cer'",
    ),
    "saved to a number": (lambda: jatdae.evaluate(ROWS, "text").save(5), "A path is expected, not int"),  # type: ignore[arg-type]
    "systems in a bucket": (lambda: jatdae.evaluate({"a": "s3://mine/a.jsonl"}, "text"), "not read or written yet"),
    "an unknown metric": (lambda: jatdae.evaluate(ROWS, "text").value("cerr"), "Did you mean 'cer'"),
    "a slice that is not there": (
        lambda: jatdae.evaluate(pd.DataFrame(ROWS), "text", slices=["langs"]),
        "'langs'.*Did you mean 'lang'",
    ),
    "a slice as a number": (lambda: jatdae.evaluate(ROWS, "text", slices=3), "slices"),  # type: ignore[arg-type]
    "from the Hub": (lambda: jatdae.evaluate("hf://datasets/me/mine/pairs.parquet", "text"), "load_dataset"),
    "from a bucket": (lambda: jatdae.evaluate("s3://mine/pairs.parquet", "text"), "not read or written yet.*[Cc]opy"),
    "two names for one": (
        lambda: jatdae.compare(jatdae.evaluate(ROWS, "text"), "runs/mine"),  # type: ignore[arg-type]
        r"jatdae\.load",
    ),
    "no run there": (lambda: jatdae.load("runs/none"), "no such run folder"),
}


def test_a_value_that_is_missing_is_a_missing_prediction_and_a_missing_reference_is_not_scored() -> None:
    frame = pd.DataFrame(ROWS)
    assert jatdae.evaluate(frame.assign(prediction=["the cat", float("nan")]), "text").value("cer") == 0.5
    lacking = jatdae.evaluate(frame.assign(reference=["the cat", None]), "text")
    assert (lacking.value("cer"), repr(lacking)) == (0.0, "Result(text: body_cer = 0.00 %, n = 1 (1 N/A))")


def test_an_error_of_a_generator_is_raised_as_it_is() -> None:
    def rows() -> Iterator[dict[str, Any]]:
        yield ROWS[0]
        raise ConnectionError("lost")

    with pytest.raises(ConnectionError, match="lost"):
        jatdae.evaluate(rows(), "text")


def test_a_result_is_a_mapping_of_its_metrics() -> None:
    result = jatdae.evaluate(ROWS, "text")
    assert result["cer"] == dict(result)["cer"] == {**result}["cer"] == result.value("cer")
    assert list(result) == result.keys() and len(result) == len(result.metrics)
    assert "cer" in result and "cerr" not in result and bool(jatdae.evaluate([], "text"))
    for again in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert dict(again) == dict(result)
    with pytest.raises(UsageError, match="Did you mean 'cer'"):
        result["cerr"]


def test_two_systems_of_one_result_are_compared() -> None:
    result = jatdae.evaluate(
        {"small": ROWS, "large": [{**row, "prediction": row["reference"]} for row in ROWS]}, "text"
    )
    assert repr(jatdae.compare(result)).startswith("Comparison(small → large: ")
    assert repr(jatdae.compare(result, system_a="large", system_b="small")).startswith("Comparison(large → small: ")
    with pytest.raises(UsageError, match="system_a= and system_b="):
        jatdae.compare(result, system_a="small")


def test_a_comparison_is_a_mapping_of_its_metrics_and_a_table() -> None:
    result = jatdae.evaluate(ROWS, "text")
    found = jatdae.compare(result, result, metrics=["cer", "wer"])
    assert "cer" in found and "ned" not in found and 0 not in found and bool(found)
    assert list(found) == list(dict(found)) == ["cer", "wer"] and len(found) == 2
    assert dict(found)["cer"] is found["cer"]
    frame = found.to_pandas()
    assert frame["metric"].tolist() == found.table()["metric"].to_pylist() == found.to_polars()["metric"].to_list()
    assert frame["delta"].tolist() == [0.0, 0.0] and frame["ties"].tolist() == [2, 2]
    for again in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert again == found
    for wrong in (0, "cerr"):
        with pytest.raises(UsageError, match="Unknown metric"):
            found[wrong]  # type: ignore[index]
    with pytest.raises(UsageError, match=r"compare\(\) has no argument metric=\. Did you mean 'metrics'"):
        jatdae.compare(result, result, metric="cer")


@pytest.mark.parametrize(
    ("name", "said"),
    [("p_value", r'comparison\["METRIC"\]\.p'), ("df", r"to_pandas\(\)"), ("to_panda", "Did you mean 'to_pandas'")],
)
def test_an_attribute_that_a_comparison_lacks_is_told_with_what_to_write(name: str, said: str) -> None:
    result = jatdae.evaluate(ROWS, "text")
    with pytest.raises(AttributeError, match=said):
        getattr(jatdae.compare(result, result), name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cer", r'it is a metric\. Write result\.value'), ("df", r"to_pandas\(\)"), ("to_dict", r"dict\(result\)"),
        ("to_csv", r'report\("result\.csv"\)'), ("mean", r"result\.value"), ("to_panda", "Did you mean 'to_pandas'"),
    ],
)  # fmt: skip
def test_an_attribute_that_a_result_lacks_is_told_with_what_to_write(name: str, said: str) -> None:
    result = jatdae.evaluate(ROWS, "text")
    assert not hasattr(result, name)
    with pytest.raises(AttributeError, match=said):
        getattr(result, name)


@pytest.mark.parametrize(("call", "said"), TOLD.values(), ids=TOLD)
def test_a_guessed_call_that_cannot_work_says_what_to_write(call: Any, said: str, place: Path) -> None:
    with pytest.raises(JatdaeError, match=said):
        call()
