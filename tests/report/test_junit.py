"""JUnit: a test per metric, one per failed sample, readable by any XML parser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from jatdae.core.contract import Sample
from jatdae.report.junit import to_junit
from jatdae.run.api import evaluate
from jatdae.run.gates import OVER, UNDER, Gate
from jatdae.run.stats.result import Result


def cases(text: str) -> dict[str, ElementTree.Element]:
    return {case.attrib["name"]: case for case in ElementTree.fromstring(text).iter("testcase")}


def test_failed_samples_fail_and_others_are_not_mentioned(plugin: Callable[..., Any]) -> None:
    text = to_junit(evaluate([Sample("good", "a", "a"), Sample("bad", "b", "a")], plugin("shown:Shown")))
    suite = ElementTree.fromstring(text)[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "0")
    assert list(cases(text)) == ["same", "longer", "bad"]
    failure = cases(text)["bad"].find("failure")
    assert failure is not None
    assert failure.get("message") == "told: b"


def test_a_gated_metric_fails_and_one_without_a_value_is_skipped(plugin: Callable[..., Any]) -> None:
    result = evaluate([{"prediction": "a", "reference": None}], plugin("shown:Shown"))
    found = cases(to_junit(result, [Gate("same", UNDER, 0.5)]))
    failure = found["same"].find("failure")
    assert failure is not None
    assert failure.get("message") == "Gate failed: all: same = N/A"
    assert found["longer"].find("skipped") is not None


def test_gates_fail_where_no_system_was_scored(plugin: Callable[..., Any]) -> None:
    result = evaluate([], plugin("shown:Shown"))
    assert cases(to_junit(result)) == {}
    (suite,) = ElementTree.fromstring(to_junit(result, [Gate("same", UNDER, 0.5), Gate("longer.micro", OVER, 1.0)]))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    failures = [failure.get("message") for failure in suite.iter("failure")]
    assert failures == [
        "Gate failed: same: no system was scored",
        "Gate failed: longer.micro: no system was scored",
    ]


def test_hostile_texts_are_texts(hostile: Result) -> None:
    root = ElementTree.fromstring(to_junit(hostile))
    assert len(root) == 2
    assert {node.tag for node in root.iter()} == {"testsuites", "testsuite", "testcase", "failure", "system-out"}
