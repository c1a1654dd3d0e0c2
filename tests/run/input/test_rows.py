"""What a row says: fields, ids, systems, slice keys, clusters, several right answers, missing predictions."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae import Sample
from jatdae.core.errors import DataError, JatdaeError, UsageError
from jatdae.core.evaluator import GroupBy
from jatdae.run.api import evaluate
from jatdae.run.input.batches import Batch, Reading, lines_of, pieces
from jatdae.run.input.rows import BadRow, Fields, parse_exact


def lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("reference", ["reference", "label", "gold", "target", "ground_truth"])
@pytest.mark.parametrize("prediction", ["prediction", "predict", "pred", "output", "hypothesis"])
def test_fields_are_found_by_their_usual_names(
    prediction: str, reference: str, write: Any, run: Any, outcomes: Any
) -> None:
    (row,) = outcomes(run(write("p.jsonl", lines({prediction: "a", reference: "b"}))))
    assert row["evidence"] == {"prediction": "a", "reference": "b"}


def test_given_fields_win_over_found_ones(write: Any, run: Any, outcomes: Any) -> None:
    file = write("p.jsonl", lines({"id": "x", "key": "k", "pred": "p", "mine": "m", "gold": "g", "truth": "t"}))
    (row,) = outcomes(run(file, fields=Fields("key", "mine", "truth")))
    assert (row["id"], row["evidence"]) == ("k", {"prediction": "m", "reference": "t"})


def test_the_signature_tells_one_prediction_field_from_another(write: Any, run: Any, tmp_path: Any) -> None:
    file = write("p.jsonl", lines({"id": "1", "first": "a", "second": "b", "gold": "a"}))
    first = run(file, fields=Fields(prediction="first"), out=tmp_path / "out")
    with pytest.raises(UsageError, match="preds"):
        run(file, fields=Fields(prediction="second"), out=tmp_path / "out")
    second = run(file, fields=Fields(prediction="second"))
    assert first.signature.refs == second.signature.refs
    assert first.signature.hash != second.signature.hash


@pytest.mark.parametrize("reference", ["expected", "정답", "정답지"])
@pytest.mark.parametrize("prediction", ["response", "model_output", "completion", "generated_text", "예측"])
def test_fields_are_found_by_names_of_other_tools(
    prediction: str, reference: str, write: Any, run: Any, outcomes: Any
) -> None:
    (row,) = outcomes(run(write("p.jsonl", lines({"input": "q", prediction: "a", reference: "b"}))))
    assert row["evidence"] == {"prediction": "a", "reference": "b"}
    (row,) = outcomes(run(write("p.jsonl", lines({prediction: "x", reference: "y", "pred": "a", "gold": "b"}))))
    assert row["evidence"] == {"prediction": "a", "reference": "b"}  # the usual names come first, as ever


@pytest.mark.parametrize(
    ("row", "prediction", "reference"),
    [
        ({"response": "a", "answer": "b"}, "a", "b"),
        ({"답변": "a", "정답": "b"}, "a", "b"),
        ({"answer": "a", "gold": "b", "question": "q"}, "a", "b"),
    ],
)
def test_a_name_of_either_side_is_taken_where_the_other_side_is_known(
    row: Any, prediction: str, reference: str, write: Any, run: Any, outcomes: Any
) -> None:
    (found,) = outcomes(run(write("p.jsonl", lines(row))))
    assert found["evidence"] == {"prediction": prediction, "reference": reference}


def test_a_name_of_either_side_is_what_its_file_is(write: Any, run: Any, outcomes: Any) -> None:
    file = write("p.jsonl", lines({"id": "1", "question": "q", "answer": "a"}))
    (found,) = outcomes(run(file, write("r.jsonl", lines({"id": "1", "answer": "b", "response": "x"}))))
    assert found["evidence"] == {"prediction": "a", "reference": "b"}


def test_a_given_field_makes_the_other_side_known(write: Any, run: Any, outcomes: Any) -> None:
    file = write("p.jsonl", lines({"mine": "a", "answer": "b"}))
    (row,) = outcomes(run(file, fields=Fields(prediction="mine")))
    assert row["evidence"] == {"prediction": "a", "reference": "b"}
    with pytest.raises(UsageError, match=r"no field is called reference \| .*--reference-field"):
        run(file, fields=Fields(prediction="answer"))


@pytest.mark.parametrize(
    ("row", "fields", "said"),
    [
        (
            {"id": 1, "prediktion": "a", "gold": "b"}, Fields(prediction="predicted"),
            r"p\.jsonl: no field is called 'predicted' .--prediction-field.\. Did you mean 'prediktion'\? Fields: id",
        ),
        ({"pred": "a", "gold": "b"}, Fields(id="key"), "no field is called 'key' .--id-field."),
        ({"id": 1, "gold": "b"}, Fields(prediction="id", reference="truth"), "no field is called 'truth'.*-reference-"),
        (
            {"id": 1, "prediktion": "a", "gold": "b"}, Fields(),
            r"no field is called prediction \| predict .*--prediction-field.*Did you mean 'prediktion'\? Fields: id",
        ),
        (
            {"was": "a", "soll": "b"}, Fields(id="key"),
            r"'key' \(--id-field\); .*예측 \(name it with --prediction-field\); no field is called reference \| .*"
            r"정답지 \(name it with --reference-field\)\. Fields: was, soll\.",
        ),
        (
            {"question": "q", "answer": "a"}, Fields(),
            r"--prediction-field\); .*--reference-field\)\. answer may be the prediction or the reference: name it",
        ),
        ({"gold": "q", "answer": "a", "답변": "b"}, Fields(), "answer, 답변 may be the prediction or the reference"),
        ({"response": "a", "completion": "b", "gold": "c"}, Fields(), "it could be response, completion .choose"),
    ],
)  # fmt: skip
def test_fields_that_are_not_there_are_named_at_once_with_what_is(
    row: Any, fields: Fields, said: str, write: Any, run: Any
) -> None:
    with pytest.raises(UsageError, match=said):
        run(write("p.jsonl", lines(row)), fields=fields)


def test_ids_default_to_row_numbers_over_several_shards(write: Any, run: Any, outcomes: Any) -> None:
    text = "\n".join(json.dumps({"pred": "x" * 300, "gold": str(n)}) for n in range(1, 301)) + "\n"
    done = run(write("p.jsonl", text.replace("\n", "\n\n")))
    assert [(row["id"], row["evidence"]["reference"]) for row in outcomes(done)] == [
        (str(n),) * 2 for n in range(1, 301)
    ]
    assert len(list((done.folder / "parts").iterdir())) > 2


def test_row_numbers_join_files_without_ids(write: Any, run: Any, outcomes: Any) -> None:
    pred = write("p.jsonl", lines(*({"pred": f"{n:>400}"} for n in range(200))))
    ref = write("r.csv", "gold\n" + "".join(f"{n:>300}\n" for n in range(200)))
    rows = outcomes(run(pred, ref))
    assert all(int(r["evidence"]["prediction"]) == int(r["evidence"]["reference"]) == int(r["id"]) - 1 for r in rows)
    assert len(rows) == 200


@pytest.mark.parametrize(
    ("field", "values", "seen"),
    [
        ("id", [1, "2", 18446744073709551615], ["1", "2", "18446744073709551615"]),
        ("id", ["", "../../x", "a\0\x1b[2J\n"], None),
    ],
)
def test_ids_are_text_or_whole_numbers(field: str, values: Any, seen: Any, write: Any, run: Any, outcomes: Any) -> None:
    done = run(write("p.jsonl", lines(*({field: v, "pred": "a", "gold": "a"} for v in values))))
    assert [row["id"] for row in outcomes(done)] == (seen or values)


def test_rows_may_name_their_system_cluster_and_slice_keys(write: Any, run: Any, outcomes: Any) -> None:
    common = {"pred": "a", "gold": "a"}
    file = write("p.jsonl", lines(
        {"id": 1, **common, "system": "A", "cluster": 7, "meta": {"lang": "ko", "page": 3, "scan": True, "no": None}},
        {"id": 1, **common, "system": "B", "cluster": "", "lang": "en", "page": 1.5, "meta": None},
        {"id": 2, **common, "system": None, "cluster": None, "lang": None},
    ))  # fmt: skip
    done = run(file, slices=("lang", "page"))
    rows = outcomes(done)
    assert [(r["id"], r["system"], r["cluster"]) for r in rows] == [("1", "A", "7"), ("1", "B", ""), ("2", "", "")]
    assert [r["meta"] for r in rows] == [
        {"lang": "ko", "no": "", "page": "3", "scan": "true"}, {"lang": "en", "page": "1.5"}, {"lang": "", "page": ""},
    ]  # fmt: skip
    assert {s: list(d["slices"]["lang"]) for s, d in done.summary["systems"].items()} == {
        "A": ["ko"],
        "B": ["en"],
        "": [""],
    }


@pytest.mark.parametrize(
    ("reference", "exact", "issues"),
    [
        ({"$any": ["x", "a", "y"]}, 1.0, []),
        ({"$any": ["x", None, "a"]}, 1.0, []),
        ({"$any": ["x"]}, 0.0, []),
        ({"$any": []}, None, ["bad_any"]),
        ({"$any": "a"}, None, ["bad_any"]),
        ({"$any": [None]}, None, ["bad_any"]),
        ({"$any": ["a"], "more": 1}, 0.0, []),
        (None, None, ["missing_reference"]),
    ],
)
def test_the_best_of_several_references_counts(
    reference: Any, exact: Any, issues: Any, write: Any, run: Any, outcomes: Any
) -> None:
    (row,) = outcomes(run(write("p.jsonl", lines({"pred": "a", "gold": reference}))))
    assert row["values"]["exact"] == exact
    assert [i["code"] for i in row["issues"]] == issues


def test_several_references_are_ranked_by_the_primary_metric_and_not_applicable_comes_last(
    write: Any, run: Any, outcomes: Any, plugin: Any
) -> None:
    choices = [["none", "0.2", "0.7", "nan"], ["nan", "0.5"], ["none"]]
    file = write("p.jsonl", lines(*({"pred": "a", "gold": {"$any": c}} for c in choices)))
    rows = outcomes(run(file, evaluator=plugin("faults:Choosy")))
    assert [row["values"]["score"] for row in rows] == [0.7, 0.5, None]


@pytest.mark.parametrize(
    ("missing", "exact", "gap", "stats"),
    [("worst", 0.0, 1.0, {"hits": 0.0, "n": 1.0, "size": 3 / 7}), ("skip", None, None, {})],
)
@pytest.mark.parametrize("absent", [{"pred": None}, {}])
def test_a_missing_prediction_is_worst_or_left_out_and_always_counted(
    absent: Any, missing: str, exact: Any, gap: Any, stats: Any, write: Any, run: Any, outcomes: Any
) -> None:
    file = write("p.jsonl", lines({"id": "1", "pred": "b", "gold": "b"}, {"id": "2", **absent, "gold": "abc"}))
    done = run(file, missing=missing)
    row = outcomes(done)[1]
    assert (row["values"], row["stats"]) == ({"exact": exact, "gap": gap}, stats)
    assert done.summary["systems"][""]["issues"]["missing_prediction"] == {"error": 1}
    with pytest.raises(DataError, match=r"missing predictions: 1; the first is for id '2' \(.*p\.jsonl:2\)"):
        run(file, missing="error")


@pytest.mark.parametrize(
    ("gold", "codes"), [(None, ["missing_reference"]), ({"$any": []}, ["bad_any", "missing_prediction"])]
)
def test_a_broken_reference_is_left_out_where_the_prediction_is_missing_too(
    gold: Any, codes: Any, write: Any, run: Any, outcomes: Any
) -> None:
    rows = outcomes(run(write("p.jsonl", lines({"pred": "a", "gold": "a"}, {"pred": None, "gold": gold}))))
    assert [i["code"] for i in rows[1]["issues"]] == codes
    assert rows[1]["values"] == {"exact": None, "gap": None}


def test_missing_predictions_of_an_evaluator_without_an_empty_one_are_still_worst(
    write: Any, run: Any, outcomes: Any, plugin: Any
) -> None:
    (row,) = outcomes(run(write("p.jsonl", lines({"pred": None, "gold": 1})), evaluator=plugin("exactly:Exactly")))
    assert (row["values"], row["issues"][0]["code"]) == ({"same": 0.0}, "missing_prediction")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("60.000", Decimal("60.000")),
        ("1e400", Decimal("1e400")),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ('{"a": 1, "b": 2, "a": 3}', {"a": 3, "b": 2}),
        ('"\\ud83d\\ude00 \\\\ud800"', "😀 \\ud800"),
    ],
)
def test_numbers_stay_as_written_where_the_evaluator_wants_them(
    written: str, read: Any, write: Any, run: Any, outcomes: Any, plugin: Any
) -> None:
    file = write("p.jsonl", f'{{"pred": {written}, "gold": {written}}}\n')
    (row,) = outcomes(run(file, evaluator=plugin("exactly:Exactly")))
    assert row["evidence"] == [repr(read), repr(read), ["a"] if isinstance(read, dict) else []]


@pytest.mark.parametrize(
    ("a", "b"), [("5", '"5"'), ("null", '"null"'), ('{"a": 1.0}', '{"a": "1.0"}'), ("1.0", "1.00")]
)
def test_references_of_different_types_have_different_hashes(a: str, b: str, write: Any, run: Any, plugin: Any) -> None:
    refs = {
        run(
            write(f"{n}.jsonl", f'{{"pred": "x", "gold": {gold}}}\n'), evaluator=plugin("exactly:Exactly")
        ).signature.refs
        for n, gold in enumerate((a, b))
    }
    assert len(refs) == 2


def test_messages_do_not_grow_with_what_is_in_the_input(write: Any, run: Any) -> None:
    long = "x" * 1_000_000
    for text in (lines({"id": long, "pred": "a", "gold": "b"}) * 2, lines({long: 1, "e\x1b[2Jsc": 2}), f"!{long}\n"):
        with pytest.raises(JatdaeError) as error:
            run(write("p.jsonl", text))
        assert len(str(error.value)) < 1000
        assert str(error.value).isprintable()


def test_a_number_no_decimal_can_hold_is_a_bad_row() -> None:
    with pytest.raises(BadRow, match="too large for a decimal"):
        parse_exact(b'{"id": "1", "x": 1e1000000000000000000}')


def test_several_right_answers_count_in_rows_with_exact_numbers_too() -> None:
    reference = parse_exact(b'{"$any": ["a", "b"]}')
    assert evaluate([Sample("1", "b", reference)], "text").value("cer") == 0.0


ODD_LINES = [
    b'{"id": "a", "pred": "x", "gold": "y"}', b'{"id": 7, "pred": null}', b'{"id": true}', b'{"id": null}', b"{}",
    b"[]", b"7", b"", b"  ", b"\r", b"{", b"\xff", b'{"id": "a", "system": "S"}', b'{"id": "b", "system": 5}',
    b'{"id": "c", "system": "baseline:x"}', b'{"id": "d", "meta": {"k": 1}}', b'{"id": "e", "meta": [1]}',
    b'{"id": "l", "pred": "x", "gold": "y", "system": "S"}', b'{"cluster": "m", "pred": "x", "gold": "y"}',
    b'{"id": "f", "cluster": 3}', b'{"id": "g", "cluster": {}}', b'{"id": "h", "k": "v"}', b'{"id": "i", "k": [1]}',
    b'{"id": "j", "pad": "' + b"x" * 900 + b'"}', b"[" * 900, b'{"id": "k", "deep": ' + b"[" * 300 + b"]" * 300 + b"}",
]  # fmt: skip


@settings(derandomize=True, max_examples=300)
@given(
    st.lists(st.sampled_from(ODD_LINES) | st.just(ODD_LINES[0]), max_size=8),
    st.sampled_from([
        Reading(Fields("id", "pred", "gold")), Reading(Fields("", "pred", "gold"), system="mine", names_system=True),
        Reading(Fields("id", "pred", "gold"), ("k",), names_system=True),
        Reading(Fields("id", "pred", "system"), names_system=True), Reading(Fields("cluster", "pred", "gold")),
        Reading(Fields("id", "pred", "gold"), exact=True), Reading(Fields(), group_by=GroupBy("id", "system")),
    ]),
)  # fmt: skip
def test_rows_read_all_at_once_are_those_read_line_by_line(given_lines: list[bytes], reading: Reading) -> None:
    rows = next(
        reading.batches(b"".join(line + b"\n" for line in given_lines), 1), Batch([], [], [], [], [], [], [], [])
    )
    items, numbers, bad, row = [], [], [], 0
    for number, line in enumerate(given_lines):
        if line and not line.isspace():
            row += 1
            try:
                items.append(reading.item(line, row))
                numbers.append(number)
            except BadRow as error:
                bad.append((number, error.problem))
    told = [
        (name, system, meta, cluster, row.get(reading.fields.prediction), row.get(reading.fields.reference))
        for name, system, meta, cluster, row in items
    ]
    columns = (rows.names, rows.systems, rows.metas, rows.clusters, rows.predictions, rows.references)
    assert list(zip(*columns, strict=True)) == told
    assert (list(rows.lines), rows.length) == (numbers, row)
    assert [(number, error.problem) for number, error in rows.bad] == bad
    if reading.group_by:
        assert list(rows.items()) == items


@settings(derandomize=True, max_examples=200)
@given(st.lists(st.sampled_from(ODD_LINES) | st.just(ODD_LINES[0])), st.integers(1, 200), st.sampled_from(["\n", ""]))
def test_lines_are_the_same_in_pieces_of_any_size(lines: list[bytes], size: int, end: str) -> None:
    data = b"\n".join(lines) + end.encode()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("jatdae.run.input.batches.PIECE", size)
        inside = [line for piece in pieces(data) for line in piece.split(b"\n")]
    assert inside == lines_of(data)
