"""Lexicon files: the YAML form and its schema, extending a bundled lexicon, and the form of token_config.json."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from importlib import resources
from typing import Any

import jsonschema_rs
import pytest

from jatdae.core.yamlfile import read_yaml
from jatdae.terms import find_lexicon, lexicon_schema, similarity
from jatdae.terms.lexicon_file import bundled_lexicons

Write = Callable[[str, Any], str]
Marked = Callable[..., list[str]]
Refused = Callable[[str, str], str]


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
    assert find_lexicon(path).label.endswith("+tongue@7")


@pytest.mark.parametrize("name", bundled_lexicons())
def test_bundled_lexicons_fit_the_schema_and_the_schema_refuses(name: str) -> None:
    with resources.as_file(resources.files("jatdae.terms") / "lexicons" / f"{name}.yaml") as path:
        value = read_yaml(path).value
    schema = jsonschema_rs.validator_for(lexicon_schema())
    assert schema.is_valid(value)
    for spoilt in ({**value, "surplus": 1}, {**value, "weights": {"tongue": "2"}}, {**value, "atoms": []}):
        assert not schema.is_valid(spoilt)


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
        ({"token_dicts": {"COLOR": "红"}}, "token_dicts.COLOR", "must be a list"),
        ({"extra": 1}, "extra", "unknown key 'extra'"),
    ],
)
def test_faults_of_token_config_have_their_place(
    write: Write, changes: dict[str, Any], key: str, problem: str, refused: Refused
) -> None:
    message = refused("token_config.json", tokens(**changes))
    assert f"({key})" in message
    assert problem in message


def test_all_faults_of_token_config_are_told_with_their_lines(refused: Refused) -> None:
    spoilt = tokens(weights={"tongue": -1, "coat": 1, "location": 1}, synonyms={"红|朱": 0.5})
    message = refused("token_config.json", spoilt)
    lines = spoilt.splitlines()
    for part, problem in (
        ('"tongue": -1', "must be a finite number of 0 or more"),
        ('"红|朱"', "no atom is called '朱'"),
    ):
        number = next(at for at, line in enumerate(lines, 1) if part in line)
        assert any(f"token_config.json:{number} " in told and problem in told for told in message.splitlines())


def test_a_lexicon_may_be_json_or_yaml_in_brackets(write: Write, marked: Marked) -> None:
    mine = {
        "name": "mine",
        "weights": {"hue": 1},
        "axes": {"HUE": {"category": "hue"}},
        "atoms": {"HUE": {"red": {"zh": ["红"]}}},
    }
    assert marked("红", write("mine.json", json.dumps(mine, indent="\t"))) == ["HUE_red"]
    flow = "{name: mine, weights: {hue: 1}, axes: {HUE: {category: hue}}, atoms: {HUE: {red: {zh: [红]}}}}"
    assert marked("红", write("mine.yaml", flow)) == ["HUE_red"]


def test_duplicate_keys_of_token_config_are_refused(write: Write, refused: Refused) -> None:
    text = '{"category_map": {"COLOR": "tongue"},\n"token_dicts": {"COLOR": ["红"],\n"COLOR": ["淡"]}}'
    problem = refused("token_config.json", text)
    assert "token_config.json:2 (token_dicts.COLOR): the key 'COLOR' stands again in line 3" in problem
    assert "the key 'weights' is missing" in problem
