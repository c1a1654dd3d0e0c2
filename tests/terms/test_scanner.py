"""Finding words: Korean terms in whole words and their lookalikes; Latin letters as whole words, capitals or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jatdae.terms import find_lexicon, parse
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


@pytest.mark.parametrize(
    "text",
    ["상태", "1회", "조절", "부자", "강조합니다", "설명하였다", "자세", "반대 의견", "박", "3박 4일", "후회", "태자"],
)
def test_ordinary_words_say_nothing(text: str, marked: Marked) -> None:
    assert marked(text) == []


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("박백", ["THICK_薄", "COATCOLOR_白"]),
        ("황니", ["COATCOLOR_黄", "NATURE_腻"]),
        ("설홍", ["COLOR_红"]),
        ("황니태", ["COATCOLOR_黄", "NATURE_腻"]),
        ("설질 홍", ["COLOR_红"]),
        ("설질은 홍하고 눈하다", ["COLOR_红", "SHAPE_嫩"]),
        ("설태는 후하다", ["THICK_厚"]),
        ("체형 수척, 색홍", ["COLOR_红"]),
        ("설질 담, 반대", ["COLOR_淡", "SHAPE_胖大"]),
    ],
)
def test_a_syllable_counts_in_a_compound_or_after_a_head(text: str, atoms: list[str], marked: Marked) -> None:
    assert marked(text) == atoms


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("설근부", ["LOCATION_舌根"]),
        ("설태 상태", []),
        ("설태 조절", []),
        ("설질 홍반", []),
        ("설태 1회 백", []),
        ("조명이 어두워 설색 판단은 어려움", []),
        ("어두운 설색", ["COLOR_暗"]),
    ],
)
def test_unknown_text_in_or_before_the_word_breaks_the_link(text: str, atoms: list[str], marked: Marked) -> None:
    assert marked(text) == atoms


def test_neighbours_of_different_regions_are_no_compound(marked: Marked) -> None:
    assert marked("강니") == []


@pytest.mark.parametrize(
    ("head", "syllables"),
    [
        ("설질 舌质", "담백 淡白 담홍 淡红 담 淡 암 暗 담암 淡暗 자암 紫暗 홍 红 강 绛 자 紫 청자 青紫 암홍 暗红"),
        ("설질 舌质", "반대 胖大 치흔 齿痕 열문 裂纹 어반 瘀斑 어점 瘀点 망자 芒刺 눈 嫩"),
        ("설태 舌苔", "백 白 황 黄 담황 淡黄 회 灰 흑 黑 회흑 灰黑 박 薄 후 厚 박락 剥落 화박 花剥"),
        ("설태 舌苔", "니 腻 활 滑 윤 润 조 燥 부 腐 소진 少津"),
        (" ", "무태 无苔 소태 少苔 설첨 舌尖 설변 舌边 설중 舌中 설근 舌根"),
    ],
)
def test_korean_terms_are_the_chinese_ones(head: str, syllables: str, marked: Marked) -> None:
    korean, _, chinese = head.partition(" ")
    words = syllables.split()
    for ours, theirs in zip(words[::2], words[1::2], strict=True):
        assert marked(f"{korean} {ours}") == marked(chinese + theirs) != []


def test_negation_follows_in_korean(marked: Marked) -> None:
    assert marked("치흔과 열문은 없다") == ["¬SHAPE_齿痕", "¬SHAPE_裂纹"]
    assert marked("홍하지 않음") == []
    assert marked("설질은 홍하지 않음") == ["¬COLOR_红"]


def test_hanja_with_korean_particles_is_read(marked: Marked) -> None:
    assert marked("舌質은 紅하고 苔는 黃膩하다") == ["COLOR_红", "COATCOLOR_黄", "NATURE_腻"]


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


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("舌红花剥苔", ["COLOR_红", "THICK_花剥"]),
        ("舌淡水滑苔", ["COLOR_淡", "NATURE_滑"]),
        ("苔白滑脉沉", ["COATCOLOR_白", "NATURE_滑"]),
        ("红花、桃仁", []),
    ],
)
def test_an_ordinary_word_cuts_no_term_in_two(text: str, atoms: list[str]) -> None:
    assert [term.atom for term in parse(text)] == atoms


def test_many_ordinary_words_that_could_cut_a_term_are_no_burden() -> None:
    assert len(parse("舌" + "红花剥" * 3000)) == 6000


@pytest.mark.parametrize("text", ["Movement: trembling", "- **Movement**: trembling", "Tongue movement: trembling"])
def test_the_last_letter_of_a_heading_is_no_abbreviation(text: str) -> None:
    assert [str(term) for term in parse(text)] == ["SHAPE_颤动"]


SHARED_GLOSSES = {"LOCATION_左侧", "LOCATION_右侧", "SHAPE_肿胀"}
"""Atoms whose English gloss is also another's: the left side is one of the sides, distended vessels are more common."""


def test_an_english_gloss_is_read_as_its_own_atom() -> None:
    heads = {"body": "tongue", "coat": "coat", "sublingual": "sublingual vessels"}
    wrong = {
        atom.name
        for atom in find_lexicon("tongue").atoms.values()
        if atom.name not in {str(term) for term in parse(f"{heads.get(atom.region, '')} {atom.gloss}")}
    }
    assert wrong == SHARED_GLOSSES
