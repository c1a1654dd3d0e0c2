"""`overall` and its weights: what does not apply is left out, and a broken file is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.dialogue import score_turn
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER
from jatdae.dialogue.scores.overall import load_weights


def test_overall_leaves_out_what_does_not_apply_and_says_so(patient):
    result = score_turn("67세 여성으로 제2형 당뇨병이 있으십니다.", slots=patient, turn=1)["overall"]
    assert result["left_out"] == ["MCS", "ASS"]
    assert result["score"] == pytest.approx((0.3 * 1 + 0.3 * (1 - 0) + 0.2 * 1) / 0.8)


def test_weights_add_up_to_the_same_number_whatever_the_python(patient, tmp_path: Path):
    """Weights of .1, .2 and .3 add up to .6000000000000001 where each step is rounded, as Python 3.11's `sum` does."""
    for file in CONFIG_FOLDER.iterdir():
        text = file.read_text("utf-8").replace("age: 1.0", "age: 0.1")
        text = text.replace("drug: 2.0", "drug: 0.2").replace("condition: 2.0", "condition: 0.3")
        text = re.sub(r"(weight: |penalty: -)(\d[.\d]*)", lambda each: f"{each[1]}{float(each[2]) / 10}", text)
        (tmp_path / file.name).write_text(text, "utf-8")
    answer = "67세이시고 와파린을 복용 중이시며 당뇨병이 있으십니다. 이부프로펜을 드셔도 됩니다. 바나나를 드세요."
    result = score_turn(answer, slots=patient, turn=3, config_dir=tmp_path)
    assert result["SFS"]["mentioned_weight"] == 0.6000000000000001
    assert result["CSP"]["total_applicable_weight"] == 1.7000000000000004
    assert result["CUS_improved"]["total_weight"] == 0.6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sfs: {weights: {drug: 1}}\naggregate: {weights: {SFS: 1}}", "the key 'other' is missing"),
        ("sfs: {weights: {other: 1}}\naggregate: {weights: {SFC: 1}}", r":2 .*'SFC'.*unknown value.*mean 'SFS'"),
        ("sfs: {weights: {other: -1}}\naggregate: {weights: {SFS: 1}}", "must be ≥ 0, not -1"),
        ("sfs: {weights: {other: 1}}\naggregate: {weights: {SFS: 0}}", "at least one weight"),
        ("sfs: {weights: {other: 1}}", "the key 'aggregate' is missing"),
        ("SFS: {weights: {other: 1}}", r":1 .*unknown key 'SFS'.*mean 'sfs'"),
        ("sfs: {weights: {other: 1}}\nagregate: {weights: {SFS: 1}}", r":2 .*'agregate'.*mean 'aggregate'"),
        ("sfs: {weights: {drug: 1}}\naggregate: {weigths: {SFS: 1}}", r":2 .*'weigths'.*mean 'weights'"),
    ],
)
def test_broken_weights_are_refused(tmp_path: Path, text, message):
    (tmp_path / "scoring.yaml").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        load_weights(tmp_path)
