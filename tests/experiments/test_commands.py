"""`jatdae scripts from-fhir` as a user calls it, on a patient of our own and on the real ones where they are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main

from .conftest import encounter, patient, record

DATA = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "fhir"
real = pytest.mark.skipif(not DATA.is_dir(), reason="the patients of shared/data are not here")


def scripts(*arguments: object) -> int:
    return main(["scripts", "from-fhir", *map(str, arguments)])


def test_a_folder_becomes_scripts_that_dialogue_accepts(written: Any, tmp_path: Path, capsys: Any) -> None:
    written("in/a.json", *record())
    others = [patient("child", birthDate="2020-01-01"), patient("dead", deceasedBoolean=True)]
    written("in/b.json", *others, encounter("2025-01-01", of="child"), encounter("2025-01-01", of="dead"))
    out = tmp_path / "scripts.jsonl"
    assert scripts(tmp_path / "in", "--out", out, "--lang", "ko") == 0
    said = capsys.readouterr().out
    assert "사망 환자라 제외: 1명(dead). 포함하려면 --with-dead를 쓰세요." in said
    assert "18세 미만이라 제외: 1명(child)" in said
    assert "100.0%" in said
    assert main(["dialogue", "check", str(out)]) == 0
    first = out.read_bytes()
    assert scripts(tmp_path / "in", "--out", out, "--lang", "ko") == 0
    assert out.read_bytes() == first
    (script,) = map(json.loads, first.splitlines())
    assert (script["patient_id"], script["lang"], len(script["turns"])) == ("p1", "ko", 5)


@pytest.mark.parametrize(
    ("flags", "status", "said"),
    [
        (["--on", "tomorrow"], 2, "--on tomorrow: not a day"),
        (["--on", "1900-01-01"], 2, "No patient is left"),
        (["--lang", "de"], 2, "de"),
        (["--phrases", "none.yaml"], 2, "none.yaml"),
    ],
)
def test_what_is_wrong_is_told(
    written: Any, tmp_path: Path, capsys: Any, flags: list[str], status: int, said: str
) -> None:
    assert scripts(written("a.json", *record()), "--out", tmp_path / "s.jsonl", *flags) == status
    told = capsys.readouterr()
    assert said in told.err + told.out
    assert not (tmp_path / "s.jsonl").exists()


def test_scripts_go_to_a_folder_that_is_made_or_the_place_is_told(written: Any, tmp_path: Path, capsys: Any) -> None:
    bundle = written("a.json", *record())
    assert scripts(bundle, "--out", tmp_path / "new" / "folder" / "s.jsonl") == 0
    assert (tmp_path / "new" / "folder" / "s.jsonl").is_file()
    for out in (tmp_path / "a.json" / "s.jsonl", tmp_path / "new"):
        assert scripts(bundle, "--out", out) == 2
        assert str(out) in capsys.readouterr().err


def test_a_paraphrase_that_gives_the_patient_away_is_refused(written: Any, tmp_path: Path, capsys: Any) -> None:
    from jatdae.experiments.scripts import load_phrases

    given = json.loads(load_phrases().model_dump_json())
    given["en"]["4"] = ["What should somebody with high blood pressure eat?"]
    (tmp_path / "own.json").write_text(json.dumps(given))
    flags = ["--out", tmp_path / "s.jsonl", "--lang", "en", "--phrases", tmp_path / "own.json"]
    assert scripts(written("a.json", *record()), *flags) == 3
    assert "names what it must leave out: high blood pressure" in capsys.readouterr().err


@real
def test_the_real_patients(tmp_path: Path, capsys: Any) -> None:
    """Three of them are compared with what their bundles say, read by eye."""
    out = tmp_path / "s.jsonl"
    assert scripts(DATA, "--out", out, "--lang", "en") == 0
    made = {script["patient_id"][:4]: script for script in map(json.loads, out.read_text("utf-8").splitlines())}
    assert len(made) == 9
    share = float(capsys.readouterr().out.partition("Known to the lexicon: ")[2].partition("%")[0])
    assert share >= 95
    wyman, goodwin, becker = (made[id]["slots"] for id in ("6d23", "da2c", "9de3"))
    assert [(s["age"], s["sex"]) for s in (wyman, goodwin, becker)] == [(40, "female"), (52, "male"), (56, "male")]
    primary = [s["primary_condition"]["name"] for s in (wyman, goodwin, becker)]
    assert primary == ["Hypertension", "Hyperlipidemia", "Atrial Fibrillation"]
    drugs = [sorted(each["name"].split()[0].lower() for each in s["active_meds"]) for s in (wyman, goodwin, becker)]
    assert drugs == [["hydrochlorothiazide"], ["simvistatin"], ["digoxin", "naproxen", "verapamil", "warfarin"]]
    hba1c = [round(s["labs"]["hba1c"][0]["value"], 1) for s in (wyman, goodwin, becker)]
    assert hba1c == [5.9, 6.2, 6.2]
    assert [round(s["vitals"]["blood_pressure"][0]["systolic"]) for s in (wyman, goodwin, becker)] == [168, 127, 135]
