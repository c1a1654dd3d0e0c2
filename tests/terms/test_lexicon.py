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

from jatdae.core.errors import UsageError
from jatdae.core.yamlfile import read_yaml
from jatdae.terms import find_lexicon, lexicon_schema, parse, similarity
from jatdae.terms.source import bundled, read_source

Write = Callable[[str, Any], str]
Marked = Callable[..., list[str]]

SMALL = """\
name: small
start: body
weights: {tongue: 2.0, location: 1.0}
regions:
  body: {heads: [舌], open: true}
  coat: {heads: [苔], open: true}
axes:
  COLOR: {category: tongue, region: body}
  PLACE: {category: location, place: true}
atoms:
  COLOR:
    红: {gloss: red, zh: [红]}
    绛: {gloss: crimson, zh: [绛]}
  PLACE:
    尖: {gloss: tip, zh: [尖]}
patterns:
  红绛: [COLOR_红, COLOR_绛]
synonyms:
  红|绛: 0.75
words:
  degree: [微]
  stop: [，]
characters: [紅红]
typos:
  - {wrong: 洪, right: 红}
"""

FAULTS = [
    ("weights: {tongue: 2.0", "weights: {tongue: -1", 3, "weight -1.0 is no finite number of at least 0"),
    ("{tongue: 2.0, location: 1.0}", "{tongue: 0, location: 0}", 3, "needs a weight above 0"),
    ("{tongue: 2.0, location: 1.0}", "{tongue: 2.0}", 9, "category 'location' has no weight"),
    ("{category: tongue, region: body}", "{category: tonque, region: body}", 8, "Did you mean 'tongue'?"),
    ("region: body}", "region: bod}", 8, "no region is called 'bod'"),
    ("  COLOR: {category", "  CO_LOR: {category", 8, "has an underscore"),
    ("{tongue: 2.0, location: 1.0}", "{tongue: 2.0, location: 1.0, score: 1.0}", 3, "name of another metric"),
    ("start: body", "start: bodi", 2, "cannot begin in 'bodi'"),
    ("  coat: {heads: [苔], open: true}", "  coat: {heads: [苔], absent: THICK_无}", 6, "no atom is called 'THICK_无'"),
    (
        "  coat: {heads: [苔], open: true}",
        "  coat: {heads: [舌], open: true}",
        6,
        "'舌' opens the region 'body' already",
    ),
    ("  PLACE:\n    尖", "  PLAZE:\n    尖", 14, "the prefix 'PLAZE' has no axis. Did you mean 'PLACE'?"),
    ("{gloss: red, zh: [红]}", "{gloss: red, chinese writing: [红]}", 12, "no language tag"),
    ("{gloss: tip, zh: [尖]}", "{gloss: tip}", 15, "cannot be written"),
    ("{gloss: tip, zh: [尖]}", "{gloss: tip, zh: ['']}", 15, "at least 1 character"),
    ("{gloss: crimson, zh: [绛]}", "{gloss: crimson, zh: [绛, 红]}", 13, "'红' is a surface of COLOR_红 already"),
    ("[COLOR_红, COLOR_绛]", "[COLOR_红, COLOR_降]", 17, "no atom is called 'COLOR_降'"),
    ("[COLOR_红, COLOR_绛]", "[]", 17, "at least one atom"),
    ("红|绛: 0.75", "红|绛: 1.5", 19, "similarity 1.5 is outside 0 to 1"),
    ("红|绛: 0.75", "红|尖: 0.5", 19, "of different prefixes"),
    ("红|绛: 0.75", "红|朱: 0.5", 19, "no atom is called '朱'"),
    ("红|绛: 0.75", "红绛: 0.5", 19, "no pair of two atoms"),
    ("红|绛: 0.75", "红|绛: 0.75\n  绛|红: 0.5", 20, "have the similarity 0.75 already"),
    ("红|绛: 0.75", "红|绛: 0.75\n  红|绛: 0.75", 20, "given twice"),
    ("degree: [微]", "degree: [微, 红]", 21, "'红' is a surface of an atom too"),
    ("degree: [微]", "degree: [微, 舌]", 21, "'舌' is a head too"),
    ("stop: [，]", "stop: [，, 微]", 22, "'微' stands under words.degree too"),
    ("characters: [紅红]", "weak: [홍]\ncharacters: [紅红]", 23, "'홍' is no surface of any atom"),
    ("characters: [紅红]", "implies: {COLOR_红: [THICK_无]}\ncharacters: [紅红]", 23, "no atom is called 'THICK_无'"),
    ("[紅红]", "[紅红, 紅绛]", 23, "'紅' is read as '红' already"),
    ("[紅红]", "[紅]", 23, "at least 2 characters"),
    ("{wrong: 洪, right: 红}", "{wrong: 洪, right: 红红}", 25, "differ in length"),
    (
        "{wrong: 洪, right: 红}",
        "{wrong: 洪, right: 红}\n  - {wrong: 洪, right: 绛}",
        26,
        "'洪' is read as '红' already",
    ),
    ("name: small", "name: small\nsynonims: {}", 2, "no key 'synonims' is known here. Did you mean 'synonyms'?"),
    ("name: small\n", "", 1, "the key 'name' is missing"),
    ("degree: [微]", "degre: [微]", 21, "no key 'degre' is known here. Did you mean 'degree'?"),
    ("红|绛: 0.75", "红|绛: much", 19, "valid number"),
    ("name: small", "name: small\nextends: tonge", 2, "no lexicon is called 'tonge'. Did you mean 'tongue'?"),
    ("weights: {tongue: 2.0", "weights: {tongue: heavy", 3, "valid number"),
]


