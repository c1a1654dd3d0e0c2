"""A suite file: what it asks for, and what is said of one that cannot be meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import JatdaeError, UsageError
from jatdae.run.execute import execute
from jatdae.run.rows import Fields
from jatdae.run.suite import read_suite, suite_schema

EXACT = Path(__file__).parents[2] / "examples" / "exact_match.py"

WHOLE = f"""
name: paper
plugins:
  exact-match: {EXACT}:ExactMatch
datasets:
  letters:
    reference: gold.csv
    systems: {{A: a.jsonl, B: sub/b.jsonl}}
    slices: [lang]
    missing: skip
  no:
    pairs: {{A: pairs.jsonl}}
    prediction_field: said
    on_bad_row: count
evaluators:
  exact-match:
    config: {{casefold: true}}
    fail_under: {{exact: 0.5, exact.micro: 0.25}}
"""


def test_a_suite_is_every_evaluator_on_every_dataset(write: Any, tmp_path: Path) -> None:
    runs = read_suite(write("s.yaml", WHOLE), out=Path("out"), allow_plugins=True)
    assert [(r.label, r.folder) for r in runs] == [
        ("letters · exact-match", Path("out/paper/letters/exact-match")),
        ("no · exact-match", Path("out/paper/no/exact-match")),
    ]
    letters, numbers = (r.inputs for r in runs)
    assert letters.reference == str(tmp_path / "gold.csv")
    assert letters.predictions == (("A", str(tmp_path / "a.jsonl")), ("B", str(tmp_path / "sub/b.jsonl")))
    assert (letters.slices, letters.missing, letters.on_bad_row) == (("lang",), "skip", "error")
    assert numbers.pairs == (("A", str(tmp_path / "pairs.jsonl")),)
    assert (numbers.fields, numbers.on_bad_row) == (Fields(prediction="said"), "count")
    assert runs[0].evaluator.casefold is True
    assert (runs[0].fail_under, runs[0].fail_over) == ({"exact": 0.5, "exact.micro": 0.25}, {})


def test_a_suite_runs(write: Any, tmp_path: Path) -> None:
    write("pairs.jsonl", [{"id": "1", "said": "A", "gold": "a"}])
    one = WHOLE.replace("casefold: true}", "casefold: true}\n    datasets: [no]")
    (run,) = read_suite(write("s.yaml", one), out=tmp_path / "out", allow_plugins=True)
    done = execute(run.evaluator, run.inputs, out=run.folder)
    assert done.summary["systems"]["A"]["metrics"]["exact"]["macro"] == 1.0


def test_one_dataset_needs_no_folder_of_its_own(write: Any) -> None:
    text = WHOLE[: WHOLE.index("  no:")] + WHOLE[WHOLE.index("evaluators:") :]
    (run,) = read_suite(write("s.yaml", text), allow_plugins=True)
    assert run.folder == Path("runs/paper/exact-match")


# What is changed, and what is then said.
WRONG = {
    "a misspelt key": (("missing: skip", "mising: skip"), r"s\.yaml:10 \(datasets\.letters\.mising\).*Did you mean 'missing'"),
    "a misspelt key at the top": (("datasets:", "dataset:"), r"s\.yaml:5 \(dataset\).*Did you mean 'datasets'"),
    "a misspelt key of an evaluator": (("config:", "confg:"), r"\(evaluators\.exact-match\.confg\).*Did you mean 'config'"),
    "a misspelt setting": (("casefold: true", "casfold: true"), r"s\.yaml:\d+ .*casfold.*Did you mean 'casefold'"),
    "a setting of the wrong type": (("casefold: true", "casefold: [1]"), r"s\.yaml:\d+ .*casefold"),
    "a misspelt evaluator": (("evaluators:\n  exact-match", "evaluators:\n  exact-macth"), "Did you mean 'exact-match'"),
    "a misspelt metric": (("exact.micro", "exakt.micro"), r"s\.yaml:\d+ \(.*fail_under.*'exakt\.micro'.*Did you mean 'exact'"),
    "a dataset of neither kind": (("    pairs: {A: pairs.jsonl}\n", ""), r"\(datasets\.no\): a dataset needs either"),
    "a dataset of both kinds": (
        ("prediction_field: said", "systems: {B: b}\n    reference: r"), "needs either `reference` and `systems`"),
    "a choice there is not": (("missing: skip", "missing: maybe"), r"s\.yaml:10 \(datasets\.letters\.missing\)"),
    "a name that leaves the folder": (("name: paper", "name: ../../etc"), r"s\.yaml:2 \(name\)"),
    "a dataset's name that leaves the folder": (("  no:", "  ../no:"), r"s\.yaml:11"),
    "a dataset that is not there": (
        ("config:", "datasets: [leters]\n    config:"), r"s\.yaml:\d+ .*no dataset is called 'leters'.*'letters'"),
    "no evaluators": ((WHOLE[WHOLE.index("evaluators:") :], "evaluators: {}\n"), r"\(evaluators\)"),
    "a list": ((WHOLE, "- a\n- b\n"), r"s\.yaml:1"),
    "nothing": ((WHOLE, ""), r"s\.yaml:1"),
    "a plug-in that is not there": ((str(EXACT), "gone.py"), r"gone\.py: no such plug-in file"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_a_suite_that_cannot_be_meant_is_refused_with_its_place(wrong: str, write: Any) -> None:
    (before, after), said = WRONG[wrong]
    assert before in WHOLE
    with pytest.raises(JatdaeError, match=said) as error:
        read_suite(write("s.yaml", WHOLE.replace(before, after, 1)), allow_plugins=True)
    assert isinstance(error.value, UsageError)


def test_plugins_are_code_and_loaded_only_when_allowed(write: Any) -> None:
    with pytest.raises(UsageError, match=r"s\.yaml:3 \(plugins\).*--allow-plugins"):
        read_suite(write("s.yaml", WHOLE))


def test_an_evaluator_may_stand_without_settings_and_files_are_relative_to_the_suite(
    write: Any, tmp_path: Path
) -> None:
    plugin = Path(write("sub/filed.py", """
from pathlib import Path
from jatdae import Metric, Outcome, evaluator
@evaluator("filed", metrics=[Metric("a", "higher", worst=0.0)])
class Filed:
    words: Path | None = None
    def score(self, sample): return Outcome({"a": 1.0})
"""))  # fmt: skip
    suite = f"name: n\nplugins: {{filed: {plugin.name}:Filed}}\ndatasets: {{d: {{pairs: {{A: a}}}}}}\nevaluators:\n"
    (bare,) = read_suite(write("sub/s.yaml", suite + "  filed:\n"), allow_plugins=True)
    assert bare.evaluator.words is None
    (given,) = read_suite(write("sub/s.yaml", suite + "  filed: {config: {words: w.txt}}\n"), allow_plugins=True)
    assert given.evaluator.words == tmp_path / "sub" / "w.txt"


def test_the_schema_knows_the_settings_of_every_evaluator() -> None:
    schema = suite_schema()
    json.dumps(schema)
    assert set(schema["required"]) == {"name", "datasets", "evaluators"}
    text = schema["properties"]["evaluators"]["properties"]["text"]
    assert "normaliser" in json.dumps(text)
