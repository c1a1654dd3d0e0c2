"""Whether a sentence speaks of the past."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.tense import is_of_now, is_past


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("you had flu.", True),
        ("you have had flu.", True),
        ("you took flu.", True),
        ("you have taken flu.", True),
        ("you were on flu.", True),
        ("you had been taking flu.", True),
        ("you did not have flu.", True),
        ("you were diagnosed with flu.", True),
        ("you recovered from flu.", True),
        ("flu was treated.", True),
        ("you have a history of flu.", True),
        ("you now rest and had flu.", True),
        ("you have flu.", False),
        ("you are diagnosed with flu.", False),
        ("you have been taking flu.", False),
        ("you had pain and take flu.", False),
        ("you currently had flu.", False),
        ("flu", False),
        ("flu를 앓으셨습니다.", True),
        ("flu를 앓았습니다.", True),
        ("flu를 복용하신 적이 있습니다.", True),
        ("flu를 드셨던 것으로 압니다.", True),
        ("과거에 flu가 있습니다.", True),
        ("flu를 앓고 계십니다.", False),
        ("flu가 있으십니다.", False),
        ("flu가 있겠습니다.", False),
        ("현재 flu를 앓으셨습니다.", False),
    ],
)
def test_the_tense_of_what_is_named(text, past):
    start = text.index("flu")
    assert is_past(text, start, start + 3, (0, len(text))) is past


def test_now_may_stand_before_or_right_behind():
    for text in ("you currently have flu", "you have flu now", "현재 flu가 있습니다"):
        start = text.index("flu")
        assert is_of_now(text, start, start + 3, (0, len(text)))
