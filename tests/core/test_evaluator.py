"""The contract and the decorator: what is an evaluator, and what is refused before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest

from jatdae.core.contract import Issue, Metric, Outcome, Sample, Unit
from jatdae.core.errors import DataError, EngineError, JatdaeError, UsageError
from jatdae.core.evaluator import Evaluator, attribute_docs, evaluator, metric_and_average, options_of, spec_of

ONE = [Metric("score", "higher", worst=0.0)]


def made(name: str = "sample", metrics: Any = ONE, **body: Any) -> type:
    """A decorated class with the given body."""
    scored = {"score": lambda self, sample: Outcome({"score": 1.0})}
    return evaluator(name, metrics=metrics)(type("Made", (), {**scored, **body}))


def test_an_evaluator_is_a_frozen_dataclass_with_its_spec() -> None:
    cls = made(metrics=[Metric("a", "higher", 0.0), Metric("b", "lower", 1.0, primary=True)])
    assert is_dataclass(cls)
    assert isinstance(cls(), Evaluator)
    assert spec_of(cls) is spec_of(cls())
    assert spec_of(cls).primary.name == "b"
    with pytest.raises(FrozenInstanceError):
        cls().anything = 1


def test_the_first_metric_leads_where_none_is_primary() -> None:
    assert spec_of(made(metrics=[Metric("a", "higher", 0.0), Metric("b", "lower", 1.0)])).primary.name == "a"


def test_without_reduce_there_are_no_micro_averages() -> None:
    assert made()().reduce({"n": 1.0}) == {}


def test_all_of_an_outcome_but_its_values_may_be_left_out() -> None:
    outcome = Outcome({"score": 1.0})
    assert (outcome.stats, outcome.counts, outcome.units, outcome.evidence, outcome.issues) == ({}, {}, (), None, ())
    assert Issue("code").severity is None, "as the evaluator declares it"
    assert Unit("1", "turn").values == {}
    assert Sample("1", "p", "r").system == Sample("1", "p", "r").cluster == ""


BAD = {
    "no metrics": ({"metrics": []}, "unique names"),
    "one name twice": ({"metrics": [*ONE, *ONE]}, "unique names"),
    "two primaries": (
        {"metrics": [Metric("a", "higher", 0.0, primary=True), Metric("b", "higher", 0.0, primary=True)]},
        "at most one of them primary",
    ),
    "no direction": ({"metrics": [Metric("a", "upwards", 0.0)]}, "`better`"),  # type: ignore[arg-type]
    "endless worst": ({"metrics": [Metric("a", "higher", float("-inf"))]}, "finite"),
    "unknown worst": ({"metrics": [Metric("a", "higher", float("nan"))]}, "finite"),
    "nameless metric": ({"metrics": [Metric("", "higher", 0.0)]}, "metric ''"),
    "metric with a space": ({"metrics": [Metric("a b", "higher", 0.0)]}, "'a b'"),
    "metric that reads as a gate": ({"metrics": [Metric("a=1", "higher", 0.0)]}, "'a=1'"),
    "metric that reads as an average": ({"metrics": [Metric("a.micro", "higher", 0.0)]}, "'a.micro'"),
    "nameless": ({"name": ""}, "name"),
    "name that leaves the folder": ({"name": "../up"}, "'../up'"),
    "no score": ({"score": None}, "score(sample)"),
    "field without default": ({"__annotations__": {"size": int}}, "'size' needs a default"),
    "field that is a flag": ({"__annotations__": {"jobs": int}, "jobs": 1}, "'jobs'"),
    "field that is a signature part": ({"__annotations__": {"refs": str}, "refs": ""}, "'refs'"),
}


@pytest.mark.parametrize(("given", "told"), BAD.values(), ids=BAD)
def test_a_class_that_cannot_be_an_evaluator_is_refused_at_once(given: dict[str, Any], told: str) -> None:
    with pytest.raises(EngineError) as error:
        made(**given)
    assert told in str(error.value)


def test_metric_names_of_papers_are_taken() -> None:
    for name in ("CUS_improved", "F1@0.5", "∆TED", "상위.정확도"):
        assert spec_of(made(metrics=[Metric(name, "higher", 0.0)])).metrics[0].name == name


def test_a_subclass_is_no_evaluator_until_it_is_decorated() -> None:
    """Else it would score otherwise under the name and signature of its parent."""
    parent = made()
    child = type("Child", (parent,), {})
    for it in (child, child()):
        with pytest.raises(EngineError, match="Child is not an evaluator"):
            spec_of(it)


def test_an_instance_may_have_metrics_of_its_own() -> None:
    @evaluator("wide", metrics=ONE)
    class Wide:
        names: str = "score"

        def score(self, sample: Sample) -> Outcome:
            return Outcome({})

        def own_metrics(self) -> list[Metric]:
            return [Metric(name, "lower", worst=1.0) for name in self.names.split(",")]

    assert [metric.name for metric in spec_of(Wide).metrics] == ["score"]
    wider = spec_of(Wide(names="a,b"))
    assert ([metric.name for metric in wider.metrics], wider.name, wider.primary.name) == (["a", "b"], "wide", "a")
    for wrong in ("a,a", "a b", "a.micro"):
        with pytest.raises(EngineError, match="wide"):
            spec_of(Wide(names=wrong))


def test_what_is_no_evaluator_says_how_to_become_one() -> None:
    with pytest.raises(EngineError, match=r"@jatdae\.evaluator"):
        spec_of(object())


def test_fields_are_options_with_type_default_and_docstring(plugin: Callable[..., Any]) -> None:
    cls = type(plugin("kinds:Kinds"))
    options = {option.name: option for option in options_of(cls)}
    assert list(options) == [field.name for field in fields(cls)]
    assert options["truth"].help == "Yes or no."
    assert options["count"].help == "How many,\nwritten on two lines."
    assert (options["count"].type, options["count"].default) == (int, 3)
    assert options["names"].default == []
    assert [name for name, option in options.items() if option.is_file] == ["file", "files"]


def test_docstrings_of_fields_are_inherited() -> None:
    cls = evaluator("child", metrics=ONE)(Child)
    assert {option.name: option.help for option in options_of(cls)} == {"size": "How large.", "depth": "How deep."}


def test_a_class_without_source_has_fields_without_help() -> None:
    assert options_of(made(__annotations__={"size": "int"}, size=1))[0].help == ""


class Parent:
    """Fields to inherit."""

    size: int = 1
    """How large."""


class Child(Parent):
    """And one more."""

    size: int = 2
    depth: int = 3
    """How deep."""

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"score": 1.0})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cer", ("cer", "macro")),
        ("cer.macro", ("cer", "macro")),
        ("cer.micro", ("cer", "micro")),
        ("at@0.5", ("at@0.5", "macro")),
        ("at@0.5.micro", ("at@0.5", "micro")),
        ("cer.median", None),
        ("wer", None),
        ("cer.", None),
        (".micro", None),
        ("", None),
    ],
)
def test_a_gate_names_a_metric_and_an_average(text: str, found: tuple[str, str] | None) -> None:
    assert metric_and_average(text, ["cer", "at@0.5"]) == found


def test_errors_carry_their_exit_status() -> None:
    statuses = {error.__name__: error.exit_status for error in (JatdaeError, UsageError, DataError, EngineError)}
    assert statuses == {"JatdaeError": 2, "UsageError": 2, "DataError": 2, "EngineError": 3}


def test_a_parser_disturbed_by_another_thread_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Documented:
        depth: int = 0
        """How deep."""

    parse, calls = ast.parse, []

    def disturbed(*given: Any, **named: Any) -> Any:
        calls.append(given)
        if len(calls) < 3:
            raise SystemError("AST constructor recursion depth mismatch")
        return parse(*given, **named)

    monkeypatch.setattr("jatdae.core.evaluator.ast.parse", disturbed)
    assert attribute_docs(Documented) == {"depth": "How deep."}
