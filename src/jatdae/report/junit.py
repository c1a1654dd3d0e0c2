"""A run as a test report: a test per metric, and one per sample that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

from jatdae.core.contract import BASELINE
from jatdae.report.sheets import number, printable, system_label
from jatdae.run.stats.result import Result

Judge = Callable[[str, str], str | None]
"""(system, metric) → what is wrong with its value, or None; only gated metrics can be wrong."""


def to_junit(result: Result, judge: Judge | None = None) -> str:
    """A suite per system. A metric without a value is skipped unless its gate says otherwise; a sample fails by an
    issue of severity `error`."""
    root = ElementTree.Element("testsuites", name=f"jatdae {result.summary['evaluator']}")
    failed = _failed(result)
    for system, described in result.summary["systems"].items():
        suite = ElementTree.SubElement(root, "testsuite", name=printable(system_label(system)))
        for metric, entry in described["metrics"].items():
            about = result.summary["metrics"][metric]
            case = _case(suite, f"{result.summary['evaluator']}.metric", metric)
            ElementTree.SubElement(case, "system-out").text = number(entry["macro"], about["unit"])
            if told := judge and judge(system, metric):
                ElementTree.SubElement(case, "failure", message=printable(told))
            elif entry["macro"] is None:
                ElementTree.SubElement(case, "skipped", message="N/A")
        for name, issues in failed.get(system, []):
            case = _case(suite, f"{result.summary['evaluator']}.sample", name)
            for issue in issues:
                told = f"{issue['code']}: {issue['message']}" if issue["message"] else issue["code"]
                ElementTree.SubElement(case, "failure", message=printable(told), type=printable(issue["code"]))
        _count(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, kind: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=printable(kind), name=printable(name))


def _count(suite: ElementTree.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))


def _failed(result: Result) -> dict[str, list[tuple[str, list[dict[str, Any]]]]]:
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
