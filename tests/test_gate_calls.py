"""Gates as a release engineer types them: the call, its exit status, and what is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

import jatdae
from jatdae.cli import main


class Call(NamedTuple):
    """A command in a folder with runs, how it ends, and a part of what it says on standard error."""

    command: str
    status: int
    told: str = ""


CALLS = {
    # the scale and the range of the limit
    "fraction that holds": Call("report poor --fail-over cer=0.5", 0),
    "fraction that fails": Call("report poor --fail-over cer=0.05", 1, "Gate failed: all: cer = 25.00 % > 5.00 %"),
    "percent": Call("report poor --fail-over cer=5%", 1, "cer = 25.00 % > 5.00 %"),
    "percent with a space": Call("report poor --fail-over cer=30|%", 0),
    "wrong scale": Call("report poor --fail-over cer=5", 2, "--fail-over cer=5: 5 would be 500 %. Write 5% or 0.05."),
    "wrong scale of a share": Call("report fields --fail-under f1=90", 2, "90 would be 9000 %. Write 90% or 0.9."),
    "below the range": Call("report poor --fail-over cer=-5%", 2, "-0.05 is outside the range of cer, 0 to ∞."),
    "above the range": Call("report fields --fail-under f1=101%", 2, "1.01 is outside the range of f1, 0 to 1."),
    "never failing": Call(
        "report fields --fail-under f1=0", 2, "no value of f1 is beyond 0: the gate could never fail."
    ),
    "no number": Call("report poor --fail-over cer=low", 2, "'low' is not a number."),
    "NaN": Call("report poor --fail-over cer=nan", 2, "'nan' is not a number."),
    "NaN for JUnit": Call("report poor -f junit --fail-over cer=nan", 2, "'nan' is not a number."),
    "NaN before the work": Call("run text poor.jsonl --fail-over cer=nan", 2, "'nan' is not a number."),
    # the metric and its direction
    "wrong direction": Call(
        "report poor --fail-under cer=5%", 2, "cer is better when lower, so a gate below would fail"
    ),
    "unknown metric": Call("report poor --fail-over cre=5%", 2, "unknown metric 'cre'. Did you mean 'cer'?"),
    "micro average": Call("report poor --fail-over cer.micro=5%", 1, "cer.micro = 25.00 % > 5.00 %"),
    "former name": Call("report poor --fail-over delta_refs=5%", 2, "Did you mean 'delta_bibliography'?"),
    # no value
    "all N/A": Call("report fields --fail-under schema_compliance=50%", 1, "schema_compliance = N/A"),
    "all skipped": Call("run text skipped.jsonl --missing skip --fail-over cer=5%", 1, "cer = N/A"),
    "nothing scored": Call("run text none.jsonl --on-bad-row count --fail-over cer=5%", 1, "cer: no system was scored"),
    "nothing scored, no gate": Call("run text none.jsonl --on-bad-row count --out none", 2, "no samples were scored"),
    # one field, one rule
    "field": Call("report fields --fail-under field:diagnosis_code=90%", 1, "field:diagnosis_code = 0.00 % < 90.00 %"),
    "field that holds": Call("report fields --fail-under field:patient.name=90%", 0),
    "unknown field": Call("report fields --fail-under field:diagnosis=90%", 2, "Did you mean 'diagnosis_code'?"),
    "rule": Call("report talks --fail-over rule:CSP_EX_001=0", 1, "llm: rule:CSP_EX_001 = 33.33 % > 0.00 %"),
    "rule in the wrong direction": Call("report talks --fail-under rule:CSP_EX_001=50%", 2, "is better when lower"),
    # every form of a report
    "Markdown": Call("report poor -f md --fail-over cer=5%", 1, "Gate failed"),
    "CSV": Call("report poor -f csv --fail-over cer=5%", 1, "Gate failed"),
    "JSON": Call("report poor -f json --fail-over cer=5%", 1, "Gate failed"),
    "LaTeX": Call("report poor -f latex --fail-over cer=5%", 1, "Gate failed"),
    "figures": Call("report poor --figures charts --fail-over cer=5%", 1, "Gate failed"),
    "metrics that are not shown": Call("report poor -f junit --metrics wer --fail-over cer=5%", 1, "Gate failed"),
    "JUnit": Call("report poor -f junit --fail-over cer=5%", 1, "Gate failed"),
    "a page": Call("report poor -f html --fail-over cer=5%", 1, "Gate failed"),
    "a run": Call("run text poor.jsonl --out again --fail-over cer=5%", 1, "Gate failed"),
    # regressions
    "no regression": Call("compare poor good --fail-on-regression", 0),
    "regression": Call("compare good poor --fail-on-regression", 1, "poor is worse than good: cer +25.00 pp"),
    "within the margin": Call("compare good poor --fail-on-regression --margin 30% --metrics cer", 0),
    "beyond the margin": Call("compare good poor --fail-on-regression --margin 0.2 --metrics cer", 1, "p < .001"),
    "few clusters": Call("compare few-good few-poor --fail-on-regression", 1, "judges by the margin alone"),
    "few clusters within the margin": Call(
        "compare few-good few-poor --fail-on-regression --margin 100%", 0, "judges by the margin alone"
    ),
    "margin without a gate": Call("compare good poor --margin 5%", 2, "no effect without --fail-on-regression"),
    "margin out of range": Call("compare good poor --fail-on-regression --margin 5", 2, "--margin 5: write a fraction"),
    "unknown metric to compare": Call("compare good poor --metrics cre", 2, "Did you mean 'cer'?"),
    "a system with itself": Call("compare talks --systems llm llm", 2, "would be compared with itself"),
    "a system of two runs": Call("compare good poor --metrics cer", 0),
    "a run with itself": Call("compare poor poor --fail-on-regression", 2, "would be compared with itself"),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with finished runs: two of one text evaluator, many and few samples, fields, conversations."""
    folder = tmp_path_factory.mktemp("gates")
    for name, prediction, n in (
        ("good", "abcd", 24),
        ("poor", "abc", 24),
        ("few-good", "abcd", 3),
        ("few-poor", "abc", 3),
    ):
        rows = [{"id": str(at), "prediction": prediction, "reference": "abcd"} for at in range(n)]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        assert main(["run", "text", str(folder / f"{name}.jsonl"), "--out", str(folder / name), "--jobs", "1"]) == 0
    (folder / "none.jsonl").write_text("no row\n", "utf-8")
    (folder / "skipped.jsonl").write_text('{"id": "1", "prediction": null, "reference": "x"}\n', "utf-8")
    for name, evaluator in (("fields", "structured"), ("talks", "dialogue")):
        samples = Path(jatdae.__file__).parent / evaluator / "samples" / "pairs.jsonl"
        assert main(["run", evaluator, str(samples), "--out", str(folder / name), "--jobs", "1"]) == 0
    return folder


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_gate_ends_as_it_should(
    call: Call, runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(runs)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    capsys.readouterr()
    status = main([part.replace("|", " ") for part in call.command.split()])
    told = " ".join(capsys.readouterr().err.split())
    assert (status, call.told in told) == (call.status, True), told
