"""What became of the terms of a description, in words."""

from __future__ import annotations

from jatdae import TermsEvaluator
from jatdae.core.contract import Sample
from jatdae.core.messages import speaking


def lines(prediction: str, reference: str) -> list[str]:
    return list(TermsEvaluator.findings(TermsEvaluator().score(Sample("1", prediction, reference)).evidence))


def test_what_is_wrong_comes_first_with_its_meaning_and_its_kind() -> None:
    *wrong, last = lines("舌淡红，苔薄白，齿痕", "舌红，苔黄，齿痕")
    assert wrong == [
        "missed: 黄 (yellow) · colour of the coat",
        "extra: 白 (white) · colour of the coat",
        "extra: 薄 (thin) · thickness of the coat",
        "taken for another: 红 (red) → 淡红 (pale red) · colour of the tongue body · similarity 0.60",
    ]
    assert last == "right: 齿痕 (tooth-marked)"


def test_a_term_that_is_missing_is_named_in_the_language_of_the_reader() -> None:
    with speaking("ko"):
        assert lines("舌红", "舌红，苔腻")[0] == "누락: 腻 (니) · 설태 성질"


def test_where_a_finding_is_and_whether_it_is_denied() -> None:
    place = "wrong location: 红 (red): 舌边 (sides) → 舌尖 (tip) · colour of the tongue body"
    assert lines("舌尖红", "舌边红")[-1] == place
    denied = "wrong polarity: 齿痕 (tooth-marked): stated → denied · shape of the tongue body"
    assert lines("无齿痕", "有齿痕") == [denied]
