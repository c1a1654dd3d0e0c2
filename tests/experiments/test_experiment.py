"""`jatdae experiment` by replay of the bundled experiment: from scripts to a page and a paper's tables."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "experiment"
ARMS = ("llm", "llm+history", "llm+record", "agent")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("scripts") / "scripts.jsonl"
    assert main(["scripts", "from-fhir", str(EXAMPLE / "fhir"), "--out", str(file), "--lang", "en"]) == 0
    return file


def words(scripts: Path, out: Path, *more: str, arms: tuple[str, ...] = ARMS) -> list[str]:
    named = [word for arm in arms for word in ("--arm", arm)]
    records, answers = str(EXAMPLE / "fhir"), str(EXAMPLE / "answers.jsonl")
    return ["experiment", str(scripts), *named, "--records", records, "--replay", answers, "--out", str(out), *more]


@pytest.fixture(scope="module")
def held(scripts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled experiment, held and scored."""
    folder = tmp_path_factory.mktemp("held") / "x"
    assert main(words(scripts, folder, "--price", "input=2.5", "--price", "output=10", "--lang", "en")) == 0
    return folder


def test_the_example_has_four_arms_and_six_patients(held: Path) -> None:
    summary = json.loads((held / "scores" / "summary.json").read_text("utf-8"))
    assert list(summary["systems"]) == list(ARMS)
    assert {about["n"] for about in summary["systems"].values()} == {6}
    means = [about["metrics"]["overall"]["macro"] for about in summary["systems"].values()]
    assert means == sorted(means), "what a model is shown helps it"


def test_the_page_shows_everything(held: Path) -> None:
    page = (held / "experiment.html").read_text("utf-8")
    titles = re.findall(r'<span lang="en"[^>]*>([^<]+)</span><span lang="ko"', page)
    assert titles == [
        "Finding", "Arms side by side", "Effect sizes and patients needed", "By turn", "Distribution", "Cost and time",
    ]  # fmt: skip
    assert "효과 크기와 필요한 환자 수" in page
    assert page.count("<svg") > 15
    titles = re.findall(r'<text[^>]*class="title"[^>]*>([^<]+)<', page)
    assert titles.count("CUS_improved ↑") == 6, "its means, by turn and how it is spread, in both languages"
    assert ">turn<" in page
    assert ">턴<" in page
    arms = page.split('id="chapter-2"')[1].split("</table>")[0]
    assert arms.count('data-system="agent"') == arms.count('data-system="llm"') > 5, "they stack where it is narrow"
    assert re.search(r"<strong>0\.\d+</strong>\s*<small>0\.\d+ – 0\.\d+</small>", arms), "intervals below their means"
    assert 'href="scores/report.html"' in page
    assert (held / "scores" / "report.html").is_file()


def test_the_tables_are_there_for_a_paper(held: Path) -> None:
    table, page = (held / "experiment.tex").read_text("utf-8"), (held / "experiment.md").read_text("utf-8")
    assert r"\caption{llm $\rightarrow$ agent}" in table
    assert r"patients for 0.05" in table
    assert "lexicon:" in table
    assert "lexicon:" in page
    assert "| agent | 30 | 48 | 49,221 |" in page


def test_the_same_command_asks_nothing_again_and_gives_the_same_bytes(scripts: Path, held: Path, capsys: Any) -> None:
    before = {name: (held / name).read_bytes() for name in ("experiment.md", "events.jsonl", "conversations.jsonl")}
    assert main(words(scripts, held, "--price", "input=2.5", "--price", "output=10", "--lang", "en")) == 0
    assert "Turns answered already: 120." in capsys.readouterr().out
    assert before == {name: (held / name).read_bytes() for name in before}


def test_prices_are_remembered(held: Path) -> None:
    assert json.loads((held / "experiment.json").read_text("utf-8"))["prices"] == {"input": 2.5, "output": 10.0}
    before = (held / "experiment.md").read_bytes()
    assert main(["experiment", str(held), "--lang", "en"]) == 0
    assert (held / "experiment.md").read_bytes() == before


def test_an_experiment_that_is_not_there_is_told(tmp_path: Path, capsys: Any) -> None:
    assert main(["experiment", str(tmp_path / "nofolder"), "--lang", "en"]) == 2
    assert "nofolder: there is no such file or folder" in capsys.readouterr().err


