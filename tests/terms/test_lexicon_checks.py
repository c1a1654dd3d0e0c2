"""Lexicons that cannot be: each is refused by file, line and key."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jatdae.core.errors import UsageError
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
    ("{gloss: tip, zh: [尖]}", "{gloss: tip, zh: ['']}", 15, "at least 1 character"),
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
    # names, numbers and spellings that would go wrong later
    ("{tongue: 2.0, location: 1.0}", "{tongue: 2.0, location: 1.0, the tip: 1}", 3, "'the tip' is a metric too"),
    ("{tongue: 2.0, location: 1.0}", "{tongue: 2.0, location: 1.0, tip.micro: 1}", 3, "'tip.micro' is a metric too"),
    ("  PLACE: {category", "  PLACE=1: {category: location}\n  PLACE: {category", 9, "'PLACE=1' is a metric too"),
    ("{tongue: 2.0, location: 1.0}", "{tongue: '2', location: 1.0}", 3, "valid number"),
    ("{tongue: 2.0, location: 1.0}", "{tongue: true, location: 1.0}", 3, "valid number"),
    (
        "{tongue: 2.0, location: 1.0}",
        "{tongue: 1.0e+308, location: 1.0e+308}",
        3,
        "the sum of the weights is not finite",
    ),
    ("red, zh: [红]", "red, zh: [红, ' ']", 12, "' ' has no letter"),
    ("red, zh: [红]", 'red, zh: [红, "a\\0"]', 12, "match pattern"),
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


@pytest.mark.parametrize(("old", "new", "line", "problem"), FAULTS)
def test_a_fault_is_refused_with_its_place(
    small: str, refused: Refused, old: str, new: str, line: int, problem: str
) -> None:
    assert small.count(old) == 1
    message = refused("small.yaml", small.replace(old, new))
    assert f"small.yaml:{line}" in message
    assert problem in message or (problem == "given twice" and "红|绛" in message)


def test_a_file_that_is_no_mapping_is_refused(refused: Refused) -> None:
    assert "list.yaml:1: a lexicon is a mapping" in refused("list.yaml", "- a\n- b\n")


def test_a_file_that_is_no_yaml_is_refused(refused: Refused) -> None:
    assert "bad.yaml:2" in refused("bad.yaml", "name: a\n\tb: [")


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(UsageError, match=r"no lexicon is called 'tonge'\. Did you mean 'tongue'"):
        find_lexicon("tonge")


def test_a_missing_file_is_told() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        find_lexicon("missing/lexicon.yaml")


def test_a_fault_in_what_is_added_to_a_bundled_lexicon_has_its_place_in_the_own_file(refused: Refused) -> None:
    added = "name: ours\nextends: tongue\nwords:\n  glue: [复诊, 微]\n"
    assert "ours.yaml:4" in refused("ours.yaml", added)
    assert "'微' is also under words.degree" in refused("ours.yaml", added)
