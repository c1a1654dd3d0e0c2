"""Commands beside `run EVALUATOR`: list, doctor, demo, schema, suites, and the language of all."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from jatdae.core import registry
from jatdae.core.version import VERSION


def only(*pairs: tuple[str, str]) -> list[EntryPoint]:
    registry.available.cache_clear()
    return [EntryPoint(name, value, registry.GROUP) for name, value in pairs]


def test_evaluators_are_listed_with_metrics_and_settings(jatdae: Callable[..., Any]) -> None:
    ended = jatdae("list")
    assert ended.status == 0
    assert "exact ↑, gap ↓" in ended.out
    marks = json.loads(jatdae("list", "--json").out)["marks"]
    assert marks["settings"]["casefold"] == {
        "type": ["boolean"],
        "default": False,
        "help": "Whether upper and lower case are the same.",
    }
    assert [metric["primary"] for metric in marks["metrics"]] == [True, False]


def test_a_broken_package_is_told_of_in_the_list(jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    entries = only(("marks", "marks:Marks"), ("lost", "no_such_module:Lost"))
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    ended = jatdae("list")
    assert ended.status == 0
    assert "no_such_module: cannot be loaded" in " ".join(ended.out.split())
    assert "marks" in jatdae("run").out
    assert jatdae("run", "lost", "x.jsonl").status == 2


def test_two_packages_with_one_name_are_refused_where_it_is_asked_for(
    jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = only(("marks", "marks:Marks"), ("marks", "other:Marks"))
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    said = "define the evaluator 'marks': marks:Marks and other:Marks"
    listed = jatdae("list")
    assert listed.status == 0
    assert said in " ".join(listed.out.split())
    asked = jatdae("run", "marks", "x.jsonl")
    assert asked.status == 2
    assert said in asked.err


def test_doctor_says_what_is_there(jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.loads(jatdae("doctor", "--json").out)
    assert told["versions"]["jatdae"] == VERSION
    assert told["evaluators"] == ["kinds", "marks"]
    assert set(told["kernels"].values()) <= {"native", "python"}
    assert told["modules"] in ("compiled", "source")
    from jatdae.cli import doctor

    for there, note in ((object(), False), (None, True)):
        monkeypatch.setattr(doctor, "native", lambda name, there=there: there)
        monkeypatch.setattr(doctor, "kernel", lambda there=there: "native" if there else "python")
        shown = jatdae("doctor").out
        assert ("native (C++)" in shown, "install a C++ compiler" in shown) == (not note, note)


OWN = """
from jatdae import Metric, Outcome, evaluator
@evaluator("own", metrics=[Metric("score", "higher", worst=0.0)])
class Own:
    def score(self, sample):
        return Outcome({"score": 0.25})
"""


def test_the_demo_scores_bundled_samples(
    jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, write: Callable[..., str], tmp_path: Path
) -> None:
    """An evaluator in a file alone, or in a package without samples, is passed over."""
    for package in ("demo_full", "demo_bare"):
        write(f"{package}/__init__.py", "")
        write(f"{package}/own.py", OWN)
    write("demo_full/samples/pairs.jsonl", [{"prediction": "a", "reference": "a"}])
    monkeypatch.syspath_prepend(tmp_path)
    entries = only(("bare", "demo_bare.own:Own"), ("file", "marks:Marks"), ("full", "demo_full.own:Own"))
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    ended = jatdae("demo", "--out", "shown", "--json")
    assert ended.status == 0
    (run,) = json.loads(ended.out)
    assert (run["run"], run["systems"][""]["metrics"]["score"]["macro"]) == ("shown/full", 0.25)
    assert "score ↑" in jatdae("demo").out
    assert Path("runs/demo/full/summary.json").is_file()


def test_schemas_are_printed(jatdae: Callable[..., Any]) -> None:
    suite = json.loads(jatdae("schema", "suite").out)
    jsonschema_rs.meta.validate(suite)
    assert list(suite["properties"]["evaluators"]["properties"]) == ["kinds", "marks"]
    marks = json.loads(jatdae("schema", "marks").out)
    assert jsonschema_rs.is_valid(marks, {"casefold": True})
    assert not jsonschema_rs.is_valid(marks, {"casefolt": True})
    ended = jatdae("schema", "siute")
    assert ended.status == 2
    assert "Unknown schema 'siute'. Did you mean 'suite'? Schemas: suite, kinds, marks." in ended.err


SUITE = """
name: nightly
datasets:
  one: {pairs: {first: pairs.jsonl}}
  two: {pairs: {second: pairs.jsonl}, slices: [lang]}
evaluators:
  marks:
    fail_under: {exact: 0.5}
    datasets: [one]
  kinds: {}
