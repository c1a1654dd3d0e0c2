"""One clause of an English answer by itself."""

from __future__ import annotations

import pytest

from jatdae.dialogue.rules.english_act import read_act
from jatdae.dialogue.rules.english_clause import read_clause
from jatdae.dialogue.rules.english_pieces import make_piece
from jatdae.dialogue.rules.stances import AGAINST, KEEP, NONE, STOP, TAKE


@pytest.mark.parametrize(
    ("clause", "stance"),
    [
        ("you can take X", TAKE),
        ("X 20 mg daily is the most effective option", TAKE),
        ("X should control the palpitations", TAKE),
        ("X should stop", STOP),
        ("don't stop X", KEEP),
        ("X should be avoided", AGAINST),
        ("most take X at night", NONE),
        ("X suits most children", NONE),
    ],
)
def test_what_is_said_of_a_thing(clause, stance):
    assert read_clause(make_piece(clause), True) == stance


@pytest.mark.parametrize(
    ("clause", "stance"), [("you can X", TAKE), ("never X", AGAINST), ("people X", NONE), ("X is fine", TAKE)]
)
def test_what_is_said_of_an_act(clause, stance):
    assert read_act(make_piece(clause)) == stance
