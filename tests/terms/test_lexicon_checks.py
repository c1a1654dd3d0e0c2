"""Lexicons that cannot be: each is refused by file, line and key."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaking
from jatdae.terms import find_lexicon

Refused = Callable[[str, str], str]

FAULTS = [
    ("weights: {tongue: 2.0", "weights: {tongue: -1", 3, "weight -1.0 must be a finite number of 0 or more"),
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
    ("{gloss: red, zh: [红]}", "{gloss: red, chinese writing: [红]}", 12, "not a language tag"),
    ("{gloss: tip, zh: [尖]}", "{gloss: tip}", 15, "cannot be written"),
    ("{gloss: tip, zh: [尖]}", "{gloss: tip, zh: ['']}", 15, "at least 1 items or characters"),
    ("{gloss: crimson, zh: [绛]}", "{gloss: crimson, zh: [绛, 红]}", 13, "'红' is a surface of COLOR_红 already"),
    ("[COLOR_红, COLOR_绛]", "[COLOR_红, COLOR_降]", 17, "no atom is called 'COLOR_降'"),
    ("[COLOR_红, COLOR_绛]", "[]", 17, "at least one atom"),
    ("红|绛: 0.75", "红|绛: 1.5", 19, "similarity 1.5 is outside 0 to 1"),
    ("红|绛: 0.75", "红|尖: 0.5", 19, "of different prefixes"),
    ("红|绛: 0.75", "红|朱: 0.5", 19, "no atom is called '朱'"),
    ("红|绛: 0.75", "红绛: 0.5", 19, "not a pair of atoms"),
    ("红|绛: 0.75", "红|绛: 0.75\n  绛|红: 0.5", 20, "have the similarity 0.75 already"),
    ("红|绛: 0.75", "红|绛: 0.75\n  红|绛: 0.75", 20, "given twice"),
    ("degree: [微]", "degree: [微, 红]", 21, "'红' is a surface of an atom too"),
    ("degree: [微]", "degree: [微, 舌]", 21, "'舌' is a head too"),
    ("stop: [，]", "stop: [，, 微]", 22, "'微' is also under words.degree"),
    ("characters: [紅红]", "weak: [홍]\ncharacters: [紅红]", 23, "'홍' is not a surface of any atom"),
    ("characters: [紅红]", "implies: {COLOR_红: [THICK_无]}\ncharacters: [紅红]", 23, "no atom is called 'THICK_无'"),
    ("[紅红]", "[紅红, 紅绛]", 23, "'紅' is read as '红' already"),
    ("[紅红]", "[紅]", 23, "at least 2 items or characters"),
    ("{wrong: 洪, right: 红}", "{wrong: 洪, right: 红红}", 25, "differ in length"),
    (
        "{wrong: 洪, right: 红}",
        "{wrong: 洪, right: 红}\n  - {wrong: 洪, right: 绛}",
        26,
        "'洪' is read as '红' already",
    ),
    ("name: small", "name: small\nsynonims: {}", 2, "unknown key 'synonims'. Did you mean 'synonyms'?"),
    ("name: small\n", "", 1, "the key 'name' is missing"),
    ("degree: [微]", "degre: [微]", 21, "unknown key 'degre'. Did you mean 'degree'?"),
    ("红|绛: 0.75", "红|绛: much", 19, "must be a number or a mapping of keys to values, not 'much'"),
    ("name: small", "name: small\nextends: tonge", 2, "no lexicon is called 'tonge'. Did you mean 'tongue'?"),
    ("weights: {tongue: 2.0", "weights: {tongue: heavy", 3, "must be a number"),
    # names, numbers and spellings that would go wrong later
    (
        "{tongue: 2.0, location: 1.0}",
        "{tongue: 2.0, location: 1.0, the tip: 1}",
        3,
        "'the tip' is also the name of a metric",
    ),
    (
        "{tongue: 2.0, location: 1.0}",
        "{tongue: 2.0, location: 1.0, tip.micro: 1}",
        3,
        "'tip.micro' is also the name of a metric",
    ),
    (
        "  PLACE: {category",
        "  PLACE=1: {category: location}\n  PLACE: {category",
        9,
        "'PLACE=1' is also the name of a metric",
    ),
    ("{tongue: 2.0, location: 1.0}", "{tongue: '2', location: 1.0}", 3, "must be a number"),
    ("{tongue: 2.0, location: 1.0}", "{tongue: true, location: 1.0}", 3, "must be a number"),
    (
        "{tongue: 2.0, location: 1.0}",
        "{tongue: 1.0e+308, location: 1.0e+308}",
        3,
        "the sum of the weights is not finite",
    ),
    ("red, zh: [红]", "red, zh: [红, ' ']", 12, "' ' has no letter"),
    ("red, zh: [红]", 'red, zh: [红, "a\\0"]', 12, "does not match"),
    ("crimson, zh: [绛]", "crimson, zh: [绛, 紅]", 13, "'紅' is a surface of COLOR_红 already"),
    ("[紅红]", "[紅红, 绛红]", 13, "'绛' is a surface of COLOR_红 already"),
    ("degree: [微]", "degree: [微, 紅]", 21, "'紅' is a surface of an atom too"),
    ("[紅红]", "[紅红, 微，]", 22, "'，' is also under words.degree"),
    ("  红|绛: 0.75", "  COLOUR: {红|绛: 0.75}", 19, "no axis is called 'COLOUR'. Did you mean 'COLOR'?"),
    ("{wrong: 洪, right: 红}", '{wrong: "e\\u0301", right: 红绛}', 25, "differ in length"),
    ("body: {heads: [舌], open: true}", "body: {heads: [舌], outside: true}", 2, "'body' is outside the subject"),
    ("name: small", "name: small\nextends: 5", 2, "no lexicon is called '5'"),
    ("name: small", "name: small\nextends: [tongue]", 2, "no lexicon is called"),
]


@pytest.mark.parametrize(("old", "new", "line"), [fault[:3] for fault in FAULTS])
def test_a_fault_is_told_in_korean(small: str, refused: Refused, old: str, new: str, line: int) -> None:
    with speaking("ko"):
        message = refused("small.yaml", small.replace(old, new))
    for problem in message.splitlines():
        assert f"small.yaml:{line}" in message
        assert re.search("[가-힣]{2}", problem.partition(": ")[2].replace("홍", ""))
        assert not re.search("[a-z]{2,} [a-z]{2,} [a-z]{2,}", problem.partition(": ")[2])


@pytest.mark.parametrize(("old", "new", "line", "problem"), FAULTS)
def test_a_fault_is_refused_with_its_place(
    small: str, refused: Refused, old: str, new: str, line: int, problem: str
) -> None:
    assert small.count(old) == 1
    message = refused("small.yaml", small.replace(old, new))
    assert f"small.yaml:{line}" in message
    assert problem in message or (problem == "given twice" and "红|绛" in message)


def test_a_file_that_is_no_mapping_is_refused(refused: Refused) -> None:
    assert "list.yaml:1: must be a mapping" in refused("list.yaml", "- a\n- b\n")


def test_a_file_that_is_no_yaml_is_refused(refused: Refused) -> None:
    assert "bad.yaml:2" in refused("bad.yaml", "name: a\n\tb: [")


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(UsageError, match=r"no lexicon is called 'tonge'\. Did you mean 'tongue'"):
        find_lexicon("tonge")


def test_a_missing_file_is_told() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        find_lexicon("missing/lexicon.yaml")


def test_all_contradictions_are_told_at_once_in_the_order_of_lines(small: str, refused: Refused) -> None:
    spoilt = small.replace("region: body", "region: bod").replace("红|绛: 0.75", "红|绛: 2\n  红|朱: 0.5")
    spoilt = spoilt.replace("degree: [微]", "degree: [微, 红]").replace("start: body", "start: bodi")
    assert [line.partition(": ")[0].rpartition("/")[2] for line in refused("small.yaml", spoilt).splitlines()] == [
        "small.yaml:2 (start)",
        "small.yaml:8 (axes.COLOR.region)",
        "small.yaml:19 (synonyms.红|绛)",
        "small.yaml:20 (synonyms.红|朱)",
        "small.yaml:22 (words.degree[1])",
    ]


def test_everything_of_the_wrong_kind_is_told_at_once(small: str, refused: Refused) -> None:
    spoilt = small.replace("tongue: 2.0", "tongue: heavy").replace("zh: [尖]", "zh: 尖").replace("stop:", "stopp:")
    message = refused("small.yaml", spoilt)
    assert len(message.splitlines()) == 3
    assert "Did you mean 'stop'?" in message


EXTENDING = """\
name: ours
extends: tongue
words:
  glue:
    - 复诊
    - 微
