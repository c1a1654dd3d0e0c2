"""A drug counts as stopped only where an English answer says so in so many words."""

from __future__ import annotations

import pytest

from jatdae.dialogue.rules.english_stop import is_usual, keeps_for_now, tells_to_stop


@pytest.mark.parametrize(
    "frame",
    [
        "stop X today.",
        "you can come off your X right away.",
        "X has done its job.",
        "your X can be stopped now.",
        "there's no need for X on days you feel well.",
        "since it makes you tired, just don't take the X any more.",
        "you don't have to take X on weekends.",
        "stopping X is fine.",
        "i'd give X a rest for now.",
        "X: after three months this one has become optional.",
    ],
)
def test_an_order_or_a_permission_is_one(frame):
    assert tells_to_stop(frame)


@pytest.mark.parametrize(
    "frame",
    [
        "a tsh of 2.1 means your X dose is spot on, and you're not anemic either.",
        "X is fine at an egfr of 48; it's below 30 that we stop it.",
        "if your pulse drops below 50, X may have to be cut.",
        "a year after the stent, we may drop X and leave you on Y alone.",
        "with X on board, puffy ankles are more often a drug effect than heart failure.",
        "we'd rather not weaken your X.",
        "X does not need a dose change for your kidney function.",
        "X is usually stopped right after delivery.",
        "men who aren't on X often use these tablets without trouble.",
        "Y pushes the pancreas to release X whether or not food arrives, so leave out that meal's dose.",
        "over many years X can reduce their function.",
        "we'll hold X only if your sodium falls again.",
        "with X on your list, don't use them.",
        "if you notice the missed X, take it. if it's almost time for the next one, skip it.",
    ],
)
def test_what_is_open_or_of_others_is_none(frame):
    assert not tells_to_stop(frame)


@pytest.mark.parametrize(
    "sentences",
    [
        "don't stop lisinopril on your own; call your doctor today.",
        "please don't just drop the lisinopril. ring your doctor this morning.",
        "you mustn't stop it suddenly.",
    ],
)
def test_a_drug_is_kept_until_an_expert_has_been_asked(sentences):
    assert keeps_for_now(sentences)


@pytest.mark.parametrize("sentences", ["don't stop lisinopril; it protects you both.", "there's no need to stop it."])
def test_a_drug_is_gone_on_with(sentences):
    assert not keeps_for_now(sentences)


def test_what_is_usually_done_is_known_from_an_order():
    assert is_usual("the usual instruction is to hold X while you take Y.")
    assert is_usual("X is normally tapered over weeks.")
    assert not is_usual("stop X today.")
