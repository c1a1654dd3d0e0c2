"""Lexicons of languages in Latin letters: whole words, in capitals or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jatdae.terms import find_lexicon
from jatdae.terms.parser import parse_text

Marked = Callable[..., list[str]]

SKIN = """\
name: skin
start: skin
weights: {lesion: 2, colour: 1}
regions:
  skin: {heads: [skin], open: true}
axes:
  LESION: {category: lesion, region: skin}
  COLOUR: {category: colour, region: skin}
atoms:
  LESION:
    papule: {gloss: papule, en: [papule, papules], ko: [구진]}
    naevus: {gloss: naevus, en: [Nævus]}
  COLOUR:
    red: {gloss: red, en: [red], ko: [홍색]}
patterns: {port wine: [LESION_naevus, COLOUR_red]}
words:
  negation: {list: ['no']}
  stop: ['.']
  glue: [the]
"""


@pytest.fixture
def skin(write: Callable[[str, Any], str]) -> str:
    return write("skin.yaml", SKIN)


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("red papules", ["COLOUR_red", "LESION_papule"]),
        ("tired, redness, nodular papules", ["LESION_papule"]),
        ("éred, redé", []),
        ("airport wine, port wines, port wine", ["LESION_naevus", "COLOUR_red"]),
        ("no papule", ["¬LESION_papule"]),
        ("1red-2papule_red", ["COLOUR_red", "LESION_papule", "COLOUR_red"]),
        ("red구진, papule의", ["COLOUR_red", "LESION_papule", "LESION_papule"]),
    ],
)
def test_a_word_in_latin_letters_is_no_part_of_a_longer_one(
    marked: Marked, skin: str, text: str, atoms: list[str]
) -> None:
    assert marked(text, skin) == atoms


def test_what_is_part_of_a_longer_word_is_not_understood(skin: str) -> None:
    parsed = parse_text("Erythematous papules", find_lexicon(skin))
    assert [gap.text for gap in parsed.unread] == ["Erythematous"]
    assert parsed.coverage == 7 / 19


@pytest.mark.parametrize("text", ["Red NÆVUS", "red nævus", "RED Nævus"])
def test_capitals_are_read_as_small_letters(marked: Marked, skin: str, text: str) -> None:
    assert marked(text, skin) == ["COLOUR_red", "LESION_naevus"]
    assert parse_text(text, find_lexicon(skin)).terms[0].text == text[:3]


def test_capitals_alone_make_no_second_meaning(refused: Callable[[str, str], str]) -> None:
    assert "LESION_naevus already" in refused("skin.yaml", SKIN.replace("[Nævus]", "[RED]"))
