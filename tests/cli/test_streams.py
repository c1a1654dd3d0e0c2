"""Standard streams that are closed, full or shared: results stay apart, and the status stays what it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'exact_match.py'}:ExactMatch"
CHATTY = '''
import os
from jatdae import Metric, Outcome, Sample, evaluator

print("noise at load")


@evaluator("chatty", metrics=[Metric("exact", "higher", worst=0.0, primary=True)])
class Chatty:
    """Talks while it works."""

    def score(self, sample: Sample) -> Outcome:
        print("noise from print")
        os.write(1, b"noise from below\\n")
        return Outcome({"exact": 1.0})
'''


@pytest.fixture
def shell() -> Callable[[str], subprocess.CompletedProcess[str]]:
    """`shell("{jatdae} doctor >&-")`: what a shell makes of it."""

    def run(line: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = line.format(jatdae=f"{sys.executable} -m jatdae")
        given = ["bash", "-c", command]
        return subprocess.run(given, env=env, capture_output=True, text=True, check=False, timeout=120)

    return run


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_plug_in_prints_is_kept_out_of_the_json(
    process: Callable[..., Any], write: Callable[..., str], tmp_path: Path, jobs: str
) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    files = [write(f"s{at}.jsonl", [{"id": "1", "prediction": "a", "reference": "a"}]) for at in range(2)]
    ended = process("run", "--plugin", "chatty.py:Chatty", *files, "--jobs", jobs, "--json")
    assert list(json.loads(ended.stdout)["systems"]) == ["s0", "s1"]
    # not by lines: two processes may write theirs into each other's
    noises = ("noise at load", "noise from print", "noise from below")
    assert [noise for noise in noises if noise not in ended.stderr] == []


def test_what_the_plug_in_of_a_suite_prints_is_kept_out_of_the_json(
    process: Callable[..., Any], pairs: str, tmp_path: Path
) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    (tmp_path / "suite.yaml").write_text(
        "name: n\nplugins: {chatty: chatty.py:Chatty}\n"
        "datasets: {d: {pairs: {a: pairs.jsonl}}}\nevaluators: {chatty: }\n"
    )
    ended = process("run", "suite.yaml", "--allow-plugins", "--json")
    assert [run["evaluator"] for run in json.loads(ended.stdout)] == ["chatty"]


ENDS = {
    f"run --plugin {EXAMPLE} pairs.jsonl --fail-under exact=1": 1,
    "report nowhere": 2,
    "doctor --no-such-flag": 2,
    "doctor": 0,  # it loads no evaluator, so it is done soonest
}


@pytest.mark.parametrize(("command", "status"), ENDS.items(), ids=["gate", "data", "usage", "fine"])
def test_the_status_is_the_same_where_nobody_reads_messages(pairs: str, command: str, status: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    given = [sys.executable, "-m", "jatdae", *command.split()]
    ended = subprocess.run(given, env=env, stdout=writer, stderr=writer, check=False, timeout=120)
    os.close(writer)
    assert ended.returncode == status


@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", ">&-", "2>&-"])
@pytest.mark.parametrize(("command", "status"), ENDS.items(), ids=["gate", "data", "usage", "fine"])
def test_the_status_is_the_same_where_streams_are_closed(
    shell: Callable[..., Any], pairs: str, command: str, status: int, closed: str
) -> None:
    assert shell(f"{{jatdae}} {command} {closed}").returncode == status


def test_a_full_disk_is_no_fault_of_ours(shell: Callable[..., Any]) -> None:
    ended = shell("{jatdae} doctor --json > /dev/full")
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: Cannot write: no space left on the device.")


def test_standard_input_that_is_closed_is_empty(shell: Callable[..., Any]) -> None:
    ended = shell(f"{{jatdae}} run --plugin {EXAMPLE} - <&-")
    assert (ended.returncode, ended.stderr) == (2, "error: stdin: no rows.\n")
