"""`jatdae run`: inputs, flags, gates, `--only` and `--skip`, and what is printed where."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import fields
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli.run import ChoiceFlags, InputFlags, OutputFlags, RunFlags
from jatdae.core.registry import GROUP

EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'exact_match.py'}:ExactMatch"


def test_a_run_prints_its_numbers_signature_and_folder(jatdae: Callable[..., Any], pairs: str) -> None:
    ended = jatdae("run", "marks", pairs, "--jobs", "1")
    assert ended.status == 0
    assert "exact ↑  33.33 %" in ended.out
    assert "| marks | casefold:no | source:" in ended.out
    assert "missing_prediction" in ended.out
    folder = Path(ended.out.rpartition("Run written to ")[2].partition(";")[0])
    assert folder.parts[0] == "runs"
    assert folder.name.startswith("marks-")
    assert (folder / "summary.json").is_file()


def test_json_is_alone_on_standard_output(jatdae: Callable[..., Any], pairs: str) -> None:
    ended = jatdae("run", "marks", pairs, "--json", "--out", "here", "--slice", "lang", "--fail-under", "exact=0.9")
    printed = json.loads(ended.out)
    assert ended.status == 1
    assert printed["run"] == "here"
    assert printed["systems"][""]["metrics"]["exact"]["macro"] == pytest.approx(1 / 3)
    assert list(printed["systems"][""]["slices"]["lang"]) == ["en", "ko"]
    assert printed["gates_failed"] == ["Gate failed: all: exact = 33.33 % < 90.00 %"]
    assert "Gate failed: all: exact" in ended.err
    assert printed == {
        "run": "here",
        **json.loads(Path("here/summary.json").read_text()),
        "gates_failed": printed["gates_failed"],
    }


GATES = {
    "above is fine": (["--fail-under", "exact=0.3"], 0),
    "equal is fine": (["--fail-under", "exact=0.3333333333333333", "--fail-over", "gap=0.33333333333333337"], 0),
    "below fails": (["--fail-under", "exact=0.5"], 1),
    "over fails": (["--fail-over", "gap=0.1"], 1),
    "one of two fails": (["--fail-under", "exact=0.1", "--fail-over", "gap=0.2"], 1),
    "micro": (["--fail-under", "exact.micro=0.3"], 0),
    "micro fails": (["--fail-under", "exact.micro=0.5"], 1),
    "macro by name": (["--fail-under", "exact.macro=0.5"], 1),
    "not applicable fails": (["--fail-over", "gap.micro=100"], 1),
    "unknown metric": (["--fail-under", "exakt=0.5"], 2),
    "unknown average": (["--fail-under", "exact.median=0.5"], 2),
    "not a number": (["--fail-under", "exact=much"], 2),
    "nan": (["--fail-under", "exact=nan"], 2),
    "infinity": (["--fail-over", "exact=inf"], 2),
    "no value": (["--fail-under", "exact"], 2),
    "given twice": (["--fail-under", "exact=0.1", "--fail-under", "exact=0.9"], 2),
}


@pytest.mark.parametrize(("flags", "status"), GATES.values(), ids=GATES)
def test_gates_decide_the_exit_status(jatdae: Callable[..., Any], pairs: str, flags: list[str], status: int) -> None:
    ended = jatdae("run", "marks", pairs, *flags)
    assert ended.status == status, ended.err
    assert ("Gate failed" in ended.err) == (status == 1)
    assert Path("runs").exists() == (status < 2), "a bad gate is refused before anything runs"


def test_a_metric_without_a_value_fails_its_gate(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    ended = jatdae("run", "marks", write("p.jsonl", [{"prediction": "a", "reference": ""}]), "--fail-over", "gap=9")
    assert ended.status == 1
    assert "Gate failed: all: gap = N/A" in ended.err


def test_every_system_has_to_pass(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    good = write("good.jsonl", [{"id": "1", "prediction": "a", "reference": "a"}])
    bad = write("bad.jsonl", [{"id": "1", "prediction": "b", "reference": "a"}])
    ended = jatdae("run", "marks", good, bad, "--fail-under", "exact=0.5")
    assert ended.status == 1
    assert "Gate failed: bad: exact = 0.00 % < 50.00 %" in ended.err
    assert "good: exact" not in ended.err


def test_systems_are_named_by_flag_or_by_file(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    ref = write("ref.jsonl", [{"id": "1", "reference": "a"}])
    pred = write("sub/pred.jsonl", [{"id": "1", "prediction": "a"}])
    both = [{"id": "1", "prediction": "a", "reference": "a"}]
    inputs = {
        ("",): ["--pred", pred, "--ref", ref],
        ("x", "y/z"): ["--ref", ref, "--system", f"x={pred}", "--system", f"y/z={pred}"],
        ("one", "two"): [write("one.jsonl", both), write("two.v1.jsonl", both)],
        (write("a/same.jsonl", both), write("b/same.jsonl", both)): ["a/same.jsonl", "b/same.jsonl"],
    }
    for at, (names, flags) in enumerate(inputs.items()):
        given = [str(Path(flag)) if Path(flag).exists() else flag for flag in flags]
        ended = jatdae("run", "marks", *given, "--json", "--out", f"out{at}")
        assert [Path(name).name for name in json.loads(ended.out)["systems"]] == [Path(name).name for name in names]


CALLS = {
    "nothing to read": (["marks"], "Give --pred and --ref"),
    "pairs and references": (["marks", "{pairs}", "--ref", "{pairs}"], "either files of pairs"),
    "two ways to predict": (
        ["marks", "--pred", "{pairs}", "--system", "a={pairs}", "--ref", "{pairs}"],
        "either --pred",
    ),
    "a system without a path": (["marks", "--system", "a", "--ref", "{pairs}"], "--system a: write it as NAME=VALUE"),
    "a system twice": (["marks", "--system", "a=x", "--system", "a=y", "--ref", "{pairs}"], "'a' is given twice"),
    "a file twice": (["marks", "{pairs}", "{pairs}"], "The same file is given twice"),
    "no such file": (["marks", "none.jsonl"], "none.jsonl: no such file"),
    "no jobs": (["marks", "{pairs}", "--jobs", "0"], "--jobs 0: must be 1 or more"),
    "fewer than no jobs": (["marks", "{pairs}", "--jobs", "-3"], "--jobs -3"),
    "dask without address": (["marks", "{pairs}", "--engine", "dask"], "--scheduler ADDRESS"),
    "address without dask": (["marks", "{pairs}", "--scheduler", "tcp://x:1"], "--engine dask"),
    "half a certificate": (
        ["marks", "{pairs}", "--tls-ca", "ca.pem"],
        "Use --tls-ca, --tls-cert and --tls-key together",
    ),
    "unknown evaluator": (["makrs", "{pairs}"], "not a file or an evaluator. Did you mean 'marks'?"),
    "file for evaluator": (["{pairs}"], "Put the evaluator before it: jatdae run EVALUATOR"),
    "unknown flag": (["marks", "{pairs}", "--casefolt"], "Did you mean '--casefold'?"),
    "flag of another": (["marks", "{pairs}", "--share", "1"], "Unknown option '--share'"),
    "unknown metric": (
        ["marks", "{pairs}", "--fail-under", "exakt=1"],
        "--fail-under exakt=1: unknown metric 'exakt'. Did you mean 'exact'?",
    ),
    "unknown choice": (["marks", "{pairs}", "--missing", "ignore"], "--missing"),
    "unknown field": (["marks", "{pairs}", "--prediction-field", "predicton"], "Did you mean 'prediction'?"),
    "wrong value": (["kinds", "{pairs}", "--count", "many"], "--count"),
    "bad pair of a table": (["kinds", "{pairs}", "--weights", "a"], "--weights a: write it as NAME=VALUE"),
    "pair of a table twice": (
        ["kinds", "{pairs}", "--weights", "a=1", "--weights", "a=2"],
        "--weights: 'a' is given twice",
    ),
    "bad value of a table": (["kinds", "{pairs}", "--weights", "a=x"], "weights.a: must be a number, not 'x'"),
    "not finite": (["kinds", "{pairs}", "--share", "nan"], "share = nan"),
    "plug-in missing": (["--plugin", "none.py:X", "{pairs}"], "none.py: no such plug-in file"),
    "plug-in not written right": (["--plugin=none.py", "{pairs}"], "--plugin none.py: write it as FILE.py:Class"),
    "suite missing": (["none.yaml"], "none.yaml: cannot be read"),
    "flag first": (["--out", "x", "marks", "{pairs}"], "Put the command before --out. Commands: kinds, marks."),
}


@pytest.mark.parametrize(("arguments", "told"), CALLS.values(), ids=CALLS)
def test_a_call_that_is_off_ends_with_2_and_says_why(
    jatdae: Callable[..., Any], pairs: str, arguments: list[str], told: str
) -> None:
    ended = jatdae("run", *(argument.format(pairs=pairs) for argument in arguments))
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("error: ")
    assert told in ended.err.replace('"', "")
    assert "Traceback" not in ended.err


def test_fields_are_flags_with_their_docstrings_as_help(jatdae: Callable[..., Any]) -> None:
    ended = jatdae("run", "kinds", "--help")
    assert ended.status == 0
    shown = ["Settings of kinds", "--truth", "--no-truth", "Yes or no.", "--count", "How many, written on two lines."]
    shown += ["[default: 3]", "--choice", "[choices: first, second]", "--weights", "Numbers by name.", "--files"]
    assert [text for text in shown if text not in ended.out] == []
    assert '[default: ""]' not in ended.out
    assert "--empty" not in ended.out


def test_flags_reach_the_evaluator(jatdae: Callable[..., Any], pairs: str, write: Callable[..., str]) -> None:
    write("list.txt", "x")
    flags = [
        "--truth",
        "--count",
        "4",
        "--choice",
        "second",
        "--shade",
        "pale",
        "--steps",
        "b",
        "--steps",
        "a",
        "--names",
        "n",
        "--weights",
        "a=b=0.5",
    ]
    flags += ["--file", "list.txt", "--files", "list.txt"]
    assert jatdae("run", "kinds", pairs, *flags, "--out", "here").status == 0
    assert json.loads(Path("here/manifest.json").read_text())["config"] == {
        "truth": True, "count": 4, "share": 0.5, "word": "plain", "choice": "second", "shade": "pale",
        "steps": ["b", "a"], "names": ["n"], "marks": [], "weights": {"a=b": 0.5}, "file": "list.txt",
        "files": ["list.txt"],
    }  # fmt: skip


def test_a_plug_in_is_named_or_stands_alone(jatdae: Callable[..., Any], pairs: str) -> None:
    ways = (["--plugin", EXAMPLE, pairs], [pairs, f"--plugin={EXAMPLE}"], ["exact-match", pairs, "--plugin", EXAMPLE])
    outputs = {jatdae("run", *way, "--casefold").out for way in ways}
    assert len(outputs) == 1
    assert "exact ↑  66.67 %" in outputs.pop()


def test_the_same_command_goes_on_and_another_is_refused(jatdae: Callable[..., Any], pairs: str) -> None:
    first = jatdae("run", "marks", pairs, "--out", "here")
    assert jatdae("run", "marks", pairs, "--out", "here").out == first.out
    refused = jatdae("run", "marks", pairs, "--out", "here", "--casefold")
    assert refused.status == 2
    assert "here contains a different run. What differs: casefold:yes" in refused.err
    assert jatdae("run", "marks", pairs, "--out", "here", "--casefold", "--overwrite").status == 0


def test_a_run_that_goes_on_says_so(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    row = {"prediction": "a", "reference": "a"}
    one, two = write("one.jsonl", [row]), write("two.jsonl", [row])
    first = jatdae("run", "marks", one, two, "--out", "here")
    (part, _) = sorted(Path("here/parts").iterdir())
    part.unlink()
    again = jatdae("run", "marks", one, two, "--out", "here")
    assert again.out == first.out
    assert "Parts already done: 1." in again.err


def test_an_evaluator_that_fails_ends_with_3(jatdae: Callable[..., Any], write: Callable[..., str]) -> None:
    write("own.py", "from jatdae import *\n@evaluator('own', metrics=[Metric('m', 'higher', 0.0)])\nclass Own:\n"
          "  def score(self, sample): return 1 / 0\n")  # fmt: skip
    path = write("p.jsonl", [{"id": "x1", "prediction": "a", "reference": "a"}])
    ended = jatdae("run", "--plugin", "own.py:Own", path)
    assert ended.status == 3
    assert "own failed on sample 'x1': ZeroDivisionError" in ended.err


def test_a_plug_in_that_changes_during_its_run_is_refused(
    jatdae: Callable[..., Any], write: Callable[..., str]
) -> None:
    write("own.py", "from jatdae import *\n@evaluator('own', metrics=[Metric('m', 'higher', 0.0)])\nclass Own:\n"
          "  def score(self, sample):\n    open('own.py', 'a').write('#')\n    return Outcome({'m': 1})\n")  # fmt: skip
    row = {"prediction": "a", "reference": "a"}
    ended = jatdae("run", "--plugin", "own.py:Own", write("1.jsonl", [row]), write("2.jsonl", [row]), "--jobs", "1")
    assert ended.status == 2
    assert "own.py:Own has changed since the run started. Start again with --overwrite." in ended.err


def test_without_an_evaluator_help_lists_them(jatdae: Callable[..., Any]) -> None:
    ended = jatdae("run")
    assert ended.status == 0
    assert "marks" in ended.out
    assert "kinds" in ended.out


def test_a_plain_address_elsewhere_is_warned_of(
    jatdae: Callable[..., Any], pairs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jatdae.cli import run

    monkeypatch.setattr(run, "execute", lambda *given, **named: (_ for _ in ()).throw(KeyboardInterrupt))
    ended = jatdae("run", "marks", pairs, "--engine", "dask", "--scheduler", "tcp://203.0.113.5:8786")
    assert "tcp://203.0.113.5:8786 is not encrypted" in ended.err
    quiet = jatdae("run", "marks", pairs, "--engine", "dask", "--scheduler", "tls://203.0.113.5:8786")
    assert "is not encrypted" not in quiet.err


@pytest.mark.parametrize(
    "address",
    ["garbage", "tcp://", "tcp://host", "http://x:80", "tcp://localhost:99999", "localhost:0", "localhost:abc", ":::",
     "tcp://localhost:8786/x", "::1:8786", "a b:1"],
)  # fmt: skip
def test_what_is_no_address_is_told_with_its_flag(address: str, jatdae: Callable[..., Any], pairs: str) -> None:
    ended = jatdae("run", "marks", pairs, "--engine", "dask", "--scheduler", address)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == (
        f"error: --scheduler {address}: not an address of a Dask scheduler. "
        "Write HOST:PORT, tcp://HOST:PORT or tls://HOST:PORT.\n"
    )


@pytest.mark.parametrize("flag", ["--tls-ca", "--tls-cert", "--tls-key"])
def test_a_certificate_that_is_a_pipe_is_refused_with_its_flag_and_never_waited_for(
    flag: str, jatdae: Callable[..., Any], pairs: str, security: Path
) -> None:
    files = {f"--tls-{name}": str(security / name) for name in ("ca", "cert", "key")}
    os.mkfifo("pipe")
    for given, said in (
        ("pipe", "a device or a pipe"),
        ("none.pem", "cannot be read (no such file or folder)"),
        (pairs, "not the private key of" if flag == "--tls-key" else "not a certificate in PEM format"),
    ):
        names = [word for pair in {**files, flag: given}.items() for word in pair]
        ended = jatdae("run", "marks", pairs, "--engine", "dask", "--scheduler", "tls://localhost:8786", *names)
        assert (ended.status, ended.out) == (2, "")
        assert f"{flag} {given}: {said}" in ended.err


def test_certificates_for_an_address_that_is_not_encrypted_are_refused(
    jatdae: Callable[..., Any], pairs: str, security: Path
) -> None:
    names = [word for name in ("ca", "cert", "key") for word in (f"--tls-{name}", str(security / name))]
    ended = jatdae("run", "marks", pairs, "--engine", "dask", "--scheduler", "tcp://localhost:8786", *names)
    assert ended.status == 2
    assert "--scheduler tcp://localhost:8786: not an encrypted address, but certificates are given" in ended.err


@pytest.fixture
def security(tmp_path: Path) -> Path:
    """A folder with certificates."""
    pytest.importorskip("cryptography")
    made = pytest.importorskip("distributed").security.Security.temporary()
    for name, attribute in (("ca", "tls_ca_file"), ("cert", "tls_client_cert"), ("key", "tls_client_key")):
        (tmp_path / name).write_text(getattr(made, attribute), "ascii")
    return tmp_path


@pytest.fixture
def two_systems() -> None:
    """References, and the predictions of two systems."""
    for name in ("gold", "one", "two"):
        Path(f"{name}.jsonl").write_text('{"id": "a", "prediction": "x", "reference": "x"}\n')


TWO_SYSTEMS = (
    "run",
    "marks",
    "--ref",
    "gold.jsonl",
    "--system",
    "one=one.jsonl",
    "--system",
    "two=two.jsonl",
    "--jobs",
    "1",
)


@pytest.mark.usefixtures("two_systems")
@pytest.mark.parametrize(
    "choice", [("--only", "two"), ("--skip", "one"), ("--only", "one", "--only", "two", "--skip", "one")]
)
def test_only_the_chosen_systems_are_run(choice: tuple[str, ...], jatdae: Callable[..., Any]) -> None:
    ended = jatdae(*TWO_SYSTEMS, *choice, "--json", "--out", "run")
    assert list(json.loads(ended.out)["systems"]) == ["two"]


@pytest.mark.usefixtures("two_systems")
def test_a_run_of_the_chosen_is_that_of_them_alone(jatdae: Callable[..., Any]) -> None:
    chosen = json.loads(jatdae(*TWO_SYSTEMS, "--skip", "two", "--json", "--out", "chosen").out)
    alone = json.loads(jatdae(*TWO_SYSTEMS[:6], "--json", "--out", "alone", "--jobs", "1").out)
    assert {**chosen, "run": ""} == {**alone, "run": ""}


@pytest.mark.usefixtures("two_systems")
def test_files_with_both_sides_are_chosen_by_the_names_they_are_called_after(jatdae: Callable[..., Any]) -> None:
    ended = jatdae("run", "marks", "one.jsonl", "two.jsonl", "--only", "two", "--json", "--out", "run")
    assert list(json.loads(ended.out)["systems"]) == ["two"]


@pytest.mark.usefixtures("two_systems")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((*TWO_SYSTEMS, "--only", "tow"), "Unknown system 'tow'. Did you mean 'two'? Systems: one, two."),
        ((*TWO_SYSTEMS, "--skip", "one", "--skip", "two"), "No systems are left."),
        (("run", "marks", "one.jsonl", "--only", "one"), "--only and --skip need named systems"),
        (("run", "marks", "--ref", "gold.jsonl", "--pred", "one.jsonl", "--skip", "x"), "jatdae paper RUN --only NAME"),
    ],
)
def test_what_cannot_be_chosen_is_told_before_anything_is_scored(
    arguments: tuple[str, ...], told: str, jatdae: Callable[..., Any]
) -> None:
    ended = jatdae(*arguments, "--out", "run")
    assert (ended.status, ended.out) == (2, "")
    assert told in ended.err
    assert not Path("run").exists()


TWO_DATASETS = """
name: suite
datasets:
  both: {reference: gold.jsonl, systems: {one: one.jsonl, two: two.jsonl}}
  lone: {pairs: {one: one.jsonl}}