"""


def test_a_suite_runs_judges_and_lists_its_runs(
    jatdae: Callable[..., Any], pairs: str, write: Callable[..., str]
) -> None:
    write("suite.yaml", SUITE)
    ended = jatdae("run", "suite.yaml", "--json", "--jobs", "1")
    assert ended.status == 1
    listed = json.loads(ended.out)
    assert [each["run"] for each in listed] == [
        "runs/nightly/one/marks", "runs/nightly/one/kinds", "runs/nightly/two/kinds",
    ]  # fmt: skip
    assert [len(each["gates_failed"]) for each in listed] == [1, 0, 0]
    assert "one · marks" in ended.err
    shown = jatdae("run", "suite.yaml", "--out", "elsewhere")
    assert shown.out.count("Run written to elsewhere/nightly") == 3
    assert "By lang" in shown.out


def test_a_suite_of_one_is_a_list_of_one(jatdae: Callable[..., Any], pairs: str, write: Callable[..., str]) -> None:
    write("suite.yml", "name: x\ndatasets: {d: {pairs: {s: pairs.jsonl}}}\nevaluators: {marks: }\n")
    (run,) = json.loads(jatdae("run", "suite.yml", "--json").out)
    assert run["run"] == "runs/x/marks"


def test_a_suite_that_is_off_ends_with_2(jatdae: Callable[..., Any], pairs: str, write: Callable[..., str]) -> None:
    write("suite.yaml", SUITE.replace("fail_under", "fail_udner"))
    bad = jatdae("run", "suite.yaml")
    assert (bad.status, bad.out) == (2, "")
    assert "suite.yaml:8 (evaluators.marks.fail_udner)" in bad.err
    write("suite.yaml", SUITE)
    assert "--jobs 0" in jatdae("run", "suite.yaml", "--jobs", "0").err
    assert not Path("runs").exists()


def test_a_suite_loads_plug_ins_only_where_allowed(
    jatdae: Callable[..., Any], pairs: str, write: Callable[..., str]
) -> None:
    example = Path(__file__).parents[2] / "examples" / "exact_match.py"
    write("suite.yaml", f"name: x\nplugins: {{own: '{example}:ExactMatch'}}\n"
          "datasets: {d: {pairs: {s: pairs.jsonl}}}\nevaluators: {own: }\n")  # fmt: skip
    refused = jatdae("run", "suite.yaml")
    assert refused.status == 2
    assert "--allow-plugins" in refused.err
    assert jatdae("run", "suite.yaml", "--allow-plugins").status == 0


def test_everything_speaks_korean(jatdae: Callable[..., Any], pairs: str) -> None:
    ended = jatdae("--lang", "ko", "run", "marks", pairs, "--fail-under", "exact=1")
    assert ended.status == 1
    assert "지표" in ended.out
    assert "예측이 없어 가장 나쁜 값을 주었습니다" in ended.out
    assert "기준 미달" in ended.err
    assert jatdae("run", "makrs", "--lang=ko").err.startswith(
        "오류: 'makrs'은(는) 파일도 평가기도 아닙니다. 혹시 'marks'인가요?"
    )


def test_the_locale_chooses_the_language(jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    assert "평가기" in jatdae("list").out


LANGUAGES = {
    "near": (["--lang", "kr", "list"], "--lang 'kr': unknown language. Did you mean 'ko'? Languages: en, ko."),
    "far": (["--lang=fr", "list"], "--lang 'fr': unknown language. Languages"),
    "nothing": (["list", "--lang"], "--lang '': unknown"),
    "empty": (["--lang=", "list"], "--lang '': unknown"),
}


@pytest.mark.parametrize(("arguments", "told"), LANGUAGES.values(), ids=LANGUAGES)
def test_an_unknown_language_is_refused(jatdae: Callable[..., Any], arguments: list[str], told: str) -> None:
    ended = jatdae(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert told in ended.err


def test_help_and_version_end_well(jatdae: Callable[..., Any]) -> None:
    for arguments in (
        [],
        ["--help"],
        ["run", "--help"],
        ["run", "marks", "--help"],
        ["report", "-h"],
        ["compare", "--help"],
    ):
        ended = jatdae(*arguments)
        assert (ended.status, ended.err) == (0, "")
        assert ended.out.startswith("Usage: jatdae")
    for arguments in (["--version"], ["--version", "--lang", "ko"]):
        assert jatdae(*arguments) == (0, f"jatdae {VERSION}\n", "")


def test_an_unknown_command_is_told_with_a_near_one(jatdae: Callable[..., Any]) -> None:
    ended = jatdae("lst")
    assert (ended.status, ended.out) == (2, "")
    assert "Did you mean 'list'?" in ended.err
