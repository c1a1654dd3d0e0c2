"""Suite files: what a good one asks for, and how a bad one is refused, by file, line and key."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from jatdae.core import registry
from jatdae.core.errors import UsageError
from jatdae.core.yamlfile import parse_yaml
from jatdae.run.api import execute
from jatdae.run.suite import read_suite, suite_schema

PLUGINS = Path(__file__).parents[1] / "plugins"


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two evaluators are installed, whatever this machine has."""
    entries = [EntryPoint(name, f"{name}:{name.title()}", registry.GROUP) for name in ("marks", "kinds")]
    monkeypatch.syspath_prepend(PLUGINS)
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    registry.available.cache_clear()
    yield
    registry.available.cache_clear()


@pytest.fixture
def suite(tmp_path: Path) -> Callable[[str], str]:
    """`suite(text)`: the path of a suite file that says so."""

    def written(text: str) -> str:
        path = tmp_path / "suite.yaml"
        path.write_text(textwrap.dedent(text).lstrip("\n"))
        return str(path)

    return written


SMALL = """
    name: nightly
    datasets:
      invoices:
        reference: refs.jsonl
        systems: {first: a.jsonl, org/second: b.jsonl}
    evaluators:
      marks:
"""
FULL = """
    name: nightly build
    plugins:
      own: exact_match.py:ExactMatch
    datasets:
      invoices:
        reference: refs.jsonl
        systems:
          first: sub/a.jsonl
          second: /abs/b.jsonl
        id_field: number
        prediction_field: text
        reference_field: truth
        slices: [lang]
        missing: skip
        on_bad_row: count
      한글:
        pairs: {first: pairs.jsonl}
    evaluators:
      marks:
        config: {casefold: true}
        datasets: [한글]
        fail_under: {exact: 0.5, exact.micro: 1}
        fail_over: {gap: 0.25}
      own: {}
      kinds:
        config: {file: list.txt, files: [list.txt], weights: {a: 1}}
"""


def test_paths_are_relative_to_the_file(suite: Callable[[str], str], tmp_path: Path) -> None:
    (run,) = read_suite(suite(SMALL), out=tmp_path / "out")
    assert run.folder == tmp_path / "out" / "nightly" / "marks"
    assert run.inputs.reference == str(tmp_path / "refs.jsonl")
    assert run.inputs.predictions == (("first", str(tmp_path / "a.jsonl")), ("org/second", str(tmp_path / "b.jsonl")))
    assert not run.evaluator.casefold


