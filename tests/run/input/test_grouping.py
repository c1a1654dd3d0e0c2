"""Rows of one conversation are one sample: never cut apart, wherever they stand."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from jatdae import Sample
from jatdae.core.errors import DataError, UsageError
from jatdae.run.api import evaluate, execute
from jatdae.run.input.model import Inputs
from jatdae.run.work.engine import Engine

PAD = "x" * 400


def turns(talks: int, each: int) -> list[dict[str, Any]]:
    return [{"talk": f"t{t}", "said": f"{t}.{n}", "pad": PAD} for t in range(talks) for n in range(each)]


@pytest.mark.parametrize("strewn", [False, True])
@pytest.mark.parametrize("form", ["jsonl", "jsonl.gz", "csv"])
@pytest.mark.parametrize(("talks", "each"), [(60, 7), (2, 200), (1, 300)])
def test_conversations_are_never_cut_apart(
    talks: int, each: int, form: str, strewn: bool, write: Any, run: Any, outcomes: Any, plugin: Any
) -> None:
    rows = turns(talks, each)
    if strewn:
        rows.sort(key=lambda row: int(row["said"].partition(".")[2]))  # every conversation is spread over the file
    done = run(write(f"t.{form}", rows), evaluator=plugin("turns:Turns"), engine=Engine(2))
    said = {row["id"]: row["evidence"] for row in outcomes(done)}
    assert said == {f"t{t}": [f"{t}.{n}" for n in range(each)] for t in range(talks)}
    assert list(said) == [f"t{t}" for t in range(talks)]
    assert done.summary["input"]["rows"] == talks * each


def test_strewn_rows_keep_their_order_and_their_line_numbers(write: Any, run: Any, outcomes: Any, plugin: Any) -> None:
    rows = turns(50, 8)
    random.Random(1).shuffle(rows)
    text = "\n\n".join(json.dumps(row) for row in rows)
    done = run(write("t.jsonl", "\ufeff" + text), evaluator=plugin("turns:Turns"))
    wanted: dict[str, list[str]] = {}
    for row in rows:
        wanted.setdefault(row["talk"], []).append(row["said"])
    assert [(row["id"], row["evidence"]) for row in outcomes(done)] == list(wanted.items())


@pytest.mark.parametrize("strewn", [False, True])
def test_bad_rows_among_grouped_ones_are_counted_and_cut_nothing(
    strewn: bool, write: Any, run: Any, outcomes: Any, plugin: Any
) -> None:
    rows = [json.dumps(row) for row in turns(3, 100)]
    if strewn:
        rows = rows[::2] + rows[1::2]
    long = '{"talk": "t0", "said": ' + PAD * 200
    for at, row in ((250, long), (250, long), (250, long), (130, '{"said": "nameless"}'), (60, '{"talk": [1]}')):
        rows.insert(at, row)
    done = run(write("t.jsonl", "\n".join(rows)), evaluator=plugin("turns:Turns"), on_bad_row="count")
    assert [row["values"]["turns"] for row in outcomes(done)] == [100.0] * 3
    about = done.summary["input"]
    assert (about["rows"], about["bad_rows"]) == (305, 5)
    lines = [text.split("t.jsonl:")[1].split(":")[0] for text in about["bad_examples"]]
    assert lines == ["61", "132", "253", "254", "255"]


def test_rows_may_name_the_system_that_spoke(write: Any, run: Any, outcomes: Any, plugin: Any) -> None:
    rows = [{**row, "model": model} for row in turns(3, 2) for model in ("A", "B")]
    found = outcomes(run(write("t.jsonl", rows), evaluator=plugin("turns:TurnsByModel")))
    assert [(row["system"], row["id"], row["values"]["turns"]) for row in found] == [
        (model, f"t{t}", 2.0) for t in range(3) for model in ("A", "B")
    ]


def test_files_of_one_name_in_two_folders_stay_apart(write: Any, outcomes: Any, plugin: Any, tmp_path: Path) -> None:
    strewn = [turns(4, 3)[n] for n in (0, 3, 1, 4, 2, 5)]
    other = [{**row, "said": "other"} for row in strewn]
    pairs = (("A", write("a/t.jsonl", strewn)), ("B", write("b/t.jsonl", other)))
    done = execute(plugin("turns:Turns"), Inputs(pairs=pairs), out=tmp_path / "run")
    first = [(row["system"], row["evidence"][0]) for row in outcomes(done)]
    assert first == [("A", "0.0"), ("A", "1.0"), ("B", "other"), ("B", "other")]


def test_one_conversation_in_two_files_of_one_system_is_refused(write: Any, plugin: Any, tmp_path: Path) -> None:
    rows = [{**row, "model": "M"} for row in turns(2, 2)]
    pairs = (("a", write("a.jsonl", rows[:3])), ("b", write("b.jsonl", rows[3:])))
    with pytest.raises(DataError, match=r"'t1' \(system M\): .*a\.jsonl:3 and .*b\.jsonl:1"):
        execute(plugin("turns:TurnsByModel"), Inputs(pairs=pairs), out=tmp_path / "run")


def test_the_hash_of_references_tells_other_conversations_apart(write: Any, run: Any, plugin: Any) -> None:
    a, b, again = (
        run(write(name, rows), evaluator=plugin("turns:Turns")).signature.refs
        for name, rows in (("a.jsonl", turns(3, 4)), ("b.jsonl", turns(4, 4)), ("c.jsonl", turns(3, 4)[::-1]))
    )
    assert a == again != b
    talks = [Sample(f"t{n}", [{"said": "one turn, not four"}], None) for n in range(3)]
    assert evaluate(talks, plugin("turns:Turns")).signature.refs == a


def test_the_hash_of_references_holds_what_the_rows_say_is_right(write: Any, run: Any, plugin: Any) -> None:
    rows = [{**row, "model": "M", "truth": {"age": 60}} for row in turns(3, 4)]
    other = [{**row, "truth": {"age": 61}} for row in rows]
    a, b, again = (
        run(write(name, given), evaluator=plugin("turns:TurnsByModel")).signature.refs
        for name, given in (("a.jsonl", rows), ("b.jsonl", other), ("c.jsonl", [{**row, "said": "x"} for row in rows]))
    )
    assert a == again != b


def test_a_slice_that_changes_within_a_sample_is_refused(write: Any, run: Any, plugin: Any) -> None:
    rows = [{"talk": "a", "said": "x", "turn": turn, "lang": "ko"} for turn in (1, 2)]
    file = write("p.jsonl", rows)
    with pytest.raises(UsageError, match="--slice turn: sample a has more than one value"):
        run(file, evaluator=plugin("turns:Turns"), slices=("turn",))
    done = run(file, evaluator=plugin("turns:Turns"), slices=("lang",))
    assert list(done.summary["systems"][""]["slices"]["lang"]) == ["ko"]


NUMBERED = [
    {"talk": talk, "model": model, "turn": turn, "said": "a" * 900}
    for talk in ("t1", "t2", "t3") for model in ("m", "n") for turn in range(1, 9)
]  # fmt: skip


@pytest.mark.parametrize(
    ("repeated", "at", "places"),
    [
        (0, 1, (1, 2)),
        (0, 8, (1, 9)),  # after the rows of another conversation
        (16, 48, (17, 49)),  # in another shard
    ],
)
@pytest.mark.parametrize("form", ["rows.jsonl", "rows.jsonl.gz"])
def test_two_rows_of_one_turn_are_an_error_with_both_places(
    form: str, repeated: int, at: int, places: tuple[int, int], write: Any, run: Any, plugin: Any
) -> None:
    rows = [*NUMBERED[:at], {**NUMBERED[repeated], "turn": str(NUMBERED[repeated]["turn"])}, *NUMBERED[at:]]
    talk = NUMBERED[repeated]["talk"]
    file = write(form, rows)
    said = rf"two rows of '{talk}' \(system m\) have the turn '1': .*{form}:{places[0]} and .*{form}:{places[1]}\."
    with pytest.raises(DataError, match=said):
        run(file, evaluator=plugin("turns:NumberedTurns"))


def test_a_turn_may_repeat_in_another_conversation_and_without_a_number(write: Any, run: Any, plugin: Any) -> None:
    rows = [*NUMBERED, *({"talk": "t1", "model": "m", "said": "x", **more} for more in ({}, {}, {"turn": None}))]
    done = run(write("rows.jsonl", rows), evaluator=plugin("turns:NumberedTurns"))
    assert done.summary["systems"]["m"]["stats"] == {"turns": 27.0}


def test_two_rows_of_one_turn_are_an_error_in_memory_too(plugin: Any) -> None:
    rows = [{"turn": 1, "said": "a"}, {"turn": 2, "said": "b"}, {"turn": "1", "said": "c"}]
    with pytest.raises(DataError, match=r"samples\[0\]\.prediction\[0\] and samples\[0\]\.prediction\[2\]"):
        evaluate([{"id": "t", "prediction": rows, "reference": None}], plugin("turns:NumberedTurns"))


@pytest.mark.parametrize(
    ("row", "evaluator", "said"),
    [
        (
            {"id": "1", "prediction": "a", "reference": "a"},
            "turns:TurnsByModel",
            r"p\.jsonl: no field is called 'talk', 'model'\. Rows for turns-by-model look like this: "
            r'\{"talk": "…", "model": "…", "truth": "…"\} Fields: id, prediction, reference\.',
        ),
        (
            {"talk": "t", "said": "a", "turn": 1},
            "turns:NumberedTurns",
            r'no field is called \'model\'\. .*\{"talk": "…", "model": "…", "turn": "…"\} Fields: talk, said, turn',
        ),
    ],
)
def test_rows_that_are_not_for_the_evaluator_are_refused_with_an_example(
    row: Any, evaluator: str, said: str, write: Any, run: Any, plugin: Any
) -> None:
    with pytest.raises(UsageError, match=said):
        run(write("p.jsonl", [row]), evaluator=plugin(evaluator))
    done = run(write("p.jsonl", [row]), evaluator=plugin(evaluator), on_bad_row="count")
    assert done.summary["input"]["bad_rows"] == 1
