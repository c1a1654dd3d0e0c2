"""Data in memory: frames, datasets, columns and rows give the numbers of the same data in files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import jatdae
from jatdae import Sample
from jatdae.core.errors import DataError, UsageError

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

ROWS: list[dict[str, Any]] = [
    {"id": "a", "prediction": "the cat", "reference": "the cat", "lang": "en"},
    {"id": "b", "prediction": "고양", "reference": "고양이", "lang": "ko"},
    {"id": "c", "prediction": None, "reference": "dog", "lang": "en"},
]


def written(rows: list[dict[str, Any]], file: Path) -> Path:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return file


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        pl.DataFrame,
        pl.LazyFrame,
        pa.Table.from_pylist,
        lambda rows: pa.Table.from_pylist(rows).to_batches()[0],
        lambda rows: pa.RecordBatchReader.from_batches(
            (table := pa.Table.from_pylist(rows)).schema, table.to_batches()
        ),
        lambda rows: {key: [row[key] for row in rows] for key in rows[0]},
        lambda rows: {key: pd.Series([row[key] for row in rows]) for key in rows[0]},
        iter,
    ],
    ids=["pandas", "polars", "lazy", "Arrow", "batch", "stream", "columns", "series", "iterator"],
)
def test_a_frame_has_the_signature_and_the_numbers_of_the_same_rows_in_a_file(make: Any, tmp_path: Path) -> None:
    file = jatdae.evaluate(written(ROWS, tmp_path / "rows.jsonl"), "text", slices=["lang"])
    memory = jatdae.evaluate(make(ROWS), "text")
    assert memory.signature.refs == file.signature.refs
    assert memory.summary["systems"] == file.summary["systems"]


def test_what_pandas_calls_missing_is_a_missing_prediction() -> None:
    for gap in (None, float("nan"), pd.NA, pd.NaT):
        frame = pd.DataFrame({"prediction": ["a", gap], "reference": ["a", "b"]}, dtype=object)
        for given in (frame, frame.to_dict("records"), frame.to_dict("list")):
            with pytest.raises(DataError, match=r"first is for id '2'"):
                jatdae.evaluate(given, "text", missing="error")


def test_objects_in_a_frame_keep_their_own_keys() -> None:
    """Through Arrow each would get the keys of all others, with null for a value."""
    frame = pd.DataFrame({"prediction": [{"a": 1}, {"b": "x"}], "reference": [{"a": 1}, {"b": "x"}]})
    result = jatdae.evaluate(frame, "structured")
    assert result.value("exact_accuracy") == 1.0
    fields = [[each["field_name"] for each in row["evidence"]["field_results"]] for row in result.rows()]
    assert fields == [["a"], ["b"]]


OBJECTS: list[dict[str, Any]] = [
    {"prediction": '{"a":1}', "reference": {"a": 1}},
    {"prediction": '{"b":2,"c":[{"d":3},{"e":4}]}', "reference": {"b": 2, "c": [{"d": 3}, {"e": 4}]}},
]


def hub(rows: list[dict[str, Any]]) -> Any:
    datasets = pytest.importorskip("datasets")
    return datasets.Dataset(datasets.table.InMemoryTable(pa.Table.from_pylist(rows)), fingerprint="objects")


@pytest.mark.parametrize(
    "make",
    [
        list,
        pd.DataFrame,
        pl.DataFrame,
        pa.Table.from_pylist,
        lambda rows: {name: pa.Table.from_pylist(rows).column(name) for name in rows[0]},
        lambda rows: pa.Table.from_pylist(rows).to_pandas(types_mapper=pd.ArrowDtype),
        hub,
        lambda rows: hub(rows).to_iterable_dataset(),
    ],
    ids=["rows", "pandas", "polars", "Arrow", "columns", "pandas-Arrow", "dataset", "iterable-dataset"],
)
def test_keys_that_only_arrow_fills_with_null_are_none(make: Any) -> None:
    assert jatdae.evaluate(make(OBJECTS), "structured").value("exact_accuracy") == 1.0


def test_keys_that_only_parquet_fills_with_null_are_none(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(OBJECTS), tmp_path / "rows.parquet")
    assert jatdae.evaluate(tmp_path / "rows.parquet", "structured").value("exact_accuracy") == 1.0


def test_a_dataset_read_from_json_of_unlike_keys_is_scored() -> None:
    datasets = pytest.importorskip("datasets")
    if not hasattr(datasets, "Json"):
        pytest.skip("of datasets 5")
    features = datasets.Features({"prediction": datasets.Value("string"), "reference": datasets.Json()})
    rows = [{**row, "reference": json.dumps(row["reference"])} for row in OBJECTS]
    table = datasets.table.InMemoryTable(pa.Table.from_pylist(rows, features.arrow_schema))
    dataset = datasets.Dataset(table, info=datasets.DatasetInfo(features=features), fingerprint="json")
    assert dataset[0]["reference"] == {"a": 1}
    assert jatdae.evaluate(dataset, "structured").value("exact_accuracy") == 1.0


def test_numbers_and_arrays_of_numpy_are_plain_values(tmp_path: Path) -> None:
    rows = [{"id": 7, "prediction": {"n": [1, 2]}, "reference": {"n": [1, 2]}}]
    frame = pd.DataFrame(rows).astype({"id": "int64"})
    assert jatdae.evaluate(frame, "structured").table().column("id").to_pylist() == ["7"]
    arrow = pa.table({"prediction": pa.array([[1, 2]]), "reference": pa.array([[1, 2]])})
    assert jatdae.evaluate(arrow.to_pandas(), "structured").value("exact_accuracy") == 1.0


@pytest.mark.parametrize(
    "make",
    [
        pd.read_csv,
        pl.read_csv,
        lambda file: pd.read_csv(file).to_dict("series"),
        lambda file: {"prediction": pd.read_csv(file)["prediction"], "reference": pd.read_csv(file)["reference"]},
    ],
    ids=["pandas", "polars", "series", "columns"],
)
def test_numbers_in_a_column_of_text_are_text_as_in_a_csv_file(make: Any, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("id,prediction,reference\na,12500,12500원\nb,7,7\n", "utf-8")
    result = jatdae.evaluate(make(file), "text")
    assert result.value("cer") == jatdae.evaluate(file, "text").value("cer") == pytest.approx(1 / 12)
    assert result.notes[0].startswith("Columns of numbers, read as text: prediction.")


def test_whole_numbers_that_are_floats_because_some_are_missing_stay_whole() -> None:
    frame = pd.DataFrame({"prediction": [7.0, None], "reference": ["7", "8"]})
    for data in (frame, frame.to_dict("series"), {"small": frame, "large": frame}):
        result = jatdae.evaluate(data, "text", missing="skip")
        assert result.value("cer", system=result.systems[0]) == 0.0
    assert jatdae.evaluate(frame.dropna(), "text").value("cer") == 2.0  # "7.0", as pandas writes it


def test_an_evaluator_of_objects_keeps_numbers() -> None:
    frame = pd.DataFrame({"prediction": [7], "reference": [7.0]})
    result = jatdae.evaluate(frame, "structured")
    assert (result.value("exact_accuracy"), result.notes) == (1.0, ())


def test_a_named_index_is_a_column_and_a_plain_one_is_not() -> None:
    named = jatdae.evaluate(pd.DataFrame(ROWS).set_index("id"), "text")
    assert named.table().column("id").to_pylist() == ["a", "b", "c"]
    plain = jatdae.evaluate(pd.DataFrame(ROWS).drop(columns="id")[1:], "text")
    assert plain.table().column("id").to_pylist() == ["1", "2"]


def test_an_index_that_is_a_column_too_is_that_column() -> None:
    frame = pd.DataFrame(ROWS)
    for keys in (["id"], ["id", "lang"]):
        made = jatdae.evaluate(frame.set_index(keys, drop=False), "text")
        assert made.table().column("id").to_pylist() == ["a", "b", "c"]
    half = frame.set_index("lang").set_index(frame["id"], append=True)
    assert jatdae.evaluate(half, "text").table().column("lang").to_pylist() == ["en", "ko", "en"]
    with pytest.raises(DataError, match="samples: two columns have the same name"):
        jatdae.evaluate(frame.set_index(pd.Index(["x", "y", "z"], name="id")), "text")


def test_two_columns_of_one_name_are_refused() -> None:
    twice = pd.DataFrame([["a", "a", "b"]], columns=["prediction", "reference", "reference"])
    with pytest.raises(DataError, match="samples: two columns have the same name"):
        jatdae.evaluate(twice, "text")


def test_short_texts_are_slices_and_other_columns_are_ignored_and_said() -> None:
    frame = pd.DataFrame(ROWS).assign(
        page=1, when=pd.Timestamp("2026-01-01"), image=b"\x89", text="x" * 41, lines="a\nb", raw=[{"a": 1}] * 3
    )
    result = jatdae.evaluate(frame, "text")
    assert list(result.summary["systems"][""]["slices"]) == ["lang"]
    assert result.notes == (
        "Sliced by: lang.",
        "Columns not used: page, when, image, text, lines, raw. To slice by one, name it in slices=[…].",
    )
    asked = jatdae.evaluate(frame, "text", slices=["page"])
    assert (list(asked.summary["systems"][""]["slices"]), asked.notes) == (["page"], ())
    assert "slices" not in jatdae.evaluate(frame, "text", slices=[]).summary["systems"][""]


def test_a_column_with_many_values_is_no_slice() -> None:
    rows = [{"prediction": "a", "reference": "a", "file": f"{at}.pdf", "kind": f"{at % 20}"} for at in range(21)]
    assert list(jatdae.evaluate(rows, "text").summary["systems"][""]["slices"]) == ["kind"]


def sliced(result: jatdae.Result, key: str) -> dict[str, int]:
    return {value: found["n"] for value, found in result.summary["systems"][""]["slices"][key].items()}


def row(at: int, **others: Any) -> dict[str, Any]:
    return {"id": at, "prediction": "a", "reference": "a", **others}


def test_labels_that_only_later_rows_have_are_slices_too() -> None:
    result = jatdae.evaluate([row(at, lang="en" if at < 1010 else "ko") for at in range(1020)], "text")
    assert (sliced(result, "lang"), result.notes) == ({"en": 1010, "ko": 10}, ("Sliced by: lang.",))


def test_too_many_labels_of_later_rows_are_pooled_and_said() -> None:
    """However many there are: nobody asked for this slice, so it must not end the run."""
    rows = (row(at, k="x" if at < 1000 else f"{at}") for at in range(2100))
    result = jatdae.evaluate(rows, "text")
    slices = sliced(result, "k")
    assert (len(slices), slices["x"], slices["1000"], slices["<other>"]) == (21, 1000, 1, 1081)
    assert "Sliced by the first 20 short values only: k. The others are together in <other>" in result.notes[1]


def test_a_column_that_only_later_rows_have_is_said() -> None:
    rows = [row(at, **({"late": "x"} if at > 1000 else {})) for at in range(1005)]
    assert jatdae.evaluate(rows, "text").notes == ("Columns not used: late. To slice by one, name it in slices=[…].",)


def test_every_split_is_a_slice() -> None:
    datasets = pytest.importorskip("datasets")

    def split(size: int) -> Any:
        table = pa.Table.from_pylist([row(at) for at in range(size)])
        return datasets.Dataset(datasets.table.InMemoryTable(table), fingerprint=f"{size}")

    sizes = {"train": 1005, "validation": 3, **{f"part{at}": 1 for at in range(25)}}
    result = jatdae.evaluate(datasets.DatasetDict({name: split(size) for name, size in sizes.items()}), "text")
    assert sliced(result, "split") == sizes
    assert result.notes == ("Sliced by: split.",)


def test_a_slice_that_only_later_rows_have_is_not_refused() -> None:
    rows = [{"prediction": "a", "reference": "a", **({"k": "x"} if at > 1000 else {})} for at in range(1100)]
    slices = jatdae.evaluate(rows, "text", slices=["k"]).summary["systems"][""]["slices"]
    assert {value: found["n"] for value, found in slices["k"].items()} == {"": 1001, "x": 99}


def test_a_generator_of_rows_is_never_held_whole() -> None:
    ahead = 0

    def rows() -> Iterator[dict[str, str]]:
        nonlocal ahead
        for _ in range(5000):
            ahead += 1
            yield {"prediction": "a", "reference": "a"}

    from jatdae.core.evaluator import spec_of
    from jatdae.run.input.memory import read_memory
    from jatdae.run.input.rows import Fields

    read_memory(rows(), spec_of(jatdae.TextEvaluator), Fields(), None)
    assert ahead == 1000


def test_data_by_name_are_several_systems(tmp_path: Path) -> None:
    better = [{**row, "prediction": row["reference"]} for row in ROWS]
    made = jatdae.evaluate({"small": pd.DataFrame(ROWS), "large": better}, "text")
    assert made.systems == ["small", "large"]
    assert made.value("cer", "large") == 0.0
    paths = {"small": written(ROWS, tmp_path / "a.jsonl"), "large": written(better, tmp_path / "b.jsonl")}
    assert jatdae.evaluate(paths, "text").value("cer", "large") == 0.0
    samples = {"small": [Sample("1", "a", "b")], "large": [Sample("1", "a", "a")]}
    assert jatdae.evaluate(samples, "text").value("cer", "large") == 0.0


def test_one_row_is_one_sample() -> None:
    assert jatdae.evaluate({"prediction": "a", "reference": "a"}, "text").value("cer") == 0.0
    assert jatdae.evaluate(Sample("1", "a", "a"), "text").value("cer") == 0.0


def test_rows_of_a_conversation_are_grouped_as_in_files() -> None:
    file = Path(jatdae.__file__).parent / "dialogue" / "samples" / "pairs.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    on_disk, memory = jatdae.evaluate(file, "dialogue"), jatdae.evaluate(rows, "dialogue")
    assert memory.summary["systems"] == on_disk.summary["systems"]
    assert memory.signature.refs == on_disk.signature.refs
    with pytest.raises(UsageError, match=r"samples: no field is called .* Rows for dialogue look like this"):
        jatdae.evaluate(ROWS, "dialogue", slices=[])


def test_nanoseconds_do_no_harm_where_nobody_reads_them() -> None:
    table = pa.Table.from_pylist(ROWS).append_column("when", pa.array([1, 2, 3], pa.timestamp("ns")))
    assert jatdae.evaluate(table, "text").value("cer") is not None


def test_datasets_of_the_hub_are_read_and_their_splits_are_slices() -> None:
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset(datasets.table.InMemoryTable(pa.Table.from_pylist(ROWS)), fingerprint="rows")
    assert jatdae.evaluate(dataset, "text").summary["systems"] == jatdae.evaluate(ROWS, "text").summary["systems"]
    assert jatdae.evaluate(dataset.with_format("numpy"), "text").value("cer") is not None
    assert jatdae.evaluate(dataset.to_iterable_dataset(), "text").value("cer") is not None
    result = jatdae.evaluate(datasets.DatasetDict({"dev": dataset, "test": dataset.select([0])}), "text")
    assert {split: found["n"] for split, found in result.summary["systems"][""]["slices"]["split"].items()} == {
        "dev": 3,
        "test": 1,
    }
    assert result.table().column("id").to_pylist() == ["dev/a", "dev/b", "dev/c", "test/a"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("hf://datasets/me/mine/pairs.parquet", "the Hugging Face Hub are not read or written yet"),
        ("s3://mine/pairs.jsonl", "object stores are not read or written yet"),
        ("gs://mine/pairs.jsonl", "object stores are not read or written yet"),
        ("https://example.org/pairs.jsonl", "web addresses are not read"),
    ],
)
def test_an_address_of_another_machine_is_told_as_such(address: str, said: str, tmp_path: Path) -> None:
    for call in (
        lambda: jatdae.evaluate(address, "text"),
        lambda: jatdae.evaluate(Path(address), "text"),
        lambda: jatdae.evaluate(written(ROWS, tmp_path / "rows.jsonl"), "text", reference=address),
        lambda: jatdae.load(address),
    ):
        with pytest.raises(UsageError, match=f"{address}: .*{said}"):
            call()


def test_nothing_is_written_to_an_address_as_if_it_were_a_folder(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = jatdae.evaluate(ROWS, "text")
    for write in (result.save, result.report, lambda place: run(written(ROWS, tmp_path / "r.jsonl"), out=Path(place))):
        with pytest.raises(UsageError, match="folders of this machine only"):
            write("s3://mine/run.html")
    assert not list(tmp_path.glob("s3*"))