def test_every_evaluator_meets_every_dataset_it_does_not_leave_out(suite: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("x")
    (tmp_path / "exact_match.py").write_text((PLUGINS.parents[1] / "examples" / "exact_match.py").read_text())
    runs = read_suite(suite(FULL), allow_plugins=True)
    assert [run.label for run in runs] == [
        "한글 · marks", "invoices · own", "한글 · own", "invoices · kinds", "한글 · kinds",
    ]  # fmt: skip
    assert [str(run.folder) for run in runs][:2] == ["runs/nightly build/한글/marks", "runs/nightly build/invoices/own"]
    marks, own, _, kinds, _ = runs
    assert marks.evaluator.casefold
    assert (marks.fail_under, marks.fail_over) == ({"exact": 0.5, "exact.micro": 1.0}, {"gap": 0.25})
    assert marks.inputs.pairs == (("first", str(tmp_path / "pairs.jsonl")),)
    assert own.inputs.predictions[1] == ("second", "/abs/b.jsonl")
    assert (own.inputs.slices, own.inputs.missing, own.inputs.on_bad_row) == (("lang",), "skip", "count")
    names = own.inputs.fields
    assert (names.id, names.prediction, names.reference) == ("number", "text", "truth")
    assert kinds.evaluator.file == tmp_path / "list.txt"
    assert kinds.evaluator.files == (tmp_path / "list.txt",)


def test_a_suite_scores_several_systems(suite: Callable[[str], str], write: Callable[..., str], tmp_path: Path) -> None:
    write("refs.jsonl", [{"id": name, "reference": name} for name in "abc"])
    write("a.jsonl", [{"id": name, "prediction": name} for name in "abc"])
    write("b.jsonl", [{"id": name, "prediction": "a"} for name in "abc"])
    (run,) = read_suite(suite(SMALL), out=tmp_path / "out")
    summary = execute(run.evaluator, run.inputs, out=run.folder).summary
    means = {system: described["metrics"]["exact"]["macro"] for system, described in summary["systems"].items()}
    assert means == {"first": 1.0, "org/second": pytest.approx(1 / 3)}


def test_the_schema_takes_good_suites() -> None:
    for text in (SMALL, FULL):
        schema().validate(parse_yaml(textwrap.dedent(text), "f").value)


def schema() -> Any:
    made = suite_schema()
    jsonschema_rs.meta.validate(made)
    return jsonschema_rs.Draft202012Validator(made)


def changed(old: str, new: str, text: str = SMALL) -> str:
    assert old in text
    return text.replace(old, new)


def with_marks(lines: str) -> str:
    """The small suite with more said below its evaluator."""
    return changed("marks:", "marks:\n" + textwrap.indent(lines, " " * 8))


def with_invoices(line: str) -> str:
    return changed("reference:", f"{line}\n        reference:")


BAD: dict[str, tuple[str, str]] = {
    "empty": ("", ":1: must be a mapping of keys to values"),
    "a list": ("- a\n", ":1: must be a mapping of keys to values"),
    "no name": (changed("name: nightly", "# no name"), ":2 (name): Field required"),
    "no datasets": ("name: x\nevaluators: {marks: }\n", ":1 (datasets): Field required"),
    "empty datasets": ("name: x\ndatasets: {}\nevaluators: {marks: }\n", ":2 (datasets): "),
    "unknown key": (
        changed("evaluators:", "evalautors:"),
        ":6 (evalautors): unknown setting 'evalautors'. Did you mean 'evaluators'?",
    ),
    "unknown key of a dataset": (
        changed("systems:", "sytems:"),
        ":5 (datasets.invoices.sytems): unknown setting 'sytems'. Did you mean 'systems'?",
    ),
    "unknown key of an evaluator": (
        with_marks("fail_udner: {exact: 1}"),
        ":8 (evaluators.marks.fail_udner): unknown setting 'fail_udner'. Did you mean 'fail_under'?",
    ),
    "unknown setting": (
        with_marks("config:\n  casefolt: true"),
        ":9 (evaluators.marks.config.casefolt): unknown setting 'casefolt'. Did you mean 'casefold'?",
    ),
    "bad setting": (
        with_marks("config:\n  casefold: maybe"),
        ":9 (evaluators.marks.config.casefold): casefold = 'maybe': Input should be a valid boolean",
    ),
    "unknown evaluator": (
        changed("marks:", "makrs:"),
        ":7 (evaluators.makrs): unknown evaluator 'makrs'. Did you mean 'marks'? Evaluators: kinds, marks.",
    ),
    "unknown dataset": (
        with_marks("datasets:\n- invoices\n- invoicse"),
        ":10 (evaluators.marks.datasets[1]): unknown dataset 'invoicse'. Did you mean 'invoices'?",
    ),
    "unknown metric": (
        with_marks("fail_under:\n  exakt: 1"),
        ":9 (evaluators.marks.fail_under.exakt): unknown metric 'exakt'. Did you mean 'exact'?",
    ),
    "unknown average": (
        with_marks("fail_over: {exact.median: 1}"),
        ":8 (evaluators.marks.fail_over.exact.median): unknown metric 'exact.median'",
    ),
    "gate that is text": (
        with_marks("fail_over: {exact: nan}"),
        ":8 (evaluators.marks.fail_over.exact): Input should be a valid number",
    ),
    "gate that is a truth": (
        with_marks("fail_over: {exact: true}"),
        ":8 (evaluators.marks.fail_over.exact): Input should be a valid number",
    ),
    "text for a table": (
        changed("{first: a.jsonl, org/second: b.jsonl}", "a.jsonl"),
        ":5 (datasets.invoices.systems): must be a mapping of keys",
    ),
    "number for a path": (
        changed("refs.jsonl", "3"),
        ":4 (datasets.invoices.reference): Input should be a valid string",
    ),
    "no such choice": (
        with_invoices("missing: ignore"),
        ":4 (datasets.invoices.missing): Input should be 'worst', 'skip' or 'error'",
    ),
    "text for a list": (with_invoices("slices: lang"), ":4 (datasets.invoices.slices): Input should be a valid list"),
    "neither pairs nor systems": (
        changed("{first: a.jsonl, org/second: b.jsonl}", "{}"),
        ":3 (datasets.invoices): a dataset needs either `reference` and `systems`, or `pairs`",
    ),
    "both pairs and a reference": (
        changed("systems: {first", "pairs: {first"),
        ":3 (datasets.invoices): a dataset needs either",
    ),
    "both pairs and systems": (with_invoices("pairs: {c: c.jsonl}"), ":3 (datasets.invoices): a dataset needs either"),
    "name that leaves the folder": (changed("nightly", "../../etc"), ":1 (name): "),
    "name that is a path": (changed("nightly", "a/b"), ":1 (name): "),
    "name that hides": (changed("nightly", ".git"), ":1 (name): "),
    "name of another system's path": (changed("nightly", "a\\b"), ":1 (name): "),
    "empty name": (changed("nightly", "''"), ":1 (name): "),
    "endless name": (changed("nightly", "x" * 101), ":1 (name): "),
    "dataset that leaves the folder": (changed("invoices", "../x"), ":3 (datasets.../x): "),
    "system with control characters": (changed("first", '"a\\tb"'), ":5 (datasets.invoices.systems."),
    "evaluator that leaves the folder": (changed("marks", "../marks"), ":7 (evaluators.../marks): "),
}

BEYOND_SCHEMA = {"unknown evaluator", "unknown dataset", "unknown metric", "unknown average", "bad setting",
                 "neither pairs nor systems", "both pairs and systems", "both pairs and a reference"}  # fmt: skip
"""What only reading the suite can tell, because it depends on other keys or on what is installed."""


@pytest.mark.parametrize(("text", "told"), BAD.values(), ids=BAD)
def test_a_bad_suite_is_refused_with_file_line_and_key(suite: Callable[[str], str], text: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        read_suite(suite(text))
    assert f"suite.yaml{told}" in str(error.value)


@pytest.mark.parametrize("name", sorted(BAD.keys() - BEYOND_SCHEMA))
def test_the_schema_refuses_it_too(name: str) -> None:
    assert not schema().is_valid(parse_yaml(textwrap.dedent(BAD[name][0]), "f").value)


def test_plug_ins_are_code_and_load_only_where_allowed(suite: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "exact_match.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(UsageError, match=r"suite\.yaml:2 \(plugins\): the suite loads plug-ins.*--allow-plugins"):
        read_suite(suite(FULL))
    assert not (tmp_path / "ran").exists()


def test_a_bad_plug_in_of_a_suite_is_told_with_its_line(suite: Callable[[str], str]) -> None:
    for target, told in (("exact_match.py", "FILE.py:Class"), ("none.py:Own", "no such plug-in file")):
        with pytest.raises(UsageError) as error:
            read_suite(suite(changed("exact_match.py:ExactMatch", target, FULL)), allow_plugins=True)
        assert "suite.yaml:3 (plugins.own): " in str(error.value)
        assert told in str(error.value)


def test_a_broken_package_does_not_spoil_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [EntryPoint("marks", "marks:Marks", registry.GROUP), EntryPoint("lost", "no_such:Lost", registry.GROUP)]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    registry.available.cache_clear()
    assert list(suite_schema()["properties"]["evaluators"]["properties"]) == ["marks"]
