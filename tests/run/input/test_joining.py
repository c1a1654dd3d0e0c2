"""Predictions joined with references: what is missing, what is extra, what is there twice, which rows are bad."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import DataError, UsageError
from jatdae.run.api import execute
from jatdae.run.input.model import Inputs


def refs(*ids: object) -> str:
    return "".join(json.dumps({"id": id, "gold": f"t{id}"}) + "\n" for id in ids)


def preds(*ids: object) -> str:
    return "".join(json.dumps({"id": id, "pred": f"t{id}"}) + "\n" for id in ids)


def test_missing_and_extra_predictions_are_counted(write: Any, run: Any, outcomes: Any) -> None:
    done = run(write("p.jsonl", preds(3, 9, 1, 8)), write("r.jsonl", refs(1, 2, 3)))
    assert [(row["id"], row["values"]["exact"]) for row in outcomes(done)] == [("1", 1.0), ("2", 0.0), ("3", 1.0)]
    assert done.summary["input"]["extra_predictions"] == {"": 2}
    assert done.summary["systems"][""]["issues"] == {"missing_prediction": {"error": 1}}


def test_missing_predictions_may_be_skipped_or_refused(write: Any, run: Any, tmp_path: Path) -> None:
    pred, ref = write("p.jsonl", preds(3)), write("r.csv", "id,gold\n1,a\n\n2,b\n3,c\n")
    exact = run(pred, ref, missing="skip").summary["systems"][""]["metrics"]["exact"]
    assert (exact["n"], exact["na"]) == (1, 2)
    with pytest.raises(DataError, match=r"missing predictions: 2; the first is for id '1' \(.*r\.csv:2 → .*p\.jsonl\)"):
        run(pred, ref, missing="error")
    null = write("null.jsonl", preds(1, 2) + '{"id": 3, "pred": null}\n')
    with pytest.raises(DataError, match=r"missing predictions: 1; the first is for id '3' \(.*null\.jsonl:3\)"):
        run(null, ref, missing="error")
    assert run(write("all.jsonl", preds(3, 2, 1)), ref, missing="error").summary["systems"][""]["n"] == 3


def test_no_predictions_at_all_are_all_missing(write: Any, run: Any) -> None:
    done = run(write("p.jsonl", ""), write("r.jsonl", refs(1, 2)))
    assert done.summary["systems"][""]["issues"] == {"missing_prediction": {"error": 2}}


def test_several_systems_share_their_references(write: Any, plugin: Any, tmp_path: Path) -> None:
    inputs = Inputs(
        reference=write("r.jsonl", refs(1, 2)),
        predictions=(("good", write("a.jsonl", preds(1, 2))), ("bad", write("b.csv", "id,pred\n2,x\n7,y\n"))),
    )
    done = execute(plugin("marks:Marks"), inputs, out=tmp_path / "run")
    assert {s: d["metrics"]["exact"]["macro"] for s, d in done.summary["systems"].items()} == {"good": 1.0, "bad": 0.0}
    assert done.summary["input"]["extra_predictions"] == {"good": 0, "bad": 1}
    assert done.summary["input"]["rows"] == 4


@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz", "json", "csv", "parquet"])
@pytest.mark.parametrize("role", ["pairs", "reference", "prediction"])
def test_two_rows_with_one_id_are_named_with_both_places(form: str, role: str, write: Any, run: Any) -> None:
    ids = [*(f"{n:0>300}" for n in range(200)), f"{7:0>300}"]
    rows = [{"id": id, "pred": "a", "gold": "b"} for id in ids]
    first, second = {"json": ("37", "1002"), "csv": ("9", "202"), "parquet": ("8", "201")}.get(
        form.removesuffix(".gz"), ("8", "201")
    )
    with pytest.raises(
        DataError, match=rf"two rows have the id '0+….*t\.{form}:{first} and .*t\.{form}:{second}\. Ids"
    ):
        match role:
            case "pairs":
                run(write(f"t.{form}", rows))
            case "reference":
                run(write("p.jsonl", preds(1)), write(f"t.{form}", rows))
            case _:
                run(write(f"t.{form}", rows), write("r.jsonl", refs(1)))


def test_one_id_in_two_files_of_one_system_is_refused(write: Any, plugin: Any, tmp_path: Path) -> None:
    row = {"id": "x", "system": "S", "pred": "a", "gold": "a"}
    pairs = (("a", write("a.jsonl", [row])), ("b", write("b.jsonl", [{**row, "id": "y"}, row])))
    with pytest.raises(DataError, match=r"'x' \(system S\): .*a\.jsonl:1 and .*b\.jsonl:2"):
        execute(plugin("marks:Marks"), Inputs(pairs=pairs), out=tmp_path / "run")
    with pytest.raises(DataError, match="two rows have the id"):
        file = write("twice.jsonl", [{k: v for k, v in row.items() if k != "system"}])
        execute(plugin("marks:Marks"), Inputs(pairs=(("a", file), ("a", file))), out=tmp_path / "run")


@pytest.mark.parametrize("form", ["jsonl", "jsonl.zst", "csv"])
def test_bad_rows_stop_the_run_or_are_counted(form: str, write: Any, run: Any, outcomes: Any, tmp_path: Path) -> None:
    import pyarrow as pa

    table = "pred,gold\na,a\n\nb\nc,c\n\xff,\xff\nd,d\n"
    rows = '{"pred": "a", "gold": "a"}\n\n{"pred": "b"\n{"pred": "c", "gold": "c"}\n[1]\n{"pred": "d", "gold": "d"}\n'
    data = (table if form == "csv" else rows).encode("latin-1")
    file = write(f"t.{form}", pa.compress(data, "zstd", asbytes=True) if form.endswith("zst") else data)
    place = rf"t\.{form}:{4 if form == 'csv' else '3:13'}"
    with pytest.raises(DataError, match=rf"{place}: .* \(and 1 more\)\. Fix the row, or use --on-bad-row count"):
        run(file)
    done = run(file, on_bad_row="count")
    assert [(row["id"], row["values"]["exact"]) for row in outcomes(done)] == [("1", 1.0), ("3", 1.0), ("5", 1.0)]
    about = done.summary["input"]
    assert (about["rows"], about["bad_rows"], len(about["bad_examples"])) == (5, 2, 2)
    assert not list(tmp_path.glob("*/.staging*"))


def test_bad_rows_of_predictions_are_counted_and_their_samples_are_missing(write: Any, run: Any) -> None:
    done = run(write("p.jsonl", preds(1) + "{\n" + preds(3)), write("r.jsonl", refs(1, 2, 3)), on_bad_row="count")
    assert done.summary["input"]["bad_rows"] == 1
    assert done.summary["systems"][""]["issues"] == {"missing_prediction": {"error": 1}}


def test_examples_of_bad_rows_are_bounded_and_their_count_is_not(write: Any, run: Any) -> None:
    done = run(write("p.jsonl", '{"pred": "a", "gold": "a"}\n' + "?\n" * 50_000), on_bad_row="count")
    assert done.summary["input"]["bad_rows"] == 50_000
    assert len(done.summary["input"]["bad_examples"]) == 20
    assert "p.jsonl:2:1" in done.summary["input"]["bad_examples"][0]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        (Inputs(), "No input"),
        (Inputs(reference="r.jsonl"), "No input"),
        (Inputs(predictions=(("", "p.jsonl"),)), "No input"),
        (Inputs(pairs=(("", "p.jsonl"),), reference="r.jsonl"), "either files of pairs"),
        (Inputs(pairs=(("", "folder"),)), "must be a file of rows"),
        (Inputs(pairs=(("", "one.md"),)), "must be a file of rows"),
        (Inputs(pairs=(("", "nowhere.jsonl"),)), "nowhere.jsonl: no such file or folder"),
        (Inputs(predictions=(("", "p.jsonl"),), reference="nowhere"), "nowhere: no such file or folder"),
        (Inputs(predictions=(("", "folder"),), reference="r.jsonl"), "one is a folder and the other is a file"),
        (Inputs(predictions=(("", "p.jsonl"),), reference="folder"), "one is a folder and the other is a file"),
        (Inputs(predictions=(("", "-"),), reference="-"), "only once"),
        (Inputs(pairs=(("a", "-"), ("b", "-"))), "only once"),
        (Inputs(predictions=(("a", "p.jsonl"), ("a", "r.jsonl")), reference="r.jsonl"), "'a' is given twice"),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused_before_anything_is_read(
    inputs: Inputs, said: str, write: Any, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("p.jsonl", preds(1))
    write("r.jsonl", refs(1))
    write("one.md", "text")
    write("folder/one.md", "text")
    with pytest.raises(UsageError, match=said):
        execute(plugin("marks:Marks"), inputs, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_grouped_evaluators_take_rows_only(write: Any, run: Any, plugin: Any) -> None:
    with pytest.raises(UsageError, match="turns needs files of rows"):
        run(write("p.jsonl", preds(1)), write("r.jsonl", refs(1)), evaluator=plugin("turns:Turns"))


# Ids of predictions, ids of references, what is guessed.
APART: dict[str, tuple[list[str], list[str], str]] = {
    "a suffix": (["a.md", "b.md", "c.md", "d.md"], ["a", "b", "c", "d"], " They differ by a file suffix. "),
    "two suffixes": (["a.md", "b.md"], ["a.txt", "b.txt"], " a file suffix. "),
    "zeros": (["1", "2", "10"], ["001", "002", "010"], " leading zeros. "),
    "zeros inside": (["doc-1", "doc-2"], ["doc-01", "doc-02"], " leading zeros. "),
    "case": (["DOC-A", "DOC-B"], ["doc-a", "doc-b"], " upper and lower case. "),
    "a folder": (["out/v1/a", "out/v1/b"], ["a", "b"], " a folder before the name. "),
    "a folder of Windows": (["out\\\\a", "out\\\\b"], ["a", "b"], " a folder before the name. "),
    "a folder and a suffix": (["out/a.md", "out/b.md"], ["a", "b"], " a file suffix, a folder before the name. "),
    "spaces": (["a 1 ", "b 2"], ["a1", "b2"], " spaces. "),
    "decomposed Korean": (["\u1112\u1161\u11ab"], ["한"], " their Unicode form (NFC, NFD). "),
    "numbers": (["1", "2", "3"], ["kim", "lee", "park"], " numbers on one side, text on the other. "),
    "no reason": (["x1", "y2"], ["kim", "lee"], " that is in "),
}


@pytest.mark.parametrize("apart", APART)
def test_ids_that_do_not_match_are_shown_with_the_likely_reason(apart: str, write: Any, run: Any) -> None:
    predicted, known, why = APART[apart]
    with pytest.raises(DataError) as error:
        run(write("p.jsonl", preds(*predicted)), write("r.jsonl", refs(*known)))
    told = str(error.value)
    assert why in told
    assert ("differ" in told) == (apart != "no reason")
    for ids in (predicted, known):
        assert ", ".join(repr(id) for id in ids[:3]) + (" …" if len(ids) > 3 else "") in told
    assert "none of its" in told


def test_ids_that_hardly_match_are_told_and_change_nothing(write: Any, run: Any) -> None:
    pred = write("p.jsonl", preds("1", *(f"{n:03}" for n in range(2, 8))))
    done = run(pred, ref := write("r.jsonl", refs(*range(1, 8))))
    (note,) = done.notes
    assert note == (
        f"{pred}: only 1 of its 7 predictions have an id that is in {ref}. They differ by leading zeros. Ids without a "
        "match, predictions: '002', '003', '004' …; references: '2', '3', '4' …. If they mean the same "
        "samples, make them equal."
    )
    assert done.summary["input"] == {"rows": 7, "bad_rows": 0, "bad_examples": [], "extra_predictions": {"": 6}}


@pytest.mark.parametrize(
    ("predicted", "known"), [(range(2), range(100)), (range(100), range(2)), (range(4), [0, 1, 8, 9])]
)
def test_files_of_different_size_that_match_are_not_remarked_on(
    predicted: Any, known: Any, write: Any, run: Any
) -> None:
    assert run(write("p.jsonl", preds(*predicted)), write("r.jsonl", refs(*known))).notes == ()


def test_folders_whose_names_do_not_match_are_shown(write: Any, run: Any, tmp_path: Path) -> None:
    write("pred/a.parsed.md", "x")
    write("ref/a.md", "x")
    with pytest.raises(
        DataError, match=r"They differ by a file suffix\. Ids of predictions: 'a\.parsed'; of references: 'a'"
    ):
        run(str(tmp_path / "pred"), str(tmp_path / "ref"))
