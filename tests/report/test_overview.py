"""First screen of a page: verdict in both languages, places in the picture, the worst samples with a reason, gates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import language
from jatdae.core.registry import find, working
from jatdae.report.overview import picture_of, shown_gates, unbroken, verdicts, worst_samples
from jatdae.report.samples import read_values
from jatdae.run.api import evaluate
from jatdae.run.gates import read_gates
from jatdae.run.stats.result import Result


@pytest.fixture
def two(plugin: Callable[..., Any]) -> Result:
    """Two systems: `a` is right in all but every fifth sample, `b` in every second."""
    samples = [
        Sample(f"s{at}", "x" if at % every == 0 else "0", "0", system=name)
        for name, every in (("a", 5), ("b", 2))
        for at in range(40)
    ]
    return evaluate(samples, plugin("shown:Shown"))


def test_the_verdict_is_said_in_every_language_of_the_page(two: Result) -> None:
    said = verdicts(two.summary, [])
    assert said["en"].startswith("a has the best same: 80.00\u00a0%")
    assert said["ko"].startswith("same 값은 a 시스템이 가장 좋습니다")
    assert language() == "en"


def test_a_run_without_systems_has_no_verdict(two: Result) -> None:
    assert verdicts({**two.summary, "systems": {}}, []) == {}


def test_means_and_intervals_stand_on_one_axis_in_the_order_of_the_run(two: Result) -> None:
    picture = picture_of(two.summary)
    assert [mark.name for mark in picture.marks] == ["a", "b"]
    a, b = picture.marks
    assert 0 <= b.ends[0] < b.x < b.ends[1] <= a.ends[1] <= 100
    assert a.ends[0] < a.x < a.ends[1]
    assert picture.ticks[0][0] == 0
    assert picture.ticks[-1][0] == 100
    assert (a.value, b.value) == ("80.00 %", "50.00 %")


def test_a_lone_system_is_placed_by_what_its_metric_can_be(plugin: Callable[..., Any]) -> None:
    samples = [Sample(str(at), "x", f"0.9{at}") for at in range(5)]
    picture = picture_of(evaluate(samples, plugin("letters:Letters")).summary)
    assert [text for _, text in picture.ticks][::4] == ["0.00", "1.00"]
    assert picture.marks[0].x == pytest.approx(92.0)


def test_a_baseline_beyond_the_systems_stands_at_the_edge(plugin: Callable[..., Any]) -> None:
    samples = [
        Sample(f"{at}", "x" if at < wrong else "r", "r", system=f"m{wrong}") for wrong in (10, 9) for at in range(40)
    ]
    picture = picture_of(evaluate(samples, plugin("beaten:Beaten")).summary)
    marks = {mark.name: mark for mark in picture.marks if mark.system is None}
    assert (marks["copy"].beyond, marks["copy"].x) == ("right", 100)
    assert (marks["empty"].beyond, marks["empty"].x) == ("left", 0)
    assert marks["empty"].ends is None
    assert [mark.beyond for mark in picture.marks if mark.system is not None] == ["", ""]


def test_a_system_without_a_value_has_no_place(plugin: Callable[..., Any]) -> None:
    summary = evaluate([Sample("1", "x", "none")], plugin("letters:Letters")).summary
    (mark,) = picture_of(summary).marks
    assert (mark.x, mark.value) == (None, "N/A")


def worst(plugin: Callable[..., Any], samples: list[Sample], **config: Any) -> list[Any]:
    result = evaluate(samples, plugin("letters:Letters", **config))
    return worst_samples(result, read_values(result))


def test_the_worst_samples_are_five_different_ones_with_their_worst_system(plugin: Callable[..., Any]) -> None:
    given = {"a": [0.5, 0.1, 0.4, 0.6, 0.7, 0.8], "b": [0.2, 0.15, 0.9, 0.9, 0.9, 0.95]}
    samples = [Sample(f"s{at}", "ab", str(v), system=name) for name, vs in given.items() for at, v in enumerate(vs)]
    found = worst(plugin, samples)
    assert [(each.id, each.system, each.value) for each in found] == [
        ("s1", 0, "0.1000"), ("s0", 1, "0.2000"), ("s2", 0, "0.4000"), ("s3", 0, "0.6000"), ("s4", 0, "0.7000"),
    ]  # fmt: skip
    assert found[0].address == "#sample=s1&system=a"


def test_a_perfect_sample_and_one_without_a_value_are_none_of_the_worst(plugin: Callable[..., Any]) -> None:
    found = worst(plugin, [Sample("p", "a", "1"), Sample("n", "a", "none"), Sample("w", "a", "0.5")])
    assert [each.id for each in found] == ["w"]
    lower = [Sample("p", "a", "0"), Sample("w", "a", "0.5")]
    assert [each.id for each in worst(plugin, lower, better="lower")] == ["w"]


def test_the_reason_is_what_went_wrong_most_often(plugin: Callable[..., Any]) -> None:
    (found,) = worst(plugin, [Sample("한 글/&", "abbC", "0.5")])
    assert (found.mistake.table, found.mistake.key, found.issue) == ("wrong", "b", "")
    assert found.address == "#sample=%ED%95%9C%20%EA%B8%80%2F%26"
    (named,) = worst(plugin, [Sample("1", "aa", "0.5")])
    assert named.mistake.name == "the first"


def test_an_error_is_a_better_reason_than_a_mistake(plugin: Callable[..., Any]) -> None:
    (missing,) = worst(plugin, [Sample("1", None, "0.5")])
    assert (missing.issue, missing.mistake) == ("missing_prediction", None)


def test_gates_are_shown_with_what_failed_them(two: Result) -> None:
    gates = read_gates(["same=60%"], ["longer=0.9"], two.summary)
    met, failed = sorted(shown_gates(two.summary, gates), key=lambda gate: len(gate.failures))
    assert (met.name, met.sign, met.limit, met.failures) == ("longer", "≤", "0.9000", [])
    assert (failed.name, failed.sign, failed.limit) == ("same", "≥", "60.00 %")
    assert failed.failures == [("b", "50.00 %")]


def test_a_gate_on_a_key_that_nothing_has_is_left_to_the_command(plugin: Callable[..., Any]) -> None:
    summary = evaluate([Sample("1", "aB", "1")], plugin("letters:Letters")).summary
    gates = read_gates([], ["letter:a=0.5", "letter:q=0.5"], summary)
    assert [(gate.name, gate.failures) for gate in shown_gates(summary, gates)] == [("letter:a", [("", "100.00 %")])]


def test_a_run_of_before_has_counts_without_a_table_of_them(plugin: Callable[..., Any]) -> None:
    result = evaluate([Sample("1", "aB", "0.5")], plugin("letters:Letters"))
    old = replace(result, summary={key: value for key, value in result.summary.items() if key != "counts"})
    assert worst_samples(old, read_values(old))[0].mistake is None


def test_no_line_ends_inside_a_number_of_the_verdict() -> None:
    said = unbroken("B is better than A by 0.69 pp [0.18, 1.18] in cer, p = .007; n = 1,200. p < .001, p ≤ .02, 5 %.")
    assert said.replace("\u00a0", "_") == (
        "B is better than A by 0.69_pp [0.18, 1.18] in cer, p_=_.007; n_=_1,200. p_<_.001, p_≤_.02, 5_%."
    )


TABLE = "|a|b|\n|---|---|\n|1|2|\n|3|4|\n"
BARE = "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"
CITED = "# A\n\nThe text itself has one erratum.\n\n# References\n\n" + "".join(
    f"[{at}] A. Author, A title of some length, Journal {at}, 199{at}.\n" for at in range(1, 7)
)


@pytest.mark.parametrize(
    ("evaluator", "prediction", "reference", "cause"),
    [
        # One table is missing; the two header cells of the other are not what TEDS counts.
        ("tables", BARE, f"{TABLE}\ntext\n\n{TABLE}", ("table_errors", "missed")),
        # body_cer leaves the bibliography out, however much of it is wrong.
        (
            "text",
            CITED.replace("erratum", "errotum").replace("Author", "Autor").replace("title", "tittle"),
            CITED,
            ("where.substitutions", "body"),
        ),
        # An extra field does not lower exact_accuracy.
        ("structured", {"a": 1, "c": 5, "d": 6}, {"a": 2}, ("fields.mismatch", "a")),
    ],
)
def test_the_cause_beside_a_worst_sample_is_one_that_its_metric_counts(
    evaluator: str, prediction: Any, reference: Any, cause: tuple[str, str]
) -> None:
    result = evaluate([Sample("s", prediction, reference)], evaluator)
    (found,) = worst_samples(result, read_values(result))
    assert (found.mistake.table, found.mistake.key) == cause


@pytest.mark.parametrize("name", working())
def test_causes_name_count_tables_of_errors(name: str) -> None:
    spec = spec_of(find(name))
    errors = {count.name for count in spec.counts if count.error}
    for metric in spec.metrics:
        assert {cause.split(":")[0] for cause in metric.causes or ()} <= errors, metric.name