def test_a_mean_over_fewer_patients_is_not_called_best(held: Path, tmp_path: Path) -> None:
    """Of one arm five patients are answered with nothing: what is left has a high mean and no crown."""
    rows = [json.loads(line) for line in (held / "events.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        if row["mode"] == "llm" and row["cluster"] != "ana":
            row["answer"] = ""
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["experiment", str(tmp_path), "--lang", "en"]) == 0
    table = (tmp_path / "experiment.md").read_text("utf-8")
    assert "Empty answers: 25." in table
    left_out = [line for line in table.splitlines() if " N/A)" in line]
    assert left_out
    counts = [re.findall(r"(\d) N/A", line) for line in left_out]
    assert all("**" not in line for line, found in zip(left_out, counts, strict=True) if len(found) < len(ARMS))


def test_unequal_arms_are_refused_and_scored_only_by_choice(held: Path, tmp_path: Path, capsys: Any) -> None:
    lines = (held / "events.jsonl").read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not (b'"mode":"agent"' in line and b'"cluster":"felix"' in line)]
    (tmp_path / "events.jsonl").write_bytes(b"".join(kept))
    assert main(["experiment", str(tmp_path), "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert "patient 'felix' is missing in agent" in said
    assert "--allow-unequal" in said
    assert not (tmp_path / "scores").exists(), "nothing is scored"
    assert main(["experiment", str(tmp_path), "--allow-unequal", "--lang", "en"]) == 0
    assert "Scored all the same. Not comparable: patient 'felix' is missing in agent." in capsys.readouterr().out
    assert "missing in agent" in (tmp_path / "experiment.html").read_text("utf-8")


def test_only_turns_that_both_arms_have_are_compared(held: Path, tmp_path: Path, capsys: Any) -> None:
    """Two arms with the same answers differ in nothing, whatever one of them lacks."""
    rows = [json.loads(line) for line in (held / "events.jsonl").read_bytes().splitlines()]
    one = [row for row in rows if row["mode"] == "agent"]
    other = [
        {**row, "mode": "same"} for row in one if (row["cluster"], row["turn_id"]) not in (("ana", 5), ("felix", 1))
    ]
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in one + other), "utf-8")
    assert main(["experiment", str(tmp_path), "--allow-unequal", "--lang", "en"]) == 0
    assert "same against agent: overall +0.0000 (0.0000 – 0.0000)" in " ".join(capsys.readouterr().out.split())
    none = [{**row, "mode": "same"} for row in one if row["turn_id"] == 1]
    late = [row for row in one if row["turn_id"] == 2]
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(row) + "\n" for row in late + none), "utf-8")
    assert main(["experiment", str(tmp_path), "--allow-unequal", "--lang", "en"]) == 2
    assert "but no turn" in capsys.readouterr().err


def test_one_arm_and_one_patient_are_told_of_without_a_comparison(held: Path, tmp_path: Path, capsys: Any) -> None:
    lines = (held / "events.jsonl").read_bytes().splitlines(keepends=True)
    few = [line for line in lines if b'"mode":"llm"' in line and b'"cluster":"ana"' in line]
    (tmp_path / "events.jsonl").write_bytes(b"".join(few))
    assert main(["experiment", str(tmp_path), "--lang", "ko"]) == 0
    assert "조건이 하나라 비교할 것이 없습니다" in capsys.readouterr().out
    page = (tmp_path / "experiment.html").read_text("utf-8")
    assert ">평균과 95 % 신뢰구간<" in page
    assert ">Means with 95 % intervals<" in page


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--difference", "0"], "--difference 0: must be a positive number"),
        (["--difference", "nan"], "--difference nan"),
        (["--jobs", "0"], "--jobs 0"),
        (["--judge", "gpt"], "--judge gpt: no verdicts of such a judge"),
        (["--price", "inptu=3"], "input"),
        (["--out", "elsewhere"], "--out goes with scripts"),
    ],
)
def test_a_wrong_flag_is_told(held: Path, more: list[str], said: str, capsys: Any) -> None:
    assert main(["experiment", str(held), *more, "--lang", "en"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "no experiment here"),
        (b"", "no event in it"),
        (b"{}\n", "schema_version"),
        (b"[1]\n", "events.jsonl:1"),
        (b"\xff\xfe\n", "events.jsonl:1"),
        (b"{", "no event in it"),
    ],
)
def test_a_folder_that_is_no_experiment_is_refused(tmp_path: Path, data: bytes | None, said: str, capsys: Any) -> None:
    if data is not None:
        (tmp_path / "events.jsonl").write_bytes(data)
    assert main(["experiment", str(tmp_path), "--lang", "en"]) == 2
    assert said in capsys.readouterr().err


def test_a_line_that_was_left_unfinished_is_a_missing_turn(held: Path, tmp_path: Path, capsys: Any) -> None:
    data = (held / "events.jsonl").read_bytes()
    (tmp_path / "events.jsonl").write_bytes(data[:-40])
    assert main(["experiment", str(tmp_path), "--lang", "en"]) == 2
    assert "lacks turns" in capsys.readouterr().err


def test_scripts_need_a_place_to_go_to(scripts: Path, capsys: Any) -> None:
    assert main(["experiment", str(scripts), "--lang", "en"]) == 2
    assert "--out" in capsys.readouterr().err


def test_hostile_names_and_answers_stay_text(held: Path, tmp_path: Path) -> None:
    events = [json.loads(line) for line in (held / "events.jsonl").read_text("utf-8").splitlines()]
    evil = "</script><img src=x onerror=alert(1)>"
    shown = [
        {**event, "mode": f"{event['mode']}{evil}", "answer": evil, "patient_id": evil, "cluster": evil}
        for event in events
        if event["patient_id"] == "ana"
    ]
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in shown), "utf-8")
    assert main(["experiment", str(tmp_path)]) == 0
    assert "<img" not in (tmp_path / "experiment.html").read_text("utf-8")


def test_the_bundles_of_the_example_are_small(tmp_path: Path) -> None:
    files = sorted((EXAMPLE / "fhir").glob("*.json"))
    assert len(files) >= 5
    assert sum(file.stat().st_size for file in EXAMPLE.rglob("*.*")) < 150_000
    written = str(tmp_path / "s.jsonl")
    assert main(["scripts", "from-fhir", str(EXAMPLE / "fhir"), "--out", written, "--lang", "ko"]) == 0
