"""`overall` and its weights: what does not apply is left out, and a broken file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.dialogue import score_turn
from jatdae.dialogue.scores.overall import load_weights


def test_overall_leaves_out_what_does_not_apply_and_says_so(patient):
    result = score_turn("67세 여성으로 제2형 당뇨병이 있으십니다.", slots=patient, turn=1)["overall"]
    assert result["left_out"] == ["MCS", "ASS"]
    assert result["score"] == pytest.approx((0.3 * 1 + 0.3 * (1 - 0) + 0.2 * 1) / 0.8)


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
