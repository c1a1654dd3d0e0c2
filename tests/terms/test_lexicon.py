"""Lexicons: the two forms, what is refused and where, and what comes bundled."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from jatdae.core.yamlfile import read_yaml
from jatdae.terms import find_lexicon, lexicon_schema, parse, similarity
from jatdae.terms.source import bundled, read_source

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


def test_extending_adds_to_a_bundled_lexicon(write: Write, marked: Marked) -> None:
    more = """\
name: ours
extends: tongue
atoms:
  COLOR: {褐红: {gloss: brownish red, zh-Hans: [褐红]}}
  SHAPE: {胖大: {zh-Hans: [圆胖]}}
synonyms: {褐红|红: 0.7}
words: {glue: [复诊]}
weights: {other: 0.25}
"""
    path = write("ours.yaml", more)
    assert marked("复诊舌褐红圆胖，苔薄白", path) == ["COLOR_褐红", "SHAPE_胖大", "THICK_薄", "COATCOLOR_白"]
    assert find_lexicon(path).weights == {"tongue": 2.0, "coat": 1.5, "location": 1.0, "other": 0.25}
    assert find_lexicon(path).label.endswith("+tongue@1")


@pytest.mark.parametrize("name", bundled())
def test_bundled_lexicons_fit_the_schema_and_the_schema_refuses(name: str) -> None:
    with resources.as_file(resources.files("jatdae.terms") / "lexicons" / f"{name}.yaml") as path:
        value = read_yaml(path).value
    schema = jsonschema_rs.validator_for(lexicon_schema())
    assert schema.is_valid(value)
    for spoilt in ({**value, "surplus": 1}, {**value, "weights": {"tongue": "2"}}, {**value, "atoms": []}):
        assert not schema.is_valid(spoilt)


@pytest.mark.parametrize("name", bundled())
def test_every_bundled_atom_has_an_english_gloss(name: str) -> None:
    assert all(atom.gloss.isascii() and atom.gloss for atom in find_lexicon(name).atoms.values())


def test_the_tongue_has_80_atoms_and_350_surfaces_in_three_scripts() -> None:
    atoms = [atom for values in read_source("tongue").content.atoms.values() for atom in values.values()]
    surfaces = {(tag, surface) for atom in atoms for tag, group in atom.surfaces.items() for surface in group}
    assert len(atoms) >= 80
    assert len(surfaces) >= 350
    assert {tag for tag, _ in surfaces} == {"zh-Hans", "zh-Hant", "ko"}


def test_every_surface_is_read_as_its_atom_somewhere() -> None:
    content = read_source("tongue").content
    heads = {name: region.heads[0] for name, region in content.regions.items()}
    for prefix, values in content.atoms.items():
        head = heads.get(content.axes[prefix].region, "")
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


TOKENS: dict[str, Any] = {
    "category_map": {"LOCATION": "location", "COLOR": "tongue", "COATCOLOR": "coat", "THICK": "coat", "NATURE": "coat"},
    "token_dicts": {
        "LOCATION": ["舌尖", "舌边"],
        "COLOR": ["红", "白", "淡", "淡白"],
        "COATCOLOR": ["白", "黄"],
        "THICK": ["薄", "少", "无"],
        "NATURE": ["腻", "滑"],
    },
    "pattern_table": {
        "舌尖红": ["LOCATION_舌尖", "COLOR_红"],
        "薄白": ["THICK_薄", "COATCOLOR_白"],
        "无苔": ["THICK_无"],
    },
    "synonyms": {"淡|淡白": 0.9},
    "weights": {"tongue": 2.0, "coat": 1.5, "location": 1.0, "other": 0.5},
}


def tokens(**changes: Any) -> str:
    return json.dumps(deepcopy(TOKENS) | changes, ensure_ascii=False, indent="\t")


def test_the_form_of_token_config_is_read(write: Write, marked: Marked) -> None:
    path = write("token_config.json", tokens())
    assert marked("舌尖红苔黄腻", path) == ["LOCATION_舌尖", "COLOR_红@舌尖", "COATCOLOR_黄", "NATURE_腻"]
    assert marked("舌红苔薄白", path) == ["COLOR_红", "THICK_薄", "COATCOLOR_白"]
    assert marked("舌淡无苔", path) == ["COLOR_淡", "THICK_无"]
    assert similarity("舌尖红苔黄腻", "舌尖红苔白滑", path) == pytest.approx(0.7)
    assert similarity("舌淡", "舌淡白", path) == pytest.approx((2.0 * 0.9 + 1.5 + 1.0 + 0.5) / 5)


def test_words_of_token_config_are_read_with_the_grammar_of_the_tongue(write: Write, marked: Marked) -> None:
    path = write("token_config.json", tokens())
    assert marked("舌微红，不腻，边白或黄", path) == ["COLOR_红/微", "¬NATURE_腻", "COLOR_白", "COATCOLOR_黄"]


def test_synonyms_may_stand_under_their_prefix(write: Write) -> None:
    path = write("token_config.json", tokens(synonyms={"COLOR": {"淡|淡白": 0.4}}))
    assert find_lexicon(path).synonyms["COLOR_淡白", "COLOR_淡"] == 0.4


@pytest.mark.parametrize(
    ("changes", "key", "problem"),
    [
        ({"token_dicts": {"COLOUR": ["红"]}}, "token_dicts.COLOUR", "the prefix 'COLOUR' has no axis"),
        ({"weights": {"tongue": 1, "coat": 1}}, "category_map.LOCATION", "'location' has no weight"),
        ({"pattern_table": {"苔黄": ["COATCOLOR_金"]}}, "pattern_table.苔黄", "no atom is called 'COATCOLOR_金'"),
        ({"synonyms": {"红|黄": 0.5}}, "synonyms.红|黄", "of different prefixes"),
        (
            {"synonyms": {"COLOR": {"COLOR_红|NATURE_腻": 0.3}}},
            "synonyms.COLOR.COLOR_红|NATURE_腻",
            "of different prefixes",
        ),
        ({"synonyms": {"淡|淡白": 2}}, "synonyms.淡|淡白", "outside 0 to 1"),
        ({"token_dicts": {"COLOR": "红"}}, "token_dicts.COLOR", "valid list"),
        ({"extra": 1}, "extra", "no key 'extra' is known here"),
    ],
)
def test_faults_of_token_config_have_their_place(
    write: Write, changes: dict[str, Any], key: str, problem: str, refused: Refused
) -> None:
    message = refused("token_config.json", tokens(**changes))
    assert f"({key})" in message
    assert problem in message


def test_duplicate_keys_of_token_config_are_refused(write: Write, refused: Refused) -> None:
    text = '{"category_map": {"COLOR": "tongue"},\n"token_dicts": {"COLOR": ["红"],\n"COLOR": ["淡"]}}'
    assert "token_config.json:3" in refused("token_config.json", text)


def test_the_lexicons_of_the_guide_load(write: Write) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "lexicons.md").read_text("utf-8")
    shown = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    assert len(shown) == 2
    for number, text in enumerate(shown):
        assert parse("舌尖红", write(f"shown-{number}.yaml", text))
