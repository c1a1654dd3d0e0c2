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
from jatdae.core.messages import speaking
from jatdae.core.yamlfile import parse_yaml
from jatdae.run.api import execute
from jatdae.run.gates import Gate
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
    assert marks.gates == (Gate("exact", "<", 0.5), Gate("exact.micro", "<", 1.0), Gate("gap", ">", 0.25))
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
    "empty": ("", " (name): the key 'name' is missing"),
    "a list": ("- a\n", ":1: must be a mapping of keys to values"),
    "no name": (changed("name: nightly", "# no name"), ":2 (name): the key 'name' is missing"),
    "no datasets": ("name: x\nevaluators: {marks: }\n", ":1 (datasets): the key 'datasets' is missing"),
    "empty datasets": ("name: x\ndatasets: {}\nevaluators: {marks: }\n", ":2 (datasets): "),
    "unknown key": (
        changed("evaluators:", "evalautors:"),
        ":6 (evalautors): unknown key 'evalautors'. Did you mean 'evaluators'?",
    ),
    "unknown key of a dataset": (
        changed("systems:", "sytems:"),
        ":5 (datasets.invoices.sytems): unknown key 'sytems'. Did you mean 'systems'?",
    ),
    "unknown key of an evaluator": (
        with_marks("fail_udner: {exact: 1}"),
        ":8 (evaluators.marks.fail_udner): unknown key 'fail_udner'. Did you mean 'fail_under'?",
    ),
    "unknown setting": (
        with_marks("config:\n  casefolt: true"),
        ":9 (evaluators.marks.config.casefolt): unknown setting 'casefolt'. Did you mean 'casefold'?",
    ),
    "bad setting": (
        with_marks("config:\n  casefold: maybe"),
        ":9 (evaluators.marks.config.casefold): must be true or false, not 'maybe'",
    ),
    "unknown evaluator": (
        changed("marks:", "makrs:"),
        ":7 (evaluators.makrs): unknown evaluator 'makrs'. Did you mean 'marks'? Evaluators: kinds, marks",
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
        ":8 (evaluators.marks.fail_over.exact): must be a number, not 'nan'",
    ),
    "gate that YAML 1.1 takes for a number": (
        with_marks("fail_over: {exact: .nan}"),
        ":8 (evaluators.marks.fail_over.exact): must be a number, not '.nan'",
    ),
    "gate in the wrong scale": (
        with_marks("fail_under: {exact: 90}"),
        ":8 (evaluators.marks.fail_under.exact): 90 would be 9000 %. Write 90% or 0.9",
    ),
    "gate in the wrong direction": (
        with_marks("fail_over: {exact: 5%}"),
        ":8 (evaluators.marks.fail_over.exact): exact is better when higher",
    ),
    "gate that no value can reach": (
        with_marks("fail_over: {gap: -1}"),
        ":8 (evaluators.marks.fail_over.gap): -1 is outside the range of gap, 0 to ∞",
    ),
    "gate that is a truth": (
        with_marks("fail_over: {exact: true}"),
        ":8 (evaluators.marks.fail_over.exact): must be a number or a string, not true",
    ),
    "text for a table": (
        changed("{first: a.jsonl, org/second: b.jsonl}", "a.jsonl"),
        ":5 (datasets.invoices.systems): must be a mapping of keys",
    ),
    "number for a path": (
        changed("refs.jsonl", "3"),
        ":4 (datasets.invoices.reference): must be a string, not 3",
    ),
    "no such choice": (
        with_invoices("missing: ignore"),
        ":4 (datasets.invoices.missing): 'ignore': unknown value. Choices: worst, skip, error",
    ),
    "text for a list": (with_invoices("slices: lang"), ":4 (datasets.invoices.slices): must be a list, not 'lang'"),
    "neither pairs nor systems": (
        changed("{first: a.jsonl, org/second: b.jsonl}", "{}"),
        ":3 (datasets.invoices): a dataset needs either `reference` and `systems`, or `pairs`",
    ),
    "both pairs and a reference": (
        changed("systems: {first", "pairs: {first"),
        ":3 (datasets.invoices): a dataset needs either",
    ),
    "both pairs and systems": (with_invoices("pairs: {c: c.jsonl}"), ":3 (datasets.invoices): a dataset needs either"),
    "name that leaves the folder": (changed("nightly", "../../etc"), ":1 (name): a name becomes a folder: up to 100"),
    "name that is a path": (changed("nightly", "a/b"), ":1 (name): "),
    "name that hides": (changed("nightly", ".git"), ":1 (name): "),
    "name of another system's path": (changed("nightly", "a\\b"), ":1 (name): "),
    "empty name": (changed("nightly", "''"), ":1 (name): "),
    "endless name": (changed("nightly", "x" * 101), ":1 (name): "),
    "dataset that leaves the folder": (changed("invoices", "../x"), ":3 (datasets.../x): "),
    "system with control characters": (
        changed("first", '"a\\tb"'),
        ":5 (datasets.invoices.systems.a\\tb): a label must have 1 to 100 characters",
    ),
    "evaluator that leaves the folder": (changed("marks", "../marks"), ":7 (evaluators.../marks): "),
}

