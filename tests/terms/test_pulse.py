"""The engine is generic: another lexicon makes it another domain."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jatdae.terms import find_lexicon, similarity
from jatdae.terms.parser import parse_text

Marked = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("脉弦滑数", ["TENSION_弦", "FLOW_滑", "RATE_数"]),
        ("脉沉细无力", ["DEPTH_沉", "WIDTH_细", "FORCE_无力"]),
        ("左脉弦，右脉滑", ["LOCATION_左", "TENSION_弦@左", "LOCATION_右", "FLOW_滑@右"]),
        ("尺脉沉弱", ["LOCATION_尺", "DEPTH_沉@尺", "FORCE_弱@尺"]),
        ("脈浮緊", ["DEPTH_浮", "TENSION_紧"]),
        ("脉不数", ["¬RATE_数"]),
        ("脉弦或紧", ["TENSION_弦#1", "TENSION_紧#1"]),
        ("脉略弦", ["TENSION_弦/略"]),
        ("舌红苔滑，脉滑", ["FLOW_滑"]),
        ("맥현삭", ["TENSION_弦", "RATE_数"]),
        ("맥은 침세하고 무력함", ["DEPTH_沉", "WIDTH_细", "FORCE_无力"]),
        ("脉和缓有力", ["RATE_缓", "FORCE_有力"]),
    ],
)
def test_pulses_are_read(text: str, atoms: list[str], marked: Marked) -> None:
    assert marked(text, "pulse") == atoms
    assert parse_text(text, find_lexicon("pulse")).coverage == 1.0


def test_pulses_are_compared_by_their_own_categories() -> None:
    weights = find_lexicon("pulse").weights
    silent = sum(weight for name, weight in weights.items() if name != "form")
    expected = (silent + weights["form"] * 0.7) / sum(weights.values())
    assert similarity("脉弦", "脉紧", "pulse") == pytest.approx(expected)


def test_the_normal_pulse_is_understood() -> None:
    lexicon = find_lexicon("pulse")
    assert parse_text(lexicon.normal, lexicon).coverage == 1.0
