"""JUnit test report of a run: a test for each metric, and one for each sample that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

from jatdae.core.contract import BASELINE
from jatdae.core.evaluator import metric_and_average
from jatdae.core.messages import printable
from jatdae.run.gates import Gate, failed_gates
from jatdae.run.stats.result import Result
from jatdae.run.stats.shown import number, system_label


def to_junit(result: Result, gates: Sequence[Gate] = ()) -> str:
    """Report on a run as JUnit XML: a test suite for each system.

    A metric fails if it fails a gate, and is skipped if it is N/A and has no gate. A sample fails if it has an issue
    of severity `error`. If no system was scored, there is one suite, in which every gate fails.
    """
    summary = result.summary
    root = ElementTree.Element("testsuites", name=f"jatdae {summary['evaluator']}")
    failures: dict[str, dict[str, list[str]]] = {}
    for each in failed_gates(summary, gates):
        failures.setdefault(each.system or "", {}).setdefault(_gated(each.gate, summary), []).append(str(each))
    if not summary["systems"] and failures:
        suite = ElementTree.SubElement(root, "testsuite", name=printable(system_label("")))
        for metric, texts in failures[""].items():
            _fail(_case(suite, f"{summary['evaluator']}.metric", metric), "; ".join(texts))
        _count(suite)
    samples = _failed_samples(result)
    for system, described in summary["systems"].items():
        suite = ElementTree.SubElement(root, "testsuite", name=printable(system_label(system)))
        for metric, entry in described["metrics"].items():
            case = _case(suite, f"{summary['evaluator']}.metric", metric)
            shown = number(entry["macro"], summary["metrics"][metric]["unit"])
            ElementTree.SubElement(case, "system-out").text = shown
            if texts := failures.get(system, {}).get(metric, []):
                _fail(case, "; ".join(texts))
            elif entry["macro"] is None:
                ElementTree.SubElement(case, "skipped", message="N/A")
        for name in dict.fromkeys(gate.name for gate in gates if _gated(gate, summary) not in described["metrics"]):
            case = _case(suite, f"{summary['evaluator']}.rate", name)
            if texts := failures.get(system, {}).get(name, []):
                _fail(case, "; ".join(texts))
        for name, issues in samples.get(system, []):
            case = _case(suite, f"{summary['evaluator']}.sample", name)
            for issue in issues:
                text = f"{issue['code']}: {issue['message']}" if issue["message"] else issue["code"]
                _fail(case, text, issue["code"])
        _count(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _gated(gate: Gate, summary: dict[str, Any]) -> str:
    """The test that a gate is a part of: its metric, or the rate it names."""
    found = metric_and_average(gate.name, summary["metrics"])
    return found[0] if found else gate.name


def _case(suite: ElementTree.Element, kind: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=printable(kind), name=printable(name))


def _fail(case: ElementTree.Element, text: str, code: str = "") -> None:
    failure = ElementTree.SubElement(case, "failure", message=printable(text))
    if code:
        failure.set("type", printable(code))


def _count(suite: ElementTree.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))


def _failed_samples(result: Result) -> dict[str, list[tuple[str, list[dict[str, Any]]]]]:
    """By system: ids of samples with their issues of severity `error`."""
    found: dict[str, list[tuple[str, list[dict[str, Any]]]]] = {}
    for system, name, issues in _issues(result):
        errors = [issue for issue in issues if issue["severity"] == "error"]
        if errors and not system.startswith(BASELINE):
            found.setdefault(system, []).append((name, errors))
    return found


def _issues(result: Result) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    for table in result.tables:
        columns = (table.column(name).to_pylist() for name in ("system", "id", "issues"))
        yield from zip(*columns, strict=True)