evaluators: {marks: {}}
"""


@pytest.mark.usefixtures("two_systems")
def test_a_dataset_of_a_suite_without_a_chosen_system_is_left_out(jatdae: Callable[..., Any]) -> None:
    Path("suite.yaml").write_text(TWO_DATASETS)
    ran = {
        name: [(each["run"], list(each["systems"])) for each in json.loads(jatdae(*command).out)]
        for name in ("one", "two")
        for command in [("run", "suite.yaml", "--only", name, "--out", name, "--json", "--jobs", "1")]
    }
    assert ran == {
        "one": [("one/suite/both/marks", ["one"]), ("one/suite/lone/marks", ["one"])],
        "two": [("two/suite/both/marks", ["two"])],
    }
    page = Path("one/suite/report.html").read_text("utf-8")
    assert [
        place for place in ("both/marks/report.html", "lone/marks/report.html") if f'href="{place}"' not in page
    ] == []
    assert "both · marks" in page
    assert not Path("two/suite/report.html").exists()  # one run has a page of its own
    assert "Systems: one, two." in jatdae("run", "suite.yaml", "--skip", "three").err


@pytest.mark.usefixtures("two_systems")
def test_a_file_that_a_suite_lacks_is_told_before_its_first_run_unless_it_is_left_out(
    jatdae: Callable[..., Any],
) -> None:
    Path("suite.yaml").write_text(TWO_DATASETS.replace("pairs: {one: one.jsonl}", "pairs: {late: late.jsonl}").lstrip())
    ended = jatdae("run", "suite.yaml", "--out", "runs")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "error: suite.yaml:4 (datasets.lone): late.jsonl: no such file or folder.\n"
    assert not Path("runs").exists()
    assert jatdae("run", "suite.yaml", "--out", "runs", "--skip", "late").status == 0


COMMON = {field.name for flags in (InputFlags, ChoiceFlags, RunFlags, OutputFlags) for field in fields(flags)}
INSTALLED = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)


@pytest.mark.parametrize("entry", INSTALLED, ids=lambda entry: entry.name)
def test_no_flag_of_an_evaluator_hides_behind_one_of_the_run(entry: EntryPoint) -> None:
    assert {field.name for field in fields(entry.load())}.isdisjoint(COMMON)
