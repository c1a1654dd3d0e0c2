"""What the count tables say of a pair: which atoms were right, missed, extra, confused, negated or out of place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jatdae import Sample, TermsEvaluator

CASES = {
    "the same": ("舌红", "舌红", {"right": "COLOR_红"}),
    "one is missed": ("舌红", "舌红，苔黄", {"right": "COLOR_红", "missed": "COATCOLOR_黄"}),
    "two are extra": ("舌红，苔黄腻", "舌红", {"right": "COLOR_红", "extra": "COATCOLOR_黄 NATURE_腻"}),
    "nothing was written": ("", "舌红，苔黄", {"missed": "COLOR_红 COATCOLOR_黄"}),
    "like another": ("舌淡", "舌淡白", {"confused": "COLOR_淡白→COLOR_淡"}),
    "unlike: no confusion": (
        "舌红",
        "舌淡",
        {"missed": "COLOR_淡", "extra": "COLOR_红", "instead": "COLOR_淡→COLOR_红"},
    ),
    "equal before like": ("舌红绛", "舌红，苔白", {"right": "COLOR_红", "extra": "COLOR_绛", "missed": "COATCOLOR_白"}),
    "denied, written": ("舌有裂纹", "舌无裂纹", {"negated": "¬SHAPE_裂纹→SHAPE_裂纹"}),
    "denied on both sides": ("舌无裂纹，苔白", "舌无裂纹，苔白", {"right": "¬SHAPE_裂纹 COATCOLOR_白"}),
    "denied, not spoken of": ("舌红", "舌红，无裂纹", {"right": "COLOR_红"}),
    "another place": (
        "舌边红",
        "舌尖红",
        {
            "place": "COLOR_红",
            "missed": "LOCATION_舌尖",
            "extra": "LOCATION_舌边",
            "instead": "LOCATION_舌尖→LOCATION_舌边",
        },
    ),
    "places exchanged": (
        "舌尖暗边红",
        "舌尖红边暗",
        {"right": "LOCATION_舌尖 LOCATION_舌边", "place": "COLOR_红 COLOR_暗"},
    ),
    # Alternatives: one of them counts. Where nothing decides between them, they stay together.
    "an alternative is right": ("舌红或绛", "舌绛", {"right": "COLOR_绛"}),
    "alternatives are missed": ("苔白", "舌红或绛，苔白", {"right": "COATCOLOR_白", "missed": "COLOR_红|COLOR_绛"}),
    "alternatives of several axes": ("苔黄", "苔黄或腻", {"right": "COATCOLOR_黄"}),
    # 红–淡红 and 绛–红 are worth 1.35, 红–红 alone is worth 1: the score pairs them so, and so do the counts.
    "like is worth more than equal": ("舌红绛", "舌红、淡红", {"confused": "COLOR_淡红→COLOR_红 COLOR_红→COLOR_绛"}),
    "an implied atom": ("舌光", "无苔", {"right": "THICK_无", "extra": "SHAPE_光"}),
    "one place too many": (
        "舌边尖红",
        "舌尖红",
        {"right": "LOCATION_舌尖", "extra": "LOCATION_舌边", "place": "COLOR_红"},
    ),
    "everywhere and at a place": ("舌红，舌尖红", "舌尖红", {"right": "LOCATION_舌尖", "place": "COLOR_红"}),
    "stated, denied": ("舌无齿痕", "舌有齿痕", {"negated": "SHAPE_齿痕→¬SHAPE_齿痕"}),
    "stated, denied at a place": (
        "舌边无齿痕",
        "舌边有齿痕",
        {"right": "LOCATION_舌边", "negated": "SHAPE_齿痕→¬SHAPE_齿痕"},
    ),
    "what is denied is taken for another": (
        "舌有瘀点",
        "舌有瘀斑，无瘀点",
        {"confused": "SHAPE_瘀斑→SHAPE_瘀点", "missed": "¬SHAPE_瘀点"},
    ),
    "a degree is no error": ("苔微黄", "苔黄", {"right": "COATCOLOR_黄"}),
    "in another language": ("설질 홍, 태 황", "舌红，苔黄", {"right": "COLOR_红 COATCOLOR_黄"}),
    "said twice": ("舌红，舌质红", "舌红", {"right": "COLOR_红"}),
}


def tables(prediction: object, reference: str, **settings: Any) -> dict[str, dict[str, int]]:
    return dict(TermsEvaluator(**settings).score(Sample("1", prediction, reference)).counts)


@pytest.mark.parametrize("name", CASES)
def test_the_counts_of_a_pair_are_as_written_by_hand(name: str) -> None:
    prediction, reference, expected = CASES[name]
    assert tables(prediction, reference) == {table: dict.fromkeys(keys.split(), 1) for table, keys in expected.items()}


def test_unlisted_pairs_are_confused_only_with_partial_matching() -> None:
    assert tables("舌暗红", "舌淡红") == {
        "missed": {"COLOR_淡红": 1},
        "extra": {"COLOR_暗红": 1},
        "instead": {"COLOR_淡红→COLOR_暗红": 1},
    }
    assert tables("舌暗红", "舌淡红", partial_match=True) == {"confused": {"COLOR_淡红→COLOR_暗红": 1}}


@pytest.mark.parametrize("prediction", [5, "红" * 99, "神疲"])
def test_a_prediction_that_cannot_be_used_misses_everything(prediction: object) -> None:
    assert tables(prediction, "舌红，苔黄", max_chars=50) == {"missed": {"COLOR_红": 1, "COATCOLOR_黄": 1}}


def test_a_sample_that_is_left_out_counts_nothing() -> None:
    assert tables("舌红", "神疲") == {}
    assert tables("舌红", "红" * 99, max_chars=50) == {}


def test_atoms_of_the_same_value_on_two_axes_are_told_apart() -> None:
    assert tables("舌红，舌下络脉红", "舌红") == {
        "right": {"COLOR_红": 1},
        "extra": {"SUBLINGUAL_红": 1},
    }


def test_an_atom_that_is_right_twice_counts_twice() -> None:
    assert tables("舌红，舌红或绛", "舌红，舌红或青") == {"right": {"COLOR_红": 2}}


def test_a_synonym_as_good_as_equal_is_right(write: Callable[[str, str], str]) -> None:
    path = write("ours.yaml", "name: ours\nextends: tongue\nsynonyms: {青|绛: 1.0}\n")
    assert tables("舌青", "舌绛", lexicon=path) == {"right": {"COLOR_绛": 1}}
