"""Evidence of a pair: both texts, their terms where they stand, and what became of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from jatdae import Sample, TermsEvaluator
from jatdae.core.messages import texts_beside
from jatdae.terms.evidence import LONGEST, MOST
from jatdae.terms.lexicon import find_lexicon

from .test_counts import CASES


def evidence(prediction: str, reference: str, **settings: Any) -> Any:
    return orjson.loads(orjson.dumps(TermsEvaluator(**settings).score(Sample("1", prediction, reference)).evidence))


def test_a_term_has_its_place_in_the_text_and_its_gloss_in_both_languages() -> None:
    shown = evidence("舌尖红，苔微黄，呱", "舌尖绛，苔淡黄，无裂纹")
    assert shown["prediction"]["text"] == "舌尖红，苔微黄，呱"
    assert shown["prediction"]["terms"][1] == {
        "atom": "COLOR_红",
        "text": "红",
        "start": 2,
        "end": 3,
        "gloss": {"en": "red", "ko": "홍"},
        "places": ["LOCATION_舌尖"],
    }
    assert shown["prediction"]["terms"][2]["degree"] == "微"
    assert shown["reference"]["terms"][-1]["negated"] is True
    assert shown["prediction"]["not_understood"] == [{"text": "呱", "start": 8, "end": 9}]
    assert "not_understood" not in shown["reference"]


@pytest.mark.parametrize("name", CASES)
def test_findings_are_what_the_tables_count(name: str) -> None:
    prediction, reference, expected = CASES[name]
    found = [outcome for outcome, *_ in evidence(prediction, reference)["findings"]]
    counted = [table for table, keys in expected.items() if table != "instead" for _ in keys.split()]
    assert sorted(found) == sorted(counted)


def test_a_finding_names_the_terms_it_is_about() -> None:
    assert evidence("舌尖红，苔微黄", "舌尖绛，苔淡黄，边有齿痕，无裂纹")["findings"] == [
        ["confused", 1, 1, 0.75],
        ["missed", None, 4, 0.0],
        ["confused", 2, 2, 0.85],
        ["right", 0, 0, 1.0],
        ["missed", None, 3, 0.0],
    ]
    assert evidence("舌有裂纹", "舌无裂纹")["findings"] == [["negated", 0, 0, 0.0]]


def test_an_implied_atom_is_shown_as_the_term_that_implies_it() -> None:
    shown = evidence("舌强硬或光", "舌红，无苔")
    assert [term["atom"] for term in shown["prediction"]["terms"]] == ["SHAPE_强硬", "SHAPE_光"]
    assert ["right", 1, 1, 1.0] in shown["findings"]


def test_of_alternatives_the_one_that_counted_is_shown() -> None:
    assert evidence("舌红或绛", "舌绛")["findings"] == [["right", 1, 0, 1.0]]
    assert evidence("舌绛", "舌红或绛")["findings"] == [["right", 0, 1, 1.0]]


def test_positions_count_characters_of_the_text_that_is_shown() -> None:
    shown = evidence("𠮷舌红", "e\u0301舌红")
    for side in ("prediction", "reference"):
        text, [term] = shown[side]["text"], shown[side]["terms"]
        assert text[term["start"] : term["end"]] == "红"


def test_an_atom_without_a_gloss_has_none(write: Callable[[str, str], str]) -> None:
    path = write("ours.yaml", "name: ours\nextends: tongue\natoms: {COLOR: {褐红: {zh-Hans: [褐红]}}}\n")
    assert "gloss" not in evidence("舌褐红", "舌褐红", lexicon=path)["prediction"]["terms"][0]


def test_a_reference_that_is_not_understood_is_shown() -> None:
    shown = evidence("舌红\ud800" + "苔" * LONGEST, "神疲")
    assert shown["reference"] == {
        "text": "神疲",
        "terms": [],
        "not_understood": [{"text": "神疲", "start": 0, "end": 2}],
    }
    assert shown["prediction"]["text"].startswith("舌红?")
    assert shown["findings"] == []


def test_evidence_of_a_long_text_is_bounded() -> None:
    shown = evidence("舌红，苔黄，" * 240, "舌红，" + "呱" * 5000 + "，苔黄")
    assert len(shown["prediction"]["terms"]) == MOST
    assert len(shown["reference"]["text"]) == LONGEST + 1
    assert all((p is None or p < MOST) for _, p, _, _ in shown["findings"])


@pytest.mark.parametrize("name", ["tongue", "pulse"])
def test_every_atom_of_a_bundled_lexicon_has_a_gloss_in_both_languages(name: str) -> None:
    assert [atom.name for atom in find_lexicon(name).atoms.values() if atom.glosses.keys() != {"en", "ko"}] == []


def test_every_axis_of_a_bundled_lexicon_has_a_name_in_both_languages() -> None:
    axes = {f"axis_{axis}" for name in ("tongue", "pulse") for axis in find_lexicon(name).axes}
    texts = texts_beside("jatdae.terms.evaluator")
    for language in ("en", "ko"):
        assert axes == {key for key in texts.table("words", language) if key.startswith("axis_")}
