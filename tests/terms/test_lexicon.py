"""Lexicons ready for use, and what the bundled ones contain."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.terms import find_lexicon, parse, similarity
from jatdae.terms.lexicon_file import bundled_lexicons, read_source

Write = Callable[[str, Any], str]
Marked = Callable[..., list[str]]
Refused = Callable[[str, str], str]


def test_the_small_lexicon_is_in_order(write: Write, marked: Marked, small: str) -> None:
    assert marked("舌尖微紅，洪绛", write("small.yaml", small)) == [
        "PLACE_尖",
        "COLOR_红/微@尖",
        "COLOR_红",
        "COLOR_绛",
    ]


def test_a_slip_may_be_longer_than_a_character(write: Write, marked: Marked, small: str) -> None:
    slips = small.replace("{wrong: 洪, right: 红}", "{wrong: 洪尖, right: 红尖}")
    assert marked("洪尖，洪", write("small.yaml", slips)) == ["COLOR_红", "PLACE_尖"]


def test_a_changed_file_is_read_anew(write: Write, small: str) -> None:
    path = write("small.yaml", small)
    assert similarity("红", "绛", path) < 1
    write("small.yaml", small.replace("0.75", "1.0") + "# longer\n")
    assert similarity("红", "绛", path) == 1


@pytest.mark.parametrize("name", bundled_lexicons())
def test_every_bundled_atom_has_an_english_gloss(name: str) -> None:
    assert all(atom.gloss.isascii() and atom.gloss for atom in find_lexicon(name).atoms.values())


def test_the_tongue_has_80_atoms_and_350_surfaces_in_three_languages() -> None:
    atoms = [atom for values in read_source("tongue").content.atoms.values() for atom in values.values()]
    surfaces = {(tag, surface) for atom in atoms for tag, group in atom.surfaces.items() for surface in group}
    assert len(atoms) >= 80
    assert len(surfaces) >= 350
    assert {tag for tag, _ in surfaces} == {"zh-Hans", "zh-Hant", "ko", "en"}


def test_every_surface_is_read_as_its_atom_somewhere() -> None:
    content = read_source("tongue").content
    heads = {name: region.heads[0] for name, region in content.regions.items()}
    for prefix, values in content.atoms.items():
        head = heads.get(content.axes[prefix].region, "舌")
        for value, atom in values.items():
            for surface in (surface for group in atom.surfaces.values() for surface in group):
                found = {term.atom for term in parse(f"{head} {surface}")}
                assert f"{prefix}_{value}" in found, surface


def test_the_listed_similarities_are_those_of_the_specification() -> None:
    listed = {
        "COLOR": "淡|淡白 0.9 淡红|红 0.6 红|绛 0.75 红|暗红 0.7 暗红|绛 0.6 紫|青紫 0.85 紫|紫暗 0.85 "
        "暗|暗红 0.7 暗|紫暗 0.7 淡|淡暗 0.7 暗|淡暗 0.7",
        "SHAPE": "瘀点|瘀斑 0.85",
        "COATCOLOR": "黄|淡黄 0.85 灰|灰黑 0.8 黑|灰黑 0.8",
        "THICK": "少|无 0.6 剥落|花剥 0.9 剥落|无 0.5",
        "NATURE": "燥|少津 0.85 滑|润 0.7",
    }
    synonyms = find_lexicon("tongue").synonyms
    for prefix, pairs in listed.items():
        words = pairs.split()
        for pair, value in zip(words[::2], words[1::2], strict=True):
            a, b = (f"{prefix}_{each}" for each in pair.split("|"))
            assert synonyms[a, b] == synonyms[b, a] == float(value)


def test_the_lexicons_of_the_guide_load(write: Write) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "lexicons.md").read_text("utf-8")
    shown = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    assert len(shown) == 2
    for number, text in enumerate(shown):
        assert parse("舌尖红", write(f"shown-{number}.yaml", text))
