"""Whether an English sentence only leaves it open that its X may come to be taken."""

from __future__ import annotations

import pytest

from jatdae.dialogue.rules.english_undecided import leaves_open


@pytest.mark.parametrize(
    "frame",
    [
        "X may be added later if your potassium allows.",
        "X could be started down the line.",
        "your cardiologist might then add X.",
        "they'll check your kidneys; your doctor can prescribe X if needed.",
        "X is an option once your kidney tests are back and the results look good.",
        "if the repeat potassium is fine, X can be introduced.",
        "then you'd start the X after.",
        "after the birth you can take X again.",
        "X may then be used even while breastfeeding.",
        "X could be used if a culture shows it's needed.",
        "it may be that your urologist offers X next.",
    ],
)
def test_what_is_for_later_or_for_the_prescriber_is_left_open(frame):
    assert leaves_open(frame)


@pytest.mark.parametrize(
    "frame",
    [
        "you can take X today.",
        "we can start X today and recheck in a month.",
        "he can try X, one tablet at night.",
        "ask your doctor to send X over.",
        "X 400 mg twice a day with food.",
    ],
)
def test_what_is_told_now_is_not(frame):
    assert not leaves_open(frame)