BEYOND_SCHEMA = {"unknown evaluator", "unknown dataset", "unknown metric", "unknown average", "bad setting",
                 "gate that no value can reach", "gate in the wrong scale", "gate in the wrong direction",
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


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_file(suite: Callable[[str], str]) -> None:
    wrong = with_marks("datasets: [invoicse]\nconfig: {casefold: maybe, size: 1}\nfail_under: {exact: 1}")
    both = changed("marks:\n", "kinds: {config: {steps: [trim, 3]}}\n      kidns:\n      marks:\n", wrong)
    for language, told in (("en", "must be a string, not 3"), ("ko", "문자열 자리인데 3입니다")):
        with speaking(language), pytest.raises(UsageError) as error:
            read_suite(suite(both))
        lines = [line.partition("suite.yaml:")[2] for line in str(error.value).splitlines()]
        places = [line.partition("): ")[0] for line in lines]
        assert places == [
            "7 (evaluators.kinds.config.steps[1]",
            "8 (evaluators.kidns",
            "10 (evaluators.marks.datasets[0]",
            "11 (evaluators.marks.config.size",
            "11 (evaluators.marks.config.casefold",
        ]
        assert told in lines[0]


def test_what_the_model_refuses_is_told_at_once_too(suite: Callable[[str], str]) -> None:
    with pytest.raises(UsageError) as error:
        read_suite(suite("name: a/b\ndatasets: {x: {pairs: 3}}\nevaluators: {marks: {fail_over: {exact: five}}}\n"))
    assert [line.partition("suite.yaml:")[2][:2] for line in str(error.value).splitlines()] == ["1 ", "2 ", "3 "]


def test_what_an_evaluator_itself_refuses_is_told_with_the_line_of_its_settings(
    suite: Callable[[str], str], tmp_path: Path
) -> None:
    refusing = "from jatdae.core.errors import UsageError\n"
    refusing += (PLUGINS / "marks.py").read_text().replace("from __future__ import annotations", "")
    refusing += "\n    def __post_init__(self) -> None:\n        raise UsageError('no')\n"
    (tmp_path / "own.py").write_text(refusing)
    text = textwrap.dedent(changed("marks:", "own: {config: {casefold: true}}")).lstrip()
    text = f"plugins: {{own: own.py:Marks}}\n{text}"
    with pytest.raises(UsageError, match=r"suite\.yaml:8 \(evaluators\.own\.config\): no$"):
        read_suite(suite(text), allow_plugins=True)


def test_a_plug_in_that_was_lent_may_be_named(suite: Callable[[str], str]) -> None:
    registry.lend(f"{PLUGINS / 'exactly.py'}:Exactly")
    name = registry.known_names()[-1]
    (run,) = read_suite(suite(changed("marks:", f"{name}:")))
    assert run.folder.name == name
    assert name in suite_schema()["properties"]["evaluators"]["properties"]


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
