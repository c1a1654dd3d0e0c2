"""Smoking and drinking: what an answer says of them, and that it uses no context where the record says otherwise."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.habits import find_habit


@pytest.mark.parametrize(
    ("habit", "answer", "said"),
    [
        ("smoking", "You never smoke.", {False}),
        ("smoking", "You have never smoked.", {False}),
        ("smoking", "You don't smoke, which helps.", {False}),
        ("smoking", "As a non-smoker you are at lower risk.", {False}),
        ("smoking", "You are not a smoker.", {False}),
        ("smoking", "You smoke a pack a day.", {True}),
        ("smoking", "Since you still smoke, quitting helps.", {True}),
        ("smoking", "You are a heavy smoker.", {True}),
        ("smoking", "If you smoke, stop.", set()),
        ("smoking", "Do you smoke?", set()),
        ("smoking", "Please avoid smoking.", set()),
        ("smoking", "You should not smoke.", set()),
        ("smoking", "흡연은 하지 않으십니다.", {False}),
        ("smoking", "담배를 안 피우시니 다행입니다.", {False}),
        ("smoking", "비흡연자이시므로", {False}),
        ("smoking", "담배를 하루 한 갑 피우시니 끊으셔야 합니다.", {True}),
        ("smoking", "흡연을 하고 계셔서", {True}),
        ("smoking", "담배는 피우지 마세요.", set()),
        ("smoking", "담배를 피우시면 안 됩니다.", set()),
        ("alcohol", "You don't drink alcohol.", {False}),
        ("alcohol", "You drink two glasses of wine a day.", {True}),
        ("alcohol", "You should drink plenty of water.", set()),
        ("alcohol", "You don't drink enough water.", set()),
        ("alcohol", "Don't drink alcohol.", set()),
        ("alcohol", "매일 술을 드시네요.", {True}),
        ("alcohol", "술은 전혀 안 드시니", {False}),
        ("alcohol", "술을 드시면 안 됩니다.", set()),
        ("alcohol", "술은 드시지 마세요.", set()),
    ],
)
def test_what_is_said_of_a_habit(habit, answer, said):
    assert find_habit(answer.lower(), habit) == said
