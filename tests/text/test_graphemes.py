"""Clusters equal to those of the `regex` module."""

from __future__ import annotations

import random

import pytest

from jatdae.text.graphemes import graphemes


@pytest.mark.parametrize(
    ("text", "clusters"),
    [
        ("abc", ["a", "b", "c"]),
        ("e\u0301a", ["e\u0301", "a"]),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", ["\u1112\u1161\u11ab", "\u1100\u1173\u11af"]),
        ("👍🏽👩\u200d🔬", ["👍🏽", "👩\u200d🔬"]),
        ("🇰🇷🇺🇸", ["🇰🇷", "🇺🇸"]),
        ("1\ufe0f\u20e3", ["1\ufe0f\u20e3"]),
        ("a\r\nb", ["a", "\r\n", "b"]),
        ("", []),
    ],
)
def test_clusters(text: str, clusters: list[str]) -> None:
    assert list(graphemes(text)) == clusters


def test_clusters_equal_those_of_the_regex_module() -> None:
    regex = pytest.importorskip("regex")
    chance = random.Random(0)
    pool = "ab 한글각가\u1100\u1161\u11a8é\u0301\u0302漢あ\u3099👍🏽👩\u200d🔬🇰🇷🇺❤\ufe0f#1\u20e3\u0e33ท\u0903कि\u200c"
    for _ in range(5_000):
        text = "".join(chance.choices(pool, k=chance.randint(1, 10)))
        assert list(graphemes(text)) == regex.findall(r"\X", text)


def test_text_of_single_code_points_is_given_back_as_it_is() -> None:
    text = "잣대 measures 测量"
    assert graphemes(text) is text