typos:
  - {wrong: 洪, right: 红}
  - {wrong: 洪, right: 绛}
"""


@pytest.mark.parametrize(
    ("added", "place", "problem"),
    [
        (EXTENDING, "ours.yaml:6 (words.glue[1])", "'微' is also under words.degree"),
        (EXTENDING, "ours.yaml:9 (typos[1])", "'洪' is read as '红' already"),
        (
            "extends: tongue\natoms: {COLOR: {红: {zh-Hans: [无]}}}\n",
            "ours.yaml:2 (atoms.COLOR.红.zh-Hans[0])",
            "'无' is",
        ),
        ("extends: tongue\nweak: [5]\n", "ours.yaml:2 (weak[0])", "must be a string"),
        ("extends: tongue\nregions: {more: {}}\n", "ours.yaml:2 (regions.more.heads)", "'heads' is missing"),
        ("extends: tongue\nstart: elsewhere\n", "ours.yaml:2 (start)", "outside the subject"),
        ("extends: tongue\nregions: {body: {outside: true}}\n", "ours.yaml:2 (regions.body.outside)", "outside"),
        # Both sides of the contradiction are in the bundled lexicon; the characters that make it one are not.
        (
            "extends: tongue\ncharacters: [绛红]\n",
            "ours.yaml:1 (extends) → tongue.yaml:",
            "is a surface of COLOR_红 already",
        ),
    ],
)
def test_a_fault_in_what_is_added_has_its_place_in_the_own_file(
    refused: Refused, added: str, place: str, problem: str
) -> None:
    told = [line for line in refused("ours.yaml", added).splitlines() if place in line]
    assert any(problem in line for line in told)


def test_a_fault_in_what_is_added_to_a_bundled_lexicon_has_its_place_in_the_own_file(refused: Refused) -> None:
    added = "name: ours\nextends: tongue\nwords:\n  glue: [复诊, 微]\n"
    assert "ours.yaml:4" in refused("ours.yaml", added)
    assert "'微' is also under words.degree" in refused("ours.yaml", added)