def refused(write: Write, name: str, text: str) -> str:
    with pytest.raises(UsageError) as caught:
        find_lexicon(write(name, text))
    return str(caught.value)


def test_the_small_lexicon_is_in_order(write: Write, marked: Marked) -> None:
    assert marked("舌尖微紅，洪绛", write("small.yaml", SMALL)) == [
        "PLACE_尖",
        "COLOR_红/微@尖",
        "COLOR_红",
        "COLOR_绛",
    ]


def test_a_slip_may_be_longer_than_a_character(write: Write, marked: Marked) -> None:
    slips = SMALL.replace("{wrong: 洪, right: 红}", "{wrong: 洪尖, right: 红尖}")
    assert marked("洪尖，洪", write("small.yaml", slips)) == ["COLOR_红", "PLACE_尖"]


@pytest.mark.parametrize(("old", "new", "line", "problem"), FAULTS)
def test_a_fault_is_refused_with_its_place(write: Write, old: str, new: str, line: int, problem: str) -> None:
    assert SMALL.count(old) == 1
    message = refused(write, "small.yaml", SMALL.replace(old, new))
    assert f"small.yaml:{line}" in message
    assert problem in message or (problem == "given twice" and "红|绛" in message)


def test_a_file_that_is_no_mapping_is_refused(write: Write) -> None:
    assert "list.yaml:1: a lexicon is a mapping" in refused(write, "list.yaml", "- a\n- b\n")


def test_a_file_that_is_no_yaml_is_refused(write: Write) -> None:
    assert "bad.yaml:2" in refused(write, "bad.yaml", "name: a\n\tb: [")


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(UsageError, match=r"no lexicon is called 'tonge'\. Did you mean 'tongue'"):
        find_lexicon("tonge")


def test_a_missing_file_is_told() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        find_lexicon("missing/lexicon.yaml")


def test_a_changed_file_is_read_anew(write: Write) -> None:
    path = write("small.yaml", SMALL)
    assert similarity("红", "绛", path) < 1
    write("small.yaml", SMALL.replace("0.75", "1.0") + "# longer\n")
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
            {"synonyms": {"CROSS": {"COLOR_红|NATURE_腻": 0.3}}},
            "synonyms.CROSS.COLOR_红|NATURE_腻",
            "of different prefixes",
        ),
        ({"synonyms": {"淡|淡白": 2}}, "synonyms.淡|淡白", "outside 0 to 1"),
        ({"token_dicts": {"COLOR": "红"}}, "token_dicts.COLOR", "valid list"),
        ({"extra": 1}, "extra", "no key 'extra' is known here"),
    ],
)
def test_faults_of_token_config_have_their_place(write: Write, changes: dict[str, Any], key: str, problem: str) -> None:
    message = refused(write, "token_config.json", tokens(**changes))
    assert f"({key})" in message
    assert problem in message


def test_duplicate_keys_of_token_config_are_refused(write: Write) -> None:
    text = '{"category_map": {"COLOR": "tongue"},\n"token_dicts": {"COLOR": ["红"],\n"COLOR": ["淡"]}}'
    assert "token_config.json:3" in refused(write, "token_config.json", text)


def test_the_lexicons_of_the_guide_load(write: Write) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "lexicons.md").read_text("utf-8")
    shown = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    assert len(shown) == 2
    for number, text in enumerate(shown):
        assert parse("舌尖红", write(f"shown-{number}.yaml", text))
