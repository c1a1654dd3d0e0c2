"""The worst samples behind each key of an error table: chosen as by hand, whatever the cut of the input."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jatdae import Issue, Metric, Outcome, Sample
from jatdae.core.evaluator import spec_of
from jatdae.run.api import evaluate, execute
from jatdae.run.input.model import Inputs
from jatdae.run.output import tally
from jatdae.run.output.part import ENCODED, PartBuilder, read_part, write_part
from jatdae.run.output.tally import MAX_EXAMPLES, Tally
from jatdae.run.work.engine import Engine

WRITTEN = st.tuples(
    st.text("abcZ", max_size=6), st.sampled_from(["none", "0", "0.5", "1"]), st.sampled_from(["A", "B"])
)


def by_hand(samples: Sequence[Sample], better: str) -> dict[tuple[str, str], tuple[int, list[str], list[int]]]:
    """By (system, letter): the number of samples that have it, the ids of the worst, and how often in each."""
    found = defaultdict(list)
    for at, sample in enumerate(samples):
        for letter in set(filter(str.islower, sample.prediction)):
            value = float("inf") if sample.reference == "none" else float(sample.reference)
            gain = value if better == "higher" or sample.reference == "none" else -value
            found[sample.system, letter].append((-sample.prediction.count(letter), gain, at, sample.id))
    worst = {key: sorted(all_)[:MAX_EXAMPLES] for key, all_ in found.items()}
    return {
        key: (len(found[key]), [each[-1] for each in few], [-each[0] for each in few]) for key, few in worst.items()
    }


@pytest.mark.parametrize("better", ["higher", "lower"])
@settings(derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(written=st.lists(WRITTEN, min_size=1, max_size=70), cut=st.integers(1, 30))
def test_the_worst_samples_are_those_chosen_by_hand(plugin: Any, better: str, written: list[Any], cut: int) -> None:
    scorer = plugin("letters:Letters", better=better)
    samples = [Sample(str(at), text, value, system=system) for at, (text, value, system) in enumerate(written)]
    table = pa.concat_tables(evaluate(samples, scorer).tables).combine_chunks()
    made = Tally(spec_of(scorer).metrics, errors=["wrong"])
    for start in range(0, len(samples), cut):
        made.add(pa.Table.from_pylist(table.slice(start, cut).to_pylist(), table.schema))
    kept = {
        (system, letter): made.groups[system, "", ""].examples.of("wrong", letter)
        for system in {sample.system for sample in samples}
        for letter in made.groups[system, "", ""].counts.get("wrong", {})
    }
    assert kept == by_hand(samples, better)


def test_neutral_tables_and_keys_that_are_pooled_keep_no_samples(plugin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "MAX_COUNT_KEYS", 2)
    samples = [Sample(str(at), letter, "0") for at, letter in enumerate("abcacd")]
    about = evaluate(samples, plugin("letters:Letters")).summary["systems"][""]
    assert about["counts"]["wrong"] == {"a": 2, "b": 1, "<other>": 3}
    assert about["examples"] == {
        "wrong": {
            "a": {"samples": 2, "worst": ["0", "3"], "times": [1, 1]},
            "b": {"samples": 1, "worst": ["1"], "times": [1]},
        }
    }


ROWS = [
    {"id": f"r{n}", "prediction": "ab" * (n % 7) + "c" * (n % 3) + "~" * 40, "reference": f"{n % 11 / 10}"}
    for n in range(1500)
]


@pytest.fixture
def inputs(write: Any) -> Inputs:
    """Two systems in a few dozen shards each."""
    return Inputs(pairs=(("A", write("a.jsonl", ROWS)), ("B", write("b.jsonl", ROWS[::-1]))))


def test_any_number_of_workers_keeps_the_same_samples(inputs: Inputs, plugin: Any, tmp_path: Path) -> None:
    summaries = [
        execute(plugin("letters:Letters"), inputs, out=tmp_path / f"run-{jobs}", engine=Engine(jobs)).folder
        / "summary.json"
        for jobs in (1, 2, 3)
    ]
    assert len(list((tmp_path / "run-1" / "parts").iterdir())) > 6
    assert len({path.read_bytes() for path in summaries}) == 1
    kept = json.loads(summaries[0].read_text())["systems"]["B"]["examples"]["wrong"]
    assert [len(each["worst"]) for each in kept.values()] == [MAX_EXAMPLES] * 3


def test_samples_in_memory_and_in_files_keep_the_same(inputs: Inputs, plugin: Any, tmp_path: Path) -> None:
    files = execute(plugin("letters:Letters"), inputs, out=tmp_path / "run").summary["systems"]
    samples = [Sample(**row, system="A") for row in ROWS] + [Sample(**row, system="B") for row in ROWS[::-1]]
    memory = evaluate(samples, plugin("letters:Letters")).summary["systems"]
    for system in "AB":
        of_system = [sample for sample in samples if sample.system == system]
        wanted = {letter: kept for (_, letter), kept in by_hand(of_system, "higher").items()}
        for found in (files, memory):
            kept = found[system]["examples"]["wrong"]
            assert {letter: (each["samples"], each["worst"], each["times"]) for letter, each in kept.items()} == wanted


def test_a_resumed_run_keeps_the_same_samples(inputs: Inputs, plugin: Any, tmp_path: Path) -> None:
    done = execute(plugin("letters:Letters"), inputs, out=tmp_path / "run")
    before = (done.folder / "summary.json").read_bytes()
    for lost in (*sorted((done.folder / "parts").iterdir())[1::2], done.folder / "summary.json"):
        lost.unlink()
    again = execute(plugin("letters:Letters"), inputs, out=tmp_path / "run")
    assert again.resumed
    assert (again.folder / "summary.json").read_bytes() == before


def test_a_key_counted_as_zero_is_behind_no_sample(plugin: Any) -> None:
    scorer = plugin("letters:Letters")
    table = evaluate([Sample("1", "ab", "1")], scorer).tables[0]
    (row,) = table.to_pylist()
    row["counts"] = [("wrong", [("a", 0), ("b", 2)])]
    made = Tally(spec_of(scorer).metrics, errors=["wrong"])
    made.add(pa.Table.from_pylist([row], table.schema))
    examples = made.groups["", "", ""].examples
    assert (examples.of("wrong", "a"), examples.of("wrong", "b")) == ((0, [], []), (1, ["1"], [2]))


def test_what_is_added_up_is_the_same_from_memory_and_from_a_file_with_very_many_keys(tmp_path: Path) -> None:
    """Beyond a megabyte of keys a Parquet column has no dictionary any more."""
    metrics = [Metric("m", "higher", worst=0.0)]
    part = PartBuilder(metrics)
    for at in range(150):
        keys = {f"{at}-{n}-{'가' * 40}": 1 + n % 3 for n in range(100)}
        found = (Issue("why", f"{at}"),) if at % 3 else ()
        part.add(Sample(str(at), "", ""), Outcome({"m": at / 7}, {"n": 1.0}, {"wrong": keys}, issues=found))
    table = part.table()
    write_part(table, tmp_path / "part-00000.parquet", 0, "")
    sums = []
    for each in (table, read_part(tmp_path / "part-00000.parquet", ENCODED).table()):
        added = Tally(metrics, errors=["wrong"])
        added.add(each)
        group = added.groups["", "", ""]
        worst = [group.examples.of("wrong", key) for key in group.counts["wrong"]]
        sums.append((group.n, group.sums["m"].value, group.stats["n"].value, group.counts, group.issues, worst))
    assert sums[0] == sums[1]
