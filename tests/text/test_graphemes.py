"""Clusters are those of UAX #29, and a text without any is told quickly."""

from __future__ import annotations

import random

import pytest
import regex

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
        ("\u06001", ["\u06001"]),  # an Arabic number sign goes before its number
        ("\u1000\u102b", ["\u1000", "\u102b"]),  # Burmese: ka and a tall aa stand side by side
        ("", []),
    ],
)
def test_clusters(text: str, clusters: list[str]) -> None:
    assert list(graphemes(text)) == clusters


def test_what_stands_alone_is_told_from_what_joins_as_clusters_are() -> None:
    """Texts are only split where something in them joins: that quick look must not overlook anything."""
    every = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE1000))]
    alone = [each for each in every if isinstance(graphemes(each), str)]
    text = "".join(each for each in alone if each not in "\r\n")
    assert graphemes(text) is text
    assert regex.findall(r"\X", text) == list(text)


def test_clusters_equal_those_of_the_regex_module() -> None:
    chance = random.Random(0)
    pool = "\u0600\r\n"
    pool += "ab 한글각가\u1100\u1161\u11a8é\u0301\u0302漢あ\u3099👍🏽👩\u200d🔬🇰🇷🇺❤\ufe0f#1\u20e3\u0e33ท\u0903कि\u200c"
    for _ in range(5_000):
        text = "".join(chance.choices(pool, k=chance.randint(1, 10)))
        assert list(graphemes(text)) == regex.findall(r"\X", text)


def test_text_of_single_code_points_is_given_back_as_it_is() -> None:
    text = "잣대 measures 测量"
    assert graphemes(text) is text
